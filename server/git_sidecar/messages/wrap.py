"""Wraps the body of a message: paragraphs and lists are filled, everything else keeps its lines. Pure."""

import re
import textwrap
import unicodedata

_ITEM = re.compile(r"(?P<indent> {0,6})(?P<mark>[-*+•]|\d{1,3}[.)])(?P<gap> +)(?P<text>\S.*)")
_KEPT = re.compile(r"\s{4,}\S|\t|>|\||```|~~~|https?://\S+$")


def width_of(text: str) -> int:
    """The columns a text takes; wide East Asian characters take two."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def _fill(text: str, width: int, first: str, rest: str, comment: str | None) -> list[str]:
    if width_of(text) > len(text) and " " not in text:
        # Text without blanks (Chinese, Japanese) is broken by columns.
        return _break_wide(text, width, first, rest)
    lines = textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )
    if comment and not rest:
        # A word that would open a comment is kept off the line's beginning.
        for at in range(1, len(lines)):
            if lines[at].startswith(comment):
                head, _, word = lines[at - 1].rpartition(" ")
                if head:
                    lines[at - 1], lines[at] = head, f"{word} {lines[at]}"
    return lines


def _break_wide(text: str, width: int, first: str, rest: str) -> list[str]:
    lines: list[str] = []
    line = first
    for char in text:
        if width_of(line + char) > width:
            lines.append(line)
            line = rest
        line += char
    return [*lines, line]


def wrap_body(body: str, width: int, comment: str | None = None) -> str:
    """The body in lines of at most `width` columns; words, addresses and preformatted lines are never broken."""
    out: list[str] = []
    paragraph: list[str] = []
    lead = hang = ""
    fenced = False

    def flush() -> None:
        if paragraph:
            out.extend(_fill(" ".join(paragraph), width, lead, hang, comment))
            paragraph.clear()

    for raw in body.split("\n"):
        line = raw.rstrip()
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        item = None if fenced else _ITEM.fullmatch(line)
        continues = bool(paragraph) and hang and line.startswith(hang) and not line[len(hang) :].startswith(" ")
        if item:
            flush()
            lead = f"{item['indent']}{item['mark']} "
            hang = " " * len(lead)
            paragraph.append(item["text"])
        elif not line or fenced or (_KEPT.match(line) and not continues):
            flush()
            lead = hang = ""
            out.append(line)
        else:
            if not paragraph:
                lead = hang = ""
            paragraph.append(line.strip())
    flush()
    return "\n".join(out)
