"""The log of operations: what two processes see, how pages go, what is offered for undoing."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from git_sidecar.model.fingerprint import Fingerprint, HeadState
from git_sidecar.model.location import Location
from git_sidecar.model.plan import Undo
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.model.tier import Tier
from git_sidecar.store.database import Database
from git_sidecar.store.liveness import Liveness
from git_sidecar.store.operations import (
    InvalidCursor,
    Operation,
    Operations,
    OperationState,
    check_undoable,
    orphans,
)

DAY_MS = 24 * 60 * 60 * 1000


class Shelf:
    """One process's way to the log, and the repository that it speaks of."""

    def __init__(self, directory: Path, repository: str = "r") -> None:
        root = directory / repository
        self.location = Location(root, root / ".git", root / ".git", bare=False)
        self.database = Database(directory / "sidecar.db")
        self.liveness = Liveness(directory / "processes")
        self.log = Operations(self.database, self.liveness)

    def operation(self, name: str, **changes: object) -> Operation:
        made = Operation(
            operation_id=name,
            state=OperationState.RUNNING,
            session="a",
            client="test",
            time_ms=1_000,
            tool="git_restore",
            tier=Tier.DESTRUCTIVE,
            arguments={"paths": ["ü", "\udcff"]},
            label="app",
            root=str(self.location.root),
            before=Fingerprint(HeadState("1" * 40, "main"), "s1"),
            after=None,
            commits=(),
            undo=Undo.SNAPSHOT,
            snapshot=name,
            reverses=None,
            undone=None,
            remote_unknown=False,
            worktree=str(self.location.git_dir),
        )
        return replace(made, **changes)  # pyright: ignore[reportArgumentType] - the changes are each test's own

    async def record(self, name: str, *, size: int = 10, **changes: object) -> Operation:
        operation = self.operation(name, **changes)
        await self.log.begin(operation, self.location)
        done = replace(operation, state=OperationState.DONE, after=Fingerprint(HeadState("2" * 40, None), "s2"))
        await self.log.finish(done, snapshot_bytes=size)
        return done

    def names(self, **choice: object) -> list[str]:
        page, _ = self.log.read_page(self.location, **{"count": 100, **choice})  # pyright: ignore[reportArgumentType]
        return [operation.operation_id for operation in page]

    def close(self) -> None:
        self.database.close()
        self.liveness.close()


@pytest.fixture
async def shelf(tmp_path: Path) -> AsyncIterator[Shelf]:
    shelf = Shelf(tmp_path)
    yield shelf
    shelf.close()


async def test_an_operation_is_kept_whole_and_seen_by_another_process(shelf: Shelf, tmp_path: Path) -> None:
    done = await shelf.record("op-1", commits=("3" * 40,), root="/caf\udce9", label="caf\udce9")
    other = Shelf(tmp_path)
    assert other.log.find("op-1") == done
    assert other.names() == ["op-1"]
    other.close()


async def test_what_runs_is_not_listed_and_what_changed_nothing_is_forgotten(shelf: Shelf) -> None:
    await shelf.log.begin(shelf.operation("op-1"), shelf.location)
    assert shelf.names() == []
    assert shelf.log.find("op-1") is None
    assert shelf.log.known_snapshots() == {"op-1"}
    await shelf.log.forget("op-1")
    assert shelf.log.known_snapshots() == frozenset()


async def test_pages_go_back_in_time_and_miss_nothing(shelf: Shelf, tmp_path: Path) -> None:
    for number in range(7):
        await shelf.record(f"op-{number}", session="a" if number % 2 else "b")
    other = Shelf(tmp_path, "other")
    await other.record("elsewhere")
    seen: list[str] = []
    cursor: str | None = None
    while True:
        page, cursor = shelf.log.read_page(shelf.location, count=3, cursor=cursor)
        seen += [operation.operation_id for operation in page]
        if len(seen) == 3:
            await shelf.record("newer")  # does not shift the pages that follow
        if cursor is None:
            break
    assert seen == [f"op-{number}" for number in reversed(range(7))]
    assert shelf.names(session="a") == ["newer", "op-5", "op-3", "op-1"]
    assert shelf.log.read_page(shelf.location, count=8)[1] is None
    other.close()


@pytest.mark.parametrize("cursor", ["", "x", "-1", "1e3", "9" * 30, "²"])
def test_a_cursor_that_no_page_gave(shelf: Shelf, cursor: str) -> None:
    with pytest.raises(InvalidCursor):
        shelf.log.read_page(shelf.location, count=3, cursor=cursor)


