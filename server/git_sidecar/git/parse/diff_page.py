"""One page of `git diff --raw --no-abbrev -p -z`: the whole stream is counted and hashed, a window of it is kept.

Pages are runs of whole lines, so that their texts put together are git's text. A page ends where a file ends, else at a
hunk, else at a line.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from git_sidecar.git.parse.diff_stream import INVALID_UTF8
from git_sidecar.git.parse.line_window import LineWindow, TakenLine, WindowLimits
from git_sidecar.git.parse.names import quote_name
from git_sidecar.git.parse.patch_sections import PatchSections, Section
from git_sidecar.git.parse.raw_diff import RawRecords
from git_sidecar.model.changes import ChangeStatus, Coverage, CutReason, FileChange, RawChange
from git_sidecar.model.diff import DiffPage, DiffStat
from git_sidecar.model.refs import RepoPath


@dataclass(frozen=True, slots=True)
class _Part:
    """A record, its place in the patch, and what was counted there; no sections where the place is not known."""

    change: RawChange
    start: int
    end: int
    sections: Sequence[Section]


class DiffPager:
    """The sink of one page; `records` are given where the stream has none (combined diffs are printed without)."""

    def __init__(self, offset: int, limits: WindowLimits, records: Sequence[RawChange] | None = None) -> None:
        """Keep the lines from byte `offset` of the patch on."""
        self._raw = RawRecords()
        self._given = records
        self._sections = None if records is None else PatchSections(unmerged=True)
        self._window = LineWindow(offset, limits)
        self._offset = offset
        self._hash = hashlib.sha256()
        self._headers: list[bytes] = []

    @property
    def records(self) -> Sequence[RawChange]:
        """The records of all files, once they were read."""
        return self._raw.changes if self._given is None else self._given

    def feed(self, chunk: bytes, /) -> bool:
        """Take the next bytes of git's output; always wants more, since counts and hash need all of it."""
        self._hash.update(chunk)
        if self._sections is None:
            rest = self._raw.feed(chunk)
            if rest is None:
                return True
            unmerged = any(change.status is ChangeStatus.UNMERGED for change in self._raw.changes)
            self._sections = PatchSections(unmerged=unmerged)
            chunk = rest
        self._take(self._sections.feed(chunk))
        return True

    def _take(self, pieces: Iterator[tuple[bool, bytes]]) -> None:
        for begins, piece in pieces:
            if begins:
                self._headers.append(b"")
            if not self._headers[-1].endswith(b"\n"):
                # Only the first line of each file is needed, to tell which record it belongs to.
                self._headers[-1] += piece[: piece.find(b"\n") + 1 or len(piece)]
            self._window.feed(piece)

    def finish(self) -> DiffPage:
        """The page, once git has ended."""
        parts = self._finish_parts()
        end = self._choose_end([part.start for part in parts if part.sections])
        lines = [line for line in self._window.lines if line.end <= end]
        files = [_describe(part, self._offset, end, lines) for part in parts if _is_on_page(part, self._offset, end)]
        return DiffPage(
            "".join(line.text for line in lines),
            tuple(files),
            len({part.change.path for part in parts}),
            end if end < self._window.total_bytes else None,
            self._hash.hexdigest(),
            (INVALID_UTF8,) if any(line.invalid_utf8 for line in lines) else (),
        )

    def finish_stat(self) -> DiffStat:
        """The numbers of all files, once git has ended; an unmerged path once."""
        files: dict[RepoPath, FileChange] = {}
        for part in self._finish_parts():
            files.setdefault(part.change.path, replace(_describe(part, 0, 0, ()), coverage=Coverage.OMITTED))
        return DiffStat(tuple(files.values()), self._hash.hexdigest())

    def _finish_parts(self) -> list[_Part]:
        sections: list[Section] = []
        if self._sections is None:
            self._raw.finish()
        else:
            self._take(self._sections.finish())
            sections = self._sections.sections
        self._window.finish()
        return _assign(self.records, sections, self._headers, self._window.total_bytes)

    def _choose_end(self, file_starts: Sequence[int]) -> int:
        last = self._window.end
        if last >= self._window.total_bytes:
            return last
        files = [start for start in file_starts if self._offset < start <= last]
        if files:
            return files[-1]
        hunks = [line.start for line in self._window.lines if line.text.startswith(("@@ -", "@@@ "))]
        # Before the first hunk stands the header only, or, on a page that begins within a hunk, its end.
        begins_file = self._offset in file_starts
        later = hunks[1:] if begins_file else [start for start in hunks if start > self._offset]
        return later[-1] if later else last


def _assign(
    records: Sequence[RawChange], sections: Sequence[Section], headers: Sequence[bytes], total: int
) -> list[_Part]:
    """Which sections belong to which record, in order.

    A record without a section is left out: the file's times changed but not its content, which raw records alone do
    not tell, since reads do not refresh the index (diff.autoRefreshIndex=false).
    """
    starts = [*(section.start for section in sections), total]
    parts: list[_Part] = []
    at = 0
    for change in records:
        expected = _expect_headers(change)
        following = at
        # A change of type is printed as a deletion and an addition (git-diff(1)).
        most = at + (2 if change.status is ChangeStatus.TYPE_CHANGED else 1)
        while following < min(most, len(headers)) and headers[following] in expected:
            following += 1
        if following > at:
            parts.append(_Part(change, starts[at], starts[following], sections[at:following]))
        at = following
    if at == len(sections):
        return parts
    return [_Part(change, 0, total, ()) for change in records]


def _expect_headers(change: RawChange) -> tuple[bytes, ...]:
    new = change.path.raw
    old = change.old_path.raw if change.old_path is not None else new
    if change.status is not ChangeStatus.UNMERGED:
        return (b"diff --git %b %b\n" % (quote_name(b"a/" + old), quote_name(b"b/" + new)),)
    # git prints this name as it is, a line feed in it too.
    unmerged = b"* Unmerged path %b\n" % new
    return b"diff --cc %b\n" % quote_name(new), unmerged[: unmerged.index(b"\n") + 1]


def _is_on_page(part: _Part, start: int, end: int) -> bool:
    return part.start < end and part.end > start


def _describe(part: _Part, start: int, end: int, lines: Sequence[TakenLine]) -> FileChange:
    if any(section.binary for section in part.sections):
        return FileChange(part.change, None, None, binary=True, coverage=Coverage.OMITTED, reason=CutReason.BINARY)
    coverage, reason = Coverage.FULL, None
    if part.start < start or part.end > end:
        coverage, reason = Coverage.PARTIAL, CutReason.LIMIT
    elif any(line.shortened and part.start <= line.start < part.end for line in lines):
        coverage, reason = Coverage.PARTIAL, CutReason.LINE_LENGTH
    uncounted = not part.sections or part.change.status is ChangeStatus.UNMERGED
    return FileChange(
        part.change,
        None if uncounted else sum(section.additions for section in part.sections),
        None if uncounted else sum(section.deletions for section in part.sections),
        binary=False,
        coverage=coverage,
        reason=reason,
    )
