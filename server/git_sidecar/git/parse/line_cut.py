"""Cutting a long diff: head and tail lines are kept, long lines keep both ends (wire contract, section 3).

Memory does not grow with the diff: what is kept is bounded by the limits, whatever the length of its lines.
"""

from collections import deque
from dataclasses import dataclass

# A diff that is longer than head and tail by no more than this is not cut: the marker would save nothing.
SLACK_LINES = 10
_CONTINUATION = bytes(range(0x80, 0xC0))


@dataclass(frozen=True, slots=True)
class CutLimits:
    """Lines kept at both ends, characters kept of a line, bytes that the head may take."""

    head_lines: int = 2_000
    tail_lines: int = 500
    line_length: int = 2_000
    head_bytes: int = 1_048_576


@dataclass(frozen=True, slots=True)
class CutText:
    """The text that is left, and what is missing from it; ranges are byte offsets in the whole output."""

    text: str
    omitted_lines: int = 0
    omitted_bytes: int = 0
    omitted: tuple[int, int] | None = None
    shortened: tuple[int, ...] = ()
    invalid_utf8: bool = False

    @property
    def truncated(self) -> bool:
        """Whether anything is missing."""
        return self.omitted is not None or bool(self.shortened)


@dataclass(slots=True)
class _Block:
    """Whole lines of the tail; of its first line, `squeezed` bytes (`characters`) were dropped at `at`."""

    data: bytes
    lines: int
    offset: int
    at: int = 0
    squeezed: int = 0
    characters: int = 0


def count_characters(utf8: bytes) -> int:
    """The number of characters in UTF-8 bytes: those that do not continue another."""
    return len(utf8.translate(None, _CONTINUATION))


class _Tail:
    """The last lines of a stream, long ones squeezed."""

    def __init__(self, *, lines: int, line_length: int, offset: int) -> None:
        self._lines = lines
        self._keep = max(8_192, 4 * line_length)
        self._blocks: deque[_Block] = deque()
        self._open = _Block(b"", 0, offset)
        self.total = 0
        self._held = 0

    def feed(self, data: bytes) -> None:
        last = data.rfind(b"\n") + 1
        block = self._open
        if not last:
            block.data += data
            if len(block.data) > 8 * self._keep:
                self._squeeze(block)
            return
        block.data += data[:last]
        block.lines = block.data.count(b"\n")
        self._push(block)
        self._open = _Block(data[last:], 0, block.offset + len(block.data) + block.squeezed)

    def _squeeze(self, block: _Block) -> None:
        middle = block.data[self._keep : -self._keep]
        block.at = self._keep
        block.squeezed += len(middle)
        block.characters += count_characters(middle)
        block.data = block.data[: self._keep] + block.data[-self._keep :]

    def _push(self, block: _Block) -> None:
        first = block.data.find(b"\n") + 1
        if first > 8 * self._keep:
            line = _Block(block.data[:first], 1, block.offset, block.at, block.squeezed, block.characters)
            rest_offset = block.offset + first + block.squeezed
            self._squeeze(line)
            self._append(line)
            if first < len(block.data):
                self._append(_Block(block.data[first:], block.lines - 1, rest_offset))
        else:
            self._append(block)

    def _append(self, block: _Block) -> None:
        self._blocks.append(block)
        self.total += block.lines
        self._held += block.lines
        while self._held - self._blocks[0].lines >= self._lines:
            self._held -= self._blocks.popleft().lines

    def finish(self) -> list[_Block]:
        """The kept lines, a block a line."""
        if self._open.data:
            self._open.lines = 1
            self._push(self._open)
            self._open = _Block(b"", 0, 0)
        lines: list[_Block] = []
        for block in self._blocks:
            offset = block.offset
            for number, data in enumerate(_split_lines(block.data)):
                if number == 0:
                    one = _Block(data, 1, offset, block.at, block.squeezed, block.characters)
                else:
                    one = _Block(data, 1, offset)
                offset += len(data) + one.squeezed
                lines.append(one)
        return lines[-self._lines :]


