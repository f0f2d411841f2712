"""git_show: commits against their first parent, files and directories as they were."""

import pytest

from git_sidecar.tools.contract import DiffCard, ListCard, ReadCard
from tests.support.scratch import Scratch, ScratchRepo
from tests.support.toolbox import Toolbox
from tests.tools.conftest import OpenToolbox


@pytest.fixture
def nested(repo: ScratchRepo) -> ScratchRepo:
    """A file of one name at the root and in a directory, both changed since the commit."""
    repo.commit("base", **{"a.txt": "root\n", "sub/a.txt": "sub\n", "sub/b.py": "import os\nprint(os)"})
    repo.write("a.txt", "changed\n")
    repo.write("sub/a.txt", "changed\n")
    return repo


async def test_the_first_commit(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("first commit", **{"f.txt": "only line\n"})
    answer = await toolbox.call("git_show", rev="HEAD")
    assert answer.value["diff"].encode() == repo.git("show", "--format=", "HEAD")
    assert answer.value["commit"]["parents"] == []
    assert answer.value["commit"]["subject"] == "first commit"
    (card,) = answer.cards
    assert isinstance(card, DiffCard)
    assert [(diff.path, diff.old_text, diff.new_text) for diff in card.diffs] == [("f.txt", "", "only line\n")]


async def test_the_first_commit_of_a_sha256_repository(scratch: Scratch, open_toolbox: OpenToolbox) -> None:
    repo = scratch.repo(object_format="sha256")
    repo.commit("first", **{"f.txt": "x\n"})
    answer = await open_toolbox(repo).call("git_show", rev="HEAD")
    assert answer.value["diff"].encode() == repo.git("show", "--format=", "HEAD")


async def test_a_merge_is_shown_against_its_first_parent(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="1\n")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("side", s="s\n")
    repo.git("checkout", "-q", "main")
    repo.commit("main", m="m\n")
    repo.git("merge", "-q", "--no-ff", "-m", "merge", "side")
    answer = await toolbox.call("git_show", rev="HEAD")
    assert answer.value["diff"].encode() == repo.git("diff", "HEAD^1", "HEAD")
    assert [file["path"] for file in answer.value["files"]] == ["s"]
    assert "compared with the first" in answer.text


async def test_stat_tags_and_odd_revisions(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("fix: first", f="1\n")
    repo.git("tag", "-a", "v1", "-m", "annotated")
    repo.commit("second", f="1\n2\n", g="g\n")
    answer = await toolbox.call("git_show", rev="HEAD", stat=True)
    assert [(one["path"], one["additions"], one["deletions"]) for one in answer.value["stat"]] == [
        ("f", 1, 0),
        ("g", 1, 0),
    ]
    assert "diff" not in answer.value
    assert isinstance(answer.cards[0], ListCard)
    first = repo.text("rev-parse", "HEAD~1")
    for rev in ("v1", "HEAD^", "HEAD~1", "HEAD^{/fix: first}", ":/fix: first", "main@{1}", first[:8], "v1^{commit}"):
        assert (await toolbox.call("git_show", rev=rev)).value["commit"]["hash"] == first, rev


async def test_a_branch_and_a_file_have_one_name(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("first commit", test="base\n")
    repo.git("checkout", "-q", "-b", "test")
    repo.commit("on test", test="2\n")
    repo.git("checkout", "-q", "main")
    assert (await toolbox.call("git_show", rev="test")).value["commit"]["subject"] == "on test"


async def test_a_file_starts_at_the_directory(nested: ScratchRepo, toolbox: Toolbox) -> None:
    for directory, path, text in (
        ("sub", "a.txt", "sub\n"),
        ("", "sub/a.txt", "sub\n"),
        ("", "a.txt", "root\n"),
        ("sub", "../a.txt", "root\n"),
        ("sub", str(nested.root / "sub" / "a.txt"), "sub\n"),
    ):
        answer = await toolbox.call("git_show", rev="HEAD", path=path, directory=directory)
        assert answer.value["text"] == text, (directory, path)
    # In `rev:path` git's own rule holds: from the root.
    assert (await toolbox.call("git_show", rev="HEAD:a.txt", directory="sub")).value["text"] == "root\n"
    missing = await toolbox.call("git_show", rev="HEAD", path="nope.txt")
    assert missing.code == "path_not_found"
    assert missing.refusal is not None
    assert missing.refusal.message == "path 'nope.txt' does not exist in 'HEAD'"


async def test_what_a_file_value_says(nested: ScratchRepo, toolbox: Toolbox) -> None:
    answer = await toolbox.call("git_show", rev="HEAD", path="sub/b.py")
    assert answer.value == {
        "path": "sub/b.py",
        "rev": "HEAD",
        "text": "import os\nprint(os)",
        "binary": False,
        "size": len("import os\nprint(os)"),
        "totalLines": 2,
        "truncated": False,
    }
    (card,) = answer.cards
    assert isinstance(card, ReadCard)
    assert (card.offset, card.total_lines, card.language) == (0, 2, "python")
    assert [(line.number, line.text) for line in card.lines] == [(1, "import os"), (2, "print(os)")]


async def test_the_index_and_directories(nested: ScratchRepo, toolbox: Toolbox) -> None:
    nested.git("add", "a.txt")
    nested.write("a.txt", "again\n")
    assert (await toolbox.call("git_show", rev=":a.txt")).value["text"] == "changed\n"
    assert (await toolbox.call("git_show", rev=":0:a.txt")).value["text"] == "changed\n"
    assert (await toolbox.call("git_show", rev=":", path="a.txt")).value["text"] == "changed\n"
    assert (await toolbox.call("git_show", rev=":2:a.txt")).code == "path_not_found"
    for rev, path, names in (
        ("HEAD:", None, ["a.txt", "sub"]),
        ("HEAD", "sub", ["a.txt", "b.py"]),
        ("HEAD", ".", ["a.txt", "sub"]),
    ):
        answer = await toolbox.call("git_show", rev=rev, path=path)
        assert answer.value["entries"] == names
        assert isinstance(answer.cards[0], ListCard)


async def test_conflict_stages(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="base\n")
    repo.git("checkout", "-q", "-b", "o")
    repo.commit("t", f="theirs\n")
    repo.git("checkout", "-q", "main")
    repo.commit("o", f="ours\n")
    repo.git("merge", "-q", "o", check=False)
    texts = [(await toolbox.call("git_show", rev=f":{stage}:f")).value["text"] for stage in (1, 2, 3)]
    assert texts == ["base\n", "ours\n", "theirs\n"]


async def test_odd_names_binary_links_and_submodules(scratch: Scratch, open_toolbox: OpenToolbox) -> None:
    lib = scratch.repo("lib")
    head = lib.commit("lib", l="1\n")
    repo = scratch.repo()
    repo.git("submodule", "--quiet", "add", str(lib.root), "mod")
    names = ['a\nb".txt', "-x", "*.txt", "caf\u00e9"]
    for name in names:
        repo.write(name, f"{name!r}\n")
    repo.write("bin", b"a\0b\xff")
    repo.write("latin1", b"caf\xe9\n")
    (repo.root / "link").symlink_to("-x")
    repo.commit("all")
    toolbox = open_toolbox(repo)
    for name in names:
        assert (await toolbox.call("git_show", rev="HEAD", path=name)).value["text"] == f"{name!r}\n"
    binary = (await toolbox.call("git_show", rev="HEAD", path="bin")).value
    assert (binary["binary"], binary["text"], binary["size"]) == (True, "", 4)
    latin = (await toolbox.call("git_show", rev="HEAD", path="latin1")).value
    assert latin["text"] == "caf\ufffd\n"
    assert latin["warnings"]
    assert (await toolbox.call("git_show", rev="HEAD", path="link")).value["text"] == "-x"
    assert head in (await toolbox.call("git_show", rev="HEAD", path="mod")).value["text"]
    blob = repo.text("rev-parse", "HEAD:bin")
    assert (await toolbox.call("git_show", rev=blob)).value["binary"] is True


async def test_long_files_and_long_diffs_are_cut(repo: ScratchRepo, open_toolbox: OpenToolbox) -> None:
    toolbox = open_toolbox(
        repo, settings={"limits": {"headLines": 20, "tailLines": 5, "lineLength": 80, "bytes": 4096}}
    )
    repo.commit("base", **{"long.txt": "".join(f"{n}\n" for n in range(500)), "wide.txt": "w" * 500 + "\n"})
    value = (await toolbox.call("git_show", rev="HEAD", path="long.txt")).value
    assert (value["truncated"], value["totalLines"], value["text"]) == (True, 500, "".join(f"{n}\n" for n in range(25)))
    wide = (await toolbox.call("git_show", rev="HEAD", path="wide.txt")).value
    assert wide["text"] == "w" * 40 + " ... [420 chars omitted] ... " + "w" * 40 + "\n"
    commit = await toolbox.call("git_show", rev="HEAD")
    assert "lines omitted] ..." in commit.value["diff"]
    assert commit.value["truncated"] is True
    assert {file["path"]: file["coverage"] for file in commit.value["files"]}["long.txt"] == "partial"


async def test_refusals(nested: ScratchRepo, toolbox: Toolbox) -> None:
    for arguments, code in (
        ({}, "invalid_arguments"),
        ({"rev": ""}, "invalid_arguments"),
        ({"rev": "--output=x"}, "invalid_arguments"),
        ({"rev": "nope"}, "ref_not_found"),
        ({"rev": "main..main"}, "ref_not_found"),
        ({"rev": "^main"}, "ref_not_found"),
        ({"rev": "HEAD:a.txt", "path": "a.txt"}, "invalid_arguments"),
        ({"rev": "HEAD:../a.txt"}, "invalid_arguments"),
        ({"rev": "HEAD:/a.txt"}, "invalid_arguments"),
        ({"rev": "HEAD", "path": "../outside"}, "outside_workspace"),
        ({"rev": "HEAD", "path": ".git/config"}, "invalid_arguments"),
        ({"rev": "HEAD", "path": "a\0b"}, "invalid_arguments"),
        ({"rev": "nope:a.txt"}, "ref_not_found"),
        ({"rev": "HEAD:a.txt:b"}, "path_not_found"),
    ):
        assert (await toolbox.call("git_show", **arguments)).code == code, arguments


async def test_textconv_and_signatures_run_nothing(repo: ScratchRepo, open_toolbox: OpenToolbox) -> None:
    marker = repo.scratch.base / "ran"
    program = repo.write("../prog", f'#!/bin/sh\ntouch "{marker}"\ncat "$1"\n')
    program.chmod(0o755)
    repo.write(".gitattributes", "*.txt diff=evil\n")
    repo.commit("base", **{"f.txt": "x\n"})
    for key, value in {
        "diff.evil.textconv": str(program),
        "diff.evil.command": str(program),
        "log.showSignature": "true",
        "gpg.program": str(program),
        "format.pretty": "%G?",
    }.items():
        repo.git("config", key, value)
    for trusted in (True, False):
        toolbox = open_toolbox(repo, trusted=trusted)
        assert "+x" in (await toolbox.call("git_show", rev="HEAD")).value["diff"]
        await toolbox.call("git_log", paths=["f.txt"])
        await toolbox.call("git_blame", path="f.txt")
    assert not marker.exists()
