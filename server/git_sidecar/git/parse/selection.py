"""Part of a file's unstaged change: which lines of its hunks are taken, and the content that comes of it. Pure.

The content is computed from the old lines and the hunks, not by a patch that git would have to find a place for, so
what is staged is exact to the byte: line ends, a missing last one, and characters of any encoding included.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from git_sidecar.model.patch import Hunk


class BadSelection(ValueError):
    """A selection that names nothing; the message is fit for the caller."""


@dataclass(frozen=True, slots=True)
class LineRange:
    """Lines of the work-tree side, from 1, both ends included."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Selection:
    """What of a file's change is wanted: hunks by their place in the diff (from 0), and lines; both are taken."""

    hunks: tuple[int, ...] = ()
    lines: tuple[LineRange, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One smallest part of a change: the old line that goes, the new one that comes; one of them may be missing.

    `places` are the work-tree lines that select it: its own, or, where lines only go, the neighbours of the gap.
    """

    old: bytes | None
    new: bytes | None
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Partial:
    """A file's content with the selected part of its change, and whether that was all of the change."""

    content: bytes
    whole: bool


def split_lines(content: bytes) -> list[bytes]:
    """The lines of a file with their line feeds; only the last may lack one."""
    lines = [line + b"\n" for line in content.split(b"\n")]
    last = lines.pop().removesuffix(b"\n")
    return [*lines, last] if last else lines


def split_steps(hunk: Hunk) -> list[bytes | Step]:
    """A hunk as its unchanged lines and its steps, in order.

    In a run of changed lines the first old one is replaced by the first new one and so on; new lines that are over are
    added, old ones that are over go with the gap that they leave.
    """
    parts: list[bytes | Step] = []
    gone: list[bytes] = []
    come: list[bytes] = []
    number = hunk.new_start if hunk.new_count else hunk.new_start + 1

    def close() -> None:
        first = number - len(come)
        for at in range(max(len(gone), len(come))):
            old = gone[at] if at < len(gone) else None
            new = come[at] if at < len(come) else None
            places = (first + at,) if new is not None else (number - 1,) if come else (number - 1, number)
            parts.append(Step(old, new, places))
        gone.clear()
        come.clear()

    for kind, line in _whole_lines(hunk.lines):
        if kind == b"-":
            if come:
                close()
            gone.append(line)
        elif kind == b"+":
            come.append(line)
            number += 1
        else:
            close()
            parts.append(line)
            number += 1
    close()
    return parts


def _whole_lines(lines: Sequence[bytes]) -> list[tuple[bytes, bytes]]:
    """Sign and content of each line, with the line feed that a following `\\ No newline` takes away."""
    whole: list[tuple[bytes, bytes]] = []
    for line in lines:
        if line.startswith(b"\\"):
            kind, content = whole.pop()
            whole.append((kind, content.removesuffix(b"\n")))
        else:
            whole.append((line[:1] or b" ", line[1:] + b"\n"))
    return whole


def select_part(old: bytes, hunks: Sequence[Hunk], selection: Selection) -> Partial:
    """The old content with the selected part of the change made. Raises BadSelection."""
    _check_hunks(len(hunks), selection)
    lines = split_lines(old)
    result: list[bytes] = []
    at = 0
    left = taken = 0
    unused = set(selection.lines)
    for number, hunk in enumerate(hunks):
        begin = hunk.old_start - 1 if hunk.old_count else hunk.old_start
        result += lines[at:begin]
        at = begin + hunk.old_count
        for part in split_steps(hunk):
            if isinstance(part, bytes):
                result.append(part)
                continue
            ranges = {item for item in selection.lines if any(item.start <= place <= item.end for place in part.places)}
            unused -= ranges
            wanted = number in selection.hunks or bool(ranges)
            taken, left = (taken + 1, left) if wanted else (taken, left + 1)
            line = part.new if wanted else part.old
            if line is not None:
                result.append(line)
    result += lines[at:]
    if unused:
        empty = min(unused, key=lambda item: item.start)
        raise BadSelection(f"nothing has changed in lines {empty.start} to {empty.end}")
    return Partial(_join(result), whole=left == 0)


def _check_hunks(count: int, selection: Selection) -> None:
    for number in selection.hunks:
        if number >= count:
            there = "there is one hunk, number 0" if count == 1 else f"there are {count} hunks, numbered from 0"
            raise BadSelection(f"there is no hunk {number}: {there}")


def _join(lines: Sequence[bytes]) -> bytes:
    """One content; a line that was the last one and lacked its line feed gets it where others follow."""
    *firsts, last = lines or (b"",)
    return b"".join(line if line.endswith(b"\n") else line + b"\n" for line in firsts) + last
