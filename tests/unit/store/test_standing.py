"""HEAD and the index as read from files, held against what git itself says."""

from pathlib import Path

import pytest

from git_sidecar.model.fingerprint import HeadState
from git_sidecar.model.location import Location
from git_sidecar.store.standing import parse_reflog_line, read_index_stamp, read_reflog_tail, read_standing
from tests.support.scratch import Scratch, ScratchRepo


def locate(repo: ScratchRepo) -> Location:
    if (repo.root / ".git").is_dir():
        return Location(repo.root, repo.root / ".git", repo.root / ".git", bare=False)
    git_dir = Path(repo.text("rev-parse", "--absolute-git-dir"))
    return Location(repo.root, git_dir, Path(repo.text("rev-parse", "--git-common-dir")), bare=False)


def head_by_git(repo: ScratchRepo) -> HeadState:
    commit = repo.git("rev-parse", "-q", "--verify", "HEAD^{commit}", check=False).decode().strip()
    branch = repo.git("symbolic-ref", "-q", "HEAD", check=False).decode().strip()
    return HeadState(commit or None, branch.removeprefix("refs/heads/") or None)


def head(repo: ScratchRepo) -> HeadState:
    standing = read_standing(locate(repo))
    assert standing is not None
    return standing.head


def test_unborn_then_loose_then_packed_then_detached(repo: ScratchRepo) -> None:
    assert head(repo) == HeadState(None, "main") == head_by_git(repo)
    first = repo.commit(a="1")
    assert head(repo) == HeadState(first, "main") == head_by_git(repo)
    repo.git("pack-refs", "--all", "--prune")
    assert not (repo.root / ".git/refs/heads/main").exists()
    assert head(repo) == HeadState(first, "main") == head_by_git(repo)
    repo.git("switch", "-q", "--detach")
    assert head(repo) == HeadState(first, None) == head_by_git(repo)


@pytest.mark.parametrize("is_sorted", [True, False])
def test_every_ref_of_a_large_packed_refs_is_found(repo: ScratchRepo, is_sorted: bool) -> None:
    repo.commit(a="1")
    names = ["a", "a-b", "a0", "b/c", "b/c-d", "z" * 100, *(f"n{number:03}" for number in range(300))]
    repo.git("update-ref", "--stdin", stdin="".join(f"create refs/heads/{name} HEAD\n" for name in names).encode())
    repo.git("tag", "-a", "-m", "peeled", "v1")
    repo.git("tag", "-a", "-m", "peeled", "a-first-tag")
    repo.git("update-ref", "refs/heads/b/c", repo.commit("two", a="2"))
    repo.git("pack-refs", "--all", "--prune")
    packed = repo.root / ".git/packed-refs"
    assert b" sorted" in packed.read_bytes().split(b"\n")[0]
    if not is_sorted:
        packed.write_bytes(packed.read_bytes().replace(b" sorted", b"", 1))
    by_git = dict(
        line.split(" ") for line in repo.text("for-each-ref", "--format=%(refname:lstrip=2) %(objectname)").split("\n")
    )
    for name in [*names, "main", "absent", "A", "zz", "b", "a-", "n300"]:
        (repo.root / ".git/HEAD").write_text(f"ref: refs/heads/{name}\n")
        assert head(repo) == HeadState(by_git.get(name), name)


def test_symbolic_branches_and_odd_names(repo: ScratchRepo) -> None:
    repo.commit(a="1")
    repo.git("symbolic-ref", "refs/heads/alias", "refs/heads/main")
    repo.git("symbolic-ref", "HEAD", "refs/heads/alias")
    assert head(repo) == head_by_git(repo)
    repo.git("update-ref", "refs/heads/ünï/x", "HEAD")
    repo.git("symbolic-ref", "HEAD", "refs/heads/ünï/x")
    assert head(repo) == head_by_git(repo)


def test_a_head_that_is_a_symbolic_link(repo: ScratchRepo) -> None:
    first = repo.commit(a="1")
    (repo.root / ".git/HEAD").unlink()
    (repo.root / ".git/HEAD").symlink_to("refs/heads/main")
    assert head(repo) == HeadState(first, "main") == head_by_git(repo)


