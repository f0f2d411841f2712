"""From a name to a repository that git may run in: matched, located, checked."""

import os
from dataclasses import dataclass
from pathlib import Path

from git_sidecar.git.process import Spawner
from git_sidecar.git.repository import Deadlines, Repository
from git_sidecar.git.verify import verify_location
from git_sidecar.model.location import Location
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.model.repository import KnownRepository
from git_sidecar.service.workspace_state import WorkspaceState
from git_sidecar.settings.schema import Settings
from git_sidecar.workspace.location import locate
from git_sidecar.workspace.workdir import choose_repository

# What changes when a repository is moved, replaced or reconfigured.
_Signature = tuple[tuple[int, int, int, int], ...]


@dataclass(frozen=True, slots=True)
class Workplace:
    """The repository of a call, ready for git, and the directory within it that relative paths start from."""

    known: KnownRepository
    repository: Repository
    directory: str
    settings: Settings


@dataclass(slots=True)
class _Located:
    signature: _Signature
    location: Location
    verified: bool = False


def _sign(*paths: Path) -> _Signature:
    signature: list[tuple[int, int, int, int]] = []
    for path in paths:
        try:
            status = os.stat(path)  # noqa: PTH116 - three of these on every warm call; pathlib doubles their cost
        except OSError:
            signature.append((0, 0, 0, 0))
        else:
            signature.append((status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size))
    return tuple(signature)


class Repositories:
    """Finds, locates and opens repositories; remembers a location while its files stay as they were."""

    def __init__(self, workspace: WorkspaceState, spawner: Spawner) -> None:
        """Serve the given workspace with the given git."""
        self.spawner = spawner
        self._workspace = workspace
        self._located: dict[Path, _Located] = {}

    def choose(
        self, repository: str | None, workdir: str | None = None, *, allow_file: bool = False
    ) -> tuple[KnownRepository, str] | Refusal:
        """Which known repository and directory are meant; git is not run."""
        home = self._workspace.home
        registry = self._workspace.registry()
        chosen = choose_repository(repository, workdir, registry, home=home, allow_file=allow_file)
        missed = isinstance(chosen, Refusal) and chosen.code in (
            RefusalCode.UNKNOWN_REPOSITORY,
            RefusalCode.NO_REPOSITORY_SELECTED,
        )
        if missed and not self._workspace.listed:
            registry = self._workspace.rediscover()
            chosen = choose_repository(repository, workdir, registry, home=home, allow_file=allow_file)
        return chosen

    async def open(self, known: KnownRepository, directory: str = "", *, verify: bool = False) -> Workplace | Refusal:
        """Locate a known repository on disk. git confirms the place at the first use, and each time with `verify`.

        Raises GitRefused where git sees another place than we do.
        """
        located = self._locate(known.root)
        if isinstance(located, Refusal):
            return located
        settings = self._workspace.settings_for(known)
        repository = Repository(
            located.location,
            self.spawner,
            self._workspace.trusted,
            Deadlines(settings.timeout_ms / 1_000, settings.network_timeout_ms / 1_000),
        )
        if verify or not located.verified:
            await verify_location(repository)
            located.verified = True
        return Workplace(known, repository, directory, settings)

    def _locate(self, root: Path) -> _Located | Refusal:
        known = self._located.get(root)
        if known is not None and known.signature == self._signature(root, known.location):
            return known
        location = locate(root, opened=[folder.path for folder in self._workspace.folders])
        if isinstance(location, Refusal):
            self._located.pop(root, None)
            return location
        located = _Located(self._signature(root, location), location)
        self._located[root] = located
        return located

    @staticmethod
    def _signature(root: Path, location: Location) -> _Signature:
        return _sign(root if location.bare else root / ".git", location.git_dir, location.common_dir / "config")
