"""Which sidecar processes are alive: each holds a lock on a file of its own, which the system lets go when it dies.

A process id says too little (ids are used again); a lock cannot outlive its holder.
"""

import os
import secrets
import sys
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


class Liveness:
    """This process's sign of life, and a look at the others'."""

    def __init__(self, directory: Path) -> None:
        """Keep the files in `directory`; the sign is given at the first use of `token`."""
        self._directory = directory
        self._descriptor: int | None = None
        self._token = secrets.token_hex(8)

    @property
    def token(self) -> str:
        """This process's name, alive from now on until it ends. Raises OSError."""
        if self._descriptor is None:
            self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._descriptor = os.open(self._directory / self._token, os.O_RDWR | os.O_CREAT, 0o600)
            _try_lock(self._descriptor)
        return self._token

    def is_alive(self, token: str) -> bool:
        """Whether the process of that name still runs; a dead one's file is removed."""
        if token == self._token:
            return True
        path = self._directory / token
        try:
            descriptor = os.open(path, os.O_RDWR)
        except FileNotFoundError:
            return False
        try:
            alive = not _try_lock(descriptor)
        finally:
            os.close(descriptor)
        if not alive:
            path.unlink(missing_ok=True)
        return alive

    def close(self) -> None:
        """Take the sign away."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
            (self._directory / self._token).unlink(missing_ok=True)
