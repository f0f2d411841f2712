"""git_stash: entries are named by their object id, and nothing that was put away is lost."""

import pytest

from git_sidecar.git.repository import Repository
from git_sidecar.git.stash import drop_stash
from git_sidecar.git.stash_list import read_stashes
from git_sidecar.model.tier import Tier
from tests.support.planning import plan_call, preview_call
from tests.support.scratch import ScratchRepo
from tests.support.toolbox import Toolbox


@pytest.fixture
def two_entries(repo: ScratchRepo) -> ScratchRepo:
    """A repository with the stash entries `second: y` (newest) and `first: x`."""
    repo.commit("base", f="1\n", g="1\n")
    for name, message in (("f", "first: x"), ("g", "second: y")):
        repo.write(name, "stashed\n")
        repo.git("stash", "push", "-q", "-m", message)
    return repo


def entries(repo: ScratchRepo) -> list[str]:
    """The object ids of the stash list, newest first."""
    return repo.text("stash", "list", "--format=%H").split()


async def test_list_and_show(two_entries: ScratchRepo, toolbox: Toolbox) -> None:
    answer = await toolbox.call("git_stash")
    newest, oldest = entries(two_entries)
    assert [(item["index"], item["hash"], item["message"]) for item in answer.value["stashes"]] == [
        (0, newest, "On main: second: y"),
        (1, oldest, "On main: first: x"),
    ]
    assert answer.plan is not None
    assert answer.plan.tier is Tier.READ
    for name in ("1", "stash@{1}", oldest, oldest[:8]):
        shown = await toolbox.call("git_stash", action="show", stash=name)
        assert shown.value["stash"]["hash"] == oldest
        assert "diff --git a/f b/f" in shown.value["diff"]
    assert (await toolbox.call("git_stash", action="show", stash="7")).code == "ref_not_found"
    assert (await toolbox.call("git_stash", action="show", stash="HEAD")).code == "ref_not_found"


async def test_push_and_pop(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="1\n")
    repo.write("f", "2\n")
    repo.write("new", "1\n")
    answer = await toolbox.call("git_stash", action="push", message='--all: a "b"\nc')
    assert answer.value["paths"] == ["f"]
    assert answer.value["stash"]["hash"] == entries(repo)[0]
    assert answer.plan is not None
    assert answer.plan.tier is Tier.WRITE
    assert repo.text("status", "--porcelain") == "?? new"
    assert repo.text("stash", "list", "--format=%gs") == 'On main: --all: a "b" c'
    popped = await toolbox.call("git_stash", action="pop")
    assert popped.value["stash"]["hash"] == answer.value["stash"]["hash"]
    assert popped.text.startswith("Applied and dropped 0: ")
    assert repo.text("status", "--porcelain") == " M f\n?? new"
    assert entries(repo) == []


