"""Sessions, what each last saw of a worktree, and the ledger of who moved it: what the cross-session guard knows."""

import sqlite3
from collections.abc import Awaitable, Callable

from git_sidecar.model.fingerprint import Fingerprint, HeadState
from git_sidecar.model.location import Location
from git_sidecar.model.standing import Move, Seen, Standing
from git_sidecar.store.database import Database, Row, Storable, from_storable, to_storable
from git_sidecar.store.standing import StandingReader

IDLE_MS = 7 * 24 * 60 * 60 * 1000
"""How long a session that makes no call is remembered."""

_LEDGER_MS = 30 * 24 * 60 * 60 * 1000
_ACTIVE_STEP_MS = 60_000
_STABLE_TRIES = 3

ReadFingerprint = Callable[[], Awaitable[Fingerprint]]
"""Asks git for HEAD and what is staged: the processes that a warm call does without."""

_SEEN = "SELECT head, branch, index_stamp, staged, sequence, time_ms FROM seen WHERE session = ? AND worktree = ?"
_LAST_MOVE = (
    "SELECT sequence, session, tool, old_head, old_branch, old_index_stamp, old_staged,"
    " new_head, new_branch, new_index_stamp, new_staged, time_ms"
    " FROM moves WHERE worktree = ? ORDER BY sequence DESC LIMIT 1"
)
_SEEN_AND_SEQUENCE = (
    "SELECT last.sequence, seen.sequence, head, branch, index_stamp, staged"
    " FROM (SELECT max(sequence) AS sequence FROM moves WHERE worktree = ?) AS last"
    " LEFT JOIN seen ON session = ? AND worktree = ?"
)
_KNOWN_STAGED = (
    "SELECT staged FROM seen WHERE worktree = ? AND index_stamp = ? AND head IS ? AND staged IS NOT NULL LIMIT 1"
)


