"""Replacing a file of git's the way git does: under `<name>.lock`, made exclusively, renamed into place.

Source: git's lockfile.h. The lock is held for the microseconds of a write, and removed again when that fails.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path

# Another git holds such a lock for milliseconds; one that stays longer is left by a dead process or a long command.
_WAITS_S = (0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.3, 0.4)


class LockHeld(Exception):
    """Somebody else holds the lock."""

    def __init__(self, path: Path) -> None:
        """Name the lock file."""
        super().__init__(str(path))
        self.path = path


def replace_locked(
    path: Path,
    content: bytes | None,
    *,
    times_ns: tuple[int, int] | None = None,
    check: Callable[[], None] | None = None,
    beside: Path | None = None,
) -> None:
    """Give a file new content (None: remove it), with these access and modification times.

    `beside`: the lock is that file's, and not the replaced one's own. `check` runs under the lock, before anything is
    changed, and may raise. Blocks for up to a second where somebody holds the lock; then raises LockHeld.
    """
    guarded = beside or path
    lock = guarded.with_name(guarded.name + ".lock")
    _take(lock)
    new = lock if beside is None else path.with_name(path.name + ".new")
    try:
        if check is not None:
            check()
        if content is None:
            path.unlink(missing_ok=True)
            return
        new.parent.mkdir(parents=True, exist_ok=True)
        new.write_bytes(content)
        if path.exists():
            new.chmod(path.stat().st_mode & 0o7777)
        if times_ns is not None:
            os.utime(new, ns=times_ns)
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)
        lock.unlink(missing_ok=True)


def _take(lock: Path) -> None:
    lock.parent.mkdir(parents=True, exist_ok=True)
    for wait_s in (*_WAITS_S, None):
        try:
            os.close(os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
        except FileExistsError:
            if wait_s is None:
                raise LockHeld(lock) from None
            time.sleep(wait_s)
        else:
            return
