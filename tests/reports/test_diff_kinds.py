"""Reports: changes of an unusual kind vanish from the staged diff, or break whoever reads it."""

from typing import Any

import pytest

from tests.reports.conftest import Opener
from tests.reports.oracle import at, diverge, names, numstat, paths, staged_diff, staged_names
from tests.support.editor import Editor, ServerError
from tests.support.scratch import Scratch, ScratchRepo

LINES = "".join(f"{number}\n" for number in range(1, 41))


def counted(files: list[dict[str, Any]]) -> dict[str, tuple[int | None, int | None]]:
    """Additions and deletions by path."""
    return {file["path"]: (file["additions"], file["deletions"]) for file in files}


def read_alike(editor: Editor, repo: ScratchRepo) -> dict[str, Any]:
    """The staged diff, after checking that the request and the tool both give what git prints, with git's counts."""
    staged = editor.staged(str(repo.root))
    assert staged["diff"] == staged_diff(repo)
    assert counted(staged["files"]) == numstat(repo, "--cached", "-M", "--ignore-submodules=dirty")
    diff = editor.value("git_diff", workdir=str(repo.root), staged=True)
    assert diff["diff"] == staged["diff"]
    stat = editor.value("git_diff", workdir=str(repo.root), staged=True, stat=True)
    assert counted(stat["stat"]) == counted(staged["files"])
    return staged


RENAMES = {
    "deep/one/f.sh": "deep/two/f.sh",
    "a/f.sh": "a/b/f.sh",
    "c/b/f.sh": "c/f.sh",
    "f.sh": "dir/g.sh",
    "{a => b}.sh": "c => d.sh",
    "x/y/f": "z/y/f",
}


@pytest.mark.parametrize("executable", [False, True], ids=["plain", "mode"])
def test_a_rename_is_one_file_with_two_plain_paths(repo: ScratchRepo, open_editor: Opener, executable: bool) -> None:
    for old in RENAMES:
        repo.write(old, f"{old}\n" * 3 + LINES)
    repo.commit()
    for old, new in RENAMES.items():
        (repo.root / new).parent.mkdir(parents=True, exist_ok=True)
        repo.git("mv", old, new)
        changed = repo.write(new, f"{old}\n" * 3 + f"{LINES}41\n")
        changed.chmod(0o755 if executable else 0o644)
    repo.git("add", "-A")
    raw = iter(repo.git("diff", "--cached", "-M", "--raw", "-z").decode().split("\0")[:-1])
    expected = {
        (old, new, *(modes.lstrip(":").split()[:2] if executable else (None, None)))
        for modes, old, new in zip(raw, raw, raw, strict=True)
    }
    assert {(old, new) for old, new, *_ in expected} == set(RENAMES.items())
    files = read_alike(open_editor(repo.root), repo)["files"]
    assert {(file["oldPath"], file["path"], file.get("oldMode"), file.get("newMode")) for file in files} == expected
    assert {file["status"] for file in files} == {"renamed"}


BINARY = {
    "a.png": b"\x89PNG\r\n\x1a\n\x00\x01\x02\x9d\xff",
    "by-attribute.bin": b"text\n",
    "undiffed.raw": b"text\n",
    "nul.txt": b"text\0with a NUL\n",
}


def test_a_binary_file_is_named_and_its_bytes_are_not_shown(repo: ScratchRepo, open_editor: Opener) -> None:
    for name, content in BINARY.items():
        repo.write(name, content)
    repo.commit(**{".gitattributes": "*.bin binary\n*.raw -diff\n", "t.txt": "t\n"})
    for name, content in BINARY.items():
        repo.write(name, content + b"\x9dmore\xff")
        repo.write(f"new-{name}", content)
    repo.write("t.txt", "t\nt2\n")
    repo.git("add", "-A")
    staged = read_alike(open_editor(repo.root), repo)
    for name in BINARY:
        assert f"Binary files a/{name} and b/{name} differ" in staged["diff"]
    assert "GIT binary patch" not in staged["diff"]
    assert sorted(file["path"] for file in staged["files"] if not file["binary"]) == ["t.txt"]
    assert len(staged["files"]) == 2 * len(BINARY) + 1


