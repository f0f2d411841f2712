"""Objects that a call can leave without a ref, copied out of the repository into packs (git-pack-objects(1))."""

import asyncio
from collections.abc import Iterable
from pathlib import Path

from git_sidecar.store.objects import ObjectDirectory
from git_sidecar.store.port import Git
from git_sidecar.store.repository_files import find_object_ids, is_partial_clone
from git_sidecar.store.state import State

_PACK = ("pack-objects", "-q", "--stdout", "--delta-base-offset")
# A header and the longest trailer: a pack without objects (gitformat-pack(5)).
_EMPTY_PACK_BYTES = 12 + 32


async def pack_staged(git: Git, ids: Iterable[str], target: Path) -> None:
    """Copy the objects that only the index names; no file is made where there are none. Raises GitFailed, OSError."""
    wanted = set(ids)
    if wanted and await asyncio.to_thread(is_partial_clone, git.location):
        # What a promisor remote holds is no loss, and packing it would fetch it.
        wanted = await _existing(git, wanted)
    if wanted:
        await git.save(_PACK, target, stdin=_lines(sorted(wanted)))


async def pack_dropped(git: Git, before: State, kept: ObjectDirectory, after: State, target: Path) -> None:
    """Copy every object that was reachable before a call and is not after it; no file where there is none.

    `kept` holds the notes of the state before: the stash's list and the operation in progress, which name commits that
    no ref does. Raises GitFailed and OSError.
    """
    still = _tips(after)
    tips = _tips(before)
    if (before.stash, before.marks) != (after.stash, after.marks):
        tips |= await _existing(git, await asyncio.to_thread(_ids_in_notes, before, kept))
    if tips <= still:
        return
    partial = await asyncio.to_thread(is_partial_clone, git.location)
    options = ("--revs", "--exclude-promisor-objects") if partial else ("--revs",)
    revisions = [*sorted(tips - still), *(f"^{object_id}" for object_id in sorted(still))]
    size = await git.save((*_PACK, *options), target, stdin=_lines(revisions))
    if size <= _EMPTY_PACK_BYTES:
        await asyncio.to_thread(target.unlink)


def _tips(state: State) -> set[str]:
    tips = {ref.object_id for ref in state.refs.values()}
    return tips if state.commit is None else tips | {state.commit}


def _ids_in_notes(state: State, kept: ObjectDirectory) -> set[str]:
    ids = (state.stash, *(mark.object_id for mark in state.marks.values()))
    return find_object_ids(kept.read_bytes(object_id) for object_id in ids if object_id)


async def _existing(git: Git, ids: set[str]) -> set[str]:
    """Those of the ids that are objects here: notes also hold ids of what is gone."""
    if not ids:
        return set()
    listed = await git.read(("cat-file", "--batch-check"), stdin=_lines(sorted(ids)))
    rows = (line.decode().split(" ") for line in listed.split(b"\n") if line)
    return {row[0] for row in rows if row[-1] != "missing"}


def _lines(words: Iterable[str]) -> bytes:
    return "".join(f"{word}\n" for word in words).encode()
