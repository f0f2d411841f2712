"""What is staged: `git diff --cached`, its files, and where the repository stood (wire contract, section 3)."""

import hashlib

from git_sidecar.git.diff_defaults import PATCH_CONFIG, PATCH_OPTIONS, rename_limit
from git_sidecar.git.head_state import read_head, read_operation
from git_sidecar.git.parse.diff_stream import DiffStream
from git_sidecar.git.parse.line_cut import CutLimits
from git_sidecar.git.repository import Repository
from git_sidecar.model.diff import StagedDiff
from git_sidecar.model.fingerprint import Fingerprint

# One process prints the records, whose hash identifies what is staged, and the patch; the patch is byte for byte the
# one that is printed without --raw.
ARGV: tuple[str, ...] = ("diff", "--cached", "--raw", "--no-abbrev", "-p", "-z", *PATCH_OPTIONS)

# HEAD may move while git reads it; then diff and HEAD would not belong together. Twice in a row is not waited for.
_TRIES = 3


# The same records without the patch, for whoever only wants to know whether something has moved.
IDENTITY_ARGV: tuple[str, ...] = ("diff", "--cached", "--raw", "--no-abbrev", "-z", *PATCH_OPTIONS)


async def read_fingerprint(repository: Repository) -> Fingerprint:
    """HEAD, branch and what is staged; a bare repository stages nothing."""
    head = await read_head(repository)
    if repository.location.bare:
        return Fingerprint(head, hashlib.sha256().hexdigest())
    git = await repository.spawner.executable()
    done = await repository.run(IDENTITY_ARGV, config=(*PATCH_CONFIG, rename_limit(git.version)))
    return Fingerprint(head, hashlib.sha256(done.stdout).hexdigest())


async def read_staged_diff(repository: Repository, limits: CutLimits, *, file_budget: int | None = None) -> StagedDiff:
    """The staged diff, cut at `limits` or at `file_budget` characters a file; never asks, never waits for a lock."""
    git = await repository.spawner.executable()
    config = (*PATCH_CONFIG, rename_limit(git.version))
    head = await read_head(repository)
    tries = 0
    while True:
        stream = DiffStream(limits=limits, file_budget=file_budget)
        await repository.run(ARGV, config=config, sink=stream)
        now, before = await read_head(repository), head
        head, tries = now, tries + 1
        if now == before or tries == _TRIES:
            break
    return StagedDiff(
        diff=stream.finish(),
        fingerprint=Fingerprint(head, hashlib.sha256(stream.raw).hexdigest()),
        operation=read_operation(repository.location),
    )
