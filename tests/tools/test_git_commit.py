"""git_commit: what is committed, what hooks and configuration may and may not change, and what is refused."""

import pytest

from git_sidecar.model.plan import Plan
from git_sidecar.model.tier import Tier
from tests.support.planning import plan_call, preview_call, try_plan, write_hook
from tests.support.scratch import Scratch, ScratchRepo
from tests.support.toolbox import Answer, Toolbox
from tests.tools.conftest import OpenToolbox


@pytest.fixture
def staged(repo: ScratchRepo) -> ScratchRepo:
    """A repository with one commit and one staged change."""
    repo.commit("base", f="1\n")
    repo.write("f", "1\n2\n")
    repo.git("add", "-A")
    return repo


def heard(answer: Answer) -> str:
    """Everything that git and its hooks said in a refusal."""
    assert answer.refusal is not None
    return f"{answer.refusal.message}\n{answer.refusal.stderr}\n{answer.refusal.stdout}"


def files_of(answer: Answer) -> list[tuple[str, str]]:
    """Status and path of each file of the value."""
    return [(file["status"], file["path"]) for file in answer.value["files"]]


async def test_the_value_is_read_back(staged: ScratchRepo, toolbox: Toolbox) -> None:
    answer = await toolbox.call("git_commit", message="fix it", body="because\n")
    head = staged.text("rev-parse", "HEAD")
    assert answer.value == {
        "hash": head,
        "shortHash": staged.text("rev-parse", "--short", "HEAD"),
        "branch": "main",
        "subject": "fix it",
        "files": [{"path": "f", "status": "modified", "additions": 1, "deletions": 0, "binary": False}],
    }
    assert staged.text("log", "-1", "--format=%B") == "fix it\n\nbecause\n"
    assert answer.text == f"Committed {head} on main: fix it\n1 file changed:\n  modified f +1 -0"


async def test_a_message_is_data(staged: ScratchRepo, toolbox: Toolbox) -> None:
    message = "fix: `touch PWNED1` and $(touch PWNED2) \"q\" 'a' \\ %s !x"
    answer = await toolbox.call("git_commit", message=message)
    assert answer.value["subject"] == staged.text("log", "-1", "--format=%s") == message
    assert not list(staged.scratch.base.rglob("PWNED*"))


async def test_no_configuration_eats_lines(staged: ScratchRepo, toolbox: Toolbox) -> None:
    template = staged.write(".git/tpl", "TEMPLATE\n")
    for key, value in (
        ("commit.cleanup", "scissors"),
        ("core.commentChar", ";"),
        ("commit.verbose", "true"),
        ("commit.template", str(template)),
        ("commit.status", "true"),
        ("i18n.commitEncoding", "ISO-8859-1"),
    ):
        staged.git("config", key, value)
    body = "# heading\n; note\n# ------------------------ >8 ------------------------\nend é"
    answer = await toolbox.call("git_commit", message="; starts with the comment character", body=body)
    assert answer.code is None
    raw = staged.git("cat-file", "commit", "HEAD").partition(b"\n\n")
    assert raw[2].decode() == f"; starts with the comment character\n\n{body}\n"
    assert b"encoding" not in raw[0]


@pytest.mark.parametrize("message", ["", " \n\t\n"])
async def test_an_empty_message_is_refused_before_git(staged: ScratchRepo, toolbox: Toolbox, message: str) -> None:
    answer = await toolbox.call("git_commit", message=message)
    assert answer.code == "invalid_arguments"
    assert staged.text("status", "--porcelain") == "M  f"


async def test_nothing_staged_is_known_before_any_question(repo: ScratchRepo, toolbox: Toolbox) -> None:
    assert (await toolbox.call("git_commit", message="x")).code == "nothing_to_commit"
    head = repo.commit("base", f="1\n")
    repo.write("f", "2\n")
    repo.write("new", "1\n")
    repo.git("add", "-N", "new")
    assert getattr(await try_plan(toolbox, "git_commit", message="x"), "code", None) == "nothing_to_commit"
    assert (await toolbox.call("git_commit", message="x", files=["f", "new"])).code is None
    assert (await toolbox.call("git_commit", message="x", stageAll=True)).code == "nothing_to_commit"
    assert (await toolbox.call("git_commit", message="x", files=["f"])).code == "nothing_to_commit"
    assert repo.text("rev-parse", "HEAD~1") == head


