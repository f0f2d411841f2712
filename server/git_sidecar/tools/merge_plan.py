"""What a merge, or the end of one, would do; reads only."""

from dataclasses import dataclass

from git_sidecar.git.diff import Sides, read_stat
from git_sidecar.git.head_state import read_head, read_operation
from git_sidecar.git.merge import ABORT_ARGV, CONTINUE_ARGV, MergeTarget, merge_argv
from git_sidecar.git.reachability import count_commits, is_ancestor
from git_sidecar.git.ref_names import find_ref
from git_sidecar.git.repository import Repository
from git_sidecar.git.revisions import empty_tree, resolve_commits
from git_sidecar.git.status import read_status
from git_sidecar.model.changes import FileChange
from git_sidecar.model.fingerprint import HeadState, OperationInProgress
from git_sidecar.model.refs import Rev
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.model.status import Status, Untracked
from git_sidecar.tools.basis import digest, head_basis
from git_sidecar.tools.printable import counted


@dataclass(frozen=True, slots=True)
class Merging:
    """A merge that is planned: the call, where HEAD stands, and what comes in or goes."""

    argv: tuple[str, ...]
    head: HeadState
    status: Status
    target: MergeTarget | None = None
    message: str | None = None
    fast_forward: bool = False
    up_to_date: bool = False
    commits: int = 0
    files: tuple[FileChange, ...] = ()
    sides: Sides | None = None
    lines_lost: int = 0

    def basis(self) -> dict[str, str]:
        """HEAD, target, the list of what differs, and the operation in progress (by its file, MERGE_HEAD)."""
        dirty = [f"{entry.code} {entry.path.text}" for entry in self.status.entries]
        dirty += [f"{item.code} {item.path.text}" for item in self.status.conflicts]
        target = self.target.oid if self.target is not None else ""
        return head_basis(self.head) | {"target": target, "dirty": digest(*dirty)}


async def plan_merge(repository: Repository, rev: str, message: str | None, *, no_ff: bool) -> Merging | Refusal:
    """Compare HEAD and what is to be merged. Raises GitRefused."""
    operation = read_operation(repository.location)
    if operation is not None and operation is not OperationInProgress.BISECT:
        unfinished = "an unfinished merge" if operation is OperationInProgress.MERGE else f"a {operation.value}"
        return Refusal(
            RefusalCode.OPERATION_IN_PROGRESS,
            f"{unfinished} is in progress; it was left as it is",
            "Conclude it (git_merge with continue) or give it up (abort) first."
            if operation is OperationInProgress.MERGE
            else "Finish or abort it first.",
        )
    head = await read_head(repository)
    ref = await find_ref(repository, rev)
    (oid,) = await resolve_commits(repository, [Rev(ref or rev)])
    target = MergeTarget(oid, ref, rev)
    status = await read_status(repository, untracked=Untracked.NO)
    argv = await merge_argv(repository, target, no_ff=no_ff)
    if head.commit is None:
        return Merging(
            argv, head, status, target, message, fast_forward=True, sides=Sides(old=empty_tree(oid), new=oid)
        )
    up_to_date = await is_ancestor(repository, oid, head.commit)
    fast_forward = not no_ff and await is_ancestor(repository, head.commit, oid)
    done = await repository.run(("merge-base", head.commit, oid), ok=(0, 1))
    base = done.stdout.decode("ascii").strip() or empty_tree(oid)
    sides = Sides(old=base, new=oid)
    files = () if up_to_date else (await read_stat(repository, sides)).files
    return Merging(
        argv,
        head,
        status,
        target,
        message,
        fast_forward,
        up_to_date,
        commits=await count_commits(repository, head.commit, oid),
        files=files,
        sides=sides,
    )


async def plan_end(repository: Repository, *, abort: bool) -> Merging | Refusal:
    """What going on with the merge in progress, or giving it up, would do. Raises GitRefused."""
    if read_operation(repository.location) is not OperationInProgress.MERGE:
        return Refusal(RefusalCode.NOTHING_TO_DO, "no merge is in progress")
    head = await read_head(repository)
    status = await read_status(repository, untracked=Untracked.NO)
    oid = await read_merge_head(repository) or ""
    target = MergeTarget(oid, None, oid)
    if not abort:
        if status.conflicts:
            return Refusal(
                RefusalCode.CONFLICT,
                f"{counted(len(status.conflicts), 'path')} still with conflicts",
                "Resolve them and stage the files with git_add first.",
                conflicts=status.conflicts,
            )
        return Merging(CONTINUE_ARGV, head, status, target, sides=Sides(staged=True))
    files = (await read_stat(repository, Sides(old=head.commit))).files if head.commit is not None else ()
    theirs = {file.change.path: file for file in (await read_stat(repository, Sides(old=oid))).files} if oid else {}
    # Typed by hand, or by a conflict's markers: in neither side.
    lost = sum(
        min(file.additions or 0, theirs[file.change.path].additions or 0)
        for file in files
        if file.change.path in theirs
    )
    return Merging(ABORT_ARGV, head, status, target, files=files, sides=Sides(old=head.commit), lines_lost=lost)


async def read_merge_head(repository: Repository) -> str | None:
    """The commit that is being merged; the first of several."""
    done = await repository.run(("rev-parse", "--verify", "--quiet", "MERGE_HEAD^{commit}"), ok=(0, 1))
    return done.stdout.decode("ascii").strip() or None
