"""Submodules put back into the work tree, or taken out of it, as `git rm` and `git mv` do (gitsubmodules(7)).

What a submodule has checked out is not kept: its git directory, which those commands leave alone, has it all.
"""

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path

from git_sidecar.store.file_restoration import ensure_directory, prune_empty
from git_sidecar.store.listings import parse_paths
from git_sidecar.store.port import Git, GitFailed
from git_sidecar.store.snapshots import Kept
from git_sidecar.store.state import Submodule

_EVERYTHING = ("status", "--porcelain=v2", "-z", "--untracked-files=all", "--ignored", "--ignore-submodules=none")


async def restore_submodules(git: Git, before: Kept, now: Sequence[Submodule]) -> None:
    """Put submodules that were removed or moved back into their places, from their git directories."""
    present = {submodule.path for submodule in now}
    elsewhere = {submodule.git_dir: submodule for submodule in now}
    for submodule in before.state.submodules:
        if submodule.path in present or not await asyncio.to_thread(Path(submodule.git_dir).is_dir):
            continue
        place = git.location.root / submodule.path
        moved = elsewhere.get(submodule.git_dir)
        await asyncio.to_thread(_make_room, git.location.root, submodule, moved)
        config = await asyncio.to_thread(before.objects.read_bytes, submodule.config_id)
        await asyncio.to_thread((Path(submodule.git_dir) / "config").write_bytes, config)
        pointer = submodule.pointer.encode("utf-8", "surrogateescape")
        await asyncio.to_thread((place / ".git").write_bytes, pointer)
        if moved is None:
            await git.change(("checkout-index", "-f", "-q", "-a"), directory=place)


async def remove_submodules(git: Git, before: Kept, now: Sequence[Submodule]) -> None:
    """Take out what is checked out of submodules that were not there, unless anything in them is not committed."""
    paths = {submodule.path for submodule in before.state.submodules}
    git_dirs = {submodule.git_dir for submodule in before.state.submodules}
    for submodule in now:
        if submodule.path in paths or submodule.git_dir in git_dirs:
            continue
        place = git.location.root / submodule.path
        try:
            uncommitted = await git.read(_EVERYTHING, directory=place)
            tracked = await git.read(("ls-files", "-z"), directory=place)
        except GitFailed:
            # A submodule that git cannot read is none whose files could be told from work.
            continue
        if not uncommitted:
            await asyncio.to_thread(_take_out, place, parse_paths(tracked))
            await asyncio.to_thread(prune_empty, git.location.root, Path(submodule.path))


def _take_out(place: Path, tracked: Iterable[str]) -> None:
    for path in (*tracked, ".git"):
        (place / path).unlink(missing_ok=True)
        prune_empty(place, Path(path).parent)


def _make_room(root: Path, submodule: Submodule, moved: Submodule | None) -> None:
    place = root / submodule.path
    ensure_directory(root, Path(submodule.path).parent)
    if moved is None:
        place.mkdir(exist_ok=True)
        return
    if place.is_dir() and not place.is_symlink():
        place.rmdir()
    (root / moved.path).rename(place)
    prune_empty(root, Path(moved.path).parent)
