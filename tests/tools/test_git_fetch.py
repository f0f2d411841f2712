"""git_fetch: named remotes only, tracking refs only."""

import pytest

from tests.support.remotes import make_pair
from tests.support.scratch import Scratch
from tests.tools.conftest import OpenToolbox


async def test_tracking_refs_move_and_nothing_else(scratch: Scratch, open_toolbox: OpenToolbox) -> None:
    pair = make_pair(scratch)
    old = pair.remote()
    new = pair.theirs.commit("theirs", **{"b.txt": "b\n"})
    pair.theirs.git("push", "-q", "origin", "main", "HEAD:refs/heads/extra")
    answer = await open_toolbox(pair.mine).call("git_fetch")
    assert answer.value["remote"] == "origin"
    assert answer.value["url"] == str(pair.origin)
    assert answer.value["refs"] == [
        {"name": "refs/remotes/origin/extra", "old": None, "new": new, "result": "created"},
        {"name": "refs/remotes/origin/main", "old": old, "new": new, "result": "updated"},
    ]
    assert pair.mine.text("rev-parse", "HEAD") == old
    again = await open_toolbox(pair.mine).call("git_fetch")
    assert again.value["refs"] == []
    assert "up to date" in again.text


async def test_one_branch_and_pruning(scratch: Scratch, open_toolbox: OpenToolbox) -> None:
    pair = make_pair(scratch)
    pair.theirs.git("push", "-q", "origin", "HEAD:refs/heads/one", "HEAD:refs/heads/two")
    toolbox = open_toolbox(pair.mine)
    only = await toolbox.call("git_fetch", branch="one")
    assert [ref["name"] for ref in only.value["refs"]] == ["refs/remotes/origin/one"]
    pair.theirs.git("push", "-q", "origin", ":refs/heads/one")
    kept = await toolbox.call("git_fetch")
    assert [ref["name"] for ref in kept.value["refs"]] == ["refs/remotes/origin/two"]
    pruned = await toolbox.call("git_fetch", prune=True)
    assert [(ref["name"], ref["result"]) for ref in pruned.value["refs"]] == [("refs/remotes/origin/one", "deleted")]


@pytest.mark.parametrize(
    "remote", ["https://host.invalid/x.git", "../origin.git", "/abs/path", "ext::sh -c true", "-x", ".", "nowhere"]
)
async def test_urls_paths_and_unknown_names_are_never_contacted(
    scratch: Scratch, open_toolbox: OpenToolbox, remote: str
) -> None:
    pair = make_pair(scratch)
    answer = await open_toolbox(pair.mine).call("git_fetch", remote=remote)
    assert answer.code == "ad_hoc_remote"
    assert answer.refusal is not None
    assert "origin" in (answer.refusal.hint or "")


async def test_a_configuration_that_rewrites_branches_is_refused(scratch: Scratch, open_toolbox: OpenToolbox) -> None:
    pair = make_pair(scratch)
    pair.mine.git("config", "remote.origin.fetch", "+refs/heads/*:refs/heads/*")
    answer = await open_toolbox(pair.mine).call("git_fetch")
    assert answer.code == "denied_by_policy"


async def test_a_narrow_configuration_stays_narrow(scratch: Scratch, open_toolbox: OpenToolbox) -> None:
    pair = make_pair(scratch)
    pair.theirs.git("push", "-q", "origin", "HEAD:refs/heads/extra")
    pair.mine.git("config", "remote.origin.fetch", "+refs/heads/main:refs/remotes/origin/main")
    answer = await open_toolbox(pair.mine).call("git_fetch")
    assert answer.value["refs"] == []


async def test_passwords_in_urls_are_hidden(scratch: Scratch, open_toolbox: OpenToolbox) -> None:
    pair = make_pair(scratch)
    pair.mine.git("remote", "add", "far", "https://me:hunter2@host.invalid/x.git")
    toolbox = open_toolbox(pair.mine)
    answer = await toolbox.call("git_fetch", remote="far")
    assert answer.refusal is not None
    assert "hunter2" not in str(answer.refusal)
