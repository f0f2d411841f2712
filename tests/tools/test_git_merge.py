"""git_merge: clean merges, conflicts and their ends, and what configuration may not do."""

import pytest

from git_sidecar.model.tier import Tier
from tests.support.planning import plan_call, preview_call, write_hook
from tests.support.scratch import ScratchRepo
from tests.support.toolbox import Toolbox


@pytest.fixture
def diverged(repo: ScratchRepo) -> ScratchRepo:
    """`main` and `side` with a commit each on top of a common one; nothing conflicts."""
    repo.commit("base", f="1\n")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("theirs", s="s\n")
    repo.git("checkout", "-q", "main")
    repo.commit("ours", m="m\n")
    return repo


@pytest.fixture
def conflicting(repo: ScratchRepo) -> ScratchRepo:
    """`side` conflicts with `main` in `f`."""
    repo.commit("base", f="base\n", g="1\n")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("theirs", f="theirs\n", g="2\n")
    repo.git("checkout", "-q", "main")
    repo.commit("ours", f="ours\n")
    return repo


def parents(repo: ScratchRepo) -> list[str]:
    """The parents of HEAD."""
    return repo.text("log", "-1", "--format=%P").split()


async def test_a_merge_commit(diverged: ScratchRepo, toolbox: Toolbox) -> None:
    ours, theirs = diverged.text("rev-parse", "main"), diverged.text("rev-parse", "side")
    answer = await toolbox.call("git_merge", rev="side")
    head = diverged.text("rev-parse", "HEAD")
    assert answer.value == {"head": head, "previous": ours, "result": "merged"}
    assert parents(diverged) == [ours, theirs]
    assert diverged.text("log", "-1", "--format=%B") == "Merge branch 'side'\n"
    assert answer.text == f"Merged: HEAD went from {ours} to the merge commit {head}."
    assert answer.plan is not None
    assert answer.plan.tier is Tier.DESTRUCTIVE


async def test_fast_forward_and_up_to_date(diverged: ScratchRepo, toolbox: Toolbox) -> None:
    diverged.git("switch", "-q", "-c", "behind", "main~1")
    side = diverged.text("rev-parse", "side")
    answer = await toolbox.call("git_merge", rev="side")
    assert (answer.value["head"], answer.value["result"]) == (side, "fastForward")
    again = await toolbox.call("git_merge", rev="side")
    assert again.value == {"head": side, "previous": side, "result": "upToDate"}
    # Nothing happens, so nobody is asked.
    assert again.plan is not None
    assert again.plan.tier is Tier.READ


async def test_no_fast_forward(diverged: ScratchRepo, toolbox: Toolbox) -> None:
    diverged.git("switch", "-q", "-c", "behind", "main~1")
    answer = await toolbox.call("git_merge", rev="side", noFF=True, message="# mine\n\nbody")
    assert answer.value["result"] == "merged"
    assert len(parents(diverged)) == 2
    assert diverged.text("log", "-1", "--format=%B") == "# mine\n\nbody\n"


async def test_a_tag_a_branch_and_a_file_of_one_name(diverged: ScratchRepo, toolbox: Toolbox) -> None:
    diverged.git("tag", "side", "side~1")
    diverged.write("side", "1\n")
    theirs = diverged.text("rev-parse", "refs/heads/side")
    await toolbox.call("git_merge", rev="side")
    assert parents(diverged)[1] == theirs
    assert diverged.text("log", "-1", "--format=%s") == "Merge branch 'side'"


@pytest.mark.parametrize(("rev", "subject"), [("refs/tags/v1", "Merge tag 'v1'"), ("side~0", "Merge commit 'side~0'")])
async def test_the_message_names_what_was_merged(
    diverged: ScratchRepo, toolbox: Toolbox, rev: str, subject: str
) -> None:
    diverged.git("tag", "v1", "side")
    await toolbox.call("git_merge", rev=rev)
    assert diverged.text("log", "-1", "--format=%s") == subject


async def test_configuration_cannot_choose_another_merge(diverged: ScratchRepo, toolbox: Toolbox) -> None:
    diverged.git("config", "branch.main.mergeOptions", "-s ours --no-commit")
    diverged.git("config", "pull.twohead", "ours")
    diverged.git("config", "merge.autoStash", "true")
    diverged.git("config", "core.editor", "touch EDITOR_RAN")
    answer = await toolbox.call("git_merge", rev="side")
    assert answer.value["result"] == "merged"
    assert (diverged.root / "s").read_text() == "s\n"
    assert not (diverged.root / "EDITOR_RAN").exists()


