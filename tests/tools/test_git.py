"""git: the tiered tool on real repositories; what classifies a call is tested in tests/unit/options."""

from typing import Any

import pytest

from git_sidecar.model.plan import Plan
from git_sidecar.model.tier import Tier
from tests.support.remotes import make_pair
from tests.support.scratch import Scratch, ScratchRepo
from tests.support.toolbox import Toolbox
from tests.tools.conftest import OpenToolbox


@pytest.fixture
def work(repo: ScratchRepo) -> ScratchRepo:
    """Two commits, a changed file, an untracked one, a directory."""
    repo.commit("first", **{"a.txt": "one\n", "d/b.txt": "b\n"})
    repo.commit("second", **{"a.txt": "one\ntwo\n"})
    repo.write("a.txt", "one\ntwo\nthree\n")
    repo.write("new.txt", "untracked\n")
    return repo


@pytest.mark.parametrize(
    "argv",
    [
        ("status", "--short"),
        ("log", "--oneline", "-1"),
        ("diff", "--stat"),
        ("diff", "HEAD~1..HEAD"),
        ("show", "HEAD:a.txt"),
        ("ls-files",),
        ("branch", "--list"),
        ("rev-parse", "HEAD"),
        ("shortlog", "-sn", "HEAD"),
        ("cat-file", "-p", "HEAD"),
    ],
)
async def test_reads_print_what_git_prints(work: ScratchRepo, toolbox: Toolbox, argv: tuple[str, ...]) -> None:
    answer = await toolbox.call("git", subcommand=argv[0], args=list(argv[1:]))
    assert answer.code is None, answer.refusal
    assert answer.value["stdout"] == work.git(*argv).decode()
    assert (answer.value["tier"], answer.value["exitCode"]) == ("read", 0)
    assert answer.plan is not None
    assert answer.plan.tier is Tier.READ


async def test_paths_start_where_the_call_does(work: ScratchRepo, toolbox: Toolbox) -> None:
    answer = await toolbox.call("git", directory="d", subcommand="log", args=["--format=%s", "--", "b.txt"])
    assert answer.value["stdout"] == "first\n"


@pytest.mark.parametrize(
    ("subcommand", "args"), [("check-ignore", ["a.txt"]), ("grep", ["nowhere-to-be-found"]), ("diff", ["--exit-code"])]
)
async def test_an_exit_code_that_is_an_answer_is_no_failure(
    work: ScratchRepo, toolbox: Toolbox, subcommand: str, args: list[str]
) -> None:
    answer = await toolbox.call("git", subcommand=subcommand, args=args)
    assert answer.code is None, answer.refusal
    assert answer.value["exitCode"] == 1


@pytest.mark.parametrize(
    ("subcommand", "args", "code"),
    [
        ("diff", ["--output=x"], "option_not_allowed"),
        ("grep", ["-Otouch", "one"], "option_not_allowed"),
        ("diff", ["--no-index", "a.txt", "d/b.txt"], "option_not_allowed"),
        ("config", ["user.name", "x"], "subcommand_not_allowed"),
        ("", ["--exec-path=."], "subcommand_not_allowed"),
        ("fetch", ["https://host.invalid/x"], "ad_hoc_remote"),
        ("log", ["--", "../outside"], "outside_workspace"),
    ],
)
async def test_what_may_not_pass_is_refused(
    work: ScratchRepo, toolbox: Toolbox, subcommand: str, args: list[str], code: str
) -> None:
    before = work.git("status", "--porcelain=v2", "--ignored")
    assert (await toolbox.call("git", subcommand=subcommand, args=args)).code == code
    assert work.git("status", "--porcelain=v2", "--ignored") == before


async def test_a_destination_behind_a_link_is_refused(work: ScratchRepo, toolbox: Toolbox) -> None:
    outside = work.root.parent / "outside"
    outside.mkdir()
    (work.root / "link").symlink_to(outside)
    answer = await toolbox.call("git", subcommand="mv", args=["d/b.txt", "link/b.txt"])
    assert answer.code == "outside_workspace"
    assert list(outside.iterdir()) == []


