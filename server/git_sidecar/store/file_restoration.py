"""Files of the work tree put back, byte and mode exact; nothing outside the work tree is ever written.

What was kept is written from our own copy. What the index vouches for is written by git (git-checkout-index(1)), with
the filters and line ends that it was checked out with.
"""

import asyncio
import os
import secrets
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path

from git_sidecar.store.objects import ObjectDirectory
from git_sidecar.store.port import Git
from git_sidecar.store.snapshots import Kept
from git_sidecar.store.state import ABSENT, FileKind, FileState
from git_sidecar.store.undo_plan import GITLINK, Content, Indexed

_ATTRIBUTES = ".gitattributes"


class WayBlocked(OSError):
    """Something that must not be removed or followed stands where a file is to be put back."""


async def restore_files(git: Git, before: Kept, files: Mapping[str, Content]) -> None:
    """Make each path what it is to be. Raises GitFailed and OSError; then some may have been put back."""
    root = git.location.root
    gone = [path for path, content in files.items() if content == ABSENT]
    kept = {path: content for path, content in files.items() if isinstance(content, FileState) and content != ABSENT}
    indexed = {path: content for path, content in files.items() if isinstance(content, Indexed)}
    gitlinks = [path for path, content in indexed.items() if content.mode == GITLINK]
    checked_out = [path for path in indexed if path not in gitlinks]
    await asyncio.to_thread(_remove_all, root, gone)
    await asyncio.to_thread(_write_all, root, before.objects, kept)
    await asyncio.to_thread(_make_directories, root, gitlinks)
    # Attributes decide how the other files are written, so they come first.
    attributes = [path for path in checked_out if path.rpartition("/")[2] == _ATTRIBUTES]
    others = [path for path in checked_out if path.rpartition("/")[2] != _ATTRIBUTES]
    for paths in (attributes, others):
        if paths:
            await asyncio.to_thread(_clear_way, root, paths)
            await git.change(
                ("checkout-index", "-f", "-q", "-z", "--stdin"),
                stdin=b"".join(path.encode("utf-8", "surrogateescape") + b"\0" for path in paths),
                environment={"GIT_INDEX_FILE": str(before.directory / "index")},
            )


def _remove_all(root: Path, paths: Iterable[str]) -> None:
    for path in sorted(paths, reverse=True):
        place = root / path
        if not _has_real_parent(root, path):
            continue
        try:
            if stat.S_ISDIR(place.lstat().st_mode):
                # A submodule's directory, or one that kept files are gone from: only if nothing is left in it.
                _remove_if_empty(place)
            else:
                place.unlink()
        except FileNotFoundError:
            continue
        prune_empty(root, Path(path).parent)


def _write_all(root: Path, objects: ObjectDirectory, files: Mapping[str, FileState]) -> None:
    for path, content in files.items():
        place = root / path
        ensure_directory(root, Path(path).parent)
        if content.kind is FileKind.DIRECTORY:
            place.mkdir(exist_ok=True)
            place.chmod(content.mode)
            continue
        _clear_directory(place)
        temporary = place.with_name(f".git-sidecar-{secrets.token_hex(8)}")
        try:
            if content.kind is FileKind.LINK:
                temporary.symlink_to(os.fsdecode(objects.read_bytes(content.object_id)))
            else:
                with temporary.open("xb") as target:
                    objects.copy_to(content.object_id, target)
                temporary.chmod(content.mode)
            temporary.replace(place)
        finally:
            temporary.unlink(missing_ok=True)


def _make_directories(root: Path, paths: Iterable[str]) -> None:
    for path in paths:
        ensure_directory(root, Path(path).parent)
        (root / path).mkdir(exist_ok=True)


def _clear_way(root: Path, paths: Iterable[str]) -> None:
    for path in paths:
        ensure_directory(root, Path(path).parent)
        _clear_directory(root / path)


def _clear_directory(place: Path) -> None:
    """Remove what is left of a directory that stands where a file is to be: empty directories and nothing else."""
    if place.is_dir() and not place.is_symlink():
        for directory, _, files in os.walk(place, topdown=False):
            if files:
                raise WayBlocked(f"{directory} holds files and stands where a file is to be put back")
            Path(directory).rmdir()


def ensure_directory(root: Path, inner: Path) -> None:
    """Make the directories below the root, none of them through a symbolic link."""
    place = root
    for part in inner.parts:
        place /= part
        try:
            mode = place.lstat().st_mode
        except FileNotFoundError:
            place.mkdir()
            continue
        if not stat.S_ISDIR(mode):
            raise WayBlocked(f"{place} is no directory, and files are to be put back below it")


def _has_real_parent(root: Path, path: str) -> bool:
    place = root
    for part in Path(path).parent.parts:
        place /= part
        try:
            if not stat.S_ISDIR(place.lstat().st_mode):
                return False
        except FileNotFoundError:
            return False
    return True


def prune_empty(root: Path, inner: Path) -> None:
    # git leaves no directory behind that held nothing but what it removed.
    while inner.parts and _remove_if_empty(root / inner):
        inner = inner.parent


def _remove_if_empty(place: Path) -> bool:
    try:
        place.rmdir()
    except OSError:
        return False
    return True
