"""A disk in memory, with the rules of any system, and short ways to write registries."""

import ntpath
import posixpath
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from git_sidecar.model.refusal import Refusal
from git_sidecar.model.repository import WorkspaceFolder
from git_sidecar.workspace.registry import Registry, registry_from_editor
from git_sidecar.workspace.uri import uri_from_path


@dataclass(frozen=True)
class FakeDisk:
    """Directories, files and links as absolute normalized paths; parents of what is listed exist too."""

    directories: frozenset[str] = frozenset()
    files: frozenset[str] = frozenset()
    links: Mapping[str, str] = field(default_factory=dict[str, str])
    windows: bool = False
    case_insensitive: bool = False

    def identify(self, path: str) -> Hashable | None:
        """The real path in the disk's own spelling rules; None where nothing is."""
        real = self._key(self.resolve(path))
        known = {self._key(item) for item in self.files} | {
            self._key(item) for entry in (*self.directories, *self.files) for item in self._line(entry)
        }
        return real if real in known else None

    def is_directory(self, path: str) -> bool:
        """Whether it exists and is not one of the files."""
        real = self._key(self.resolve(path))
        return self.identify(path) is not None and real not in {self._key(item) for item in self.files}

    def resolve(self, path: str) -> str:
        """The path with every link on the way replaced."""
        flavour = ntpath if self.windows else posixpath
        current = flavour.normpath(path)
        for _ in range(10):
            for item in reversed(self._line(current)):
                target = self.links.get(item)
                if target is not None:
                    current = flavour.normpath(target + current[len(item) :])
                    break
            else:
                break
        return current

    def _line(self, path: str) -> list[str]:
        flavour = ntpath if self.windows else posixpath
        line = [path]
        while flavour.dirname(line[-1]) != line[-1]:
            line.append(flavour.dirname(line[-1]))
        return line

    def _key(self, path: str) -> str:
        return path.casefold() if self.case_insensitive else path


def disk_of(*directories: str, files: Iterable[str] = (), links: Mapping[str, str] | None = None) -> FakeDisk:
    """A POSIX disk that tells case apart."""
    return FakeDisk(frozenset(directories), frozenset(files), dict(links or {}))


def windows_disk(*directories: str, files: Iterable[str] = ()) -> FakeDisk:
    """A Windows disk, blind to case."""
    return FakeDisk(frozenset(directories), frozenset(files), {}, windows=True, case_insensitive=True)


def folder(path: str, name: str | None = None, *, windows: bool = False) -> WorkspaceFolder:
    """A workspace folder, named after its directory unless told otherwise."""
    flavour = ntpath if windows else posixpath
    return WorkspaceFolder(uri_from_path(path, windows=windows), Path(path), name or flavour.basename(path))


def listed(
    *roots: str | tuple[str, str], folders: Iterable[str] = (), selected: str | None = None, windows: bool = False
) -> Registry:
    """A registry as the editor's list gives it; roots alone or (root, label)."""
    pairs = [(item, None) if isinstance(item, str) else item for item in roots]
    items = [
        {"rootUri": uri_from_path(root, windows=windows), "label": label, "selected": root == selected}
        for root, label in pairs
    ]
    return registry_from_editor(
        [folder(path, windows=windows) for path in folders], items, windows=windows, case_insensitive=windows
    )


def root_of(answer: object) -> str:
    """The root of the repository that was matched; the refusal's code where none was."""
    if isinstance(answer, Refusal):
        return answer.code.value
    return str(getattr(answer, "root"))  # noqa: B009


def marks(answer: object) -> list[tuple[str, bool]]:
    """The candidates of a refusal: root and whether it matches, in order."""
    assert isinstance(answer, Refusal)
    assert answer.candidates is not None
    return [(item.root, item.matches) for item in answer.candidates]
