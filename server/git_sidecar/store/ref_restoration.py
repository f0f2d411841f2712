"""Refs, HEAD and the stash's list put back: by git's own transactions wherever git has one."""

import asyncio
from collections.abc import Mapping, Sequence

from git_sidecar.store.lock_file import replace_locked
from git_sidecar.store.port import Git
from git_sidecar.store.repository_files import STASH_LOG, STASH_REF, branch_of_head
from git_sidecar.store.state import RefState
from git_sidecar.store.undo_plan import RefStep


async def restore_refs(git: Git, steps: Sequence[RefStep], message: str) -> None:
    """Put refs back in one transaction that expects each to be as it was looked at (git-update-ref(1), --stdin).

    Raises GitFailed, and then none has changed; but where one name is a directory of another (`a` and `a/b`), which no
    single transaction can swap, the deletions go first.
    """
    plain = [step for step in steps if not _is_symbolic(step)]
    deletions = [step for step in plain if step.wanted is None]
    others = [step for step in plain if step.wanted is not None]
    rounds = [deletions, others] if _collide(deletions, others) else [plain]
    for steps_of_round in rounds:
        if steps_of_round:
            lines = b"".join(_transaction_line(step) for step in steps_of_round)
            await git.change(("update-ref", "-m", message, "--stdin", "-z"), stdin=lines)
    for step in steps:
        if _is_symbolic(step):
            await _restore_symbolic(git, step, message)


async def restore_head(git: Git, head: str, message: str) -> None:
    """Give HEAD its content back: a branch, born or not, or a commit."""
    branch = branch_of_head(head)
    if branch is not None:
        await git.change(("symbolic-ref", "-m", message, "HEAD", branch))
    else:
        await git.change(("update-ref", "-m", message, "--no-deref", "HEAD", head))


async def restore_stash_log(git: Git, content: bytes | None, refs: Mapping[str, RefState]) -> None:
    """Give the stash's reflog, which is its list, its exact bytes back; refs/stash itself has been put back before."""
    if content is None or STASH_REF not in refs:
        return
    shared = git.location.common_dir
    # Whoever writes this reflog holds the ref's lock (git's refs/files-backend.c), so holding it keeps others off.
    await asyncio.to_thread(replace_locked, shared / STASH_LOG, content, beside=shared / STASH_REF)


def _is_symbolic(step: RefStep) -> bool:
    return any(state is not None and state.target is not None for state in (step.now, step.wanted))


async def _restore_symbolic(git: Git, step: RefStep, message: str) -> None:
    if step.wanted is None:
        await git.change(("symbolic-ref", "-d", step.name))
    elif step.wanted.target is not None:
        await git.change(("symbolic-ref", "-m", message, step.name, step.wanted.target))
    else:
        await git.change(("update-ref", "-m", message, "--no-deref", step.name, step.wanted.object_id))


def _collide(deletions: Sequence[RefStep], others: Sequence[RefStep]) -> bool:
    return any(
        one.name.startswith(f"{other.name}/") or other.name.startswith(f"{one.name}/")
        for one in deletions
        for other in others
    )


def _transaction_line(step: RefStep) -> bytes:
    name = step.name.encode("utf-8", "surrogateescape")
    now = b"" if step.now is None else step.now.object_id.encode()
    if step.wanted is None:
        return b"delete %s\0%s\0" % (name, now)
    wanted = step.wanted.object_id.encode()
    if step.now is None:
        return b"create %s\0%s\0" % (name, wanted)
    return b"update %s\0%s\0%s\0" % (name, wanted, now)
