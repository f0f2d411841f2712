"""Snapshots: what a call can destroy, kept outside the repository before it runs, and where things stood after it.

A snapshot is a directory of its own, so that removing one touches no other:

    <name>/before/state.json   refs, HEAD, files in scope, as data (written last: without it there is no snapshot)
    <name>/before/index        the index file, byte for byte, with its time
    <name>/before/objects/     exact bytes of files, as loose git objects
    <name>/before/staged.pack  the objects that only the index named
    <name>/before/dropped.pack the objects that the call left without a ref (written after it)
    <name>/after/state.json, <name>/after/index

Decision record 0006 says why it is kept here and not in the repository.
"""

import asyncio
import json
import os
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from git_sidecar.model.location import Location
from git_sidecar.model.plan import Scope
from git_sidecar.store.capture import capture
from git_sidecar.store.index_file import Entries, UnreadableIndex, parse_index
from git_sidecar.store.objects import ChangedWhileRead, ObjectDirectory
from git_sidecar.store.packs import pack_dropped, pack_staged
from git_sidecar.store.port import Git, GitFailed
from git_sidecar.store.repository_files import read_object_format
from git_sidecar.store.scope import scope_coverage
from git_sidecar.store.standing import read_index_stamp
from git_sidecar.store.state import ABSENT, State
from git_sidecar.store.worktree_files import Identifier, TooLarge, WorktreeReader

_TRIES = 3
_NO_LIMIT = 1 << 62
_DROPPED = "dropped.pack"


@dataclass(frozen=True, slots=True)
class SnapshotRef:
    """A snapshot that was made: its name, and how many bytes it takes on the disk."""

    name: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class SnapshotFailed:
    """Why no snapshot could be made; a clause for the person: "… because <reason>"."""

    reason: str


class SnapshotGone(Exception):
    """The snapshot was pruned, or is damaged."""


@dataclass(frozen=True, slots=True)
class Kept:
    """One side of a snapshot, loaded: the state, and where its bytes lie."""

    state: State
    directory: Path

    def read_entries(self) -> Entries:
        """The index's entries. Raises SnapshotGone."""
        if not self.state.index:
            return {}
        try:
            return parse_index((self.directory / "index").read_bytes(), self.state.object_format)
        except (OSError, UnreadableIndex) as error:
            raise SnapshotGone(f"the index in {self.directory.name}: {error}") from error

    @property
    def objects(self) -> ObjectDirectory:
        """The exact bytes of files."""
        return ObjectDirectory(self.directory / "objects", self.state.object_format)


class _Moving(Exception):
    """The index changed while it was being copied."""


