"""What the index holds, and what a call changed in it (git-ls-files(1), git-diff(1) "raw output format")."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from git_sidecar.git.diff_defaults import PATCH_CONFIG, PATCH_OPTIONS, rename_limit
from git_sidecar.git.parse.names import parse_names
from git_sidecar.git.parse.raw_diff import parse_raw_records
from git_sidecar.git.repository import Repository
from git_sidecar.model.changes import ABSENT_MODE, SUBMODULE_MODE, ChangeStatus, RawChange
from git_sidecar.model.refs import RepoPath

_LISTING_BYTES = 256 * 1024 * 1024

# A command line holds more paths than this everywhere; beyond it the whole tree is listed and filtered here.
_MOST_PATHSPECS = 200

IndexSide = tuple[str, str]
"""Mode and object id of a path in the index."""


@dataclass(frozen=True, slots=True)
class IndexChange:
    """A path whose index entry a call changed; `old_path` where git sees a rename."""

    path: RepoPath
    status: ChangeStatus
    old_path: RepoPath | None = None
    submodule: bool = False


@dataclass(frozen=True, slots=True)
class IndexState:
    """How the index differs from HEAD: the sides of each path that differs, and the renames that git sees."""

    head_sides: Mapping[RepoPath, IndexSide]
    index_sides: Mapping[RepoPath, IndexSide]
    unmerged: frozenset[RepoPath]
    renames: Mapping[RepoPath, RepoPath]


def is_covered(path: RepoPath, paths: Iterable[RepoPath]) -> bool:
    """Whether a path is one of `paths` or lies below one."""
    return any(item.text in (".", path.text) or path.text.startswith(f"{item.text}/") for item in paths)


def pathspecs_of(paths: Sequence[RepoPath]) -> tuple[str, ...]:
    """The paths as arguments of a read; none where they would not fit, which means the whole tree."""
    return tuple(path.text for path in paths) if len(paths) <= _MOST_PATHSPECS else ()


async def read_tracked(repository: Repository, paths: Sequence[RepoPath]) -> list[RepoPath]:
    """The paths in the index that `paths` cover, each once."""
    done = await repository.run(("ls-files", "-z", "--", *pathspecs_of(paths)), stdout_bytes=_LISTING_BYTES)
    listed = dict.fromkeys(parse_names(done.stdout))
    return [path for path in listed if is_covered(path, paths)]


async def read_index_listing(repository: Repository, paths: Sequence[RepoPath]) -> bytes:
    """The index entries that `paths` cover, as `git ls-files --stage -z` prints them."""
    done = await repository.run(("ls-files", "--stage", "-z", "--", *pathspecs_of(paths)), stdout_bytes=_LISTING_BYTES)
    return done.stdout


def parse_index_listing(listing: bytes) -> dict[RepoPath, tuple[bytes, ...]]:
    """Mode, object id and stage of each path's entries, as `git ls-files --stage -z` prints them. Pure."""
    entries: dict[RepoPath, tuple[bytes, ...]] = {}
    for record in listing.split(b"\0"):
        if record:
            fields, _, name = record.partition(b"\t")
            path = RepoPath.from_bytes(name)
            entries[path] = (*entries.get(path, ()), fields)
    return entries


async def read_index_state(repository: Repository, paths: Sequence[RepoPath] = ()) -> IndexState:
    """How the index differs from HEAD in `paths` (none: everywhere). Raises GitRefused."""
    git = await repository.spawner.executable()
    argv = ("diff", "--cached", "--raw", "--no-abbrev", "-z", *PATCH_OPTIONS, "--", *pathspecs_of(paths))
    done = await repository.run(argv, config=(*PATCH_CONFIG, rename_limit(git.version)), stdout_bytes=_LISTING_BYTES)
    return make_index_state(parse_raw_records(done.stdout))


def make_index_state(records: Iterable[RawChange]) -> IndexState:
    """The state that the records of `git diff --cached --raw` tell; a rename is a deletion and an addition. Pure."""
    head: dict[RepoPath, IndexSide] = {}
    index: dict[RepoPath, IndexSide] = {}
    unmerged: set[RepoPath] = set()
    renames: dict[RepoPath, RepoPath] = {}
    for record in records:
        old = (record.old_mode, record.old_oid)
        nothing = (ABSENT_MODE, "0" * len(record.old_oid))
        if record.status is ChangeStatus.UNMERGED:
            unmerged.add(record.path)
            head[record.path] = old
        elif record.status is ChangeStatus.RENAMED and record.old_path is not None:
            renames[record.path] = record.old_path
            head[record.old_path], index[record.old_path] = old, nothing
            head[record.path], index[record.path] = nothing, (record.new_mode, record.new_oid)
        else:
            # A copy's source is another path, of which this record says nothing.
            head[record.path] = nothing if record.status is ChangeStatus.COPIED else old
            index[record.path] = (record.new_mode, record.new_oid)
    return IndexState(head, index, frozenset(unmerged), renames)


def compare_index(before: IndexState, after: IndexState) -> list[IndexChange]:
    """What changed in the index between two states that share their HEAD, by path. Pure."""
    changed: dict[RepoPath, IndexChange] = {}
    for path in {*before.head_sides, *after.head_sides}:
        head = before.head_sides.get(path) or after.head_sides[path]
        was = None if path in before.unmerged else before.index_sides.get(path, head)
        now = None if path in after.unmerged else after.index_sides.get(path, head)
        if was != now:
            changed[path] = IndexChange(path, _status(was, now), submodule=_is_gitlink(was, now))
    for path, old_path in after.renames.items():
        if path in changed and old_path in changed and before.renames.get(path) != old_path:
            del changed[old_path]
            changed[path] = IndexChange(path, ChangeStatus.RENAMED, old_path, changed[path].submodule)
    return sorted(changed.values(), key=lambda change: change.path.raw)


def _is_gitlink(*sides: IndexSide | None) -> bool:
    return any(side is not None and side[0] == SUBMODULE_MODE for side in sides)


def _status(was: IndexSide | None, now: IndexSide | None) -> ChangeStatus:
    if now is None:
        return ChangeStatus.UNMERGED
    if now[0] == ABSENT_MODE:
        return ChangeStatus.DELETED
    if was is None:
        return ChangeStatus.MODIFIED
    if was[0] == ABSENT_MODE:
        return ChangeStatus.ADDED
    return ChangeStatus.MODIFIED if was[0][:2] == now[0][:2] else ChangeStatus.TYPE_CHANGED
