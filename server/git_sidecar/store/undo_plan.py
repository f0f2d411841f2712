"""What undoing an operation would put back, and what newer work it would lose. Pure but for looking at the disk.

Three states are compared: before the operation, after it, and now. What the operation did not change is left alone;
what it changed is put back where it still stands as the operation left it; where it does not, somebody has worked
since, and undoing is refused with a list.
"""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from git_sidecar.store.index_file import Entries, IndexEntry
from git_sidecar.store.repository_files import STASH_REF
from git_sidecar.store.scope import scope_coverage
from git_sidecar.store.snapshots import Kept
from git_sidecar.store.state import ABSENT, FileKind, FileState, RefState, State

GITLINK = 0o160000
_LINK = 0o120000
_TYPE = 0o170000
_EXECUTABLE = 0o111
_LOW_32_BITS = 0xFFFFFFFF
_REMOTE = "refs/remotes/"
_NOT_WORK = frozenset({"ORIG_HEAD"})
_MOST_NAMED = 50


@dataclass(frozen=True, slots=True)
class Indexed:
    """A path whose content is what the index says: octal mode and object id; the file's size where git noted it."""

    mode: int
    object_id: str
    size: int = field(default=0, compare=False)


Content = FileState | Indexed
"""What lies at a path of the work tree; ABSENT where nothing does."""


@dataclass(frozen=True, slots=True)
class RefStep:
    """One ref to put back: what it holds now, and what it held; None where there is none."""

    name: str
    now: RefState | None
    wanted: RefState | None


@dataclass(frozen=True, slots=True)
class Restoration:
    """All that undoing does; empty parts are left alone.

    `entries` is what the index gets by path (an empty tuple removes it); `whole_index`: it is as the operation left it,
    so the file that was kept can take its place. `lost` names the newer work that stands in the way.
    """

    refs: tuple[RefStep, ...]
    head: str | None
    stash: bool
    marks: bool
    config: bool
    entries: dict[bytes, tuple[IndexEntry, ...]]
    whole_index: bool
    files: dict[str, Content]
    submodules: bool
    lost: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to put back."""
        parts = (self.refs, self.head, self.stash, self.marks, self.config, self.entries, self.files, self.submodules)
        return not any(parts)


def plan_restoration(root: Path, before: Kept, after: Kept, now: Kept) -> Restoration:
    """Compare the three states. Raises SnapshotGone."""
    was, left, stands = before.state, after.state, now.state
    lost: list[str] = []
    refs = tuple(_plan_refs(was, left, stands, lost))
    head = was.head if was.head not in (left.head, stands.head) else None
    if head is not None and stands.head != left.head:
        lost.append(f"HEAD is at {stands.head.removeprefix('ref: refs/heads/')} now")
    stash = was.stash not in (left.stash, stands.stash)
    if stash and stands.stash != left.stash:
        lost.append("the stash has changed since")
    marks = _plan_marks(was, left, stands, lost)
    indexes = (before.read_entries(), after.read_entries(), now.read_entries())
    entries = dict(_plan_entries(indexes, lost))
    files = dict(_plan_files(root, (was, left, stands), indexes, lost))
    if (entries or files) and (stands.head, stands.commit) != (left.head, left.commit):
        lost.append(f"HEAD moved from {_short(left.commit)} to {_short(stands.commit)} since")
    whole = indexes[1] == indexes[2]
    if entries and not whole and any(_is_flagged(indexes, path) for path in entries):
        lost.append("the index has changed since, and flags that only git can set are at stake")
    return Restoration(
        refs=refs,
        head=head,
        stash=stash,
        marks=marks,
        # Configuration is put back where nobody has touched it since, and is no reason to refuse.
        config=was.config != left.config and stands.config == left.config and was.config is not None,
        entries=entries,
        whole_index=whole,
        files=files,
        submodules=was.submodules not in (left.submodules, stands.submodules),
        lost=_cut(lost),
    )


def content_of(state: State, entries: Entries, path: str) -> Content:
    """What lies at a path, by a snapshot's side: kept bytes, what the index says, or nothing."""
    kept = state.files.get(path)
    if kept is not None:
        return kept
    found = entries.get(path.encode("utf-8", "surrogateescape"), ())
    if len(found) != 1 or found[0].stage or found[0].intent_to_add or found[0].skip_worktree:
        return ABSENT
    entry = found[0]
    return ABSENT if entry.mode & _TYPE == stat.S_IFDIR else Indexed(entry.mode, entry.object_id, entry.size)


def _plan_refs(was: State, left: State, stands: State, lost: list[str]) -> Iterator[RefStep]:
    for name in sorted(was.refs.keys() | left.refs.keys()):
        wanted, result, now = was.refs.get(name), left.refs.get(name), stands.refs.get(name)
        if wanted in (result, now) or (name == STASH_REF and stands.stash != left.stash):
            continue
        if now == result:
            yield RefStep(name, now, wanted)
        elif not name.startswith(_REMOTE):
            # What a later fetch brought is no work, and the next one brings it again.
            moved = f"from {_short(result and result.object_id)} to {_short(now and now.object_id)}"
            lost.append(f"{name} moved {moved} since")


