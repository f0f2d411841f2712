"""Exact bytes of files, kept as loose git objects in a directory of ours (gitrepository-layout(5), "objects").

Written here and not by `git hash-object`, which takes neither a symbolic link nor (with --stdin-paths) a name with a
line break, and costs a process. Any git reads them: GIT_OBJECT_DIRECTORY=<directory> git cat-file blob <id>.
"""

import hashlib
import os
import secrets
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

_CHUNK_BYTES = 1 << 20
# Level 1 halves text at some 100 MB/s; higher levels make a person wait for little.
_COMPRESSION = 1


class ChangedWhileRead(Exception):
    """A file's size changed while it was being read."""


def hash_name(object_format: str) -> str:
    """The hash that object ids are made with: `sha1` or `sha256` (git-config(1), extensions.objectFormat)."""
    return "sha256" if object_format == "sha256" else "sha1"


def identify_bytes(data: bytes, object_format: str) -> str:
    """The object id that git gives a blob with these bytes."""
    return hashlib.new(hash_name(object_format), b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def identify_file(path: Path, object_format: str) -> tuple[str, int]:
    """The object id that git gives a blob with the file's exact bytes, and their number. Follows no symbolic link."""
    with _open(path) as source:
        size = os.fstat(source.fileno()).st_size
        digest = hashlib.new(hash_name(object_format), b"blob %d\0" % size, usedforsecurity=False)
        for chunk in _read_exactly(source, size):
            digest.update(chunk)
        return digest.hexdigest(), size


class ObjectDirectory:
    """A directory of loose blobs."""

    def __init__(self, path: Path, object_format: str) -> None:
        """Use the directory, which is made at the first write."""
        self.path = path
        self._object_format = object_format
        self.written_bytes = 0
        """How much was written to the disk through this object."""

    def write_bytes(self, data: bytes) -> str:
        """Keep the bytes; their object id."""
        object_id = identify_bytes(data, self._object_format)
        with self._adding() as (temporary, target):
            target.write(zlib.compress(b"blob %d\0" % len(data) + data, _COMPRESSION))
        self._place(temporary, object_id)
        return object_id

    def write_file(self, path: Path) -> tuple[str, int]:
        """Keep a file's exact bytes; its object id and size. Raises ChangedWhileRead and OSError."""
        with _open(path) as source, self._adding() as (temporary, target):
            size = os.fstat(source.fileno()).st_size
            header = b"blob %d\0" % size
            digest = hashlib.new(hash_name(self._object_format), header, usedforsecurity=False)
            compressor = zlib.compressobj(_COMPRESSION)
            target.write(compressor.compress(header))
            for chunk in _read_exactly(source, size):
                digest.update(chunk)
                target.write(compressor.compress(chunk))
            target.write(compressor.flush())
        self._place(temporary, digest.hexdigest())
        return digest.hexdigest(), size

    def read_bytes(self, object_id: str) -> bytes:
        """The bytes that were kept under an id; FileNotFoundError if they are not here."""
        return b"".join(self._chunks(object_id))

    def copy_to(self, object_id: str, target: BinaryIO) -> None:
        """Write what was kept under an id to an open file, without holding it in memory."""
        target.writelines(self._chunks(object_id))

    def _chunks(self, object_id: str) -> Iterator[bytes]:
        decompressor = zlib.decompressobj()
        header = b""
        with self._path_of(object_id).open("rb") as source:
            while chunk := decompressor.unconsumed_tail or source.read(_CHUNK_BYTES):
                # Bounded: a megabyte of zeros takes a kilobyte here.
                data = decompressor.decompress(chunk, _CHUNK_BYTES)
                if not header.endswith(b"\0"):
                    head, end, data = (header + data).partition(b"\0")
                    header = head + end
                if header.endswith(b"\0"):
                    yield data

    def _path_of(self, object_id: str) -> Path:
        return self.path / object_id[:2] / object_id[2:]

    def _adding(self) -> "_Adding":
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        return _Adding(self.path / f"adding-{secrets.token_hex(8)}")

    def _place(self, temporary: Path, object_id: str) -> None:
        self.written_bytes += temporary.stat().st_size
        target = self._path_of(object_id)
        target.parent.mkdir(mode=0o700, exist_ok=True)
        temporary.replace(target)


class _Adding:
    """A new file that is removed again when writing it fails."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> tuple[Path, BinaryIO]:
        self._file = self._path.open("xb")
        return self._path, self._file

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._file.close()
        if kind is not None:
            self._path.unlink(missing_ok=True)


def _open(path: Path) -> BinaryIO:
    # A symbolic link that takes the file's place meanwhile must not have us keep what it points to.
    return os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)), "rb")


def _read_exactly(source: BinaryIO, size: int) -> Iterator[bytes]:
    left = size
    while left:
        chunk = source.read(min(left, _CHUNK_BYTES))
        if not chunk:
            raise ChangedWhileRead
        left -= len(chunk)
        yield chunk
    if source.read(1):
        raise ChangedWhileRead
