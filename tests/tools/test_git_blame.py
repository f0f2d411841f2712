"""git_blame: each line's commit and author, uncommitted lines marked."""

import os

from git_sidecar.tools.contract import ReadCard
from tests.support.scratch import Scratch, ScratchRepo
from tests.support.toolbox import Toolbox
from tests.tools.conftest import OpenToolbox


async def test_lines_commits_and_what_is_not_committed(repo: ScratchRepo, toolbox: Toolbox) -> None:
    first = repo.commit("first", **{"f.py": "one\ntwo\nthree\n"})
    repo.scratch.env["GIT_AUTHOR_DATE"] = "2024-04-01T12:00:00 +0200"
    repo.write("f.py", "one\nTWO\nthree\n")
    repo.git("commit", "-qam", "second", "--author", "Other <o@x>")
    second = repo.text("rev-parse", "HEAD")
    repo.write("f.py", "one\nTWO\nthree\nfour\x0c still four\n")
    answer = await toolbox.call("git_blame", path="f.py")
    lines = answer.value["lines"]
    assert [(line["number"], line["text"], line["commit"]) for line in lines] == [
        (1, "one", first),
        (2, "TWO", second),
        (3, "three", first),
        (4, "four\x0c still four", None),
    ]
    assert (lines[1]["author"], lines[1]["date"]) == ("Other", "2024-04-01T12:00:00+02:00")
    assert (lines[0]["author"], lines[0]["date"]) == ("Case Author", "2024-03-01T10:00:00+00:00")
    assert [line.get("uncommitted") for line in lines] == [None, None, None, True]
    assert answer.value["totalLines"] == 4
    assert "not committed | 4 | four\\x0c still four" in answer.text
    (card,) = answer.cards
    assert isinstance(card, ReadCard)
    assert (card.language, card.offset, card.total_lines) == ("python", 0, 4)


async def test_ranges_and_revisions(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("first", f="".join(f"{n}\n" for n in range(1, 11)))
    repo.commit("second", f="new\n")
    old = await toolbox.call("git_blame", path="f", rev="HEAD~1", startLine=3, endLine=5)
    assert [(line["number"], line["text"]) for line in old.value["lines"]] == [(3, "3"), (4, "4"), (5, "5")]
    assert old.value["rev"] == repo.text("rev-parse", "HEAD~1")
    assert isinstance(old.cards[0], ReadCard)
    assert (old.cards[0].offset, old.cards[0].total_lines) == (2, 10)
    beyond = await toolbox.call("git_blame", path="f", rev="HEAD~1", startLine=9, endLine=99)
    assert [line["number"] for line in beyond.value["lines"]] == [9, 10]
    for arguments, code in (
        ({"path": "f", "startLine": 2}, "invalid_arguments"),
        ({"path": "f", "startLine": 3, "endLine": 2}, "invalid_arguments"),
        ({"path": "f", "startLine": 0}, "invalid_arguments"),
        ({"path": "nope"}, "path_not_found"),
        ({"path": "nope", "rev": "HEAD"}, "path_not_found"),
        ({"path": "f", "rev": "nope"}, "ref_not_found"),
        ({"path": "../f"}, "outside_workspace"),
        ({}, "invalid_arguments"),
    ):
        assert (await toolbox.call("git_blame", **arguments)).code == code, arguments
    repo.write("untracked", "x\n")
    assert (await toolbox.call("git_blame", path="untracked")).code == "path_not_found"


async def test_empty_files_odd_names_and_renames(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("first", **{"empty": "", 'o"ld\n.txt': "1\n2\n3\n4\n5\n"})
    repo.git("mv", "--", 'o"ld\n.txt', "-new.txt")
    repo.git("commit", "-qm", "renamed")
    assert (await toolbox.call("git_blame", path="empty")).value["lines"] == []
    renamed = await toolbox.call("git_blame", path="-new.txt")
    assert {line["oldPath"] for line in renamed.value["lines"]} == {'o"ld\n.txt'}
    assert len(renamed.value["lines"]) == 5


async def test_a_long_file_comes_in_parts(repo: ScratchRepo, open_toolbox: OpenToolbox) -> None:
    toolbox = open_toolbox(repo, settings={"limits": {"headLines": 20, "tailLines": 5}})
    repo.commit("first", f="".join(f"{n}\n" for n in range(1, 61)))
    numbers: list[int] = []
    start: int | None = 1
    while start is not None:
        value = (await toolbox.call("git_blame", path="f", startLine=start)).value
        numbers += [line["number"] for line in value["lines"]]
        start = value.get("nextLine")
        assert value["truncated"] is (start is not None)
    assert numbers == list(range(1, 61))


async def test_shallow_boundaries_and_configuration(scratch: Scratch, open_toolbox: OpenToolbox) -> None:
    origin = scratch.repo("origin")
    for number in range(3):
        origin.commit(f"c{number}", f="".join(f"{n}\n" for n in range(number + 1)))
    scratch.run(scratch.base, "clone", "-q", "--depth=1", f"file://{origin.root}", "shallow")
    for key, value in {
        "blame.showEmail": "true",
        "blame.showRoot": "true",
        "blame.date": "relative",
        "blame.ignoreRevsFile": os.devnull,
        "blame.coloring": "repeatedLines",
        "core.abbrev": "4",
        "color.ui": "always",
    }.items():
        scratch.run(scratch.base, "config", "--global", key, value)
    value = (await open_toolbox(origin, root=scratch.base / "shallow").call("git_blame", path="f")).value
    head = origin.text("rev-parse", "HEAD")
    whole = (await open_toolbox(origin).call("git_blame", path="f")).value
    assert ["boundary" in line for line in whole["lines"]] == [False] * 3
    assert [(line["commit"], line["boundary"]) for line in value["lines"]] == [(head, True)] * 3
