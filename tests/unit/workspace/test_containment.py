"""Paths that a model gives are held to the repository, on a real disk with real links."""

import base64
from pathlib import Path

import pytest

from git_sidecar.model.refs import RepoPath
from git_sidecar.model.refusal import Refusal
from git_sidecar.workspace.containment import contain, decode_path_bytes
from tests.support.scratch import Scratch, ScratchRepo
from tests.unit.workspace.fake_disk import FakeDisk, windows_disk


def told(answer: RepoPath | str | Refusal) -> str:
    """The path; the code of a refusal."""
    if isinstance(answer, Refusal):
        assert answer.message
        return answer.code.value
    return answer.text if isinstance(answer, RepoPath) else answer


@pytest.fixture
def tree(scratch: Scratch) -> ScratchRepo:
    """A repository with links in and out of it, beside another one and a secret."""
    repo = scratch.repo("r")
    repo.write("pkg/a.txt", "a")
    repo.write("lib/b.txt", "b")
    (scratch.base / "outside").mkdir()
    (scratch.base / "outside" / "secret").write_text("s")
    scratch.repo("other").write("o.txt", "o")
    for name, target in (("dlink", "../outside"), ("inlink", "lib"), ("self", "."), ("flink", "../outside/secret")):
        (repo.root / name).symlink_to(target)
    (repo.root / "gitlink").symlink_to(".git")
    (scratch.base / "rootlink").symlink_to("r")
    return repo


def held(tree: ScratchRepo, path: str, directory: str = "") -> str:
    """The outcome with the repository and its neighbour as allowed places."""
    path = path.replace("$W", str(tree.scratch.base))
    allowed = (tree.root, tree.scratch.base / "other")
    return told(contain(path, root=tree.root, directory=directory, allowed=allowed))


@pytest.mark.parametrize(
    ("path", "directory", "expected"),
    [
        ("pkg/a.txt", "", "pkg/a.txt"),
        ("a.txt", "pkg", "pkg/a.txt"),
        ("../lib/b.txt", "pkg", "lib/b.txt"),
        ("./pkg//a.txt", "", "pkg/a.txt"),
        ("pkg/", "", "pkg"),
        (".", "", "."),
        (".", "pkg", "pkg"),
        ("..", "pkg", "."),
        ("$W/r/pkg/a.txt", "lib", "pkg/a.txt"),
        ("$W/r", "lib", "."),
        ("$W/rootlink", "", "."),
        ("$W/rootlink/pkg/a.txt", "", "pkg/a.txt"),
        ("no/such/file", "", "no/such/file"),
        ("inlink/b.txt", "", "lib/b.txt"),
        ("inlink/new.txt", "", "lib/new.txt"),
        ("inlink", "", "inlink"),
        ("self", "", "self"),
        ("self/pkg/a.txt", "", "pkg/a.txt"),
        ("flink", "", "flink"),
        ("dlink", "", "dlink"),
        ("dlink/", "", "dlink"),
        ("-test.txt", "", "-test.txt"),
        ("--all", "", "--all"),
        (":(glob)**", "", ":(glob)**"),
        ("*.md", "", "*.md"),
        ("a -> b.txt", "", "a -> b.txt"),
        ('a\nb".txt', "", 'a\nb".txt'),
        ("back\\slash.txt", "", "back\\slash.txt"),
        (" lead and trail ", "", " lead and trail "),
        ("caf\udce9", "", "caf\udce9"),
        (".gitignore", "", ".gitignore"),
        (".github/x", "", ".github/x"),
        ("gitlink", "", "gitlink"),
        # held out
        ("../outside/secret", "", "outside_workspace"),
        ("..", "", "outside_workspace"),
        ("../../..", "pkg", "outside_workspace"),
        ("/etc/passwd", "", "outside_workspace"),
        ("/", "", "outside_workspace"),
        ("$W/r2", "", "outside_workspace"),
        ("dlink/secret", "", "outside_workspace"),
        ("dlink/new.txt", "", "outside_workspace"),
        ("dlink/../../outside/secret", "", "outside_workspace"),
        ("inlink/../dlink/secret", "", "outside_workspace"),
        ("$W/other/o.txt", "", "invalid_arguments"),
        ("../other/o.txt", "", "invalid_arguments"),
        (".git", "", "invalid_arguments"),
        (".git/config", "", "invalid_arguments"),
        (".GIT/hooks/pre-commit", "", "invalid_arguments"),
        ("pkg/.git/x", "", "invalid_arguments"),
        ("git~1/config", "", "invalid_arguments"),
        ("gitlink/config", "", "invalid_arguments"),
        ("", "", "invalid_arguments"),
        ("a\0b", "", "invalid_arguments"),
        ("\ud800", "", "invalid_arguments"),
        ("x" * 40_000, "", "invalid_arguments"),
    ],
)
def test_a_path_is_held_to_the_repository(tree: ScratchRepo, path: str, directory: str, expected: str) -> None:
    assert held(tree, path, directory) == expected