async def test_push_untracked_and_some_paths(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", **{"f": "1\n", "*": "1\n"})
    for name in ("f", "*", "new"):
        repo.write(name, "2\n")
    answer = await toolbox.call("git_stash", action="push", paths=["*", "new"], includeUntracked=True)
    assert answer.value["paths"] == ["*", "new"]
    assert repo.text("status", "--porcelain") == " M f"
    shown = await toolbox.call("git_stash", action="show")
    assert shown.value["untracked"] == ["new"]
    assert "  untracked new" in shown.text
    unknown = await toolbox.call("git_stash", action="push", paths=["f", "nope"])
    assert unknown.code == "path_not_found"
    assert repo.text("status", "--porcelain") == " M f"


async def test_nothing_to_stash(repo: ScratchRepo, toolbox: Toolbox) -> None:
    assert (await toolbox.call("git_stash", action="push")).code == "nothing_to_do"
    repo.commit("base", f="1\n")
    repo.write("new", "1\n")
    assert (await toolbox.call("git_stash", action="push")).code == "nothing_to_do"
    assert (await toolbox.call("git_stash", action="pop")).code == "nothing_to_do"
    assert (await toolbox.call("git_stash", action="drop", stash="0")).code == "nothing_to_do"
    assert (await toolbox.call("git_stash")).value["stashes"] == []


async def test_conflicts_cannot_be_stashed(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="base\n")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("theirs", f="theirs\n")
    repo.git("checkout", "-q", "main")
    repo.commit("ours", f="ours\n")
    repo.git("merge", "-q", "side", check=False)
    assert (await toolbox.call("git_stash", action="push")).code == "conflict"


@pytest.mark.parametrize("action", ["pop", "apply"])
async def test_a_conflict_keeps_the_entry_and_says_so(repo: ScratchRepo, toolbox: Toolbox, action: str) -> None:
    repo.commit("base", f="base\n")
    repo.write("f", "stashed\n")
    repo.git("stash", "-q")
    repo.commit("other", f="committed\n")
    answer = await toolbox.call("git_stash", action=action)
    assert answer.code == "conflict"
    assert answer.refusal is not None
    assert "the stash entry is kept" in answer.refusal.message
    assert [(item.path.text, item.code) for item in answer.refusal.conflicts or ()] == [("f", "UU")]
    assert len(entries(repo)) == 1


async def test_uncommitted_work_in_the_way(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="base\n")
    repo.write("f", "stashed\n")
    repo.write("new", "stashed\n")
    repo.git("stash", "-q", "-u")
    repo.write("f", "mine\n")
    assert (await toolbox.call("git_stash", action="pop")).code == "dirty_worktree"
    assert (repo.root / "f").read_text() == "mine\n"
    repo.git("checkout", "-q", "f")
    repo.write("new", "mine\n")
    assert (await toolbox.call("git_stash", action="pop")).code == "dirty_worktree"
    assert (repo.root / "new").read_text() == "mine\n"
    assert len(entries(repo)) == 1


async def test_apply_keeps_and_drop_takes_the_named_one(two_entries: ScratchRepo, toolbox: Toolbox) -> None:
    newest, oldest = entries(two_entries)
    applied = await toolbox.call("git_stash", action="apply", stash=oldest)
    assert applied.value["stash"]["hash"] == oldest
    assert entries(two_entries) == [newest, oldest]
    two_entries.git("checkout", "-q", "f")
    preview = await preview_call(toolbox, "git_stash", action="drop", stash="1")
    assert preview.effects.commits_dropped == 1
    assert "they would be lost" in preview.message
    assert [diff.path for diff in preview.cards[0].diffs] == ["f"]  # type: ignore[union-attr]
    dropped = await toolbox.call("git_stash", action="drop", stash="1")
    assert dropped.plan is not None
    assert dropped.plan.tier is Tier.DESTRUCTIVE
    assert entries(two_entries) == [newest]


async def test_a_shifted_list_never_drops_the_wrong_one(two_entries: ScratchRepo, toolbox: Toolbox) -> None:
    newest, oldest = entries(two_entries)
    by_index = await plan_call(toolbox, "git_stash", action="drop", stash="0")
    by_id = await plan_call(toolbox, "git_stash", action="pop", stash=oldest)
    two_entries.write("f", "third\n")
    two_entries.git("stash", "-q")
    # The index means another entry now, so the yes is void; the id still means the same.
    assert (await plan_call(toolbox, "git_stash", action="drop", stash="0")).basis != by_index.basis
    again = await plan_call(toolbox, "git_stash", action="pop", stash=oldest)
    assert (again.basis, again.command) == (by_id.basis, by_id.command)
    await toolbox.call("git_stash", action="drop", stash=newest)
    assert oldest in entries(two_entries)
    assert newest not in entries(two_entries)


async def test_an_entry_that_shifts_between_list_and_drop_is_given_back(
    two_entries: ScratchRepo, toolbox: Toolbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    newest, oldest = entries(two_entries)
    stash = (await read_stashes(toolbox.repository))[1]
    assert stash.oid == oldest
    run = Repository.run

    async def run_late(self: Repository, argv: tuple[str, ...], **options: object) -> object:
        if tuple(argv[:2]) == ("stash", "drop"):
            two_entries.write("f", "third\n")
            two_entries.git("stash", "-q")
        return await run(self, argv, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Repository, "run", run_late)
    with pytest.raises(Exception, match="nothing was dropped"):
        await drop_stash(toolbox.repository, stash)
    assert {newest, oldest} < set(entries(two_entries))
    assert len(entries(two_entries)) == 3


@pytest.mark.parametrize(
    "arguments",
    [
        {"action": "pop", "paths": ["f"]},
        {"action": "drop", "message": "x"},
        {"action": "list", "stash": "0"},
        {"action": "push", "stash": "0"},
        {"action": "push", "message": " "},
        {"action": "clear"},
    ],
)
async def test_arguments_that_belong_elsewhere(
    two_entries: ScratchRepo, toolbox: Toolbox, arguments: dict[str, object]
) -> None:
    assert (await toolbox.call("git_stash", **arguments)).code == "invalid_arguments"
    assert len(entries(two_entries)) == 2


async def test_the_person_sees_what_is_put_away(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="1\n")
    repo.write("f", "2\n")
    preview = await preview_call(toolbox, "git_stash", action="push", message="secret words")
    assert preview.title == "Stash the changes of 1 file?"
    assert "- `f`" in preview.message
    plan = await plan_call(toolbox, "git_stash", action="push", message="secret words")
    assert plan.command == ("git", "stash", "push", "--no-keep-index", "--message=…")
    assert plan.scope.paths is None