class Sessions:
    """The sessions of every sidecar process on this machine; `clock_ms` gives Unix time in milliseconds."""

    def __init__(self, database: Database, clock_ms: Callable[[], int]) -> None:
        """Work on the shared database."""
        self._database = database
        self._clock_ms = clock_ms
        self._reader = StandingReader()
        self._active: dict[str, int] = {}

    async def look(self, location: Location, read_fingerprint: ReadFingerprint) -> Standing:
        """Where the worktree stands, `staged` included.

        Where this index was looked at before, by any session, no process is run; else git is asked, and asked again
        when the index changes meanwhile. Raises what `read_fingerprint` raises.
        """
        for tries_left in reversed(range(_STABLE_TRIES)):
            standing = self._reader.read(location)
            if standing is not None and (staged := self._known_staged(location, standing)) is not None:
                return Standing(standing.head, standing.index, staged)
            stamp = self._reader.read_index_stamp(location)
            fingerprint = await read_fingerprint()
            if not tries_left or self._reader.read_index_stamp(location) == stamp:
                return Standing(fingerprint.head, stamp, fingerprint.index)
        raise AssertionError("the last try returns")

    def read_seen(self, session: str, location: Location) -> Seen | None:
        """What the session last saw of the worktree; None before its first call there."""
        rows = self._database.read(_SEEN, (session, worktree_key(location)))
        return None if not rows else Seen(_standing(rows[0][0:4]), rows[0][4], rows[0][5])

    def read_last_move(self, location: Location) -> Move | None:
        """The last move of the worktree by any session's call."""
        rows = self._database.read(_LAST_MOVE, (worktree_key(location),))
        return _move(rows[0]) if rows else None

    async def record_seen(self, session: str, client: str, location: Location, standing: Standing) -> None:
        """Note what a session's successful call saw; nothing is written when nothing is new."""
        worktree = worktree_key(location)
        rows = self._database.read(_SEEN_AND_SEQUENCE, (worktree, session, worktree))
        sequence: int = rows[0][0] or 0
        seen_sequence: int | None = rows[0][1]
        is_new = seen_sequence is None or seen_sequence < sequence or _standing(rows[0][2:6]) != standing
        now_ms = self._clock_ms()
        if not is_new and now_ms - self._active.get(session, 0) < _ACTIVE_STEP_MS:
            return
        self._active[session] = now_ms

        def work(connection: sqlite3.Connection) -> None:
            _touch(connection, session, client, now_ms)
            if is_new:
                _write_seen(connection, session, worktree, Seen(standing, sequence, now_ms))

        await self._database.write(work)

    async def record_move(
        self, session: str, client: str, location: Location, *, tool: str, before: Standing, after: Standing
    ) -> Move | None:
        """Enter a call's move in the ledger, and as what the session has seen; None where nothing moved."""
        if before.equals(after):
            await self.record_seen(session, client, location, after)
            return None
        now_ms = self._clock_ms()
        worktree = worktree_key(location)

        def work(connection: sqlite3.Connection) -> Move:
            _touch(connection, session, client, now_ms)
            cursor = connection.execute(
                "INSERT INTO moves (worktree, session, tool, old_head, old_branch, old_index_stamp, old_staged,"
                " new_head, new_branch, new_index_stamp, new_staged, time_ms) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
                (worktree, session, tool, *_columns(before), *_columns(after), now_ms),
            )
            move = Move(cursor.lastrowid or 0, session, tool, before, after, now_ms)
            _write_seen(connection, session, worktree, Seen(after, move.sequence, now_ms))
            return move

        return await self._database.write(work)

    async def sweep(self, idle_ms: int = IDLE_MS) -> int:
        """Forget sessions that have been idle for longer, and old moves but each worktree's last; how many went."""
        now_ms = self._clock_ms()

        def work(connection: sqlite3.Connection) -> int:
            gone = connection.execute("DELETE FROM sessions WHERE active_ms < ?", (now_ms - idle_ms,)).rowcount
            connection.execute("DELETE FROM seen WHERE session NOT IN (SELECT session FROM sessions)")
            connection.execute(
                "DELETE FROM moves WHERE time_ms < ?"
                " AND sequence NOT IN (SELECT max(sequence) FROM moves GROUP BY worktree)",
                (now_ms - max(_LEDGER_MS, idle_ms),),
            )
            return gone

        return await self._database.write(work)

    def _known_staged(self, location: Location, standing: Standing) -> str | None:
        rows = self._database.read(_KNOWN_STAGED, (worktree_key(location), standing.index, standing.head.commit))
        return rows[0][0] if rows else None


def worktree_key(location: Location) -> Storable:
    """How the database names a worktree: by its own git directory, which `git worktree move` leaves in place."""
    return to_storable(str(location.git_dir))


def repository_key(location: Location) -> Storable:
    """How the database names a repository: by the git directory that its worktrees share."""
    return to_storable(str(location.common_dir))


def _touch(connection: sqlite3.Connection, session: str, client: str, now_ms: int) -> None:
    connection.execute(
        "INSERT INTO sessions VALUES (?, ?, ?, ?) ON CONFLICT (session) DO UPDATE SET active_ms = excluded.active_ms",
        (session, client, now_ms, now_ms),
    )


def _write_seen(connection: sqlite3.Connection, session: str, worktree: Storable, seen: Seen) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO seen VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (session, worktree, *_columns(seen.standing), seen.sequence, seen.time_ms),
    )


def _columns(standing: Standing) -> tuple[Storable, Storable, Storable, Storable]:
    return (standing.head.commit, to_storable(standing.head.branch), standing.index, standing.staged)


def _standing(row: Row) -> Standing:
    head, branch, index_stamp, staged = row
    return Standing(HeadState(head, from_storable(branch)), index_stamp, staged)


def _move(row: Row) -> Move:
    sequence, session, tool = row[0:3]
    return Move(sequence, session, tool, _standing(row[3:7]), _standing(row[7:11]), row[11])
