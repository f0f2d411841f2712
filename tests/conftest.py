"""Fixtures that every test may ask for."""

import os
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio
from hypothesis import settings

from git_sidecar.git.process import Spawner
from tests.support.scratch import Scratch, ScratchRepo

# The same examples in every run of `make test`, so that a red run is a change's doing; `make test-long` draws new ones.
settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("searching", deadline=None)
settings.load_profile("searching" if os.environ.get("GIT_SIDECAR_LONG") == "1" else "steady")


@pytest.fixture
def scratch(tmp_path: Path) -> Scratch:
    """A scratch directory with an empty HOME."""
    return Scratch(tmp_path)


@pytest.fixture
def repo(scratch: Scratch) -> ScratchRepo:
    """An empty scratch repository."""
    return scratch.repo()


@pytest_asyncio.fixture
async def spawner(scratch: Scratch) -> AsyncGenerator[Spawner]:
    """Our spawner, with the scratch environment; nothing may be left running when a test ends."""
    spawner = Spawner(scratch.env)
    yield spawner
    running = spawner.running
    await spawner.close()
    assert not running, f"process groups left running: {running}"
