"""git_diff: git's own text, in pages that add up to it."""

import itertools
import os
from collections.abc import Iterator
from typing import Any

import pytest

from git_sidecar.tools.contract import DiffCard, ListCard
from tests.support.scratch import Scratch, ScratchRepo
from tests.support.toolbox import Answer, Toolbox
from tests.tools.conftest import OpenToolbox

SMALL = {"limits": {"headLines": 30, "tailLines": 10, "lineLength": 80, "bytes": 4096}}


def numbers(*ranges: range) -> str:
    """Lines of numbers."""
    return "".join(f"{n}\n" for n in itertools.chain(*ranges))


def only_diff(answer: Answer) -> Any:
    """The diffs of the one card."""
    (card,) = answer.cards
    assert isinstance(card, DiffCard)
    return card.diffs


async def all_pages(toolbox: Toolbox, **arguments: Any) -> list[Answer]:
    """All pages of a call."""
    pages = [await toolbox.call("git_diff", **arguments)]
    while cursor := pages[-1].value.get("nextCursor"):
        assert len(pages) < 100
        pages.append(await toolbox.call("git_diff", **arguments, cursor=cursor))
    return pages


@pytest.fixture
def changed(repo: ScratchRepo) -> ScratchRepo:
    """A repository with staged and unstaged changes of many kinds."""
    repo.commit(
        "base", **{"f.txt": numbers(range(1, 21)), "deep/one/f.sh": numbers(range(1, 41)), "gone.txt": "1\n2\n"}
    )
    repo.write("f.txt", numbers(range(1, 7)) + "SEVEN\n" + numbers(range(8, 21)))
    repo.write("n.txt", "new\n")
    repo.write("pkg/__init__.py", "")
    repo.write("logo.png", b"\x89PNG\r\n\x00\x01")
    (repo.root / "deep" / "two").mkdir()
    repo.git("mv", "deep/one/f.sh", "deep/two/f.sh")
    repo.write("deep/two/f.sh", numbers(range(1, 42))).chmod(0o755)
    repo.git("rm", "-q", "gone.txt")
    repo.git("add", "-A")
    repo.write("f.txt", numbers(range(1, 10)))
    repo.write("untracked.txt", "u\n")
    return repo


async def test_the_text_is_gits(changed: ScratchRepo, toolbox: Toolbox) -> None:
    head = changed.text("rev-parse", "HEAD")
    for arguments, command in (
        ({}, ()),
        ({"staged": True}, ("--cached",)),
        ({"from": "HEAD"}, ("HEAD",)),
        ({"staged": True, "from": head}, ("--cached", head)),
        ({"contextLines": 0}, ("-U0",)),
        ({"staged": True, "contextLines": 7}, ("--cached", "-U7")),
        (
            {"from": "4b825dc642cb6eb9a060e54bf8d69288fbee4904", "to": "HEAD"},
            ("4b825dc642cb6eb9a060e54bf8d69288fbee4904", "HEAD"),
        ),
    ):
        answer = await toolbox.call("git_diff", **arguments)
        assert answer.value["diff"].encode() == changed.git("diff", *command), arguments
        assert all(file["coverage"] == "full" or file["binary"] for file in answer.value["files"])


async def test_files_with_their_numbers(changed: ScratchRepo, toolbox: Toolbox) -> None:
    answer = await toolbox.call("git_diff", staged=True)
    files = {file["path"]: file for file in answer.value["files"]}
    assert list(files) == ["deep/two/f.sh", "f.txt", "gone.txt", "logo.png", "n.txt", "pkg/__init__.py"]
    renamed = files["deep/two/f.sh"]
    assert (renamed["status"], renamed["oldPath"], renamed["additions"], renamed["deletions"]) == (
        "renamed",
        "deep/one/f.sh",
        1,
        0,
    )
    assert (renamed["oldMode"], renamed["newMode"]) == ("100644", "100755")
    assert (files["logo.png"]["binary"], files["logo.png"]["additions"]) == (True, None)
    assert (files["logo.png"]["coverage"], files["logo.png"]["reason"]) == ("omitted", "binary")
    assert (files["pkg/__init__.py"]["additions"], files["pkg/__init__.py"]["deletions"]) == (0, 0)


async def test_stat_gives_the_same_numbers_as_the_text(changed: ScratchRepo, toolbox: Toolbox) -> None:
    for arguments in ({}, {"staged": True}, {"from": "HEAD"}):
        text = await toolbox.call("git_diff", **arguments)
        stat = await toolbox.call("git_diff", stat=True, **arguments)
        assert stat.value["stat"] == [
            {name: item for name, item in file.items() if name not in ("coverage", "reason")}
            for file in text.value["files"]
        ]
        assert isinstance(stat.cards[0], ListCard)
    numstat = changed.git("diff", "--cached", "--numstat", "-z").decode()
    assert "1\t0\t\0deep/one/f.sh\0deep/two/f.sh\0" in numstat


