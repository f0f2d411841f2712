"""What sessions saw and who moved what, across databases opened by two processes' worth of objects."""

import hashlib
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from git_sidecar.model.fingerprint import Fingerprint, HeadState
from git_sidecar.model.location import Location
from git_sidecar.model.standing import Seen, Standing
from git_sidecar.store.database import Database
from git_sidecar.store.sessions import IDLE_MS, Sessions
from tests.support.scratch import ScratchRepo


@dataclass
class Clock:
    now_ms: int = 1_000_000

    def __call__(self) -> int:
        return self.now_ms


@dataclass
class Asked:
    """Stands in for git where only the count of questions matters; the answers come from the real git."""

    repo: ScratchRepo
    times: int = 0

    async def __call__(self) -> Fingerprint:
        self.times += 1
        raw = self.repo.git("diff", "--cached", "--raw", "-z", "--no-abbrev")
        head = HeadState(self.repo.text("rev-parse", "HEAD"), self.repo.text("branch", "--show-current"))
        return Fingerprint(head, hashlib.sha256(raw).hexdigest())


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    database = Database(tmp_path / "sidecar.db")
    yield database
    database.close()


@pytest.fixture
def sessions(database: Database, clock: Clock) -> Sessions:
    return Sessions(database, clock)


@pytest.fixture
def location(repo: ScratchRepo) -> Location:
    repo.commit(a="1")
    return Location(repo.root, repo.root / ".git", repo.root / ".git", bare=False)


async def test_a_warm_look_asks_git_nothing(sessions: Sessions, location: Location, repo: ScratchRepo) -> None:
    ask = Asked(repo)
    first = await sessions.look(location, ask)
    assert first.head == HeadState(repo.text("rev-parse", "HEAD"), "main")
    assert first.staged == hashlib.sha256(b"").hexdigest()
    await sessions.record_seen("a", "test", location, first)
    assert await sessions.look(location, ask) == first
    assert ask.times == 1


async def test_a_refresh_of_the_index_keeps_what_is_staged(
    sessions: Sessions, location: Location, repo: ScratchRepo
) -> None:
    ask = Asked(repo)
    before = await sessions.look(location, ask)
    os.utime(repo.root / "a", (1, 1))
    repo.git("update-index", "--refresh")
    after = await sessions.look(location, ask)
    assert after.index != before.index
    assert after.equals(before)
    repo.write("a", "2")
    repo.git("add", "a")
    assert not (await sessions.look(location, ask)).equals(before)


async def test_an_index_that_changes_under_the_look_is_looked_at_again(
    sessions: Sessions, location: Location, repo: ScratchRepo
) -> None:
    ask = Asked(repo)

    async def changing() -> Fingerprint:
        fingerprint = await ask()
        if ask.times == 1:
            repo.write("a", "2")
            repo.git("add", "a")
        return fingerprint

    standing = await sessions.look(location, changing)
    assert ask.times == 2
    assert standing == await sessions.look(location, Asked(repo))


async def test_the_ledger_is_shared(sessions: Sessions, location: Location, tmp_path: Path, clock: Clock) -> None:
    there = Database(tmp_path / "sidecar.db")
    theirs = Sessions(there, clock)
    before, after = Standing(HeadState("1" * 40, "main"), "i", "s"), Standing(HeadState("2" * 40, "main"), "i", "s")
    assert sessions.read_seen("a", location) is None
    await sessions.record_seen("a", "vscode", location, before)
    move = await theirs.record_move("b", "cli", location, tool="git_commit", before=before, after=after)
    assert move is not None
    assert sessions.read_last_move(location) == move
    assert (move.session, move.before, move.after) == ("b", before, after)
    assert sessions.read_seen("a", location) == Seen(before, 0, clock.now_ms)
    assert sessions.read_seen("b", location) == Seen(after, move.sequence, clock.now_ms)
    there.close()


async def test_a_call_that_moved_nothing_is_no_move(sessions: Sessions, location: Location) -> None:
    standing = Standing(HeadState("1" * 40, "main"), "i", "s")
    refreshed = Standing(standing.head, "j", "s")
    assert await sessions.record_move("a", "t", location, tool="git_add", before=standing, after=refreshed) is None
    assert sessions.read_last_move(location) is None
    seen = sessions.read_seen("a", location)
    assert seen is not None
    assert seen.standing == refreshed


async def test_a_look_after_a_move_there_and_back_is_numbered_anew(sessions: Sessions, location: Location) -> None:
    one, two = Standing(HeadState("1" * 40, "main"), "i", "s"), Standing(HeadState("2" * 40, "main"), "i", "s")
    await sessions.record_seen("a", "t", location, one)
    await sessions.record_move("b", "t", location, tool="x", before=one, after=two)
    back = await sessions.record_move("b", "t", location, tool="x", before=two, after=one)
    await sessions.record_seen("a", "t", location, one)
    seen = sessions.read_seen("a", location)
    assert back is not None
    assert seen is not None
    assert seen.sequence == back.sequence


async def test_odd_branch_names_survive(sessions: Sessions, location: Location) -> None:
    standing = Standing(HeadState("1" * 40, "caf\udce9/ü"), "i", "s")
    await sessions.record_seen("a", "t", location, standing)
    seen = sessions.read_seen("a", location)
    assert seen is not None
    assert seen.standing == standing


async def test_idle_sessions_are_swept_and_the_last_move_stays(
    sessions: Sessions, location: Location, clock: Clock
) -> None:
    one, two = Standing(HeadState("1" * 40, "main"), "i", "s"), Standing(HeadState("2" * 40, "main"), "i", "s")
    await sessions.record_move("old", "t", location, tool="x", before=one, after=two)
    last = await sessions.record_move("old", "t", location, tool="x", before=two, after=one)
    clock.now_ms += 5 * IDLE_MS
    await sessions.record_seen("young", "t", location, one)
    assert await sessions.sweep() == 1
    assert sessions.read_seen("old", location) is None
    assert sessions.read_seen("young", location) is not None
    assert sessions.read_last_move(location) == last
    assert await sessions.sweep() == 0
