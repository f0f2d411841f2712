"""What git lists for a snapshot, parsed: rows as the real git writes them, with names that tempt a parser."""

import pytest

from git_sidecar.store import listings
from git_sidecar.store.listings import StatusRow
from git_sidecar.store.state import RefState
from tests.support.scratch import ScratchRepo

ODD = 'od d"\n\tname'


def test_status_rows(repo: ScratchRepo) -> None:
    repo.commit("one", **{"a": "1", "b": "2", ODD: "3"})
    repo.write("a", "changed")
    repo.git("mv", "b", "c")
    repo.write("new/file", "x")
    (repo.root / ODD).unlink()
    raw = repo.git("status", "--porcelain=v2", "-z", "--untracked-files=all")
    rows = {row.path: row for row in listings.parse_status(raw)}
    assert rows == {
        "a": StatusRow("a"),
        "b": StatusRow("b"),
        "c": StatusRow("c"),
        ODD: StatusRow(ODD),
        "new/file": StatusRow("new/file", tracked=False),
    }
    nested = repo.root / "nested"
    nested.mkdir()
    repo.scratch.run(nested, "init", "-q")
    raw = repo.git("status", "--porcelain=v2", "-z", "--untracked-files=all")
    assert StatusRow("nested", tracked=False, directory=True) in listings.parse_status(raw)


def test_unmerged_and_submodule_rows() -> None:
    ids = " ".join(["1" * 40] * 3)
    unmerged = f"u UU N... 100644 100644 100644 100644 {ids} a b\0".encode()
    moved = f"1 .M SC.. 160000 160000 160000 {'1' * 40} {'1' * 40} sub dir\0".encode()
    assert list(listings.parse_status(unmerged + moved)) == [StatusRow("a b"), StatusRow("sub dir", submodule=True)]


def test_refs(repo: ScratchRepo) -> None:
    first = repo.commit(a="1")
    repo.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/heads/main")
    refs = listings.parse_refs(repo.git("for-each-ref", listings.REFS_FORMAT))
    assert refs == {
        "refs/heads/main": RefState(first),
        "refs/remotes/origin/HEAD": RefState(first, "refs/heads/main"),
    }
    assert listings.parse_refs(b"") == {}


def test_staged_ids(repo: ScratchRepo) -> None:
    repo.commit("base", a="1", b="1")
    repo.git("switch", "-q", "-c", "topic")
    repo.commit("topic", a="2")
    repo.git("switch", "-q", "main")
    repo.commit("main", a="3")
    repo.git("merge", "topic", check=False)
    repo.write("b", "staged")
    repo.git("add", "b")
    staged = listings.parse_staged(repo.git("diff", "--cached", "--raw", "-z", "--no-abbrev", "--no-renames"))
    assert staged.unmerged
    assert staged.ids == {repo.text("rev-parse", ":b")}
    stages = listings.parse_stages(repo.git("ls-files", "-u", "-z"))
    assert {path: facts[1] for path, facts in stages.items()} == {
        f"a\0{stage}": repo.text("rev-parse", f":{stage}:a") for stage in (1, 2, 3)
    }


def test_flagged_paths(repo: ScratchRepo) -> None:
    repo.commit("one", **{"a": "1", "h x": "2", "S y": "3", ODD: "4"})
    raw = repo.git("ls-files", "-v", "-z")
    assert (listings.parse_unwatched(raw), listings.parse_sparse(raw)) == ([], [])
    repo.git("update-index", "--assume-unchanged", "h x", ODD)
    repo.git("update-index", "--skip-worktree", "S y")
    raw = repo.git("ls-files", "-v", "-z")
    assert sorted(listings.parse_unwatched(raw)) == sorted(["h x", ODD])
    assert listings.parse_sparse(raw) == ["S y"]
    assert sorted(listings.parse_tracked(raw)) == sorted(["a", "h x", "S y", ODD])


@pytest.mark.parametrize("autocrlf", ["false", "true", "input"])
@pytest.mark.parametrize("rule", ["", "* text=auto", "* text", "* eol=crlf", "* text eol=lf", "* -text"])
@pytest.mark.parametrize("content", [b"a\nb\n", b"a\r\nb\r\n", b"a\nb\r\n", b"\0\n\r\nb", b"", b"a\rb\n"])
def test_files_that_a_checkout_would_not_bring_back_are_found(
    repo: ScratchRepo, autocrlf: str, rule: str, content: bytes
) -> None:
    repo.git("config", "core.autocrlf", autocrlf)
    repo.write(".gitattributes", rule + "\n")
    repo.write("file", content)
    repo.git("add", "-A")
    conversion = listings.parse_conversion(repo.git("config", "-z", "--get-regexp", r"^core\.(autocrlf|eol)$"))
    at_risk = listings.parse_line_ends(repo.git("ls-files", "--eol", "-z"), conversion)
    (repo.root / "file").unlink()
    repo.git("checkout-index", "file")
    # What is found may be too much, never too little.
    assert (repo.root / "file").read_bytes() == content or "file" in at_risk
    if rule in ("", "* -text") and autocrlf == "false" and content != b"a\nb\r\n":
        assert at_risk == []


def test_the_last_value_of_a_key_holds() -> None:
    assert listings.parse_conversion(b"core.autocrlf\ninput\0core.autocrlf\nTrue\0core.eol\0") == {
        "core.autocrlf": "true",
        "core.eol": "",
    }
