"""Text from a repository, made safe to show: no control characters, no reordering of what is read.

A commit message or a file can hold escape sequences that rewrite a terminal and marks that turn the order of text
round. The value keeps them; what is rendered from it spells them out.
"""

import re
from collections.abc import Iterable, Sequence

_LINE_ENDS = {0x0A: "\\n", 0x09: "\\t", 0x0D: "\\r"}
# C0 but tab and line feed, DEL, C1, and the marks of the bidirectional algorithm (UAX #9).
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_CARRIAGE_RETURN_AT_END = re.compile("\r(?=\n)")


def _spell(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def printable(text: str) -> str:
    """The text with control characters and bidirectional marks spelt out; tabs and line ends (CRLF too) stay."""
    if text.isascii() and text.isprintable():
        return text
    parts = _CARRIAGE_RETURN_AT_END.split(text)
    return "\r".join(_UNSAFE.sub(_spell, part) for part in parts)


def printable_line(text: str) -> str:
    """The text on one line: line ends and tabs are spelt out too, so that a file name cannot look like two."""
    if text.isascii() and text.isprintable():
        return text
    escaped = text.replace("\\", "\\\\") if "\n" in text or "\t" in text else text
    return printable(escaped).translate(_LINE_ENDS)


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun: `1 file`, `3 files`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def clipped(lines: Sequence[str], limit: int, noun: str = "line") -> list[str]:
    """The first `limit` lines, and a line that counts the others."""
    if len(lines) <= limit:
        return list(lines)
    return [*lines[:limit], f"… and {counted(len(lines) - limit, 'more ' + noun)}"]


def indented(lines: Iterable[str], by: str = "  ") -> list[str]:
    """The lines, moved in; empty ones stay empty."""
    return [by + line if line else line for line in lines]
