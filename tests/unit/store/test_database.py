"""The shared database: two processes, a damaged file, a directory that cannot be written."""

import asyncio
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from git_sidecar.store.database import Database, from_storable, to_storable
from git_sidecar.store.schema import STEPS

INSERT = "INSERT INTO sessions VALUES (?, 'test', 0, 0)"
COUNT = "SELECT count(*) FROM sessions"


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    database = Database(tmp_path / "state" / "sidecar.db")
    yield database
    database.close()


async def add(database: Database, name: str) -> None:
    await database.write(lambda connection: connection.execute(INSERT, (name,)).rowcount)


async def test_what_is_written_is_read_at_once(database: Database) -> None:
    assert database.read(COUNT) == [(0,)]
    await add(database, "a")
    assert database.read(COUNT) == [(1,)]
    assert database.problem is None


async def test_a_work_that_fails_leaves_nothing(database: Database) -> None:
    def work(connection: sqlite3.Connection) -> None:
        connection.execute(INSERT, ("a",))
        raise LookupError("no")

    with pytest.raises(LookupError):
        await database.write(work)
    assert database.read(COUNT) == [(0,)]


async def test_a_cancelled_caller_loses_no_write(database: Database) -> None:
    await database.open()
    task = asyncio.create_task(add(database, "a"))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await add(database, "b")
    assert database.read(COUNT) == [(2,)]


async def test_the_version_is_the_number_of_steps_and_a_newer_one_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "sidecar.db"
    database = Database(path)
    await database.open()
    database.close()
    outside = sqlite3.connect(path)
    assert outside.execute("PRAGMA user_version").fetchone() == (len(STEPS),)
    assert outside.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    outside.execute(f"PRAGMA user_version={len(STEPS) + 7}")
    outside.close()
    again = Database(path)
    await add(again, "a")
    assert again.read("PRAGMA user_version") == [(len(STEPS) + 7,)]
    again.close()


def kept_aside(directory: Path) -> list[bytes]:
    return [file.read_bytes() for file in directory.iterdir() if ".damaged-" in file.name]


WORKER = f"""
import asyncio, sys
from pathlib import Path
from git_sidecar.store.database import Database

async def main():
    database = Database(Path(sys.argv[1]))
    for number in range(int(sys.argv[3])):
        await database.write(lambda c: c.execute({INSERT!r}, (sys.argv[2] + str(number),)).rowcount)
    database.close()

asyncio.run(main())
"""


def start_worker(path: Path, name: str, count: int) -> subprocess.Popen[bytes]:
    # Trusted and fixed: the test's own interpreter runs the text above.
    return subprocess.Popen([sys.executable, "-c", WORKER, str(path), name, str(count)], env={**os.environ})


async def test_three_processes_lose_no_write_and_make_the_tables_once(tmp_path: Path) -> None:
    path = tmp_path / "sidecar.db"
    workers = [start_worker(path, name, 100) for name in ("x", "y")]
    mine = Database(path)
    for number in range(100):
        await add(mine, f"z{number}")
    assert [worker.wait(60) for worker in workers] == [0, 0]
    assert mine.read(COUNT) == [(300,)]
    mine.close()


async def test_a_killed_process_blocks_nobody(tmp_path: Path) -> None:
    path = tmp_path / "sidecar.db"
    mine = Database(path)
    await mine.open()
    worker = start_worker(path, "x", 1_000_000)
    deadline = time.monotonic() + 30
    while mine.read(COUNT) == [(0,)]:
        assert time.monotonic() < deadline, "the worker never wrote"
        await asyncio.sleep(0.01)
    worker.kill()
    worker.wait(30)
    await asyncio.wait_for(add(mine, "mine"), 5)
    assert mine.read("PRAGMA integrity_check") == [("ok",)]
    assert mine.read("SELECT count(*) FROM sessions WHERE session = 'mine'") == [(1,)]
    mine.close()


@pytest.mark.parametrize(
    "content", [b"not a database at all, but long enough to be read" * 100, b"SQLite format 3\0" * 64]
)
async def test_a_damaged_file_is_kept_aside_and_begun_anew(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "sidecar.db"
    path.write_bytes(content)
    database = Database(path)
    await add(database, "a")
    assert database.read(COUNT) == [(1,)]
    assert kept_aside(tmp_path) == [content]
    database.close()


async def test_damage_that_comes_while_it_is_open(tmp_path: Path) -> None:
    path = tmp_path / "sidecar.db"
    database = Database(path)
    for number in range(200):
        await add(database, f"{number}" * 50)
    database.read("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (size - 4096))
    reopened = Database(path)
    assert reopened.read(COUNT) == [(0,)]
    await add(reopened, "a")
    assert reopened.read(COUNT) == [(1,)]
    reopened.close()


async def test_a_file_that_was_taken_away_is_made_anew_for_reader_and_writer(
    database: Database, tmp_path: Path
) -> None:
    await add(database, "a")
    assert database.read(COUNT) == [(1,)]
    for file in (tmp_path / "state").iterdir():
        file.unlink()
    assert database.read(COUNT) == [(0,)]
    await add(database, "b")
    assert database.read(COUNT) == [(1,)]


async def test_without_a_usable_directory_the_process_keeps_its_own(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file stands where the directory should be")
    database = Database(tmp_path / "state" / "sidecar.db")
    await add(database, "a")
    assert database.read(COUNT) == [(1,)]
    assert database.problem is not None
    database.close()


def test_text_that_is_not_utf8_survives_a_column() -> None:
    connection = sqlite3.connect(":memory:")
    for text in ("main", "ünï", "caf\udce9", None, ""):
        (value,) = connection.execute("SELECT ?", (to_storable(text),)).fetchone()
        assert from_storable(value) == text
    connection.close()
