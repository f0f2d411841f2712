"""Files of a work tree, read by path without ever leaving it through a symbolic link."""

import os
import stat
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol

from git_sidecar.store.objects import identify_bytes, identify_file
from git_sidecar.store.state import ABSENT, FileKind, FileState

_PERMISSIONS = 0o7777


class TooLarge(Exception):
    """What is to be kept takes more bytes than allowed."""


class Keeper(Protocol):
    """Takes exact bytes and gives their object id: an ObjectDirectory, or an Identifier that keeps nothing."""

    def write_bytes(self, data: bytes) -> str:
        """The id of the bytes."""
        ...

    def write_file(self, path: Path) -> tuple[str, int]:
        """The id of a file's exact bytes and their number."""
        ...


class Identifier:
    """Names bytes without keeping them."""

    def __init__(self, object_format: str) -> None:
        """Name them as a repository of this object format does."""
        self._object_format = object_format

    def write_bytes(self, data: bytes) -> str:
        """The id of the bytes."""
        return identify_bytes(data, self._object_format)

    def write_file(self, path: Path) -> tuple[str, int]:
        """The id of a file's exact bytes and their number."""
        return identify_file(path, self._object_format)


class WorktreeReader:
    """Looks at paths below a root; remembers which directories are real ones."""

    def __init__(self, root: Path, keeper: Keeper, limit_bytes: int) -> None:
        """Keep what is read in `keeper`, at most `limit_bytes` of it."""
        self._root = os.fspath(root)
        self._keeper = keeper
        self._left_bytes = limit_bytes
        self._real: dict[str, bool] = {"": True}

    def read(self, path: str) -> FileState:
        """What lies at a path, its bytes kept; a directory, or what lies beyond a link, counts as absent.

        Raises TooLarge, ChangedWhileRead and OSError.
        """
        status = self.look(path)
        if status is None or stat.S_ISDIR(status.st_mode):
            return ABSENT
        full = Path(self._root, path)
        mode = status.st_mode & _PERMISSIONS
        if stat.S_ISLNK(status.st_mode):
            return FileState(FileKind.LINK, 0, self._keeper.write_bytes(os.fsencode(full.readlink())))
        if not stat.S_ISREG(status.st_mode):
            # git itself neither stores nor removes sockets, pipes and devices as content.
            return ABSENT
        self._spend(status.st_size)
        return FileState(FileKind.FILE, mode, *self._keeper.write_file(full))

    def look(self, path: str) -> os.stat_result | None:
        """The file's own status; None where there is nothing, or a parent is no directory of this work tree."""
        if not self._is_real(path.rpartition("/")[0]):
            return None
        try:
            return os.lstat(os.path.join(self._root, path))  # noqa: PTH118 - tens of thousands of times a snapshot
        except (FileNotFoundError, NotADirectoryError):
            return None

    def is_directory(self, path: str) -> bool:
        """Whether a real directory lies at the path."""
        status = self.look(path)
        return status is not None and stat.S_ISDIR(status.st_mode)

    def find_odd_permissions(self, paths: Iterable[str]) -> list[str]:
        """Files whose permissions are not the usual ones here, which a checkout would give them.

        What is usual depends on the umask that files were checked out with: what most files have, among those that are
        executable and those that are not.
        """
        modes: dict[str, int] = {}
        for path in paths:
            status = self.look(path)
            if status is not None and stat.S_ISREG(status.st_mode):
                modes[path] = status.st_mode & _PERMISSIONS
        usual: set[int] = set()
        for executable in (0, stat.S_IXUSR):
            counted = Counter(mode for mode in modes.values() if mode & stat.S_IXUSR == executable)
            usual.update(mode for mode, _ in counted.most_common(1))
        return [path for path, mode in modes.items() if mode not in usual]

    def walk(self, directory: str) -> Iterator[tuple[str, FileState]]:
        """Every file below a directory, and its empty directories; links are not followed."""
        if not self._is_real(directory):
            return
        for place, directories, files in os.walk(os.path.join(self._root, directory)):  # noqa: PTH118
            inner = os.path.relpath(place, self._root).replace(os.sep, "/")
            if not directories and not files:
                yield inner, FileState(FileKind.DIRECTORY, os.lstat(place).st_mode & _PERMISSIONS)
            links = [name for name in directories if Path(place, name).is_symlink()]
            for name in (*files, *links):
                yield f"{inner}/{name}", self.read(f"{inner}/{name}")

    def _is_real(self, directory: str) -> bool:
        known = self._real.get(directory)
        if known is None:
            known = self._is_real(directory.rpartition("/")[0])
            if known:
                try:
                    known = stat.S_ISDIR(os.lstat(os.path.join(self._root, directory)).st_mode)  # noqa: PTH118
                except (FileNotFoundError, NotADirectoryError):
                    known = False
            self._real[directory] = known
        return known

    def _spend(self, size: int) -> None:
        self._left_bytes -= size
        if self._left_bytes < 0:
            raise TooLarge
