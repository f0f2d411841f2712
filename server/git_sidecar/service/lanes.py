"""Write lanes: in one repository, calls above read run one after another; reads never wait."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path


class WriteLanes:
    """A lane a repository, by the git directory that its worktrees share: they share refs and the object store."""

    def __init__(self) -> None:
        """Start with no lane in use."""
        self._locks: dict[Path, asyncio.Lock] = {}
        self._waiting: dict[Path, int] = {}

    @asynccontextmanager
    async def enter(self, common_dir: Path) -> AsyncGenerator[None]:
        """Wait for the lane, hold it, leave it; a lane that nobody uses is forgotten."""
        lock = self._locks.setdefault(common_dir, asyncio.Lock())
        self._waiting[common_dir] = self._waiting.get(common_dir, 0) + 1
        try:
            async with lock:
                yield
        finally:
            self._waiting[common_dir] -= 1
            if not self._waiting[common_dir]:
                del self._waiting[common_dir], self._locks[common_dir]
