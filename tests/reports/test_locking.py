"""Reports: locks are left, fought for or removed, processes outlive their call, and readers wait for ever."""

import os
import shutil
import signal
import time
from collections.abc import Generator

import pytest

from tests.reports.conftest import Opener
from tests.reports.oracle import hook, staged_diff, staged_names, state
from tests.support.processes import Reports, fake_git, has_ended
from tests.support.scratch import Scratch, ScratchRepo

BOUND_S = 20.0


@pytest.fixture
def reports(scratch: Scratch) -> Generator[Reports]:
    """The FIFO into which hooks write their process ids."""
    made = Reports(scratch.base / "reports")
    yield made
    made.close()


def stage_change(repo: ScratchRepo) -> None:
    """One commit, and one staged change."""
    repo.commit(**{"f.txt": "base\n"})
    repo.write("f.txt", "base\n2\n")
    repo.git("add", "-A")


@pytest.mark.parametrize("stage_all", [False, True])
def test_a_commit_that_runs_out_of_time_leaves_no_lock_and_no_hook(
    repo: ScratchRepo, open_agreeing: Opener, reports: Reports, stage_all: bool
) -> None:
    stage_change(repo)
    before = state(repo)
    hook(repo, "pre-commit", f"echo $$ > {reports.path}\nexec sleep 300")
    editor = open_agreeing(repo.root, settings={"timeoutMs": 1500})
    started = time.monotonic()
    error = editor.error("git_commit", workdir=str(repo.root), message="never", stageAll=stage_all)
    assert time.monotonic() - started < BOUND_S
    assert error["code"] == "timed_out"
    assert has_ended(int(reports.next()[0]), bound_s=5)
    assert not (repo.root / ".git/index.lock").exists()
    assert state(repo) == before


def test_a_canceled_call_ends_its_processes_and_leaves_no_lock(
    repo: ScratchRepo, open_agreeing: Opener, reports: Reports
) -> None:
    stage_change(repo)
    before = state(repo)
    hook(repo, "pre-commit", f"echo $$ > {reports.path}\nexec sleep 300")
    editor = open_agreeing(repo.root)
    arguments = {"workdir": str(repo.root), "message": "never"}
    number = editor.begin("tools/call", {"name": "git_commit", "arguments": arguments, "toolCallId": "c1"})
    pid = int(reports.next()[0])
    assert editor.request("tools/cancel", {"toolCallId": "c1"}) == {"canceled": True}
    with pytest.raises(Exception, match="-32800"):
        editor.finish(number)
    assert has_ended(pid, bound_s=5)
    assert not (repo.root / ".git/index.lock").exists()
    assert state(repo) == before


def test_a_canceled_staged_diff_is_answered_at_once_and_git_is_gone(
    scratch: Scratch, repo: ScratchRepo, open_editor: Opener, reports: Reports
) -> None:
    stage_change(repo)
    script = fake_git(scratch.base / "bin", f"sleep 60 &\necho $$ $! > {reports.path}\nwait")
    editor = open_editor(repo.root, settings={"gitPath": str(script)})
    number = editor.begin("git/stagedDiff", {"repository": "r"})
    pids = [int(pid) for pid in reports.next()]
    assert len(pids) == 2
    canceled_at = time.monotonic()
    editor.cancel(number)
    answer = editor.finish(number)
    assert time.monotonic() - canceled_at < 3
    assert (answer["diff"], answer["canceled"]) == ("", True)
    for pid in pids:
        assert has_ended(pid, bound_s=5)
    real = shutil.which("git", path=scratch.env["PATH"])
    editor.notify("workspace/didChangeConfiguration", {"settings": {"gitSidecar": {"gitPath": real}}})
    assert editor.staged("r")["diff"] == staged_diff(repo)


@pytest.mark.parametrize("name", ["pre-commit", "post-commit"])
def test_a_hooks_background_process_does_not_hold_the_answer_back(
    repo: ScratchRepo, open_agreeing: Opener, reports: Reports, name: str
) -> None:
    stage_change(repo)
    hook(repo, name, f"sleep 45 &\necho $! > {reports.path}\nexit 0")
    editor = open_agreeing(repo.root)
    started = time.monotonic()
    made = editor.value("git_commit", workdir=str(repo.root), message="bg")
    assert time.monotonic() - started < BOUND_S
    assert made["hash"] == repo.text("rev-parse", "HEAD")
    assert repo.text("log", "-1", "--format=%s") == "bg"
    pid = int(reports.next()[0])
    if not has_ended(pid, bound_s=0):
        os.kill(pid, signal.SIGKILL)


def test_writes_at_once_wait_for_each_other(repo: ScratchRepo, open_agreeing: Opener) -> None:
    repo.commit(**{"f.txt": "base\n"})
    files = [f"x{number}.bin" for number in range(10, 22)]
    for name in files:
        repo.write(name, os.urandom(200_000))
    editor = open_agreeing(repo.root)
    where = str(repo.root)
    numbers = [
        editor.begin("tools/call", {"name": "git_add", "arguments": {"workdir": where, "paths": [name]}})
        for name in files
    ]
    answers = [editor.finish(number, timeout_s=60) for number in numbers]
    assert [answer.get("error") for answer in answers] == [None] * len(files)
    assert [answer["value"]["stagedFiles"][0]["path"] for answer in answers] == files
    assert staged_names(repo) == files
    assert not (repo.root / ".git/index.lock").exists()


def test_a_lock_of_somebody_else_is_told_and_not_removed(repo: ScratchRepo, open_agreeing: Opener) -> None:
    stage_change(repo)
    repo.write("f.txt", "base\n3\n")
    lock = repo.root / ".git/index.lock"
    lock.write_bytes(b"")
    editor = open_agreeing(repo.root)
    where = str(repo.root)
    assert editor.staged("r")["diff"] == staged_diff(repo)
    assert [entry["path"] for entry in editor.value("git_status", workdir=where)["unstaged"]] == ["f.txt"]
    for tool, more in (("git_add", {"paths": ["f.txt"]}), ("git_commit", {"message": "x"})):
        error = editor.error(tool, workdir=where, **more)
        assert (error["code"], error["retry"]) == ("repository_locked", "later")
        assert "index.lock" in str(error)
    assert lock.exists()
    assert repo.text("log", "--format=%s") == "commit"
