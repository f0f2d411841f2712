"""Reports: HEAD is in an unusual state (no commit yet, detached, an operation unfinished)."""

from collections.abc import Callable

import pytest

from tests.reports.conftest import Opener
from tests.reports.oracle import diverge, names, paths, staged_diff, state
from tests.support.scratch import ScratchRepo


def test_status_and_diff_before_the_first_commit(repo: ScratchRepo, open_editor: Opener) -> None:
    repo.write("n.txt", "x\n")
    repo.write("staged.txt", "y\n")
    repo.git("add", "staged.txt")
    editor = open_editor(repo.root)
    for branch in ("trunk", "feature/ü", "No", "initial"):
        repo.git("symbolic-ref", "HEAD", f"refs/heads/{branch}")
        status = editor.value("git_status", workdir=str(repo.root))
        assert status["branch"] == repo.text("symbolic-ref", "--short", "HEAD") == branch
        assert (status["head"], status["detached"]) == (None, False)
        assert (paths(status["staged"]), status["untracked"], status["clean"]) == (["staged.txt"], ["n.txt"], False)
        staged = editor.staged("r")
        assert staged["diff"] == staged_diff(repo) != ""
        assert (staged["fingerprint"]["head"], staged["fingerprint"]["branch"]) == (None, branch)
        assert editor.value("git_log", workdir=str(repo.root))["commits"] == []


@pytest.mark.parametrize("later", ["staged", "changed since"])
def test_unstaging_before_the_first_commit_keeps_the_file(repo: ScratchRepo, open_agreeing: Opener, later: str) -> None:
    for name in ("f.txt", "g.txt", "*.txt"):
        repo.write(name, "v1\n")
    repo.git("add", ".")
    repo.write("f.txt", later)
    editor = open_agreeing(repo.root)
    assert editor.value("git_restore", workdir=str(repo.root), paths=["f.txt"], staged=True)["restored"] == ["f.txt"]
    assert names(repo, "ls-files", "-z") == ["*.txt", "g.txt"]
    assert (repo.root / "f.txt").read_text() == later
    everything = editor.value("git_restore", workdir=str(repo.root), paths=["*.txt", "g.txt"], staged=True)
    assert sorted(everything["restored"]) == ["*.txt", "g.txt"]
    assert names(repo, "ls-files", "-z") == []


def detach(repo: ScratchRepo) -> None:
    """Check out a commit that no branch is checked out for."""
    repo.git("checkout", "-q", "--detach", "HEAD~1")


def detach_at_tag(repo: ScratchRepo) -> None:
    """Check out a tag."""
    repo.git("tag", "v1", "HEAD~1")
    repo.git("checkout", "-q", "v1")


def stop_in_rebase(repo: ScratchRepo) -> None:
    """Stop a rebase at a conflict; git's listing then has a line `(no branch, rebasing main)`."""
    repo.git("rebase", "-q", "side", check=False)


def stop_in_bisect(repo: ScratchRepo) -> None:
    """Begin a bisection."""
    repo.commit("third", **{"f.txt": "3\n"})
    repo.git("bisect", "start", "HEAD", "HEAD~2")


@pytest.mark.parametrize("begin", [detach, detach_at_tag, stop_in_rebase, stop_in_bisect])
def test_a_detached_head_is_no_branch(
    repo: ScratchRepo, open_editor: Opener, begin: Callable[[ScratchRepo], None]
) -> None:
    diverge(repo, other="side")
    begin(repo)
    assert "(" in repo.text("branch", "--format=%(refname:short)")
    editor = open_editor(repo.root)
    branches = editor.value("git_branch", workdir=str(repo.root))["branches"]
    listed = repo.text("for-each-ref", "--format=%(refname:lstrip=2) %(objectname)", "refs/heads").split("\n")
    assert [f"{branch['name']} {branch['head']}" for branch in branches] == listed
    assert [branch["name"] for branch in branches if branch["current"]] == []
    status = editor.value("git_status", workdir=str(repo.root))
    assert (status["branch"], status["detached"]) == (None, True)
    assert status["head"] == repo.text("rev-parse", "HEAD")


def test_the_first_commit_is_shown_against_nothing(repo: ScratchRepo, open_editor: Opener) -> None:
    repo.commit(**{"f.txt": "only line\n", "dir/g.txt": "another\n"})
    editor = open_editor(repo.root)
    for rev in ("HEAD", "main", repo.text("rev-parse", "HEAD")):
        shown = editor.value("git_show", workdir=str(repo.root), rev=rev)
        assert shown["diff"] == repo.git("show", "--format=", "HEAD").decode()
        assert shown["commit"]["parents"] == []


OPERATIONS = {
    "merge": ("merge", ("merge", "-q", "other")),
    "rebase": ("rebase", ("rebase", "-q", "other")),
    "cherryPick": ("cherryPick", ("cherry-pick", "other")),
    "revert": ("revert", ("revert", "--no-edit", "HEAD~1")),
}


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_unfinished_operation_lists_its_conflicts_and_takes_no_commit(
    repo: ScratchRepo, open_agreeing: Opener, operation: str
) -> None:
    diverge(repo)
    if operation == "revert":
        repo.commit("later", **{"f.txt": "later\n"})
    repo.git(*OPERATIONS[operation][1], check=False)
    before = state(repo)
    editor = open_agreeing(repo.root)
    where = str(repo.root)
    status = editor.value("git_status", workdir=where)
    assert status["operation"] == operation
    assert [(item["code"], item["path"]) for item in status["conflicts"]] == [("UU", "f.txt")]
    assert names(repo, "diff", "--name-only", "--diff-filter=U", "-z") == ["f.txt"]
    assert editor.error("git_commit", workdir=where, message="try")["code"] == "conflict"
    assert editor.error("git_merge", workdir=where, rev="other")["code"] in ("operation_in_progress", "conflict")
    assert state(repo) == before


def test_a_merge_is_aborted_and_what_was_ours_is_back(repo: ScratchRepo, open_agreeing: Opener) -> None:
    diverge(repo)
    before = state(repo)
    repo.git("merge", "-q", "other", check=False)
    assert state(repo).merging
    open_agreeing(repo.root).value("git_merge", workdir=str(repo.root), abort=True)
    assert state(repo) == before
    assert (repo.root / "f.txt").read_text() == "ours\n"
