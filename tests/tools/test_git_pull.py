"""git_pull: fast-forward, or what was asked for."""

import pytest

from tests.support.remotes import Pair, make_pair
from tests.support.scratch import Scratch
from tests.tools.conftest import OpenToolbox


@pytest.fixture
def pair(scratch: Scratch) -> Pair:
    """Both clones, and one commit of theirs that the other has not got."""
    made = make_pair(scratch)
    made.theirs.commit("theirs", **{"b.txt": "b\n"})
    made.theirs.git("push", "-q", "origin", "main")
    return made


async def test_a_fast_forward(pair: Pair, open_toolbox: OpenToolbox) -> None:
    old = pair.mine.text("rev-parse", "HEAD")
    answer = await open_toolbox(pair.mine).call("git_pull")
    new = pair.remote()
    assert answer.value["head"] == new == pair.mine.text("rev-parse", "HEAD")
    assert {"name": "refs/heads/main", "old": old, "new": new, "result": "updated"} in answer.value["refs"]
    assert (pair.mine.root / "b.txt").read_text() == "b\n"


async def test_diverged_branches_need_a_word(pair: Pair, open_toolbox: OpenToolbox) -> None:
    head = pair.mine.commit("mine", **{"c.txt": "c\n"})
    for key, value in (("pull.rebase", "true"), ("pull.ff", "false")):
        pair.mine.git("config", key, value)
    toolbox = open_toolbox(pair.mine)
    answer = await toolbox.call("git_pull")
    assert answer.code == "not_fast_forward"
    assert pair.mine.text("rev-parse", "HEAD") == head
    merged = await toolbox.call("git_pull", rebase=False)
    assert merged.code is None, merged.refusal
    assert pair.mine.text("rev-list", "--parents", "-1", "HEAD").count(" ") == 2


async def test_rebase_puts_my_commit_on_top(pair: Pair, open_toolbox: OpenToolbox) -> None:
    pair.mine.commit("mine", **{"c.txt": "c\n"})
    answer = await open_toolbox(pair.mine).call("git_pull", rebase=True)
    assert answer.code is None, answer.refusal
    assert pair.mine.text("rev-parse", "HEAD~1") == pair.remote()


async def test_conflicts_are_named(pair: Pair, open_toolbox: OpenToolbox) -> None:
    pair.mine.commit("mine", **{"b.txt": "mine\n"})
    answer = await open_toolbox(pair.mine).call("git_pull", rebase=False)
    assert answer.code == "conflict"
    assert answer.refusal is not None
    assert [(item.path.text, item.code) for item in answer.refusal.conflicts or ()] == [("b.txt", "AA")]


async def test_an_operation_in_progress_is_left_alone(pair: Pair, open_toolbox: OpenToolbox) -> None:
    pair.mine.commit("mine", **{"b.txt": "mine\n"})
    toolbox = open_toolbox(pair.mine)
    await toolbox.call("git_pull", rebase=False)
    assert (await toolbox.call("git_pull")).code == "operation_in_progress"
    assert (pair.mine.root / ".git" / "MERGE_HEAD").exists()


async def test_a_detached_head_has_no_branch_to_pull_into(pair: Pair, open_toolbox: OpenToolbox) -> None:
    pair.mine.git("checkout", "-q", "--detach")
    assert (await open_toolbox(pair.mine).call("git_pull")).code == "invalid_arguments"
