"""`git diff --raw --no-abbrev -p -z` as a stream: records first, then the patch, cut as it comes."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from git_sidecar.git.parse.budget_cut import BudgetCut, FileText
from git_sidecar.git.parse.line_cut import CutLimits, CutText, LineCut
from git_sidecar.git.parse.patch_sections import PatchSections, Section
from git_sidecar.git.parse.raw_diff import RawRecords
from git_sidecar.model.changes import ChangeStatus, Coverage, CutReason, FileChange, RawChange
from git_sidecar.model.diff import CutDiff

INVALID_UTF8 = "Some of the diff is not UTF-8; those bytes are shown as U+FFFD."

_Range = tuple[int, int]
_Covered = tuple[Coverage, CutReason | None]
_FULL: _Covered = (Coverage.FULL, None)


class DiffStream:
    """The sink of one diff: `feed` takes git's output in any chunks, `finish` gives the diff and its files."""

    def __init__(self, *, limits: CutLimits, file_budget: int | None = None) -> None:
        """Cut at `limits`, or, with `file_budget`, each file at that many characters."""
        self._records = RawRecords()
        self._sections: PatchSections | None = None
        self._cutter = LineCut(limits) if file_budget is None else BudgetCut(file_budget)

    def feed(self, chunk: bytes, /) -> bool:
        """Take the next bytes of git's output; always wants more, since the counts need all of it."""
        if self._sections is None:
            rest = self._records.feed(chunk)
            if rest is None:
                return True
            unmerged = any(change.status is ChangeStatus.UNMERGED for change in self._records.changes)
            self._sections = PatchSections(unmerged=unmerged)
            chunk = rest
        self._cut(self._sections.feed(chunk))
        return True

    def _cut(self, pieces: Iterator[tuple[bool, bytes]]) -> None:
        for begins, piece in pieces:
            self._cutter.feed(piece, begins=begins)

    @property
    def raw(self) -> bytes:
        """The bytes of the records alone, as `git diff --raw -z --no-abbrev` prints them."""
        return bytes(self._records.raw)

    def finish(self) -> CutDiff:
        """The diff, once git has ended."""
        sections: list[Section] = []
        if self._sections is None:
            self._records.finish()
        else:
            self._cut(self._sections.finish())
            sections = self._sections.sections
        if isinstance(self._cutter, BudgetCut):
            return _from_budget(self._records.changes, sections, self._cutter.finish())
        return _from_lines(self._records.changes, sections, self._cutter.finish(), self._cutter.total_bytes)


def _assign(changes: Sequence[RawChange], count: int) -> list[_Range] | None:
    """Which sections belong to which record; None where they do not add up (combined diffs of unmerged paths)."""
    ranges: list[_Range] = []
    at = 0
    for change in changes:
        # A change of type is printed as a deletion and an addition (git-diff(1)).
        step = 2 if change.status is ChangeStatus.TYPE_CHANGED else 1
        ranges.append((at, at + step))
        at += step
    return ranges if at == count else None


def _file_change(change: RawChange, sections: Sequence[Section], covered: _Covered) -> FileChange:
    binary = any(section.binary for section in sections)
    if binary:
        return FileChange(change, None, None, True, Coverage.OMITTED, CutReason.BINARY)  # noqa: FBT003
    uncounted = not sections or change.status is ChangeStatus.UNMERGED
    return FileChange(
        change,
        None if uncounted else sum(section.additions for section in sections),
        None if uncounted else sum(section.deletions for section in sections),
        binary=False,
        coverage=covered[0],
        reason=covered[1],
    )


def _covered_by_lines(span: _Range, cut: CutText) -> _Covered:
    start, end = span
    if cut.omitted is not None:
        overlap = min(end, cut.omitted[1]) - max(start, cut.omitted[0])
        if overlap >= end - start:
            return Coverage.OMITTED, CutReason.LIMIT
        if overlap > 0:
            return Coverage.PARTIAL, CutReason.LIMIT
    at = bisect_left(cut.shortened, start)
    if at < len(cut.shortened) and cut.shortened[at] < end:
        return Coverage.PARTIAL, CutReason.LINE_LENGTH
    return _FULL


def _from_lines(changes: Sequence[RawChange], sections: Sequence[Section], cut: CutText, total_bytes: int) -> CutDiff:
    ranges = _assign(changes, len(sections))
    starts = [*(section.start for section in sections), total_bytes]
    files: list[FileChange] = []
    for number, change in enumerate(changes):
        if ranges is None:
            files.append(_file_change(change, (), (Coverage.PARTIAL, CutReason.LIMIT) if cut.truncated else _FULL))
            continue
        first, end = ranges[number]
        files.append(_file_change(change, sections[first:end], _covered_by_lines((starts[first], starts[end]), cut)))
    return CutDiff(
        cut.text,
        tuple(files),
        cut.truncated,
        cut.omitted_lines,
        cut.omitted_bytes,
        (INVALID_UTF8,) if cut.invalid_utf8 else (),
    )


def _covered_by_budget(texts: Sequence[FileText]) -> _Covered:
    if not any(text.cut for text in texts):
        return _FULL
    kept = any(text.hunk_lines_kept or not text.cut for text in texts)
    return (Coverage.PARTIAL if kept else Coverage.OMITTED), CutReason.BUDGET


def _from_budget(changes: Sequence[RawChange], sections: Sequence[Section], texts: Sequence[FileText]) -> CutDiff:
    ranges = _assign(changes, len(sections))
    truncated = any(text.cut for text in texts)
    files: list[FileChange] = []
    for number, change in enumerate(changes):
        if ranges is None:
            files.append(_file_change(change, (), (Coverage.PARTIAL, CutReason.BUDGET) if truncated else _FULL))
            continue
        own = slice(*ranges[number])
        files.append(_file_change(change, sections[own], _covered_by_budget(texts[own])))
    return CutDiff(
        "".join(text.text for text in texts),
        tuple(files),
        truncated,
        sum(text.omitted_lines for text in texts),
        sum(text.omitted_bytes for text in texts),
        (INVALID_UTF8,) if any(text.invalid_utf8 for text in texts) else (),
    )
