"""What changed lines have in common: only blanks, only comments, one name for another, only texts. Pure."""

import re
from collections.abc import Iterator, Sequence
from posixpath import splitext

from git_sidecar.messages.facts import ChangedFile

_TOKEN = re.compile(r"[A-Za-z_$][\w$]*|\d[\w.]*|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`[^`]*`|\S")
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*")
_IMPORT = re.compile(
    r"\s*(?:import\b|from\s+\S+\s+import\b|use\s|using\s|#\s*include\b|require\b|(?:const|let|var)\s+[\w${},\s]+=\s*require\("
    r"|export\s+(?:\*|\{[^}]*\})\s+from|package\s|pub\s+use\s|mod\s+\w+;|[\w,\s]+\}?\s+from\s+['\"]|\)|\})"
)
_HASH_COMMENTS = (".py", ".rb", ".sh", ".bash", ".zsh", ".yml", ".yaml", ".toml", ".pl", ".r", ".ex", ".exs", ".nix")
_SLASH_COMMENT = re.compile(r"\s*(?://|/\*|\*/|\*(?:\s|$)|<!--)")
_HASH_COMMENT = re.compile(r"\s*(?:#(?!!)|\"\"\"|''')")


def _pairs(files: Sequence[ChangedFile]) -> Iterator[tuple[str, str]] | None:
    """Removed and added lines that stand against each other; None where a hunk has more of one kind."""
    found: list[tuple[str, str]] = []
    for file in files:
        for hunk in file.patch.hunks:
            removed = [line[1:] for line in hunk.lines if line[:1] == "-"]
            added = [line[1:] for line in hunk.lines if line[:1] == "+"]
            if len(removed) != len(added):
                return None
            found += zip(removed, added, strict=True)
    return iter(found)


_DRESS = str.maketrans({"'": '"', "`": '"', ",": "", ";": ""})


def is_form_change(files: Sequence[ChangedFile]) -> bool:
    """Whether all that changed is blanks, kinds of quotes, commas or semicolons: the rest is the same in order."""
    seen = False
    for file in files:
        removed = "".join("".join(file.patch.changed_lines("-")).translate(_DRESS).split())
        added = "".join("".join(file.patch.changed_lines("+")).translate(_DRESS).split())
        seen = seen or bool(file.patch.hunks)
        if removed != added:
            return False
    return seen


def _is_comment(line: str, path: str) -> bool:
    pattern = _HASH_COMMENT if splitext(path)[1].lower() in _HASH_COMMENTS else _SLASH_COMMENT
    return not line.strip() or pattern.match(line) is not None


def is_comment_change(files: Sequence[ChangedFile]) -> bool:
    """Whether all changed lines are comments."""
    lines = [
        (line, file.path) for file in files for sign in "+-" for line in file.patch.changed_lines(sign) if line.strip()
    ]
    return bool(lines) and all(_is_comment(line, path) for line, path in lines)


def is_import_change(files: Sequence[ChangedFile]) -> bool:
    """Whether all changed lines import or export names."""
    lines = [line for file in files for sign in "+-" for line in file.patch.changed_lines(sign) if line.strip()]
    return bool(lines) and all(_IMPORT.match(line) for line in lines)


def find_replaced_name(files: Sequence[ChangedFile]) -> tuple[str, str] | None:
    """The one name that was replaced by one other in every changed line, where that is all that changed."""
    pairs = _pairs(files)
    if pairs is None:
        return None
    replaced: set[tuple[str, str]] = set()
    count = 0
    for old, new in pairs:
        before, after = _TOKEN.findall(old), _TOKEN.findall(new)
        if len(before) != len(after):
            return None
        differing = {(one, other) for one, other in zip(before, after, strict=True) if one != other}
        if any(not _IDENTIFIER.fullmatch(word) for pair in differing for word in pair):
            return None
        replaced |= differing
        count += 1
    return next(iter(replaced)) if len(replaced) == 1 and count >= 2 else None


def is_text_change(files: Sequence[ChangedFile]) -> bool:
    """Whether only the insides of string literals and comments differ."""
    pairs = _pairs(files)
    if pairs is None:
        return False
    seen = False
    for old, new in pairs:
        before, after = _TOKEN.findall(old), _TOKEN.findall(new)
        plain = [[token for token in side if token[0] not in "\"'`"] for side in (before, after)]
        if plain[0] != plain[1]:
            return False
        seen = seen or before != after
    return seen
