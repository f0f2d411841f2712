"""Reports: git is missing, old or somebody else's, the environment misleads it, or the directory is gone."""

import hashlib
import shutil
from pathlib import Path

import pytest

from tests.reports.conftest import Opener
from tests.reports.oracle import program, staged_diff, told
from tests.support.editor import Editor, ServerError
from tests.support.processes import fake_git
from tests.support.scratch import Scratch, ScratchRepo


def failure(editor: Editor, root: Path) -> ServerError:
    """The error with which a read answers."""
    with pytest.raises(ServerError) as caught:
        editor.call("git_status", workdir=str(root))
    return caught.value


@pytest.mark.parametrize("how", ["no such file", "not executable", "directory", "not in PATH"])
def test_a_missing_git_is_told_by_what_was_tried(
    scratch: Scratch, repo: ScratchRepo, open_editor: Opener, how: str
) -> None:
    repo.commit(**{"f.txt": "base\n"})
    place = scratch.base / "bin" / "git"
    place.parent.mkdir()
    if how == "not executable":
        place.write_text("#!/bin/sh\n")
    elif how == "directory":
        place.mkdir()
    if how == "not in PATH":
        editor = open_editor(repo.root, environment={"PATH": str(place.parent)})
    else:
        editor = open_editor(repo.root, settings={"gitPath": str(place)})
    for _ in range(2):
        error = failure(editor, repo.root)
        assert error.code == 1001
        assert str(place) in error.data["tried"]
        assert str(place) in error.message
        assert error.data["found"] is None
    with pytest.raises(ServerError) as caught:
        editor.staged("r")
    assert caught.value.code == 1001
    # It is found again as soon as the person mends the setting.
    real = shutil.which("git", path=scratch.env["PATH"])
    editor.notify("workspace/didChangeConfiguration", {"settings": {"gitSidecar": {"gitPath": real}}})
    assert editor.value("git_status", workdir=str(repo.root))["head"] == repo.text("rev-parse", "HEAD")


@pytest.mark.parametrize("version", ["2.17.1", "2.22.9"])
def test_an_old_git_is_told_with_what_is_needed(
    scratch: Scratch, repo: ScratchRepo, open_agreeing: Opener, version: str
) -> None:
    repo.commit(**{"f.txt": "base\n"})
    script = fake_git(scratch.base / "bin", "exit 1", version=f"git version {version}")
    editor = open_agreeing(repo.root, settings={"gitPath": str(script)})
    for tool, more in (("git_status", {}), ("git_restore", {"paths": ["f.txt"]})):
        with pytest.raises(ServerError) as caught:
            editor.call(tool, workdir=str(repo.root), **more)
        assert caught.value.code == 1001
        assert version in caught.value.data["found"]
        assert "2.23" in caught.value.data["needed"]
        assert "Traceback" not in str(caught.value)


def test_a_repository_of_somebody_else_is_refused_and_no_exception_is_made(
    scratch: Scratch, repo: ScratchRepo, open_editor: Opener
) -> None:
    repo.commit(**{"f.txt": "base\n"})
    repo.write("f.txt", "2\n")
    repo.git("add", "-A")
    # The switch is one of git's own tests; a server lets no GIT_* variable through, so the git it starts sets it.
    real = shutil.which("git", path=scratch.env["PATH"])
    script = program(scratch.base / "bin/git", f'GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec {real} "$@"')
    editor = open_editor(repo.root, settings={"gitPath": str(script)})
    configuration = scratch.home / ".gitconfig"
    before = configuration.read_bytes()
    with pytest.raises(ServerError) as caught:
        editor.staged("r")
    for refusal in (caught.value.data, editor.error("git_status", workdir=str(repo.root))):
        assert refusal["code"] == "unsafe_repository"
        for part in ("dubious ownership", str(repo.root), "safe.directory"):
            assert part in told(refusal)
    assert configuration.read_bytes() == before


