"""git_push: one branch, one remote, and a force only onto what was shown."""

import pytest

from tests.support.remotes import make_pair
from tests.support.scratch import Scratch
from tests.tools.conftest import OpenToolbox


async def test_a_push_moves_the_remote_branch(scratch: Scratch, open_toolbox: OpenToolbox) -> None:
    pair = make_pair(scratch)
    old = pair.remote()
    new = pair.mine.commit("mine", **{"c.txt": "c\n"})
    answer = await open_toolbox(pair.mine).call("git_push")
    assert answer.value["refs"] == [{"name": "refs/heads/main", "old": old, "new": new, "result": "updated"}]
    assert pair.remote() == new
    again = await open_toolbox(pair.mine).call("git_push")
    assert [ref["result"] for ref in again.value["refs"]] == ["upToDate"]


async def test_a_new_branch_is_tracked_when_asked(scratch: Scratch, open_toolbox: OpenToolbox) -> None:
    pair = make_pair(scratch)
    pair.mine.git("switch", "-qc", "topic/x")
    head = pair.mine.commit("topic", **{"t.txt": "t\n"})
    pair.mine.git("config", "push.default", "nothing")
    answer = await open_toolbox(pair.mine).call("git_push", setUpstream=True)
    assert [ref["result"] for ref in answer.value["refs"]] == ["created"]
    assert pair.remote("refs/heads/topic/x") == head
    assert pair.mine.text("rev-parse", "--abbrev-ref", "@{u}") == "origin/topic/x"


async def test_what_the_remote_has_and_we_do_not_is_never_dropped(scratch: Scratch, open_toolbox: OpenToolbox) -> None:
    pair = make_pair(scratch)
    theirs = pair.theirs.commit("theirs", **{"b.txt": "b\n"})
    pair.theirs.git("push", "-q", "origin", "main")
    pair.mine.commit("mine", **{"c.txt": "c\n"})
    assert (await open_toolbox(pair.mine).call("git_push")).code == "not_fast_forward"
    assert pair.remote() == theirs


async def test_a_force_goes_onto_the_commit_that_was_shown(scratch: Scratch, open_toolbox: OpenToolbox) -> None:
    pair = make_pair(scratch)
    pair.mine.git("switch", "-qc", "topic")
    pair.mine.commit("topic", **{"t.txt": "t\n"})
    toolbox = open_toolbox(pair.mine)
    await toolbox.call("git_push")
    pair.mine.git("commit", "-q", "--amend", "-m", "topic, better")
    assert (await toolbox.call("git_push")).code == "not_fast_forward"
    moved = pair.theirs
    moved.git("fetch", "-q")
    moved.git("switch", "-q", "topic")
    theirs = moved.commit("theirs", **{"u.txt": "u\n"})
    moved.git("push", "-q", "origin", "topic")
    refused = await toolbox.call("git_push", forceWithLease=True)
    assert refused.code == "not_fast_forward"
    assert pair.remote("refs/heads/topic") == theirs
    pair.mine.git("fetch", "-q")
    forced = await toolbox.call("git_push", forceWithLease=True)
    assert [ref["result"] for ref in forced.value["refs"]] == ["forced"]
    assert pair.remote("refs/heads/topic") == pair.mine.text("rev-parse", "topic")


@pytest.mark.parametrize(("branch", "protected"), [("main", ["main"]), ("release/1", ["release/*"])])
async def test_protected_branches_are_never_forced(
    scratch: Scratch, open_toolbox: OpenToolbox, branch: str, protected: list[str]
) -> None:
    pair = make_pair(scratch)
    pair.mine.git("switch", "-q", *((branch,) if branch == "main" else ("-c", branch)))
    pair.mine.git("commit", "-q", "--amend", "-m", "rewritten")
    before = pair.remote()
    toolbox = open_toolbox(pair.mine, settings={"protectedBranches": protected})
    answer = await toolbox.call("git_push", forceWithLease=True)
    assert answer.code == "protected_branch"
    assert pair.remote() == before


async def test_a_mirror_configuration_changes_nothing(scratch: Scratch, open_toolbox: OpenToolbox) -> None:
    pair = make_pair(scratch)
    pair.theirs.git("push", "-q", "origin", "HEAD:refs/heads/keep")
    pair.mine.git("config", "remote.origin.mirror", "true")
    pair.mine.git("config", "remote.origin.push", "+refs/heads/*:refs/heads/*")
    pair.mine.commit("mine", **{"c.txt": "c\n"})
    answer = await open_toolbox(pair.mine).call("git_push")
    assert answer.code is None, answer.refusal
    assert pair.remote("refs/heads/keep")


async def test_a_hook_that_says_no_is_heard(scratch: Scratch, open_toolbox: OpenToolbox) -> None:
    pair = make_pair(scratch)
    hook = pair.mine.root / ".git" / "hooks" / "pre-push"
    hook.write_text("#!/bin/sh\necho 'requirements must change together'\nexit 1\n")
    hook.chmod(0o755)
    before = pair.remote()
    pair.mine.commit("mine", **{"c.txt": "c\n"})
    answer = await open_toolbox(pair.mine).call("git_push")
    assert answer.code == "hook_rejected"
    assert answer.refusal is not None
    assert "requirements must change together" in f"{answer.refusal.stdout}{answer.refusal.stderr}"
    assert pair.remote() == before


async def test_the_remote_that_says_no_is_heard(scratch: Scratch, open_toolbox: OpenToolbox) -> None:
    pair = make_pair(scratch)
    hook = pair.origin / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\necho 'closed for today' >&2\nexit 1\n")
    hook.chmod(0o755)
    pair.mine.commit("mine", **{"c.txt": "c\n"})
    answer = await open_toolbox(pair.mine).call("git_push")
    assert answer.code == "remote_rejected"
    assert answer.refusal is not None
    assert "closed for today" in (answer.refusal.stderr or "")


async def test_a_branch_that_is_not_there_is_no_push(scratch: Scratch, open_toolbox: OpenToolbox) -> None:
    pair = make_pair(scratch)
    toolbox = open_toolbox(pair.mine)
    assert (await toolbox.call("git_push", branch="nowhere")).code == "ref_not_found"
    assert (await toolbox.call("git_push", branch="HEAD")).code == "invalid_arguments"
    assert (await toolbox.call("git_push", branch="+main")).code == "ref_not_found"
    assert (await toolbox.call("git_push", branch="refs/heads/main")).code == "invalid_arguments"
