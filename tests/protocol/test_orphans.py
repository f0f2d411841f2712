"""Whatever way the server ends, no git process and nothing that git started outlives it."""

import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from tests.protocol.conftest import REAL, Start
from tests.protocol.raw_client import BOUND_S, RawClient
from tests.protocol.test_reports import row, staged
from tests.support.processes import Reports, fake_git, has_ended
from tests.support.scratch import Scratch

END_S = 5.0

# As git with a hook: the shell is the group's leader, the sleep its child; both are reported.
OBEDIENT = "sleep 300 & echo $$ $! > {reports}; wait"
DEAF = 'trap "" TERM; sleep 300 & echo $$ $! > {reports}; wait'


def shut_down(client: RawClient, parent: subprocess.Popen[bytes]) -> None:
    """As a client should."""
    client.result("shutdown")
    client.notify("exit")


def close_stdin(client: RawClient, parent: subprocess.Popen[bytes]) -> None:
    """As a client that crashed."""
    client.stdin.close()


def terminate(client: RawClient, parent: subprocess.Popen[bytes]) -> None:
    """As a session manager."""
    client.process.send_signal(signal.SIGTERM)


def kill_parent(client: RawClient, parent: subprocess.Popen[bytes]) -> None:
    """As an editor that was killed while something else holds the pipe."""
    parent.kill()


def kill_server(client: RawClient, parent: subprocess.Popen[bytes]) -> None:
    """As the system does when memory runs out.

    A call that only reads is guarded once it lasts: the guard is the server's second child. The answer to a request
    after that shows that the guard has been told.
    """
    server = psutil.Process(client.process.pid)
    until = time.monotonic() + BOUND_S
    while len(server.children()) < 2:
        assert time.monotonic() < until
        client.result("git/repositories")
    client.result("git/repositories")
    client.process.kill()


@pytest.mark.parametrize("body", [OBEDIENT, DEAF], ids=["obedient", "deaf"])
@pytest.mark.parametrize("end", [shut_down, close_stdin, terminate, kill_parent, kill_server])
def test_no_process_outlives_the_server(
    start: Start,
    scratch: Scratch,
    tmp_path: Path,
    end: Callable[[RawClient, subprocess.Popen[bytes]], None],
    body: str,
) -> None:
    repo = staged(scratch, "r")
    reports = Reports(tmp_path / "reports")
    git = fake_git(scratch.base / "bin", body.format(reports=reports.path))
    parent = subprocess.Popen(["cat"], stdin=subprocess.PIPE)
    client = start(REAL, cwd=scratch.base)
    client.initialize({"repositories": [row(repo)], "settings": {"gitPath": str(git)}}, processId=parent.pid)
    client.ask("git/stagedDiff", {"repository": "r"})
    started = [int(pid) for pid in reports.next()]
    reports.close()
    try:
        began = time.monotonic()
        end(client, parent)
        client.wait_end(bound_s=END_S)
        for pid in started:
            assert has_ended(pid, END_S)
        assert time.monotonic() - began < END_S
    finally:
        parent.kill()
        parent.communicate()
    # The call that was interrupted may have been answered while somebody could still read.
    client.unread().clear()


def test_a_canceled_staged_diff_answers_once_its_git_is_gone(start: Start, scratch: Scratch, tmp_path: Path) -> None:
    repo = staged(scratch, "r")
    reports = Reports(tmp_path / "reports")
    git = fake_git(scratch.base / "bin", OBEDIENT.format(reports=reports.path))
    client = start(REAL, cwd=scratch.base)
    client.initialize({"repositories": [row(repo)], "settings": {"gitPath": str(git)}})
    identifier = client.ask("git/stagedDiff", {"repository": "r"})
    started = [int(pid) for pid in reports.next()]
    reports.close()
    client.notify("$/cancelRequest", {"id": identifier})

    result = client.answer(identifier, bound_s=END_S)["result"]
    assert (result["diff"], result["canceled"]) == ("", True)
    for pid in started:
        assert has_ended(pid, END_S)
