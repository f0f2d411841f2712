"""Reports: what a person configured for a terminal changes what the server reads."""

from datetime import datetime
from pathlib import Path

import pytest

from tests.reports.conftest import Opener
from tests.reports.oracle import program, staged_diff, state
from tests.support.scratch import Scratch, ScratchRepo


def configure(scratch: Scratch, values: dict[str, str]) -> None:
    """Set keys of the user's configuration."""
    for key, value in values.items():
        scratch.run(scratch.base, "config", "--global", key, value)


def make_changes(repo: ScratchRepo) -> None:
    """Staged changes that every output-changing key could alter: hunks, renames, blanks, submodule-free, odd names."""
    numbers = [str(number) for number in range(1, 61)]
    repo.commit(**{"f.txt": "\n".join(numbers), "old.txt": "\n".join(numbers[:20]), "s p.txt": "a\n\nb\n"})
    changed = [("SEVEN " if number in "7 13 40" else number) for number in numbers]
    repo.write("f.txt", "\n".join(["\tint f() {", *changed]))
    repo.write("n.txt", "new\n \n")
    repo.write("ü.txt", "new\n")
    repo.write("s p.txt", "a\n\nc \n")
    repo.git("mv", "old.txt", "moved.txt")
    repo.write("copy.txt", "\n".join(numbers))
    repo.git("add", "-A")


DIFF_KEYS: dict[str, dict[str, str]] = {
    "color.ui": {"color.ui": "always"},
    "color.diff": {"color.diff": "always", "color.diff.meta": "red", "diff.colorMoved": "zebra"},
    "noprefix": {"diff.noprefix": "true"},
    "mnemonicPrefix": {"diff.mnemonicPrefix": "true"},
    "prefixes": {"diff.srcPrefix": "x/", "diff.dstPrefix": "y/"},
    "context": {"diff.context": "0", "diff.interHunkContext": "50"},
    "wide context": {"diff.context": "20"},
    "no renames": {"diff.renames": "false"},
    "copies": {"diff.renames": "copies"},
    "rename limit": {"diff.renameLimit": "1"},
    "algorithm": {"diff.algorithm": "patience", "diff.indentHeuristic": "false"},
    "order": {"diff.orderFile": "{base}/order"},
    "blank": {"diff.suppressBlankEmpty": "true"},
    "whitespace": {"core.whitespace": "trailing-space,tab-in-indent", "diff.wsErrorHighlight": "all"},
    "abbrev": {"core.abbrev": "4"},
    "no abbrev": {"core.abbrev": "40"},
    "quotePath": {"core.quotePath": "false"},
    "relative": {"diff.relative": "true"},
    "words": {"diff.wordRegex": "."},
    "stat": {"diff.statGraphWidth": "3", "diff.dirstat": "lines", "diff.statNameWidth": "4"},
    "columns": {"column.ui": "always", "core.pager": "cat", "pager.diff": "true"},
    "big files": {"core.bigFileThreshold": "1"},
    "ignored submodules": {"diff.ignoreSubmodules": "all"},
}


@pytest.mark.parametrize("level", ["global", "local"])
def test_no_key_changes_the_staged_diff(scratch: Scratch, repo: ScratchRepo, open_editor: Opener, level: str) -> None:
    make_changes(repo)
    expected = staged_diff(repo)
    (scratch.base / "order").write_text("ü.txt\ns p.txt\n")
    editor = open_editor(repo.root)
    altered = 0
    for name, values in DIFF_KEYS.items():
        for key, value in values.items():
            repo.git("config", f"--{level}", key, value.format(base=scratch.base))
        altered += repo.git("diff", "--cached").decode() != expected
        assert editor.staged("r")["diff"] == expected, name
        assert editor.value("git_diff", workdir=str(repo.root), staged=True)["diff"] == expected, name
        for key in values:
            repo.git("config", f"--{level}", "--unset", key)
    # Most of the keys show in what git prints of these changes; some only newer gits know.
    assert altered > len(DIFF_KEYS) // 2


