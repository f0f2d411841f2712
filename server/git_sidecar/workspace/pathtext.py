"""Paths as text, read by the rules of the system that they are meant for, whichever system this runs on.

Everything here is pure. `windows` chooses between the two families; macOS differs from other POSIX systems only in
that its disks are usually blind to case, which is a parameter of its own.
"""

import ntpath
import posixpath
import unicodedata


def is_absolute(path: str, *, windows: bool) -> bool:
    """Whether `path` starts at a root: `/x`, and on Windows `C:\\x`, `C:/x`, a share or `\\x`."""
    if not windows:
        return path.startswith("/")
    return ntpath.splitdrive(path)[1].startswith(("/", "\\")) or path.startswith(("\\\\", "//"))


def normalize(path: str, *, windows: bool) -> str:
    """`path` without `.`, `..`, doubled and trailing separators, by text alone; the two slashes of a share stay."""
    return ntpath.normpath(path) if windows else posixpath.normpath(path)


def join(directory: str, path: str, *, windows: bool) -> str:
    """`path` as seen from `directory`, normalized; an absolute `path` stands for itself."""
    joined = ntpath.join(directory, path) if windows else posixpath.join(directory, path)
    return normalize(joined, windows=windows)


def parent(path: str, *, windows: bool) -> str:
    """The directory that holds `path`; a root is its own parent."""
    return ntpath.dirname(path) if windows else posixpath.dirname(path)


def base_name(path: str, *, windows: bool) -> str:
    """The last name of a normalized path, "" for a root."""
    return ntpath.basename(path) if windows else posixpath.basename(path)


def fold(text: str) -> str:
    """The form in which labels and paths compare when nothing matches as written.

    Separators become '/', trailing and doubled ones and `.` and `..` go, case goes. Composed and decomposed letters
    become one form too: macOS hands out names decomposed, and people type them composed.
    """
    slashed = posixpath.normpath(text.replace("\\", "/"))
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", slashed).casefold())


def relative(path: str, directory: str, *, windows: bool, case_insensitive: bool) -> str | None:
    """The way from `directory` to `path` by text, with '/', "" where they are one; None when it is not inside."""
    inner = _split(path, windows=windows)
    outer = _split(directory, windows=windows)
    head = inner[: len(outer)]
    if case_insensitive:
        head, outer = [part.casefold() for part in head], [part.casefold() for part in outer]
    return "/".join(inner[len(outer) :]) if head == outer else None


def _split(path: str, *, windows: bool) -> list[str]:
    separator = "\\" if windows else "/"
    return normalize(path, windows=windows).rstrip(separator).split(separator)