async def test_undoing_marks_and_undoing_the_undo_unmarks(shelf: Shelf) -> None:
    await shelf.record("op-1")
    await shelf.record("undo-1", reverses="op-1")
    assert undone(shelf, "op-1") == "undo-1"
    await shelf.record("undo-2", reverses="undo-1")
    assert undone(shelf, "op-1") is None
    assert undone(shelf, "undo-1") == "undo-2"
    await shelf.record("undo-3", reverses="undo-2")
    assert undone(shelf, "undo-1") is None


def undone(shelf: Shelf, name: str) -> str | None:
    operation = shelf.log.find(name)
    assert operation is not None
    return operation.undone


async def test_the_last_that_is_neither_an_undo_nor_undone(shelf: Shelf, tmp_path: Path) -> None:
    assert shelf.log.find_last(shelf.location, "a") is None
    await shelf.record("op-1")
    await shelf.record("op-2")
    await shelf.record("theirs", session="b")
    other = Shelf(tmp_path, "other")
    await other.record("elsewhere")
    other.close()
    found = [shelf.log.find_last(shelf.location, "a")]
    await shelf.record("undo", reverses="op-2")
    found.append(shelf.log.find_last(shelf.location, "a"))
    assert [operation and operation.operation_id for operation in found] == ["op-2", "op-1"]


async def test_a_dead_processs_operations_are_closed_and_a_living_ones_left(shelf: Shelf, tmp_path: Path) -> None:
    dead = Shelf(tmp_path)
    await dead.log.begin(dead.operation("write"), dead.location)
    await dead.log.begin(dead.operation("push", tier=Tier.NETWORK), dead.location)
    await shelf.log.begin(shelf.operation("mine"), shelf.location)
    assert await shelf.log.mark_interrupted(shelf.location) == ()
    dead.close()
    closed = await shelf.log.mark_interrupted(shelf.location)
    assert {operation.operation_id for operation in closed} == {"write", "push"}
    assert shelf.names() == ["push", "write"]
    push = shelf.log.find("push")
    assert push is not None
    assert push.state is OperationState.INTERRUPTED
    assert push.remote_unknown
    assert await shelf.log.mark_interrupted(shelf.location) == ()


async def test_pruning_takes_the_old_and_then_the_oldest_beyond_the_size(shelf: Shelf) -> None:
    await shelf.record("old", time_ms=0, size=1)
    for number in range(4):
        await shelf.record(f"op-{number}", time_ms=10 * DAY_MS, size=40)
    chosen = await shelf.log.choose_for_pruning(now_ms=11 * DAY_MS, keep_days=5, max_bytes=100)
    assert set(chosen) == {"old", "op-0", "op-1"}
    pruned = shelf.log.find("op-1")
    assert pruned is not None
    assert (pruned.snapshot, pruned.undo) == (None, Undo.NONE)
    assert await shelf.log.choose_for_pruning(now_ms=11 * DAY_MS, keep_days=5, max_bytes=100) == ()


def test_what_cannot_be_undone_is_told_why(shelf: Shelf) -> None:
    good = shelf.operation("op-1", state=OperationState.DONE)
    assert check_undoable(good, shelf.location) == (good, "op-1")
    cases = [
        (None, RefusalCode.INVALID_ARGUMENTS, "no such operation"),
        (replace(good, worktree="/elsewhere"), RefusalCode.CANNOT_UNDO, "another work tree"),
        (replace(good, undone="undo-1"), RefusalCode.NOTHING_TO_DO, "undone already"),
        (replace(good, snapshot=None), RefusalCode.CANNOT_UNDO, "pruned"),
        (replace(good, snapshot=None, tier=Tier.NETWORK), RefusalCode.CANNOT_UNDO, "remote"),
    ]
    for operation, code, told in cases:
        refusal = check_undoable(operation, shelf.location)
        assert isinstance(refusal, Refusal)
        assert refusal.code is code
        assert told in refusal.message


def test_orphans_are_old_and_unspoken_of() -> None:
    names = ["op-000000000001-aa", "op-000000000001-bb", "op-0000000000ff-cc", "stray"]
    assert orphans(names, frozenset({"op-000000000001-aa"}), before_ms=100) == ("op-000000000001-bb", "stray")