def test_a_linked_worktree_has_its_own_head_and_index_and_shared_refs(repo: ScratchRepo, scratch: Scratch) -> None:
    repo.commit(a="1")
    repo.git("worktree", "add", "-q", "-b", "topic", str(scratch.base / "w"))
    linked = ScratchRepo(scratch, scratch.base / "w")
    second = linked.commit("two", b="2")
    assert head(linked) == HeadState(second, "topic") == head_by_git(linked)
    assert head(repo) == head_by_git(repo)
    assert read_index_stamp(locate(linked)) != read_index_stamp(locate(repo))


def test_sha256(scratch: Scratch) -> None:
    repo = scratch.repo(object_format="sha256")
    first = repo.commit(a="1")
    assert len(first) == 64
    assert head(repo) == HeadState(first, "main")
    before = read_index_stamp(locate(repo))
    repo.write("a", "2")
    repo.git("add", "a")
    assert read_index_stamp(locate(repo)) != before


@pytest.mark.parametrize(
    "damaged",
    [b"", b"ref: ", b"ref: ../../etc/passwd\n", b"ref: refs/heads/../../config\n", b"ref: refs/heads/.invalid\n"],
)
def test_what_is_not_to_be_made_out_is_left_to_git(repo: ScratchRepo, damaged: bytes) -> None:
    repo.commit(a="1")
    (repo.root / ".git/HEAD").write_bytes(damaged)
    assert read_standing(Location(repo.root, repo.root / ".git", repo.root / ".git", bare=False)) is None


def test_the_index_stamp_follows_the_index_file(repo: ScratchRepo) -> None:
    location = locate(repo)
    assert read_index_stamp(location) == ""
    repo.commit(a="1")
    committed = read_index_stamp(location)
    assert read_index_stamp(location) == committed
    repo.write("a", "2")
    repo.git("add", "a")
    staged = read_index_stamp(location)
    assert staged != committed
    trailer = (repo.root / ".git/index").read_bytes()[-20:]
    assert staged.endswith(trailer.hex())


def test_without_a_checksum_the_files_times_take_its_place(repo: ScratchRepo) -> None:
    repo.commit(a="1")
    index = repo.root / ".git/index"
    index.write_bytes(index.read_bytes()[:-20] + b"\0" * 20)  # as git writes it under index.skipHash
    before = read_index_stamp(locate(repo))
    assert before.startswith("stat:")
    index.write_bytes(index.read_bytes()[:-20] + b"x" + b"\0" * 20)
    assert read_index_stamp(locate(repo)) != before


def test_the_reflogs_tail_says_what_git_says(repo: ScratchRepo) -> None:
    assert read_reflog_tail(locate(repo)) == ()
    commits = [repo.commit(f"number {number}", a=str(number)) for number in range(30)]
    repo.git("reset", "-q", "--hard", "HEAD~1")
    entries = read_reflog_tail(locate(repo), most=3)
    by_git = repo.text("reflog", "-3", "--format=%H %gs").split("\n")
    assert [f"{entry.new} {entry.message}" for entry in reversed(entries)] == by_git
    assert entries[-1].old == commits[-1]
    assert entries[-1].new == commits[-2]
    assert entries[-1].time_s == 1709287200  # 2024-03-01T10:00:00 +0000, the suite's date
    assert entries[-1].offset_minutes == 0


def test_a_cut_first_line_of_the_tail_is_not_read(repo: ScratchRepo) -> None:
    repo.commit("m" * 9_000, a="1")
    repo.commit("short", a="2")
    assert [entry.message for entry in read_reflog_tail(locate(repo))] == ["commit: short"]


def test_reflog_lines() -> None:
    ids = b"1" * 40 + b" " + b"2" * 40
    entry = parse_reflog_line(ids + b" A > B <a@b> 100 -0330\tcheckout: moving from a to b")
    assert entry is not None
    assert (entry.time_s, entry.offset_minutes, entry.message) == (100, -210, "checkout: moving from a to b")
    assert parse_reflog_line(ids + b" A <a@b> 100 +0000") is not None
    for line in (b"", b"x", ids, ids + b" A <a@b> soon +0000\tx", b"1 2 A <a@b> 100 +0000\tx"):
        assert parse_reflog_line(line) is None
