"""What `.git` names, and which names stand for it."""

import os
from pathlib import Path

import pytest

from git_sidecar.workspace.gitdir import is_git_name, parse_gitfile, read_git_entry, read_small_file
from tests.support.scratch import ScratchRepo


@pytest.mark.parametrize("name", [".git", ".GIT", ".Git", "git~1", "GIT~1", ".git.", ".git ", ".g\u200cit", ".git::$I"])
def test_names_that_some_file_system_takes_for_git(name: str) -> None:
    assert is_git_name(name)


@pytest.mark.parametrize("name", [".gitignore", "git", ".github", "x.git", "git~2", ".git-x", "", "."])
def test_names_that_are_something_else(name: str) -> None:
    assert not is_git_name(name)


@pytest.mark.parametrize(
    "content",
    [
        b"gitdir: %s\n",
        b"gitdir: %s",
        b"gitdir: %s\r\n",
        b"gitdir: %s\n\n",
        b"gitdir:%s\n",
        b"gitdir: %s \n",
        b"\ngitdir: %s\n",
        b"GITDIR: %s\n",
        b"gitdir: \n",
        b"",
    ],
)
def test_a_gitfile_is_taken_as_git_takes_it(repo: ScratchRepo, content: bytes) -> None:
    root = repo.scratch.base / "other"
    root.mkdir()
    git_dir = os.fsencode(repo.root / ".git")
    (root / ".git").write_bytes(content % git_dir if b"%s" in content else content)
    said = repo.scratch.run(root, "rev-parse", "--absolute-git-dir", check=False).decode().strip()
    target = parse_gitfile((root / ".git").read_bytes())
    assert (str(Path(target)) if target and Path(target).is_dir() else "") == said


def test_a_gitfile_may_be_relative_and_a_link(repo: ScratchRepo) -> None:
    root = repo.scratch.base / "other"
    root.mkdir()
    (root / "real").write_bytes(b"gitdir: ../r/.git\n")
    (root / ".git").symlink_to("real")
    assert str(read_git_entry(root)) == repo.scratch.run(root, "rev-parse", "--absolute-git-dir").decode().strip()


def test_only_small_regular_files_are_read(tmp_path: Path) -> None:
    big = tmp_path / "big"
    big.write_bytes(b"x" * (1024 * 1024 + 1))
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert read_small_file(big) is None
    assert read_small_file(pipe) is None
    assert read_small_file(tmp_path) is None
    assert read_small_file(tmp_path / "missing") is None
