"""The spawner runs git as it should: directory, environment, streams, limits, and what it says when it cannot."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest

from git_sidecar.git import child_posix
from git_sidecar.git.errors import GitRefused, GitUnavailable
from git_sidecar.git.invocation import Effect, Invocation, Limits
from git_sidecar.git.process import Spawner
from git_sidecar.model.refusal import RefusalCode
from tests.support.processes import fake_git
from tests.support.scratch import Scratch, ScratchRepo

MIB = 1024 * 1024
NO_SYSTEM = {"GIT_CONFIG_NOSYSTEM": "1"}


def call(*argv: str, stdin: bytes | None = None, limits: Limits = Limits()) -> Invocation:
    """A read that sees nothing of this machine's own configuration."""
    return Invocation(argv=argv, stdin=stdin, limits=limits, environment=NO_SYSTEM)


class Kept:
    """A sink that keeps what it is fed and has had enough after so many bytes."""

    def __init__(self, enough: int | None = None) -> None:
        self.data = bytearray()
        self.enough = enough

    def feed(self, chunk: bytes, /) -> bool:
        self.data += chunk
        return self.enough is None or len(self.data) < self.enough


def no_pidfd(pid: int) -> None:
    """What a system without pidfd_open(2) answers."""


@pytest.fixture
async def spawner(scratch: Scratch) -> AsyncIterator[Spawner]:
    made = Spawner(scratch.env)
    yield made
    await made.close()


@pytest.mark.parametrize("trusted", [True, False])
async def test_output_and_exit_code_are_those_of_git(repo: ScratchRepo, spawner: Spawner, trusted: bool) -> None:
    head = repo.commit("one", **{"a.txt": "1\n"})
    done = await spawner.run(repo.root, call("rev-parse", "HEAD"), trusted=trusted)
    assert (done.code, done.stdout, done.stderr, done.truncated) == (0, head.encode() + b"\n", b"", False)
    failed = await spawner.run(repo.root, call("rev-parse", "--verify", "nowhere"), trusted=trusted)
    assert failed.code == 128
    assert failed.stdout == b""
    assert failed.stderr == b"fatal: Needed a single revision\n"


@pytest.mark.parametrize("with_pidfd", [True, False])
async def test_stdin_is_fed_to_the_end(
    repo: ScratchRepo, spawner: Spawner, monkeypatch: pytest.MonkeyPatch, with_pidfd: bool
) -> None:
    if not with_pidfd:
        monkeypatch.setattr(child_posix, "_open_pidfd", no_pidfd)
    text = b"a line of a long text\n" * 200_000
    expected = repo.git("hash-object", "--stdin", stdin=text)
    done = await spawner.run(repo.root, call("hash-object", "--stdin", stdin=text), trusted=True)
    assert done.stdout == expected
    empty = await spawner.run(repo.root, call("hash-object", "--stdin", stdin=b""), trusted=True)
    assert empty.stdout == repo.git("hash-object", "--stdin", stdin=b"")


async def test_without_stdin_git_reads_nothing(repo: ScratchRepo, spawner: Spawner) -> None:
    async with asyncio.timeout(5):
        done = await spawner.run(repo.root, call("hash-object", "--stdin"), trusted=True)
    assert done.stdout == repo.git("hash-object", "--stdin", stdin=b"")


async def test_a_process_that_ignores_its_stdin_is_no_deadlock(scratch: Scratch, tmp_path: Path) -> None:
    git = fake_git(tmp_path / "bin", "echo done; exit 3")
    spawner = Spawner(scratch.env, git_path=str(git))
    done = await spawner.run(tmp_path, call("x", stdin=b"y" * (4 * MIB)), trusted=True)
    assert (done.code, done.stdout) == (3, b"done\n")
    await spawner.close()


