"""Cutting a diff file by file: so many characters each, at hunk borders, then at lines (wire contract, section 3)."""

import re
from dataclasses import dataclass

from git_sidecar.git.parse.line_cut import count_characters

_HUNK = re.compile(rb"^@@ -", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class FileText:
    """What is left of one file's patch."""

    text: str
    cut: bool
    hunk_lines_kept: bool
    omitted_lines: int
    omitted_bytes: int
    invalid_utf8: bool


class BudgetCut:
    """Takes a patch piece by piece; memory is bounded by the budget times the number of files."""

    def __init__(self, budget: int) -> None:
        """Keep at most `budget` characters of each file."""
        self._budget = budget
        # A character takes at most four bytes; one more tells that the file is longer.
        self._limit = 4 * budget + 1
        self._kept = bytearray()
        self._dropped = b""
        self._lines = self._bytes = 0
        self.files: list[FileText] = []

    def feed(self, piece: bytes, *, begins: bool) -> None:
        """Take a piece; `begins` opens the next file."""
        if begins and self._bytes:
            self._end_file()
        room = self._limit - len(self._kept)
        if room > 0:
            self._kept += piece[:room]
        self._lines += piece.count(b"\n")
        self._bytes += len(piece)

    def finish(self) -> list[FileText]:
        """The files' texts, in order."""
        if self._bytes:
            self._end_file()
        return self.files

    def _end_file(self) -> None:
        kept, lines, total = bytes(self._kept), self._lines, self._bytes
        self._kept.clear()
        self._lines = self._bytes = 0
        if total == len(kept) and count_characters(kept) <= self._budget:
            text, invalid = _decode(kept)
            if len(text) <= self._budget:
                self.files.append(FileText(text, False, _HUNK.search(kept) is not None, 0, 0, invalid))  # noqa: FBT003
                return
        self.files.append(self._cut(kept, lines, total))

    def _cut(self, kept: bytes, lines: int, total: int) -> FileText:
        starts = [match.start() for match in _HUNK.finditer(kept)]
        # The last hunk that was read may go on beyond what was kept, so only those before it are known to be whole.
        header_end = starts[0] if starts else len(kept)
        marker = f"... [{lines} lines omitted] ...\n"
        room = self._budget - len(marker)
        end = _fit_lines(kept, 0, header_end, room)
        hunks = False
        if end == header_end:
            for border in starts[1:]:
                if not _fits(kept[:border], room):
                    break
                end, hunks = border, True
            if not hunks and starts:
                end = _fit_lines(kept, starts[0], len(kept), room)
                # A hunk's header without a line of it says nothing.
                hunks = kept.count(b"\n", starts[0], end) > 1
                end = end if hunks else header_end
        text, invalid = _decode(kept[:end])
        omitted = lines - kept.count(b"\n", 0, end)
        note = f"... [{omitted} lines omitted] ...\n"
        if len(text) + len(note) <= self._budget:
            text += note
        return FileText(text, cut=True, hunk_lines_kept=hunks, omitted_lines=omitted, omitted_bytes=total - end,
                        invalid_utf8=invalid)  # fmt: skip


def _decode(data: bytes) -> tuple[str, bool]:
    try:
        return data.decode("utf-8"), False
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace"), True


def _fits(data: bytes, room: int) -> bool:
    return len(data) <= room or len(_decode(data)[0]) <= room


def _fit_lines(data: bytes, start: int, stop: int, room: int) -> int:
    """The end of the last whole line of data[start:stop] with which data up to there still fits."""
    fits = start
    at = start
    used = len(_decode(data[:start])[0])
    while at < stop:
        following = data.find(b"\n", at, stop) + 1
        if not following:
            break
        used += len(_decode(data[at:following])[0])
        if used > room:
            break
        at = fits = following
    return fits
