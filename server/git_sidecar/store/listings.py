"""What git lists for a snapshot, parsed. Pure; formats as in git-status(1), git-diff(1), git-ls-files(1)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from git_sidecar.store.state import RefState

_GITLINK = b"160000"
_FIELDS_BEFORE_PATH = {b"1": 8, b"2": 9, b"u": 10}


def decode_path(raw: bytes) -> str:
    """A path as text that gives its bytes back (surrogateescape)."""
    return raw.decode("utf-8", "surrogateescape")


@dataclass(frozen=True, slots=True)
class StatusRow:
    """One row of `git status --porcelain=v2 -z`; `directory`: git told the directory instead of its files."""

    path: str
    tracked: bool = True
    submodule: bool = False
    directory: bool = False


def parse_status(raw: bytes) -> Iterator[StatusRow]:
    """The rows that name paths; both sides of a rename."""
    records = iter(raw.split(b"\0"))
    for record in records:
        kind = record[:1]
        if kind in _FIELDS_BEFORE_PATH:
            fields = record.split(b" ", _FIELDS_BEFORE_PATH[kind])
            yield StatusRow(decode_path(fields[-1]), submodule=fields[2].startswith(b"S"))
            if kind == b"2":
                yield StatusRow(decode_path(next(records)))
        elif kind in (b"?", b"!"):
            path = decode_path(record[2:])
            yield StatusRow(path.removesuffix("/"), tracked=False, directory=path.endswith("/"))


def parse_refs(raw: bytes) -> dict[str, RefState]:
    """All refs, from `for-each-ref --format=%(refname)%00%(objectname)%00%(symref)`."""
    refs: dict[str, RefState] = {}
    for line in raw.split(b"\n"):
        if line:
            name, object_id, target = line.split(b"\0")
            refs[decode_path(name)] = RefState(object_id.decode(), decode_path(target) or None)
    return refs


REFS_FORMAT = "--format=%(refname)%00%(objectname)%00%(symref)"


@dataclass(frozen=True, slots=True)
class StagedIds:
    """Objects that the index names and HEAD does not, and whether unmerged paths name more."""

    ids: frozenset[str]
    unmerged: bool


def parse_staged(raw: bytes) -> StagedIds:
    """From `git diff --cached --raw -z --no-abbrev --no-renames`."""
    ids: set[str] = set()
    unmerged = False
    # Records and paths take turns, since renames are off; a path may begin with a colon too.
    for record in raw.split(b"\0")[:-1:2]:
        _, mode, _, object_id, status = record.split(b" ")
        unmerged = unmerged or status.startswith(b"U")
        if mode != _GITLINK and object_id.strip(b"0"):
            ids.add(object_id.decode())
    return StagedIds(frozenset(ids), unmerged)


def parse_stages(raw: bytes) -> dict[str, tuple[str, str]]:
    """(mode, object id) by path, from `git ls-files -s -z` or `-u -z`; unmerged: by path, NUL and the stage."""
    entries: dict[str, tuple[str, str]] = {}
    for record in raw.split(b"\0"):
        if record:
            facts, _, path = record.partition(b"\t")
            mode, object_id, stage = facts.decode().split(" ")
            entries[decode_path(path) + ("" if stage == "0" else f"\0{stage}")] = (mode, object_id)
    return entries


def parse_unwatched(raw: bytes) -> list[str]:
    """Paths that git was told to take for unchanged, from `git ls-files -v -z` (lower-case letters)."""
    return [decode_path(record[2:]) for record in raw.split(b"\0") if record[:1].islower() and record[:1] != b"s"]


def parse_sparse(raw: bytes) -> list[str]:
    """Paths that are not to be in the work tree (skip-worktree), from `git ls-files -v -z`."""
    return [decode_path(record[2:]) for record in raw.split(b"\0") if record[:1] in (b"S", b"s")]


def parse_tracked(raw: bytes) -> list[str]:
    """Every tracked path, from `git ls-files -v -z`."""
    return [decode_path(record[2:]) for record in raw.split(b"\0") if record]


def parse_paths(raw: bytes) -> list[str]:
    """Paths that each end in NUL."""
    return [decode_path(record) for record in raw.split(b"\0") if record]


def parse_conversion(raw: bytes) -> dict[str, str]:
    """core.autocrlf, core.eol (values lower-cased), from `git config -z --get-regexp`; the last of a key holds."""
    values: dict[str, str] = {}
    for record in raw.split(b"\0"):
        key, _, value = record.partition(b"\n")
        if key:
            values[key.decode("utf-8", "replace").lower()] = value.decode("utf-8", "replace").lower()
    return values


def parse_line_ends(raw: bytes, conversion: Mapping[str, str]) -> list[str]:
    """Files whose bytes a checkout would not bring back as they are, from `git ls-files --eol -z`.

    git counts a file as unchanged when its *cleaned* content is what the index holds; where line ends are converted,
    that can be a file with other line ends than a checkout writes. gitattributes(5), "text", "eol".
    """
    paths: list[str] = []
    for record in raw.split(b"\0"):
        facts, _, path = record.decode("utf-8", "surrogateescape").partition("\t")
        words = facts.split(" ")
        index = next((word[2:] for word in words if word.startswith("i/")), "")
        worktree = next((word[2:] for word in words if word.startswith("w/")), "")
        attributes = facts.partition("attr/")[2].split()
        if not worktree:
            continue
        expected = "crlf" if index == "lf" and _writes_crlf(attributes, conversion) else index
        if worktree != expected or "mixed" in (worktree, index) or (index == "-text" and _is_forced(attributes)):
            paths.append(path)
    return paths


def _is_forced(attributes: list[str]) -> bool:
    """Whether line ends are converted even in what looks like binary content."""
    return "text=auto" not in attributes and any(name == "text" or name.startswith("eol=") for name in attributes)


def _writes_crlf(attributes: list[str], conversion: Mapping[str, str]) -> bool:
    if "-text" in attributes:
        return False
    for attribute in attributes:
        if attribute.startswith("eol="):
            return attribute == "eol=crlf"
    autocrlf = conversion.get("core.autocrlf", "false")
    if autocrlf in ("true", "1", "yes", "on", ""):
        return True
    return bool(attributes) and autocrlf != "input" and conversion.get("core.eol") == "crlf"
