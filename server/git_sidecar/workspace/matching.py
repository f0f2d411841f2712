"""Which known repository a `repository` argument means (wire contract, section 2); pure but for the injected disk."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from pathlib import Path

from git_sidecar.model.refusal import Refusal
from git_sidecar.model.repository import KnownRepository
from git_sidecar.workspace.candidates import (
    refuse_ambiguous,
    refuse_nonsense,
    refuse_unknown,
    refuse_unselected,
    shown,
)
from git_sidecar.workspace.disk import LOCAL_DISK, Disk
from git_sidecar.workspace.pathtext import base_name, fold, normalize, relative
from git_sidecar.workspace.places import Wanted, find_owner, find_places, find_stranger, read_argument
from git_sidecar.workspace.registry import Registry

_Compare = Callable[[str], str]


def match(
    argument: str | None,
    registry: Registry,
    *,
    home: Path | None,
    case_insensitive: bool | None = None,
    disk: Disk = LOCAL_DISK,
) -> KnownRepository | Refusal:
    """The one repository that the argument means, or a refusal that lists all known ones.

    `case_insensitive` says whether roots that do not exist compare without case already when read as written; None
    means as the disk's system does it. Labels never do: there an exact one always wins.
    """
    if argument is None or not argument.strip():
        return find_selected(registry)
    wanted = read_argument(argument, home=home, windows=disk.windows)
    if isinstance(wanted, str):
        return refuse_nonsense(
            f"{shown(argument)} cannot name a repository: {wanted}", "Give a label, a root path or a file:// URI."
        )
    blind = disk.windows if case_insensitive is None else case_insensitive
    found = find_matches(wanted, registry, disk, case_insensitive=blind)
    if len(found) == 1:
        return found[0]
    if found:
        return refuse_ambiguous(f"{shown(argument)} could mean {len(found)} of the known repositories", registry, found)
    return refuse_unknown(f"{shown(argument)} is none of the known repositories", registry)


def find_selected(registry: Registry) -> KnownRepository | Refusal:
    """The selected repository, else the only one; several selected ones are ambiguous."""
    selected = [item for item in registry.repositories if item.selected]
    if len(selected) > 1:
        return refuse_ambiguous(f"no repository is named and {len(selected)} are selected at once", registry, selected)
    if not selected and len(registry.repositories) == 1:
        return registry.repositories[0]
    return selected[0] if selected else refuse_unselected(registry)


def find_matches(wanted: Wanted, registry: Registry, disk: Disk, *, case_insensitive: bool) -> list[KnownRepository]:
    """The repositories that fit by the first rule that finds any, in SCM order; one directory counts once."""
    identity = disk.identify(wanted.path) if wanted.absolute else None
    if identity is not None:
        steps = _match_existing(wanted, identity, registry, disk)
    else:
        steps = _match_names(wanted, registry, disk, case_insensitive=case_insensitive)
    for found in steps:
        once = _once(found, disk)
        if once:
            return once
    return []


def _match_names(
    wanted: Wanted, registry: Registry, disk: Disk, *, case_insensitive: bool
) -> Iterator[list[KnownRepository]]:
    """Rules 1 to 3 for what is no existing absolute path, each step only as far as it is asked for."""
    written, trimmed = wanted.written, wanted.written.strip()

    def same_root(root: str) -> str:
        path = normalize(root, windows=disk.windows)
        return path.casefold() if case_insensitive else path

    for text in dict.fromkeys((written, trimmed, wanted.path)):
        yield [item for item in registry.repositories if text in (item.label, str(item.root), item.root_uri)]
    if wanted.absolute:
        yield [item for item in registry.repositories if same_root(str(item.root)) == same_root(wanted.path)]
    folded = {fold(trimmed), fold(wanted.path)}
    yield [item for item in registry.repositories if folded & {fold(item.label), fold(str(item.root))}]
    for compare in (_as_written, fold):
        texts = {compare(trimmed), compare(wanted.path)}
        yield [item for item in registry.repositories if texts & set(_read_names(item, registry, disk, compare))]
    yield _match_place(wanted, registry, disk)


def _match_existing(
    wanted: Wanted, identity: Hashable, registry: Registry, disk: Disk
) -> Iterator[list[KnownRepository]]:
    """Rules 1 and 3 for an existing absolute path: the root spelled alike, any root that is the same file, a place."""
    yield [item for item in registry.repositories if normalize(str(item.root), windows=disk.windows) == wanted.path]
    yield [item for item in registry.repositories if disk.identify(str(item.root)) == identity]
    yield _match_place(wanted, registry, disk)


def _match_place(wanted: Wanted, registry: Registry, disk: Disk) -> list[KnownRepository]:
    """Rule 3: the innermost known repositories of what exists under the name.

    What lies in an unlisted repository within one of them is not theirs: git would stop there, and so must the match.
    """
    inside: set[KnownRepository] = set()
    for place in find_places(wanted, registry, disk):
        owner = find_owner(place, registry, disk)
        if owner is not None and find_stranger(place, owner[0], disk) is None:
            inside.add(owner[0])
    return [item for item in registry.repositories if item in inside]


def _read_names(repository: KnownRepository, registry: Registry, disk: Disk, compare: _Compare) -> Iterator[str]:
    """Rule 2: the root's own folder name, and its way from each workspace folder behind that folder's name."""
    root = str(repository.root)
    own = base_name(normalize(root, windows=disk.windows), windows=disk.windows)
    if own:
        yield compare(own)
    for folder in registry.folders:
        start = str(folder.path)
        rest = relative(root, start, windows=disk.windows, case_insensitive=disk.windows)
        if rest is None:
            continue
        for name in dict.fromkeys((folder.name, base_name(start, windows=disk.windows))):
            if name:
                yield compare(f"{name}/{rest}" if rest else name)


def _once(found: Iterable[KnownRepository], disk: Disk) -> list[KnownRepository]:
    """The same repositories, but one directory that is listed under two names only by its first."""
    seen: dict[Hashable, KnownRepository] = {}
    for item in found:
        identity = disk.identify(str(item.root))
        seen.setdefault(str(item.root) if identity is None else ("file", identity), item)
    return list(seen.values())


def _as_written(text: str) -> str:
    return text
