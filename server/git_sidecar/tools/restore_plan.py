"""What restoring some paths would change, and what it would destroy; reads only."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from git_sidecar.git.diff import Sides, read_stat
from git_sidecar.git.index_entries import is_covered, pathspecs_of, read_tracked
from git_sidecar.git.repository import Repository
from git_sidecar.git.restore import Restoring, read_source_paths
from git_sidecar.git.status import read_status
from git_sidecar.model.changes import ChangeStatus, FileChange
from git_sidecar.model.refs import RepoPath
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.model.status import Status, Untracked
from git_sidecar.tools.printable import counted


@dataclass(frozen=True, slots=True)
class Loss:
    """What is overwritten: lines that are nowhere else, and untracked files."""

    lines: int
    untracked: tuple[RepoPath, ...]


@dataclass(frozen=True, slots=True)
class Restoration:
    """A call of git restore: what it does, to which paths, and what is lost."""

    restoring: Restoring
    affected: tuple[RepoPath, ...]
    loss: Loss
    sides: Sides
    """The comparison whose diff shows what goes."""


async def plan_restoration(
    repository: Repository, restoring: Restoring, paths: Sequence[RepoPath], head: str | None
) -> Restoration | Refusal:
    """Compare; `head` is HEAD's commit. Raises GitRefused."""
    base = restoring.source or (head if restoring.index else None)
    tracked = await read_tracked(repository, paths)
    in_source = await read_source_paths(repository, base, paths) if base is not None else []
    missing = [path.text for path in paths if not any(is_covered(item, (path,)) for item in (*tracked, *in_source))]
    if missing:
        return _refuse_missing(missing, restoring)
    status = await read_status(repository, untracked=Untracked.NO, paths=paths)
    refusal = _check(restoring, status)
    if refusal is not None:
        return refusal
    if restoring.unborn:
        loss = await _measure_index(repository, [], paths)
        return Restoration(restoring, _sort(tracked), loss, Sides(staged=True))
    index = await _read_changes(repository, Sides(staged=True, old=base), paths) if restoring.index else []
    worktree = await _read_changes(repository, Sides(old=base), paths) if restoring.worktree else []
    worktree = [file for file in worktree if not file.change.submodule]
    affected = set(_paths_of([*index, *worktree]))
    if restoring.index:
        # Intended to be added: no difference to git, but an entry that goes.
        affected.update(path for path in _intended(status) if path not in in_source)
    kept = [path for path in affected if is_covered(path, paths)]
    if not kept:
        return _refuse_nothing(restoring)
    untracked = _find_untracked(repository.location.root, kept, tracked) if restoring.worktree else ()
    lines = _lines_of(repository.location.root, untracked) + sum(file.additions or 0 for file in worktree)
    loss = await _measure_index(repository, index, paths)
    sides = Sides(old=base) if restoring.worktree else Sides(staged=True, old=base)
    return Restoration(restoring, _sort(kept), Loss(lines + loss.lines, untracked), sides)


async def _read_changes(repository: Repository, sides: Sides, paths: Sequence[RepoPath]) -> list[FileChange]:
    named = paths if len(pathspecs_of(paths)) == len(paths) else ()
    return list((await read_stat(repository, sides, paths=named)).files)


async def _measure_index(repository: Repository, index: Sequence[FileChange], paths: Sequence[RepoPath]) -> Loss:
    """Lines that only the index holds: neither the source nor the work tree has them."""
    if not any(file.additions for file in index):
        return Loss(0, ())
    unstaged = await _read_changes(repository, Sides(), paths)
    gone = {file.change.path: file.deletions or 0 for file in unstaged}
    return Loss(sum(min(file.additions or 0, gone.get(file.change.path, 0)) for file in index), ())


def _paths_of(files: Sequence[FileChange]) -> list[RepoPath]:
    paths = [file.change.path for file in files]
    renamed = [file.change for file in files if file.change.status is ChangeStatus.RENAMED]
    return paths + [change.old_path for change in renamed if change.old_path is not None]


def _intended(status: Status) -> tuple[RepoPath, ...]:
    return tuple(entry.path for entry in status.entries if entry.unstaged is ChangeStatus.ADDED)


def _find_untracked(root: Path, affected: Sequence[RepoPath], tracked: Sequence[RepoPath]) -> tuple[RepoPath, ...]:
    known = frozenset(tracked)
    return tuple(path for path in _sort(affected) if path not in known and (root / path.text).is_file())


def _lines_of(root: Path, paths: Sequence[RepoPath]) -> int:
    contents = [(root / path.text).read_bytes() for path in paths]
    return sum(content.count(b"\n") + (not content.endswith(b"\n") and content != b"") for content in contents)


def _sort(paths: Sequence[RepoPath]) -> tuple[RepoPath, ...]:
    return tuple(sorted(paths, key=lambda path: path.raw))


def _check(restoring: Restoring, status: Status) -> Refusal | None:
    if not restoring.worktree or restoring.source is not None or restoring.index:
        return None
    if status.conflicts:
        return Refusal(
            RefusalCode.CONFLICT,
            f"{counted(len(status.conflicts), 'path')} with conflicts: the index holds several versions of them",
            "Say which one by `source` (HEAD is ours, MERGE_HEAD theirs), or resolve them and stage the files.",
            conflicts=status.conflicts,
        )
    intended = _intended(status)
    if intended:
        names = ", ".join(repr(path.text) for path in intended)
        return Refusal(
            RefusalCode.PATH_NOT_FOUND,
            f"the index holds no content of {names}, which are only intended to be added: restoring would empty them",
            "Unstage them with staged: true, or leave them out.",
        )
    return None


def _refuse_missing(missing: Sequence[str], restoring: Restoring) -> Refusal:
    where = "the index" if restoring.source is None else "the source"
    return Refusal(
        RefusalCode.PATH_NOT_FOUND,
        f"{where} has no such path: {', '.join(repr(name) for name in missing)}",
        "Nothing was restored. Paths are literal; untracked files cannot be restored.",
    )


def _refuse_nothing(restoring: Restoring) -> Refusal:
    if restoring.index and not restoring.worktree:
        return Refusal(RefusalCode.NOTHING_TO_DO, "nothing is staged in these paths")
    return Refusal(
        RefusalCode.NOTHING_TO_DO,
        "these paths already are as they would be restored",
        None if restoring.source is not None else "Staged changes are restored with staged: true as well.",
    )
