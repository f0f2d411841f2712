"""Reports: very large or very long changes break the answer, or push what matters out of it."""

import time

import pytest

from tests.reports.conftest import Opener
from tests.reports.oracle import hook, numstat, paths, staged_diff
from tests.support.scratch import ScratchRepo

CAP_BYTES = 1 << 20
# An answer comes while the person still looks; the bound is wide, since the machine may be busy.
BOUND_S = 30.0


def numbered(count: int) -> str:
    """So many lines, each different."""
    return "".join(f"{number} lorem\n" for number in range(1, count + 1))


@pytest.mark.parametrize("kind", ["added", "deleted", "modified"])
def test_a_diff_of_megabytes_is_cut_at_line_ends_and_says_so(repo: ScratchRepo, open_editor: Opener, kind: str) -> None:
    count = 150_000
    repo.commit(**{"big.txt": "" if kind == "added" else numbered(count)})
    repo.write("big.txt", {"added": numbered(count), "deleted": "", "modified": numbered(count).upper()}[kind])
    repo.git("add", "-A")
    whole = repo.git("diff", "--cached")
    assert len(whole) > CAP_BYTES
    editor = open_editor(repo.root)
    started = time.monotonic()
    staged = editor.staged("r")
    assert time.monotonic() - started < BOUND_S
    # The head is git's own, to the line at which it is cut; the tail is what git prints last.
    head, marker, tail = staged["diff"].partition("\n\n... [")
    assert marker
    assert whole.startswith(head.encode() + b"\n")
    omitted, _, tail = tail.partition(" lines omitted] ...\n\n")
    assert whole.endswith(b"\n" + tail.encode())
    assert (head.count("\n") + 1, tail.count("\n")) == (2000, 500)
    assert int(omitted) == staged["omittedLines"] == whole.count(b"\n") - 2500
    assert staged["omittedBytes"] == len(whole) - len(head.encode()) - 1 - len(tail.encode())
    assert (staged["truncated"], len(staged["diff"].encode()) < CAP_BYTES) == (True, True)
    (file,) = staged["files"]
    assert (file["additions"], file["deletions"]) == numstat(repo, "--cached")["big.txt"]
    assert (file["coverage"], file["reason"]) == ("partial", "limit")


@pytest.mark.parametrize("budget", [None, 4000], ids=["lines", "budget"])
def test_one_endless_line_does_not_hide_the_change_beside_it(
    repo: ScratchRepo, open_editor: Opener, budget: int | None
) -> None:
    repo.commit(**{"z.txt": "base\n"})
    repo.write("app.min.js", "x" * 3_000_000 + "\n")
    repo.write("long.txt", "é" * 400_000)
    repo.write("z.txt", "base\nhuman change\n")
    repo.git("add", "-A")
    staged = open_editor(repo.root).staged("r", **({} if budget is None else {"fileBudget": budget}))
    assert "\n+human change\n" in staged["diff"]
    assert len(staged["diff"].encode()) < CAP_BYTES // 8
    by_path = {file["path"]: file for file in staged["files"]}
    assert sorted(by_path) == ["app.min.js", "long.txt", "z.txt"]
    assert by_path["z.txt"]["coverage"] == "full"
    # A line is cut within only where lines are; a budget ends at a line, and here none fits.
    cut = ("partial", "lineLength") if budget is None else ("omitted", "budget")
    assert (by_path["app.min.js"]["coverage"], by_path["app.min.js"]["reason"]) == cut
    if budget is None:
        assert "+" + "x" * 900 in staged["diff"]
        assert " chars omitted] ..." in staged["diff"]


def test_a_deleted_file_does_not_use_up_the_budget_of_the_others(repo: ScratchRepo, open_editor: Opener) -> None:
    repo.commit(**{"aaa_old.txt": numbered(15_000), "b.txt": "one\n"})
    (repo.root / "aaa_old.txt").unlink()
    repo.write("b.txt", "one\nreal edit\n")
    repo.git("add", "-A")
    staged = open_editor(repo.root).staged("r", fileBudget=4000)
    assert "\n+real edit\n" in staged["diff"]
    assert "diff --git a/aaa_old.txt b/aaa_old.txt\ndeleted file mode 100644\n" in staged["diff"]
    assert len(staged["diff"]) < 10_000
    by_path = {file["path"]: file for file in staged["files"]}
    assert (by_path["aaa_old.txt"]["coverage"], by_path["b.txt"]["coverage"]) == ("partial", "full")
    counted = {path: (file["additions"], file["deletions"]) for path, file in by_path.items()}
    assert counted == numstat(repo, "--cached")
    assert counted["aaa_old.txt"] == (0, 15_000)


def test_a_hook_that_floods_both_streams_does_not_block_the_commit(repo: ScratchRepo, open_agreeing: Opener) -> None:
    repo.commit(**{"f.txt": "base\n"})
    flood = 'head -c 400000 /dev/zero | tr "\\0" '
    for name in ("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"):
        hook(repo, name, f"{flood} e >&2\n{flood} o\n{flood} e >&2")
    repo.write("f.txt", "2\n")
    repo.git("add", "-A")
    editor = open_agreeing(repo.root)
    started = time.monotonic()
    made = editor.value("git_commit", workdir=str(repo.root), message="noisy hook")
    assert time.monotonic() - started < BOUND_S
    assert made["hash"] == repo.text("rev-parse", "HEAD")
    assert made["subject"] == repo.text("log", "-1", "--format=%s") == "noisy hook"


def test_a_lock_file_is_one_by_its_name_and_not_by_a_part_of_it(repo: ScratchRepo, open_editor: Opener) -> None:
    sources = ("src/dead-lock.ts", "src/mutex.lock.ts", "src/blocklist.json", "lock/package.ts", "src/yarn.lock.md")
    repo.commit(**dict.fromkeys(sources, "a\n"), **{"yarn.lock": "{}\n"})
    for name in sources:
        repo.write(name, f"a\nedit in {name}\n")
    repo.write("yarn.lock", numbered(9_000))
    repo.git("add", "-A")
    staged = open_editor(repo.root).staged("r", fileBudget=2000)
    for name in sources:
        assert f"\n+edit in {name}\n" in staged["diff"]
    assert paths(staged["files"]) == sorted((*sources, "yarn.lock"))


def test_a_generated_file_alone_is_a_change(repo: ScratchRepo, open_editor: Opener) -> None:
    editor = open_editor(repo.root)
    for name in ("package-lock.json", "Cargo.lock", "go.sum", "dist/app.min.js"):
        repo.commit(**{name: "{}\n"})
        repo.write(name, '{"left-pad":"1.3.0"}\n')
        repo.git("add", "-A")
        for params in ({}, {"fileBudget": 2000}):
            staged = editor.staged("r", **params)
            assert staged["diff"] == staged_diff(repo) != "", name
            assert [(file["path"], file["coverage"]) for file in staged["files"]] == [(name, "full")]
        message = editor.request("git/commitMessage", {"repository": "r"})
        assert (message["coverage"]["files"], bool(message["subject"])) == (1, True), name
