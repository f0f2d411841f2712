"""What the client told us of its workspace: folders, SCM list, trust and settings. Replaced whole, never patched."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from git_sidecar.model.repository import KnownRepository, WorkspaceFolder
from git_sidecar.settings.load import InvalidSettings, Narrowed, Problem, Raw, load_settings, narrow
from git_sidecar.settings.schema import Settings
from git_sidecar.workspace.discovery import search
from git_sidecar.workspace.registry import Registry, folder_from_uri, registry_from_discovery, registry_from_editor
from git_sidecar.workspace.uri import InvalidUri

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SettingsState:
    """The last good settings of the user, what is wrong with newer ones, and each folder's wishes by folder URI."""

    user: Settings
    invalid: InvalidSettings | None
    workspace: Mapping[str, Raw]


def is_inside(path: Path, directory: Path) -> bool:
    """Whether `path` is `directory` or below it, by their names."""
    return path == directory or directory in path.parents


class WorkspaceState:
    """The client's workspace; the one place that remembers it."""

    def __init__(self, *, ceilings: Sequence[Path], home: Path | None) -> None:
        """Start with no folder; `ceilings` stop discovery from climbing (GIT_CEILING_DIRECTORIES)."""
        self.home = home
        self.trusted = True
        self.settings = SettingsState(Settings.model_validate({}), None, {})
        self._ceilings = tuple(ceilings)
        self._folders: tuple[WorkspaceFolder, ...] = ()
        self._listed: Sequence[Mapping[str, Any]] | None = None
        self._registry: Registry | None = None
        self._narrowed: dict[tuple[str, ...], Narrowed] = {}

    @property
    def folders(self) -> tuple[WorkspaceFolder, ...]:
        """The workspace folders, in the client's order."""
        return self._folders

    @property
    def listed(self) -> bool:
        """Whether the client has sent its SCM list; without one repositories are discovered."""
        return self._listed is not None

    def set_folders(self, folders: Sequence[tuple[str, str | None]]) -> None:
        """Take the workspace folders, as (URI, name); a URI that is no file's has no repositories here."""
        known: list[WorkspaceFolder] = []
        for uri, name in folders:
            try:
                known.append(folder_from_uri(uri, name))
            except InvalidUri:
                continue
        self._folders = tuple(known)
        self._registry = None

    def set_repositories(self, items: Sequence[Mapping[str, Any]]) -> None:
        """Take the editor's SCM list."""
        self._listed = tuple(items)
        self._registry = None

    def load_settings(self, user: Raw | None, workspace: Mapping[str, Raw] | None) -> InvalidSettings | None:
        """Take new settings; invalid ones leave the last good in force, for reads only, and are returned."""
        loaded = load_settings(user)
        wishes = dict(workspace or {})
        self._narrowed.clear()
        if isinstance(loaded, InvalidSettings):
            self.settings = SettingsState(self.settings.user, loaded, wishes)
            return loaded
        if loaded.discovery != self.settings.user.discovery:
            self._registry = None
        self.settings = SettingsState(loaded, None, wishes)
        return None

    def settings_for(self, known: KnownRepository | None) -> Settings:
        """The settings that hold for a repository: the user's, narrowed by each folder that holds it or lies in it."""
        return self._narrow(known).settings

    def ignored_wishes(self) -> dict[str, tuple[Problem, ...]]:
        """What each folder's settings asked for and may not have, by folder URI."""
        ignored = {uri: narrow(self.settings.user, raw).ignored for uri, raw in self.settings.workspace.items()}
        return {uri: problems for uri, problems in ignored.items() if problems}

    def _narrow(self, known: KnownRepository | None) -> Narrowed:
        # Settings files of an untrusted workspace are not read (wire contract, section 7).
        wishes = self.settings.workspace
        if not self.trusted or not wishes:
            return Narrowed(self.settings.user, ())
        uris = tuple(
            folder.uri
            for folder in self._folders
            if folder.uri in wishes
            and (known is None or is_inside(known.root, folder.path) or is_inside(folder.path, known.root))
        )
        narrowed = self._narrowed.get(uris)
        if narrowed is None:
            narrowed = Narrowed(self.settings.user, ())
            for uri in uris:
                narrowed = narrow(narrowed.settings, wishes[uri])
            self._narrowed[uris] = narrowed
        return narrowed

    def set_trust(self, *, trusted: bool) -> None:
        """Take the editor's word on workspace trust."""
        self.trusted = trusted
        self._narrowed.clear()

    def registry(self) -> Registry:
        """The known repositories: the editor's list, else what was discovered."""
        if self._registry is None:
            if self._listed is not None:
                self._registry = registry_from_editor(self._folders, self._listed)
                for uri in self._registry.skipped:
                    logger.warning("the editor listed %s, which is no directory of this machine", uri)
            else:
                self._registry = self.rediscover()
        return self._registry

    def rediscover(self) -> Registry:
        """Look again, where the client sends no list: a repository may have been made or removed meanwhile."""
        if self._listed is None:
            found = search(
                [folder.path for folder in self._folders],
                depth=self.settings.user.discovery.depth,
                ceiling=self._ceilings,
            )
            for warning in found.warnings:
                logger.warning("discovery: %s", warning)
            self._registry = registry_from_discovery(self._folders, found.found)
            return self._registry
        return self.registry()

    def allowed_roots(self) -> tuple[Path, ...]:
        """What every path of a call is held to: the workspace folders and the known repositories."""
        registry = self.registry()
        return tuple(
            dict.fromkeys(
                [*(folder.path for folder in registry.folders), *(item.root for item in registry.repositories)]
            )
        )
