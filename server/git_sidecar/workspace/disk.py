"""The few questions about files that matching asks, behind a protocol so that its rules can be tested anywhere."""

import os
from collections.abc import Hashable
from pathlib import Path
from typing import Protocol


class Disk(Protocol):
    """What is on the disk, for paths as text; a question that cannot be answered counts as "not there"."""

    @property
    def windows(self) -> bool:
        """Whether paths are written and read by the rules of Windows."""
        ...

    def identify(self, path: str) -> Hashable | None:
        """The same value for every name of one existing file or directory (symbolic links followed); else None."""
        ...

    def is_directory(self, path: str) -> bool:
        """Whether `path` is a directory, or a symbolic link to one."""
        ...

    def resolve(self, path: str) -> str:
        """The absolute path without symbolic links, as far as it exists."""
        ...


class LocalDisk:
    """The disk of this machine."""

    @property
    def windows(self) -> bool:
        """Whether this machine runs Windows."""
        return os.name == "nt"

    def identify(self, path: str) -> Hashable | None:
        """Device and file number (see stat(2)); the real path where the file system has no numbers."""
        try:
            info = Path(path).stat()
        except (OSError, ValueError):
            return None
        if info.st_ino == 0:
            return os.path.normcase(os.path.realpath(path))
        return (info.st_dev, info.st_ino)

    def is_directory(self, path: str) -> bool:
        """Whether `path` is a directory, or a symbolic link to one."""
        try:
            return Path(path).is_dir()
        except (OSError, ValueError):
            return False

    def resolve(self, path: str) -> str:
        """The real path; `path` itself where it cannot be read."""
        try:
            return os.path.realpath(path)
        except (OSError, ValueError):
            return path


LOCAL_DISK: Disk = LocalDisk()