class Snapshots:
    """The snapshots under one directory, which all sidecar processes share."""

    def __init__(self, directory: Path) -> None:
        """Use the directory, which is made at the first snapshot."""
        self._directory = directory

    async def take(
        self, git: Git, scope: Scope, *, name: str, limit_bytes: int, undoing: str | None = None
    ) -> SnapshotRef | SnapshotFailed:
        """Keep what a call with this scope can destroy; nothing of the repository is touched.

        `limit_bytes` bounds the content of the files that are kept. `undoing` is the snapshot that the call will put
        back: whatever that knows is kept as well, even where git ignores it by now.
        """
        directory = self._directory / name / "before"
        try:
            compared = await asyncio.to_thread(self._load_sides, undoing) if undoing is not None else ()
            keeper = ObjectDirectory(directory / "objects", await asyncio.to_thread(read_object_format, git.location))
            state = await self._keep_side(git, scope, directory, keeper, limit_bytes=limit_bytes, compared=compared)
            await pack_staged(git, state.staged_ids, directory / "staged.pack")
            await asyncio.to_thread(_write_state, directory, state)
            return SnapshotRef(name, await asyncio.to_thread(_measure, self._directory / name))
        except (TooLarge, ChangedWhileRead, _Moving, GitFailed, SnapshotGone, OSError) as error:
            await asyncio.to_thread(self.remove, [name])
            return SnapshotFailed(_reason(error, limit_bytes))
        except BaseException:
            await asyncio.shield(asyncio.to_thread(self.remove, [name]))
            raise

    async def seal(self, git: Git, name: str) -> SnapshotRef:
        """Note where things stand after the call, and keep what it left without a ref.

        Raises SnapshotGone, GitFailed and OSError; the first half of the snapshot stays good in any case.
        """
        before = await asyncio.to_thread(self.load, name, "before")
        directory = self._directory / name / "after"
        try:
            keeper = Identifier(before.state.object_format)
            after = await self._keep_side(git, before.state.scope, directory, keeper, compared=(before,))
            await pack_dropped(git, before.state, before.objects, after, before.directory / _DROPPED)
        except (ChangedWhileRead, _Moving) as error:
            raise OSError("the repository changes too fast to be looked at") from error
        await asyncio.to_thread(_write_state, directory, after)
        return SnapshotRef(name, await asyncio.to_thread(_measure, self._directory / name))

    async def keep_dropped(self, git: Git, name: str) -> None:
        """Keep what a call that never came back left without a ref, so that `git gc` cannot take it.

        Raises SnapshotGone, GitFailed and OSError.
        """
        before = await asyncio.to_thread(self.load, name, "before")
        keeper = Identifier(before.state.object_format)
        now = await capture(git, Scope(()), keeper, limit_bytes=_NO_LIMIT, with_staged=False)
        if not await asyncio.to_thread((before.directory / _DROPPED).exists):
            await pack_dropped(git, before.state, before.objects, now, before.directory / _DROPPED)

    async def look(self, git: Git, sides: Sequence[Kept], directory: Path) -> Kept:
        """The state as it is now, in the form of a snapshot's side of which no content is kept.

        `sides` are what it is to be compared with, their scope the first one's; `directory` is a new one for the
        index's copy. Raises GitFailed, SnapshotGone and OSError.
        """
        keeper = Identifier(await asyncio.to_thread(read_object_format, git.location))
        try:
            state = await self._keep_side(git, sides[0].state.scope, directory, keeper, compared=sides)
        except (ChangedWhileRead, _Moving) as error:
            raise OSError("the repository changes too fast to be looked at") from error
        return Kept(state, directory)

    def load(self, name: str, side: str) -> Kept:
        """One side ("before" or "after") of a snapshot. Raises SnapshotGone."""
        directory = self._directory / name / side
        try:
            return Kept(State.from_json(json.loads((directory / "state.json").read_bytes())), directory)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise SnapshotGone(f"{name} ({side}): {error}") from error

    def _load_sides(self, name: str) -> tuple[Kept, ...]:
        sides = ("before", "after") if self.is_sealed(name) else ("before",)
        return tuple(self.load(name, side) for side in sides)

    def is_sealed(self, name: str) -> bool:
        """Whether it is known where things stood after the call."""
        return (self._directory / name / "after" / "state.json").exists()

    def list_names(self) -> tuple[str, ...]:
        """Every snapshot's name, the oldest first (names begin with their time)."""
        try:
            return tuple(sorted(path.name for path in self._directory.iterdir()))
        except FileNotFoundError:
            return ()

    def remove(self, names: Iterable[str]) -> None:
        """Remove snapshots; those that are gone already are no error."""
        for name in names:
            shutil.rmtree(self._directory / name, ignore_errors=True)

    async def _keep_side(
        self,
        git: Git,
        scope: Scope,
        directory: Path,
        keeper: ObjectDirectory | Identifier,
        *,
        limit_bytes: int = _NO_LIMIT,
        compared: Sequence[Kept] = (),
    ) -> State:
        if compared:
            # Their paths are looked at one by one, and their targets may be gone by now.
            scope = replace(scope, targets=())
        for tries_left in reversed(range(_TRIES)):
            try:
                await asyncio.to_thread(directory.mkdir, mode=0o700, parents=True, exist_ok=True)
                stamp = await _copy_index(git, directory)
                state = await capture(
                    git, scope, keeper, limit_bytes=limit_bytes, with_staged=isinstance(keeper, ObjectDirectory)
                )
                _refuse_moved(stamp, state)
                reader = WorktreeReader(git.location.root, keeper, limit_bytes)
                await asyncio.to_thread(_add_unlisted, Kept(state, directory), compared, reader)
            except (ChangedWhileRead, _Moving):
                if not tries_left:
                    raise
            else:
                return state
        raise AssertionError("the last try returns or raises")


