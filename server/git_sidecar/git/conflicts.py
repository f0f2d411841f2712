"""A failure that left conflicts behind, with the paths and their kinds (git-status(1))."""

from dataclasses import replace

from git_sidecar.git.errors import GitRefused
from git_sidecar.git.repository import Repository
from git_sidecar.git.status import read_status
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.model.status import Untracked


async def with_conflicts(repository: Repository, refusal: Refusal, message: str, hint: str) -> GitRefused:
    """The error to raise for a refusal: `conflict` with the conflicting paths where there are any, else as it is."""
    status = await read_status(repository, untracked=Untracked.NO)
    if not status.conflicts:
        return GitRefused(refusal)
    found = replace(
        refusal, code=RefusalCode.CONFLICT, message=message, hint=hint, retry=None, conflicts=status.conflicts
    )
    return GitRefused(found)
