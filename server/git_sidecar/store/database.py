"""The database that all sidecar processes of a person share: SQLite in WAL mode, in the person's state directory.

Writes run on one thread of this process, so that the event loop never waits for a disk or for another process's lock.
Reads run where they are called, on a connection of their own: in WAL mode no writer makes them wait, and a look-up by
key costs some ten microseconds. Nothing here holds a lock longer than one transaction, so a process that dies blocks
nobody. A file that turns out to be damaged is moved aside, and an empty one takes its place.
"""

import asyncio
import logging
import os
import sqlite3
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from git_sidecar.store.schema import STEPS

T = TypeVar("T")
Storable = str | bytes | None
Row = tuple[Any, ...]

_BUSY_S = 10.0
_READ_BUSY_S = 0.25
_CHECKED_BYTES = 64 * 1024 * 1024
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_UNUSABLE = frozenset({sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_IOERR})

_logger = logging.getLogger(__name__)


class Database:
    """One process's way to the shared database; opened at the first use."""

    def __init__(self, path: Path) -> None:
        """Name the file, which need not exist, nor its directory. Nothing is opened yet."""
        self._path = path
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="git-sidecar-store")
        self._write_connection: sqlite3.Connection | None = None
        self._read_connection: sqlite3.Connection | None = None
        self._write_file = self._read_file = (0, 0)
        self._private: tempfile.TemporaryDirectory[str] | None = None
        self.problem: str | None = None
        """Why the shared file cannot be used, if so: this process then keeps a database for itself alone."""

    async def open(self) -> None:
        """Open the file, off the event loop, so that the first read does not have to."""
        await asyncio.wrap_future(self._writer.submit(self._prepare))

    async def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run `work` on the writer's thread inside one transaction, and give what it returns.

        The transaction is committed when `work` returns, even if the caller has been cancelled by then, and rolled
        back when it raises.
        """
        return await asyncio.shield(asyncio.wrap_future(self.post(work)))

    def post(self, work: Callable[[sqlite3.Connection], T]) -> "Future[T]":
        """As `write`, without waiting; what is posted runs in order."""
        return self._writer.submit(self._transact, work)

    def read(self, query: str, parameters: Sequence[object] = ()) -> list[Row]:
        """The rows of a query on what has been committed. Call it from one thread only (the event loop's)."""
        try:
            return self._reader().execute(query, parameters).fetchall()
        except sqlite3.DatabaseError as error:
            if _primary_code(error) not in _DAMAGED:
                raise
            self._writer.submit(self._replace_damaged, self._read_file).result()
            return self._reader().execute(query, parameters).fetchall()

    def close(self) -> None:
        """Finish what was posted and close; the object must not be used afterwards."""
        self._writer.submit(self._close_writer).result()
        self._writer.shutdown()
        if self._read_connection is not None:
            self._read_connection.close()
            self._read_connection = None
        if self._private is not None:
            self._private.cleanup()

    def _reader(self) -> sqlite3.Connection:
        if self._read_connection is not None and self._read_file == _identity(self._path):
            return self._read_connection
        if self._read_connection is not None:
            self._read_connection.close()
        # The writer makes the file and its tables; until it has, there is nothing to read.
        self._writer.submit(self._prepare).result()
        self._read_connection = _connect(self._path, busy_s=_READ_BUSY_S)
        self._read_connection.execute("PRAGMA query_only=ON")
        self._read_file = _identity(self._path)
        return self._read_connection

    def _prepare(self) -> None:
        self._writing()

    def _transact(self, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            return _in_transaction(self._writing(), work)
        except sqlite3.DatabaseError as error:
            if _primary_code(error) not in _DAMAGED:
                raise
            self._replace_damaged(self._write_file)
            return _in_transaction(self._writing(), work)

    def _writing(self) -> sqlite3.Connection:
        """The writer's connection, opened anew when the file was replaced by another process."""
        if self._write_connection is not None and self._write_file == _identity(self._path):
            return self._write_connection
        self._close_writer()
        try:
            self._write_connection = self._open_checked()
        except (OSError, sqlite3.OperationalError) as error:
            if self._private is not None or not _is_unusable(error):
                raise
            self._use_private(error)
            self._write_connection = self._open_checked()
        self._write_file = _identity(self._path)
        return self._write_connection

    def _open_checked(self) -> sqlite3.Connection:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            return _open(self._path)
        except sqlite3.DatabaseError as error:
            if _primary_code(error) not in _DAMAGED:
                raise
            self._replace_damaged(_identity(self._path))
            return _open(self._path)

    def _replace_damaged(self, damaged: tuple[int, int]) -> None:
        """Move the damaged file aside, unless another process has done so already."""
        self._close_writer()
        if damaged != _identity(self._path):
            return
        aside = self._path.with_name(f"{self._path.name}.damaged-{time.time_ns():x}")
        _logger.warning("the database is damaged; it is kept as %s and begun anew", aside.name)
        for suffix in ("", "-wal", "-shm"):
            source = self._path.with_name(self._path.name + suffix)
            try:
                source.replace(aside.with_name(aside.name + suffix))
            except FileNotFoundError:
                continue
            except OSError as error:
                # Windows moves no file that another process has open; that process still works with it.
                self._use_private(error)
                return

    def _use_private(self, error: Exception) -> None:
        self.problem = f"{type(error).__name__}: {error}"
        _logger.warning("the shared database cannot be used (%s); this process keeps one for itself", self.problem)
        self._private = tempfile.TemporaryDirectory(prefix="git-sidecar-")
        self._path = Path(self._private.name) / self._path.name

    def _close_writer(self) -> None:
        if self._write_connection is not None:
            self._write_connection.close()
            self._write_connection = None


def to_storable(text: str | None) -> Storable:
    """Text for a column: as it is, or as its bytes where it holds git's undecodable ones (surrogateescape)."""
    if text is None or text.isascii():
        return text
    raw = text.encode("utf-8", "surrogateescape")
    try:
        raw.decode()
    except UnicodeDecodeError:
        return raw
    return text


def from_storable(value: Storable) -> str | None:
    """The text that to_storable was given."""
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value


def _connect(path: Path, *, busy_s: float) -> sqlite3.Connection:
    # Transactions are begun by us (isolation_level None), so that a writer waits for its turn before it reads.
    return sqlite3.connect(path, timeout=busy_s, isolation_level=None, check_same_thread=False)


def _open(path: Path) -> sqlite3.Connection:
    connection = _connect(path, busy_s=_BUSY_S)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        # In WAL mode NORMAL cannot damage the file; a power cut may cost the last transactions.
        connection.execute("PRAGMA synchronous=NORMAL")
        if path.stat().st_size <= _CHECKED_BYTES:
            _refuse_damaged(connection)
        _in_transaction(connection, _bring_up_to_date)
    except BaseException:
        connection.close()
        raise
    return connection


def _bring_up_to_date(connection: sqlite3.Connection) -> None:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    # A newer sidecar may have gone further: its steps only add, so that both can work with the file.
    for number, statements in enumerate(STEPS[version:], start=version + 1):
        for statement in statements:
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version={number}")


def _in_transaction(connection: sqlite3.Connection, work: Callable[[sqlite3.Connection], T]) -> T:
    connection.execute("BEGIN IMMEDIATE")
    try:
        result = work(connection)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return result


def _refuse_damaged(connection: sqlite3.Connection) -> None:
    verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if verdict != "ok":
        error = sqlite3.DatabaseError(verdict)
        error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise error


def _primary_code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _is_unusable(error: OSError | sqlite3.OperationalError) -> bool:
    return isinstance(error, OSError) or _primary_code(error) in _UNUSABLE


def _identity(path: Path) -> tuple[int, int]:
    try:
        status = os.stat(path)  # noqa: PTH116 - on the warm path, where a Path costs as much again
    except OSError:
        return (0, 0)
    return (status.st_dev, status.st_ino)