@pytest.mark.parametrize("trusted", [True, False], ids=["trusted", "untrusted"])
def test_no_program_takes_part_in_a_diff(
    scratch: Scratch, repo: ScratchRepo, open_editor: Opener, trusted: bool
) -> None:
    make_changes(repo)
    repo.write(".gitattributes", "*.txt diff=mine\n")
    repo.git("add", "-A")
    expected = staged_diff(repo)
    mark = scratch.base / "RAN"
    script = program(scratch.base / "bin/program", f"touch {mark}\necho EXTERNAL\nexit 1")
    environment = dict.fromkeys(("GIT_PAGER", "PAGER", "GIT_EXTERNAL_DIFF"), str(script))
    editor = open_editor(repo.root, environment=environment, trusted=trusted)
    for key in ("diff.external", "diff.mine.command", "diff.mine.textconv", "core.pager", "pager.diff"):
        repo.git("config", key, str(script))
        assert editor.staged("r")["diff"] == expected, key
        assert editor.value("git_diff", workdir=str(repo.root), staged=True)["diff"] == expected, key
        editor.value("git_diff", workdir=str(repo.root))
        assert not mark.exists(), key
        repo.git("diff", "--cached", check=False)
        # A pager runs on a terminal only, so git would not have started it either.
        assert mark.exists() or "pager" in key, f"{key} would have run the program"
        mark.unlink(missing_ok=True)
        repo.git("config", "--unset", key)


def test_a_monitor_that_the_repository_names_is_not_asked(
    scratch: Scratch, repo: ScratchRepo, open_editor: Opener
) -> None:
    repo.commit(**{"f.txt": "base\n"})
    repo.write("f.txt", "2\n")
    mark = scratch.base / "RAN"
    repo.git("config", "core.fsmonitor", str(program(scratch.base / "bin/monitor", f"touch {mark}; exit 1")))
    editor = open_editor(repo.root)
    status = editor.value("git_status", workdir=str(repo.root))
    assert [entry["path"] for entry in status["unstaged"]] == ["f.txt"]
    editor.value("git_diff", workdir=str(repo.root))
    assert not mark.exists()
    repo.git("status")
    assert mark.exists(), "the key would have run the program"


def test_the_log_is_read_alike_whatever_its_format(scratch: Scratch, repo: ScratchRepo, open_editor: Opener) -> None:
    repo.commit("first commit", **{"f.txt": "base\n"})
    repo.commit("second", **{"f.txt": "2\n"})
    hashes = repo.text("log", "--format=%H").split("\n")
    date = datetime.fromisoformat(repo.text("log", "-1", "--format=%aI"))
    configure(
        scratch,
        {
            "format.pretty": "fuller",
            "log.date": "relative",
            "log.abbrevCommit": "true",
            "log.decorate": "full",
            "core.abbrev": "4",
            "log.graphColors": "red",
            "log.mailmap": "false",
            "log.showSignature": "true",
            "log.showRoot": "false",
            "log.follow": "true",
            "color.ui": "always",
            "pretty.mine": "%H",
            "log.excludeDecoration": "refs/heads/*",
            "log.initialDecorationSet": "all",
            "log.diffMerges": "on",
        },
    )
    commits = open_editor(repo.root).value("git_log", workdir=str(repo.root), count=2)["commits"]
    assert [commit["hash"] for commit in commits] == hashes
    assert [commit["subject"] for commit in commits] == ["second", "first commit"]
    assert [commit["parents"] for commit in commits] == [[hashes[1]], []]
    assert datetime.fromisoformat(commits[0]["date"]) == date
    for commit in commits:
        assert commit["hash"].startswith(commit["shortHash"])
        assert repo.text("rev-parse", commit["shortHash"]) == commit["hash"]


LISTING_KEYS = (
    {"column.ui": "always", "column.branch": "always", "branch.sort": "-committerdate"},
    {"color.branch": "always", "color.status": "always", "color.branch.current": "yellow reverse"},
    {"color.ui": "always"},
)


