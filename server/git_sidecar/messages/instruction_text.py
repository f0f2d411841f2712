"""What a project's instruction files say about commit messages. Pure."""

import re

_HEADING = re.compile(r"(#{1,6})\s+(.+?)\s*#*\s*")
_ABOUT = re.compile(r"(?i)\bcommits?\b|\bgit\b|\bchangelog\b")
_LONGEST = 4_000


def cut_text(text: str, limit: int = _LONGEST) -> str:
    """The text up to `limit` characters, ended at a line."""
    if len(text) <= limit:
        return text
    return text[:limit].rsplit("\n", 1)[0].rstrip() + "\n…"


def find_commit_sections(markdown: str) -> str:
    """The sections of a Markdown text whose headings speak of commits, with what is below them; empty without any."""
    kept: list[str] = []
    depth = 0
    fenced = False
    for line in markdown.replace("\r\n", "\n").split("\n"):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        found = None if fenced else _HEADING.fullmatch(line)
        if found:
            level = len(found.group(1))
            if depth and level <= depth:
                depth = 0
            if not depth and _ABOUT.search(found.group(2)):
                depth = level
        if depth:
            kept.append(line)
    return cut_text("\n".join(kept).strip())
