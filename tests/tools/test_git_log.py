"""git_log: history as git has it, page by page, and why there is none."""

import itertools
from typing import Any

import pytest

from git_sidecar.tools.contract import ListCard
from tests.support.scratch import Scratch, ScratchRepo
from tests.support.toolbox import Answer, Toolbox
from tests.tools.conftest import OpenToolbox


async def all_pages(toolbox: Toolbox, **arguments: Any) -> list[Answer]:
    """All pages of a call."""
    pages = [await toolbox.call("git_log", **arguments)]
    while cursor := pages[-1].value.get("nextCursor"):
        assert len(pages) < 100
        pages.append(await toolbox.call("git_log", **arguments, cursor=cursor))
    return pages


def hashes(*answers: Answer) -> list[str]:
    """The commits of all answers."""
    return [commit["hash"] for answer in answers for commit in answer.value["commits"]]


@pytest.fixture
def history(repo: ScratchRepo) -> ScratchRepo:
    """Seven commits on main, one on side, a merge, tags."""
    for number in range(6):
        repo.commit(f"c{number}", **{"f.txt": f"{number}\n", f"only{number}.txt": "x\n"})
    repo.git("checkout", "-q", "-b", "side", "HEAD~2")
    repo.commit("on side", **{"s.txt": "s\n"})
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-ff", "-m", "merge side", "side")
    repo.git("tag", "v1")
    return repo


async def test_before_the_first_commit(repo: ScratchRepo, toolbox: Toolbox) -> None:
    answer = await toolbox.call("git_log")
    assert answer.value == {"commits": [], "truncated": False, "unborn": True}
    assert answer.text == "There is no commit yet."
    assert (await toolbox.call("git_log", rev="main")).code == "ref_not_found"


async def test_fields_are_gits(history: ScratchRepo, toolbox: Toolbox) -> None:
    history.git("commit", "-q", "--allow-empty", "-m", "subject  line\nfolded\n\nbody one\n\nbody two\n\n")
    answer = await toolbox.call("git_log", count=2)
    last, merge = answer.value["commits"]
    show = history.text("show", "-s", "--format=%H%n%h%n%an%n%ae%n%aI%n%P%n%s%n%b", "HEAD").split("\n")
    assert [last["hash"], last["shortHash"], last["author"], last["email"], last["date"]] == show[:5]
    assert last["parents"] == show[5].split(" ")
    assert last["subject"] == show[6] == "subject  line folded"
    assert last["body"] == "\n".join(show[7:]).removesuffix("\n") == "body one\n\nbody two"
    assert last["refs"] == ["HEAD -> main"]
    assert merge["refs"] == ["tag: v1"]
    assert merge["parents"] == history.text("rev-parse", "HEAD~1^1", "HEAD~1^2").split("\n")
    assert "body" not in merge
    (card,) = answer.cards
    assert isinstance(card, ListCard)
    assert [item.label for item in card.items] == ["subject  line folded", "merge side"]


async def test_pages_add_up_to_gits_log(history: ScratchRepo, toolbox: Toolbox) -> None:
    for arguments, command in (
        ({}, ()),
        ({"rev": "side"}, ("side",)),
        ({"rev": "main..side"}, ("main..side",)),
        ({"rev": "side...main"}, ("side...main",)),
        ({"rev": "HEAD~3.."}, ("HEAD~3..",)),
        ({"paths": ["f.txt", "s.txt"]}, ("--", "f.txt", "s.txt")),
        ({"grep": "^c[135]"}, ("--grep=^c[135]",)),
    ):
        for count in (1, 2, 3, 50):
            pages = await all_pages(toolbox, count=count, **arguments)
            expected = history.text("log", "--format=%H", *command).split()
            assert hashes(*pages) == expected, (arguments, count)
            assert all(len(page.value["commits"]) <= count for page in pages)
            assert [page.value["truncated"] for page in pages] == [True] * (len(pages) - 1) + [False]


