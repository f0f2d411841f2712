"""Fixtures of the tools' tests."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from tests.support.scratch import ScratchRepo
from tests.support.toolbox import Toolbox

OpenToolbox = Callable[..., Toolbox]


@pytest.fixture
async def open_toolbox() -> AsyncIterator[OpenToolbox]:
    """Opens toolboxes, and ends them after the test."""
    opened: list[Toolbox] = []

    def open_one(repo: ScratchRepo, **options: Any) -> Toolbox:
        opened.append(Toolbox(repo, **options))
        return opened[-1]

    yield open_one
    for toolbox in opened:
        await toolbox.close()


@pytest.fixture
def toolbox(repo: ScratchRepo, open_toolbox: OpenToolbox) -> Toolbox:
    """The tools in the scratch repository."""
    return open_toolbox(repo)
