"""Reports: a commit takes another message, other files or another author than was meant."""

from typing import Any

import pytest

from tests.reports.conftest import Opener
from tests.reports.oracle import complaint, diverge, names, paths, staged_names, state, told
from tests.support.editor import Editor
from tests.support.scratch import Scratch, ScratchRepo

MESSAGES = (
    "fix: `touch PWNED1` and $(touch PWNED2) \"q\" 'a' \\ %s !x",
    '100% "a" & echo x > y',
    "--amend",
    "-F /dev/null",
    "; touch PWNED3 #",
    "trailing backslash \\",
    "# starts with a comment character",
    "naïve — “quoted” 日本 🚀",
    "a%nb%H {0} {} ${HOME} %PATH% ^x",
)


def commit_by(editor: Editor, tool: str, repo: ScratchRepo, **arguments: Any) -> dict[str, Any]:
    """The answer of a commit by the typed tool or the tiered one."""
    if tool == "git":
        return editor.call("git", subcommand="commit", repo=str(repo.root), **arguments)
    return editor.call("git_commit", workdir=str(repo.root), **arguments)


@pytest.mark.parametrize("tool", ["git_commit", "git"])
def test_no_shell_and_no_option_parser_sees_the_message(
    scratch: Scratch, repo: ScratchRepo, open_agreeing: Opener, tool: str
) -> None:
    repo.commit(**{"f.txt": "base\n"})
    editor = open_agreeing(repo.root)
    for number, message in enumerate(MESSAGES):
        repo.write("f.txt", f"{number}\n")
        repo.git("add", "-A")
        answer = commit_by(editor, tool, repo, message=message)
        assert answer["ok"], answer
        assert repo.git("log", "-1", "--format=%s").decode() == f"{message}\n"
    assert repo.text("rev-list", "--count", "HEAD") == str(len(MESSAGES) + 1)
    assert [path.name for path in scratch.base.rglob("*PWNED*")] == []
    assert sorted(path.name for path in repo.root.iterdir()) == [".git", "f.txt"]


def test_amending_the_words_leaves_unstaged_changes_alone(repo: ScratchRepo, open_agreeing: Opener) -> None:
    repo.commit("first", **{"f.txt": "base\n"})
    repo.commit("old words", **{"f.txt": "base\n2\n"})
    tree = repo.text("rev-parse", "HEAD^{tree}")
    repo.write("f.txt", "base\n2\nunstaged\n")
    answer = commit_by(open_agreeing(repo.root), "git_commit", repo, message="new words", amend=True)
    assert answer["ok"], answer
    assert repo.text("log", "--format=%s") == "new words\nfirst"
    assert repo.text("rev-parse", "HEAD^{tree}") == tree
    assert names(repo, "diff", "--name-only", "-z") == ["f.txt"]


def test_there_is_nothing_to_amend_before_the_first_commit(repo: ScratchRepo, open_agreeing: Opener) -> None:
    repo.write("f.txt", "1\n")
    repo.git("add", "-A")
    complaint(repo, "commit", "--amend", "-m", "x")
    before = state(repo)
    answer = commit_by(open_agreeing(repo.root), "git_commit", repo, message="x", amend=True)
    assert not answer["ok"]
    assert "amend" in told(answer["error"])
    assert state(repo) == before


def test_amending_keeps_author_and_date(repo: ScratchRepo, open_agreeing: Opener) -> None:
    repo.commit("base", **{"f.txt": "0\n"})
    author = {"GIT_AUTHOR_NAME": "Somebody", "GIT_AUTHOR_EMAIL": "some@example.invalid"}
    repo.scratch.env.update(author, GIT_AUTHOR_DATE="2020-02-02T02:02:02 +0100")
    repo.commit("one", **{"f.txt": "1\n"})
    expected = repo.text("log", "-1", "--format=%an <%ae> %aI")
    assert expected == "Somebody <some@example.invalid> 2020-02-02T02:02:02+01:00"
    for name in (*author, "GIT_AUTHOR_DATE"):
        del repo.scratch.env[name]
    repo.write("f.txt", "2\n")
    repo.git("add", "-A")
    answer = commit_by(open_agreeing(repo.root), "git_commit", repo, message="one, better", amend=True)
    assert answer["ok"], answer
    assert repo.text("log", "-1", "--format=%an <%ae> %aI") == expected
    assert repo.text("show", "HEAD:f.txt") == "2"
    assert repo.text("log", "--format=%s") == "one, better\nbase"


