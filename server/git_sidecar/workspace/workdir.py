"""Which repository and directory a call works in, from its `repository` and `workdir` (wire contract, section 5)."""

from pathlib import Path

from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.model.repository import KnownRepository
from git_sidecar.workspace.candidates import (
    refuse_ambiguous,
    refuse_nonsense,
    refuse_outside,
    refuse_unknown,
    shown,
)
from git_sidecar.workspace.disk import LOCAL_DISK, Disk
from git_sidecar.workspace.gitdir import is_git_name
from git_sidecar.workspace.matching import match
from git_sidecar.workspace.places import Place, find_owner, find_places, find_stranger, read_argument, walk_up
from git_sidecar.workspace.registry import Registry

Workplace = tuple[KnownRepository, str]
"""A repository and a directory of it, relative to the root with '/', "" for the root itself."""


def choose_repository(
    repository: str | None,
    workdir: str | None,
    registry: Registry,
    *,
    home: Path | None,
    allow_file: bool = False,
    disk: Disk = LOCAL_DISK,
) -> Workplace | Refusal:
    """The repository and directory of a call: never a guess, and never the directory that this process runs in.

    Blank counts as left out. A `workdir` that several workspace folders have is settled by a `repository` that is
    named beside it; a `repository` and a `workdir` that disagree are `invalid_arguments`.
    """
    named = None
    if repository is not None and repository.strip():
        named = match(repository, registry, home=home, disk=disk)
        if isinstance(named, Refusal):
            return named
    if workdir is None or not workdir.strip():
        chosen = named or match(None, registry, home=home, disk=disk)
        return chosen if isinstance(chosen, Refusal) else (chosen, "")
    return resolve_workdir(workdir, registry, within=named, home=home, allow_file=allow_file, disk=disk)


def resolve_workdir(
    workdir: str,
    registry: Registry,
    *,
    within: KnownRepository | None = None,
    home: Path | None = None,
    allow_file: bool = False,
    disk: Disk = LOCAL_DISK,
) -> Workplace | Refusal:
    """The innermost known repository that holds `workdir`, and the directory within it.

    With `allow_file` a file stands for its directory. `within` is the repository that the call names beside it.
    """
    wanted = read_argument(workdir, home=home, windows=disk.windows)
    if isinstance(wanted, str):
        return refuse_nonsense(f"{shown(workdir)} cannot be a directory: {wanted}")
    places = find_places(wanted, registry, disk)
    if not places:
        return _refuse_missing(workdir, registry, absolute=wanted.absolute)
    owned = [(place, owner) for place in places if (owner := find_owner(place, registry, disk)) is not None]
    if not owned:
        return _refuse_unowned(workdir, places, registry, disk)
    if within is not None:
        inside = [(place, owner) for place, owner in owned if _same_root(owner[0], within, disk)]
        if not inside:
            return _refuse_disagreement(workdir, within, owned[0][1][0])
        owned = inside
    if len(owned) > 1:
        owners = [owner[0] for _, owner in owned]
        return refuse_ambiguous(f"{shown(workdir)} exists in {len(owned)} workspace folders", registry, owners)
    place, (repository, rest) = owned[0]
    return _enter(workdir, place, repository, rest, registry=registry, allow_file=allow_file, disk=disk)


def _enter(
    workdir: str,
    place: Place,
    repository: KnownRepository,
    rest: str,
    *,
    registry: Registry,
    allow_file: bool,
    disk: Disk,
) -> Workplace | Refusal:
    """The place as a directory of its repository, unless it is none, or git would find another repository there."""
    if any(is_git_name(name) for name in rest.split("/")):
        return refuse_nonsense(
            f"{shown(workdir)} lies in the repository's own .git, which tools do not work in",
            "Give a directory of the work tree.",
        )
    if not place.is_directory:
        if not allow_file:
            return refuse_nonsense(f"{shown(workdir)} is a file, not a directory", "Give the directory that holds it.")
        rest = rest.rpartition("/")[0]
    stranger = find_stranger(place, repository, disk)
    if stranger is not None:
        return refuse_unknown(
            f"{shown(workdir)} lies in the repository {shown(stranger)}, which is not among the known ones", registry
        )
    return repository, rest


def _refuse_missing(workdir: str, registry: Registry, *, absolute: bool) -> Refusal:
    if absolute or not registry.folders:
        where = "" if absolute else ", and no workspace folder is open that it could be relative to"
    else:
        where = " in any workspace folder: " + ", ".join(str(folder.path) for folder in registry.folders)
    return Refusal(
        RefusalCode.PATH_NOT_FOUND,
        f"there is no file or directory {shown(workdir)}{where}",
        hint="Give a directory that exists, absolute or relative to a workspace folder.",
    )


def _refuse_unowned(workdir: str, places: tuple[Place, ...], registry: Registry, disk: Disk) -> Refusal:
    folders = {disk.identify(str(folder.path)) for folder in registry.folders} - {None}
    inside = any(disk.identify(directory) in folders for place in places for directory, _ in walk_up(place.path, disk))
    if inside:
        return refuse_unknown(f"{shown(workdir)} lies in none of the known repositories", registry)
    return refuse_outside(f"{shown(workdir)} lies outside the workspace", registry)


def _refuse_disagreement(workdir: str, named: KnownRepository, found: KnownRepository) -> Refusal:
    return refuse_nonsense(
        f"repository names {named.label} ({named.root}), but workdir {shown(workdir)} lies in"
        f" {found.label} ({found.root})",
        "Leave out one of the two, or make them agree.",
    )


def _same_root(one: KnownRepository, other: KnownRepository, disk: Disk) -> bool:
    identity = disk.identify(str(one.root))
    return one == other or (identity is not None and identity == disk.identify(str(other.root)))