def test_git_itself_would_have_followed_the_link_out(tree: ScratchRepo) -> None:
    tree.commit()
    tree.git("mv", "pkg/a.txt", "dlink/a.txt")
    assert (tree.scratch.base / "outside" / "a.txt").read_text() == "a"
    assert held(tree, "dlink/a.txt") == "outside_workspace"


def test_git_takes_the_contained_form_of_odd_names(tree: ScratchRepo) -> None:
    names = ["-test.txt", "--all", ":(glob)**", 'a\nb".txt', "back\\slash.txt", "*.md"]
    for name in names:
        tree.write(name, "x")
        answer = contain(name, root=tree.root, directory="")
        assert isinstance(answer, RepoPath)
        tree.git("--literal-pathspecs", "add", "--", answer.text)
    staged = tree.git("diff", "--cached", "--name-only", "-z").decode().split("\0")[:-1]
    assert sorted(staged) == sorted(names)


def test_nothing_allowed_beyond_the_given_places(tree: ScratchRepo) -> None:
    assert told(contain("lib/b.txt", root=tree.root, directory="", allowed=(tree.root / "pkg",))) == (
        "outside_workspace"
    )
    assert told(contain("pkg/a.txt", root=tree.root, directory="", allowed=(tree.root / "pkg",))) == "pkg/a.txt"


def test_a_root_that_is_reached_by_a_link_or_is_gone(tree: ScratchRepo) -> None:
    link = tree.scratch.base / "rootlink"
    assert told(contain("pkg/a.txt", root=link, directory="")) == "pkg/a.txt"
    assert told(contain(str(tree.root / "pkg/a.txt"), root=link, directory="")) == "pkg/a.txt"
    gone = tree.scratch.base / "gone"
    assert told(contain("x/y", root=gone, directory="")) == "x/y"
    assert told(contain("../r/x", root=gone, directory="")) == "outside_workspace"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src\\main.c", "src/main.c"),
        ("src/main.c", "src/main.c"),
        ("c:\\work\\R\\src\\main.c", "src/main.c"),
        ("C:/WORK/r/new.c", "new.c"),
        ("..\\x", "outside_workspace"),
        ("D:\\x", "outside_workspace"),
        ("\\\\server\\share\\x", "outside_workspace"),
        ("\\x", "outside_workspace"),
        (".GIT\\config", "invalid_arguments"),
        (".git::$INDEX_ALLOCATION\\config", "invalid_arguments"),
        (".git. \\config", "invalid_arguments"),
    ],
)
def test_windows_paths(path: str, expected: str) -> None:
    disk = windows_disk("C:\\work\\r\\src")
    assert told(contain(path, root=Path("C:\\work\\r"), directory="", disk=disk)) == expected


def test_a_disk_blind_to_case_finds_the_root_whatever_the_case() -> None:
    disk = FakeDisk(frozenset({"/code/Vim/src"}), case_insensitive=True)
    assert told(contain("/Code/vim/src/a.c", root=Path("/code/Vim"), directory="", disk=disk)) == "src/a.c"
    assert told(
        contain("/Code/vim", root=Path("/code/Vim"), directory="", allowed=(Path("/code/Vim"),), disk=disk)
    ) == (".")


def test_path_bytes_are_gits_own_bytes(scratch: Scratch) -> None:
    repo = scratch.repo("r")
    raw = b"caf\xe9\xff.txt"
    (repo.root / raw.decode("utf-8", "surrogateescape")).write_text("x")
    repo.git("add", "-A")
    (listed,) = repo.git("ls-files", "-z").split(b"\0")[:-1]
    path = decode_path_bytes(base64.b64encode(listed).decode())
    assert isinstance(path, str)
    answer = contain(path, root=repo.root, directory="")
    assert isinstance(answer, RepoPath)
    assert answer.raw == raw


@pytest.mark.parametrize("text", ["", "!!!", "YQ", "AA==", "é", base64.b64encode(b"a\0b").decode(), "YWJj\n"])
def test_path_bytes_that_are_nothing(text: str) -> None:
    assert told(decode_path_bytes(text)) == "invalid_arguments"
