"""Scratch repositories opened by our own code."""

from pathlib import Path

from git_sidecar.git.process import Spawner
from git_sidecar.git.repository import Deadlines, Repository
from git_sidecar.model.refusal import Refusal
from git_sidecar.workspace.location import locate


def open_repository(
    root: Path, spawner: Spawner, *, trusted: bool = True, deadlines: Deadlines | None = None
) -> Repository:
    """The repository at `root`, located as the service locates it."""
    location = locate(root)
    assert not isinstance(location, Refusal), location
    return Repository(location, spawner, trusted, deadlines or Deadlines())