async def test_a_page_ends_early_where_messages_are_long(history: ScratchRepo, open_toolbox: OpenToolbox) -> None:
    for number in range(4):
        history.git("commit", "-q", "--allow-empty", "-F", "-", stdin=b"long %d\n\n" % number + b"word " * 600)
    toolbox = open_toolbox(history, settings={"limits": {"bytes": 1024}})
    pages = await all_pages(toolbox, count=50)
    assert len(pages) > 4
    assert hashes(*pages) == history.text("log", "--format=%H").split()


async def test_pages_go_on_from_where_they_began(history: ScratchRepo, toolbox: Toolbox) -> None:
    expected = history.text("log", "--format=%H").split()
    first = await toolbox.call("git_log", count=3)
    history.commit("newer", **{"f.txt": "newer\n"})
    second = await toolbox.call("git_log", count=100, cursor=first.value["nextCursor"])
    assert hashes(first, second) == expected
    assert "moved" not in first.value
    assert second.value["moved"] is True
    assert "has moved since the first page" in second.text


async def test_times_are_pinned_by_the_first_page(history: ScratchRepo, toolbox: Toolbox) -> None:
    history.scratch.env["GIT_COMMITTER_DATE"] = "2024-03-05T10:00:00 +0000"
    history.commit("later", **{"f.txt": "later\n"})
    since = await toolbox.call("git_log", since="2024-03-04")
    assert [commit["subject"] for commit in since.value["commits"]] == ["later"]
    until = await all_pages(toolbox, until="2024-03-04", count=4)
    assert hashes(*until) == history.text("log", "--format=%H", "--until=2024-03-04").split()
    relative = await toolbox.call("git_log", since="1 second ago")
    assert relative.value["emptiedBy"] == ["since"]


async def test_no_commits_say_which_filter_left_none(history: ScratchRepo, toolbox: Toolbox) -> None:
    for arguments, names in (
        ({"author": "nobody"}, ["author"]),
        ({"author": "Case", "grep": "no such"}, ["grep"]),
        ({"paths": ["nope.txt"]}, ["paths"]),
        ({"paths": ["only1.txt"], "grep": "^c2"}, ["paths", "grep"]),
        ({"rev": "HEAD..HEAD"}, ["rev"]),
        ({"until": "2001-01-01"}, ["until"]),
    ):
        answer = await toolbox.call("git_log", **arguments)
        assert answer.value["commits"] == []
        assert answer.value["emptiedBy"] == names, arguments
        assert all(f"`{name}`" in answer.text for name in names)


async def test_values_with_a_leading_dash_stay_values(history: ScratchRepo, toolbox: Toolbox) -> None:
    for name in ("author", "grep", "since", "until"):
        answer = await toolbox.call("git_log", **{name: "--output=pwn"})
        assert answer.code is None, name
    for rev in ("--output=pwn", "-1", "main..--output=pwn", ""):
        assert (await toolbox.call("git_log", rev=rev)).code == "invalid_arguments", rev
    assert (await toolbox.call("git_log", rev="nope..main")).code == "ref_not_found"
    assert not list(history.root.glob("*pwn*"))


async def test_counts(history: ScratchRepo, toolbox: Toolbox) -> None:
    for count in (0, -1, "3", 1.5, True):
        answer = await toolbox.call("git_log", count=count)
        assert answer.code == "invalid_arguments", count
        assert answer.refusal is not None
        assert "`count`" in answer.refusal.message
    assert len((await toolbox.call("git_log", count=1_000_000)).value["commits"]) == 8
    assert len((await toolbox.call("git_log", count=None)).value["commits"]) == 8
    assert len((await toolbox.call("git_log", count=2.0)).value["commits"]) == 2


