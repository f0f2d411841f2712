"""git's lock discipline, kept by us: git sees our lock, we see git's, nothing stays."""

import threading
from pathlib import Path

import pytest

from git_sidecar.store.lock_file import LockHeld, replace_locked
from tests.support.scratch import ScratchRepo


def test_git_is_kept_off_while_we_write(repo: ScratchRepo) -> None:
    repo.commit(a="1")
    repo.write("a", "2")
    index = repo.root / ".git/index"
    staged: list[bool] = []

    def check() -> None:
        repo.git("add", "a", check=False)
        staged.append(repo.git("diff", "--cached", "--name-only") != b"")

    replace_locked(index, index.read_bytes(), times_ns=(1_000, 2_000), check=check)
    assert staged == [False]
    assert index.stat().st_mtime_ns == 2_000
    assert not (repo.root / ".git/index.lock").exists()
    repo.git("add", "a")


def test_a_lock_that_is_held_is_respected_and_left(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "file.lock").write_bytes(b"somebody's")
    with pytest.raises(LockHeld):
        replace_locked(tmp_path / "file", b"new")
    assert (tmp_path / "file").read_bytes() == b"old"
    assert (tmp_path / "file.lock").read_bytes() == b"somebody's"


def test_a_lock_that_is_let_go_is_waited_for(tmp_path: Path) -> None:
    lock = tmp_path / "file.lock"
    lock.touch()
    timer = threading.Timer(0.05, lock.unlink)
    timer.start()
    replace_locked(tmp_path / "file", b"new")
    timer.join()
    assert (tmp_path / "file").read_bytes() == b"new"


def test_a_failed_check_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")

    def check() -> None:
        raise LookupError

    with pytest.raises(LookupError):
        replace_locked(tmp_path / "file", b"new", check=check)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]
    assert (tmp_path / "file").read_bytes() == b"old"


def test_permissions_stay_and_none_removes(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(0o640)
    replace_locked(path, b"new")
    assert path.stat().st_mode & 0o777 == 0o640
    replace_locked(path, None)
    assert list(tmp_path.iterdir()) == []


def test_a_file_guarded_by_the_lock_of_another(tmp_path: Path) -> None:
    seen: list[list[str]] = []

    def check() -> None:
        seen.append(sorted(path.name for path in tmp_path.rglob("*")))

    replace_locked(tmp_path / "logs" / "stash", b"log", beside=tmp_path / "stash", check=check)
    assert seen == [["stash.lock"]]
    assert (tmp_path / "logs" / "stash").read_bytes() == b"log"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["logs"]
