"""Reports: names of refs are read as files, options or programs; counts and stale views are believed."""

from typing import Any

import pytest

from tests.reports.conftest import PERMISSIVE, Opener
from tests.reports.oracle import at, complaint, names, paths, staged_names, state
from tests.support.scratch import Scratch, ScratchRepo


def test_a_branch_and_a_file_of_one_name(repo: ScratchRepo, open_agreeing: Opener) -> None:
    repo.commit("first", test="base\n")
    repo.git("checkout", "-q", "-b", "test")
    tip = repo.commit("on test", test="base\n2\n")
    repo.git("checkout", "-q", "main")
    complaint(repo, "log", "test")
    editor = open_agreeing(repo.root)
    where = str(repo.root)
    assert editor.value("git_show", workdir=where, rev="test")["commit"]["subject"] == "on test"
    assert editor.value("git_diff", workdir=where, paths=["test"])["diff"] == ""
    assert [item["hash"] for item in editor.value("git_log", workdir=where, rev="test")["commits"]] == repo.text(
        "log", "--format=%H", "test", "--"
    ).split("\n")
    # The tiered tool is given what a person types: it may not guess, and says how to settle it.
    error = editor.error("git", subcommand="log", args=["--format=%s", "test"], repo=where)
    assert (error["code"], "both a revision and a path" in error["message"]) == ("invalid_arguments", True)
    for args in (["test", "--"], ["--", "test"]):
        printed = editor.value("git", subcommand="log", args=["--format=%s", *args], repo=where)["stdout"]
        assert printed == repo.git("log", "--format=%s", *args).decode()
    assert editor.value("git_merge", workdir=where, rev="test")["head"] == tip == repo.text("rev-parse", "main")


def test_a_deleted_path_that_is_a_branch_too(repo: ScratchRepo, open_agreeing: Opener) -> None:
    repo.commit(Cask="base\n")
    repo.git("branch", "Cask")
    repo.git("rm", "-q", "Cask")
    editor = open_agreeing(repo.root)
    where = str(repo.root)
    shown = editor.value("git_diff", workdir=where, staged=True, paths=["Cask"])
    assert shown["diff"] == repo.git("diff", "--cached", "--", "Cask").decode()
    assert "deleted file mode" in shown["diff"]
    assert editor.value("git_restore", workdir=where, paths=["Cask"], staged=True)["restored"] == ["Cask"]
    assert names(repo, "ls-files", "-z") == ["Cask"]


REFUSED: tuple[tuple[str, list[str]], ...] = (
    ("fetch", ["--upload-pack=touch {mark};git-upload-pack", "origin"]),
    ("fetch", ["--upload-pack", "touch {mark}", "origin"]),
    ("fetch", ["--uplo=touch {mark}", "origin"]),
    ("fetch", ['ext::sh -c "touch {mark}"']),
    ("fetch", ["{origin}"]),
    ("fetch", ["file://{origin}"]),
    ("fetch", ["https://host.invalid/x.git"]),
    ("fetch", ["."]),
    ("pull", ["{origin}", "main"]),
    ("push", ["--receive-pack=touch {mark};git-receive-pack", "origin", "main:x"]),
    ("push", ["--exec=touch {mark}", "origin", "main:x"]),
    ("push", ["--repo={origin}"]),
    ("push", ["{origin}", "main:x"]),
    ("push", ["host.invalid:x.git", "main:x"]),
    ("rebase", ["--exec", "touch {mark}", "HEAD"]),
    ("rebase", ["-xtouch {mark}", "HEAD"]),
    ("log", ["-c", "core.pager=touch {mark}"]),
    ("log", ["--output={mark}"]),
    ("grep", ["-Otouch {mark}", "base"]),
    ("diff", ["--ext-diff", "--output", "{mark}"]),
    ("-c", ["alias.x=!touch {mark}", "x"]),
    ("--exec-path={base}", ["status"]),
    ("x", []),
)