async def test_add_is_typed(work: ScratchRepo, toolbox: Toolbox) -> None:
    (work.root / "d" / "b.txt").unlink()
    answer = await toolbox.call("git", subcommand="add", files=["new.txt", "d/b.txt", "missing"], args=["-f", "."])
    assert answer.code is None, answer.refusal
    assert work.text("diff", "--cached", "--name-status") == "D\td/b.txt\nA\tnew.txt"
    assert "missing" in answer.value["stdout"]
    assert answer.value["warnings"] == ["`args` is ignored by git add."]
    assert (await toolbox.call("git", subcommand="add")).code == "nothing_to_do"
    assert (await toolbox.call("git", subcommand="add", files=["missing"])).code in ("nothing_to_do", "path_not_found")


async def test_commit_is_typed(work: ScratchRepo, toolbox: Toolbox) -> None:
    work.git("add", "new.txt")
    answer = await toolbox.call("git", subcommand="commit", message="a only", files=["a.txt"], args=["--no-verify"])
    assert answer.code is None, answer.refusal
    assert work.text("show", "--format=%s", "--name-only", "HEAD") == "a only\n\na.txt"
    assert work.text("diff", "--cached", "--name-only") == "new.txt"
    assert (await toolbox.call("git", subcommand="commit")).code == "invalid_arguments"


async def plan_of(toolbox: Toolbox, **arguments: Any) -> Plan:
    """The plan of a call."""
    answer = await toolbox.call("git", **arguments)
    assert answer.plan is not None, answer.refusal
    return answer.plan


async def test_destructive_calls_need_confirm_and_name_their_command(work: ScratchRepo, toolbox: Toolbox) -> None:
    plan = await plan_of(toolbox, subcommand="reset", args=["--har", "HEAD~1"])
    assert plan.tier is Tier.DESTRUCTIVE
    assert plan.confirm_required
    assert plan.command == ("git", "reset", "--hard", "HEAD~1", "--")
    assert work.text("log", "-1", "--format=%s") == "first"


async def test_a_push_is_rebuilt_with_remote_and_refspec(scratch: Scratch, open_toolbox: OpenToolbox) -> None:
    pair = make_pair(scratch)
    head = pair.mine.commit("mine", **{"c.txt": "c\n"})
    plan = await plan_of(open_toolbox(pair.mine), subcommand="push")
    assert plan.tier is Tier.NETWORK
    assert plan.command[-2:] == ("origin", "refs/heads/main:refs/heads/main")
    assert pair.remote() == head
    for args in (["-f"], ["-uf", "origin", "main"], ["origin", "+main"], ["origin", ":main"], ["--mirror", "origin"]):
        answer = await open_toolbox(pair.mine).call("git", subcommand="push", args=args)
        assert answer.code in ("protected_branch", "option_not_allowed"), args
    assert pair.remote() == head


async def test_passwords_of_remotes_are_hidden(work: ScratchRepo, toolbox: Toolbox) -> None:
    work.git("remote", "add", "far", "https://me:hunter2@host.invalid/x.git")
    answer = await toolbox.call("git", subcommand="remote", args=["-v"])
    assert "host.invalid" in answer.value["stdout"]
    assert "hunter2" not in answer.value["stdout"]


async def test_output_is_bounded(work: ScratchRepo, open_toolbox: OpenToolbox) -> None:
    work.write("big.txt", "x" * 79 + "\n" * 1 + "line\n" * 2_000)
    work.git("add", "-A")
    toolbox = open_toolbox(work, settings={"limits": {"bytes": 2_048}})
    answer = await toolbox.call("git", subcommand="diff", args=["--cached"])
    assert answer.value["truncated"] is True
    assert len(answer.value["stdout"]) <= 2_048


async def test_two_words_for_one_place_are_refused(work: ScratchRepo, toolbox: Toolbox) -> None:
    answer = await toolbox.call("git", subcommand="status", repo=str(work.root), workdir=str(work.root))
    assert answer.code == "invalid_arguments"