async def test_merge_ff_only_is_honoured_unless_asked_otherwise(diverged: ScratchRepo, toolbox: Toolbox) -> None:
    diverged.git("config", "--global", "merge.ff", "only")
    head = diverged.text("rev-parse", "HEAD")
    answer = await toolbox.call("git_merge", rev="side")
    assert answer.code == "not_fast_forward"
    assert "Not possible to fast-forward" in ((answer.refusal.stderr if answer.refusal else None) or "")
    assert diverged.text("rev-parse", "HEAD") == head
    assert (await toolbox.call("git_merge", rev="side", noFF=True)).code is None
    assert len(parents(diverged)) == 2


async def test_uncommitted_work_in_the_way(diverged: ScratchRepo, toolbox: Toolbox) -> None:
    head = diverged.text("rev-parse", "HEAD")
    diverged.write("s", "precious\n")
    assert (await toolbox.call("git_merge", rev="side")).code == "dirty_worktree"
    assert (diverged.root / "s").read_text() == "precious\n"
    assert diverged.text("rev-parse", "HEAD") == head
    assert not (diverged.root / ".git/MERGE_HEAD").exists()


async def test_what_cannot_be_merged(diverged: ScratchRepo, toolbox: Toolbox) -> None:
    assert (await toolbox.call("git_merge", rev="nope")).code == "ref_not_found"
    assert (await toolbox.call("git_merge", rev="HEAD^{tree}")).code == "ref_not_found"
    assert (await toolbox.call("git_merge", rev="-s")).code == "invalid_arguments"
    assert (await toolbox.call("git_merge")).code == "invalid_arguments"
    assert (await toolbox.call("git_merge", rev="side", abort=True)).code == "invalid_arguments"
    assert (await toolbox.call("git_merge", rev="side", message=" ")).code == "invalid_arguments"
    assert (await toolbox.call("git_merge", abort=True)).code == "nothing_to_do"
    assert (await toolbox.call("git_merge", **{"continue": True})).code == "nothing_to_do"
    diverged.git("checkout", "-q", "--orphan", "other")
    diverged.commit("unrelated")
    unrelated = await toolbox.call("git_merge", rev="side")
    assert unrelated.code == "command_failed"
    assert "no common commit" in (unrelated.refusal.message if unrelated.refusal else "")


async def test_a_hook_that_refuses(diverged: ScratchRepo, toolbox: Toolbox) -> None:
    head = diverged.text("rev-parse", "HEAD")
    write_hook(diverged, "pre-merge-commit", "git ls-files -- '*' >&2; exit 1")
    answer = await toolbox.call("git_merge", rev="side")
    assert answer.code == "hook_rejected"
    assert diverged.text("rev-parse", "HEAD") == head


# Conflicts.


async def test_a_conflict_waits(conflicting: ScratchRepo, toolbox: Toolbox) -> None:
    head = conflicting.text("rev-parse", "HEAD")
    answer = await toolbox.call("git_merge", rev="side")
    assert answer.code == "conflict"
    assert answer.refusal is not None
    assert [(item.path.text, item.code) for item in answer.refusal.conflicts or ()] == [("f", "UU")]
    assert "Merge conflict in f" in (answer.refusal.stdout or "")
    assert conflicting.text("rev-parse", "HEAD") == head
    for again in ({"rev": "side"}, {"rev": "main~1"}):
        assert (await toolbox.call("git_merge", **again)).code == "operation_in_progress"
    assert (await toolbox.call("git_merge", **{"continue": True})).code == "conflict"
    assert (conflicting.root / ".git/MERGE_HEAD").exists()


