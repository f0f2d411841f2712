"""What a person or a model wrote for a file, a directory or a repository, and where on the disk that lies."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from pathlib import Path

from git_sidecar.model.repository import KnownRepository
from git_sidecar.workspace.disk import Disk
from git_sidecar.workspace.pathtext import base_name, is_absolute, join, normalize, parent
from git_sidecar.workspace.registry import Registry
from git_sidecar.workspace.uri import InvalidUri, is_file_uri, path_from_uri


@dataclass(frozen=True, slots=True)
class Wanted:
    """One argument: the text as sent, and the path that it stands for by text alone (`~/`, dots, file URI)."""

    written: str
    path: str
    absolute: bool


@dataclass(frozen=True, slots=True)
class Place:
    """Something that exists: its real path (a final link to a file not followed) and whether it is a directory."""

    path: str
    is_directory: bool
    identity: Hashable


def read_argument(argument: str, *, home: Path | None, windows: bool) -> Wanted | str:
    """The argument, trimmed and resolved by text; else in words what is wrong with it."""
    text = argument.strip()
    if not text:
        return "it is blank"
    if is_file_uri(text):
        try:
            text = path_from_uri(text, windows=windows)
        except InvalidUri as error:
            return str(error)
    elif home is not None and (text == "~" or text.startswith(("~/", "~\\") if windows else "~/")):
        text = join(str(home), text[2:], windows=windows)
    if "\0" in text:
        return "it holds a NUL character"
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return "it holds half a character (a lone surrogate)"
    path = normalize(text, windows=windows)
    return Wanted(argument, path, is_absolute(path, windows=windows))


def find_places(wanted: Wanted, registry: Registry, disk: Disk) -> tuple[Place, ...]:
    """The existing files and directories that the argument can mean, each once.

    A relative path starts from every workspace folder, or is prefixed by a folder's name. Only where nothing exists as
    written are backslashes read as separators: they may be part of a name on every system but Windows.
    """
    spellings = dict.fromkeys((wanted.path, wanted.path.replace("\\", "/")))
    for spelling in spellings:
        found: dict[Hashable, Place] = {}
        for path in _locate_spelling(normalize(spelling, windows=disk.windows), registry, disk):
            place = find_place(path, disk)
            if place is not None:
                found.setdefault(place.identity, place)
        if found:
            return tuple(found.values())
    return ()


def find_place(path: str, disk: Disk) -> Place | None:
    """What lies at an absolute path; None where nothing does.

    Of a link to a file only the directory is resolved: the link itself is what its repository tracks.
    """
    identity = disk.identify(path)
    if identity is None:
        return None
    if disk.is_directory(path):
        return Place(disk.resolve(path), is_directory=True, identity=identity)
    directory = disk.resolve(parent(path, windows=disk.windows))
    name = base_name(path, windows=disk.windows)
    return Place(
        join(directory, name, windows=disk.windows), is_directory=False, identity=(disk.identify(directory), name)
    )


def find_owner(place: Place, registry: Registry, disk: Disk) -> tuple[KnownRepository, str] | None:
    """The innermost known repository that holds the place, and the way from its root ("" at the root, '/' between)."""
    roots = identify_roots(registry, disk)
    for directory, rest in walk_up(place.path, disk):
        identity = disk.identify(directory)
        if identity is not None and identity in roots:
            return roots[identity], rest
    return None


def find_stranger(place: Place, repository: KnownRepository, disk: Disk) -> str | None:
    """The root of an unlisted repository between the place and the root of its known one, where git would stop."""
    root = disk.identify(str(repository.root))
    start = place.path if place.is_directory else parent(place.path, windows=disk.windows)
    for directory, _ in walk_up(start, disk):
        if disk.identify(directory) == root:
            return None
        if disk.identify(join(directory, ".git", windows=disk.windows)) is not None:
            return directory
    return None


def identify_roots(registry: Registry, disk: Disk) -> dict[Hashable, KnownRepository]:
    """The known repositories whose roots exist, by identity; of two names for one directory the first in SCM order."""
    roots: dict[Hashable, KnownRepository] = {}
    for repository in registry.repositories:
        identity = disk.identify(str(repository.root))
        if identity is not None:
            roots.setdefault(identity, repository)
    return roots


def walk_up(path: str, disk: Disk) -> Iterator[tuple[str, str]]:
    """Each directory from `path` up to its root, with the way from there down to `path`."""
    rest: list[str] = []
    current = path
    while True:
        yield current, "/".join(reversed(rest))
        above = parent(current, windows=disk.windows)
        if above == current:
            return
        rest.append(base_name(current, windows=disk.windows))
        current = above


def _locate_spelling(path: str, registry: Registry, disk: Disk) -> Iterator[str]:
    if is_absolute(path, windows=disk.windows):
        yield path
        return
    separator = "\\" if disk.windows else "/"
    first, _, rest = path.partition(separator)
    for folder in registry.folders:
        start = str(folder.path)
        yield join(start, path, windows=disk.windows)
        if first in (folder.name, base_name(start, windows=disk.windows)):
            yield join(start, rest, windows=disk.windows)
