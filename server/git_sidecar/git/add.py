"""Staging whole files (git-add(1))."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from git_sidecar.git.index_entries import is_covered, read_tracked
from git_sidecar.git.repository import Repository
from git_sidecar.git.writing import read_warnings, run_write
from git_sidecar.model.refs import RepoPath
from git_sidecar.model.status import Status


@dataclass(frozen=True, slots=True)
class Sorted:
    """Paths that were named for staging: those that can be, and those that cannot with the reason."""

    paths: tuple[RepoPath, ...]
    skipped: tuple[tuple[RepoPath, str], ...]


NOT_FOUND = "not_found"
IGNORED = "ignored"
EMPTY_DIRECTORY = "empty_directory"


async def sort_paths(repository: Repository, paths: Sequence[RepoPath], status: Status) -> Sorted:
    """Which of the paths git can stage, given the status of them with all untracked files. Raises GitRefused.

    git would stop at the first path that is unknown and complain of ignored ones after staging the others.
    """
    ignored = await _read_ignored(repository, paths)
    tracked = await read_tracked(repository, paths)
    staged: list[RepoPath] = []
    skipped: list[tuple[RepoPath, str]] = []
    for path in dict.fromkeys(paths):
        place = repository.location.root / path.text
        if path in ignored:
            skipped.append((path, IGNORED))
        elif any(is_covered(item, (path,)) for item in (*tracked, *status.untracked)):
            staged.append(path)
        elif (reason := _find_reason(place)) is not None:
            skipped.append((path, reason))
        else:
            staged.append(path)
    return Sorted(tuple(staged), tuple(skipped))


def _find_reason(place: Path) -> str | None:
    """Why git would not know what lies at a place; None for a file."""
    if not os.path.lexists(place):
        return NOT_FOUND
    return EMPTY_DIRECTORY if place.is_dir() and not place.is_symlink() else None


async def _read_ignored(repository: Repository, paths: Sequence[RepoPath]) -> frozenset[RepoPath]:
    """Those of the paths that the ignore files name and the index does not (git-check-ignore(1))."""
    if not paths:
        return frozenset()
    # check-ignore takes no wildcards, but magic it would; and it knows no word for "literal".
    names = b"".join(b"./" + path.raw + b"\0" for path in paths)
    done = await repository.run(
        ("check-ignore", "-z", "--stdin"), stdin=names, ok=(0, 1), environment={"GIT_LITERAL_PATHSPECS": "0"}
    )
    return frozenset(RepoPath.from_bytes(name[2:]) for name in done.stdout.split(b"\0") if name)


async def add_paths(repository: Repository, paths: Sequence[RepoPath]) -> tuple[str, ...]:
    """Stage all that changed in the paths, deleted files too; git's warnings. Raises GitRefused, the index unchanged.

    An embedded repository becomes a link to its commit, of which a warning speaks.
    """
    return read_warnings(await run_write(repository, ("add", "--all"), paths=paths))


async def add_all(repository: Repository) -> tuple[str, ...]:
    """Stage all that changed in the work tree, new and deleted files too; git's warnings. Raises GitRefused."""
    return read_warnings(await run_write(repository, ("add", "--all")))
