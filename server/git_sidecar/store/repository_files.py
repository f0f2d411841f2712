"""The files of a git directory that a snapshot keeps: HEAD, the stash's log, an operation in progress, submodules.

Sources: gitrepository-layout(5), gitsubmodules(7), git-merge(1), git-rebase(1), and what git 2.39 was seen to write.
"""

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from git_sidecar.model.location import Location
from git_sidecar.store.state import FileKind, FileState, RefState, Submodule
from git_sidecar.store.worktree_files import Keeper

STASH_LOG = "logs/refs/stash"
STASH_REF = "refs/stash"

# ORIG_HEAD is no part of an operation, but how people find their way back.
_MARK_FILES = (
    *("MERGE_HEAD", "MERGE_MODE", "MERGE_MSG", "MERGE_RR", "MERGE_AUTOSTASH", "AUTO_MERGE", "SQUASH_MSG"),
    *("CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD", "ORIG_HEAD"),
    *("BISECT_LOG", "BISECT_START", "BISECT_NAMES", "BISECT_TERMS", "BISECT_EXPECTED_REV", "BISECT_ANCESTORS_OK"),
    *("BISECT_FIRST_PARENT", "BISECT_RUN", "BISECT_HEAD"),
)
_MARK_DIRECTORIES = ("rebase-merge", "rebase-apply", "sequencer")
_SHA256 = re.compile(rb"(?im)^\s*objectformat\s*=\s*\"?sha256")
_PROMISOR = re.compile(rb"(?im)^\s*(?:partialclone|promisor)\b")
_OBJECT_ID = re.compile(r"(?<![0-9a-f])(?:[0-9a-f]{40}|[0-9a-f]{64})(?![0-9a-f])")
_SYMBOLIC_DEPTH = 5
_PERMISSIONS = 0o7777


def read_object_format(location: Location) -> str:
    """`sha1` or `sha256` (git-config(1), extensions.objectFormat)."""
    return "sha256" if _SHA256.search((location.common_dir / "config").read_bytes()) else "sha1"


def is_partial_clone(location: Location) -> bool:
    """Whether objects may be missing here that a remote has promised (git-config(1), remote.<name>.promisor)."""
    return _PROMISOR.search((location.common_dir / "config").read_bytes()) is not None


def read_head_content(location: Location) -> str:
    """HEAD's own content: `ref: refs/heads/x`, or an object id where it is detached."""
    head = location.git_dir / "HEAD"
    if head.is_symlink():
        return f"ref: {head.readlink().as_posix()}"
    content = head.read_bytes().decode("utf-8", "surrogateescape").strip()
    return f"ref: {content.removeprefix('ref:').strip()}" if content.startswith("ref:") else content


def branch_of_head(head: str) -> str | None:
    """The full name of the ref that HEAD points to; None where it is detached."""
    return head.removeprefix("ref: ") if head.startswith("ref: ") else None


def commit_of_head(head: str, refs: Mapping[str, RefState]) -> str | None:
    """The commit that HEAD stands for; None before the first one."""
    name = branch_of_head(head)
    if name is None:
        return head
    ref = refs.get(name)
    return None if ref is None else ref.object_id


def keep_stash(location: Location, keeper: Keeper) -> str | None:
    """The id of the stash's reflog, which is the list of its entries; None where there is none."""
    try:
        return keeper.write_bytes((location.common_dir / STASH_LOG).read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return None


def keep_config(location: Location, keeper: Keeper) -> str | None:
    """The id of the repository's configuration: deleting or renaming a branch takes its section along."""
    try:
        return keeper.write_bytes((location.common_dir / "config").read_bytes())
    except FileNotFoundError:
        return None


def keep_marks(location: Location, keeper: Keeper) -> dict[str, FileState]:
    """The files of an operation in progress, by their path in the worktree's git directory."""
    marks: dict[str, FileState] = {}
    for name in _mark_names(location):
        path = location.git_dir / name
        try:
            mode = path.lstat().st_mode & _PERMISSIONS
            marks[name] = FileState(FileKind.FILE, mode, keeper.write_bytes(path.read_bytes()))
        except FileNotFoundError:
            continue
    return marks


def _mark_names(location: Location) -> Iterable[str]:
    for name in _MARK_FILES:
        if (location.git_dir / name).is_file():
            yield name
    for directory in _MARK_DIRECTORIES:
        for place, _, files in os.walk(location.git_dir / directory):
            inner = Path(place).relative_to(location.git_dir).as_posix()
            yield from (f"{inner}/{file}" for file in files)


def keep_submodules(location: Location, gitlinks: Iterable[str], keeper: Keeper) -> tuple[Submodule, ...]:
    """The submodules that are checked out and whose git directory lies in the superproject's."""
    kept: list[Submodule] = []
    for path in gitlinks:
        pointer = location.root / path / ".git"
        try:
            if pointer.is_symlink() or not pointer.is_file():
                continue
            content = pointer.read_text("utf-8", "surrogateescape")
            git_dir = (pointer.parent / content.removeprefix("gitdir:").strip()).resolve()
            config_id = keeper.write_bytes((git_dir / "config").read_bytes())
        except OSError:
            # A submodule that is damaged already is none that we could bring back.
            continue
        if git_dir.is_relative_to((location.git_dir / "modules").resolve()):
            kept.append(Submodule(path, content, str(git_dir), config_id))
    return tuple(kept)


def find_object_ids(notes: Iterable[bytes]) -> set[str]:
    """Every object id that kept notes (the stash's log, an operation in progress) speak of."""
    named: set[str] = set()
    for note in notes:
        named.update(_OBJECT_ID.findall(note.decode("utf-8", "replace")))
    return {object_id for object_id in named if object_id.strip("0")}
