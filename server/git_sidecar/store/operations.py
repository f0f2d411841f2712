"""The log of operations: every call above read that changed something, shared by all sidecar processes."""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from git_sidecar.model.fingerprint import Fingerprint, HeadState
from git_sidecar.model.location import Location
from git_sidecar.model.plan import Undo
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.model.tier import Tier
from git_sidecar.store.database import Database, Row, Storable, from_storable, to_storable
from git_sidecar.store.liveness import Liveness
from git_sidecar.store.sessions import repository_key, worktree_key

_MILLISECONDS_A_DAY = 24 * 60 * 60 * 1000


class OperationState(StrEnum):
    """How far an operation has come; INTERRUPTED: cancelled, or its process died, and the result was never told."""

    RUNNING = "running"
    DONE = "done"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation (wire contract, section 9).

    `root` and `label` name the repository as it was then. `snapshot` is the name of what was kept, None where nothing
    was or it has been pruned. `reverses` is the operation that this one undid, `undone` the one that undid this.
    `remote_unknown`: it was interrupted while it talked to a remote, so what arrived there is not known.
    """

    operation_id: str
    state: OperationState
    session: str
    client: str
    time_ms: int
    tool: str
    tier: Tier
    arguments: dict[str, Any]
    label: str
    root: str
    before: Fingerprint | None
    after: Fingerprint | None
    commits: tuple[str, ...]
    undo: Undo
    snapshot: str | None
    reverses: str | None
    undone: str | None
    remote_unknown: bool
    worktree: str


class InvalidCursor(ValueError):
    """A cursor that no page gave."""


_COLUMNS = (
    "operation, state, session, client, time_ms, tool, tier, arguments, label, root, before_state, after_state,"
    " commits, undo, snapshot, reverses, undone, remote_unknown, worktree, number"
)


class Operations:
    """Reads and writes the log."""

    def __init__(self, database: Database, liveness: Liveness) -> None:
        """Work on the shared database."""
        self._database = database
        self._liveness = liveness

    async def begin(self, operation: Operation, location: Location) -> None:
        """Enter an operation that is about to run, so that a crash leaves its trace."""
        repository, worktree, process = repository_key(location), worktree_key(location), self._liveness.token

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(
                "INSERT INTO operations (operation, state, process, session, client, time_ms, tool, tier, arguments,"
                " repository, worktree, label, root, before_state, undo, snapshot)"
                " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                (
                    operation.operation_id,
                    OperationState.RUNNING.value,
                    process,
                    operation.session,
                    operation.client,
                    operation.time_ms,
                    operation.tool,
                    operation.tier.value,
                    json.dumps(operation.arguments),
                    repository,
                    worktree,
                    to_storable(operation.label),
                    to_storable(operation.root),
                    _fingerprint_value(operation.before),
                    operation.undo.value,
                    operation.snapshot,
                ),
            )

        await self._database.write(work)

    async def finish(self, operation: Operation, *, snapshot_bytes: int) -> None:
        """Enter how an operation ended. An undo marks what it reversed; undoing an undo takes that mark away."""

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(
                "UPDATE operations SET state = ?, after_state = ?, commits = ?, undo = ?, snapshot = ?,"
                " snapshot_bytes = ?, reverses = ?, remote_unknown = ? WHERE operation = ?",
                (
                    operation.state.value,
                    _fingerprint_value(operation.after),
                    json.dumps(operation.commits),
                    operation.undo.value,
                    operation.snapshot,
                    snapshot_bytes,
                    operation.reverses,
                    int(operation.remote_unknown),
                    operation.operation_id,
                ),
            )
            if operation.reverses is not None:
                connection.execute(
                    "UPDATE operations SET undone = ? WHERE operation = ?",
                    (operation.operation_id, operation.reverses),
                )
                connection.execute("UPDATE operations SET undone = NULL WHERE undone = ?", (operation.reverses,))

        await self._database.write(work)

    async def forget(self, operation_id: str) -> None:
        """Take out an operation that changed nothing."""
        await self._database.write(
            lambda connection: (
                connection.execute("DELETE FROM operations WHERE operation = ?", (operation_id,)).rowcount
            )
        )

    async def mark_interrupted(self, location: Location) -> tuple[Operation, ...]:
        """Close the operations of this repository whose process has died; those that were closed."""
        rows = self._database.read(
            f"SELECT process, {_COLUMNS} FROM operations WHERE repository = ? AND state = 'running'",  # noqa: S608 - no input
            (repository_key(location),),
        )
        dead = [_operation(row[1:]) for row in rows if not self._liveness.is_alive(row[0])]
        if dead:
            marks = [(int(operation.tier is Tier.NETWORK), operation.operation_id) for operation in dead]
            await self._database.write(
                lambda connection: (
                    connection.executemany(
                        "UPDATE operations SET state = 'interrupted', remote_unknown = ? WHERE operation = ?", marks
                    ).rowcount
                )
            )
        return tuple(dead)

    def read_page(
        self, location: Location, *, count: int, session: str | None = None, cursor: str | None = None
    ) -> tuple[tuple[Operation, ...], str | None]:
        """One page of a repository's operations, newest first, and the cursor of the next. Raises InvalidCursor."""
        before = 1 << 62
        if cursor is not None:
            if not (cursor.isascii() and cursor.isdigit() and len(cursor) < 19):
                raise InvalidCursor(f"{cursor!r} is no cursor of this log")
            before = int(cursor)
        rows = self._database.read(
            f"SELECT {_COLUMNS} FROM operations WHERE repository = ? AND state != 'running' AND number < ?"  # noqa: S608 - no input
            " AND (? IS NULL OR session = ?) ORDER BY number DESC LIMIT ?",
            (repository_key(location), before, session, session, count + 1),
        )
        page = tuple(_operation(row) for row in rows[:count])
        return page, str(rows[count - 1][-1]) if len(rows) > count else None

    def find(self, operation_id: str) -> Operation | None:
        """The operation with this id, in whatever repository."""
        rows = self._database.read(
            f"SELECT {_COLUMNS} FROM operations WHERE operation = ? AND state != 'running'",  # noqa: S608 - no input
            (operation_id,),
        )
        return _operation(rows[0]) if rows else None

    def find_last(self, location: Location, session: str) -> Operation | None:
        """The session's last operation in the worktree that is neither an undo nor undone."""
        rows = self._database.read(
            f"SELECT {_COLUMNS} FROM operations WHERE worktree = ? AND session = ? AND state != 'running'"  # noqa: S608 - no input
            " AND reverses IS NULL AND undone IS NULL ORDER BY number DESC LIMIT 1",
            (worktree_key(location), session),
        )
        return _operation(rows[0]) if rows else None

    async def choose_for_pruning(self, *, now_ms: int, keep_days: int, max_bytes: int) -> tuple[str, ...]:
        """Snapshots that are too old, and the oldest ones beyond `max_bytes`; the log no longer offers to undo them."""

        def work(connection: sqlite3.Connection) -> tuple[str, ...]:
            rows: list[Row] = connection.execute(
                "SELECT snapshot, time_ms, snapshot_bytes FROM operations"
                " WHERE snapshot IS NOT NULL AND state != 'running' ORDER BY number DESC"
            ).fetchall()
            gone: list[str] = []
            total = 0
            for name, time_ms, size in rows:
                total += size
                if time_ms < now_ms - keep_days * _MILLISECONDS_A_DAY or total > max_bytes:
                    gone.append(name)
            connection.executemany(
                "UPDATE operations SET snapshot = NULL, undo = 'none' WHERE snapshot = ?", [(name,) for name in gone]
            )
            return tuple(gone)

        return await self._database.write(work)

    def known_snapshots(self) -> frozenset[str]:
        """The names of all snapshots that an operation speaks of, running ones included."""
        return frozenset(
            row[0] for row in self._database.read("SELECT snapshot FROM operations WHERE snapshot NOTNULL")
        )


