"""Reports: git's output is cut at the wrong places (separators in messages, marks before hashes, records of two)."""

from datetime import datetime

from tests.reports.conftest import Opener
from tests.reports.oracle import at, names, paths
from tests.support.scratch import Scratch, ScratchRepo

STASHES = ("wip|temp: a;b", "On main: fake", "stash@{0}: x", "tab\there %s %n", "ü — 🚀", "{}")


def test_stash_messages_hold_any_separator(repo: ScratchRepo, open_agreeing: Opener) -> None:
    repo.commit(**{"f.txt": "base\n"})
    for number, message in enumerate(STASHES):
        repo.write("f.txt", f"{number}\n")
        repo.git("stash", "push", "-q", "-m", message)
    editor = open_agreeing(repo.root)
    printed = editor.value("git", subcommand="stash", args=["list"], repo=str(repo.root))["stdout"]
    assert printed == repo.git("stash", "list").decode()
    stashes = editor.value("git_stash", workdir=str(repo.root))["stashes"]
    assert [(item["index"], item["hash"]) for item in stashes] == list(
        enumerate(repo.text("stash", "list", "--format=%H").split("\n"))
    )
    assert [item["message"] for item in stashes] == repo.text("stash", "list", "--format=%gs").split("\n")


def test_blame_gives_whole_hashes_and_marks_what_is_not_committed(repo: ScratchRepo, open_editor: Opener) -> None:
    root = repo.commit(**{"f.txt": "l1\nl2\n"})
    second = repo.commit(**{"f.txt": "l1\nl2\nl3\n"})
    repo.write("f.txt", "l1\nl2\nl3\nl4\n")
    editor = open_editor(repo.root)
    lines = editor.value("git_blame", workdir=str(repo.root), path="f.txt")["lines"]
    assert [(line["text"], line["commit"]) for line in lines] == [
        ("l1", root),
        ("l2", root),
        ("l3", second),
        ("l4", None),
    ]
    assert [bool(line.get("uncommitted")) for line in lines] == [False, False, False, True]
    when = datetime.fromisoformat(repo.text("log", "-1", "--format=%aI"))
    assert [datetime.fromisoformat(line["date"]) for line in lines[:3]] == [when] * 3
    printed = editor.value("git", subcommand="blame", args=["-s", "-l", "HEAD", "--", "f.txt"], repo=str(repo.root))
    assert printed["stdout"] == repo.git("blame", "-s", "-l", "HEAD", "--", "f.txt").decode()


def test_conflicts_of_every_kind_and_name(repo: ScratchRepo, open_agreeing: Opener) -> None:
    odd = ('dir ü/a "b".txt', "new\nline.txt", "a -> b.txt")
    repo.commit(**dict.fromkeys((*odd, "del-ours.txt", "del-theirs.txt"), "1\n"))
    repo.git("checkout", "-q", "-b", "other")
    repo.git("rm", "-q", "del-theirs.txt")
    repo.commit("theirs", **dict.fromkeys((*odd, "added.txt", "del-ours.txt"), "t\n"))
    repo.git("checkout", "-q", "main")
    repo.git("rm", "-q", "del-ours.txt")
    repo.commit("ours", **dict.fromkeys((*odd, "added.txt", "del-theirs.txt"), "o\n"))
    editor = open_agreeing(repo.root)
    error = editor.error("git_merge", workdir=str(repo.root), rev="other")
    assert error["code"] == "conflict"
    unmerged = names(repo, "diff", "--name-only", "--diff-filter=U", "-z")
    assert paths(error["conflicts"]) == sorted(unmerged)
    records = (record.split(" ", 10) for record in names(repo, "status", "--porcelain=v2", "-z") if record[0] == "u")
    codes = {fields[10]: fields[1] for fields in records}
    assert codes == {"added.txt": "AA", "del-ours.txt": "DU", "del-theirs.txt": "UD", **dict.fromkeys(odd, "UU")}
    status = editor.value("git_status", workdir=str(repo.root))
    for conflicts in (status["conflicts"], error["conflicts"]):
        assert {item["path"]: item["code"] for item in conflicts} == codes
    assert (status["operation"], status["clean"]) == ("merge", False)


def test_an_upstream_that_is_gone_ahead_or_behind(scratch: Scratch, repo: ScratchRepo, open_editor: Opener) -> None:
    origin = at(scratch, scratch.base / "o.git")
    scratch.run(scratch.base, "init", "-q", "--bare", str(origin.root))
    repo.commit(**{"f.txt": "base\n"})
    repo.git("remote", "add", "origin", str(origin.root))
    repo.git("push", "-q", "-u", "origin", "main", "main:gone", "main:behind")
    repo.git("branch", "-q", "--track", "gone", "origin/gone")
    repo.git("push", "-q", "origin", ":gone")
    repo.git("branch", "-q", "no-upstream")
    repo.git("branch", "-q", "--track", "local", "no-upstream")
    repo.commit("ahead", **{"f.txt": "2\n"})
    repo.git("push", "-q", "origin", "main:behind")
    repo.git("branch", "-q", "--track", "behind", "origin/behind")
    repo.git("branch", "-q", "-f", "behind", "HEAD~1")
    editor = open_editor(repo.root)
    listed = editor.value("git_branch", workdir=str(repo.root))["branches"]
    form = "--format=%(refname:lstrip=2)|%(upstream:short)|%(upstream:track)"
    expected = [line.split("|") for line in repo.text("for-each-ref", form, "refs/heads").split("\n")]
    assert [(item["name"], item["upstream"] or "", item["gone"]) for item in listed] == [
        (name, upstream, track == "[gone]") for name, upstream, track in expected
    ]
    assert [item["name"] for item in listed if item["gone"]] == ["gone"]
    for branch in ("main", "behind", "gone", "no-upstream"):
        repo.git("checkout", "-q", branch)
        headers = dict(
            line.removeprefix("# branch.").split(" ", 1)
            for line in repo.text("status", "--porcelain=v2", "--branch").split("\n")
        )
        ahead, behind = [abs(int(part)) for part in headers["ab"].split()] if "ab" in headers else [None, None]
        status = editor.value("git_status", workdir=str(repo.root))
        assert (status["upstream"], status["ahead"], status["behind"]) == (headers.get("upstream"), ahead, behind)


def test_a_rename_record_does_not_eat_its_neighbour(repo: ScratchRepo, open_editor: Opener) -> None:
    numbers = "".join(f"{number}\n" for number in range(20))
    repo.commit(**{"m.txt": numbers, "a.txt": "x\n", "z.txt": "x\n", "p.txt": f"p{numbers}"})
    repo.git("mv", "m.txt", "n.txt")
    repo.git("mv", "p.txt", "q.txt")
    repo.write("q.txt", f"p{numbers}more\n")
    repo.write("a.txt", "y\n")
    repo.write("z.txt", "y\n")
    repo.write("u.txt", "u\n")
    status = open_editor(repo.root).value("git_status", workdir=str(repo.root))
    assert [(entry["path"], entry["oldPath"]) for entry in status["staged"]] == [
        ("n.txt", "m.txt"),
        ("q.txt", "p.txt"),
    ]
    assert paths(status["unstaged"]) == sorted(names(repo, "diff", "--name-only", "-z")) == ["a.txt", "q.txt", "z.txt"]
    assert status["untracked"] == names(repo, "ls-files", "-oz")
