"""Undo, as a property: whatever a write or destructive command did, undoing it brings back what was there before.

Random sequences of every such command, run by the real git as plain arguments on generated repositories, each between
a snapshot and its seal; each is undone, some undos are undone, and some are undone only after a `git gc --prune=now`.
GIT_SIDECAR_LONG=1 runs 300 sequences of 20 calls.
"""

import os
import random
from pathlib import Path
from typing import cast

import pytest

from git_sidecar.git.process import Spawner
from git_sidecar.git.repository import Repository
from git_sidecar.model.plan import Scope
from git_sidecar.model.refusal import Refusal
from git_sidecar.service.store_git import StoreGit
from git_sidecar.store.snapshots import SnapshotRef, Snapshots, differs
from git_sidecar.store.undo import restore
from tests.support.scratch import Scratch
from tests.support.worlds import World, build_world, locate, read_everything

LONG = os.environ.get("GIT_SIDECAR_LONG") == "1"
SEQUENCES = 300 if LONG else 30
CALLS = 20 if LONG else 7
LIMIT_BYTES = 1 << 30


class Player:
    """Plays calls on one world, with a snapshot around each."""

    def __init__(self, world: World, spawner: Spawner, directory: Path) -> None:
        self.world = world
        self.repo = world.repo
        self.snapshots = Snapshots(directory)
        self.git = StoreGit(Repository(locate(world.repo), spawner, trusted=True))
        self.count = 0

    async def take(self, scope: Scope, undoing: str | None = None) -> str:
        self.count += 1
        name = f"op-{self.count:04}"
        taken = await self.snapshots.take(self.git, scope, name=name, limit_bytes=LIMIT_BYTES, undoing=undoing)
        assert isinstance(taken, SnapshotRef), taken
        return name

    async def undo(self, name: str) -> str:
        """Undo, itself between a snapshot and its seal; the undo's own name."""
        scope = self.snapshots.load(name, "before").state.scope
        own = await self.take(scope, undoing=name)
        put_back = await restore(self.git, self.snapshots, name, message="undo")
        assert not isinstance(put_back, Refusal), put_back
        await self.snapshots.seal(self.git, own)
        return own

    def collect_garbage(self) -> None:
        """What a person types to free space: nothing outside refs, index and the stash's list survives it."""
        heads = self.repo.text("for-each-ref", "--format=%(refname)", "refs/heads").split()
        self.repo.git("reflog", "expire", "--expire=now", "HEAD", *heads, check=False)
        self.repo.git("gc", "-q", "--prune=now")


@pytest.mark.parametrize("seed", range(SEQUENCES))
async def test_every_call_is_undone_and_redone(scratch: Scratch, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    world = build_world(scratch, chance)
    player = Player(world, Spawner(scratch.env), tmp_path / "snapshots")
    for number in range(CALLS):
        world.mutate()
        argv, scope = chance.choice(world.commands())
        told = f"seed {seed}, call {number}: git {argv}, scope {scope}"
        before = read_everything(world.repo)
        name = await player.take(scope)
        assert read_everything(world.repo) == before, f"taking a snapshot changed something ({told})"
        world.repo.git("-c", "core.editor=true", *argv, check=False)
        await player.snapshots.seal(player.git, name)
        after = read_everything(world.repo)
        sides = [player.snapshots.load(name, side) for side in ("before", "after")]
        assert differs(*sides) or without_orig_head(before) == without_orig_head(after), told
        if chance.random() < 0.2:
            player.collect_garbage()
            after = read_everything(world.repo)
        undo = await player.undo(name)
        assert_equal(read_everything(world.repo), before, told)
        if chance.random() < 0.5:
            await player.undo(undo)
            assert_equal(read_everything(world.repo), after, f"redone: {told}")


def without_orig_head(everything: dict[str, object]) -> dict[str, object]:
    """A call that only noted where HEAD was has changed nothing that a person would undo."""
    operation = cast("dict[str, bytes]", everything["operation"])
    return {**everything, "operation": {name: note for name, note in operation.items() if name != "ORIG_HEAD"}}


def assert_equal(found: dict[str, object], wanted: dict[str, object], told: str) -> None:
    """As ==, and telling which part differs."""
    for part, value in wanted.items():
        assert found[part] == value, f"{part} differs, {told}"