@pytest.mark.parametrize("tool", ["git_commit", "git"])
def test_only_the_given_files_are_committed(repo: ScratchRepo, open_agreeing: Opener, tool: str) -> None:
    repo.commit(**{"a.txt": "1\n", "b.txt": "1\n", "*.txt": "1\n"})
    for name in ("a.txt", "b.txt", "*.txt"):
        repo.write(name, "2\n")
    repo.git("add", "b.txt")
    editor = open_agreeing(repo.root)
    for name in ("a.txt", "*.txt"):
        answer = commit_by(editor, tool, repo, message=f"{name} only", files=[name])
        assert answer["ok"], answer
        committed = names(repo, "diff-tree", "--no-commit-id", "-r", "-z", "--name-only", "HEAD")
        assert committed == [name]
        if tool == "git_commit":
            assert paths(answer["value"]["files"]) == committed
        assert staged_names(repo) == ["b.txt"]


@pytest.mark.parametrize("tool", ["git_commit", "git"])
def test_a_merge_cannot_be_committed_in_part(repo: ScratchRepo, open_agreeing: Opener, tool: str) -> None:
    diverge(repo)
    repo.git("merge", "-q", "other", check=False)
    repo.write("f.txt", "both\n")
    repo.git("add", "f.txt")
    complaint(repo, "commit", "-m", "m", "--", "f.txt")
    parents = repo.text("rev-parse", "HEAD", "MERGE_HEAD").split()
    before = state(repo)
    editor = open_agreeing(repo.root)
    answer = commit_by(editor, tool, repo, message="m", files=["f.txt"])
    assert not answer["ok"]
    assert "merge" in told(answer["error"])
    assert state(repo) == before
    assert before.merging
    answer = commit_by(editor, tool, repo, message="merged")
    assert answer["ok"], answer
    assert repo.text("log", "-1", "--format=%P").split() == parents


@pytest.mark.parametrize("tool", ["git_commit", "git"])
def test_half_of_a_rename_is_told_as_what_it_is(repo: ScratchRepo, open_agreeing: Opener, tool: str) -> None:
    base = repo.commit(**{"old.txt": "".join(f"{number}\n" for number in range(30))})
    editor = open_agreeing(repo.root)
    for half, other in (("new.txt", "old.txt"), ("old.txt", "new.txt")):
        repo.git("reset", "-q", "--hard", base)
        repo.git("mv", "old.txt", "new.txt")
        answer = commit_by(editor, tool, repo, message="half", files=[half])
        assert answer["ok"], answer
        committed = names(repo, "diff-tree", "--no-commit-id", "-r", "-z", "--no-renames", "--name-only", "HEAD")
        assert committed == [half]
        assert staged_names(repo) == [other]
        if tool == "git_commit":
            assert paths(answer["value"]["files"]) == [half]


@pytest.mark.parametrize("missing", [("user.name", "user.email"), ("user.email",)], ids="+".join)
def test_no_identity_is_invented(
    scratch: Scratch, repo: ScratchRepo, open_agreeing: Opener, missing: tuple[str, ...]
) -> None:
    repo.commit(**{"f.txt": "base\n"})
    repo.write("f.txt", "2\n")
    repo.git("add", "-A")
    for key in missing:
        scratch.run(scratch.base, "config", "--global", "--unset", key)
    scratch.run(scratch.base, "config", "--global", "user.useConfigOnly", "true")
    complaint(repo, "commit", "-m", "x")
    before = state(repo)
    editor = open_agreeing(repo.root)
    for tool in ("git_commit", "git"):
        answer = commit_by(editor, tool, repo, message="x")
        assert answer["error"]["code"] == "identity_missing"
        assert "user.email" in told(answer["error"])
        assert state(repo) == before


def test_a_blank_message_is_refused_and_opens_no_editor(
    scratch: Scratch, repo: ScratchRepo, open_editor: Opener
) -> None:
    repo.commit(**{"f.txt": "base\n"})
    repo.write("f.txt", "2\n")
    repo.git("add", "-A")
    mark = scratch.base / "EDITOR_RAN"
    before = state(repo)
    # Refused before anybody is asked.
    editor = open_editor(repo.root, environment={"GIT_EDITOR": f"touch {mark}", "EDITOR": f"touch {mark}"})
    for message in ("", " \n\t\n", "\n"):
        for tool in ("git_commit", "git"):
            error = commit_by(editor, tool, repo, message=message)["error"]
            assert error["code"] == "invalid_arguments", (tool, message)
    assert state(repo) == before
    assert not mark.exists()
