"""Reading a repository's state for a snapshot: refs, index, operation in progress, and the files that could be lost.

Of a clean tracked file the index says all there is to know, so only what git calls changed or untracked is read, plus
what git's word does not cover: files named by the call, files that git was told not to look at, and files whose line
ends a checkout would not bring back.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from git_sidecar.model.location import Location
from git_sidecar.model.plan import Scope
from git_sidecar.store import listings
from git_sidecar.store.port import Git
from git_sidecar.store.repository_files import (
    commit_of_head,
    keep_config,
    keep_marks,
    keep_stash,
    keep_submodules,
    read_head_content,
    read_object_format,
)
from git_sidecar.store.scope import scope_coverage, scope_names
from git_sidecar.store.standing import read_index_stamp
from git_sidecar.store.state import ABSENT, FileState, State
from git_sidecar.store.worktree_files import Keeper, WorktreeReader

_MOST_PATHSPECS = 500
# Line ends and permissions are looked for in every file: in some 20,000 of them, beyond which a person would wait.
_LISTING_BYTES = 1024 * 1024
_STATUS = ("status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=dirty")
_STAGED = (
    "diff",
    "--cached",
    "--raw",
    "-z",
    "--no-abbrev",
    "--no-renames",
    "--no-ext-diff",
    "--ignore-submodules=dirty",
)
_CONVERSION = ("config", "-z", "--get-regexp", r"^core\.(autocrlf|eol|attributesfile)$")


@dataclass(frozen=True, slots=True)
class _Listed:
    """What git said of the work tree."""

    status: bytes = b""
    flagged: bytes = b""
    line_ends: bytes = b""
    overwritten: bytes = b""
    conversion: Mapping[str, str] = field(default_factory=dict[str, str])


async def capture(git: Git, scope: Scope, keeper: Keeper, *, limit_bytes: int, with_staged: bool) -> State:
    """The state of the repository as far as `scope` reaches, every file's bytes given to `keeper`.

    `with_staged` also lists the objects that only the index names. Raises GitFailed, TooLarge, ChangedWhileRead and
    OSError.
    """
    async with _group() as group:
        refs = group.create_task(git.read(("for-each-ref", listings.REFS_FORMAT)))
        listed = group.create_task(_list_worktree(git, scope))
        staged = group.create_task(_list_staged(git, wanted=with_staged))
        gitlinks = group.create_task(_list_gitlinks(git))
    location = git.location

    def assemble() -> State:
        all_refs = listings.parse_refs(refs.result())
        head = read_head_content(location)
        files = _read_files(WorktreeReader(location.root, keeper, limit_bytes), scope, listed.result())
        return State(
            object_format=read_object_format(location),
            head=head,
            commit=commit_of_head(head, all_refs),
            refs=all_refs,
            stash=keep_stash(location, keeper),
            marks=keep_marks(location, keeper),
            config=keep_config(location, keeper),
            index="" if location.bare else read_index_stamp(location),
            files=files,
            submodules=keep_submodules(location, gitlinks.result(), keeper),
            scope=scope,
            staged_ids=staged.result(),
        )

    return await asyncio.to_thread(assemble)


@asynccontextmanager
async def _group() -> AsyncGenerator[asyncio.TaskGroup]:
    """Tasks of which the first failure ends the others and is raised as it is."""
    try:
        async with asyncio.TaskGroup() as group:
            yield group
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None


async def _list_worktree(git: Git, scope: Scope) -> _Listed:
    if git.location.bare or scope.paths == ():
        return _Listed()
    paths = _pathspecs(scope)
    status = (*_STATUS, *(("--ignored=matching",) if scope.ignored else ()), "--", *paths)
    async with _group() as group:
        listed = group.create_task(git.read(status))
        flagged = group.create_task(git.read(("ls-files", "-v", "-z", "--", *paths)))
        settings = group.create_task(git.read(_CONVERSION, ok=(0, 1)))
    conversion = listings.parse_conversion(settings.result())
    line_ends = b""
    is_small = len(flagged.result()) <= _LISTING_BYTES
    if is_small and await asyncio.to_thread(_converts_line_ends, git.location, conversion, listed.result()):
        line_ends = await git.read(("ls-files", "--eol", "-z", "--", *paths))
    overwritten = b"".join([await _list_overwritten(git, target) for target in scope.targets])
    return _Listed(listed.result(), flagged.result(), line_ends, overwritten, conversion)


async def _list_overwritten(git: Git, target: str) -> bytes:
    """The paths that a commit has and HEAD has not: ignored files there would be overwritten without a word."""
    head = await git.read(("rev-parse", "--quiet", "--verify", "HEAD^{commit}"), ok=(0, 1, 128))
    if not head:
        return await git.read(("ls-tree", "-r", "-z", "--name-only", target))
    added = ("diff-tree", "-r", "-z", "--no-renames", "--diff-filter=A", "--name-only", "HEAD", target)
    return await git.read(added)


def _pathspecs(scope: Scope) -> tuple[str, ...]:
    # More would not fit a command line everywhere; the whole tree is then listed, and filtered here.
    paths = scope.paths or ()
    return tuple(path.text for path in paths) if len(paths) <= _MOST_PATHSPECS else ()


def _converts_line_ends(location: Location, conversion: Mapping[str, str], status: bytes) -> bool:
    if conversion or b".gitattributes" in status or (location.common_dir / "info" / "attributes").exists():
        return True
    if any(location.git_dir.glob("sharedindex.*")):
        # A split index tells only a part of its names.
        return True
    try:
        index = (location.git_dir / "index").read_bytes()
    except FileNotFoundError:
        return False
    # Version 4 of the index stores names by what they do not share with the name before.
    return b"gitattributes" in index or b"tributes\0" in index


async def _list_staged(git: Git, *, wanted: bool) -> tuple[str, ...]:
    if not wanted or git.location.bare:
        return ()
    staged = listings.parse_staged(await git.read(_STAGED))
    ids = set(staged.ids)
    if staged.unmerged:
        stages = listings.parse_stages(await git.read(("ls-files", "-u", "-z")))
        ids.update(object_id for mode, object_id in stages.values() if mode != "160000")
    return tuple(sorted(ids))


async def _list_gitlinks(git: Git) -> tuple[str, ...]:
    """The submodules' paths; nothing is run where there can be none."""
    location = git.location
    if location.bare or not ((location.root / ".gitmodules").exists() or (location.git_dir / "modules").exists()):
        return ()
    stages = listings.parse_stages(await git.read(("ls-files", "-s", "-z")))
    return tuple(path for path, (mode, _) in stages.items() if mode == "160000" and "\0" not in path)


