"""Repositories as the editor and git know them."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class RepositoryKind(StrEnum):
    """What kind of work tree a root is."""

    REPOSITORY = "repository"
    SUBMODULE = "submodule"
    WORKTREE = "worktree"


class RepositorySource(StrEnum):
    """Who told us of the repository."""

    EDITOR = "editor"
    DISCOVERED = "discovered"


@dataclass(frozen=True, slots=True)
class WorkspaceFolder:
    """A workspace folder of the editor: its URI as sent, its path on disk, its display name."""

    uri: str
    path: Path
    name: str


@dataclass(frozen=True, slots=True)
class KnownRepository:
    """A repository that a call may name; `root` is the path as the client or discovery wrote it, not resolved."""

    label: str
    root: Path
    root_uri: str
    selected: bool
    kind: RepositoryKind
    source: RepositorySource
    relative_path: str | None
    folder_name: str | None
