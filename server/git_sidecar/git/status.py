"""The state of the worktree, by one `git status` (git-status(1))."""

from collections.abc import Sequence
from dataclasses import replace

from git_sidecar.git.diff_defaults import rename_limit
from git_sidecar.git.parse.status import StatusParser
from git_sidecar.git.repository import Repository
from git_sidecar.model.location import Location
from git_sidecar.model.refs import RepoPath
from git_sidecar.model.status import Status, Untracked

_STASH_HEADER_SINCE = (2, 35, 0)


async def read_status(
    repository: Repository,
    *,
    untracked: Untracked = Untracked.NORMAL,
    ignored: bool = False,
    paths: Sequence[RepoPath] = (),
) -> Status:
    """The status of the worktree, or of `paths` in it; takes no lock and leaves the index as it is.

    Raises GitRefused, with `bare_repository` where there is no work tree.
    """
    git = await repository.spawner.executable()
    limit = rename_limit(git.version)
    argv = [
        *("status", "--porcelain=v2", "-z", "--branch", "--show-stash", "--ahead-behind", "--renames"),
        f"--untracked-files={untracked.value}",
        f"--ignored={'traditional' if ignored else 'no'}",
    ]
    if not repository.trusted:
        # A submodule's own configuration could run programs.
        argv.append("--ignore-submodules=dirty")
    argv += ["--", *(path.text for path in paths)]
    # Staged submodules are shown whatever their `ignore` says; their work trees as `submodule.<name>.ignore` wants.
    config = (limit, ("status.renameLimit", limit[1]), ("diff.ignoreSubmodules", "none"))
    parser = StatusParser()
    await repository.run(argv, config=config, sink=parser)
    status = parser.finish()
    if status.stashes is None and git.version < _STASH_HEADER_SINCE:
        status = replace(status, stashes=_count_stashes(repository.location))
    return status


def _count_stashes(location: Location) -> int:
    try:
        return (location.common_dir / "logs" / "refs" / "stash").read_bytes().count(b"\n")
    except (FileNotFoundError, NotADirectoryError):
        return 0
