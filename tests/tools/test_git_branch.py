"""git_branch: listing, and every change with what it would lose."""

import pytest

from git_sidecar.model.tier import Tier
from tests.support.planning import plan_call, preview_call, write_hook
from tests.support.scratch import Scratch, ScratchRepo
from tests.support.toolbox import Toolbox
from tests.tools.conftest import OpenToolbox


def tip(repo: ScratchRepo, name: str) -> str:
    """The commit of a branch, as git has it; "" where there is none."""
    return repo.git("rev-parse", "--verify", "-q", f"refs/heads/{name}", check=False).decode().strip()


async def test_the_list_is_free_of_configuration(repo: ScratchRepo, toolbox: Toolbox) -> None:
    head = repo.commit("base", f="1\n")
    for name in ("a/one", "b/two", "c-three"):
        repo.git("branch", name)
    for key, value in (("column.ui", "always"), ("color.branch", "always"), ("branch.sort", "-committerdate")):
        repo.git("config", "--global", key, value)
    answer = await toolbox.call("git_branch")
    assert answer.plan is not None
    assert answer.plan.tier is Tier.READ
    assert [(item["name"], item["current"], item["head"]) for item in answer.value["branches"]] == [
        ("a/one", False, head),
        ("b/two", False, head),
        ("c-three", False, head),
        ("main", True, head),
    ]
    assert answer.text.split("\n")[0] == "4 branches:"
    assert f"  * main {head[:10]}" in answer.text


async def test_a_detached_head_is_no_branch(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="1\n")
    repo.git("switch", "-q", "--detach")
    branches = (await toolbox.call("git_branch")).value["branches"]
    assert [(item["name"], item["current"]) for item in branches] == [("main", False)]


async def test_upstream_and_gone(repo: ScratchRepo, scratch: Scratch, toolbox: Toolbox) -> None:
    repo.commit("base", f="1\n")
    scratch.run(scratch.base, "init", "-q", "--bare", "o.git")
    repo.git("remote", "add", "origin", str(scratch.base / "o.git"))
    repo.git("push", "-q", "-u", "origin", "main")
    repo.git("push", "-q", "origin", "main:gone")
    repo.git("branch", "-q", "gone", "origin/gone")
    repo.git("update-ref", "-d", "refs/remotes/origin/gone")
    answer = await toolbox.call("git_branch")
    assert [(item["name"], item["upstream"], item["gone"]) for item in answer.value["branches"]] == [
        ("gone", "origin/gone", True),
        ("main", "origin/main", False),
    ]
    assert "→ origin/gone (gone)" in answer.text


# Creating.


async def test_create_at_a_start_point(repo: ScratchRepo, toolbox: Toolbox) -> None:
    first = repo.commit("first", f="1\n")
    repo.commit("second", f="2\n")
    answer = await toolbox.call("git_branch", action="create", name="topic/x", startPoint="HEAD~1")
    assert answer.value == {"action": "create", "name": "topic/x", "head": first}
    assert tip(repo, "topic/x") == first
    assert repo.text("branch", "--show-current") == "main"
    assert answer.plan is not None
    assert answer.plan.tier is Tier.WRITE
    again = await toolbox.call("git_branch", action="create", name="topic/x")
    assert again.code == "ref_exists"
    assert (await toolbox.call("git_branch", action="create", name="y", startPoint="nope")).code == "ref_not_found"


async def test_a_start_point_on_a_remote_is_followed(repo: ScratchRepo, scratch: Scratch, toolbox: Toolbox) -> None:
    head = repo.commit("base", f="1\n")
    scratch.run(scratch.base, "init", "-q", "--bare", "o.git")
    repo.git("remote", "add", "origin", str(scratch.base / "o.git"))
    repo.git("push", "-q", "origin", "main:feature")
    answer = await toolbox.call("git_branch", action="checkout", name="feature", startPoint="origin/feature")
    assert answer.value == {"action": "checkout", "name": "feature", "head": head, "previous": "main"}
    assert repo.text("for-each-ref", "--format=%(upstream:short)", "refs/heads/feature") == "origin/feature"


async def test_a_tag_of_the_same_name_is_not_meant(repo: ScratchRepo, toolbox: Toolbox) -> None:
    first = repo.commit("first", f="1\n")
    repo.git("tag", "side")
    second = repo.commit("second", f="2\n")
    repo.git("branch", "side")
    assert (await toolbox.call("git_branch", action="create", name="x", startPoint="side")).value["head"] == second
    answer = await toolbox.call("git_branch", action="create", name="y", startPoint="refs/tags/side")
    assert answer.value["head"] == first


