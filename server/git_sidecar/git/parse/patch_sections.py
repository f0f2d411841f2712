"""The patch part of a diff as a stream: where each file begins, and how many lines it adds and deletes.

Lines of a hunk begin with ' ', '+', '-' or '\\' (git-diff(1), "generating patch text"), so a line that begins with
"diff --git " can only open a file. That makes counting a matter of searching bytes: git's own --numstat runs the diff
a second time, which costs two thirds more on a diff of 1.8 MB (measured: 56 ms against 34).
"""

from collections.abc import Iterator
from dataclasses import dataclass

_GIT_HEADER = b"\ndiff --git "
_UNMERGED_HEADER = b"\n* Unmerged path "
_COMBINED_HEADER = b"\ndiff --cc "
# A header's first bytes could end a chunk; from a line end this near to it on, the rest is held back.
_HOLD_BYTES = max(len(_GIT_HEADER), len(_UNMERGED_HEADER))


@dataclass(slots=True)
class Section:
    """One file's part of the patch: byte offset of its start, and what was counted in it."""

    start: int
    added: int = 0
    deleted: int = 0
    has_hunks: bool = False
    binary: bool = False

    @property
    def additions(self) -> int:
        """Added lines, without the `+++` header that a file with hunks has."""
        return self.added - self.has_hunks

    @property
    def deletions(self) -> int:
        """Deleted lines, without the `---` header that a file with hunks has."""
        return self.deleted - self.has_hunks


class PatchSections:
    """Splits a patch into pieces that each belong to one file, whatever the chunks are."""

    def __init__(self, *, unmerged: bool) -> None:
        """`unmerged`: some records are unmerged, so `* Unmerged path` and `diff --cc` are looked for too."""
        self.sections: list[Section] = []
        self._headers = (_GIT_HEADER, _UNMERGED_HEADER, _COMBINED_HEADER) if unmerged else (_GIT_HEADER,)
        self._held = b""
        self._offset = 0

    def feed(self, data: bytes) -> Iterator[tuple[bool, bytes]]:
        """The pieces that are complete: whether a file begins with it, and its bytes."""
        data = self._held + data
        line_end = data.rfind(b"\n", max(0, len(data) - _HOLD_BYTES))
        if line_end >= 0:
            self._held = data[line_end:]
            data = data[:line_end]
        else:
            self._held = b""
        return self._split(data)

    def finish(self) -> Iterator[tuple[bool, bytes]]:
        """The pieces that were held back until the end was known."""
        held, self._held = self._held, b""
        return self._split(held)

    def _next_header(self, data: bytes, start: int) -> int:
        found = [at for header in self._headers if (at := data.find(header, start)) >= 0]
        return min(found, default=-1)

    def _split(self, data: bytes) -> Iterator[tuple[bool, bytes]]:
        if not data:
            return
        begins = not self.sections
        if begins:
            self.sections.append(Section(0))
        start = 0
        while True:
            at = self._next_header(data, start)
            end = at + 1 if at >= 0 else len(data)
            if end > start:
                self._count(data, start, end)
                yield begins, data if start == 0 and end == len(data) else data[start:end]
            if at < 0:
                break
            self.sections.append(Section(self._offset + end))
            begins, start = True, end
        self._offset += len(data)

    def _count(self, data: bytes, start: int, end: int) -> None:
        section = self.sections[-1]
        section.added += data.count(b"\n+", start, end)
        section.deleted += data.count(b"\n-", start, end)
        if not section.has_hunks:
            section.has_hunks = data.find(b"\n@@ -", start, end) >= 0
            if not section.has_hunks and not section.binary:
                section.binary = data.find(b"\nBinary files ", start, end) >= 0
