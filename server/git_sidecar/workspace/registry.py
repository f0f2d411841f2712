"""The repositories that calls may name, in the order of the editor's SCM list or of discovery."""

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from git_sidecar.model.repository import KnownRepository, RepositoryKind, RepositorySource, WorkspaceFolder
from git_sidecar.workspace.discovery import FoundRepository
from git_sidecar.workspace.pathtext import base_name, normalize, relative
from git_sidecar.workspace.uri import InvalidUri, path_from_uri, uri_from_path

# Whether the system's disks usually do not tell `App` from `app`; decides only which folder a root is labelled by.
_CASE_INSENSITIVE = sys.platform in ("win32", "darwin")


@dataclass(frozen=True, slots=True)
class Registry:
    """All known repositories in SCM order, and the workspace folders that relative paths start from.

    `skipped` holds the root URIs of the editor's list that name no directory of this machine.
    """

    folders: tuple[WorkspaceFolder, ...] = ()
    repositories: tuple[KnownRepository, ...] = ()
    skipped: tuple[str, ...] = ()


def folder_from_uri(uri: str, name: str | None = None, *, windows: bool = os.name == "nt") -> WorkspaceFolder:
    """The workspace folder that the client named; raises InvalidUri where it is no file URI."""
    path = normalize(path_from_uri(uri, windows=windows), windows=windows)
    return WorkspaceFolder(uri=uri, path=Path(path), name=name or base_name(path, windows=windows) or path)


def registry_from_editor(
    folders: Sequence[WorkspaceFolder],
    items: Sequence[Mapping[str, Any]],
    *,
    windows: bool = os.name == "nt",
    case_insensitive: bool = _CASE_INSENSITIVE,
) -> Registry:
    """The registry of an SCM list as `git/didChangeRepositories` carries it (wire contract, section 2).

    A root that is listed twice is one repository, selected if either is.
    """
    roots: dict[str, dict[str, Any]] = {}
    skipped: list[str] = []
    for item in items:
        uri = str(item["rootUri"])
        try:
            root = normalize(path_from_uri(uri, windows=windows), windows=windows)
        except InvalidUri:
            skipped.append(uri)
            continue
        if "\0" in root:
            skipped.append(uri)
            continue
        first = roots.setdefault(root, {**item, "selected": False})
        first["selected"] = first["selected"] or item.get("selected") is True
    labels = _Labels(tuple(folders), windows=windows, case_insensitive=case_insensitive)
    repositories = [
        labels.describe(
            root,
            root_uri=str(item["rootUri"]),
            label=item.get("label"),
            selected=bool(item["selected"]),
            kind=RepositoryKind(item.get("kind") or RepositoryKind.REPOSITORY),
            source=RepositorySource.EDITOR,
        )
        for root, item in roots.items()
    ]
    return Registry(tuple(folders), tuple(repositories), tuple(skipped))


def registry_from_discovery(
    folders: Sequence[WorkspaceFolder],
    found: Iterable[FoundRepository],
    *,
    windows: bool = os.name == "nt",
    case_insensitive: bool = _CASE_INSENSITIVE,
) -> Registry:
    """The registry of what discovery found; nothing is selected, for nobody has selected anything."""
    labels = _Labels(tuple(folders), windows=windows, case_insensitive=case_insensitive)
    repositories = [
        labels.describe(
            str(item.root),
            root_uri=uri_from_path(item.root, windows=windows),
            label=None,
            selected=False,
            kind=item.kind,
            source=RepositorySource.DISCOVERED,
        )
        for item in found
    ]
    return Registry(tuple(folders), tuple(repositories))


@dataclass(frozen=True, slots=True)
class _Labels:
    """How roots are labelled, given the workspace folders."""

    folders: tuple[WorkspaceFolder, ...]
    windows: bool
    case_insensitive: bool

    def describe(
        self,
        root: str,
        *,
        root_uri: str,
        label: str | None,
        selected: bool,
        kind: RepositoryKind,
        source: RepositorySource,
    ) -> KnownRepository:
        """The repository at `root`, with the label it was sent with or the one its place gives it."""
        folder, rest = self._find_folder(root)
        if folder is None:
            placed = base_name(root, windows=self.windows) or root
        else:
            start = base_name(str(folder.path), windows=self.windows) or str(folder.path)
            placed = f"{start.rstrip('/')}/{rest}" if rest else start
        return KnownRepository(
            label=label if label and label.strip() else placed,
            root=Path(root),
            root_uri=root_uri,
            selected=selected,
            kind=kind,
            source=source,
            relative_path=rest,
            folder_name=folder.name if folder else None,
        )

    def _find_folder(self, root: str) -> tuple[WorkspaceFolder | None, str | None]:
        """The innermost workspace folder that holds `root`, and the way from it; (None, None) outside every folder."""
        best: tuple[WorkspaceFolder | None, str | None] = (None, None)
        for folder in self.folders:
            rest = relative(root, str(folder.path), windows=self.windows, case_insensitive=self.case_insensitive)
            if rest is not None and (best[1] is None or len(rest) < len(best[1])):
                best = (folder, rest)
        return best
