"""One page of `git diff --raw --no-abbrev -p -z`: the whole stream is counted and hashed, a window of it is kept.

Pages are runs of whole lines, so that their texts put together are git's text. A page ends where a file ends, else at a
hunk, else at a line.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from git_sidecar.git.parse.diff_stream import INVALID_UTF8
from git_sidecar.git.parse.line_window import LineWindow, TakenLine, WindowLimits
from git_sidecar.git.parse.patch_sections import PatchSections, Section
from git_sidecar.git.parse.raw_diff import RawRecords
from git_sidecar.model.changes import ChangeStatus, Coverage, CutReason, FileChange, RawChange
from git_sidecar.model.diff import DiffPage


@dataclass(frozen=True, slots=True)
class _Part:
    """A record, its place in the patch, and what was counted there; `uncounted` where the place is not known."""

    change: RawChange
    start: int
    end: int
    sections: Sequence[Section]

    @property
    def untouched(self) -> bool:
        """A file whose times changed but not its content.

        git prints a lone header for it, since reads do not refresh the index (diff.autoRefreshIndex=false).
        """
        change = self.change
        return (
            change.status is ChangeStatus.MODIFIED
            and change.old_mode == change.new_mode
            and len(self.sections) == 1
            and not self.sections[0].has_hunks
            and not self.sections[0].binary
        )


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
        for _, piece in self._sections.feed(chunk):
            self._window.feed(piece)
        return True

    def finish(self) -> DiffPage:
        """The page, once git has ended."""
        sections: list[Section] = []
        if self._sections is None:
            self._raw.finish()
        else:
            for _, piece in self._sections.finish():
                self._window.feed(piece)
            sections = self._sections.sections
        self._window.finish()
        parts = _assign(self.records, sections, self._window.total_bytes)
        end = self._choose_end([part.start for part in parts if part.sections])
        lines = [line for line in self._window.lines if line.end <= end]
        hidden = [(part.start, part.end) for part in parts if part.untouched]
        lines = [line for line in lines if not any(start <= line.start < stop for start, stop in hidden)]
        shown = [part for part in parts if not part.untouched]
        files = [_describe(part, self._offset, end, lines) for part in shown if _is_on_page(part, self._offset, end)]
        return DiffPage(
            "".join(line.text for line in lines),
            tuple(files),
            len(shown),
            end if end < self._window.total_bytes else None,
            self._hash.hexdigest(),
            (INVALID_UTF8,) if any(line.invalid_utf8 for line in lines) else (),
        )

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


def _assign(records: Sequence[RawChange], sections: Sequence[Section], total: int) -> list[_Part]:
    starts = [*(section.start for section in sections), total]
    parts: list[_Part] = []
    at = 0
    for change in records:
        # A change of type is printed as a deletion and an addition (git-diff(1)).
        following = at + (2 if change.status is ChangeStatus.TYPE_CHANGED else 1)
        if following > len(sections):
            break
        parts.append(_Part(change, starts[at], starts[following], sections[at:following]))
        at = following
    if at == len(sections) and len(parts) == len(records):
        return parts
    return [_Part(change, 0, total, ()) for change in records]


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