MISLEADING = {
    "GIT_INDEX_FILE": "{other}/.git/index",
    "GIT_DIR": "{other}/.git",
    "GIT_WORK_TREE": "{other}",
    "GIT_OBJECT_DIRECTORY": "{other}/.git/objects",
    "GIT_NAMESPACE": "elsewhere",
    "GIT_PREFIX": "sub/",
    "GIT_CEILING_DIRECTORIES": "{base}",
    "GIT_CONFIG": "{other}/.git/config",
    "GIT_CONFIG_PARAMETERS": "'core.worktree={other}' 'diff.noprefix=true'",
    "GIT_DIFF_OPTS": "-u0",
    "GIT_EXTERNAL_DIFF": "false",
    "GIT_GLOB_PATHSPECS": "1",
    "GIT_ICASE_PATHSPECS": "1",
    "GIT_TRACE": "{base}/trace",
    "GIT_QUARANTINE_PATH": "{other}/.git/objects",
    "GIT_COMMON_DIR": "{other}/.git",
    "GIT_DEFAULT_HASH": "sha256",
}


@pytest.mark.parametrize(
    "names", [["GIT_INDEX_FILE"], ["GIT_WORK_TREE"], list(MISLEADING)], ids=["index", "work tree", "all"]
)
def test_no_inherited_variable_leads_to_another_repository(
    scratch: Scratch, repo: ScratchRepo, open_agreeing: Opener, names: list[str]
) -> None:
    other = scratch.repo("other")
    other_head = other.commit("other base", **{"o.txt": "other base\n"})
    repo.commit(**{"f.txt": "base\n"})
    repo.write("f.txt", "base\nr change\n")
    index = other.root / ".git/index"
    digest = hashlib.sha256(index.read_bytes()).hexdigest()
    values = {name: MISLEADING[name].format(base=scratch.base, other=other.root) for name in names}
    editor = open_agreeing(repo.root, environment=values)
    where = str(repo.root)
    assert editor.value("git_diff", workdir=where)["diff"] == repo.git("diff").decode()
    assert editor.value("git_add", workdir=where, paths=["f.txt"])["stagedFiles"][0]["path"] == "f.txt"
    assert editor.staged("r")["diff"] == staged_diff(repo) != ""
    made = editor.value("git_commit", workdir=where, message="in r")
    assert made["hash"] == repo.text("rev-parse", "HEAD")
    assert repo.text("show", "HEAD:f.txt") == "base\nr change"
    assert repo.text("ls-tree", "--name-only", "HEAD") == "f.txt"
    assert hashlib.sha256(index.read_bytes()).hexdigest() == digest
    assert other.text("rev-parse", "HEAD") == other_head
    assert not (scratch.base / "trace").exists()


def test_a_directory_that_is_missing_or_a_file_is_named(
    scratch: Scratch, repo: ScratchRepo, open_editor: Opener
) -> None:
    repo.commit(**{"f.txt": "base\n", "sub/g.txt": "g\n"})
    editor = open_editor(repo.root, folders=(scratch.base,))
    for missing in (scratch.base / "missing", repo.root / "sub" / "missing"):
        refusal = editor.error("git_status", workdir=str(missing))
        assert refusal["code"] == "path_not_found"
        assert str(missing) in refusal["message"]
    # The contract lets only `repo` of the tiered tool be a file; `workdir` is a directory.
    assert editor.error("git_status", workdir=str(repo.root / "f.txt"))["code"] == "invalid_arguments"
    for place in ("f.txt", "sub/g.txt", "sub", "."):
        printed = editor.value("git", subcommand="status", args=["--short", "--branch"], repo=str(repo.root / place))
        assert printed["stdout"].splitlines() == repo.text("status", "--short", "--branch").splitlines()


def test_a_repository_that_is_deleted_while_the_server_runs(repo: ScratchRepo, open_editor: Opener) -> None:
    repo.commit(**{"f.txt": "base\n"})
    editor = open_editor(repo.root)
    where = str(repo.root)
    assert editor.value("git_status", workdir=where)["clean"]
    shutil.rmtree(repo.root)
    with pytest.raises(ServerError) as caught:
        editor.staged("r")
    assert caught.value.code == 1010
    assert caught.value.data["code"] == "not_a_repository"
    assert where in caught.value.data["message"]
    assert editor.error("git_status", workdir=where)["code"] in ("path_not_found", "not_a_repository")
    repo.root.mkdir()
    repo.git("init", "-q")
    assert editor.value("git_status", workdir=where)["head"] is None