def check_undoable(operation: Operation | None, location: Location) -> tuple[Operation, str] | Refusal:
    """The operation and its snapshot's name, or why it cannot be undone here as far as the log knows."""
    if operation is None:
        return Refusal(
            RefusalCode.INVALID_ARGUMENTS, "there is no such operation", "List operations with git_operations."
        )
    if operation.worktree != str(location.git_dir):
        return Refusal(
            RefusalCode.CANNOT_UNDO,
            f"that operation was made in another work tree ({operation.root})",
            "Name that repository.",
        )
    if operation.undone is not None:
        return Refusal(
            RefusalCode.NOTHING_TO_DO,
            "that operation has been undone already",
            f"Undo {operation.undone} to have it back.",
        )
    if operation.snapshot is None:
        reason = (
            "what went to a remote cannot be called back"
            if operation.tier is Tier.NETWORK
            else "nothing was kept of what was there before, or it has been pruned (undo.keepDays, undo.maxBytes)"
        )
        return Refusal(RefusalCode.CANNOT_UNDO, f"that operation cannot be undone: {reason}")
    return operation, operation.snapshot


def _fingerprint_value(fingerprint: Fingerprint | None) -> str | None:
    if fingerprint is None:
        return None
    return json.dumps([fingerprint.head.commit, fingerprint.head.branch, fingerprint.index])


def _fingerprint(value: str | None) -> Fingerprint | None:
    if value is None:
        return None
    commit, branch, index = json.loads(value)
    return Fingerprint(HeadState(commit, branch), index)


def _text(value: Storable) -> str:
    return from_storable(value) or ""


def _operation(row: Sequence[Any]) -> Operation:
    (operation_id, state, session, client, time_ms, tool, tier, arguments, label, root) = row[:10]
    (before, after, commits, undo, snapshot, reverses, undone, remote_unknown, worktree) = row[10:19]
    return Operation(
        operation_id=operation_id,
        state=OperationState(state),
        session=session,
        client=client,
        time_ms=time_ms,
        tool=tool,
        tier=Tier(tier),
        arguments=json.loads(arguments),
        label=_text(label),
        root=_text(root),
        before=_fingerprint(before),
        after=_fingerprint(after),
        commits=tuple(json.loads(commits)),
        undo=Undo(undo),
        snapshot=snapshot,
        reverses=reverses,
        undone=undone,
        remote_unknown=bool(remote_unknown),
        worktree=_text(worktree),
    )


def orphans(names: Iterable[str], known: frozenset[str], *, before_ms: int) -> tuple[str, ...]:
    """Snapshots that no operation speaks of and that are older than `before_ms`: left by a process that died."""
    return tuple(name for name in names if name not in known and _time_of(name) < before_ms)


def _time_of(name: str) -> int:
    try:
        return int(name.split("-")[1], 16)
    except (IndexError, ValueError):
        return 0
