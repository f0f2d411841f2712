"""The tables of the database, as steps: step n brings version n-1 (SQLite's user_version) to version n.

A step only ever adds, and what it adds has defaults, since older and newer sidecars work with one file at a time. Times
are Unix milliseconds; `worktree` is the worktree's own git directory, `repository` the one that worktrees share.
"""

_FIRST = (
    """CREATE TABLE sessions (
        session TEXT PRIMARY KEY, client TEXT NOT NULL, started_ms INTEGER NOT NULL, active_ms INTEGER NOT NULL
    ) WITHOUT ROWID""",
    """CREATE TABLE seen (
        session TEXT NOT NULL, worktree TEXT NOT NULL,
        head TEXT, branch TEXT, index_stamp TEXT NOT NULL, staged TEXT,
        sequence INTEGER NOT NULL, time_ms INTEGER NOT NULL,
        PRIMARY KEY (session, worktree)
    ) WITHOUT ROWID""",
    "CREATE INDEX seen_by_worktree ON seen (worktree, index_stamp)",
    """CREATE TABLE moves (
        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
        worktree TEXT NOT NULL, session TEXT NOT NULL, tool TEXT NOT NULL,
        old_head TEXT, old_branch TEXT, old_index_stamp TEXT NOT NULL, old_staged TEXT,
        new_head TEXT, new_branch TEXT, new_index_stamp TEXT NOT NULL, new_staged TEXT,
        time_ms INTEGER NOT NULL
    )""",
    "CREATE INDEX moves_by_worktree ON moves (worktree, sequence)",
    """CREATE TABLE operations (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        operation TEXT NOT NULL UNIQUE,
        state TEXT NOT NULL, process TEXT NOT NULL,
        session TEXT NOT NULL, client TEXT NOT NULL, time_ms INTEGER NOT NULL,
        tool TEXT NOT NULL, tier TEXT NOT NULL, arguments TEXT NOT NULL,
        repository TEXT NOT NULL, worktree TEXT NOT NULL, label TEXT NOT NULL, root TEXT NOT NULL,
        before_state TEXT, after_state TEXT, commits TEXT NOT NULL DEFAULT '[]',
        undo TEXT NOT NULL, snapshot TEXT, snapshot_bytes INTEGER NOT NULL DEFAULT 0,
        reverses TEXT, undone TEXT, remote_unknown INTEGER NOT NULL DEFAULT 0
    )""",
    "CREATE INDEX operations_by_repository ON operations (repository, number)",
    "CREATE INDEX operations_by_worktree ON operations (worktree, state)",
)

STEPS: tuple[tuple[str, ...], ...] = (_FIRST,)
