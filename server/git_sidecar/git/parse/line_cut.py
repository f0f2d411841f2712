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

    def flush(self) -> None:
        """Take the last line too, though it has no end."""
        if self._open.data:
            self._open.lines = 1
            self._push(self._open)
            self._open = _Block(b"", 0, 0)

    def take(self, lines: int) -> list[_Block]:
        """The last `lines` lines, in blocks."""
        taken: list[_Block] = []
        for block in reversed(self._blocks):
            if lines <= 0:
                break
            taken.append(block if block.lines <= lines else _last_lines(block, lines))
            lines -= block.lines
        return taken[::-1]


class LineCut:
    """Takes a patch as it comes and keeps its head and its tail."""

    def __init__(self, limits: CutLimits) -> None:
        """Keep as much as `limits` says."""
        self._limits = limits
        self._most_lines = limits.head_lines + limits.tail_lines + SLACK_LINES
        self._head = bytearray()
        self._lines = 0
        self._tail: _Tail | None = None
        self.total_bytes = 0

    def feed(self, data: bytes, *, begins: bool = False) -> None:  # noqa: ARG002 - where files begin changes nothing
        """Take the next bytes of the patch."""
        self.total_bytes += len(data)
        if self._tail is not None:
            self._tail.feed(data)
            return
        self._head += data
        self._lines += data.count(b"\n")
        if len(self._head) > self._limits.head_bytes or self._lines > self._most_lines:
            self._begin_tail()

    def _begin_tail(self) -> None:
        capped = self._head.rfind(b"\n", 0, self._limits.head_bytes) + 1
        cut = _nth_line_end(bytes(self._head[:capped]), self._limits.head_lines)
        self._tail = _Tail(
            lines=self._limits.tail_lines + SLACK_LINES, line_length=self._limits.line_length, offset=cut
        )
        rest = bytes(self._head[cut:])
        del self._head[cut:]
        self._tail.feed(rest)

    def finish(self) -> CutText:
        """What is left of the patch, once all of it was fed."""
        limits = self._limits
        if self._tail is None and self._lines + (not self._head.endswith(b"\n")) > self._most_lines:
            self._begin_tail()
        writer = _Writer(limits.line_length)
        head = bytes(self._head)
        writer.add(_Block(head, 0, 0))
        omitted: tuple[int, int] | None = None
        omitted_lines = omitted_bytes = 0
        if self._tail is not None:
            self._tail.flush()
            total = self._tail.total
            is_cut = total > limits.tail_lines + SLACK_LINES
            tail = self._tail.take(limits.tail_lines if is_cut else total)
            if is_cut:
                end = tail[0].offset if tail else self.total_bytes
                omitted, omitted_lines, omitted_bytes = (len(head), end), total - limits.tail_lines, end - len(head)
                writer.parts.append(f"\n... [{omitted_lines} lines omitted] ...\n\n")
            for block in tail:
                writer.add(block)
        return CutText(
            "".join(writer.parts),
            omitted_lines,
            omitted_bytes + writer.omitted_bytes,
            omitted,
            tuple(writer.shortened),
            writer.invalid,
        )


def _nth_line_end(data: bytes, count: int) -> int:
    """The index after the `count`-th line end; the length of the data where it has fewer."""
    parts = data.split(b"\n", count)
    return len(data) - len(parts[-1]) if len(parts) > count else len(data)


def _last_lines(block: _Block, lines: int) -> _Block:
    """The last lines of a block that has more; its first line, which alone can be squeezed, is not among them."""
    end = len(block.data) - block.data.endswith(b"\n")
    for _ in range(lines):
        end = block.data.rfind(b"\n", 0, end)
    return _Block(block.data[end + 1 :], lines, block.offset + end + 1 + block.squeezed)


class _Writer:
    """Lines to text, long ones shortened to both ends."""

    def __init__(self, line_length: int) -> None:
        self._line_length = line_length
        self._end = line_length // 2
        self.parts: list[str] = []
        self.shortened: list[int] = []
        self.omitted_bytes = 0
        self.invalid = False

    def add(self, block: _Block) -> None:
        """Write the lines of a block; usually none is long, and all are decoded at once."""
        rest, offset = block.data, block.offset
        if block.squeezed:
            first = rest.find(b"\n") + 1 or len(rest)
            self._add_squeezed(block, rest[:first])
            rest, offset = rest[first:], offset + first + block.squeezed
        lines = rest.split(b"\n")
        if max(map(len, lines)) <= self._line_length:
            self.parts.append(self._decode(rest))
            return
        last = len(lines) - 1
        for number, line in enumerate(lines):
            ending = "" if number == last else "\n"
            self._add_line(line, ending, offset)
            offset += len(line) + 1

    def _add_line(self, line: bytes, ending: str, offset: int) -> None:
        text = self._decode(line)
        omitted = len(text) - 2 * self._end
        if len(text) <= self._line_length:
            self.parts.append(text + ending)
            return
        front, back = text[: self._end], text[len(text) - self._end :]
        self.omitted_bytes += len(text[self._end : len(text) - self._end].encode())
        self._add_shortened(front, omitted, back + ending, offset)

    def _add_squeezed(self, block: _Block, line: bytes) -> None:
        body = line.removesuffix(b"\n")
        # Both pieces were cut at a byte, perhaps within a character, but far from what is shown of them.
        front = body[: block.at].decode("utf-8", "replace")[: self._end]
        back = body[block.at :].decode("utf-8", "replace")[-self._end :]
        omitted = count_characters(body) + block.characters - 2 * self._end
        self.omitted_bytes += len(body) + block.squeezed - len((front + back).encode())
        self._add_shortened(front, omitted, back + ("\n" if len(body) < len(line) else ""), block.offset)

    def _add_shortened(self, front: str, omitted: int, back: str, offset: int) -> None:
        self.shortened.append(offset)
        self.parts.append(f"{front} ... [{omitted} chars omitted] ... {back}")

    def _decode(self, data: bytes) -> str:
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            self.invalid = True
            return data.decode("utf-8", "replace")
