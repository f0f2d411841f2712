"""What a person's yes is bound to: object ids and hashes of what the call was planned on (wire contract, section 4)."""

import asyncio
import hashlib
import os
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path

from git_sidecar.git.head_state import NotInFiles, read_head_files
from git_sidecar.git.index_entries import read_index_listing
from git_sidecar.git.repository import Repository
from git_sidecar.model.fingerprint import HeadState
from git_sidecar.model.refs import RepoPath
from git_sidecar.model.refusal import Refusal
from git_sidecar.workspace.location import locate

_CHUNK_BYTES = 1 << 20
_NOTHING = ""


def head_basis(head: HeadState) -> dict[str, str]:
    """HEAD and branch; empty where there is none."""
    return {"head": head.commit or _NOTHING, "branch": head.branch or _NOTHING}


def refs_basis(refs: Mapping[str, str | None]) -> dict[str, str]:
    """The object ids that names stand for; empty for a name that is free."""
    return {name: oid or _NOTHING for name, oid in refs.items()}


def digest(*parts: bytes | str) -> str:
    """The hex SHA-256 of some parts, each told apart from the next."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        total.update(b"%d:" % len(data) + data)
    return total.hexdigest()


async def read_index_digest(repository: Repository, paths: Iterable[RepoPath]) -> str:
    """A hash of the index entries of the paths and of all below them. Raises GitRefused."""
    wanted = tuple(paths)
    return digest(await read_index_listing(repository, wanted)) if wanted else _NOTHING


async def read_worktree_digests(repository: Repository, paths: Iterable[RepoPath]) -> dict[RepoPath, str]:
    """A hash of what lies at each path of the work tree: kind, executable bit and content, empty for nothing.

    The bytes on the disk are read, not what filters would make of them. Of a repository within it is its HEAD.
    """
    root = repository.location.root
    return await asyncio.to_thread(lambda: {path: _hash_file(root, path) for path in dict.fromkeys(paths)})


async def read_worktree_digest(repository: Repository, paths: Iterable[RepoPath]) -> str:
    """One hash of what lies at all the paths."""
    digests = await read_worktree_digests(repository, paths)
    return digest(*(part for path in sorted(digests, key=lambda item: item.raw) for part in (path.raw, digests[path])))


def _hash_file(root: Path, path: RepoPath) -> str:
    place = root / path.text
    try:
        found = place.lstat()
        if stat.S_ISLNK(found.st_mode):
            return digest("link", os.fsencode(place.readlink()))
        if stat.S_ISDIR(found.st_mode):
            return digest("directory", _read_inner_head(place))
        if not stat.S_ISREG(found.st_mode):
            return digest("special")
        total = hashlib.sha256()
        with place.open("rb") as file:
            while chunk := file.read(_CHUNK_BYTES):
                total.update(chunk)
    except (FileNotFoundError, NotADirectoryError):
        return _NOTHING
    except PermissionError:
        return digest("unreadable")
    executable = "executable" if found.st_mode & stat.S_IXUSR else "file"
    return digest(executable, total.digest())


def _read_inner_head(place: Path) -> str:
    location = locate(place)
    if isinstance(location, Refusal) or location.root != place.resolve():
        return _NOTHING
    try:
        return read_head_files(location).commit or _NOTHING
    except NotInFiles:
        return _NOTHING
