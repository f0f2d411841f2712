"""HEAD, the checked-out branch and an operation in progress, read from the git directory without a git process.

Sources: gitrepository-layout(5), git-symbolic-ref(1), git-pack-refs(1). A warm call must not cost a process more than
git itself, so the few files that say where HEAD is are read here, by plain calls of `os` (pathlib doubles the time).
A repository whose refs are not files (reftable) is asked through git instead.
"""

import os
import re

from git_sidecar.git.repository import Repository
from git_sidecar.model.fingerprint import HeadState, OperationInProgress
from git_sidecar.model.location import Location

_OBJECT_ID = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_SYMBOLIC_DEPTH = 5  # git's own limit, refs.c SYMREF_MAXDEPTH
_BRANCHES = "refs/heads/"
_WORKTREE_REFS = ("refs/bisect/", "refs/worktree/", "refs/rewritten/")
# What a reftable repository writes into HEAD, so that nobody takes it for files.
_NO_FILES = "refs/heads/.invalid"


class NotInFiles(Exception):
    """The refs of this repository are not kept in files that can be read here."""


def _read_bytes(path: str) -> bytes | None:
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError, PermissionError):
        return None
    try:
        return os.read(descriptor, 4_096)
    except IsADirectoryError:
        return None
    finally:
        os.close(descriptor)


def _read_packed(common_dir: str, name: str) -> str | None:
    try:
        with open(f"{common_dir}/packed-refs", "rb") as file:  # noqa: PTH123 - see the module's docstring
            packed = file.read()
    except FileNotFoundError:
        return None
    at = packed.find(b" " + os.fsencode(name) + b"\n")
    if at < 0:
        return None
    found = packed[packed.rfind(b"\n", 0, at) + 1 : at]
    return found.decode("ascii") if _OBJECT_ID.fullmatch(found) else None


def _symbolic_target(value: bytes) -> str | None:
    """The full name that `ref: …` points to; None for a value that is no symbolic ref."""
    if not value.startswith(b"ref:"):
        return None
    name = os.fsdecode(value.removeprefix(b"ref:").strip())
    # A damaged HEAD must not send us reading elsewhere.
    if not name.startswith("refs/") or ".." in name.split("/") or name == _NO_FILES:
        raise NotInFiles
    return name


def read_ref(location: Location, name: str) -> str | None:
    """The object id of a full ref name, loose or packed; None where it does not exist. Raises NotInFiles."""
    common_dir = str(location.common_dir)
    for _ in range(_SYMBOLIC_DEPTH):
        directory = str(location.git_dir) if name.startswith(_WORKTREE_REFS) else common_dir
        loose = _read_bytes(f"{directory}/{name}")
        if loose is None:
            return _read_packed(common_dir, name)
        loose = loose.strip()
        target = _symbolic_target(loose)
        if target is None:
            return loose.decode("ascii") if _OBJECT_ID.fullmatch(loose) else None
        name = target
    return None


def read_head_files(location: Location) -> HeadState:
    """HEAD's commit and branch, from files alone. Raises NotInFiles where git has to be asked."""
    path = f"{location.git_dir}/HEAD"
    # The oldest layout has HEAD as a symbolic link to the branch's file; read through, it would look detached.
    try:
        value = b"ref: " + os.fsencode(os.readlink(path))  # noqa: PTH115 - see the module's docstring
    except OSError:
        read = _read_bytes(path)
        if read is None:
            raise NotInFiles from None
        value = read.strip()
    name = _symbolic_target(value)
    if name is None:
        if not _OBJECT_ID.fullmatch(value):
            raise NotInFiles
        return HeadState(value.decode("ascii"), None)
    return HeadState(read_ref(location, name), name.removeprefix(_BRANCHES))


async def read_head(repository: Repository) -> HeadState:
    """HEAD's commit and branch; git is asked only where its refs are not files."""
    try:
        return read_head_files(repository.location)
    except NotInFiles:
        branch = await repository.run(("symbolic-ref", "--quiet", "HEAD"), ok=(0, 1))
        commit = await repository.run(("rev-parse", "--verify", "--quiet", "HEAD^{commit}"), ok=(0, 1))
        name = branch.stdout.decode("utf-8", "surrogateescape").strip()
        return HeadState(commit.stdout.decode("ascii").strip() or None, name.removeprefix(_BRANCHES) or None)


# In git-status(1)'s order of precedence.
_OPERATIONS = (
    ("MERGE_HEAD", OperationInProgress.MERGE),
    ("CHERRY_PICK_HEAD", OperationInProgress.CHERRY_PICK),
    ("REVERT_HEAD", OperationInProgress.REVERT),
    ("BISECT_LOG", OperationInProgress.BISECT),
)


def read_operation(location: Location) -> OperationInProgress | None:
    """The multi-step operation that waits to be finished; one listing of the git directory tells."""
    try:
        present = frozenset(os.listdir(location.git_dir))  # noqa: PTH208 - see the module's docstring
    except OSError:
        return None
    if "rebase-merge" in present:
        return OperationInProgress.REBASE
    if "rebase-apply" in present:
        applying = (location.git_dir / "rebase-apply" / "applying").exists()
        return OperationInProgress.AM if applying else OperationInProgress.REBASE
    return next((operation for marker, operation in _OPERATIONS if marker in present), None)
