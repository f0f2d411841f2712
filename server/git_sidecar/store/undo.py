"""Undoing: refs, HEAD, index, files, stash list and an operation in progress put back as a snapshot kept them.

The order is chosen for a crash in the middle: objects first, which harm nobody; then the refs in one transaction that
expects what is there now; files last, of which each is written beside its place and renamed. The caller has made a
snapshot of the present first, so that whatever point is reached can itself be undone.
"""

import asyncio
import hashlib
import json
import tempfile
from dataclasses import dataclass
from pathlib import Path

from git_sidecar.model.location import Location
from git_sidecar.model.plan import Scope
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.store.file_restoration import restore_files
from git_sidecar.store.index_file import IndexEntry
from git_sidecar.store.lock_file import LockHeld, replace_locked
from git_sidecar.store.port import Git
from git_sidecar.store.ref_restoration import restore_head, restore_refs, restore_stash_log
from git_sidecar.store.snapshots import Kept, SnapshotGone, Snapshots
from git_sidecar.store.standing import read_index_stamp
from git_sidecar.store.state import State
from git_sidecar.store.submodule_restoration import remove_submodules, restore_submodules
from git_sidecar.store.undo_plan import Restoration, plan_restoration

# As git itself does for a fetch (fetch.unpackLimit): few objects loose, many as a pack.
_UNPACK_LIMIT = 100
_PACK_COUNT = slice(8, 12)  # gitformat-pack(5): signature, version, number of objects


@dataclass(frozen=True, slots=True)
class PutBack:
    """What was put back: full ref names, HEAD's content if it changed, paths, and whether the other parts were."""

    refs: tuple[str, ...]
    head: str | None
    files: tuple[str, ...]
    index: bool
    stash: bool
    operation: bool


@dataclass(frozen=True, slots=True)
class _Planned:
    plan: Restoration
    before: Kept
    now: Kept


class IndexMoved(Exception):
    """Somebody staged something while the undo was under way."""


@dataclass(frozen=True, slots=True)
class PlannedUndo:
    """What undoing would do: the plan, what the snapshot covers, and a hash of the present that it was made for."""

    restoration: Restoration
    scope: Scope
    present: str


async def plan_undo(git: Git, snapshots: Snapshots, name: str) -> PlannedUndo | Refusal:
    """What undoing the snapshot's operation would do now; `cannot_undo` where it is gone or would lose newer work.

    Raises GitFailed and OSError.
    """
    with tempfile.TemporaryDirectory(prefix="git-sidecar-") as scratch:
        try:
            planned = await _plan(git, snapshots, name, Path(scratch))
            if isinstance(planned, Refusal):
                return planned
            present = await asyncio.to_thread(_identify, planned.now)
        except SnapshotGone as error:
            return _gone(error)
    return PlannedUndo(planned.plan, planned.before.state.scope, present)


def _identify(now: Kept) -> str:
    """A hash of the state and of what the index says, which a mere refresh of the index leaves as it is."""
    state = {**now.state.to_json(), "index": [f"{path!r}{entry}" for path, entry in sorted(now.read_entries().items())]}
    return hashlib.sha256(json.dumps(state, sort_keys=True).encode("ascii")).hexdigest()


async def restore(git: Git, snapshots: Snapshots, name: str, *, message: str) -> PutBack | Refusal:
    """Undo the snapshot's operation; `message` goes into the reflogs.

    Nothing is changed unless everything can be put back without losing newer work. Raises GitFailed and OSError, after
    which some parts may have been put back.
    """
    with tempfile.TemporaryDirectory(prefix="git-sidecar-") as scratch:
        try:
            planned = await _plan(git, snapshots, name, Path(scratch))
            if isinstance(planned, Refusal):
                return planned
            return await _put_back(git, planned, Path(scratch), message)
        except SnapshotGone as error:
            return _gone(error)
        except LockHeld as error:
            return Refusal(
                RefusalCode.REPOSITORY_LOCKED,
                f"another git process holds {error.path.name}",
                "Try again when it has ended; if none runs, remove the lock file by hand.",
            )
        except IndexMoved:
            return Refusal(RefusalCode.CANNOT_UNDO, "the index changed while the undo was under way", "Try again.")


async def _plan(git: Git, snapshots: Snapshots, name: str, scratch: Path) -> _Planned | Refusal:
    sides = [await asyncio.to_thread(snapshots.load, name, "before")]
    if await asyncio.to_thread(snapshots.is_sealed, name):
        sides.append(await asyncio.to_thread(snapshots.load, name, "after"))
    now = await snapshots.look(git, sides, scratch / "now")
    # An operation that was interrupted left no word of its result: what stands now is taken for it.
    before, after = sides[0], sides[-1] if len(sides) > 1 else now
    plan = await asyncio.to_thread(plan_restoration, git.location.root, before, after, now)
    if plan.lost:
        return Refusal(
            RefusalCode.CANNOT_UNDO,
            "undoing this would lose newer work: " + "; ".join(plan.lost),
            "Undo the later operations first, or put aside what is listed.",
        )
    return _Planned(plan, before, now)


