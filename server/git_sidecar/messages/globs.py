"""Globs of file paths, as `commitMessage.exclude` and .editorconfig sections write them. Pure."""

import re
from collections.abc import Sequence

_SPECIAL = re.compile(r"\*\*/|\*\*|\*|\?|\[[!^]?[^\]/]+\]|\{[^{}/]*\}")


def _translate(glob: str) -> str:
    parts: list[str] = []
    at = 0
    for found in _SPECIAL.finditer(glob):
        parts.append(re.escape(glob[at : found.start()]))
        at = found.end()
        piece = found.group()
        if piece == "**/":
            parts.append("(?:.*/)?")
        elif piece == "**":
            parts.append(".*")
        elif piece == "*":
            parts.append("[^/]*")
        elif piece == "?":
            parts.append("[^/]")
        elif piece[0] == "[":
            negated = piece[1] in "!^"
            members = piece[2 if negated else 1 : -1].replace("\\", "\\\\").replace("[", "\\[")
            parts.append(f"(?!/)[{'^' if negated else ''}{members}]")
        else:
            parts.append("(?:" + "|".join(re.escape(choice) for choice in piece[1:-1].split(",")) + ")")
    parts.append(re.escape(glob[at:]))
    return "".join(parts)


def matches_glob(path: str, glob: str) -> bool:
    """Whether a root-relative path matches: a glob without a slash matches base names, one that names a directory
    (`vendor/`, `vendor`) all below it. A glob that is no valid pattern matches nothing.
    """
    trimmed = glob.strip().removeprefix("./")
    anchored = trimmed.startswith("/") or "/" in trimmed.rstrip("/")
    trimmed = trimmed.strip("/")
    if not trimmed:
        return False
    pattern = ("" if anchored else "(?:.*/)?") + _translate(trimmed) + "(?:/.*)?"
    try:
        return re.fullmatch(pattern, path, re.DOTALL) is not None
    except re.error:
        return False


def matches_any(path: str, globs: Sequence[str]) -> bool:
    """Whether a path matches one of the globs."""
    return any(matches_glob(path, glob) for glob in globs)
