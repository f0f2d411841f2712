"""Branches, tags and stashes as the readers give them to the tools, whatever the configuration."""

import pytest

from git_sidecar.git.errors import GitRefused
from git_sidecar.git.refs import read_branches, read_tags
from git_sidecar.git.stash_list import read_stashes, resolve_stash
from git_sidecar.tools.values import make_branch, make_stash, make_tag
from tests.support.scratch import Scratch, ScratchRepo
from tests.support.toolbox import Toolbox
from tests.tools.conftest import OpenToolbox

CONFIG = {
    "column.ui": "always",
    "color.ui": "always",
    "color.branch": "always",
    "branch.sort": "-committerdate",
    "tag.sort": "-version:refname",
    "log.date": "relative",
    "format.pretty": "fuller",
}


@pytest.fixture
def configured(scratch: Scratch) -> Scratch:
    """A HOME whose configuration changes what git prints for people."""
    for key, value in CONFIG.items():
        scratch.run(scratch.base, "config", "--global", key, value)
    return scratch


async def test_branches(configured: Scratch, open_toolbox: OpenToolbox) -> None:
    origin = configured.base / "o.git"
    configured.run(configured.base, "init", "-q", "--bare", str(origin))
    repo = configured.repo()
    repository = open_toolbox(repo).repository
    assert await read_branches(repository) == ()
    head = repo.commit("base", f="1\n")
    repo.git("remote", "add", "origin", str(origin))
    repo.git("push", "-q", "-u", "origin", "main")
    repo.git("checkout", "-q", "-b", "gone")
    repo.git("push", "-q", "-u", "origin", "gone")
    repo.git("push", "-q", "origin", ":gone")
    repo.git("checkout", "-q", "main")
    repo.git("branch", "a/one")
    repo.git("branch", "--track", "local", "main")
    repo.git("tag", "main")
    found = {branch.name: branch for branch in await read_branches(repository)}
    assert list(found) == ["a/one", "gone", "local", "main"]
    assert {name for name, branch in found.items() if branch.current} == {"main"}
    assert {branch.head for branch in found.values()} == {head}
    assert {name: (branch.upstream, branch.gone) for name, branch in found.items()} == {
        "a/one": (None, False),
        "gone": ("origin/gone", True),
        "local": ("heads/main", False),
        "main": ("origin/main", False),
    }
    repo.git("checkout", "-q", "--detach")
    assert not any(branch.current for branch in await read_branches(repository))
    assert make_branch(found["gone"]).model_dump(by_alias=True) == {
        "name": "gone",
        "head": head,
        "current": False,
        "upstream": "origin/gone",
        "gone": True,
    }


async def test_tags(configured: Scratch, open_toolbox: OpenToolbox) -> None:
    repo = configured.repo()
    head = repo.commit("base", f="1\n")
    for name in ("v1.9", "v1.10", "v1.2"):
        repo.git("tag", name)
    repo.git("tag", "-a", "annotated", "-m", "say\n\nmore")
    tags = {tag.name: tag for tag in await read_tags(open_toolbox(repo).repository)}
    assert list(tags) == ["annotated", "v1.10", "v1.2", "v1.9"]
    annotated = tags["annotated"]
    assert (annotated.oid, annotated.target) == (repo.text("rev-parse", "annotated"), head)
    assert (annotated.annotated, annotated.subject, annotated.date) == (True, "say", "2024-03-01T10:00:00+00:00")
    assert (tags["v1.9"].oid, tags["v1.9"].target, tags["v1.9"].subject) == (head, head, None)
    assert make_tag(tags["v1.9"]).model_dump(by_alias=True)["hash"] == head


async def test_stashes(configured: Scratch, open_toolbox: OpenToolbox) -> None:
    repo = configured.repo()
    repository = open_toolbox(repo).repository
    assert await read_stashes(repository) == ()
    with pytest.raises(GitRefused, match="nothing is stashed"):
        await resolve_stash(repository, None)
    head = repo.commit("base", f="1\n")
    assert await read_stashes(repository) == ()
    repo.write("f", "2\n")
    repo.git("stash", "push", "-q", "-m", "first one")
    repo.write("new", "n\n")
    repo.git("stash", "push", "-q", "-u")
    newest, oldest = await read_stashes(repository)
    assert (newest.index, newest.oid) == (0, repo.text("rev-parse", "stash@{0}"))
    assert (oldest.index, oldest.oid, oldest.message) == (1, repo.text("rev-parse", "stash@{1}"), "On main: first one")
    assert newest.parents[0] == oldest.parents[0] == head
    assert (len(newest.parents), len(oldest.parents)) == (3, 2)
    for wanted in ("1", "stash@{1}", oldest.oid, oldest.oid[:10]):
        assert await resolve_stash(repository, wanted) == oldest
    assert await resolve_stash(repository, None) == newest
    for wanted in ("2", "-1", "stash@{9}", "main", "", "ff"):
        with pytest.raises(GitRefused) as refused:
            await resolve_stash(repository, wanted)
        assert refused.value.refusal.code == "ref_not_found"
    assert make_stash(oldest).model_dump(by_alias=True)["message"] == "On main: first one"


async def test_a_stash_is_shown_as_a_commit(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="1\n")
    repo.write("f", "2\n")
    repo.git("stash", "-q")
    answer = await toolbox.call("git_show", rev="stash@{0}")
    assert answer.value["diff"].encode() == repo.git("stash", "show", "-p")
