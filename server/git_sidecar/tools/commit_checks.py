"""Why a commit cannot be made, and what it would hold; told from the status alone where that is enough."""

from collections.abc import Sequence

from git_sidecar.git.index_entries import is_covered, read_tracked
from git_sidecar.model.changes import ChangeStatus
from git_sidecar.model.fingerprint import Fingerprint, OperationInProgress
from git_sidecar.model.refs import RepoPath
from git_sidecar.model.refusal import Refusal, RefusalCode, Retry
from git_sidecar.model.status import Status
from git_sidecar.tools.contract import ToolContext
from git_sidecar.tools.printable import counted

_CONCLUDED_BY_COMMIT = (OperationInProgress.MERGE, OperationInProgress.CHERRY_PICK)


def _refuse(code: RefusalCode, message: str, hint: str | None = None, retry: Retry | None = None) -> Refusal:
    return Refusal(code, message, hint, retry)


def check_operation(
    status: Status, operation: OperationInProgress | None, *, partial: bool, amend: bool
) -> Refusal | None:
    """Why this is no moment for such a commit (`partial`: of some files only); None if it is."""
    if status.conflicts:
        return Refusal(
            RefusalCode.CONFLICT,
            f"{counted(len(status.conflicts), 'file')} with conflicts: committing is not possible",
            "Resolve them and stage the files, or abort the operation.",
            conflicts=status.conflicts,
        )
    if partial and operation in _CONCLUDED_BY_COMMIT:
        return _refuse(
            RefusalCode.OPERATION_IN_PROGRESS,
            f"cannot do a partial commit during a {'merge' if operation == 'merge' else 'cherry-pick'}",
            "Commit without `files`: the whole index belongs to it.",
            Retry.FIX_ARGUMENTS,
        )
    if amend and operation is not None and operation in _CONCLUDED_BY_COMMIT:
        return _refuse(
            RefusalCode.OPERATION_IN_PROGRESS,
            f"a {operation.value} is in progress: there is no amending until it is concluded",
            "Commit without `amend`, or abort the operation.",
            Retry.FIX_ARGUMENTS,
        )
    if amend and status.head.commit is None:
        return _refuse(
            RefusalCode.NOTHING_TO_DO,
            "You have nothing to amend: there is no commit yet",
            "Commit without `amend`.",
            Retry.FIX_ARGUMENTS,
        )
    return None


async def find_missing(ctx: ToolContext, files: Sequence[RepoPath], status: Status) -> Refusal | None:
    """The refusal of files that git does not know, as `git commit -- <files>` would refuse them."""
    if not files:
        return None
    known = [*await read_tracked(ctx.repository, files)]
    # HEAD's side counts too: of a staged rename the old name alone can be committed, as deleted.
    known += [path for entry in status.entries for path in (entry.path, entry.old_path) if path is not None]
    missing = [path.text for path in files if not any(is_covered(item, (path,)) for item in known)]
    if not missing:
        return None
    names = ", ".join(repr(name) for name in missing)
    return _refuse(
        RefusalCode.PATH_NOT_FOUND,
        f"git knows no such file: {names}",
        "A new file must be staged with git_add first.",
    )


def check_index(expected: str | None, fingerprint: Fingerprint) -> Refusal | None:
    """The refusal of a call that was made for another index than the one that stands now."""
    if expected is None or expected == fingerprint.index:
        return None
    return _refuse(
        RefusalCode.INDEX_MISMATCH,
        f"what is staged is {fingerprint.index}, not {expected!r}",
        "Look at git_staged_diff again before you commit.",
    )


def find_changed(files: Sequence[RepoPath], status: Status, *, everything: bool) -> tuple[RepoPath, ...]:
    """The paths that the commit would take from the index or from the work tree."""
    entries = [entry for entry in status.entries if everything or files or entry.staged is not None]
    found = {path for entry in entries for path in (entry.path, entry.old_path) if path is not None}
    found.update(path for path in status.untracked if not path.text.endswith("/"))
    wanted = [path for path in found if not files or is_covered(path, files)]
    return tuple(sorted(wanted, key=lambda path: path.raw))


def find_half_renames(files: Sequence[RepoPath], status: Status) -> list[str]:
    """What is left staged when only one side of a rename is named."""
    warnings: list[str] = []
    for entry in status.entries:
        if not files or entry.old_path is None or entry.staged is not ChangeStatus.RENAMED:
            continue
        new, old = is_covered(entry.path, files), is_covered(entry.old_path, files)
        if new and not old:
            warnings.append(f"{entry.path.text} is committed as added; {entry.old_path.text} stays staged as deleted")
        elif old and not new:
            warnings.append(f"{entry.old_path.text} is committed as deleted; {entry.path.text} stays staged as added")
    return warnings


def refuse_nothing(status: Status, *, partial: bool, everything: bool) -> Refusal:
    """The refusal of a commit that would hold nothing."""
    if partial or everything:
        where = "in these files" if partial else "in the work tree"
        return _refuse(RefusalCode.NOTHING_TO_COMMIT, f"nothing has changed {where}, so there is nothing to commit")
    waiting = counted(len(status.unstaged), "file") + " with unstaged changes" if status.unstaged else ""
    return _refuse(
        RefusalCode.NOTHING_TO_COMMIT,
        f"nothing is staged, so there is nothing to commit{f' ({waiting})' if waiting else ''}",
        "Stage changes with git_add first.",
    )
