"""Where a repository's parts lie on disk."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Location:
    """The resolved places of one worktree: its root, its own git directory, and the one that worktrees share.

    For a bare repository `root` and `git_dir` are the same directory.
    """

    root: Path
    git_dir: Path
    common_dir: Path
    bare: bool