def test_deletions_alone_are_a_change(repo: ScratchRepo, open_editor: Opener) -> None:
    repo.commit(**{"gone.txt": "1\n5\n", "dir/gone too.txt": "x\n", "empty": "", "keep.txt": "k\n"})
    repo.git("rm", "-q", "gone.txt", "dir/gone too.txt", "empty")
    editor = open_editor(repo.root)
    staged = read_alike(editor, repo)
    assert {file["status"] for file in staged["files"]} == {"deleted"}
    # The path is not on the disk any more, and still it is one.
    one = editor.value("git_diff", workdir=str(repo.root), staged=True, paths=["gone.txt"])
    assert one["diff"] == repo.git("diff", "--cached", "--", "gone.txt").decode()
    assert "deleted file mode 100644" in one["diff"]


def test_a_submodule_is_shown_by_its_commits_whatever_format_the_user_likes(
    scratch: Scratch, repo: ScratchRepo, open_editor: Opener
) -> None:
    moved = move_submodule(scratch, repo)
    expected = staged_diff(repo)
    assert f"+Subproject commit {moved}" in expected
    editor = open_editor(repo.root)
    for value in ("log", "diff", "short"):
        scratch.run(scratch.base, "config", "--global", "diff.submodule", value)
        assert editor.staged("r")["diff"] == expected, value
        assert paths(editor.value("git_status", workdir=str(repo.root))["staged"]) == ["sub"], value


def move_submodule(scratch: Scratch, repo: ScratchRepo, **settings: str) -> str:
    """A submodule `sub`, with these settings in .gitmodules, whose move to a new commit is staged; that commit."""
    library = scratch.repo("library")
    library.commit(**{"l.txt": "base\n"})
    repo.git("submodule", "--quiet", "add", str(library.root), "sub")
    for key, value in settings.items():
        repo.git("config", "-f", ".gitmodules", f"submodule.sub.{key}", value)
    repo.commit("with sub")
    moved = at(scratch, repo.root / "sub").commit("second", **{"l.txt": "2\n"})
    repo.git("update-index", "--cacheinfo", f"160000,{moved},sub")
    return moved


@pytest.mark.parametrize("ignore", ["all", "dirty", "untracked"])
def test_an_ignored_submodule_is_shown_since_the_commit_will_hold_it(
    scratch: Scratch, repo: ScratchRepo, open_agreeing: Opener, ignore: str
) -> None:
    moved = move_submodule(scratch, repo, ignore=ignore)
    editor = open_agreeing(repo.root)
    where = str(repo.root)
    expected = repo.git("diff", "--cached", "--ignore-submodules=none").decode()
    assert f"+Subproject commit {moved}" in expected
    for key in (None, "submodule.sub.ignore", "diff.ignoreSubmodules"):
        if key is not None:
            repo.git("config", key, ignore)
        assert editor.staged("r")["diff"] == expected, key
        assert paths(editor.value("git_status", workdir=where)["staged"]) == ["sub"], key
    for key in ("submodule.sub.ignore", "diff.ignoreSubmodules"):
        repo.git("config", "--unset", key)
    committed = editor.value("git_commit", workdir=where, message="bump")
    listed = names(repo, "diff-tree", "--no-commit-id", "-r", "-z", "--name-only", "--ignore-submodules=none", "HEAD")
    assert paths(committed["files"]) == listed == ["sub"]


def test_new_files_are_staged_beside_loose_changes(repo: ScratchRepo, open_editor: Opener) -> None:
    repo.commit(**{"env.txt": "base\n"})
    repo.write("env.txt", "more\n")
    repo.write("Dockerfile", "FROM\n")
    repo.write("compose.yml", "svc\n")
    repo.git("add", "Dockerfile", "compose.yml")
    repo.write("loose.txt", "loose\n")
    editor = open_editor(repo.root)
    assert paths(read_alike(editor, repo)["files"]) == staged_names(repo) == ["Dockerfile", "compose.yml"]
    status = editor.value("git_status", workdir=str(repo.root))
    assert (paths(status["staged"]), paths(status["unstaged"]), status["untracked"]) == (
        ["Dockerfile", "compose.yml"],
        names(repo, "diff", "--name-only", "-z"),
        names(repo, "ls-files", "-oz"),
    )


