"""Fixtures that every test may ask for."""

from pathlib import Path

import pytest

from tests.support.scratch import Scratch, ScratchRepo


@pytest.fixture
def scratch(tmp_path: Path) -> Scratch:
    """A scratch directory with an empty HOME."""
    return Scratch(tmp_path)


@pytest.fixture
def repo(scratch: Scratch) -> ScratchRepo:
    """An empty scratch repository."""
    return scratch.repo()
