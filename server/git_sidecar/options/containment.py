"""Whether a path stays in the work tree, as far as its text can tell; links are the caller's to resolve. Pure."""

import re

from git_sidecar.options.call import Facts
from git_sidecar.options.refusals import invalid, outside

_DRIVE = re.compile(r"^[A-Za-z]:[\\/]")
_SEPARATORS = re.compile(r"[\\/]")
# NTFS finds .git by its short name too, and ignores trailing dots and spaces (gitnamespaces aside, read-cache.c).
_GIT_DIRECTORIES = frozenset({".git", "git~1"})

# gitglossary(7), "pathspec"; `prefix:` is git's own and can leave the work tree.
_LONG_MAGIC = re.compile(r"^:\((?P<words>[^)]*)\)")
_SHORT_MAGIC = re.compile(r"^:(?P<signs>[!^/]+):?")
_MAGIC_WORD = re.compile(r"^(?:top|literal|icase|glob|exclude|attr:[\w!=. -]+)$")
_GLOB = re.compile(r"[*?\[\\]")


def check_pathspec(path: str, facts: Facts) -> None:
    """Refuse a pathspec that leads out of the work tree, names git's own directory, or holds unknown magic."""
    if not path:
        raise invalid("an empty path names nothing; '.' is the whole directory")
    rest, prefix = path, facts.prefix
    if path.startswith(":"):
        rest, from_top = _without_magic(path)
        prefix = "" if from_top else prefix
    check_path(rest or ".", facts, prefix=prefix, shown=path)


def check_path(path: str, facts: Facts, *, prefix: str | None = None, shown: str | None = None) -> None:
    """Refuse a path that leads out of the work tree or into a git directory; it is relative to `prefix`."""
    prefix = facts.prefix if prefix is None else prefix
    inside = _below(path, facts.root) if is_absolute(path) else f"{prefix}/{path}"
    if inside is None or _climbs(inside) or _enters_git_directory(inside):
        raise outside(shown or path)


def check_worktree_path(path: str, facts: Facts) -> None:
    """Refuse a place for a linked worktree that is in none of the workspace's directories."""
    if path.startswith("-") or not path:
        raise invalid(f"{path!r} is not a path")
    absolute = path if is_absolute(path) else None
    if absolute is None and facts.root is not None:
        absolute = f"{facts.root}/{facts.prefix}/{path}"
    if absolute is None:
        check_path(path, facts)
        return
    flat = _flatten(absolute)
    allowed = (*facts.workspace, *(() if facts.root is None else (facts.root,)))
    if flat is None or _enters_git_directory(flat) or not any(_below(flat, place) is not None for place in allowed):
        raise outside(path)


def has_magic(path: str) -> bool:
    """Whether git would read more than a name in this pathspec."""
    return path.startswith(":") or _GLOB.search(path) is not None


def is_absolute(path: str) -> bool:
    """Whether the path starts at a root, on any system: `/x`, `C:\\x`, `\\\\server\\x`."""
    return path.startswith(("/", "\\\\")) or _DRIVE.match(path) is not None


def climbs_somewhere(path: str) -> bool:
    """Whether the path has a `..` step, on any system."""
    return ".." in _SEPARATORS.split(path)


def _without_magic(path: str) -> tuple[str, bool]:
    long = _LONG_MAGIC.match(path)
    if long is not None:
        words = [word for word in long["words"].split(",") if word]
        for word in words:
            if not _MAGIC_WORD.match(word):
                raise invalid(f"{path!r}: {word!r} is no pathspec magic that may pass")
        return path[long.end() :], "top" in words
    short = _SHORT_MAGIC.match(path)
    if short is not None:
        return path[short.end() :], "/" in short["signs"]
    raise invalid(f"{path!r} is no pathspec: write './{path}' if this is a file's name")


def _parts(path: str) -> list[str]:
    # A back-slash is part of a name here and a separator on Windows; only where it makes `..` does the wary reading
    # matter, and elsewhere it may escape a wildcard.
    return _SEPARATORS.split(path) if climbs_somewhere(path) else path.split("/")


def _climbs(path: str) -> bool:
    depth = 0
    for part in _parts(path):
        if part == "..":
            depth -= 1
            if depth < 0:
                return True
        elif part not in ("", "."):
            depth += 1
    return False


def _enters_git_directory(path: str) -> bool:
    return any(part.rstrip(". ").split(":")[0].casefold() in _GIT_DIRECTORIES for part in _SEPARATORS.split(path))


def _below(path: str, root: str | None) -> str | None:
    """What of an absolute path is below `root`; None where it is elsewhere."""
    if root is None:
        return None
    here, top = _comparable(path), _comparable(root).rstrip("/")
    if here == top:
        return "."
    return here[len(top) + 1 :] if here.startswith(top + "/") else None


def _comparable(path: str) -> str:
    if _DRIVE.match(path) or path.startswith("\\\\"):
        return path.replace("\\", "/").casefold()
    return path


def _flatten(path: str) -> str | None:
    """An absolute path without `.` and `..`; None where it climbs over the root."""
    kept: list[str] = []
    path = _comparable(path)
    for part in _parts(path):
        if part == "..":
            if not kept:
                return None
            kept.pop()
        elif part not in ("", "."):
            kept.append(part)
    flat = "/".join(kept)
    if _DRIVE.match(flat + "/"):
        return flat
    return f"//{flat}" if path.startswith("//") else f"/{flat}"