async def test_both_streams_at_twenty_megabytes_are_capped(scratch: Scratch, tmp_path: Path) -> None:
    git = fake_git(
        tmp_path / "bin",
        "printf HEAD; head -c 20971520 /dev/zero & head -c 20971520 /dev/zero >&2; wait; echo TAIL; printf TAIL >&2",
    )
    spawner = Spawner(scratch.env, git_path=str(git))
    limits = Limits(stdout_bytes=1000, stderr_bytes=100)
    done = await spawner.run(tmp_path, call("x", limits=limits), trusted=True)
    assert done.code == 0
    assert done.stdout == b"HEAD" + b"\0" * 996
    assert done.stderr == b"\0" * 96 + b"TAIL"
    assert done.truncated
    sink = Kept()
    streamed = await spawner.run(tmp_path, call("x", limits=limits), trusted=True, sink=sink)
    assert len(sink.data) == 4 + 20 * MIB + 5
    assert sink.data.endswith(b"\0TAIL\n")
    assert (streamed.stdout, streamed.truncated) == (b"", False)
    await spawner.close()


async def test_stdout_of_exactly_the_limit_is_not_cut(repo: ScratchRepo, spawner: Spawner) -> None:
    head = repo.commit("one")
    done = await spawner.run(repo.root, call("rev-parse", "HEAD", limits=Limits(stdout_bytes=41)), trusted=True)
    assert (done.stdout, done.truncated) == (head.encode() + b"\n", False)


async def test_a_directory_that_is_missing_is_not_a_missing_git(scratch: Scratch, spawner: Spawner) -> None:
    missing, file = scratch.base / "gone" / "deep", scratch.base / "file"
    file.write_text("x")
    dangling = scratch.base / "dangling"
    dangling.symlink_to(missing)
    expected = {
        missing: RefusalCode.PATH_NOT_FOUND,
        dangling: RefusalCode.PATH_NOT_FOUND,
        file / "below": RefusalCode.PATH_NOT_FOUND,
        file: RefusalCode.NOT_A_REPOSITORY,
    }
    for cwd, code in expected.items():
        with pytest.raises(GitRefused) as caught:
            await spawner.run(cwd, call("status"), trusted=True)
        assert caught.value.refusal.code is code
        assert str(cwd) in caught.value.refusal.message
    with pytest.raises(ValueError, match="absolute"):
        await spawner.run(Path("relative"), call("status"), trusted=True)


async def test_git_does_not_climb_to_an_outer_repository(repo: ScratchRepo, spawner: Spawner) -> None:
    repo.commit("outer")
    inner = repo.root / "plain"
    inner.mkdir()
    link = repo.scratch.base / "link"
    link.symlink_to(inner)
    for cwd in (inner, link):
        done = await spawner.run(cwd, call("rev-parse", "--show-toplevel"), trusted=True)
        assert done.code == 128
        assert b"not a git repository" in done.stderr
    through_link = repo.scratch.base / "outer-link"
    through_link.symlink_to(repo.root)
    found = await spawner.run(through_link, call("rev-parse", "--show-toplevel"), trusted=True)
    assert found.stdout.rstrip(b"\n") == os.fsencode(repo.root)


async def test_the_index_of_another_repository_is_out_of_reach(scratch: Scratch) -> None:
    ours, other = scratch.repo("ours"), scratch.repo("other")
    for each in (ours, other):
        each.commit("one", **{"f.txt": "1\n"})
    before = (other.root / ".git" / "index").read_bytes()
    ours.write("f.txt", "2\n")
    hostile = {**scratch.env, "GIT_INDEX_FILE": str(other.root / ".git" / "index"), "GIT_DIR": str(other.root / ".git")}
    spawner = Spawner(hostile)
    done = await spawner.run(ours.root, Invocation(("add", "f.txt"), effect=Effect.WRITE), trusted=True)
    assert done.code == 0
    assert (other.root / ".git" / "index").read_bytes() == before
    assert ours.text("diff", "--cached", "--name-only") == "f.txt"
    await spawner.close()


