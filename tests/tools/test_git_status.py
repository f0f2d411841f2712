"""git_status: every state that git tells, whatever the configuration."""

import base64
import os
from typing import Any

from git_sidecar.tools.contract import ListCard
from tests.support.scratch import Scratch, ScratchRepo
from tests.support.toolbox import Toolbox
from tests.tools.conftest import OpenToolbox


def pairs(entries: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Path and status of each entry."""
    return [(entry["path"], entry["status"]) for entry in entries]


async def test_before_the_first_commit(scratch: Scratch, open_toolbox: OpenToolbox) -> None:
    scratch.run(scratch.base, "config", "--global", "init.defaultBranch", "trunk")
    repo = scratch.repo()
    repo.write("n.txt", "x\n")
    answer = await open_toolbox(repo).call("git_status")
    value = answer.value
    assert (value["branch"], value["head"], value["detached"]) == ("trunk", None, False)
    assert value["untracked"] == ["n.txt"]
    assert value["clean"] is False
    assert answer.text.startswith("On branch trunk, no commit yet.")


async def test_staged_unstaged_untracked_and_renamed(repo: ScratchRepo, toolbox: Toolbox) -> None:
    numbers = "".join(f"{n}\n" for n in range(20))
    repo.commit("base", **{"a.txt": numbers, "m.txt": "1\n", "gone.txt": "g\n", "link": "t\n"})
    repo.git("mv", "a.txt", "b.txt")
    repo.write("m.txt", "1\n2\n")
    repo.git("rm", "-q", "gone.txt")
    (repo.root / "link").unlink()
    (repo.root / "link").symlink_to("b.txt")
    repo.write("u.txt", "u\n")
    repo.write("planned.txt", "p\n")
    repo.git("add", "-N", "planned.txt")
    value = (await toolbox.call("git_status")).value
    assert pairs(value["staged"]) == [("b.txt", "renamed"), ("gone.txt", "deleted")]
    assert value["staged"][0]["oldPath"] == "a.txt"
    assert sorted(pairs(value["unstaged"])) == [
        ("link", "typeChanged"),
        ("m.txt", "modified"),
        ("planned.txt", "added"),
    ]
    assert [e["code"] for e in value["unstaged"] if e["path"] == "planned.txt"] == [".A"]
    assert value["untracked"] == ["u.txt"]


async def test_odd_names_come_out_as_they_are(repo: ScratchRepo, toolbox: Toolbox) -> None:
    names = ['a\nb".txt', "tab\there.txt", "back\\slash.txt", "a -> b.txt", "caf\u00e9 \u00fc.txt", "\U0001f680 new.rs"]
    for name in names:
        repo.write(name, "x\n")
    repo.git("add", "-A")
    answer = await toolbox.call("git_status")
    assert sorted(entry["path"] for entry in answer.value["staged"]) == sorted(names)
    assert 'added a\\nb".txt' in answer.text


async def test_a_name_that_is_not_utf8_carries_its_bytes(repo: ScratchRepo, toolbox: Toolbox) -> None:
    raw = b"caf\xe9.txt"
    repo.write(os.fsdecode(raw), "x\n")
    value = (await toolbox.call("git_status")).value
    assert value["untracked"] == ["caf\ufffd.txt"]
    assert base64.b64decode(value["untrackedBytes"][0]["pathBytes"]) == raw
    repo.git("add", "-A")
    entry = (await toolbox.call("git_status")).value["staged"][0]
    assert base64.b64decode(entry["pathBytes"]) == raw
    diff = await toolbox.call("git_diff", staged=True, paths=[{"pathBytes": entry["pathBytes"]}])
    assert [file["pathBytes"] for file in diff.value["files"]] == [entry["pathBytes"]]


async def test_detached_ahead_behind_and_gone(scratch: Scratch, open_toolbox: OpenToolbox) -> None:
    origin = scratch.base / "o.git"
    scratch.run(scratch.base, "init", "-q", "--bare", str(origin))
    repo = scratch.repo()
    first = repo.commit("first", f="1\n")
    repo.git("remote", "add", "origin", str(origin))
    repo.git("push", "-q", "-u", "origin", "main")
    repo.commit("second", f="2\n")
    toolbox = open_toolbox(repo)
    value = (await toolbox.call("git_status")).value
    assert (value["upstream"], value["ahead"], value["behind"]) == ("origin/main", 1, 0)
    repo.git("update-ref", "-d", "refs/remotes/origin/main")
    answer = await toolbox.call("git_status")
    assert (answer.value["upstream"], answer.value["ahead"], answer.value["behind"]) == ("origin/main", None, None)
    assert "its upstream origin/main is gone" in answer.text
    repo.git("checkout", "-q", "--detach", first)
    value = (await toolbox.call("git_status")).value
    assert (value["branch"], value["head"], value["detached"]) == (None, first, True)


async def test_conflicts_with_their_kinds(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", **{'dir \u00fc/a "b".txt': "1\n", "del-ours.txt": "1\n", "del-theirs.txt": "1\n"})
    repo.git("checkout", "-q", "-b", "other")
    repo.git("rm", "-q", "del-theirs.txt")
    repo.commit("theirs", **{'dir \u00fc/a "b".txt': "t\n", "added.txt": "t\n", "del-ours.txt": "t\n"})
    repo.git("checkout", "-q", "main")
    repo.git("rm", "-q", "del-ours.txt")
    repo.commit("ours", **{'dir \u00fc/a "b".txt': "o\n", "added.txt": "o\n", "del-theirs.txt": "o\n"})
    repo.git("merge", "-q", "other", check=False)
    answer = await toolbox.call("git_status")
    assert sorted((item["code"], item["path"]) for item in answer.value["conflicts"]) == [
        ("AA", "added.txt"),
        ("DU", "del-ours.txt"),
        ("UD", "del-theirs.txt"),
        ("UU", 'dir \u00fc/a "b".txt'),
    ]
    assert answer.value["operation"] == "merge"
    assert answer.value["clean"] is False
    (card,) = answer.cards
    assert isinstance(card, ListCard)
    assert {item.group for item in card.items} == {"conflicts"}


async def test_configuration_changes_nothing(scratch: Scratch, repo: ScratchRepo, toolbox: Toolbox) -> None:
    numbers = "".join(f"{n}\n" for n in range(50))
    repo.commit("base", **{"a.txt": numbers, "sub/x.txt": "x\n"})
    repo.write("b.txt", numbers)
    repo.write("a.txt", numbers + "x\n")
    repo.git("add", "-A")
    repo.write("new/one.txt", "1\n")
    repo.git("stash", "store", "-m", "kept", repo.text("stash", "create"))
    before = (await toolbox.call("git_status")).value
    for key, value in {
        "status.renames": "copies",
        "status.showUntrackedFiles": "no",
        "status.relativePaths": "true",
        "status.aheadBehind": "false",
        "status.short": "true",
        "status.showStash": "false",
        "status.renameLimit": "1",
        "color.ui": "always",
        "column.ui": "always",
        "core.quotePath": "true",
    }.items():
        scratch.run(scratch.base, "config", "--global", key, value)
    assert (await toolbox.call("git_status")).value == before
    assert before["untracked"] == ["new/"]
    assert before["stashes"] == 1
    assert pairs(before["staged"]) == [("a.txt", "modified"), ("b.txt", "added")]


async def test_untracked_normal_all_and_no(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base")
    repo.write("new/one.txt", "1\n")
    repo.write("new/two.txt", "2\n")
    for untracked, expected in (("normal", ["new/"]), ("all", ["new/one.txt", "new/two.txt"]), ("no", [])):
        assert (await toolbox.call("git_status", untracked=untracked)).value["untracked"] == expected
    assert (await toolbox.call("git_status", untracked="some")).code == "invalid_arguments"


async def test_a_staged_submodule_is_shown_though_ignored(scratch: Scratch, open_toolbox: OpenToolbox) -> None:
    lib = scratch.repo("lib")
    lib.commit("base", **{"l.txt": "1\n"})
    repo = scratch.repo()
    repo.git("submodule", "--quiet", "add", str(lib.root), "sub")
    repo.git("config", "-f", ".gitmodules", "submodule.sub.ignore", "all")
    repo.commit("base")
    sub = ScratchRepo(scratch, repo.root / "sub")
    sub.commit("second", **{"l.txt": "2\n"})
    repo.git("add", "-f", "sub")
    for trusted in (True, False):
        value = (await open_toolbox(repo, trusted=trusted).call("git_status")).value
        assert [(entry["path"], entry["submodule"]) for entry in value["staged"]] == [("sub", True)]


async def test_sha256_worktree_and_stash_count(scratch: Scratch, open_toolbox: OpenToolbox) -> None:
    repo = scratch.repo(object_format="sha256")
    head = repo.commit("base", f="1\n")
    assert len(head) == 64
    repo.write("f", "2\n")
    repo.git("stash", "-q")
    repo.git("worktree", "add", "-q", "-b", "side", str(scratch.base / "side"))
    value = (await open_toolbox(repo, root=scratch.base / "side").call("git_status")).value
    assert (value["branch"], value["head"], value["stashes"], value["clean"]) == ("side", head, 1, True)


async def test_no_lock_is_taken_and_the_index_stays(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="1\n")
    os.utime(repo.root / "f", (1, 1))
    repo.write(".git/index.lock", "")
    before = (repo.root / ".git" / "index").read_bytes()
    assert (await toolbox.call("git_status")).value["clean"] is True
    assert (await toolbox.call("git_diff")).value["diff"] == ""
    assert (repo.root / ".git" / "index").read_bytes() == before


async def test_fsmonitor_of_the_repository_does_not_run(repo: ScratchRepo, open_toolbox: OpenToolbox) -> None:
    repo.commit("base", **{"f.txt": "1\n"})
    repo.write("f.txt", "2\n")
    marker = repo.scratch.base / "ran"
    hook = repo.write("hook.sh", f'#!/bin/sh\ntouch "{marker}"\nexit 1\n')
    hook.chmod(0o755)
    repo.git("config", "core.fsmonitor", str(hook))
    for trusted in (True, False):
        toolbox = open_toolbox(repo, trusted=trusted)
        assert pairs((await toolbox.call("git_status")).value["unstaged"]) == [("f.txt", "modified")]
        assert "+2" in (await toolbox.call("git_diff")).value["diff"]
    assert not marker.exists()
