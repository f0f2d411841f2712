"""git_undo: through the real server, since what it puts back is the service's to know."""

from typing import Any

import pytest

from tests.support.editor import Editor, always
from tests.support.scratch import Scratch, ScratchRepo

SETTINGS = {"allowDestructive": True, "allowPush": True, "confirmation": {"write": "never"}}


def everything(repo: ScratchRepo) -> tuple[object, ...]:
    """What undoing has to bring back: refs, HEAD, stash list, index, every file with its mode."""
    files = {
        path.relative_to(repo.root).as_posix(): (path.lstat().st_mode, path.read_bytes())
        for path in sorted(repo.root.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(repo.root).parts
    }
    return (
        repo.git("for-each-ref"),
        repo.git("symbolic-ref", "-q", "HEAD", check=False),
        repo.git("stash", "list", "--format=%H"),
        repo.git("ls-files", "--stage"),
        files,
    )


CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("git_add", {"all": True}),
    ("git_commit", {"message": "more", "stageAll": True}),
    ("git_commit", {"message": "amended", "amend": True}),
    ("git_branch", {"action": "create", "name": "topic"}),
    ("git_restore", {"paths": ["a.txt"]}),
    ("git_restore", {"paths": ["b.txt"], "staged": True}),
    ("git_stash", {"action": "push", "includeUntracked": True}),
    ("git_tag", {"action": "create", "name": "v1"}),
    ("git", {"subcommand": "reset", "args": ["--hard", "HEAD~1"], "confirm": True}),
    ("git", {"subcommand": "clean", "args": ["-fd"], "confirm": True}),
    ("git", {"subcommand": "rm", "args": ["-f", "a.txt"], "confirm": True}),
    ("git", {"subcommand": "branch", "args": ["-D", "side"], "confirm": True}),
)


@pytest.fixture
def work(repo: ScratchRepo) -> ScratchRepo:
    """Commits, a branch, staged and unstaged changes, an executable untracked file."""
    repo.commit("first", **{"a.txt": "one\n", "b.txt": "b\n"})
    repo.git("branch", "side")
    repo.commit("second", **{"a.txt": "one\ntwo\n"})
    repo.write("b.txt", "b\nstaged\n")
    repo.git("add", "b.txt")
    repo.write("a.txt", "one\ntwo\nthree\n")
    repo.write("new.sh", "#!/bin/sh\n").chmod(0o755)
    return repo


@pytest.mark.parametrize(("tool", "arguments"), CALLS, ids=lambda value: value if isinstance(value, str) else None)
def test_undoing_brings_everything_back(
    scratch: Scratch, work: ScratchRepo, tool: str, arguments: dict[str, Any]
) -> None:
    before = everything(work)
    with Editor(scratch.env, answer=always("allowOnce")) as editor:
        editor.initialize([work.root], settings=SETTINGS)
        editor.scm(work.root)
        done = editor.call(tool, **arguments)
        assert done["ok"], done
        after = everything(work)
        assert after != before
        undone = editor.value("git_undo")
        assert undone["operationId"] == done["meta"]["operationId"]
        assert everything(work) == before
        (undo, first, *_) = editor.value("git_operations")["operations"]
        assert first["undone"] == undo["operationId"]
        assert editor.value("git_undo", operationId=undo["operationId"])["operationId"] == undo["operationId"]
        assert everything(work) == after


def test_newer_work_is_never_lost(scratch: Scratch, work: ScratchRepo) -> None:
    with Editor(scratch.env, answer=always("allowOnce")) as editor:
        editor.initialize([work.root], settings=SETTINGS)
        editor.scm(work.root)
        editor.value("git_restore", paths=["a.txt"])
        work.write("a.txt", "written since\n")
        error = editor.error("git_undo")
        assert error["code"] == "cannot_undo"
        assert "a.txt" in f"{error['message']} {error.get('hint')}"
        assert (work.root / "a.txt").read_text() == "written since\n"


def test_nothing_done_is_nothing_to_undo(scratch: Scratch, work: ScratchRepo) -> None:
    with Editor(scratch.env) as editor:
        editor.initialize([work.root], settings=SETTINGS)
        editor.scm(work.root)
        assert editor.error("git_undo")["code"] == "nothing_to_do"