async def test_configuration_changes_nothing(scratch: Scratch, changed: ScratchRepo, toolbox: Toolbox) -> None:
    reference = changed.git("diff", "--cached")
    marker = scratch.base / "ran"
    program = changed.write("../ext", f'#!/bin/sh\ntouch "{marker}"\necho EXTERNAL\n')
    program.chmod(0o755)
    for key, value in {
        "color.ui": "always",
        "diff.noprefix": "true",
        "diff.mnemonicPrefix": "true",
        "diff.context": "9",
        "diff.algorithm": "histogram",
        "diff.renames": "false",
        "diff.external": str(program),
        "diff.submodule": "log",
        "diff.wsErrorHighlight": "all",
        "core.pager": str(program),
        "pager.diff": "true",
        "core.abbrev": "20",
    }.items():
        scratch.run(scratch.base, "config", "--global", key, value)
    answer = await toolbox.call("git_diff", staged=True)
    assert answer.value["diff"].encode() == reference
    assert "\x1b" not in answer.text
    assert not marker.exists()


async def test_paths_start_at_the_directory_and_are_literal(changed: ScratchRepo, toolbox: Toolbox) -> None:
    inside = await toolbox.call("git_diff", staged=True, paths=["f.sh"], directory="deep/two")
    assert [file["path"] for file in inside.value["files"]] == ["deep/two/f.sh"]
    gone = await toolbox.call("git_diff", staged=True, paths=["gone.txt"])
    assert "deleted file mode 100644" in gone.value["diff"]
    assert (await toolbox.call("git_diff", staged=True, paths=["*.txt"])).value["diff"] == ""
    assert (await toolbox.call("git_diff", staged=True, paths=["../../etc/passwd"])).code == "outside_workspace"
    assert (await toolbox.call("git_diff", staged=True, paths=["../f.txt"], directory="deep")).value["totalFiles"] == 1


