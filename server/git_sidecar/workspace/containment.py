"""Holds a path that a model gave to the repository that the call works in."""

import base64
import binascii
from collections.abc import Sequence
from pathlib import Path

from git_sidecar.model.refs import InvalidName, RepoPath
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.workspace.candidates import refuse_nonsense, shown
from git_sidecar.workspace.disk import LOCAL_DISK, Disk
from git_sidecar.workspace.gitdir import is_git_name
from git_sidecar.workspace.pathtext import base_name, join, normalize, parent
from git_sidecar.workspace.places import walk_up

_LONGEST_PATH = 32 * 1024


def contain(
    path: str, *, root: Path, directory: str, allowed: Sequence[Path] = (), disk: Disk = LOCAL_DISK
) -> RepoPath | Refusal:
    """The root-relative form of a path that is absolute or relative to `directory` (root-relative, "" for the root).

    The path need not exist. Links among its parents are resolved, and what they lead to must still lie in the
    repository: git follows them for some commands (git-mv(1) moves files out that way). A link at the end is the path
    that is meant. The root itself is `.`. Where `allowed` is given, the path must lie in one of those too.
    """
    problem = _find_nonsense(path)
    if problem is not None:
        return refuse_nonsense(f"{shown(path)} is no path: {problem}")
    start = join(str(root), directory, windows=disk.windows)
    asked = join(start, path, windows=disk.windows)
    place = _resolve_parent(asked, disk)
    rest = _find_rest(place, asked, root, disk)
    if rest is None:
        return _refuse_elsewhere(path, place, root, allowed, disk)
    if any(is_git_name(name) for name in rest.split("/")):
        return refuse_nonsense(
            f"{shown(path)} lies in a .git directory, which no tool touches",
            "Use the tool for what is wanted; the git directory is git's own.",
        )
    if allowed and not any(_find_rest(place, asked, item, disk) is not None for item in allowed):
        return _refuse_outside(path)
    try:
        return RepoPath(rest or ".")
    except InvalidName as error:
        return refuse_nonsense(str(error))


def decode_path_bytes(text: str) -> str | Refusal:
    """The path that a `pathBytes` field holds: base64 of git's own bytes, given back with surrogate escapes."""
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return refuse_nonsense(f"pathBytes {shown(text)} is not base64")
    path = raw.decode("utf-8", "surrogateescape")
    problem = _find_nonsense(path)
    return path if problem is None else refuse_nonsense(f"pathBytes {shown(text)} is no path: {problem}")


def _find_nonsense(path: str) -> str | None:
    if not path:
        return "it is empty"
    if "\0" in path:
        return "it holds a NUL character"
    if len(path) > _LONGEST_PATH:
        return "it is longer than any system takes"
    try:
        path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return "it holds half a character (a lone surrogate)"
    return None


def _resolve_parent(asked: str, disk: Disk) -> str:
    """The path with the links among its parents resolved, its last name as it is."""
    name = base_name(asked, windows=disk.windows)
    return join(disk.resolve(parent(asked, windows=disk.windows)), name, windows=disk.windows) if name else asked


def _find_rest(place: str, asked: str, root: Path, disk: Disk) -> str | None:
    """The way from the root to the place, "" at the root; None outside."""
    rest = _walk_to(place, root, disk)
    if rest is None and disk.identify(asked) is not None and disk.identify(asked) == disk.identify(str(root)):
        # The root named through a link to it.
        return ""
    return rest


def _walk_to(place: str, root: Path, disk: Disk) -> str | None:
    """The way by identity, so that neither case nor a link above the root matters; by text where the root is gone."""
    identity = disk.identify(str(root))
    real = normalize(disk.resolve(str(root)), windows=disk.windows)
    for current, rest in walk_up(place, disk):
        if current == real or (identity is not None and rest != "" and disk.identify(current) == identity):
            return rest
    return None


def _lies_in(place: str, directory: Path, disk: Disk) -> bool:
    return _walk_to(place, directory, disk) is not None


def _refuse_elsewhere(path: str, place: str, root: Path, allowed: Sequence[Path], disk: Disk) -> Refusal:
    """Why a path outside the repository is not taken: another one's, or outside the workspace."""
    if any(_lies_in(place, item, disk) for item in allowed if not _lies_in(str(root), item, disk)):
        return refuse_nonsense(
            f"{shown(path)} does not lie in the repository {root}",
            "If another repository is meant, name it by `repository` or `workdir`.",
        )
    return _refuse_outside(path)


def _refuse_outside(path: str) -> Refusal:
    return Refusal(
        RefusalCode.OUTSIDE_WORKSPACE,
        f"{shown(path)} leads out of the repository",
        hint="Give a path inside the repository, relative to its root or to workdir.",
    )