async def test_what_was_tried_is_told_when_there_is_no_git(scratch: Scratch, tmp_path: Path) -> None:
    empty = tmp_path / "emptybin"
    empty.mkdir()
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "git").write_text("not to be run")
    search = f"{empty}::bin:{tmp_path / 'plain'}"
    spawner = Spawner({**scratch.env, "PATH": search})
    with pytest.raises(GitUnavailable) as caught:
        await spawner.run(tmp_path, call("status"), trusted=True)
    assert caught.value.details.tried == (str(empty / "git"), str(tmp_path / "plain" / "git"))
    assert caught.value.details.found is None
    assert "2.23" in caught.value.details.needed
    # Nothing was remembered: git is found as soon as it is there.
    fake_git(empty, "echo $3")
    done = await spawner.run(tmp_path, call("hello"), trusted=True)
    assert done.stdout == b"hello\n"
    (empty / "git").unlink()
    with pytest.raises(GitUnavailable):
        await spawner.run(tmp_path, call("hello"), trusted=True)
    await spawner.close()


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("#!/bin/sh\necho git version 2.17.1\n", "git version 2.17.1"),
        ("#!/bin/sh\necho broken installation >&2; exit 7\n", "exited with 7 and said: broken installation"),
        ("#!/nowhere/interpreter\n", "No such file or directory"),
        ("#!/bin/sh\necho gitlike 9\n", "said: gitlike 9"),
    ],
)
async def test_a_git_that_cannot_be_used_is_told_apart(
    scratch: Scratch, tmp_path: Path, content: str, found: str
) -> None:
    git = tmp_path / "git"
    git.write_text(content)
    git.chmod(0o755)
    spawner = Spawner(scratch.env, git_path=str(git))
    with pytest.raises(GitUnavailable, match=r"2\.23 or newer is needed") as caught:
        await spawner.executable()
    assert caught.value.details.tried == (str(git),)
    assert found in str(caught.value.details.found)
    await spawner.close()


async def test_arguments_that_do_not_fit_are_refused(repo: ScratchRepo, spawner: Spawner) -> None:
    with pytest.raises(GitRefused) as caught:
        await spawner.run(repo.root, call("log", "--", "x" * (4 * MIB)), trusted=True)
    assert caught.value.refusal.code is RefusalCode.TOO_LARGE
    assert (await spawner.run(repo.root, call("rev-parse", "--git-dir"), trusted=True)).stdout == b".git\n"


async def test_git_inherits_neither_our_signals_nor_our_descriptors(scratch: Scratch, tmp_path: Path) -> None:
    git = fake_git(tmp_path / "bin", "grep SigIgn /proc/self/status; ls /proc/self/fd")
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)
    spawner = Spawner(scratch.env, git_path=str(git))
    done = await spawner.run(tmp_path, call("x"), trusted=True)
    ignored, *descriptors = done.stdout.decode().split()[1:]
    # Python itself ignores SIGPIPE and SIGXFSZ.
    python_ignores = (1 << (signal.SIGPIPE - 1)) | (1 << (signal.SIGXFSZ - 1))
    assert int(ignored, 16) & python_ignores == 0
    # The three streams, and the one by which `ls` reads the directory.
    assert descriptors == ["0", "1", "2", "3"]
    os.close(reading)
    os.close(writing)
    await spawner.close()


async def test_two_hundred_runs_leave_no_descriptor_and_no_process(repo: ScratchRepo, spawner: Spawner) -> None:
    repo.commit("one")
    me = psutil.Process()

    async def run() -> None:
        done = await spawner.run(repo.root, call("rev-parse", "HEAD", stdin=b""), trusted=True)
        assert done.code == 0

    await run()
    # The guard is started by the first call that could run a hook, or by a read that lasts.
    await spawner.run(repo.root, Invocation(("status",), effect=Effect.WRITE), trusted=True)
    before = me.num_fds(), len(me.children())
    for _ in range(20):
        await asyncio.gather(*(run() for _ in range(10)))
    assert (me.num_fds(), len(me.children())) == before
    assert spawner.running == frozenset()