def test_branches_are_listed_and_checked_out_by_their_names(
    scratch: Scratch, repo: ScratchRepo, open_agreeing: Opener
) -> None:
    repo.commit(**{"f.txt": "base\n"})
    for branch in ("a/one", "b/two", "c-three", "feature"):
        repo.git("branch", branch)
    expected = repo.text("for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads").split("\n")
    editor = open_agreeing(repo.root)
    for values in LISTING_KEYS:
        configure(scratch, values)
        assert [line.removeprefix("* ").strip() for line in repo.text("branch").split("\n")] != expected
        for current in ("main", "feature"):
            editor.value("git_branch", workdir=str(repo.root), action="checkout", name=current)
            assert repo.text("symbolic-ref", "--short", "HEAD") == current
            assert editor.value("git_status", workdir=str(repo.root))["branch"] == current
            branches = editor.value("git_branch", workdir=str(repo.root))["branches"]
            assert sorted(branch["name"] for branch in branches) == expected
            assert [branch["name"] for branch in branches if branch["current"]] == [current]
        for key in values:
            scratch.run(scratch.base, "config", "--global", "--unset", key)


def test_tags_are_listed_one_by_one(scratch: Scratch, repo: ScratchRepo, open_agreeing: Opener) -> None:
    repo.commit(**{"f.txt": "base\n"})
    for tag in ("v1.9", "v1.10", "v1.2"):
        repo.git("tag", tag)
    expected = repo.text("for-each-ref", "--format=%(refname:lstrip=2)", "refs/tags").split("\n")
    configure(scratch, {"column.ui": "always", "tag.sort": "-version:refname", "color.ui": "always"})
    assert repo.text("tag", "--list").count("\n") == 0
    editor = open_agreeing(repo.root)
    printed = editor.value("git", subcommand="tag", args=["--list"], repo=str(repo.root))["stdout"]
    assert sorted(printed.rstrip("\n").split("\n")) == expected
    assert sorted(tag["name"] for tag in editor.value("git_tag", workdir=str(repo.root))["tags"]) == expected


@pytest.mark.parametrize("fast_forward", ["only", "false", "true"])
def test_a_merge_without_fast_forward_is_one_whatever_is_configured(
    scratch: Scratch, repo: ScratchRepo, open_agreeing: Opener, fast_forward: str
) -> None:
    repo.commit(**{"f.txt": "base\n"})
    repo.git("checkout", "-q", "-b", "side")
    side = repo.commit("side", **{"s.txt": "s\n"})
    repo.git("checkout", "-q", "main")
    main = repo.commit("mainline", **{"m.txt": "m\n"})
    configure(scratch, {"merge.ff": fast_forward})
    editor = open_agreeing(repo.root)
    if fast_forward == "only":
        before = state(repo)
        assert not editor.call("git_merge", workdir=str(repo.root), rev="side")["ok"]
        assert state(repo) == before
    merged = editor.value("git_merge", workdir=str(repo.root), rev="side", noFF=True)
    assert merged["head"] == repo.text("rev-parse", "HEAD")
    assert repo.text("log", "-1", "--format=%P") == f"{main} {side}"


def test_a_message_is_kept_as_it_was_sent(
    scratch: Scratch, repo: ScratchRepo, open_agreeing: Opener, tmp_path: Path
) -> None:
    subject, body = "; starts with the comment character", "# heading\n; note\n# --- >8 ---\n\nend"
    repo.commit(**{"f.txt": "base\n"})
    tree = repo.text("write-tree")
    stored = repo.git("commit-tree", tree, stdin=f"{subject}\n\n{body}\n".encode()).decode().strip()
    expected = repo.text("log", "-1", "--format=%B", stored)
    assert "# heading" in expected
    (tmp_path / "template").write_text("TEMPLATE")
    configure(
        scratch,
        {
            "core.commentChar": ";",
            "commit.verbose": "true",
            "commit.status": "true",
            "commit.template": str(tmp_path / "template"),
        },
    )
    editor = open_agreeing(repo.root)
    for cleanup in ("scissors", "strip", "whitespace", "verbatim", "default"):
        configure(scratch, {"commit.cleanup": cleanup})
        repo.write("f.txt", f"{cleanup}\n")
        repo.git("add", "-A")
        made = editor.value("git_commit", workdir=str(repo.root), message=subject, body=body)
        assert made["subject"] == repo.text("log", "-1", "--format=%s") == subject, cleanup
        assert repo.text("log", "-1", "--format=%B") == expected, cleanup
