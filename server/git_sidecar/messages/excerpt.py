"""The part of one file's patch that fits into a number of tokens: whole hunks, then lines. Pure."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from git_sidecar.messages.facts import ChangedFile
from git_sidecar.messages.patch import Hunk
from git_sidecar.messages.symbols import defined_name
from git_sidecar.messages.tokens import estimate_tokens

_TELLING_LETTERS = 3
# A line longer than this is shortened even where there is room: minified code would fill a prompt.
_LONGEST_LINE = 500
_NOTE = "…"


class Seen(StrEnum):
    """How much of a file's change a writer saw: every changed line, some, none."""

    FULL = "full"
    PARTIAL = "partial"
    OMITTED = "omitted"


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What of a patch is shown, what it takes (estimated), and how much of the change that is."""

    text: str
    tokens: int
    seen: Seen

    @classmethod
    def nothing(cls) -> "Excerpt":
        """No line at all."""
        return cls("", 0, Seen.OMITTED)


def _cost(line: str) -> int:
    return estimate_tokens(line) + 1


def _shorten(line: str) -> str:
    return line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE // 2]}{_NOTE}{line[-_LONGEST_LINE // 4 :]}"


def _changed(hunk: Hunk) -> list[str]:
    return [line for line in hunk.lines if line[:1] in "+-"]


def _join(lines: Sequence[str], seen: Seen) -> Excerpt:
    return Excerpt("\n".join(lines), sum(_cost(line) for line in lines), seen)


def _whole(hunks: Sequence[Hunk], *, context: bool) -> list[str]:
    lines: list[str] = []
    for hunk in hunks:
        lines.append(hunk.header)
        lines += [_shorten(line) for line in (hunk.lines if context else _changed(hunk))]
    return lines


def _take_fitting(lines: Sequence[str], tokens: int) -> tuple[list[str], int]:
    """The first lines that fit into `tokens`, and what they take; stops counting at the first that does not."""
    kept: list[str] = []
    used = 0
    for line in lines:
        cost = _cost(line)
        if used + cost > tokens:
            break
        kept.append(line)
        used += cost
    return kept, used


def _fit_hunks(hunks: Sequence[Hunk], tokens: int) -> list[str]:
    """Whole hunks without context while they fit, then lines of the next one; at least one line of it, or nothing."""
    kept: list[str] = []
    left = tokens - _cost(_NOTE)
    for hunk in hunks:
        lines = [hunk.header, *(_shorten(line) for line in _changed(hunk))]
        fitting, used = _take_fitting(lines, left)
        if len(fitting) == len(lines) or len(fitting) > 1:
            kept += fitting
            left -= used
        if len(fitting) < len(lines):
            break
    return [*kept, _NOTE] if kept else []


def _telling(file: ChangedFile) -> Iterator[str]:
    """The changed lines, those first that say most: definitions, then lines with words of their own."""
    lines = [line for hunk in file.patch.hunks for line in _changed(hunk)]
    worded = [line for line in lines if sum(char.isalpha() for char in line) >= _TELLING_LETTERS]
    counts = Counter(worded)
    # A line that is there again and again says least.
    for pool in ([line for line in worded if counts[line] == 1], worded, lines):
        for sign in "+-":
            own = [line for line in pool if line[0] == sign]
            yield from (line for line in own if defined_name(line[1:], file.path))
            yield from own


def _fit_line(line: str, tokens: int) -> str | None:
    """One line, its blanks dropped and its end cut where it has to be; None where too little would be left."""
    text = line[0] + line[1:].strip()
    if _cost(text) <= tokens:
        return text
    low, high = 1, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if _cost(text[:middle] + _NOTE) <= tokens:
            low = middle
        else:
            high = middle - 1
    return text[:low] + _NOTE if low > 3 else None


def cut_patch(file: ChangedFile, tokens: int) -> Excerpt:
    """As much of a file's patch as `tokens` hold."""
    shortened = any(len(line) > _LONGEST_LINE for hunk in file.patch.hunks for line in _changed(hunk))
    seen = Seen.PARTIAL if file.was_cut or shortened else Seen.FULL
    for context in (True, False):
        lines = _whole(file.patch.hunks, context=context)
        fitting, used = _take_fitting(lines, tokens)
        if len(fitting) == len(lines):
            return Excerpt("\n".join(lines), used, seen)
    kept = _fit_hunks(file.patch.hunks, tokens)
    if kept:
        return _join(kept, Seen.PARTIAL)
    for line in _telling(file):
        fitted = _fit_line(line, tokens)
        if fitted is not None:
            return _join([fitted], Seen.PARTIAL)
        break
    return Excerpt.nothing()
