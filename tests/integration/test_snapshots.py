"""Snapshots and undo on real repositories: what survives, what is refused, what is never touched."""

import asyncio
import json
import os
import shutil
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from git_sidecar.git.process import Spawner
from git_sidecar.git.repository import Repository
from git_sidecar.model.plan import Scope
from git_sidecar.model.refs import RepoPath
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.service.store_git import StoreGit
from git_sidecar.store.snapshots import SnapshotFailed, SnapshotRef, Snapshots, differs
from git_sidecar.store.undo import PlannedUndo, PutBack, plan_undo, restore
from tests.support.scratch import Scratch, ScratchRepo
from tests.support.worlds import REFS, WHOLE, locate, read_everything

LIMIT_BYTES = 1 << 20


@dataclass(frozen=True)
class SignallingGit(StoreGit):
    """Tells when git is first asked."""

    asked: asyncio.Event

    async def read(
        self,
        argv: Sequence[str],
        *,
        ok: tuple[int, ...] = (0,),
        stdin: bytes | None = None,
        directory: Path | None = None,
    ) -> bytes:
        self.asked.set()
        return await StoreGit.read(self, argv, ok=ok, stdin=stdin, directory=directory)


class Bench:
    """One repository, its snapshots, and short ways to say what happens to it."""

    def __init__(self, repo: ScratchRepo, spawner: Spawner, directory: Path) -> None:
        self.repo = repo
        self.directory = directory
        self.snapshots = Snapshots(directory)
        self.git = StoreGit(Repository(locate(repo), spawner, trusted=True))

    async def take(self, scope: Scope = WHOLE, name: str = "op-1") -> SnapshotRef | SnapshotFailed:
        return await self.snapshots.take(self.git, scope, name=name, limit_bytes=LIMIT_BYTES)

    async def operate(self, *argv: str, scope: Scope = WHOLE, name: str = "op-1", ok: bool = True) -> None:
        """Run git between a snapshot and its seal."""
        taken = await self.take(scope, name)
        assert isinstance(taken, SnapshotRef), taken
        self.repo.git(*argv, check=ok)
        await self.snapshots.seal(self.git, name)

    async def undo(self, name: str = "op-1") -> PutBack | Refusal:
        return await restore(self.git, self.snapshots, name, message="undo")

    async def undo_well(self, name: str = "op-1") -> PutBack:
        done = await self.undo(name)
        assert isinstance(done, PutBack), done
        return done

    async def refuse_undo(self, name: str = "op-1") -> str:
        """The message of the refusal, after making sure that nothing was changed."""
        before = read_everything(self.repo)
        planned = await plan_undo(self.git, self.snapshots, name)
        done = await self.undo(name)
        assert isinstance(done, Refusal)
        assert done == planned
        assert done.code is RefusalCode.CANNOT_UNDO
        assert read_everything(self.repo) == before
        return done.message

    def collect_garbage(self) -> None:
        """What a person types to free space; nothing outside refs, index and stash survives it."""
        names = self.repo.text("for-each-ref", "--format=%(refname)", "refs/heads").split()
        self.repo.git("reflog", "expire", "--expire=now", "HEAD", *names)
        self.repo.git("gc", "-q", "--prune=now")


@pytest.fixture
async def bench(repo: ScratchRepo, tmp_path: Path) -> AsyncIterator[Bench]:
    repo.commit("one", a="1", b="1", **{"dir/c": "1"})
    repo.commit("two", a="2")
    spawner = Spawner(repo.scratch.env)
    yield Bench(repo, spawner, tmp_path / "snapshots")
    await spawner.close()