def _plan_marks(was: State, left: State, stands: State, lost: list[str]) -> bool:
    if was.marks in (left.marks, stands.marks):
        return False
    newer = [
        name
        for name in sorted(was.marks.keys() | left.marks.keys() | stands.marks.keys())
        if name not in _NOT_WORK and stands.marks.get(name) not in (left.marks.get(name), was.marks.get(name))
    ]
    if newer:
        lost.append(f"the operation in progress has gone on since ({newer[0]})")
    return True


def _plan_entries(
    indexes: tuple[Entries, Entries, Entries], lost: list[str]
) -> Iterator[tuple[bytes, tuple[IndexEntry, ...]]]:
    before, after, now = indexes
    for path in sorted(before.keys() | after.keys()):
        wanted, result = before.get(path, ()), after.get(path, ())
        stands = now.get(path, ())
        if wanted in (result, stands):
            continue
        if stands != result:
            lost.append(f"{path.decode('utf-8', 'replace')} has been staged anew since")
        yield path, wanted


def _plan_files(
    root: Path, states: tuple[State, State, State], indexes: tuple[Entries, Entries, Entries], lost: list[str]
) -> Iterator[tuple[str, Content]]:
    scope = states[0].scope
    if scope.paths == ():
        return
    covers = scope_coverage(scope)
    wanted: dict[str, Content] = {}
    known: set[str] = set()
    for path in sorted(_candidates(states, indexes)):
        if not covers(path):
            continue
        was, left, stands = (content_of(state, entries, path) for state, entries in zip(states, indexes, strict=True))
        if _same(was, left) or _same(stands, was):
            continue
        if not _same(stands, left):
            lost.append(f"{path} has changed since")
        wanted[path] = was
        if stands != ABSENT:
            known.add(path)
    removed = {path for path, content in wanted.items() if content == ABSENT}
    for path, content in wanted.items():
        if content != ABSENT:
            lost += [
                f"{place} stands where {path} was"
                for place in _occupants(root, path, is_gitlink=_is_gitlink(content))
                if not (place in removed or (place == path and path in known))
            ]
    yield from wanted.items()


def _occupants(root: Path, path: str, *, is_gitlink: bool) -> Iterator[str]:
    """Files that lie where `path`, or a directory above it, is to be; below it too, if it is a directory now."""
    parts = path.split("/")
    for depth in range(1, len(parts) + 1):
        place = "/".join(parts[:depth])
        try:
            status = os.lstat(root / place)
        except (FileNotFoundError, NotADirectoryError):
            return
        if not stat.S_ISDIR(status.st_mode):
            yield place
            return
    if not is_gitlink:
        for directory, _, files in os.walk(root / path):
            inner = Path(directory).relative_to(root).as_posix()
            yield from (f"{inner}/{file}" for file in files)


def _candidates(states: tuple[State, State, State], indexes: tuple[Entries, Entries, Entries]) -> set[str]:
    before, after, _ = indexes
    paths = set(states[0].files) | set(states[1].files)
    if before != after:
        changed = (path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
        paths.update(path.decode("utf-8", "surrogateescape") for path in changed)
    return paths


def _is_gitlink(content: Content) -> bool:
    return isinstance(content, Indexed) and content.mode == GITLINK


def _same(one: Content, other: Content) -> bool:
    """Whether two contents are the same bytes and mode, however they are told."""
    if one == other or (_is_gitlink(one) and _is_gitlink(other)):
        # The superproject's calls leave a submodule's own work tree as it is.
        return True
    if isinstance(one, FileState) and isinstance(other, FileState):
        return one.kind is other.kind is FileKind.LINK and one.object_id == other.object_id
    file, indexed = (one, other) if isinstance(one, FileState) else (other, one)
    if not isinstance(file, FileState) or not isinstance(indexed, Indexed) or file.object_id != indexed.object_id:
        return False
    if file.kind is FileKind.LINK:
        return indexed.mode == _LINK
    # The index's object is the *cleaned* content: a file of another size has line ends or filters of its own.
    sizes = file.size & _LOW_32_BITS == indexed.size
    return sizes and file.kind is FileKind.FILE and bool(file.mode & _EXECUTABLE) == bool(indexed.mode & _EXECUTABLE)


def _is_flagged(indexes: tuple[Entries, Entries, Entries], path: bytes) -> bool:
    return any(entry.is_flagged for entries in indexes for entry in entries.get(path, ()))


def _short(commit: str | None) -> str:
    return "nothing" if not commit else commit[:10]


def _cut(lost: list[str]) -> tuple[str, ...]:
    if len(lost) <= _MOST_NAMED:
        return tuple(lost)
    return (*lost[:_MOST_NAMED], f"and {len(lost) - _MOST_NAMED} more")