def test_no_option_and_no_url_runs_a_program(scratch: Scratch, repo: ScratchRepo, open_editor: Opener) -> None:
    repo.commit(**{"f.txt": "base\n"})
    origin = at(scratch, scratch.base / "origin.git")
    scratch.run(scratch.base, "init", "-q", "--bare", str(origin.root))
    repo.git("remote", "add", "origin", str(origin.root))
    repo.git("push", "-q", "origin", "main")
    mark = scratch.base / "PWNED"
    repo.git("config", "alias.x", f"!touch {mark}")
    repo.git("config", "protocol.ext.allow", "always")
    before, remote_before = state(repo), origin.text("for-each-ref")
    # Refused before anybody is asked: a question fails this editor.
    editor = open_editor(repo.root, settings=PERMISSIVE)
    values = {"mark": mark, "origin": origin.root, "base": scratch.base}
    codes: dict[tuple[str, ...], str] = {}
    for subcommand, raw in REFUSED:
        args = [part.format(**values) for part in raw]
        error = editor.error(
            "git", subcommand=subcommand.format(**values), args=args, repo=str(repo.root), confirm=True
        )
        codes[subcommand, *raw] = error["code"]
    # After `log`, `-c` is an option of its own (combined diffs), and what follows is a revision that does not exist.
    assert codes.pop(("log", "-c", "core.pager=touch {mark}")) == "ref_not_found"
    assert set(codes.values()) <= {"option_not_allowed", "subcommand_not_allowed", "ad_hoc_remote"}, codes
    assert not mark.exists()
    assert (state(repo), origin.text("for-each-ref")) == (before, remote_before)
    repo.git("x")
    assert mark.exists(), "git itself would have run the program"


@pytest.mark.parametrize("tool", ["git", "git_commit"])
def test_a_head_that_somebody_moved_is_noticed(repo: ScratchRepo, open_agreeing: Opener, tool: str) -> None:
    seen = repo.commit("first", **{"f.txt": "base\n"})
    head = repo.commit("elsewhere", **{"f.txt": "2\n"})
    repo.write("f.txt", "3\n")
    repo.git("add", "-A")
    editor = open_agreeing(repo.root)

    def commit(expected: str) -> dict[str, Any]:
        if tool == "git":
            return editor.call(
                "git", subcommand="commit", message="mine", expected_head=expected, repo=str(repo.root), confirm=True
            )
        return editor.call("git_commit", workdir=str(repo.root), message="mine", expectedHead=expected, confirm=True)

    for expected in (seen, seen[:7], "HEAD~1", "no-such-rev", "--all", ""):
        answer = commit(expected)
        assert not answer["ok"], expected
        assert answer["error"]["code"] in ("head_mismatch", "invalid_arguments"), expected
        assert repo.text("rev-parse", "HEAD") == head
        assert staged_names(repo) == ["f.txt"]
    assert editor.questions == []
    assert commit("main")["ok"]
    assert repo.text("rev-parse", "HEAD~1") == head
    read = editor.call("git", subcommand="log", args=["-1"], expected_head="no-such-rev", repo=str(repo.root))
    assert read["ok"], read


def test_blame_of_a_name_that_starts_with_a_dash(repo: ScratchRepo, open_editor: Opener) -> None:
    dashed = ("-f.txt", "--output=x", "-L1", "--")
    head = repo.commit(**dict.fromkeys(dashed, "a\nb\n"))
    editor = open_editor(repo.root)
    for name in dashed:
        printed = editor.value("git", subcommand="blame", args=["-s", "--", name], repo=str(repo.root))
        assert printed["stdout"] == repo.git("blame", "-s", "--", name).decode()
        lines = editor.value("git_blame", workdir=str(repo.root), path=name)["lines"]
        assert [(line["text"], line["commit"]) for line in lines] == [("a", head), ("b", head)]
    assert not (repo.root / "x").exists()