def _read_files(reader: WorktreeReader, scope: Scope, listed: _Listed) -> dict[str, FileState]:
    covers = scope_coverage(scope)
    files = _read_changed(reader, scope, listed.status)
    # An index entry says nothing of a file that git takes for unchanged unseen, and git lists no ignored file that the
    # call makes: so of these the absence is noted as well.
    for path in (*listings.parse_unwatched(listed.flagged), *listings.parse_paths(listed.overwritten)):
        if path not in files and covers(path):
            files[path] = reader.read(path)
    for path in _beside_status(reader, scope, listed):
        if path not in files and covers(path) and (state := reader.read(path)) != ABSENT:
            files[path] = state
    return files


def _read_changed(reader: WorktreeReader, scope: Scope, status: bytes) -> dict[str, FileState]:
    covers = scope_coverage(scope)
    files: dict[str, FileState] = {}
    for row in listings.parse_status(status):
        if not covers(row.path):
            continue
        if not row.directory:
            if not (row.submodule and reader.is_directory(row.path)):
                files[row.path] = reader.read(row.path)
        elif scope.ignored or not _is_nested(reader, row.path) or row.path in scope_names(scope):
            files.update(reader.walk(row.path))
    return files


def _beside_status(reader: WorktreeReader, scope: Scope, listed: _Listed) -> Iterator[str]:
    """Files that are as git expects them and still may be lost, or not come back as they are."""
    yield from scope_names(scope)
    yield from listings.parse_sparse(listed.flagged)
    yield from listings.parse_line_ends(listed.line_ends, listed.conversion)
    if len(listed.flagged) <= _LISTING_BYTES:
        yield from reader.find_odd_permissions(listings.parse_tracked(listed.flagged))


def _is_nested(reader: WorktreeReader, path: str) -> bool:
    """Whether an untracked directory is a repository or a worktree of its own, which no ordinary call touches."""
    return reader.look(f"{path}/.git") is not None
