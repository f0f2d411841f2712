"""git_restore: what changes, what is lost, and what is refused before anything changes."""

import pytest

from git_sidecar.model.tier import Tier
from tests.support.planning import plan_call, preview_call
from tests.support.scratch import ScratchRepo
from tests.support.toolbox import Toolbox


async def test_discarding_changes(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="1\n", g="1\n", h="1\n", **{"d/x": "1\n"})
    repo.write("f", "2\n")
    repo.write("g", "2\n")
    (repo.root / "d/x").unlink()
    answer = await toolbox.call("git_restore", paths=["f", "h", "d"])
    assert answer.value == {"restored": ["d/x", "f"]}
    assert answer.text == "Restored 2 paths:\n  d/x\n  f"
    assert answer.plan is not None
    assert answer.plan.tier is Tier.DESTRUCTIVE
    assert repo.text("status", "--porcelain") == " M g"


async def test_a_file_that_was_only_touched_is_not_restored(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="1\n", g="1\n")
    repo.write("f", "1\n")
    repo.write("g", "2\n")
    assert (await toolbox.call("git_restore", paths=["."])).value == {"restored": ["g"]}
    assert (await toolbox.call("git_restore", paths=["f"])).code == "nothing_to_do"


async def test_one_unknown_path_stops_everything(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="1\n")
    repo.write("f", "2\n")
    repo.write("new", "1\n")
    for path in ("nope", "new", "*"):
        answer = await toolbox.call("git_restore", paths=["f", path])
        assert answer.code == "path_not_found"
        assert repr(path) in (answer.refusal.message if answer.refusal else "")
    assert (repo.root / "f").read_text() == "2\n"


@pytest.mark.parametrize("name", ["*.md", "-f", ":(glob)**", "café ü.txt", "a\nb"])
async def test_odd_names_mean_one_file(repo: ScratchRepo, toolbox: Toolbox, name: str) -> None:
    repo.commit("base", **{name: "1\n", "notes.md": "1\n"})
    repo.write(name, "2\n")
    repo.write("notes.md", "precious\n")
    assert (await toolbox.call("git_restore", paths=[name])).value == {"restored": [name]}
    assert (repo.root / "notes.md").read_text() == "precious\n"


async def test_unstaging_is_a_write_and_leaves_files_alone(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="1\n", gone="1\n")
    repo.write("f", "2\n")
    repo.write("new", "1\n")
    repo.git("rm", "-q", "gone")
    repo.git("add", "-A")
    repo.write("f", "3\n")
    answer = await toolbox.call("git_restore", paths=["f", "new", "gone"], staged=True)
    assert answer.value == {"restored": ["f", "gone", "new"]}
    assert answer.plan is not None
    assert answer.plan.tier is Tier.WRITE
    assert repo.git("diff", "--cached") == b""
    assert (repo.root / "f").read_text() == "3\n"
    assert repo.text("status", "--porcelain") == " M f\n D gone\n?? new"
    assert (await toolbox.call("git_restore", paths=["f"], staged=True)).code == "nothing_to_do"