def test_ordinary_ranges_pass(repo: ScratchRepo, open_editor: Opener) -> None:
    repo.commit("base", **{"f.txt": "base\n"})
    repo.git("checkout", "-q", "-b", "feature")
    repo.commit("feat", **{"g.txt": "feat\n"})
    repo.git("tag", "v1")
    repo.git("checkout", "-q", "main")
    editor = open_editor(repo.root)
    where = str(repo.root)
    for span in ("main..feature", "main...feature", "HEAD~0..feature", "main..v1", "..feature", "main..feature^{}"):
        expected = repo.git("diff", span, "--").decode()
        assert expected
        assert editor.value("git", subcommand="diff", args=[span], repo=where)["stdout"] == expected
        assert editor.value("git_diff", workdir=where, **{"from": span})["diff"] == expected
        logged = repo.text("log", "--format=%H", span, "--").split("\n")
        assert [item["hash"] for item in editor.value("git_log", workdir=where, rev=span)["commits"]] == logged
    printed = editor.value("git", subcommand="log", args=["--oneline", "main..feature"], repo=where)["stdout"]
    assert printed.count("\n") == 1
    for rev in ("feature^{commit}", "feature~0", "v1", "feature^0", ":/feat", "heads/feature", "@{-1}"):
        assert editor.value("git_show", workdir=where, rev=rev)["commit"]["subject"] == "feat", rev


def test_counts_that_are_no_counts(repo: ScratchRepo, open_editor: Opener) -> None:
    for number in range(6):
        repo.commit(f"c{number}", **{"f.txt": f"{number}\n"})
    total = int(repo.text("rev-list", "--count", "HEAD"))
    # git takes a negative number for no limit at all.
    assert len(repo.text("log", "--format=%H", "--max-count=-1").split("\n")) == total
    editor = open_editor(repo.root)
    where = str(repo.root)
    for count in (-1, 0, "3", 2.5, True, [2], -(10**30)):
        error = editor.error("git_log", workdir=where, count=count)
        assert error["code"] == "invalid_arguments", count
        assert "count" in error["message"]
    # `2.0` is JSON's other spelling of 2.
    for count, expected in ((2, 2), (2.0, 2), (1_000_000, total), (None, total), (10**12, total)):
        assert len(editor.value("git_log", workdir=where, count=count)["commits"]) == expected, count


@pytest.mark.parametrize("tool", ["git", "git_stash"])
def test_a_stash_that_conflicts_is_kept_and_said_to_be(repo: ScratchRepo, open_agreeing: Opener, tool: str) -> None:
    repo.commit(**{"f.txt": "base\n"})
    repo.write("f.txt", "stashed\n")
    repo.git("stash", "-q")
    repo.commit("other", **{"f.txt": "committed\n"})
    stash = repo.text("rev-parse", "stash@{0}")
    editor = open_agreeing(repo.root)
    where = str(repo.root)
    if tool == "git":
        error = editor.error("git", subcommand="stash", args=["pop"], repo=where, confirm=True)
    else:
        error = editor.error("git_stash", workdir=where, action="pop")
    assert error["code"] == "conflict"
    assert "kept" in str(error)
    status = editor.value("git_status", workdir=where)
    assert paths(status["conflicts"]) == names(repo, "diff", "--name-only", "--diff-filter=U", "-z") == ["f.txt"]
    assert repo.text("rev-parse", "stash@{0}") == stash
    assert editor.value("git", subcommand="stash", args=["list"], repo=where)["stdout"].count("\n") == 1


def test_a_file_at_a_revision_is_named_from_the_workdir(repo: ScratchRepo, open_editor: Opener) -> None:
    repo.commit(**{"a.txt": "root\n", "sub/a.txt": "sub\n"})
    for name in ("a.txt", "sub/a.txt"):
        repo.write(name, "changed\n")
    editor = open_editor(repo.root)
    root, sub = str(repo.root), str(repo.root / "sub")
    for workdir, path in ((sub, "a.txt"), (root, "sub/a.txt"), (root, f"{sub}/a.txt"), (sub, "./a.txt")):
        shown = editor.value("git_show", workdir=workdir, rev="HEAD", path=path)
        assert (shown["text"], shown["path"]) == (repo.git("show", "HEAD:sub/a.txt").decode(), "sub/a.txt")
    assert editor.value("git_show", workdir=sub, rev="HEAD", path="../a.txt")["text"] == "root\n"
    missing = editor.error("git_show", workdir=root, rev="HEAD", path="nope.txt")
    assert missing["code"] == "path_not_found"
    assert "nope.txt" in missing["message"]