async def test_kinds_of_conflicts_with_odd_names(repo: ScratchRepo, toolbox: Toolbox) -> None:
    names = ["both -> changed", 'their"s gone', "ours\tgone", "-added"]
    repo.commit("base", **{names[0]: "1\n", names[1]: "1\n", names[2]: "1\n"})
    repo.git("checkout", "-q", "-b", "side")
    (repo.root / names[1]).unlink()
    repo.commit("theirs", **{names[0]: "theirs\n", names[2]: "theirs\n", names[3]: "theirs\n"})
    repo.git("checkout", "-q", "main")
    (repo.root / names[2]).unlink()
    repo.commit("ours", **{names[0]: "ours\n", names[1]: "ours\n", names[3]: "ours\n"})
    answer = await toolbox.call("git_merge", rev="side")
    assert answer.refusal is not None
    assert {item.path.text: item.code for item in answer.refusal.conflicts or ()} == {
        names[0]: "UU",
        names[1]: "UD",
        names[2]: "DU",
        names[3]: "AA",
    }


async def test_continue(conflicting: ScratchRepo, toolbox: Toolbox) -> None:
    conflicting.git("config", "core.editor", "touch EDITOR_RAN")
    await toolbox.call("git_merge", rev="side")
    conflicting.write("f", "both\n")
    await toolbox.call("git_add", paths=["f"])
    answer = await toolbox.call("git_merge", **{"continue": True})
    assert answer.value["result"] == "merged"
    assert answer.value["head"] == conflicting.text("rev-parse", "HEAD")
    assert conflicting.text("log", "-1", "--format=%B") == "Merge branch 'side'\n"
    assert len(parents(conflicting)) == 2
    assert not (conflicting.root / "EDITOR_RAN").exists()


async def test_continue_with_words_of_its_own(conflicting: ScratchRepo, toolbox: Toolbox) -> None:
    await toolbox.call("git_merge", rev="side")
    conflicting.write("f", "both\n")
    await toolbox.call("git_add", paths=["f"])
    await toolbox.call("git_merge", **{"continue": True}, message="joined")
    assert conflicting.text("log", "-1", "--format=%B") == "joined\n"
    assert len(parents(conflicting)) == 2


async def test_abort(conflicting: ScratchRepo, toolbox: Toolbox) -> None:
    head = conflicting.text("rev-parse", "HEAD")
    await toolbox.call("git_merge", rev="side")
    conflicting.write("f", "ours\ntyped by hand\n")
    preview = await preview_call(toolbox, "git_merge", abort=True)
    assert preview.effects.lines_lost == 1
    assert "**1 line that neither side has would be lost.**" in preview.message
    answer = await toolbox.call("git_merge", abort=True)
    assert answer.value == {"head": head, "previous": head, "result": "aborted"}
    assert (conflicting.root / "f").read_text() == "ours\n"
    assert conflicting.text("status", "--porcelain") == ""


# What a person is shown, and what a yes is bound to.


async def test_the_person_sees_what_comes_in(diverged: ScratchRepo, toolbox: Toolbox) -> None:
    head = diverged.text("rev-parse", "HEAD")
    preview = await preview_call(toolbox, "git_merge", rev="side")
    assert preview.title == "Merge `side` into `main`?"
    assert "1 commit up to" in preview.message
    assert "- `s`" in preview.message
    assert [(ref.name, ref.old, ref.new) for ref in preview.effects.refs] == [("refs/heads/main", head, None)]
    assert [diff.path for diff in preview.cards[0].diffs] == ["s"]  # type: ignore[union-attr]


async def test_the_basis(diverged: ScratchRepo, toolbox: Toolbox) -> None:
    first = await plan_call(toolbox, "git_merge", rev="side")
    assert first.scope.paths is None
    assert first.scope.targets == (diverged.text("rev-parse", "side"),)
    diverged.git("branch", "unrelated")
    diverged.write("untracked", "1\n")
    assert (await plan_call(toolbox, "git_merge", rev="side")).basis == first.basis
    diverged.write("f", "dirty\n")
    assert (await plan_call(toolbox, "git_merge", rev="side")).basis != first.basis
    diverged.git("checkout", "-q", "f")
    diverged.git("branch", "-f", "side", "main~1")
    diverged.git("branch", "-f", "side", diverged.text("commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "x"))
    assert (await plan_call(toolbox, "git_merge", rev="side")).basis["target"] != first.basis["target"]


async def test_before_the_first_commit(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="1\n")
    side = repo.text("rev-parse", "HEAD")
    repo.git("branch", "side")
    repo.git("checkout", "-q", "--orphan", "fresh")
    repo.git("rm", "-rfq", ".")
    answer = await toolbox.call("git_merge", rev="side")
    assert answer.code is None, answer.refusal
    assert (answer.value["head"], answer.value["previous"]) == (side, None)