def all_files(directory: Path) -> dict[str, bytes]:
    return {str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


async def test_taking_and_sealing_leave_every_byte_of_the_repository_alone(bench: Bench) -> None:
    bench.repo.write("a", "dirty")
    bench.repo.write("b", "staged")
    bench.repo.git("add", "b")
    bench.repo.write("new", "untracked")
    os.utime(bench.repo.root / "dir/c", (1, 1))  # a refresh of the index would note this
    before = all_files(bench.repo.root)
    assert isinstance(await bench.take(), SnapshotRef)
    await bench.snapshots.seal(bench.git, "op-1")
    assert all_files(bench.repo.root) == before
    assert not differs(*(bench.snapshots.load("op-1", side) for side in ("before", "after")))


async def test_nothing_is_shown_or_pushed_by_hand(bench: Bench, scratch: Scratch) -> None:
    bench.repo.write("a", "dirty")
    await bench.operate("reset", "-q", "--hard", "HEAD~1")
    shown = bench.repo.git("log", "--all", "--format=%H") + bench.repo.git("for-each-ref")
    mirror = scratch.base / "mirror.git"
    scratch.run(scratch.base, "init", "-q", "--bare", str(mirror))
    bench.repo.git("push", "-q", "--mirror", str(mirror))
    assert scratch.run(mirror, "for-each-ref", "--format=%(refname)") == b"refs/heads/main\n"
    await bench.undo_well()
    assert b"refs/heads/main" in shown
    assert shown.count(b"\n") == 2  # one commit, one ref


@pytest.mark.parametrize(
    ("argv", "scope"),
    [
        (("reset", "-q", "--hard", "HEAD~1"), WHOLE),
        (("branch", "-D", "-q", "topic"), REFS),
        (("tag", "-d", "v1"), REFS),
        (("stash", "drop", "-q"), REFS),
        (("stash", "clear"), REFS),
        (("stash", "pop", "-q"), WHOLE),
        (("commit", "-q", "--amend", "-m", "other"), REFS),
        (("switch", "-q", "--discard-changes", "-C", "main", "HEAD~1"), WHOLE),
    ],
)
async def test_what_was_dropped_survives_garbage_collection(bench: Bench, argv: tuple[str, ...], scope: Scope) -> None:
    repo = bench.repo
    repo.git("switch", "-q", "-c", "topic")
    repo.commit("only on topic", t="t")
    repo.git("tag", "-a", "-m", "annotated", "v1")
    repo.git("switch", "-q", "main")
    for text in ("first", "second"):
        repo.write("a", text)
        repo.git("stash", "push", "-q", "-m", text)
    repo.write("b", "staged and nowhere else")
    repo.git("add", "b")
    before = read_everything(repo)
    await bench.operate(*argv, scope=scope)
    assert read_everything(repo) != before
    bench.collect_garbage()
    await bench.undo_well()
    assert read_everything(repo) == before
    assert repo.git("fsck", "--full", "--no-dangling") == b""


async def test_files_come_back_byte_and_mode_exact(bench: Bench) -> None:
    root = bench.repo.root
    bench.repo.write("a", b"\r\nbinary\0\xff no end")
    (root / "a").chmod(0o600)
    bench.repo.write("new dir/run", "#!/bin/sh\n").chmod(0o711)
    (root / "link").symlink_to("no\nwhere")
    (root / os.fsdecode(b"caf\xe9")).write_bytes(b"latin")
    before = read_everything(bench.repo)
    await bench.operate("clean", "-fdq")
    bench.repo.git("checkout", "--", "a")
    await bench.snapshots.seal(bench.git, "op-1")
    done = await bench.undo_well()
    assert read_everything(bench.repo) == before
    assert set(done.files) == {"a", "new dir/run", "link", "caf\udce9"}


async def test_ignored_files_are_kept_where_the_call_can_touch_them(bench: Bench) -> None:
    bench.repo.commit("ignore", **{".gitignore": "*.log\nbuild/\n"})
    bench.repo.write("x.log", "log")
    bench.repo.write("build/deep/out", "built")
    before = read_everything(bench.repo)
    await bench.operate("clean", "-fdxq", scope=Scope(None, ignored=True))
    assert not (bench.repo.root / "x.log").exists()
    await bench.undo_well()
    assert read_everything(bench.repo) == before


async def test_an_ignored_file_that_a_checkout_overwrites_is_kept(bench: Bench) -> None:
    repo = bench.repo
    repo.git("switch", "-q", "-c", "tracks")
    repo.commit("tracks it", **{"x.log": "tracked"})
    repo.git("switch", "-q", "main")
    repo.commit("ignores it", **{".gitignore": "*.log\n"})
    repo.write("x.log", "precious")
    before = read_everything(repo)
    await bench.operate("switch", "-q", "tracks", scope=Scope(None, targets=(repo.text("rev-parse", "tracks"),)))
    assert (repo.root / "x.log").read_text() == "tracked"
    await bench.undo_well()
    assert read_everything(repo) == before


async def test_a_nested_repository_comes_back_whole_when_it_was_named(bench: Bench) -> None:
    nested = bench.repo.root / "nested"
    nested.mkdir()
    bench.repo.scratch.run(nested, "init", "-q")
    (nested / "file").write_text("x")
    bench.repo.scratch.run(nested, "add", "file")
    bench.repo.scratch.run(nested, "commit", "-q", "-m", "inner")
    before = all_files(nested)
    await bench.operate("clean", "-ffdq", "--", "nested", scope=Scope((RepoPath("nested"),)))
    assert not nested.exists()
    await bench.undo_well()
    assert all_files(nested) == before
    assert bench.repo.scratch.run(nested, "status", "--porcelain") == b""


async def test_a_conflicted_merge_is_given_back_with_its_stages_and_notes(bench: Bench) -> None:
    repo = bench.repo
    repo.git("switch", "-q", "-c", "topic", "HEAD~1")
    repo.commit("theirs", a="theirs")
    repo.git("switch", "-q", "main")
    repo.git("merge", "topic", check=False)
    repo.write("a", "half resolved")
    before = read_everything(repo)
    assert b"u UU" in repo.git("status", "--porcelain=v2")
    await bench.operate("merge", "--abort")
    assert not (repo.root / ".git/MERGE_HEAD").exists()
    bench.collect_garbage()
    await bench.undo_well()
    assert read_everything(repo) == before
    repo.write("a", "resolved")
    repo.git("add", "a")
    repo.git("commit", "-q", "--no-edit")
    assert repo.text("rev-list", "--parents", "-1", "HEAD").count(" ") == 2


async def test_a_rebase_in_progress_is_given_back(bench: Bench) -> None:
    repo = bench.repo
    repo.git("switch", "-q", "-c", "topic", "HEAD~1")
    repo.commit("theirs", a="theirs")
    repo.git("rebase", "main", check=False)
    before = read_everything(repo)
    await bench.operate("rebase", "--abort")
    await bench.undo_well()
    assert read_everything(repo) == before
    repo.write("a", "resolved")
    repo.git("add", "a")
    repo.git("-c", "core.editor=true", "rebase", "--continue")
    assert repo.text("log", "-1", "--format=%s") == "theirs"
    assert repo.text("branch", "--show-current") == "topic"


async def test_undoing_is_undone(bench: Bench) -> None:
    repo = bench.repo
    repo.write("a", "dirty")
    states = [read_everything(repo)]
    await bench.operate("reset", "-q", "--hard", "HEAD~1")
    states.append(read_everything(repo))
    previous = "op-1"
    for number in range(2, 6):
        own = f"op-{number}"
        await bench.take(name=own)
        await bench.undo_well(previous)
        await bench.snapshots.seal(bench.git, own)
        bench.collect_garbage()
        assert read_everything(repo) == states[number % 2]
        previous = own


async def test_what_was_not_touched_may_change_meanwhile(bench: Bench) -> None:
    await bench.operate("restore", "-q", "--source=HEAD~1", "--", "a", scope=Scope((RepoPath("a"),)))
    bench.repo.write("b", "newer work elsewhere")
    bench.repo.write("new", "newer file")
    bench.repo.git("tag", "newer")
    bench.repo.git("add", "b")
    assert (await bench.undo_well()).files == ("a",)
    assert (bench.repo.root / "a").read_text() == "2"
    assert (bench.repo.root / "b").read_text() == "newer work elsewhere"
    assert bench.repo.git("diff", "--cached", "--name-only") == b"b\n"
    assert bench.repo.git("status", "--porcelain") == b"M  b\n?? new\n"


async def test_one_path_of_the_index_is_put_back_and_the_others_stay(bench: Bench) -> None:
    bench.repo.write("a", "staged by the operation")
    await bench.operate("add", "a", scope=REFS)
    bench.repo.write("b", "staged since")
    bench.repo.git("add", "b")
    await bench.undo_well()
    assert bench.repo.git("status", "--porcelain") == b" M a\nM  b\n"


@pytest.mark.parametrize(
    ("newer", "told"),
    [
        (("write", "a"), "a has changed since"),
        (("commit",), "refs/heads/main moved"),
        (("stage", "a"), "a has been staged anew since"),
        (("occupy", "gone"), "gone"),
        (("switch",), "HEAD moved"),
    ],
)
async def test_newer_work_is_named_and_not_lost(bench: Bench, newer: tuple[str, ...], told: str) -> None:
    repo = bench.repo
    repo.write("gone", "untracked, cleaned away")
    repo.write("a", "dirty")
    repo.write("dir/c", "staged")
    repo.git("add", "dir/c")
    taken = await bench.take()
    assert isinstance(taken, SnapshotRef)
    repo.git("reset", "-q", "--hard", "HEAD~1")
    repo.git("clean", "-fdq")
    await bench.snapshots.seal(bench.git, "op-1")
    match newer[0]:
        case "commit":
            repo.commit("newer", n="n")
        case "switch":
            repo.git("switch", "-q", "-c", "elsewhere")
        case "occupy":
            repo.write(newer[1], "newer work in its place")
        case _:
            repo.write(newer[1], "newer work")
            if newer[0] == "stage":
                repo.git("add", newer[1])
    assert told in await bench.refuse_undo()


async def test_a_newer_stash_entry_is_not_lost(bench: Bench) -> None:
    for text in ("first", "second"):
        bench.repo.write("a", text)
        bench.repo.git("stash", "push", "-q", "-m", text)
    await bench.operate("stash", "drop", "-q", "stash@{1}", scope=REFS)
    bench.repo.write("a", "third")
    bench.repo.git("stash", "push", "-q", "-m", "third")
    assert "the stash has changed since" in await bench.refuse_undo()


async def test_a_link_in_the_place_of_a_directory_leads_nowhere(bench: Bench, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "c").write_text("not ours")
    bench.repo.write("dir/c", "dirty")
    await bench.operate("restore", "-q", "--", "dir", scope=Scope((RepoPath("dir"),)))
    shutil.rmtree(bench.repo.root / "dir")
    (bench.repo.root / "dir").symlink_to(outside)
    assert "dir" in await bench.refuse_undo()
    assert (outside / "c").read_text() == "not ours"
    # And nothing is read through it either.
    await bench.take(name="op-2")
    assert bench.snapshots.load("op-2", "before").state.files["dir/c"].object_id == ""


async def test_an_interrupted_operation_is_put_back_without_its_seal(bench: Bench) -> None:
    bench.repo.write("a", "dirty")
    before = read_everything(bench.repo)
    await bench.take()
    bench.repo.git("reset", "-q", "--hard", "HEAD~1")
    await bench.snapshots.keep_dropped(bench.git, "op-1")
    bench.collect_garbage()
    await bench.undo_well()
    assert read_everything(bench.repo) == before


async def test_too_much_fails_and_leaves_nothing_behind(bench: Bench) -> None:
    bench.repo.write("big", b"x" * (LIMIT_BYTES + 1))
    failed = await bench.take()
    assert isinstance(failed, SnapshotFailed)
    assert "undo.maxBytes" in failed.reason
    assert list(bench.directory.iterdir()) == []


async def test_a_file_that_cannot_be_kept_is_told(bench: Bench) -> None:
    # A directory where the snapshot's own would be, as a file system without room or rights would answer.
    bench.directory.mkdir()
    (bench.directory / "op-1").write_text("in the way")
    failed = await bench.take()
    assert isinstance(failed, SnapshotFailed)
    assert "could not be copied" in failed.reason


async def test_a_snapshot_that_is_gone_or_damaged_refuses(bench: Bench) -> None:
    assert "not there any more" in await bench.refuse_undo("op-none")
    bench.repo.write("a", "dirty")
    await bench.operate("checkout", "-q", "--", "a", scope=Scope((RepoPath("a"),)))
    state = bench.directory / "op-1" / "before" / "state.json"
    state.write_text(json.dumps({"refs": "nonsense"}))
    assert "not there any more" in await bench.refuse_undo()


async def test_cancelling_leaves_no_half_snapshot(bench: Bench) -> None:
    bench.repo.write("a", "dirty")
    git = SignallingGit(bench.git.repository, asyncio.Event())
    task = asyncio.create_task(bench.snapshots.take(git, WHOLE, name="op-1", limit_bytes=LIMIT_BYTES))
    await asyncio.wait_for(git.asked.wait(), 30)
    assert (bench.directory / "op-1").exists()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert list(bench.directory.iterdir()) == []


async def test_somebody_elses_lock_is_respected(bench: Bench) -> None:
    bench.repo.write("a", "dirty")
    await bench.operate("checkout", "-q", "--", "a", scope=Scope((RepoPath("a"),)))
    lock = bench.repo.root / ".git/index.lock"
    lock.write_bytes(b"")
    done = await bench.undo()
    assert isinstance(done, Refusal)
    assert done.code is RefusalCode.REPOSITORY_LOCKED
    lock.unlink()
    await bench.undo_well()
    assert (bench.repo.root / "a").read_text() == "dirty"


async def test_a_linked_worktree_has_its_own_head_index_and_files(
    bench: Bench, scratch: Scratch, tmp_path: Path
) -> None:
    bench.repo.git("worktree", "add", "-q", "-b", "topic", str(scratch.base / "linked"))
    linked = ScratchRepo(scratch, scratch.base / "linked")
    there = Bench(linked, bench.git.repository.spawner, tmp_path / "snapshots")
    linked.write("a", "dirty there")
    before, main_before = read_tree_and_refs(linked), read_everything(bench.repo)
    await there.operate("reset", "-q", "--hard", "HEAD~1")
    await there.undo_well()
    assert read_tree_and_refs(linked) == before
    assert read_everything(bench.repo)["tree"] == main_before["tree"]
    # A snapshot outlives the worktree that it was made of, and says so instead of writing somewhere else.
    bench.repo.git("worktree", "remove", "--force", str(linked.root))
    assert there.snapshots.load("op-1", "before").state.head == "ref: refs/heads/topic"


def read_tree_and_refs(repo: ScratchRepo) -> tuple[bytes, bytes, str]:
    status = repo.git("status", "--porcelain=v2", "--branch")
    return status, repo.git("for-each-ref"), (repo.root / "a").read_text()


async def test_a_bare_repository_has_refs_to_put_back(bench: Bench, scratch: Scratch) -> None:
    root = scratch.base / "bare.git"
    scratch.run(scratch.base, "clone", "-q", "--bare", str(bench.repo.root), str(root))
    bare = Bench(ScratchRepo(scratch, root), bench.git.repository.spawner, bench.directory)
    refs = bare.repo.git("for-each-ref")
    await bare.operate("update-ref", "-d", "refs/heads/main", scope=REFS)
    assert bare.repo.git("for-each-ref") == b""
    bare.repo.git("gc", "-q", "--prune=now")
    await bare.undo_well()
    assert bare.repo.git("for-each-ref") == refs
    assert bare.repo.git("fsck") == b""


async def test_a_plan_names_what_it_will_do_and_is_bound_to_the_present(bench: Bench) -> None:
    bench.repo.write("a", "dirty")
    await bench.operate("reset", "-q", "--hard", "HEAD~1")
    first = await plan_undo(bench.git, bench.snapshots, "op-1")
    assert isinstance(first, PlannedUndo)
    (step,) = first.restoration.refs
    assert step.name == "refs/heads/main"
    assert step.wanted is not None
    assert step.wanted.object_id == bench.repo.text("rev-parse", "ORIG_HEAD")
    assert set(first.restoration.files) == {"a"}
    os.utime(bench.repo.root / "b", (1, 1))
    bench.repo.git("update-index", "--refresh")
    same = await plan_undo(bench.git, bench.snapshots, "op-1")
    bench.repo.write("unrelated", "x")
    other = await plan_undo(bench.git, bench.snapshots, "op-1")
    assert isinstance(same, PlannedUndo)
    assert isinstance(other, PlannedUndo)
    assert same.present == first.present
    assert other.present != first.present


async def test_a_thousand_dropped_objects_come_back_as_a_pack(bench: Bench) -> None:
    for number in range(300):
        bench.repo.write(f"many/{number}", str(number))
    bench.repo.commit("many")
    before = read_everything(bench.repo)
    await bench.operate("reset", "-q", "--hard", "HEAD~1")
    bench.collect_garbage()
    await bench.undo_well()
    assert read_everything(bench.repo) == before
    assert bench.repo.git("fsck", "--full", "--no-dangling") == b""


async def test_a_partial_clone_keeps_what_is_its_own_and_fetches_nothing(bench: Bench, scratch: Scratch) -> None:
    source = bench.repo
    source.git("config", "uploadpack.allowFilter", "true")
    source.commit("three", a="only in history")
    source.commit("four", a="now")
    root = scratch.base / "partial"
    scratch.run(scratch.base, "clone", "-q", "--filter=blob:none", f"file://{source.root}", str(root))
    partial = Bench(ScratchRepo(scratch, root), bench.git.repository.spawner, bench.directory)
    missing = ("rev-list", "--objects", "--all", "--missing=print")
    assert b"?" in partial.repo.git(*missing)
    partial.repo.commit("own work", own="own")
    partial.repo.write("b", "staged")
    partial.repo.git("add", "b")
    before = read_everything(partial.repo)
    await partial.operate("reset", "-q", "--hard", "HEAD~1")
    partial.collect_garbage()
    await partial.undo_well()
    assert read_everything(partial.repo) == before
    assert b"?" in partial.repo.git(*missing)


@pytest.mark.parametrize("split", [False, True])
async def test_line_ends_that_a_checkout_would_change_come_back(bench: Bench, split: bool) -> None:
    repo = bench.repo
    if split:
        repo.git("config", "core.splitIndex", "true")
    repo.commit("attributes", **{".gitattributes": "a text eol=crlf\n", "a": "one\ntwo\n"})
    assert repo.git("status", "--porcelain") == b""
    before = read_everything(repo)
    await bench.operate("reset", "-q", "--hard", "HEAD~1")
    await bench.undo_well()
    assert (repo.root / "a").read_bytes() == b"one\ntwo\n"
    assert read_everything(repo) == before


async def test_an_ignored_file_that_the_call_makes_is_taken_away_again(bench: Bench) -> None:
    repo = bench.repo
    repo.write("x.log", "stashed while it was not ignored")
    repo.git("stash", "push", "-q", "-u")
    repo.commit("ignores it", **{".gitignore": "*.log\n"})
    before = read_everything(repo)
    targets = tuple(repo.text("rev-parse", f"stash@{{0}}{suffix}") for suffix in ("", "^3"))
    await bench.operate("stash", "pop", "-q", scope=Scope(None, targets=targets))
    assert (repo.root / "x.log").exists()
    await bench.undo_well()
    assert read_everything(repo) == before


async def test_a_submodule_comes_back_and_goes_again_unless_it_holds_work(bench: Bench, scratch: Scratch) -> None:
    repo = bench.repo
    inner = scratch.repo("inner")
    inner.commit("inner", x="1", **{"deep/y": "2"})
    repo.git("submodule", "--quiet", "add", str(inner.root), "sub")
    repo.commit("with a submodule")
    before = read_everything(repo)
    await bench.operate("rm", "-q", "sub")
    after = read_everything(repo)
    await bench.take(name="op-2")
    await bench.undo_well()
    await bench.snapshots.seal(bench.git, "op-2")
    assert read_everything(repo) == before
    assert repo.scratch.run(repo.root / "sub", "status", "--porcelain") == b""
    await bench.take(name="op-3")
    await bench.undo_well("op-2")
    await bench.snapshots.seal(bench.git, "op-3")
    assert read_everything(repo) == after
    await bench.take(name="op-4")
    await bench.undo_well("op-3")
    await bench.snapshots.seal(bench.git, "op-4")
    repo.write("sub/deep/work", "in progress")
    await bench.undo_well("op-4")
    assert (repo.root / "sub/deep/work").read_text() == "in progress"
    assert (repo.root / "sub/x").read_text() == "1"
