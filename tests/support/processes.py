"""Watching processes by their ids, by events with a bound: what a spawner must leave and must not leave behind."""

import os
import select
from pathlib import Path

BOUND_S = 10.0


class Reports:
    """A FIFO into which scripts (hooks, fake gits) write a line when they have got somewhere."""

    def __init__(self, path: Path) -> None:
        """Make the FIFO at `path`."""
        os.mkfifo(path)
        self.path = path
        # Both ways, so that neither end waits for the other to open it.
        self._descriptor = os.open(path, os.O_RDWR | os.O_NONBLOCK)

    def next(self, bound_s: float = BOUND_S) -> list[str]:
        """The words of what is reported next."""
        if not select.select([self._descriptor], [], [], bound_s)[0]:
            raise AssertionError(f"no report within {bound_s} s")
        return os.read(self._descriptor, 4096).decode().split()

    def close(self) -> None:
        """Close our end."""
        os.close(self._descriptor)


def is_alive(pid: int) -> bool:
    """Whether a process with this id is running (a zombie is not)."""
    return not has_ended(pid, bound_s=0)


def has_ended(pid: int, bound_s: float = BOUND_S) -> bool:
    """Whether the process has ended, waiting for that event at most `bound_s`."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], bound_s)[0])
    finally:
        os.close(descriptor)


def fake_git(directory: Path, body: str, *, version: str = "git version 2.39.5") -> Path:
    """A script `git` in `directory` that answers `git version` and otherwise runs `body` (sh; $3 and on: arguments)."""
    directory.mkdir(parents=True, exist_ok=True)
    script = directory / "git"
    script.write_text(f'#!/bin/sh\nif [ "$1" = version ]; then echo "{version}"; exit 0; fi\n{body}\n')
    script.chmod(0o755)
    return script