async def test_the_first_commit(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.write("f", "1\n")
    repo.git("add", "f")
    answer = await toolbox.call("git_commit", message="first")
    assert files_of(answer) == [("added", "f")]
    assert answer.value["hash"] == repo.text("rev-parse", "HEAD")


async def test_a_detached_head(staged: ScratchRepo, toolbox: Toolbox) -> None:
    staged.git("switch", "-q", "--detach")
    answer = await toolbox.call("git_commit", message="x")
    assert answer.value["branch"] is None
    assert "on a detached HEAD" in answer.text


# Amending.


async def test_amending_keeps_author_and_date(staged: ScratchRepo, toolbox: Toolbox) -> None:
    staged.git("reset", "-q")
    staged.git("commit", "-q", "--amend", "-C", "HEAD", "--author", "Somebody <some@example.invalid>", "--date",
               "2020-02-02T02:02:02 +0100")  # fmt: skip
    staged.git("add", "f")
    staged.write("f", "1\n2\nunstaged\n")
    answer = await toolbox.call("git_commit", message="better", amend=True)
    assert staged.text("log", "--format=%s|%an <%ae> %aI") == (
        "better|Somebody <some@example.invalid> 2020-02-02T02:02:02+01:00"
    )
    assert staged.text("show", "HEAD:f") == "1\n2"
    assert staged.text("status", "--porcelain") == " M f"
    assert answer.value["hash"] == staged.text("rev-parse", "HEAD")


async def test_only_the_words_are_amended(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="1\n")
    repo.commit("old words", f="2\n")
    tree = repo.text("rev-parse", "HEAD^{tree}")
    repo.write("f", "3\n")
    answer = await toolbox.call("git_commit", message="new words", amend=True)
    assert answer.value["subject"] == "new words"
    assert repo.text("log", "--format=%s") == "new words\nbase"
    assert repo.text("rev-parse", "HEAD^{tree}") == tree
    assert repo.text("status", "--porcelain") == " M f"


async def test_there_is_nothing_to_amend_before_the_first_commit(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.write("f", "1\n")
    repo.git("add", "f")
    answer = await toolbox.call("git_commit", message="x", amend=True)
    assert answer.code == "nothing_to_do"
    assert "You have nothing to amend" in heard(answer)
    assert repo.git("rev-parse", "--verify", "-q", "HEAD", check=False) == b""


async def test_an_amended_commit_that_a_remote_has_is_destructive(
    staged: ScratchRepo, scratch: Scratch, toolbox: Toolbox
) -> None:
    scratch.run(scratch.base, "init", "-q", "--bare", "o.git")
    staged.git("remote", "add", "origin", str(scratch.base / "o.git"))
    assert (await plan_call(toolbox, "git_commit", message="x", amend=True)).tier is Tier.WRITE
    staged.git("push", "-q", "origin", "main")
    plan = await plan_call(toolbox, "git_commit", message="x", amend=True)
    assert plan.tier is Tier.DESTRUCTIVE
    preview = await preview_call(toolbox, "git_commit", message="x", amend=True)
    assert "`refs/remotes/origin/main`" in preview.message
    assert preview.effects.commits_dropped == 1
    staged.git("commit", "-q", "-m", "local")
    assert (await plan_call(toolbox, "git_commit", message="x", amend=True)).tier is Tier.WRITE


async def test_amending_to_nothing(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="1\n")
    head = repo.commit("second", f="2\n")
    repo.write("f", "1\n")
    repo.git("add", "f")
    answer = await toolbox.call("git_commit", message="x", amend=True)
    assert answer.code is not None
    assert "make\nit empty" in heard(answer)
    assert repo.text("rev-parse", "HEAD") == head


# All, and some files.


async def test_stage_all_takes_new_and_deleted_files_but_no_ignored_ones(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="1\n", gone="bye\n", **{".gitignore": "*.log\n"})
    repo.write("f", "2\n")
    (repo.root / "gone").unlink()
    repo.write("d/new", "1\n")
    repo.write("x.log", "1\n")
    preview = await preview_call(toolbox, "git_commit", message="all", stageAll=True)
    assert "New files that are committed too:\n\n- `d/new`" in preview.message
    assert preview.title == "Commit with 3 files?"
    answer = await toolbox.call("git_commit", message="all", stageAll=True)
    assert files_of(answer) == [("added", "d/new"), ("modified", "f"), ("deleted", "gone")]
    assert repo.text("status", "--porcelain") == ""


async def test_stage_all_leaves_the_index_alone_when_a_hook_refuses(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="1\n")
    repo.write("f", "2\n")
    repo.write("new", "1\n")
    write_hook(repo, "pre-commit", "exit 1")
    assert (await toolbox.call("git_commit", message="all", stageAll=True)).code == "hook_rejected"
    assert repo.text("status", "--porcelain") == " M f\n?? new"


async def test_stage_all_leaves_a_repository_within_out(repo: ScratchRepo, scratch: Scratch, toolbox: Toolbox) -> None:
    scratch.repo("r/inner").commit("inside", i="1\n")
    repo.write("n", "1\n")
    answer = await toolbox.call("git_commit", message="all", stageAll=True)
    assert files_of(answer) == [("added", "n")]
    assert answer.value["warnings"] == ["inner/ holds a repository of its own and is left out"]
    assert repo.text("status", "--porcelain") == "?? inner/"


async def test_only_the_given_files(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", **{"a.txt": "1\n", "b.txt": "1\n", "*.txt": "1\n"})
    for path in ("a.txt", "b.txt", "*.txt"):
        repo.write(path, "2\n")
    repo.git("add", "b.txt")
    answer = await toolbox.call("git_commit", message="a only", files=["a.txt", "*.txt"])
    assert files_of(answer) == [("modified", "*.txt"), ("modified", "a.txt")]
    assert repo.text("status", "--porcelain") == "M  b.txt"


async def test_files_that_git_does_not_know(staged: ScratchRepo, toolbox: Toolbox) -> None:
    staged.write("new", "1\n")
    for path in ("new", "nope", "*"):
        answer = await toolbox.call("git_commit", message="x", files=["f", path])
        assert answer.code == "path_not_found"
        assert repr(path) in heard(answer)
    assert (await toolbox.call("git_commit", message="x", files=["f"], stageAll=True)).code == "invalid_arguments"


async def test_half_a_rename_says_what_is_left(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", **{"old.txt": "".join(f"{number}\n" for number in range(30))})
    repo.git("mv", "old.txt", "new.txt")
    answer = await toolbox.call("git_commit", message="half", files=["new.txt"])
    assert files_of(answer) == [("added", "new.txt")]
    assert answer.value["warnings"] == ["new.txt is committed as added; old.txt stays staged as deleted"]
    assert repo.text("status", "--porcelain") == "D  old.txt"


# What another one expected.


async def test_the_index_that_was_reviewed(staged: ScratchRepo, toolbox: Toolbox) -> None:
    reviewed = (await toolbox.call("git_staged_diff")).value["fingerprint"]["index"]
    staged.git("update-index", "--refresh")
    staged.write("g", "1\n")
    staged.git("add", "g")
    answer = await toolbox.call("git_commit", message="x", expectedIndex=reviewed)
    assert answer.code == "index_mismatch"
    assert staged.text("log", "--format=%s") == "base"
    staged.git("rm", "-q", "--cached", "g")
    assert (await toolbox.call("git_commit", message="x", expectedIndex=reviewed)).code is None


# Operations in progress.


async def test_a_merge_is_concluded_whole(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="base\n")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("theirs", f="theirs\n")
    repo.git("checkout", "-q", "main")
    repo.commit("ours", f="ours\n")
    repo.git("merge", "-q", "side", check=False)
    unmerged = await toolbox.call("git_commit", message="x")
    assert unmerged.code == "conflict"
    assert unmerged.refusal is not None
    assert [(item.path.text, item.code) for item in unmerged.refusal.conflicts or ()] == [("f", "UU")]
    repo.write("f", "ours\n")
    repo.git("add", "f")
    partial = await toolbox.call("git_commit", message="x", files=["f"])
    assert (partial.code, "cannot do a partial commit during a merge" in heard(partial)) == (
        "operation_in_progress",
        True,
    )
    assert (await toolbox.call("git_commit", message="x", amend=True)).code == "operation_in_progress"
    assert (repo.root / ".git/MERGE_HEAD").exists()
    # Resolved to what HEAD has: nothing is staged, and the merge is committed all the same.
    answer = await toolbox.call("git_commit", message="merged")
    assert answer.code is None
    assert len(repo.text("log", "-1", "--format=%P").split()) == 2


# Hooks, signing, identity.


async def test_what_a_hook_says_on_stdout_is_in_the_refusal(staged: ScratchRepo, toolbox: Toolbox) -> None:
    head = staged.text("rev-parse", "HEAD")
    write_hook(staged, "pre-commit", "echo 'lint: f.txt line 2 is bad'; exit 1")
    answer = await toolbox.call("git_commit", message="x")
    assert answer.code == "hook_rejected"
    assert "lint: f.txt line 2 is bad" in heard(answer)
    assert staged.text("rev-parse", "HEAD") == head
    assert staged.text("status", "--porcelain") == "M  f"


async def test_hooks_run_with_wildcards_and_cannot_be_skipped(staged: ScratchRepo, toolbox: Toolbox) -> None:
    staged.commit("more", **{"a.py": "1\n"})
    staged.write("a.py", "2\n")
    write_hook(
        staged, "pre-commit", "git diff --cached --name-only -- '*.py' | grep -q a.py && echo 'secret found' && exit 1"
    )
    assert "secret found" in heard(await toolbox.call("git_commit", message="x", stageAll=True))
    assert "secret found" in heard(await toolbox.call("git_commit", message="x", files=["a.py"]))
    assert (await toolbox.call("git_commit", message="x", noVerify=True)).code == "invalid_arguments"


async def test_a_hook_that_rewrites_the_message_is_believed(staged: ScratchRepo, toolbox: Toolbox) -> None:
    write_hook(staged, "commit-msg", 'sed -i "1s/^/[ABC-1] /" "$1"')
    answer = await toolbox.call("git_commit", message="fix it")
    assert answer.value["subject"] == "[ABC-1] fix it" == staged.text("log", "-1", "--format=%s")


async def test_files_are_those_of_the_commit(staged: ScratchRepo, toolbox: Toolbox) -> None:
    write_hook(staged, "pre-commit", "echo formatted > g; git add g")
    answer = await toolbox.call("git_commit", message="x")
    assert files_of(answer) == [("modified", "f"), ("added", "g")]
    assert staged.text("status", "--porcelain") == ""


async def test_a_noisy_hook_and_one_that_leaves_a_child(staged: ScratchRepo, toolbox: Toolbox) -> None:
    write_hook(staged, "pre-commit", "head -c 400000 /dev/zero | tr '\\0' x | tee /dev/stderr; sleep 60 &")
    answer = await toolbox.call("git_commit", message="noisy hook")
    assert answer.value["hash"] == staged.text("rev-parse", "HEAD")
    assert answer.value["subject"] == "noisy hook"


async def test_signing_that_fails_is_not_left_out(staged: ScratchRepo, toolbox: Toolbox) -> None:
    head = staged.text("rev-parse", "HEAD")
    write_hook(staged, "no-gpg", "echo 'gpg: no secret key' >&2; exit 2")
    staged.git("config", "commit.gpgsign", "true")
    staged.git("config", "gpg.program", str(staged.root / ".git/hooks/no-gpg"))
    answer = await toolbox.call("git_commit", message="x")
    assert answer.code == "signing_failed"
    assert "gpg failed to sign the data" in heard(answer)
    assert staged.text("rev-parse", "HEAD") == head
    assert staged.text("status", "--porcelain") == "M  f"


async def test_no_identity_is_invented(staged: ScratchRepo, toolbox: Toolbox) -> None:
    for key in ("user.name", "user.email"):
        staged.git("config", "--global", "--unset", key)
    staged.git("config", "--global", "user.useConfigOnly", "true")
    answer = await toolbox.call("git_commit", message="x")
    assert answer.code == "identity_missing"
    assert "Author identity unknown" in heard(answer)
    assert staged.text("log", "--format=%s") == "base"


async def test_an_editor_is_never_opened(staged: ScratchRepo, toolbox: Toolbox) -> None:
    staged.git("config", "core.editor", "touch EDITOR_RAN")
    assert (await toolbox.call("git_commit", message="x")).code is None
    assert (await toolbox.call("git_commit", message="y", amend=True)).code is None
    assert not (staged.root / "EDITOR_RAN").exists()


async def test_a_trailer_only_where_it_is_set(staged: ScratchRepo, open_toolbox: OpenToolbox) -> None:
    toolbox = open_toolbox(staged, settings={"attribution": {"trailer": "Assisted-by: Sidecar"}})
    await toolbox.call("git_commit", message="x", body="why")
    assert staged.text("log", "-1", "--format=%B") == "x\n\nwhy\n\nAssisted-by: Sidecar\n"
    assert staged.text("log", "-1", "--format=%(trailers:key=Assisted-by,valueonly)") == "Sidecar\n"


async def test_a_submodule_that_is_ignored_is_committed(repo: ScratchRepo, scratch: Scratch, toolbox: Toolbox) -> None:
    library = scratch.repo("lib")
    library.commit("lib", l="1\n")
    repo.git("submodule", "--quiet", "add", str(library.root), "sub")
    repo.git("config", "-f", ".gitmodules", "submodule.sub.ignore", "all")
    repo.commit("base")
    scratch.run(repo.root / "sub", "commit", "-q", "--allow-empty", "-m", "second")
    repo.git("add", "-f", "sub")
    answer = await toolbox.call("git_commit", message="bump")
    assert [(file["path"], file.get("submodule")) for file in answer.value["files"]] == [("sub", True)]


# What a person's yes is bound to.


async def bases(toolbox: Toolbox, *calls: dict[str, object]) -> list[Plan]:
    """The plans of several calls."""
    return [await plan_call(toolbox, "git_commit", message="x", **call) for call in calls]


async def test_the_basis(staged: ScratchRepo, toolbox: Toolbox) -> None:
    calls: tuple[dict[str, object], ...] = ({}, {"stageAll": True}, {"files": ["f"]})
    first = await bases(toolbox, *calls)
    staged.write("unrelated", "1\n")
    plain, everything, files = await bases(toolbox, *calls)
    assert plain.basis == first[0].basis
    assert everything.basis != first[1].basis
    assert files.basis == first[2].basis
    staged.write("f", "3\n")
    plain, everything, files = await bases(toolbox, *calls)
    assert plain.basis == first[0].basis
    assert files.basis != first[2].basis
    staged.git("add", "f")
    assert (await bases(toolbox, {}))[0].basis != first[0].basis
    staged.git("switch", "-q", "-c", "other")
    assert (await bases(toolbox, {}))[0].basis["branch"] == "other"


async def test_the_person_sees_message_files_and_diff(staged: ScratchRepo, toolbox: Toolbox) -> None:
    staged.write("f", "1\n2\nunstaged\n")
    preview = await preview_call(toolbox, "git_commit", message="fix `it`", body="why")
    assert preview.title == "Commit with 1 file?"
    assert "> `fix ’it’`\n>\n> `why`" in preview.message
    assert "on `main`" in preview.message
    assert (await plan_call(toolbox, "git_commit", message="x")).command == (
        "git", "commit", "--quiet", "--cleanup=verbatim", "--file", "-",
    )  # fmt: skip
    patch = preview.cards[0].diffs[0].patch  # type: ignore[union-attr]
    assert "+2\n" in patch
    assert "unstaged" not in patch
