"""The small reader of configuration files, against git's own reading of the same bytes."""

from pathlib import Path

import pytest

from git_sidecar.workspace.gitconfig import parse_config, parse_flag
from tests.support.scratch import Scratch

FILES = [
    b"[core]\n\tworktree = ../x\n\tbare = false\n",
    b"[CORE]\nWorkTree=/a b/c ; comment\n",
    b'[core]\n\tworktree = "a ; b" # c\n',
    b'[core "sub"]\n\tworktree = no\n[core] worktree = yes\n',
    b"[core]\n\tworktree = one\\\ntwo\n",
    b'[core]\n\tworktree = "tab\\tquote\\"back\\\\slash"\n',
    b"[core]\r\n\tworktree = dos\r\n",
    b"\xef\xbb\xbf[core]\n\tworktree = bom\n",
    b"[core]\n\tbare\n\tworktree =\n",
    b"[core]\n\tworktree = first\n[other]\n\tworktree = not\n[core]\n\tworktree = last   \n",
    b"# only\n; comments\n[core]\n\n\tworktree = caf\xe9\n",
    b"[extensions]\n\tworktreeConfig = true\n[core]\n\tworktree = mid  dle\n",
]


@pytest.mark.parametrize("content", FILES)
@pytest.mark.parametrize("key", ["core.worktree", "core.bare", "extensions.worktreeconfig"])
def test_a_value_is_what_git_reads(scratch: Scratch, tmp_path: Path, content: bytes, key: str) -> None:
    file = tmp_path / "config"
    file.write_bytes(content)
    listed = scratch.run(tmp_path, "config", "--file", str(file), "--list", "-z").split(b"\0")
    values = [entry.partition(b"\n")[2] for entry in listed if entry.partition(b"\n")[0] == key.encode()]
    ours = parse_config(content)
    assert (key in ours) == bool(values)
    if values:
        assert (ours[key] or "").encode("utf-8", "surrogateescape") == values[-1]


@pytest.mark.parametrize("value", ["true", "YES", "on", "1", "-1", "false", "no", "off", "0", ""])
def test_a_boolean_is_what_git_reads(scratch: Scratch, tmp_path: Path, value: str) -> None:
    file = tmp_path / "config"
    file.write_text(f"[core]\n\tbare = {value}\n")
    said = scratch.run(tmp_path, "config", "--file", str(file), "--type=bool", "core.bare").decode().strip()
    assert parse_flag(parse_config(file.read_bytes()), "core.bare") is (said == "true")


def test_a_key_alone_is_true_and_a_missing_one_is_nothing() -> None:
    values = parse_config(b"[core]\n\tbare\n")
    assert parse_flag(values, "core.bare") is True
    assert parse_flag(values, "core.other") is None


@pytest.mark.parametrize(
    "content", [b"worktree = x\n", b"[core\n", b"[core]\n= x\n", b"\0\xff", b"[core]\nworktree = \\"]
)
def test_broken_files_are_read_without_failing(content: bytes) -> None:
    assert parse_config(content).get("core.worktree") in (None, "")
