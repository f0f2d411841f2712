"""Finds repositories at, above and below the workspace folders, by looking at directories; no git is run."""

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from git_sidecar.model.repository import RepositoryKind
from git_sidecar.workspace.gitconfig import parse_flag
from git_sidecar.workspace.gitdir import (
    has_no_work_tree,
    is_git_directory,
    is_git_name,
    is_same_file,
    read_common_dir,
    read_git_entry,
    read_location_config,
)

VISIT_LIMIT = 20_000
"""How many directories below all folders together are looked into."""

_NEVER_ENTERED = ("node_modules",)


@dataclass(frozen=True, slots=True)
class FoundRepository:
    """A repository on disk: its root as reached from the folder, what its `.git` says it is, and whether it is bare."""

    root: Path
    kind: RepositoryKind
    bare: bool


@dataclass(frozen=True, slots=True)
class Discovery:
    """All that was found, outer before inner and alphabetical, and what a person should know about the search."""

    found: tuple[FoundRepository, ...]
    warnings: tuple[str, ...]


def discover(folders: Sequence[Path], *, depth: int, ceiling: Sequence[Path] = ()) -> tuple[FoundRepository, ...]:
    """The repositories of `search`, without its warnings."""
    return search(folders, depth=depth, ceiling=ceiling).found


def search(
    folders: Sequence[Path], *, depth: int, ceiling: Sequence[Path] = (), visit_limit: int = VISIT_LIMIT
) -> Discovery:
    """The repositories at or nearest above each folder, and up to `depth` levels below it.

    Above stops, as git does, at the folder's own file system and before the directories of `ceiling`
    (GIT_CEILING_DIRECTORIES). Below, links are not followed and `node_modules` and git directories not entered. A bare
    repository inside another repository is left out: it is content of that one. A directory that is reached twice
    counts once, under the first folder's spelling.
    """
    budget = _Budget(visit_limit)
    found: dict[str, FoundRepository] = {}
    for folder in folders:
        above = _find_at_or_above(folder, ceiling)
        for item in (*((above,) if above else ()), *_find_below(folder, depth, budget, inside=above is not None)):
            found.setdefault(os.path.realpath(item.root), item)
    warnings = (
        (f"only the first {visit_limit} directories below the workspace folders were searched for repositories",)
        if budget.spent
        else ()
    )
    return Discovery(tuple(sorted(found.values(), key=lambda item: item.root.parts)), warnings)


def inspect(directory: Path) -> FoundRepository | None:
    """The repository whose root is this very directory; None where it is none."""
    git_dir = read_git_entry(directory)
    if git_dir is not None and is_git_directory(git_dir):
        config = read_location_config(git_dir, read_common_dir(git_dir))
        return FoundRepository(directory, _read_kind(git_dir), bare=parse_flag(config, "core.bare") is True)
    if is_git_directory(directory):
        config = read_location_config(directory, read_common_dir(directory))
        if has_no_work_tree(directory, config):
            return FoundRepository(directory, RepositoryKind.REPOSITORY, bare=True)
    return None


def _read_kind(git_dir: Path) -> RepositoryKind:
    if git_dir.parent.name == "worktrees" and read_common_dir(git_dir) != git_dir:
        return RepositoryKind.WORKTREE
    for directory in git_dir.parents:
        if directory.name == "modules" and is_git_directory(directory.parent):
            return RepositoryKind.SUBMODULE
    return RepositoryKind.REPOSITORY


def _find_at_or_above(folder: Path, ceiling: Sequence[Path]) -> FoundRepository | None:
    """The nearest repository from `folder` upwards, spelled as the folder is wherever that names the same directory."""
    own = inspect(folder)
    if own is not None:
        return own
    try:
        real = Path(os.path.realpath(folder))
        device = real.stat().st_dev
        ceilings = {os.path.realpath(path) for path in ceiling}
        spelled = (*folder.parents, *real.parents[len(folder.parents) :])
        for directory, written in zip(real.parents, spelled, strict=False):
            if str(directory) in ceilings or directory.stat().st_dev != device:
                return None
            found = inspect(written if is_same_file(written, directory) else directory)
            if found is not None:
                return found
    except (OSError, ValueError):
        return None
    return None


class _Budget:
    """How many directories may still be looked into."""

    def __init__(self, limit: int) -> None:
        self._left = limit
        self.spent = False

    def take(self) -> bool:
        """Whether one more directory may be looked into."""
        self.spent = self._left <= 0
        self._left -= 1
        return not self.spent


def _find_below(folder: Path, depth: int, budget: _Budget, *, inside: bool) -> Iterator[FoundRepository]:
    """The repositories below a folder, level by level, so that what a spent budget leaves out is the deepest."""
    level = [(folder, inside)]
    for _ in range(depth):
        deeper: list[tuple[Path, bool]] = []
        for directory, enclosed in level:
            for child in _list_directories(directory):
                if not budget.take():
                    return
                found = inspect(child)
                if found is None:
                    deeper.append((child, enclosed))
                else:
                    deeper.append((child, True))
                    if not (found.bare and enclosed):
                        yield found
        level = deeper


def _list_directories(directory: Path) -> list[Path]:
    """The directories in a directory that may be entered, by name; none where it cannot be read."""
    try:
        if is_git_directory(directory):
            return []
        with os.scandir(directory) as entries:
            names = [entry.name for entry in entries if _is_entered(entry)]
    except OSError:
        return []
    return [directory / name for name in sorted(names)]


def _is_entered(entry: os.DirEntry[str]) -> bool:
    if entry.name in _NEVER_ENTERED or is_git_name(entry.name):
        return False
    try:
        if not entry.is_dir(follow_symlinks=False):
            return False
        # A junction of Windows is a link too, but no symbolic one.
        attributes = getattr(entry.stat(follow_symlinks=False), "st_file_attributes", 0)
    except OSError:
        return False
    return not attributes & stat.FILE_ATTRIBUTE_REPARSE_POINT