class LineCut:
    """Takes a patch as it comes and keeps its head and its tail."""

    def __init__(self, limits: CutLimits) -> None:
        """Keep as much as `limits` says."""
        self._limits = limits
        self._head = bytearray()
        self._tail: _Tail | None = None
        self.total_bytes = 0

    def feed(self, data: bytes, *, begins: bool = False) -> None:  # noqa: ARG002 - where files begin changes nothing
        """Take the next bytes of the patch."""
        self.total_bytes += len(data)
        if self._tail is not None:
            self._tail.feed(data)
            return
        self._head += data
        if len(self._head) > self._limits.head_bytes:
            self._begin_tail()

    def _begin_tail(self) -> None:
        capped = self._head.rfind(b"\n", 0, self._limits.head_bytes) + 1
        cut = _nth_line_end(self._head, self._limits.head_lines, capped)
        self._tail = _Tail(
            lines=self._limits.tail_lines + SLACK_LINES, line_length=self._limits.line_length, offset=cut
        )
        rest = bytes(self._head[cut:])
        del self._head[cut:]
        self._tail.feed(rest)

    def finish(self) -> CutText:
        """What is left of the patch, once all of it was fed."""
        if self._tail is None:
            whole = self._head.count(b"\n") + (not self._head.endswith(b"\n") and bool(self._head))
            if whole > self._limits.head_lines + self._limits.tail_lines + SLACK_LINES:
                self._begin_tail()
        limits = self._limits
        head = _split_lines(bytes(self._head))
        tail: list[_Block] = []
        omitted: tuple[int, int] | None = None
        omitted_lines = omitted_bytes = 0
        if self._tail is not None:
            tail = self._tail.finish()
            total = self._tail.total
            if total > limits.tail_lines + SLACK_LINES:
                tail = tail[len(tail) - limits.tail_lines :]
                omitted_lines = total - limits.tail_lines
                end = tail[0].offset if tail else self.total_bytes
                omitted = (len(self._head), end)
                omitted_bytes = end - len(self._head)
        writer = _Writer(limits.line_length)
        offset = 0
        for line in head:
            writer.add(_Block(line, 1, offset))
            offset += len(line)
        if omitted is not None:
            writer.parts.append(f"\n... [{omitted_lines} lines omitted] ...\n\n")
        for line in tail:
            writer.add(line)
        return CutText(
            "".join(writer.parts),
            omitted_lines,
            omitted_bytes + writer.omitted_bytes,
            omitted,
            tuple(writer.shortened),
            writer.invalid,
        )


def _nth_line_end(data: bytearray, count: int, limit: int) -> int:
    """The index after the `count`-th line end, at most `limit`."""
    at = 0
    for _ in range(count):
        following = data.find(b"\n", at, limit) + 1
        if not following:
            return at or limit
        at = following
    return at


def _split_lines(data: bytes) -> list[bytes]:
    lines = data.split(b"\n")
    last = lines.pop()
    ended = [line + b"\n" for line in lines]
    return [*ended, last] if last else ended


class _Writer:
    """Lines to text, long ones shortened to both ends."""

    def __init__(self, line_length: int) -> None:
        self._line_length = line_length
        self._end = line_length // 2
        self.parts: list[str] = []
        self.shortened: list[int] = []
        self.omitted_bytes = 0
        self.invalid = False

    def add(self, line: _Block) -> None:
        if not line.squeezed:
            text = self._decode(line.data)
            body = text.removesuffix("\n")
            if len(body) <= self._line_length:
                self.parts.append(text)
                return
            front, back = body[: self._end], body[len(body) - self._end :]
            omitted = len(body) - 2 * self._end
            self.omitted_bytes += len(line.data) - len((front + back + text[len(body) :]).encode())
        else:
            body = line.data.removesuffix(b"\n")
            front = self._decode(body[: line.at])[: self._end]
            back = self._decode(body[line.at :])[-self._end :]
            omitted = count_characters(body) + line.characters - 2 * self._end
            self.omitted_bytes += len(body) + line.squeezed - len((front + back).encode())
        self.shortened.append(line.offset)
        ending = "\n" if line.data.endswith(b"\n") else ""
        self.parts.append(f"{front} ... [{omitted} chars omitted] ... {back}{ending}")

    def _decode(self, data: bytes) -> str:
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            self.invalid = True
            return data.decode("utf-8", "replace")
