"""Reports: pull and push depend on keys that somebody set or did not set (the class user-config, over a remote)."""

import pytest

from tests.reports.conftest import Opener
from tests.reports.oracle import at, complaint, state, told
from tests.support.scratch import Scratch, ScratchRepo


def make_remote(scratch: Scratch, repo: ScratchRepo) -> ScratchRepo:
    """A bare repository that is `origin` of the other."""
    root = scratch.base / "origin.git"
    scratch.run(scratch.base, "init", "-q", "--bare", str(root))
    repo.git("remote", "add", "origin", str(root))
    return at(scratch, root)


@pytest.mark.parametrize("tool", ["git", "git_pull"])
def test_a_pull_of_diverged_branches_is_refused_where_nobody_said_how(
    scratch: Scratch, repo: ScratchRepo, open_agreeing: Opener, tool: str
) -> None:
    make_remote(scratch, repo)
    repo.commit(**{"f.txt": "base\n"})
    repo.git("push", "-q", "-u", "origin", "main")
    other = at(scratch, scratch.base / "other")
    scratch.run(scratch.base, "clone", "-q", "origin.git", "other")
    other.commit("theirs", **{"o.txt": "o\n"})
    other.git("push", "-q")
    repo.commit("mine", **{"m.txt": "m\n"})
    repo.git("fetch", "-q")
    complaint(repo, "pull")
    before = state(repo)
    arguments = {"subcommand": "pull", "repo": str(repo.root)} if tool == "git" else {"workdir": str(repo.root)}
    error = open_agreeing(repo.root).error(tool, confirm=True, **arguments)
    # git's own advice fills a page; the reason is what counts, and the call itself may have said `--ff-only`.
    assert error["code"] == "not_fast_forward"
    assert "diverged" in told(error)
    assert state(repo) == before


@pytest.mark.parametrize("default", ["nothing", "simple"])
def test_a_push_without_an_upstream_says_so_and_an_explicit_one_works(
    scratch: Scratch, repo: ScratchRepo, open_agreeing: Opener, default: str
) -> None:
    origin = make_remote(scratch, repo)
    head = repo.commit(**{"f.txt": "base\n"})
    repo.git("checkout", "-q", "-b", "topic")
    scratch.run(scratch.base, "config", "--global", "push.default", default)
    complaint(repo, "push")
    editor = open_agreeing(repo.root)
    where = str(repo.root)
    assert not editor.call("git", subcommand="push", repo=where, confirm=True)["ok"]
    assert origin.text("for-each-ref") == ""
    editor.value("git", subcommand="push", args=["-u", "origin", "topic"], repo=where, confirm=True)
    assert origin.text("for-each-ref", "--format=%(refname) %(objectname)") == f"refs/heads/topic {head}"
    branches = {branch["name"]: branch["upstream"] for branch in editor.value("git_branch", workdir=where)["branches"]}
    assert branches["topic"] == repo.text("for-each-ref", "--format=%(upstream:short)", "refs/heads/topic")
    assert branches["topic"] == "origin/topic"
