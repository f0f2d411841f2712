"""Kept bytes: the same ids as git gives, readable by git itself, exact after any round."""

import io
from pathlib import Path

import pytest

from git_sidecar.store.objects import ChangedWhileRead, ObjectDirectory, identify_bytes, identify_file
from tests.support.scratch import Scratch

CONTENTS = [b"", b"text\r\n", bytes(range(256)) * 5, b"\0" * 3_000_000, b"no end of line"]


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
@pytest.mark.parametrize("content", CONTENTS, ids=range(len(CONTENTS)))
def test_ids_and_bytes_are_gits(scratch: Scratch, tmp_path: Path, content: bytes, object_format: str) -> None:
    repo = scratch.repo(object_format=object_format)
    source = tmp_path / "source"
    source.write_bytes(content)
    objects = ObjectDirectory(tmp_path / "kept", object_format)
    by_git = repo.git("hash-object", "--no-filters", "--stdin", stdin=content).decode().strip()
    assert objects.write_file(source) == (by_git, len(content))
    assert objects.write_bytes(content) == by_git
    assert identify_file(source, object_format) == (by_git, len(content))
    assert identify_bytes(content, object_format) == by_git
    assert objects.read_bytes(by_git) == content
    copied = io.BytesIO()
    objects.copy_to(by_git, copied)
    assert copied.getvalue() == content
    scratch.env["GIT_OBJECT_DIRECTORY"] = str(objects.path)
    assert repo.git("cat-file", "blob", by_git) == content
    assert repo.git("fsck", "--full", "--strict", "--no-dangling") == b""


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "link").symlink_to("secret")
    with pytest.raises(OSError, match="symbolic links"):
        ObjectDirectory(tmp_path / "kept", "sha1").write_file(tmp_path / "link")


def test_a_file_whose_size_is_not_what_it_says_is_not_kept(tmp_path: Path) -> None:
    # Files of /proc say that they are empty and are not: as a file that grows while it is read.
    objects = ObjectDirectory(tmp_path / "kept", "sha1")
    with pytest.raises(ChangedWhileRead):
        objects.write_file(Path("/proc/self/status"))
    assert list((tmp_path / "kept").iterdir()) == []


def test_what_is_not_kept_is_missing(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        ObjectDirectory(tmp_path / "kept", "sha1").read_bytes("1" * 40)
