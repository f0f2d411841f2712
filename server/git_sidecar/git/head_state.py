"""HEAD, the checked-out branch and an operation in progress, read from the git directory without a git process.

Sources: gitrepository-layout(5), git-symbolic-ref(1), packed-refs as gitrepository-layout(5) describes it. A warm call
must not cost a process more than git itself, so the few files that say where HEAD is are read here. A repository whose
refs are not files (reftable) is asked through git instead.
"""

import re
from pathlib import Path

from git_sidecar.git.repository import Repository
from git_sidecar.model.fingerprint import HeadState, OperationInProgress
from git_sidecar.model.location import Location

_OBJECT_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_SYMBOLIC_DEPTH = 5  # git's own limit, refs.c SYMREF_MAXDEPTH


class NotInFiles(Exception):
    """The refs of this repository are not kept in files that can be read here."""


def _read_text(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None


def _read_packed(common_dir: Path, name: str) -> str | None:
    packed = _read_text(common_dir / "packed-refs")
    if packed is None:
        return None
    found = re.search(rf"^([0-9a-f]{{40,64}}) {re.escape(name)}$", packed, re.MULTILINE)
    return found.group(1) if found else None


def read_ref(location: Location, name: str) -> str | None:
    """The object id of a full ref name, loose or packed; None where it does not exist. Raises NotInFiles."""
    if (location.common_dir / "reftable").is_dir():
        raise NotInFiles
    for _ in range(_SYMBOLIC_DEPTH):
        # refs/bisect, refs/worktree and refs/rewritten are the worktree's own; all others are shared.
        loose = _read_text(location.git_dir / name) or _read_text(location.common_dir / name)
        if loose is None:
            return _read_packed(location.common_dir, name)
        loose = loose.strip()
        if not loose.startswith("ref:"):
            return loose if _OBJECT_ID.fullmatch(loose) else None
        name = loose.removeprefix("ref:").strip()
    return None


def read_head_files(location: Location) -> HeadState:
    """HEAD's commit and branch, from files alone. Raises NotInFiles where git has to be asked."""
    head = _read_text(location.git_dir / "HEAD")
    if head is None or (location.common_dir / "reftable").is_dir():
        raise NotInFiles
    head = head.strip()
    if not head.startswith("ref:"):
        return HeadState(head if _OBJECT_ID.fullmatch(head) else None, None)
    name = head.removeprefix("ref:").strip()
    return HeadState(read_ref(location, name), name.removeprefix("refs/heads/"))


async def read_head(repository: Repository) -> HeadState:
    """HEAD's commit and branch; git is asked only where its refs are not files."""
    try:
        return read_head_files(repository.location)
    except NotInFiles:
        branch = await repository.run(("symbolic-ref", "--quiet", "HEAD"), ok=(0, 1))
        commit = await repository.run(("rev-parse", "--verify", "--quiet", "HEAD^{commit}"), ok=(0, 1))
        name = branch.stdout.decode("utf-8", "surrogateescape").strip()
        return HeadState(commit.stdout.decode().strip() or None, name.removeprefix("refs/heads/") or None)


def read_operation(location: Location) -> OperationInProgress | None:
    """The multi-step operation that waits to be finished, in git-status(1)'s order of precedence."""
    git_dir = location.git_dir
    rebase_apply = git_dir / "rebase-apply"
    if (git_dir / "rebase-merge").is_dir():
        return OperationInProgress.REBASE
    if rebase_apply.is_dir():
        applying = (rebase_apply / "applying").exists()
        return OperationInProgress.AM if applying else OperationInProgress.REBASE
    for marker, operation in (
        ("MERGE_HEAD", OperationInProgress.MERGE),
        ("CHERRY_PICK_HEAD", OperationInProgress.CHERRY_PICK),
        ("REVERT_HEAD", OperationInProgress.REVERT),
        ("BISECT_LOG", OperationInProgress.BISECT),
    ):
        if (git_dir / marker).exists():
            return operation
    return None