async def test_configuration_changes_nothing(history: ScratchRepo, toolbox: Toolbox) -> None:
    before = (await toolbox.call("git_log", grep="c", paths=["f.txt"])).value
    for key, value in {
        "format.pretty": "fuller",
        "log.date": "relative",
        "log.abbrevCommit": "true",
        "log.decorate": "full",
        "log.follow": "true",
        "log.showSignature": "true",
        "log.mailmap": "true",
        "log.excludeDecoration": "refs/heads/*",
        "core.abbrev": "4",
        "color.ui": "always",
        "i18n.logOutputEncoding": "ISO-8859-1",
        "grep.patternType": "fixed",
        "notes.displayRef": "refs/notes/*",
    }.items():
        history.scratch.run(history.root, "config", "--global", key, value)
    after = (await toolbox.call("git_log", grep="c", paths=["f.txt"])).value
    assert after == before
    assert all(history.text("rev-parse", commit["shortHash"]) == commit["hash"] for commit in after["commits"])


async def test_encodings_and_control_characters(scratch: Scratch, open_toolbox: OpenToolbox) -> None:
    repo = scratch.repo()
    repo.git("config", "i18n.commitEncoding", "ISO-8859-1")
    repo.write("f", "1\n")
    repo.git("add", "-A")
    repo.git("commit", "-q", "-F", "-", stdin=b"Caf\xe9 ouvert\n")
    repo.git("config", "--unset", "i18n.commitEncoding")
    evil = "red \x1b[31m and \u202eturned\u202c"
    repo.git("commit", "-q", "--allow-empty", "-m", evil, "--author", 'Evil, "q" too <e@x>')
    answer = await open_toolbox(repo).call("git_log")
    assert [commit["subject"] for commit in answer.value["commits"]] == [evil, "Caf\u00e9 ouvert"]
    assert answer.value["commits"][0]["author"] == 'Evil, "q" too'
    assert "\\x1b[31m" in answer.text
    assert "\\u202e" in answer.text
    assert not {"\x1b", "\u202e"} & set(answer.text)


async def test_shallow_bare_and_sha256(scratch: Scratch, open_toolbox: OpenToolbox) -> None:
    origin = scratch.repo("origin", object_format="sha256")
    for number in range(3):
        origin.commit(f"c{number}", f=f"{number}\n")
    scratch.run(scratch.base, "clone", "-q", "--depth=1", f"file://{origin.root}", "shallow")
    scratch.run(scratch.base, "clone", "-q", "--bare", str(origin.root), "bare.git")
    shallow = await open_toolbox(origin, root=scratch.base / "shallow").call("git_log")
    assert [commit["parents"] for commit in shallow.value["commits"]] == [[]]
    bare = await open_toolbox(origin, root=scratch.base / "bare.git").call("git_log")
    assert hashes(bare) == origin.text("log", "--format=%H").split()
    assert {len(oid) for oid in hashes(bare)} == {64}


async def test_a_cursor_from_elsewhere_is_refused(history: ScratchRepo, toolbox: Toolbox) -> None:
    cursor = (await toolbox.call("git_log", count=1)).value["nextCursor"]
    for bad in ("", "x", cursor[:-4] + "AAAA", "e30", cursor + "!", "[" * 20_000):
        answer = await toolbox.call("git_log", cursor=bad)
        assert answer.code == "invalid_arguments", bad
    assert (await toolbox.call("git_log", rev="side", cursor=cursor)).code == "invalid_arguments"


async def test_one_process_on_the_warm_path(history: ScratchRepo, open_toolbox: OpenToolbox) -> None:
    toolbox = open_toolbox(history)
    await toolbox.call("git_log")
    counted = itertools.count()
    run = toolbox.spawner.run

    async def run_counted(*args: Any, **options: Any) -> Any:
        next(counted)
        return await run(*args, **options)

    object.__setattr__(toolbox.spawner, "run", run_counted)
    await toolbox.call("git_log", count=50)
    assert next(counted) == 1
    await toolbox.call("git_status")
    assert next(counted) == 3
