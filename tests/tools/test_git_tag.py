"""git_tag: listing, light and annotated tags, moving and deleting."""

import pytest

from git_sidecar.model.tier import Tier
from tests.support.planning import plan_call, preview_call, write_hook
from tests.support.scratch import ScratchRepo
from tests.support.toolbox import Toolbox


async def test_the_list_is_free_of_configuration(repo: ScratchRepo, toolbox: Toolbox) -> None:
    head = repo.commit("base", f="1\n")
    for name in ("v1.9", "v1.10", "v1.2"):
        repo.git("tag", name)
    for key, value in (("column.ui", "always"), ("tag.sort", "-version:refname")):
        repo.git("config", "--global", key, value)
    answer = await toolbox.call("git_tag")
    assert [(tag["name"], tag["target"], tag["annotated"]) for tag in answer.value["tags"]] == [
        ("v1.10", head, False),
        ("v1.2", head, False),
        ("v1.9", head, False),
    ]
    assert answer.text == f"3 tags:\n  v1.10 {head[:10]}\n  v1.2 {head[:10]}\n  v1.9 {head[:10]}"
    assert answer.plan is not None
    assert answer.plan.tier is Tier.READ


async def test_create(repo: ScratchRepo, toolbox: Toolbox) -> None:
    first = repo.commit("first", f="1\n")
    head = repo.commit("second", f="2\n")
    light = await toolbox.call("git_tag", action="create", name="light")
    assert light.value == {"action": "create", "name": "light", "hash": head, "target": head}
    assert light.plan is not None
    assert light.plan.tier is Tier.WRITE
    annotated = await toolbox.call("git_tag", action="create", name="v1", rev="HEAD~1", message="# one\n\nlines \n")
    assert annotated.value["hash"] == repo.text("rev-parse", "refs/tags/v1")
    assert annotated.value["target"] == first
    assert repo.text("cat-file", "-t", "v1") == "tag"
    assert repo.git("cat-file", "tag", "v1").partition(b"\n\n")[2] == b"# one\n\nlines\n"
    # A tag of a tag names the commit.
    assert (await toolbox.call("git_tag", action="create", name="v1b", rev="v1")).value["hash"] == first
    assert (await toolbox.call("git_tag", action="create", name="v1")).code == "ref_exists"
    assert (await toolbox.call("git_tag", action="create", name="x", rev="nope")).code == "ref_not_found"
    assert (await toolbox.call("git_tag", action="create", name="x", message=" ")).code == "invalid_arguments"
    assert (await toolbox.call("git_tag", action="create")).code == "invalid_arguments"


@pytest.mark.parametrize("name", ["-d", "--output=x", "a b", "a..b", "x^"])
async def test_names_that_git_could_misread(repo: ScratchRepo, toolbox: Toolbox, name: str) -> None:
    repo.commit("base", f="1\n")
    for action in ("create", "delete"):
        assert (await toolbox.call("git_tag", action=action, name=name)).code == "invalid_arguments"


async def test_moving_and_deleting(repo: ScratchRepo, toolbox: Toolbox) -> None:
    base = repo.commit("base", f="1\n")
    lost = repo.commit("only tagged", f="2\n")
    repo.git("tag", "v1")
    repo.git("reset", "-q", "--hard", base)
    moving = {"action": "create", "name": "v1", "force": True}
    assert (await plan_call(toolbox, "git_tag", **moving)).tier is Tier.DESTRUCTIVE
    preview = await preview_call(toolbox, "git_tag", **moving)
    assert preview.title == "Move tag `v1`?"
    assert preview.effects.commits_dropped == 1
    deleting = await preview_call(toolbox, "git_tag", action="delete", name="v1")
    assert "**1 commit that nothing else holds would be dropped.**" in deleting.message
    answer = await toolbox.call("git_tag", action="delete", name="v1")
    assert answer.value == {"action": "delete", "name": "v1", "previous": lost}
    assert answer.text == f"Deleted tag v1, which was at {lost}."
    assert answer.plan is not None
    assert answer.plan.tier is Tier.DESTRUCTIVE
    assert repo.text("tag") == ""
    assert (await toolbox.call("git_tag", action="delete", name="v1")).code == "ref_not_found"
    assert (await toolbox.call("git_tag", **moving)).code is None


async def test_signing_is_never_left_out_and_no_editor_opens(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="1\n")
    write_hook(repo, "no-gpg", "exit 2")
    for key, value in (
        ("tag.gpgSign", "true"),
        ("gpg.program", str(repo.root / ".git/hooks/no-gpg")),
        ("core.editor", "touch EDITOR_RAN"),
    ):
        repo.git("config", key, value)
    assert (await toolbox.call("git_tag", action="create", name="v1")).code == "invalid_arguments"
    assert (await toolbox.call("git_tag", action="create", name="v1", message="m")).code == "signing_failed"
    assert repo.text("tag") == ""
    assert not (repo.root / "EDITOR_RAN").exists()


async def test_the_basis_is_the_named_objects(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="1\n")
    repo.git("tag", "v1")
    first = await plan_call(toolbox, "git_tag", action="delete", name="v1")
    repo.commit("elsewhere", f="2\n")
    repo.git("tag", "other")
    assert (await plan_call(toolbox, "git_tag", action="delete", name="v1")).basis == first.basis
    repo.git("tag", "-f", "v1")
    assert (await plan_call(toolbox, "git_tag", action="delete", name="v1")).basis != first.basis
    assert first.command == ("git", "tag", "--delete", "--", "v1")
