"""Making a commit (git-commit(1)). Hooks and signing always run as the user set them."""

import asyncio
from dataclasses import dataclass

from git_sidecar.git.diff import Sides, read_stat
from git_sidecar.git.head_state import read_head
from git_sidecar.git.log import read_commit
from git_sidecar.git.repository import Repository
from git_sidecar.git.revisions import empty_tree
from git_sidecar.git.writing import run_write
from git_sidecar.model.changes import FileChange
from git_sidecar.model.commit import Commit
from git_sidecar.model.refs import RepoPath

# The message is UTF-8; with another word in the configuration git would label it wrongly.
_CONFIG = (("i18n.commitEncoding", "UTF-8"),)


@dataclass(frozen=True, slots=True)
class CommitOptions:
    """What is committed: the index; or all that changed, of which `new_files` are untracked; or only `files`."""

    amend: bool = False
    all: bool = False
    new_files: tuple[RepoPath, ...] = ()
    files: tuple[RepoPath, ...] = ()

    def argv(self) -> tuple[str, ...]:
        """The call, without paths."""
        return (
            *("commit", "--quiet", "--cleanup=verbatim"),
            *(("--amend",) if self.amend else ()),
            *(("--all",) if self.all else ()),
            *(("--only",) if self.files else ()),
            *("--file", "-"),
        )


async def make_commit(repository: Repository, message: str, options: CommitOptions) -> None:
    """Commit. Raises GitRefused; then the index is as it was, unless a hook changed it.

    An amended commit keeps its author and date.
    """
    if options.new_files:
        await _with_new_files(repository, message, options)
    else:
        await _run_commit(repository, message, options)


async def _run_commit(repository: Repository, message: str, options: CommitOptions) -> None:
    await run_write(
        repository,
        options.argv(),
        paths=options.files or None,
        stdin=message.encode("utf-8"),
        config=_CONFIG,
    )


async def _with_new_files(repository: Repository, message: str, options: CommitOptions) -> None:
    """Commit new files with the others: intended to be added, `--all` takes them, and a failure takes them back.

    Staging them first would leave them staged when a hook says no.
    """
    names = b"".join(path.raw + b"\0" for path in options.new_files)
    head = await read_head(repository)
    await run_write(repository, ("add", "--intent-to-add"), paths=options.new_files)
    try:
        await _run_commit(repository, message, options)
    except BaseException:
        # A call that is ended while its last hook runs has committed already.
        if await read_head(repository) == head:
            undo = ("update-index", "--force-remove", "-z", "--stdin")
            await asyncio.shield(run_write(repository, undo, stdin=names))
        raise


async def read_commit_files(repository: Repository, commit: Commit) -> tuple[FileChange, ...]:
    """What a commit changed, against its first parent; all of its files where it has none. Raises GitRefused."""
    base = commit.parents[0] if commit.parents else empty_tree(commit.oid)
    return (await read_stat(repository, Sides(old=base, new=commit.oid))).files


async def read_new_commit(repository: Repository, oid: str) -> tuple[Commit, tuple[FileChange, ...]]:
    """A commit that was just made, as it really is: hooks may have changed its message and its files."""
    commit = await read_commit(repository, oid)
    return commit, await read_commit_files(repository, commit)


async def find_remote_branch(repository: Repository, oid: str) -> str | None:
    """A remote-tracking branch that holds a commit (full name); None where no remote is known to have it."""
    argv = ("for-each-ref", f"--contains={oid}", "--count=1", "--format=%(refname)", "refs/remotes/")
    done = await repository.run(argv)
    return done.stdout.decode("utf-8", "surrogateescape").strip() or None
