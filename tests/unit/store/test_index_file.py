"""Index files of every version, held against what `git ls-files` tells of them."""

import re

import pytest

from git_sidecar.store.index_file import Entries, IndexEntry, UnreadableIndex, parse_index
from tests.support.scratch import Scratch, ScratchRepo

NAMES = ["a", "a.txt", "dir/a", "dir/b", "dir.x", "ünï", 'q"uote', "new\nline", "z" * 200]


def entries_by_git(repo: ScratchRepo) -> Entries:
    """(mode, id, stage) from `ls-files -s`, flags from `-v` and from the bits that `--debug` prints."""
    flags = [int(bits, 16) for bits in re.findall(r"flags: ([0-9a-f]+)", repo.git("ls-files", "--debug").decode())]
    entries: Entries = {}
    for record, bits in zip(repo.git("ls-files", "-s", "-z").split(b"\0")[:-1], flags, strict=True):
        facts, path = record.split(b"\t", 1)
        mode, object_id, stage = facts.decode().split()
        entry = IndexEntry(
            int(mode, 8),
            object_id,
            int(stage),
            assume_unchanged=bool(bits & 0x8000),
            skip_worktree=bool(bits & 0x40000000),
            intent_to_add=bool(bits & 0x20000000),
        )
        entries[path] = (*entries.get(path, ()), entry)
    return entries


def parse(repo: ScratchRepo, object_format: str = "sha1") -> Entries:
    return parse_index((repo.root / ".git/index").read_bytes(), object_format)


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
@pytest.mark.parametrize("version", ["2", "4"])
def test_every_version_reads_as_git_reads_it(scratch: Scratch, version: str, object_format: str) -> None:
    repo = scratch.repo(object_format=object_format)
    for name in NAMES:
        repo.write(name, name)
    (repo.root / "run").write_text("x")
    (repo.root / "run").chmod(0o755)
    (repo.root / "link").symlink_to("a")
    repo.git("add", "-A")
    repo.git("update-index", "--index-version", version)
    assert (repo.root / ".git/index").read_bytes()[7] == int(version)
    assert parse(repo, object_format) == entries_by_git(repo)
    repo.write("intended", "x")
    repo.git("add", "-N", "intended")
    repo.git("update-index", "--assume-unchanged", "a")
    repo.git("update-index", "--skip-worktree", "dir/a")
    entries = parse(repo, object_format)
    assert entries == entries_by_git(repo)
    assert entries[b"intended"][0].intent_to_add
    assert entries[b"a"][0].is_flagged
    assert not entries[b"dir/b"][0].is_flagged


def test_unmerged_paths_have_their_stages(repo: ScratchRepo) -> None:
    repo.commit("base", a="1")
    repo.git("switch", "-q", "-c", "topic")
    repo.commit("topic", a="2")
    repo.git("switch", "-q", "main")
    repo.commit("main", a="3")
    repo.git("merge", "topic", check=False)
    entries = parse(repo)
    assert entries == entries_by_git(repo)
    assert [entry.stage for entry in entries[b"a"]] == [1, 2, 3]


def test_the_noted_size_is_no_part_of_what_is_staged(repo: ScratchRepo) -> None:
    repo.commit(a="12345")
    (entry,) = parse(repo)[b"a"]
    assert entry.size in (5, 0)  # 0 where the file is as young as the index
    assert entry == IndexEntry(entry.mode, entry.object_id, 0)


def test_what_is_no_index_or_a_split_one_is_refused(repo: ScratchRepo) -> None:
    assert parse_index(b"", "sha1") == {}
    repo.commit(a="1", b="2")
    raw = (repo.root / ".git/index").read_bytes()
    for damaged in (b"x" * 100, raw[:40], b"DIRC\0\0\0\x09" + raw[8:], raw[:100]):
        with pytest.raises(UnreadableIndex):
            parse_index(damaged, "sha1")
    repo.git("update-index", "--split-index")
    repo.write("a", "3")
    repo.git("add", "a")
    with pytest.raises(UnreadableIndex, match="split"):
        parse(repo)
