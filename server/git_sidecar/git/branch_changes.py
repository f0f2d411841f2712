"""Creating, switching to, renaming and deleting branches (git-branch(1), git-switch(1))."""

from git_sidecar.git.errors import GitRefused
from git_sidecar.git.head_state import read_head
from git_sidecar.git.repository import Repository
from git_sidecar.git.writing import run_write
from git_sidecar.model.refs import BranchName

_SWITCH = ("switch", "--no-guess", "--no-overwrite-ignore", "--no-progress", "--quiet")


def create_argv(name: BranchName, start: str, *, force: bool) -> tuple[str, ...]:
    """The call that creates a branch; `start` is an object id, or the full name of a branch to follow."""
    return ("branch", *(("--force",) if force else ()), "--", name.text, start)


def switch_argv(name: BranchName, start: str | None = None) -> tuple[str, ...]:
    """The call that switches to a branch, which it creates at `start` where that is given."""
    if start is None:
        return (*_SWITCH, "--", name.text)
    return (*_SWITCH, f"--create={name.text}", "--", start)


def rename_argv(old: BranchName, new: BranchName, *, force: bool) -> tuple[str, ...]:
    """The call that renames a branch; with `force` another one of the new name is lost."""
    return ("branch", "-M" if force else "-m", "--", old.text, new.text)


def delete_argv(name: BranchName, *, force: bool) -> tuple[str, ...]:
    """The call that deletes a branch; without `force` only where its commits are merged."""
    return ("branch", "-D" if force else "-d", "--", name.text)


async def change_branch(repository: Repository, argv: tuple[str, ...]) -> None:
    """Run one of the calls above that move no HEAD. Raises GitRefused."""
    await run_write(repository, argv)


async def switch_branch(repository: Repository, argv: tuple[str, ...], name: BranchName) -> tuple[str, ...]:
    """Switch; warnings. Raises GitRefused (`dirty_worktree` where a changed, new or ignored file would be lost)."""
    try:
        await run_write(repository, argv)
    except GitRefused as error:
        # A post-checkout hook that fails makes the call fail, but the switch has been made.
        if (await read_head(repository)).branch != name.text:
            raise
        return (f"the post-checkout hook failed: {error.refusal.stderr or error.refusal.message}",)
    return ()
