"""Some of the lines of a long text, while all of it streams by; memory is bounded by the limits.

Lines over the limit keep both ends round a note, as in a staged diff (wire contract, section 3).
"""

from dataclasses import dataclass

from git_sidecar.git.parse.line_cut import count_characters


@dataclass(frozen=True, slots=True)
class WindowLimits:
    """How many lines, bytes of their text, and characters of a line are kept."""

    lines: int
    bytes: int
    line_length: int


@dataclass(frozen=True, slots=True)
class TakenLine:
    """One line: its byte range in the whole text, its text with the line end, and what became of it."""

    start: int
    end: int
    text: str
    shortened: bool
    invalid_utf8: bool


class _OpenLine:
    """A line whose end has not come yet; of a very long one only both ends are kept."""

    def __init__(self, line_length: int) -> None:
        self._line_length = line_length
        # A character takes at most four bytes; the ends must not begin or end in half of one.
        self._keep = 4 * line_length + 4
        self._head = bytearray()
        self._tail = bytearray()
        self.size = 0
        self._characters = 0

    def add(self, data: bytes) -> None:
        self.size += len(data)
        self._characters += count_characters(data)
        room = self._keep - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail += data
        if len(self._tail) > 2 * self._keep:
            del self._tail[: -self._keep]

    def close(self, start: int) -> TakenLine:
        held = bytes(self._head + self._tail)
        ending = "\n" if held.endswith(b"\n") else ""
        body = held.removesuffix(b"\n")
        try:
            text, invalid = body.decode("utf-8"), False
        except UnicodeDecodeError:
            # Where a very long line's middle is missing, half characters meet; they are not shown anyway.
            text, invalid = body.decode("utf-8", "replace"), len(held) == self.size
        shortened = len(text) > self._line_length
        if shortened:
            half = self._line_length // 2
            total = len(text) if len(held) == self.size else self._characters - len(ending)
            text = f"{text[:half]} ... [{total - 2 * half} chars omitted] ... {text[len(text) - half :]}"
        return TakenLine(start, start + self.size, text + ending, shortened, invalid)


class LineWindow:
    """Takes a text in any chunks and keeps whole lines from the byte offset `start` on, until a limit is reached."""

    def __init__(self, start: int, limits: WindowLimits) -> None:
        """`start` must be where a line begins."""
        self.lines: list[TakenLine] = []
        self.total_bytes = 0
        self._start = start
        self._limits = limits
        self._open = _OpenLine(limits.line_length)
        self._kept_bytes = 0
        self._full = False

    @property
    def end(self) -> int:
        """The offset after the last line that was kept."""
        return self.lines[-1].end if self.lines else self._start

    def feed(self, data: bytes) -> None:
        """Take the next bytes of the text."""
        begin = self.total_bytes
        self.total_bytes += len(data)
        if self._full or self.total_bytes <= self._start:
            return
        at = max(0, self._start - begin)
        while not self._full and at < len(data):
            following = data.find(b"\n", at) + 1
            self._open.add(data[at : following or len(data)])
            if not following:
                return
            self._close()
            at = following

    def finish(self) -> None:
        """Close a last line that has no line end."""
        if self._open.size and not self._full:
            self._close()

    def _close(self) -> None:
        line = self._open.close(self.end)
        self.lines.append(line)
        self._kept_bytes += len(line.text.encode())
        self._open = _OpenLine(self._limits.line_length)
        self._full = len(self.lines) >= self._limits.lines or self._kept_bytes >= self._limits.bytes
