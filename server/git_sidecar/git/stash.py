"""Putting changes away, taking them back and dropping them (git-stash(1)). Entries are named by their object id."""

import re
from collections.abc import Sequence

from git_sidecar.git.conflicts import with_conflicts
from git_sidecar.git.errors import GitRefused
from git_sidecar.git.repository import Repository
from git_sidecar.git.stash_list import read_stashes
from git_sidecar.git.writing import run_write
from git_sidecar.model.refs import RepoPath
from git_sidecar.model.refs_list import Stash
from git_sidecar.model.refusal import Refusal, RefusalCode

_DROPPED = re.compile(rb"\(([0-9a-f]{40}(?:[0-9a-f]{24})?)\)")
_HINT = "Resolve the conflicts and stage the files; drop the entry with git_stash when it is not needed any more."


def push_argv(*, message: str | None, include_untracked: bool) -> tuple[str, ...]:
    """The call that puts changes away, without paths."""
    return (
        *("stash", "push", "--no-keep-index"),
        *(("--include-untracked",) if include_untracked else ()),
        *((f"--message={message}",) if message is not None else ()),
    )


def apply_argv(oid: str) -> tuple[str, ...]:
    """The call that takes an entry's changes back and keeps the entry."""
    return ("stash", "apply", "--quiet", oid)


def drop_argv(index: int) -> tuple[str, ...]:
    """The call that drops the entry at a place of the list."""
    return ("stash", "drop", f"stash@{{{index}}}")


async def push_stash(repository: Repository, argv: tuple[str, ...], paths: Sequence[RepoPath]) -> Stash | None:
    """Put changes away; the new entry, None where there was nothing. Raises GitRefused."""
    before = await read_stashes(repository)
    await run_write(repository, argv, paths=paths or None)
    after = await read_stashes(repository)
    return after[0] if len(after) > len(before) else None


async def apply_stash(repository: Repository, stash: Stash) -> None:
    """Take an entry's changes back. Raises GitRefused: `conflict`, `dirty_worktree`; the entry is kept in any case."""
    try:
        await run_write(repository, apply_argv(stash.oid))
    except GitRefused as error:
        message = "the stashed changes conflict with what is there; the stash entry is kept"
        raise await with_conflicts(repository, error.refusal, message, _HINT) from error


async def drop_stash(repository: Repository, stash: Stash) -> None:
    """Drop this very entry, wherever in the list it stands now. Raises GitRefused."""
    entry = next((item for item in await read_stashes(repository) if item.oid == stash.oid), None)
    if entry is None:
        raise GitRefused(Refusal(RefusalCode.REF_NOT_FOUND, f"the stash entry {stash.oid} is not there any more"))
    done = await run_write(repository, drop_argv(entry.index))
    match = _DROPPED.search(done.stdout)
    dropped = match[1].decode("ascii") if match is not None else stash.oid
    if dropped != stash.oid:
        # Somebody else's git shifted the list between the two calls: give them their entry back.
        await run_write(repository, ("stash", "store", "--quiet", f"--message={stash.message}", dropped))
        raise GitRefused(Refusal(RefusalCode.CHANGED_SINCE_CONFIRMED, "the stash list changed; nothing was dropped"))