async def _put_back(git: Git, planned: _Planned, scratch: Path, message: str) -> PutBack:
    plan, before, location = planned.plan, planned.before, git.location
    for pack in ("staged.pack", "dropped.pack"):
        await _bring_objects(git, before.directory / pack)
    # The index also notes each file's size: a file that is put back must not be held against that of another content.
    index_is_due = bool(plan.entries or plan.files) and not location.bare
    index = await _prepare_index(git, planned, scratch) if index_is_due else None
    await restore_refs(git, plan.refs, message)
    if plan.head is not None:
        await restore_head(git, plan.head, message)
    if index_is_due:
        await asyncio.to_thread(_install_index, location, index, planned.now.state.index)
    if plan.files:
        await restore_files(git, before, plan.files)
    if plan.submodules:
        await restore_submodules(git, before, planned.now.state.submodules)
        await remove_submodules(git, before, planned.now.state.submodules)
    await asyncio.to_thread(_restore_notes, location, before, plan, planned.now.state)
    if plan.stash and before.state.stash is not None:
        await restore_stash_log(git, before.objects.read_bytes(before.state.stash), before.state.refs)
    return PutBack(
        refs=tuple(step.name for step in plan.refs),
        head=plan.head,
        files=tuple(plan.files),
        index=bool(plan.entries),
        stash=plan.stash,
        operation=plan.marks,
    )


async def _bring_objects(git: Git, pack: Path) -> None:
    """Give the repository back the objects that were kept; those that it has are left alone."""
    if not await asyncio.to_thread(pack.exists):
        return
    content = await asyncio.to_thread(pack.read_bytes)
    count = int.from_bytes(content[_PACK_COUNT], "big")
    if count <= _UNPACK_LIMIT:
        await git.change(("unpack-objects", "-q"), stdin=content)
    else:
        await git.change(("index-pack", "--stdin", "--fix-thin"), stdin=content)


async def _prepare_index(git: Git, planned: _Planned, scratch: Path) -> Path | None:
    """The index that is to be, as a file; None where there is to be none."""
    plan, before = planned.plan, planned.before
    if plan.whole_index:
        return before.directory / "index" if before.state.index else None
    prepared = scratch / "index"
    if planned.now.state.index:
        prepared.write_bytes(await asyncio.to_thread((planned.now.directory / "index").read_bytes))
    removed = "0" * (64 if before.state.object_format == "sha256" else 40)
    lines: list[bytes] = []
    for path, entries in _entries_to_write(planned).items():
        lines.append(b"0 %s\t%s\0" % (removed.encode(), path))
        lines += [b"%o %s %d\t%s\0" % (entry.mode, entry.object_id.encode(), entry.stage, path) for entry in entries]
    if lines:
        await git.change(
            ("update-index", "-z", "--index-info"),
            stdin=b"".join(lines),
            environment={"GIT_INDEX_FILE": str(prepared)},
        )
    return prepared


def _entries_to_write(planned: _Planned) -> dict[bytes, tuple[IndexEntry, ...]]:
    """What the index gets; for files that are put back, the entries that it has, so that git forgets their sizes."""
    plan = planned.plan
    now = planned.now.read_entries()
    forgotten: dict[bytes, tuple[IndexEntry, ...]] = {}
    for text in plan.files:
        path = text.encode("utf-8", "surrogateescape")
        if path in now and not any(entry.is_flagged for entry in now[path]):
            forgotten[path] = now[path]
    return {**forgotten, **plan.entries}


def _install_index(location: Location, new: Path | None, expected_stamp: str) -> None:
    def check() -> None:
        if read_index_stamp(location) != expected_stamp:
            raise IndexMoved

    if new is None:
        replace_locked(location.git_dir / "index", None, check=check)
        return
    times = new.stat()
    # git takes a file for unchanged when it is older than the index; with a newer time an index could hide a change.
    times_ns = (times.st_atime_ns, times.st_mtime_ns)
    replace_locked(location.git_dir / "index", new.read_bytes(), times_ns=times_ns, check=check)


def _restore_notes(location: Location, before: Kept, plan: Restoration, now: State) -> None:
    """The operation in progress, and the configuration."""
    state = before.state
    if plan.config and state.config is not None:
        replace_locked(location.common_dir / "config", before.objects.read_bytes(state.config))
    if not plan.marks:
        return
    for name in sorted(now.marks.keys() - state.marks.keys(), reverse=True):
        place = location.git_dir / name
        place.unlink(missing_ok=True)
        if place.parent != location.git_dir and not any(place.parent.iterdir()):
            place.parent.rmdir()
    for name, mark in state.marks.items():
        if now.marks.get(name) != mark:
            place = location.git_dir / name
            place.parent.mkdir(parents=True, exist_ok=True)
            temporary = place.with_name(f"{place.name}.git-sidecar")
            temporary.write_bytes(before.objects.read_bytes(mark.object_id))
            temporary.chmod(mark.mode)
            temporary.replace(place)


def _gone(error: SnapshotGone) -> Refusal:
    return Refusal(
        RefusalCode.CANNOT_UNDO,
        f"what was kept for undoing this is not there any more ({error})",
        "Old snapshots are pruned (undo.keepDays, undo.maxBytes); git's reflog may still help.",
    )