@pytest.mark.parametrize("name", ["-x", "--output=x", "a..b", "a b", "HEAD", "@", "a~1", "x.lock", "a//b", ""])
async def test_names_that_git_could_misread(repo: ScratchRepo, toolbox: Toolbox, name: str) -> None:
    repo.commit("base", f="1\n")
    for action in ("create", "checkout", "rename", "delete"):
        assert (await toolbox.call("git_branch", action=action, name=name)).code == "invalid_arguments"
    assert repo.text("for-each-ref", "--format=%(refname)") == "refs/heads/main"


async def test_moving_a_branch_counts_what_it_drops(repo: ScratchRepo, toolbox: Toolbox) -> None:
    base = repo.commit("base", f="1\n")
    repo.git("switch", "-q", "-c", "topic")
    repo.commit("one", f="2\n")
    two = repo.commit("two", f="3\n")
    repo.git("switch", "-q", "main")
    arguments = {"action": "create", "name": "topic", "startPoint": "main", "force": True}
    plan = await plan_call(toolbox, "git_branch", **arguments)
    assert plan.tier is Tier.DESTRUCTIVE
    preview = await preview_call(toolbox, "git_branch", **arguments)
    assert preview.effects.commits_dropped == 2
    assert [(ref.name, ref.old, ref.new) for ref in preview.effects.refs] == [("refs/heads/topic", two, base)]
    answer = await toolbox.call("git_branch", **arguments)
    assert answer.value == {"action": "create", "name": "topic", "head": base, "previous": two}
    # Back to a commit that the new place itself contains: only what lies after it is dropped.
    repo.git("branch", "-f", "topic", two)
    back = await preview_call(toolbox, "git_branch", action="create", name="topic", startPoint="topic~1", force=True)
    assert back.effects.commits_dropped == 1


async def test_the_checked_out_branch_is_not_moved(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="1\n")
    head = repo.commit("second", f="2\n")
    answer = await toolbox.call("git_branch", action="create", name="main", startPoint="HEAD~1", force=True)
    assert answer.code == "invalid_arguments"
    assert tip(repo, "main") == head


# Checking out.


async def test_checkout(repo: ScratchRepo, toolbox: Toolbox) -> None:
    head = repo.commit("base", f="1\n", test="1\n")
    repo.git("branch", "test")
    answer = await toolbox.call("git_branch", action="checkout", name="test")
    assert answer.value == {"action": "checkout", "name": "test", "head": head, "previous": "main"}
    assert answer.text == f"Switched to branch test at {head}; before: main."
    repo.git("switch", "-q", "--detach")
    assert (await toolbox.call("git_branch", action="checkout", name="main")).value["previous"] == head
    assert (await toolbox.call("git_branch", action="checkout", name="nope")).code == "ref_not_found"
    assert (await toolbox.call("git_branch", action="checkout", name=head)).code == "ref_not_found"
    assert (await toolbox.call("git_branch", action="checkout")).code == "invalid_arguments"
    assert (await toolbox.call("git_branch", action="checkout", name="test", force=True)).code == "invalid_arguments"


async def test_checkout_loses_nothing(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="1\n")
    repo.git("switch", "-q", "-c", "other")
    repo.commit("other", f="2\n", new="theirs\n", ignored="theirs\n")
    repo.git("switch", "-q", "main")
    repo.write("f", "mine\n")
    changed = await toolbox.call("git_branch", action="checkout", name="other")
    assert changed.code == "dirty_worktree"
    repo.git("checkout", "-q", "f")
    repo.write("new", "mine\n")
    untracked = await toolbox.call("git_branch", action="checkout", name="other")
    assert untracked.code == "dirty_worktree"
    (repo.root / "new").unlink()
    repo.write(".git/info/exclude", "ignored\n")
    repo.write("ignored", "precious\n")
    ignored = await toolbox.call("git_branch", action="checkout", name="other")
    assert ignored.code == "dirty_worktree"
    assert (repo.root / "ignored").read_text() == "precious\n"
    assert repo.text("branch", "--show-current") == "main"


async def test_checkout_during_a_merge(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="base\n")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("theirs", f="theirs\n")
    repo.git("checkout", "-q", "main")
    repo.commit("ours", f="ours\n")
    repo.git("merge", "-q", "side", check=False)
    assert (await toolbox.call("git_branch", action="checkout", name="side")).code == "operation_in_progress"


async def test_a_branch_of_another_worktree(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="1\n")
    repo.git("worktree", "add", "-q", "-b", "other", "../w")
    answer = await toolbox.call("git_branch", action="checkout", name="other")
    assert answer.code == "command_failed"
    assert "another worktree" in (answer.refusal.message if answer.refusal else "")