async def test_a_path_with_the_name_of_a_branch(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", Cask="base\n")
    repo.git("branch", "Cask")
    repo.git("rm", "-q", "Cask")
    assert "deleted file mode" in (await toolbox.call("git_diff", staged=True, paths=["Cask"])).value["diff"]
    repo.git("reset", "-q", "--hard")
    assert (await toolbox.call("git_diff", paths=["Cask"])).value["diff"] == ""
    assert (await toolbox.call("git_diff", **{"from": "Cask"})).value["totalFiles"] == 0


async def test_names_like_options_stay_names(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="1\n")
    for name in ("-test.txt", "--output=pwn"):
        repo.write(name, "1\n")
    repo.git("add", "-A")
    answer = await toolbox.call("git_diff", staged=True, paths=["-test.txt"])
    assert [file["path"] for file in answer.value["files"]] == ["-test.txt"]
    head = repo.text("rev-parse", "HEAD")
    repo.git("update-ref", "refs/heads/--output=x", head)
    assert (await toolbox.call("git_diff", **{"from": "--output=x"})).code == "invalid_arguments"
    assert (await toolbox.call("git_diff", **{"from": "refs/heads/--output=x", "staged": True})).value[
        "totalFiles"
    ] == 2
    assert not (repo.root / "x").exists()


async def test_ranges_of_two_ends(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", **{"f.txt": "1\n"})
    repo.git("checkout", "-q", "-b", "feature")
    repo.commit("feat", **{"g.txt": "feat\n"})
    repo.git("checkout", "-q", "main")
    repo.commit("on main", **{"h.txt": "h\n"})
    for text in ("main..feature", "main...feature", "feature..", "HEAD~1..feature"):
        answer = await toolbox.call("git_diff", **{"from": text})
        assert answer.value["diff"].encode() == repo.git("diff", text), text
    for arguments in (
        {"to": "main"},
        {"from": "main..feature", "to": "main"},
        {"from": "main", "to": "feature", "staged": True},
        {"from": "-x"},
        {"from": "main..-x"},
        {"from": "main\n"},
    ):
        assert (await toolbox.call("git_diff", **arguments)).code == "invalid_arguments", arguments
    assert (await toolbox.call("git_diff", **{"from": "nope"})).code == "ref_not_found"
    assert (await toolbox.call("git_diff", **{"from": "HEAD:f.txt"})).code == "ref_not_found"


async def test_pages_add_up_to_gits_text(repo: ScratchRepo, open_toolbox: OpenToolbox) -> None:
    toolbox = open_toolbox(repo, settings=SMALL)
    files = {f"f{n:02}.txt": numbers(range(n * 3, n * 3 + 12)) for n in range(8)}
    repo.commit("base", **files, **{"big.txt": numbers(range(400)), "sparse.txt": numbers(range(300))})
    for name, content in files.items():
        repo.write(name, content + "end\n")
    repo.write("big.txt", numbers(range(1000, 1150)))
    repo.write("sparse.txt", "".join(f"{n}{'x' * (n % 20 == 0)}\n" for n in range(300)))
    pages = await all_pages(toolbox)
    assert len(pages) > 5
    assert "".join(page.value["diff"] for page in pages).encode() == repo.git("diff")
    assert all(page.value["truncated"] == (page is not pages[-1] or "nextCursor" in page.value) for page in pages[:-1])
    seen: dict[str, list[str]] = {}
    for page in pages:
        assert page.value["diff"].count("\n") <= 40
        for file in page.value["files"]:
            seen.setdefault(file["path"], []).append(file["coverage"])
    assert sorted(seen) == sorted([*files, "big.txt", "sparse.txt"])
    assert all(coverage == ["full"] for path, coverage in seen.items() if path.startswith("f"))
    assert set(seen["big.txt"]) == set(seen["sparse.txt"]) == {"partial"}
    # A page that begins within a file with many hunks begins at one.
    later = [page.value["diff"] for page in pages if page.value["files"][0]["path"] == "sparse.txt"][1:]
    assert later
    assert all(text.startswith("@@ -") for text in later)


async def test_a_cursor_knows_its_question_and_its_diff(repo: ScratchRepo, open_toolbox: OpenToolbox) -> None:
    toolbox = open_toolbox(repo, settings=SMALL)
    repo.commit("base", **{"big.txt": numbers(range(100)), "other.txt": "o\n"})
    repo.write("big.txt", numbers(range(1000, 1100)))
    first = await toolbox.call("git_diff")
    cursor = first.value["nextCursor"]
    assert (await toolbox.call("git_diff", staged=True, cursor=cursor)).code == "invalid_arguments"
    assert (await toolbox.call("git_diff", cursor="nonsense")).code == "invalid_arguments"
    assert (await toolbox.call("git_diff", cursor=cursor[:-3])).code == "invalid_arguments"
    assert (await toolbox.call("git_diff", cursor=cursor)).code is None
    repo.write("other.txt", "changed\n")
    moved = await toolbox.call("git_diff", cursor=cursor)
    assert moved.code == "invalid_arguments"
    assert moved.refusal is not None
    assert "changed since the first page" in moved.refusal.message


async def test_stat_in_pages(repo: ScratchRepo, open_toolbox: OpenToolbox) -> None:
    toolbox = open_toolbox(repo, settings=SMALL)
    repo.commit("base")
    names = [f"f{n:03}.txt" for n in range(95)]
    for name in names:
        repo.write(name, "x\n")
    repo.git("add", "-A")
    pages = await all_pages(toolbox, staged=True, stat=True)
    assert [len(page.value["stat"]) for page in pages] == [40, 40, 15]
    assert [file["path"] for page in pages for file in page.value["stat"]] == names


async def test_long_lines_and_what_is_no_line_end(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", **{"f.txt": "base\n", "min.js": "x\n"})
    repo.write("f.txt", "base\none\x0ctwo\u2028three\x85four\rfive\n")
    repo.write("min.js", "y" * 3_000_000 + "\nhuman change\n")
    answer = await toolbox.call("git_diff")
    files = {file["path"]: file for file in answer.value["files"]}
    assert (files["f.txt"]["additions"], files["f.txt"]["coverage"]) == (1, "full")
    assert (files["min.js"]["coverage"], files["min.js"]["reason"]) == ("partial", "lineLength")
    text = answer.value["diff"]
    assert "+human change" in text
    assert " ... [2998001 chars omitted] ... " in text
    assert len(text) < 10_000
    assert answer.value["truncated"] is True
    assert "\\x0c" in answer.text
    assert "\x0c" not in answer.text


async def test_touched_files_are_no_changes(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", **{"a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n"})
    repo.write("logo.png", b"\0png")
    repo.commit("binary")
    for name in ("a.txt", "c.txt", "logo.png"):
        os.utime(repo.root / name, (1, 1))
    repo.write("b.txt", "changed\n")
    answer = await toolbox.call("git_diff")
    assert [file["path"] for file in answer.value["files"]] == ["b.txt"]
    assert answer.value["totalFiles"] == 1
    stat = await toolbox.call("git_diff", stat=True)
    assert [(file["path"], file["additions"]) for file in stat.value["stat"]] == [("b.txt", 1)]


async def test_unmerged_paths_are_shown_combined(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="base\n", k="x\n", z="z\n")
    repo.git("checkout", "-q", "-b", "other")
    repo.git("rm", "-q", "k")
    repo.commit("theirs", f="t\n")
    repo.git("checkout", "-q", "main")
    repo.commit("ours", f="o\n", k="o\n")
    repo.git("merge", "-q", "other", check=False)
    repo.write("z", "changed\n")
    answer = await toolbox.call("git_diff")
    assert answer.value["diff"].encode() == repo.git("diff")
    assert "diff --cc f" in answer.value["diff"]
    assert [(file["path"], file["status"]) for file in answer.value["files"]] == [
        ("f", "unmerged"),
        ("k", "unmerged"),
        ("z", "modified"),
    ]
    staged = await toolbox.call("git_diff", staged=True)
    assert staged.value["diff"].encode() == repo.git("diff", "--cached")


async def test_a_conflict_alone(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="base\n")
    repo.git("checkout", "-q", "-b", "other")
    repo.commit("theirs", f="t\n")
    repo.git("checkout", "-q", "main")
    repo.commit("ours", f="o\n")
    repo.git("merge", "-q", "other", check=False)
    answer = await toolbox.call("git_diff")
    assert answer.value["diff"].encode() == repo.git("diff")
    stat = await toolbox.call("git_diff", stat=True)
    assert [(file["path"], file["status"], file["additions"]) for file in stat.value["stat"]] == [
        ("f", "unmerged", None)
    ]


async def test_type_changes_have_two_parts(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", a="text\n", b="b\n")
    (repo.root / "a").unlink()
    (repo.root / "a").symlink_to("b")
    repo.write("b", "c\n")
    repo.git("add", "-A")
    answer = await toolbox.call("git_diff", staged=True)
    assert [(file["path"], file["status"]) for file in answer.value["files"]] == [
        ("a", "typeChanged"),
        ("b", "modified"),
    ]
    assert [diff.path for diff in only_diff(answer)] == ["a", "b"]
    assert only_diff(answer)[0].patch.count("diff --git a/a b/a") == 2


async def test_cards_hold_whole_sides_only_where_the_patch_does(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit(
        "base",
        **{"short.txt": "1\n2\n3", "long.txt": numbers(range(30)), "gone.txt": "g\n", "edge.txt": "a\nb\nc\nd\n"},
    )
    repo.write("short.txt", "1\n2\n4\n")
    repo.write("long.txt", "changed\n" + numbers(range(30)))
    repo.write("edge.txt", "A\nb\nc\nd\n")
    repo.write("new.txt", "n\nno end")
    repo.write("empty.txt", "")
    repo.git("rm", "-q", "gone.txt")
    repo.git("add", "-A")
    texts = {
        diff.path: (diff.old_text, diff.new_text) for diff in only_diff(await toolbox.call("git_diff", staged=True))
    }
    assert texts == {
        "short.txt": ("1\n2\n3", "1\n2\n4\n"),
        "long.txt": (None, None),
        # Three lines of context follow: the file could go on.
        "edge.txt": (None, None),
        "new.txt": ("", "n\nno end"),
        "empty.txt": ("", ""),
        "gone.txt": ("g\n", ""),
    }
    wider = {
        diff.path: diff.new_text for diff in only_diff(await toolbox.call("git_diff", staged=True, contextLines=4))
    }
    assert wider["edge.txt"] == "A\nb\nc\nd\n"


def odd_contexts() -> Iterator[tuple[object, str]]:
    """Values that are no number of lines, and the argument that is named."""
    yield from ((-1, "contextLines"), ("3", "contextLines"), (1_001, "contextLines"), (1.5, "contextLines"))


async def test_arguments_of_the_wrong_kind(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base")
    for given, name in odd_contexts():
        answer = await toolbox.call("git_diff", contextLines=given)
        assert answer.code == "invalid_arguments"
        assert answer.refusal is not None
        assert name in answer.refusal.message
    assert (await toolbox.call("git_diff", contextLines=2.0)).code is None
    assert (await toolbox.call("git_diff", staged=None, paths=None)).code is None
    assert (await toolbox.call("git_diff", paths=[])).code == "invalid_arguments"
    assert (await toolbox.call("git_diff", paths="f")).code == "invalid_arguments"
