"""What putting changes away would take, and what a stash entry holds; reads only."""

from collections.abc import Sequence

from git_sidecar.git.head_state import read_head
from git_sidecar.git.index_entries import is_covered, read_tracked
from git_sidecar.git.repository import Repository
from git_sidecar.git.status import read_status
from git_sidecar.model.refs import RepoPath
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.model.status import Untracked
from git_sidecar.tools.printable import counted


async def find_stashable(
    repository: Repository, paths: Sequence[RepoPath], *, include_untracked: bool
) -> tuple[RepoPath, ...] | Refusal:
    """The paths whose changes would be put away. Raises GitRefused."""
    if (await read_head(repository)).commit is None:
        return Refusal(RefusalCode.NOTHING_TO_DO, "there is no commit yet, so nothing can be stashed")
    status = await read_status(repository, untracked=Untracked.ALL if include_untracked else Untracked.NO, paths=paths)
    if status.conflicts:
        return Refusal(
            RefusalCode.CONFLICT,
            f"{counted(len(status.conflicts), 'path')} with conflicts cannot be stashed",
            "Resolve them first, or abort the operation.",
            conflicts=status.conflicts,
        )
    found = [*(entry.path for entry in status.entries), *status.untracked]
    if paths:
        known = [*await read_tracked(repository, paths), *found]
        missing = [path.text for path in paths if not any(is_covered(item, (path,)) for item in known)]
        if missing:
            return Refusal(
                RefusalCode.PATH_NOT_FOUND,
                f"git knows no such path: {', '.join(repr(name) for name in missing)}",
                "New files need includeUntracked: true.",
            )
    if not found:
        return Refusal(RefusalCode.NOTHING_TO_DO, "there are no local changes to stash")
    return tuple(sorted(found, key=lambda path: path.raw))