async def test_unstaging_before_the_first_commit(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.write("f", "v1\n")
    repo.write("g", "1\n")
    repo.git("add", "-A")
    repo.write("f", "v2\n")
    assert (await toolbox.call("git_restore", paths=["f"], staged=True)).value == {"restored": ["f"]}
    assert repo.text("ls-files") == "g"
    assert (repo.root / "f").read_text() == "v2\n"
    assert (await toolbox.call("git_restore", paths=["f"], staged=True)).code == "path_not_found"
    both = await toolbox.call("git_restore", paths=["g"], staged=True, worktree=True)
    assert both.code == "invalid_arguments"
    assert (repo.root / "g").exists()


async def test_index_and_files(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="1\n")
    repo.write("f", "2\n")
    repo.write("new", "1\n")
    repo.git("add", "-A")
    repo.write("f", "3\n")
    answer = await toolbox.call("git_restore", paths=["f", "new"], staged=True, worktree=True)
    assert answer.value == {"restored": ["f", "new"]}
    assert repo.text("status", "--porcelain") == ""
    assert not (repo.root / "new").exists()


async def test_a_source(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("first", f="1\n", old="1\n")
    repo.git("rm", "-q", "old")
    repo.commit("second", f="2\n")
    repo.git("tag", "main", "HEAD~1")
    answer = await toolbox.call("git_restore", paths=["f", "old"], source="HEAD~1")
    assert answer.value == {"restored": ["f", "old"]}
    assert ((repo.root / "f").read_text(), (repo.root / "old").read_text()) == ("1\n", "1\n")
    # The branch is meant, though a tag has its name.
    assert (await toolbox.call("git_restore", paths=["f"], source="main")).value == {"restored": ["f"]}
    assert (repo.root / "f").read_text() == "2\n"
    assert (await toolbox.call("git_restore", paths=["f"], source="nope")).code == "ref_not_found"
    assert (await toolbox.call("git_restore", paths=["f"], source="HEAD:f")).code == "ref_not_found"
    assert (await toolbox.call("git_restore", paths=["f"], source="--output=x")).code == "invalid_arguments"


async def test_a_deleted_file_with_the_name_of_a_branch(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", Cask="1\n")
    repo.git("branch", "Cask")
    repo.git("rm", "-q", "Cask")
    assert (await toolbox.call("git_restore", paths=["Cask"], staged=True)).value == {"restored": ["Cask"]}
    assert repo.text("ls-files") == "Cask"


async def test_conflicts_need_a_side(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="base\n")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("theirs", f="theirs\n")
    repo.git("checkout", "-q", "main")
    repo.commit("ours", f="ours\n")
    repo.git("merge", "-q", "side", check=False)
    marked = (repo.root / "f").read_text()
    answer = await toolbox.call("git_restore", paths=["f"])
    assert answer.code == "conflict"
    assert [(item.path.text, item.code) for item in (answer.refusal.conflicts if answer.refusal else None) or ()] == [
        ("f", "UU")
    ]
    assert (repo.root / "f").read_text() == marked
    assert (await toolbox.call("git_restore", paths=["f"], source="MERGE_HEAD")).value == {"restored": ["f"]}
    assert (repo.root / "f").read_text() == "theirs\n"
    assert (await toolbox.call("git_restore", paths=["f"], staged=True)).value == {"restored": ["f"]}
    assert repo.text("ls-files", "-u") == ""


async def test_what_is_only_intended_to_be_added_is_not_emptied(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="1\n")
    repo.write("new", "precious\n")
    repo.git("add", "-N", "new")
    answer = await toolbox.call("git_restore", paths=["new"])
    assert answer.code == "path_not_found"
    assert (repo.root / "new").read_text() == "precious\n"
    assert (await toolbox.call("git_restore", paths=["new"], staged=True)).value == {"restored": ["new"]}
    assert repo.text("status", "--porcelain") == "?? new"


async def test_links_modes_and_binary_files(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.write("binary", b"\0\1")
    (repo.root / "link").symlink_to("a")
    repo.commit("base", mode="1\n")
    repo.write("binary", b"\0\2")
    (repo.root / "link").unlink()
    (repo.root / "link").symlink_to("b")
    (repo.root / "mode").chmod(0o755)
    assert (await toolbox.call("git_restore", paths=["."])).value == {"restored": ["binary", "link", "mode"]}
    assert repo.text("status", "--porcelain") == ""


# What would be lost.


async def test_lines_that_are_nowhere_else(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="1\n2\n3\n4\n", g="1\n")
    repo.write("f", "1\n2\nmine\nalso mine\n")
    preview = await preview_call(toolbox, "git_restore", paths=["f", "g"])
    assert preview.title == "Discard changes in 1 file?"
    assert (preview.effects.files_changed, preview.effects.lines_lost, preview.effects.untracked_lost) == (1, 2, 0)
    assert "**2 lines would be lost.**" in preview.message
    patch = preview.cards[0].diffs[0].patch  # type: ignore[union-attr]
    assert "+mine\n+also mine\n" in patch
    # Staged, the same lines are still in the file when only the index goes back.
    repo.git("add", "f")
    assert (await preview_call(toolbox, "git_restore", paths=["f"], staged=True)).effects.lines_lost == 0
    repo.write("f", "1\n2\nmine\nlast\n")
    assert (await preview_call(toolbox, "git_restore", paths=["f"], staged=True)).effects.lines_lost == 1
    both = await preview_call(toolbox, "git_restore", paths=["f"], staged=True, worktree=True)
    assert both.effects.lines_lost == 3


async def test_untracked_files_in_the_way_of_a_source(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("first", old="1\n", f="1\n")
    repo.git("rm", "-q", "old")
    repo.commit("second")
    repo.write("old", "precious\nwork\n")
    preview = await preview_call(toolbox, "git_restore", paths=["old"], source="HEAD~1")
    assert (preview.effects.untracked_lost, preview.effects.lines_lost) == (1, 2)
    assert "Untracked files that would be overwritten:\n\n- `old`" in preview.message
    plan = await plan_call(toolbox, "git_restore", paths=["old"], source="HEAD~1")
    assert [path.text for path in plan.scope.paths or ()] == ["old"]
    repo.write("old", "precious\nnew work\n")
    assert (await plan_call(toolbox, "git_restore", paths=["old"], source="HEAD~1")).basis != plan.basis


async def test_the_basis_is_head_and_the_content_of_what_is_affected(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="1\n", g="1\n")
    repo.write("f", "2\n")
    first = await plan_call(toolbox, "git_restore", paths=["f"])
    assert first.command[:2] == ("git", "restore")
    repo.write("g", "2\n")
    repo.git("add", "g")
    assert (await plan_call(toolbox, "git_restore", paths=["f"])).basis == first.basis
    repo.write("f", "3\n")
    edited = await plan_call(toolbox, "git_restore", paths=["f"])
    assert edited.basis != first.basis
    repo.write("f", "2\n")
    repo.git("add", "f")
    repo.write("f", "2\nmore\n")
    assert (await plan_call(toolbox, "git_restore", paths=["f"])).basis not in (first.basis, edited.basis)
    repo.git("commit", "-q", "-m", "g", "g")
    assert (await plan_call(toolbox, "git_restore", paths=["f"])).basis["head"] == repo.text("rev-parse", "HEAD")