def test_an_intent_to_add_is_neither_staged_nor_clean(repo: ScratchRepo, open_agreeing: Opener) -> None:
    head = repo.commit(**{"f.txt": "base\n"})
    repo.write("new.txt", "planned\n")
    repo.git("add", "-N", "new.txt")
    editor = open_agreeing(repo.root)
    where = str(repo.root)
    status = editor.value("git_status", workdir=where)
    assert (status["staged"], status["clean"]) == ([], False)
    assert [(entry["code"], entry["path"]) for entry in status["unstaged"]] == [(".A", "new.txt")]
    assert editor.staged("r")["diff"] == staged_diff(repo) == ""
    assert editor.value("git_diff", workdir=where)["diff"] == repo.git("diff").decode() != ""
    assert editor.error("git_commit", workdir=where, message="x")["code"] == "nothing_to_commit"
    assert repo.text("rev-parse", "HEAD") == head


def test_copies_and_renames_keep_every_path_and_every_byte(
    scratch: Scratch, repo: ScratchRepo, open_editor: Opener
) -> None:
    repo.commit(**{"a.txt": LINES, "old.txt": f"x\n{LINES}"})
    repo.write("b.txt", LINES)
    repo.write("a.txt", f"{LINES}x\n")
    repo.git("mv", "old.txt", "new.txt")
    repo.git("add", "-A")
    editor = open_editor(repo.root)
    for value in ("copies", "false", "true"):
        for key in ("status.renames", "diff.renames"):
            scratch.run(scratch.base, "config", "--global", key, value)
        status = editor.value("git_status", workdir=str(repo.root))
        seen = set(paths(status["staged"])) | {entry["oldPath"] for entry in status["staged"] if "oldPath" in entry}
        assert seen == set(staged_names(repo)) == {"a.txt", "b.txt", "old.txt", "new.txt"}, value
        assert paths(status["staged"])[:2] == ["a.txt", "b.txt"], value
        diff = editor.staged("r")["diff"]
        assert diff == staged_diff(repo), value
    copy = at(scratch, scratch.base / "copy")
    repo.git("clone", "-q", ".", str(copy.root))
    copy.git("apply", "--index", stdin=diff.encode())
    assert copy.text("write-tree") == repo.text("write-tree")


def test_changes_without_hunks_are_kept(repo: ScratchRepo, open_editor: Opener) -> None:
    repo.commit(**{"run.sh": "x\n", "moved.txt": LINES, "file": "f\n"})
    repo.write("pkg/__init__.py", "")
    (repo.root / "run.sh").chmod(0o755)
    repo.git("mv", "moved.txt", "pkg/moved.txt")
    (repo.root / "file").unlink()
    (repo.root / "file").symlink_to("run.sh")
    repo.git("add", "-A")
    staged = read_alike(open_editor(repo.root), repo)
    by_path = {file["path"]: file for file in staged["files"]}
    assert {path: file["status"] for path, file in by_path.items()} == {
        "file": "typeChanged",
        "pkg/__init__.py": "added",
        "pkg/moved.txt": "renamed",
        "run.sh": "modified",
    }
    assert (by_path["run.sh"]["oldMode"], by_path["run.sh"]["newMode"]) == ("100644", "100755")


def test_unmerged_paths_are_in_the_staged_diff(repo: ScratchRepo, open_editor: Opener) -> None:
    diverge(repo)
    repo.git("checkout", "-q", "other")
    repo.commit("more", **{"n.txt": "n\n"})
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "other", check=False)
    editor = open_editor(repo.root)
    staged = editor.staged("r")
    assert staged["diff"] == staged_diff(repo)
    assert "* Unmerged path f.txt" in staged["diff"]
    assert {file["path"]: file["status"] for file in staged["files"]} == {"f.txt": "unmerged", "n.txt": "added"}
    assert staged["operation"] == "merge"
    # Nobody should read a message that describes half of a merge.
    with pytest.raises(ServerError) as caught:
        editor.request("git/commitMessage", {"repository": "r"})
    assert caught.value.data["code"] == "conflict"
    assert paths(caught.value.data["conflicts"]) == ["f.txt"]
