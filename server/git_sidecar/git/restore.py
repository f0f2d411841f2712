"""Putting files of the work tree and entries of the index back (git-restore(1), git-rm(1))."""

from collections.abc import Sequence
from dataclasses import dataclass

from git_sidecar.git.index_entries import is_covered, pathspecs_of
from git_sidecar.git.parse.names import parse_names
from git_sidecar.git.repository import Repository
from git_sidecar.git.writing import run_write
from git_sidecar.model.refs import RepoPath

_LISTING_BYTES = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Restoring:
    """Where files come from and where they go; `source` is the object id of a commit or tree, None for the index.

    Before the first commit there is nothing to take entries from: unstaging then takes them out of the index.
    """

    index: bool
    worktree: bool
    source: str | None
    unborn: bool = False

    def argv(self) -> tuple[str, ...]:
        """The call, without paths."""
        if self.unborn:
            return ("rm", "--cached", "--force", "--quiet", "-r")
        return (
            *("restore", "--quiet", "--no-progress"),
            *((f"--source={self.source}",) if self.source is not None else ()),
            *(("--staged",) if self.index else ()),
            *(("--worktree",) if self.worktree else ()),
        )


async def restore_paths(repository: Repository, restoring: Restoring, paths: Sequence[RepoPath]) -> None:
    """Put the paths, and all below them, back. Raises GitRefused."""
    await run_write(repository, restoring.argv(), paths=paths)


async def read_source_paths(repository: Repository, source: str, paths: Sequence[RepoPath]) -> list[RepoPath]:
    """The files of a commit or tree that `paths` cover. Raises GitRefused."""
    everything = any(path.text == "." for path in paths)
    wanted = () if everything else pathspecs_of(paths)
    argv = ("ls-tree", "-r", "-z", "--name-only", "--full-tree", source, "--", *wanted)
    done = await repository.run(argv, stdout_bytes=_LISTING_BYTES)
    return [path for path in parse_names(done.stdout) if is_covered(path, paths)]