def _add_unlisted(kept: Kept, compared: Sequence[Kept], reader: WorktreeReader) -> None:
    """Add what lies at paths that the compared sides know and git does not list here: files that are ignored now."""
    scope = kept.state.scope
    if scope.paths == () or not compared:
        return
    known = {path for side in compared for path in side.state.files}
    known |= {path.decode("utf-8", "surrogateescape") for path in _changed_paths((*compared, kept))}
    covers = scope_coverage(scope)
    entries: Entries | None = None
    for path in known - kept.state.files.keys():
        if not covers(path):
            continue
        entries = kept.read_entries() if entries is None else entries
        if path.encode("utf-8", "surrogateescape") not in entries and (found := reader.read(path)) != ABSENT:
            kept.state.files[path] = found


def _changed_paths(sides: Sequence[Kept]) -> set[bytes]:
    """Paths whose index entries are not the same on all sides."""
    if len({side.state.index for side in sides}) == 1:
        return set()
    first, *others = (side.read_entries() for side in sides)
    return {path for other in others for path in first.keys() | other.keys() if first.get(path) != other.get(path)}


def differs(before: Kept, after: Kept) -> bool:
    """Whether a call changed anything that a person would call a change; ORIG_HEAD alone is none."""
    was, now = before.state, after.state
    if (was.head, was.refs, was.stash, was.config, was.files) != (now.head, now.refs, now.stash, now.config, now.files):
        return True
    marks = ({name: mark for name, mark in side.marks.items() if name != "ORIG_HEAD"} for side in (was, now))
    if next(marks) != next(marks):
        return True
    return was.index != now.index and before.read_entries() != after.read_entries()


async def _copy_index(git: Git, directory: Path) -> str:
    """Copy the index with its time, which git compares files' times with; its stamp."""
    location = git.location
    stamp = "" if location.bare else await asyncio.to_thread(_copy_index_file, location, directory)
    if stamp and await asyncio.to_thread(_is_split, location):
        # The other half lies in the repository and is thrown away in its time: keep a whole one.
        times = await asyncio.to_thread(os.stat, directory / "index")
        await git.change(("update-index", "--no-split-index"), environment={"GIT_INDEX_FILE": str(directory / "index")})
        await asyncio.to_thread(os.utime, directory / "index", ns=(times.st_atime_ns, times.st_mtime_ns))
    return stamp


def _copy_index_file(location: Location, directory: Path) -> str:
    stamp = read_index_stamp(location)
    if not stamp:
        (directory / "index").unlink(missing_ok=True)
        return ""
    shutil.copy2(location.git_dir / "index", directory / "index")
    if read_index_stamp(location) != stamp:
        raise _Moving
    return stamp


def _is_split(location: Location) -> bool:
    return any(location.git_dir.glob("sharedindex.*"))


def _refuse_moved(stamp: str, state: State) -> None:
    if state.index != stamp:
        raise _Moving


def _write_state(directory: Path, state: State) -> None:
    temporary = directory / "state.json.new"
    temporary.write_text(json.dumps(state.to_json(), separators=(",", ":")), "ascii")
    temporary.replace(directory / "state.json")


def _measure(directory: Path) -> int:
    return sum(path.lstat().st_size for path in directory.rglob("*") if not path.is_dir())


def _reason(error: Exception, limit_bytes: int) -> str:
    match error:
        case TooLarge():
            return f"the files that it can overwrite hold more than {limit_bytes:,} bytes (undo.maxBytes)"
        case ChangedWhileRead() | _Moving():
            return "files keep changing while they are being copied"
        case OSError():
            return f"a file could not be copied: {error.strerror or error}"
        case _:
            return str(error)
