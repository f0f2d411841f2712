"""Nothing that the spawner started outlives its call: deadline, cancel, early stop, close, the server's own death."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import psutil
import pytest

from git_sidecar.git import child_posix
from git_sidecar.git.errors import GitRefused, GitTimedOut
from git_sidecar.git.invocation import Completed, Effect, Invocation, Limits
from git_sidecar.git.process import Spawner
from tests.support.processes import BOUND_S, Reports, fake_git, has_ended, is_alive
from tests.support.scratch import Scratch, ScratchRepo

COMMIT = Invocation(("commit", "-q", "-m", "bg"), effect=Effect.WRITE)
# A hook with a child, as hooks are; both ids are reported.
SLEEPING = "sleep 300 & echo $$ $! > {reports}; echo waiting >&2; wait"
STUBBORN = "trap '' TERM; (trap '' TERM; while :; do sleep 0.05; done) & echo $$ $! > {reports}; wait"


@pytest.fixture
def reports(tmp_path: Path) -> Iterator[Reports]:
    made = Reports(tmp_path / "reports")
    yield made
    made.close()


def no_pidfd(pid: int) -> None:
    """What a system without pidfd_open(2) answers."""


@pytest.fixture
async def spawner(scratch: Scratch) -> AsyncIterator[Spawner]:
    made = Spawner(scratch.env)
    yield made
    await made.close()


@pytest.fixture
def staged(repo: ScratchRepo) -> ScratchRepo:
    """A repository with something to commit."""
    repo.commit("one", **{"f.txt": "1\n"})
    repo.write("f.txt", "2\n")
    repo.git("add", "f.txt")
    return repo


def hook(repo: ScratchRepo, name: str, body: str, reports: Reports) -> None:
    path = repo.write(f".git/hooks/{name}", f"#!/bin/sh\n{body.format(reports=reports.path)}\n")
    path.chmod(0o755)


async def reported(reports: Reports) -> list[int]:
    return [int(word) for word in await asyncio.to_thread(reports.next)]


@pytest.mark.parametrize("with_pidfd", [True, False])
async def test_a_deadline_ends_git_and_its_hook_and_leaves_no_lock(
    staged: ScratchRepo, spawner: Spawner, reports: Reports, monkeypatch: pytest.MonkeyPatch, with_pidfd: bool
) -> None:
    if not with_pidfd:
        monkeypatch.setattr(child_posix, "_open_pidfd", no_pidfd)
    hook(staged, "pre-commit", SLEEPING, reports)
    late = Invocation(COMMIT.argv, effect=Effect.WRITE, limits=Limits(timeout_s=2.0))
    started_s = time.monotonic()
    with pytest.raises(GitTimedOut, match="within 2 s") as caught:
        await spawner.run(staged.root, late, trusted=True)
    assert 2.0 <= time.monotonic() - started_s < 4.0
    assert caught.value.stderr == b"waiting\n"
    assert not any(is_alive(pid) for pid in await reported(reports))
    assert not (staged.root / ".git" / "index.lock").exists()
    assert staged.text("log", "--format=%s") == "one"
    assert spawner.running == frozenset()


@pytest.mark.parametrize(("body", "least_s"), [(SLEEPING, 0.0), (STUBBORN, 2.0)])
async def test_a_cancel_is_passed_on_once_the_group_is_gone(
    staged: ScratchRepo, spawner: Spawner, reports: Reports, body: str, least_s: float
) -> None:
    hook(staged, "pre-commit", body, reports)
    task = asyncio.create_task(spawner.run(staged.root, COMMIT, trusted=True))
    pids = await reported(reports)
    (group,) = spawner.running
    assert os.getsid(group) == group != os.getsid(0)
    assert [os.getpgid(pid) for pid in pids] == [group, group]
    started_s = time.monotonic()
    task.cancel()
    await asyncio.sleep(0)
    # A second cancel (a client that hangs up after it cancelled) must not cut the ending short.
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert least_s <= time.monotonic() - started_s < least_s + 2.0
    assert not any(is_alive(pid) for pid in (group, *pids))
    assert spawner.running == frozenset()


async def test_a_background_child_that_holds_the_pipes_is_neither_awaited_nor_killed(
    staged: ScratchRepo, spawner: Spawner, reports: Reports
) -> None:
    hook(staged, "post-commit", "echo said >&2; sleep 300 & echo $! > {reports}", reports)
    async with asyncio.timeout(BOUND_S):
        done = await spawner.run(staged.root, COMMIT, trusted=True)
    assert (done.code, done.stderr) == (0, b"said\n")
    assert staged.text("log", "-1", "--format=%s") == "bg"
    (pid,) = await reported(reports)
    assert is_alive(pid)
    os.kill(pid, signal.SIGKILL)


async def test_a_background_child_that_never_stops_writing_is_not_awaited(
    staged: ScratchRepo, spawner: Spawner, reports: Reports
) -> None:
    hook(staged, "post-commit", "(while echo noise; do sleep 0.01; done) & echo $! > {reports}", reports)
    async with asyncio.timeout(BOUND_S):
        done = await spawner.run(staged.root, COMMIT, trusted=True)
    assert done.code == 0
    (pid,) = await reported(reports)
    assert has_ended(pid) or os.kill(pid, signal.SIGKILL) is None


class Enough:
    """A sink that has had enough at once."""

    def feed(self, chunk: bytes, /) -> bool:
        del chunk
        return False


class Broken:
    """A sink that fails."""

    def feed(self, chunk: bytes, /) -> bool:
        raise LookupError(chunk[:1])


@pytest.mark.parametrize("prefix", ["", "trap '' TERM PIPE; "])
async def test_a_sink_that_has_had_enough_ends_the_process(scratch: Scratch, tmp_path: Path, prefix: str) -> None:
    git = fake_git(tmp_path / "bin", f"{prefix}while :; do echo y; done 2>/dev/null")
    spawner = Spawner(scratch.env, git_path=str(git))
    async with asyncio.timeout(BOUND_S):
        done = await spawner.run(tmp_path, Invocation(("x",)), trusted=True, sink=Enough())
    assert done.truncated
    assert done.stdout == b""
    assert done.code in (-signal.SIGTERM, -signal.SIGPIPE, -signal.SIGKILL)
    assert spawner.running == frozenset()
    await spawner.close()


async def test_a_sink_that_fails_ends_the_process_and_its_error_is_passed_on(scratch: Scratch, tmp_path: Path) -> None:
    git = fake_git(tmp_path / "bin", "echo $$; exec sleep 300")
    spawner = Spawner(scratch.env, git_path=str(git))
    async with asyncio.timeout(BOUND_S):
        with pytest.raises(LookupError):
            await spawner.run(tmp_path, Invocation(("x",)), trusted=True, sink=Broken())
    assert spawner.running == frozenset()
    await spawner.close()


async def running_hooks(
    staged: ScratchRepo, spawner: Spawner, reports: Reports
) -> tuple[asyncio.Task[Completed], list[int]]:
    hook(staged, "pre-commit", SLEEPING, reports)
    task = asyncio.create_task(spawner.run(staged.root, COMMIT, trusted=True))
    pids = await reported(reports)
    return task, [*spawner.running, *pids]


async def test_close_ends_everything_and_nothing_starts_afterwards(
    staged: ScratchRepo, scratch: Scratch, reports: Reports
) -> None:
    spawner = Spawner(scratch.env)
    before = set(psutil.Process().children())
    task, pids = await running_hooks(staged, spawner, reports)
    me = psutil.Process()
    started = set(me.children()) - before
    assert len(started) == 2  # git and the guard
    await spawner.close()
    assert not any(is_alive(pid) for pid in pids)
    assert (await task).code != 0
    assert not started & set(me.children())
    with pytest.raises(GitRefused, match="ending"):
        await spawner.run(staged.root, COMMIT, trusted=True)


async def test_a_daemon_that_holds_the_pipes_does_not_hold_up_close(
    staged: ScratchRepo, scratch: Scratch, reports: Reports
) -> None:
    spawner = Spawner(scratch.env)
    daemon = 'setsid sh -c "echo \\$\\$ > {reports}; exec sleep 300" & wait'
    hook(staged, "pre-commit", daemon, reports)
    task = asyncio.create_task(spawner.run(staged.root, COMMIT, trusted=True))
    (pid,) = await reported(reports)
    async with asyncio.timeout(BOUND_S):
        await spawner.close()
        assert (await task).code != 0
    os.kill(pid, signal.SIGKILL)


async def test_abandon_ends_everything_without_the_loop(
    staged: ScratchRepo, scratch: Scratch, reports: Reports
) -> None:
    spawner = Spawner(scratch.env)
    task, pids = await running_hooks(staged, spawner, reports)
    spawner.abandon()
    assert all(has_ended(pid) for pid in pids)
    assert (await task).code != 0
    await spawner.close()


async def test_a_guard_that_was_killed_is_replaced(staged: ScratchRepo, spawner: Spawner, reports: Reports) -> None:
    me = psutil.Process()
    before = me.children()
    await spawner.run(staged.root, Invocation(("status",), effect=Effect.WRITE), trusted=True)
    (first,) = (child for child in me.children() if child not in before)
    first.kill()
    assert has_ended(first.pid)
    task, _ = await running_hooks(staged, spawner, reports)
    (second,) = (child for child in me.children() if child not in before and child.pid not in spawner.running)
    assert second.pid != first.pid
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


SERVER = """
import asyncio, os, sys
from pathlib import Path
from git_sidecar.git.invocation import Effect, Invocation
from git_sidecar.git.process import Spawner

spawner = Spawner(dict(os.environ))
call = Invocation(("commit", "-q", "-m", "x"), effect=Effect.WRITE)
asyncio.run(spawner.run(Path(sys.argv[1]), call, trusted=True))
"""


@pytest.mark.parametrize("body", [SLEEPING, STUBBORN])
def test_a_killed_server_leaves_neither_git_nor_hook(
    staged: ScratchRepo, scratch: Scratch, reports: Reports, body: str
) -> None:
    hook(staged, "pre-commit", body, reports)
    server = subprocess.Popen([sys.executable, "-c", SERVER, str(staged.root)], env=scratch.env)
    pids = [int(word) for word in reports.next(30.0)]
    family = [child.pid for child in psutil.Process(server.pid).children(recursive=True)]
    assert set(pids) < set(family)
    server.kill()
    server.wait(BOUND_S)
    # git, the hook, the hook's child and the guard itself.
    assert len(family) >= 4
    assert [pid for pid in family if not has_ended(pid)] == []
    assert not (staged.root / ".git" / "index.lock").exists() or body == STUBBORN
