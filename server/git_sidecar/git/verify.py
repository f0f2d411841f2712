"""Does git see the same repository that we located? (git-hazards: core.worktree, includes, a `.git` that moved)."""

import os
from pathlib import Path

from git_sidecar.git.errors import GitRefused
from git_sidecar.git.repository import Repository
from git_sidecar.model.refusal import Refusal, RefusalCode


def _same_file(one: Path, other: Path) -> bool:
    try:
        return os.path.samestat(one.stat(), other.stat())
    except OSError:
        return False


async def verify_location(repository: Repository) -> None:
    """Ask git for its git directory and work tree and compare; raises GitRefused(unsafe_repository) where they differ.

    Configuration can come from included files, so only git knows what core.worktree is in the end.
    """
    location = repository.location
    asked = ("--absolute-git-dir",) if location.bare else ("--absolute-git-dir", "--show-toplevel")
    done = await repository.run(("rev-parse", *asked))
    paths = [Path(os.fsdecode(line)) for line in done.stdout.split(b"\n")[: len(asked)]]
    expected = [location.git_dir] if location.bare else [location.git_dir, location.root]
    for found, known in zip(paths, expected, strict=True):
        if not _same_file(found, known):
            raise GitRefused(
                Refusal(
                    RefusalCode.UNSAFE_REPOSITORY,
                    f"git works in {found} for the repository at {known}: its configuration points elsewhere",
                    "Check core.worktree (git config --show-origin core.worktree) and unset it if it is not meant.",
                )
            )