async def test_a_hook_that_fails_after_the_switch(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="1\n")
    repo.git("branch", "other")
    write_hook(repo, "post-checkout", "echo 'no build' >&2; exit 3")
    answer = await toolbox.call("git_branch", action="checkout", name="other")
    assert answer.code is None
    assert answer.value["warnings"] == ["the post-checkout hook failed: no build"]
    assert repo.text("branch", "--show-current") == "other"


# Renaming and deleting.


async def test_rename(repo: ScratchRepo, toolbox: Toolbox) -> None:
    head = repo.commit("base", f="1\n")
    repo.git("branch", "old")
    answer = await toolbox.call("git_branch", action="rename", name="new", startPoint="old")
    assert answer.value == {"action": "rename", "name": "new", "head": head, "previous": "old"}
    assert (tip(repo, "old"), tip(repo, "new")) == ("", head)
    assert (await toolbox.call("git_branch", action="rename", name="trunk")).value["previous"] == "main"
    assert repo.text("branch", "--show-current") == "trunk"
    assert (await toolbox.call("git_branch", action="rename", name="new")).code == "ref_exists"
    assert (await toolbox.call("git_branch", action="rename", name="z", startPoint="nope")).code == "ref_not_found"
    assert (
        await toolbox.call("git_branch", action="rename", name="z", startPoint="HEAD~1")
    ).code == "invalid_arguments"
    forced = await toolbox.call("git_branch", action="rename", name="new", force=True)
    assert forced.plan is not None
    assert forced.plan.tier is Tier.DESTRUCTIVE
    assert repo.text("branch", "--show-current") == "new"


async def test_delete(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="1\n")
    repo.git("switch", "-q", "-c", "topic")
    lost = repo.commit("only here", f="2\n")
    repo.git("branch", "merged", "main")
    assert (await toolbox.call("git_branch", action="delete", name="topic")).code == "invalid_arguments"
    repo.git("switch", "-q", "main")
    assert (await toolbox.call("git_branch", action="delete", name="main")).code == "invalid_arguments"
    plain = await toolbox.call("git_branch", action="delete", name="merged")
    assert plain.plan is not None
    assert (plain.code, plain.plan.tier) == (None, Tier.DESTRUCTIVE)
    unmerged = await toolbox.call("git_branch", action="delete", name="topic")
    assert unmerged.code == "invalid_arguments"
    assert "not fully merged: 1 commit" in (unmerged.refusal.message if unmerged.refusal else "")
    preview = await preview_call(toolbox, "git_branch", action="delete", name="topic", force=True)
    assert preview.effects.commits_dropped == 1
    assert "**1 commit that no other branch or tag holds would be dropped.**" in preview.message
    answer = await toolbox.call("git_branch", action="delete", name="topic", force=True)
    assert answer.value == {"action": "delete", "name": "topic", "previous": lost}
    assert repo.text("for-each-ref", "--format=%(refname)") == "refs/heads/main"
    assert (await toolbox.call("git_branch", action="delete", name="topic")).code == "ref_not_found"


async def test_a_branch_whose_commits_a_tag_holds_can_go(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="1\n")
    repo.git("switch", "-q", "-c", "topic")
    repo.commit("tagged", f="2\n")
    repo.git("tag", "kept")
    repo.git("switch", "-q", "main")
    assert (await toolbox.call("git_branch", action="delete", name="topic")).code is None
    assert tip(repo, "topic") == ""


async def test_the_basis_is_the_named_objects(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="1\n")
    repo.git("branch", "topic")
    repo.git("branch", "other")
    calls = ({"action": "delete", "name": "topic"}, {"action": "checkout", "name": "topic"})
    first = [(await plan_call(toolbox, "git_branch", **call)).basis for call in calls]
    repo.commit("elsewhere", f="2\n")
    repo.git("branch", "-f", "other", "HEAD")
    repo.write("f", "dirty\n")
    assert [(await plan_call(toolbox, "git_branch", **call)).basis for call in calls] == first
    repo.git("branch", "-f", "topic", "HEAD")
    moved = [(await plan_call(toolbox, "git_branch", **call)).basis for call in calls]
    assert moved[0] != first[0]
    assert moved[1] != first[1]


async def test_before_the_first_commit_and_in_a_bare_repository(
    repo: ScratchRepo, scratch: Scratch, open_toolbox: OpenToolbox, toolbox: Toolbox
) -> None:
    assert (await toolbox.call("git_branch")).value["branches"] == []
    assert (await toolbox.call("git_branch", action="create", name="x")).code == "ref_not_found"
    head = repo.commit("base", f="1\n")
    scratch.run(scratch.base, "clone", "-q", "--bare", str(repo.root), "o.git")
    bare = open_toolbox(repo, root=scratch.base / "o.git")
    assert (await bare.call("git_branch", action="create", name="x")).value["head"] == head
    assert (await bare.call("git_branch", action="checkout", name="x")).code == "bare_repository"
