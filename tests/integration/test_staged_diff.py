"""git/stagedDiff's reader against real git: byte-exact, complete, independent of configuration and environment."""

import hashlib
import os
from pathlib import Path

import pytest

from git_sidecar.git.parse.line_cut import CutLimits
from git_sidecar.git.process import Spawner
from git_sidecar.git.staged_diff import read_staged_diff
from git_sidecar.model.changes import ChangeStatus, Coverage, CutReason, FileChange
from git_sidecar.model.diff import StagedDiff
from git_sidecar.model.fingerprint import OperationInProgress
from tests.support.opened import open_repository
from tests.support.scratch import Scratch, ScratchRepo


async def staged(repo: ScratchRepo, spawner: Spawner, budget: int | None = None, *, trusted: bool = True) -> StagedDiff:
    """The staged diff as our reader gives it."""
    return await read_staged_diff(open_repository(repo.root, spawner, trusted=trusted), CutLimits(), file_budget=budget)


def git_diff(repo: ScratchRepo, *options: str) -> str:
    """What git prints, with submodules marked `ignore` shown, as the contract says."""
    return repo.git("diff", "--cached", "--ignore-submodules=dirty", *options).decode()


def only(diff: StagedDiff) -> FileChange:
    """The single file of a diff."""
    (file,) = diff.diff.files
    return file


def counts(diff: StagedDiff) -> dict[str, tuple[int | None, int | None]]:
    """Additions and deletions by path."""
    return {file.change.path.text: (file.additions, file.deletions) for file in diff.diff.files}


def numstat(repo: ScratchRepo) -> dict[str, tuple[int | None, int | None]]:
    """git's own counts, by path (no renames in these repositories)."""
    found: dict[str, tuple[int | None, int | None]] = {}
    for record in repo.git("diff", "--cached", "--numstat", "-z", "--no-renames").split(b"\0")[:-1]:
        added, deleted, path = record.decode().split("\t")
        found[path] = (None, None) if added == "-" else (int(added), int(deleted))
    return found


async def test_changed_new_and_deleted_files_are_byte_exact(repo: ScratchRepo, spawner: Spawner) -> None:
    repo.commit(**{"a.txt": "one\ntwo\n", "gone.txt": "1\n2\n3\n"})
    repo.write("a.txt", "one\n2\n")
    repo.write("dir/new file.txt", "no line end")
    repo.write("empty", "")
    (repo.root / "gone.txt").unlink()
    repo.git("add", "-A")
    got = await staged(repo, spawner)
    assert got.diff.text == git_diff(repo)
    assert counts(got) == numstat(repo)
    assert {file.change.path.text: file.change.status for file in got.diff.files} == {
        "a.txt": ChangeStatus.MODIFIED,
        "dir/new file.txt": ChangeStatus.ADDED,
        "empty": ChangeStatus.ADDED,
        "gone.txt": ChangeStatus.DELETED,
    }
    assert {file.coverage for file in got.diff.files} == {Coverage.FULL}
    assert not got.diff.truncated


async def test_before_the_first_commit_new_files_are_shown_in_full(repo: ScratchRepo, spawner: Spawner) -> None:
    repo.write("first.txt", "hello\n")
    repo.git("add", "first.txt")
    got = await staged(repo, spawner)
    assert got.diff.text == git_diff(repo)
    assert "+hello" in got.diff.text
    assert got.fingerprint.head.commit is None
    assert got.fingerprint.head.branch == "main"


async def test_nothing_staged_is_an_empty_diff(repo: ScratchRepo, spawner: Spawner) -> None:
    repo.commit(**{"a.txt": "x\n"})
    repo.write("a.txt", "unstaged\n")
    repo.write("untracked.txt", "u\n")
    got = await staged(repo, spawner)
    assert (got.diff.text, got.diff.files) == ("", ())


async def test_fingerprint_is_git_raw_output_and_survives_a_refresh(repo: ScratchRepo, spawner: Spawner) -> None:
    head = repo.commit(**{"a.txt": "x\n", "b.txt": "y\n"})
    repo.write("a.txt", "changed\n")
    repo.git("mv", "b.txt", "c.txt")
    repo.git("add", "-A")
    first = (await staged(repo, spawner)).fingerprint
    raw = repo.git("diff", "--cached", "--raw", "-z", "--no-abbrev")
    assert first.index == hashlib.sha256(raw).hexdigest()
    assert first.head.commit == head
    os.utime(repo.root / "a.txt", (1, 1))
    repo.git("update-index", "--refresh")
    assert (await staged(repo, spawner)).fingerprint == first


async def test_renames_modes_and_types(repo: ScratchRepo, spawner: Spawner) -> None:
    repo.commit(**{"old name.txt": "a\nb\nc\nd\ne\n", "run.sh": "#!/bin/sh\n", "link": "target\nmore\n"})
    repo.git("mv", "old name.txt", "new.txt")
    repo.git("update-index", "--chmod=+x", "run.sh")
    (repo.root / "link").unlink()
    (repo.root / "link").symlink_to("target")
    repo.git("add", "link")
    got = await staged(repo, spawner)
    assert got.diff.text == git_diff(repo)
    files = {file.change.path.text: file for file in got.diff.files}
    assert files["new.txt"].change.status is ChangeStatus.RENAMED
    assert files["new.txt"].change.old_path is not None
    assert files["new.txt"].change.old_path.text == "old name.txt"
    assert (files["run.sh"].change.old_mode, files["run.sh"].change.new_mode) == ("100644", "100755")
    assert files["link"].change.status is ChangeStatus.TYPE_CHANGED
    assert (files["link"].additions, files["link"].deletions) == (1, 2)


async def test_binary_files_are_named_and_not_counted(repo: ScratchRepo, spawner: Spawner) -> None:
    repo.write("logo.png", b"\x89PNG\0\1\2")
    repo.git("add", "-A")
    got = await staged(repo, spawner)
    file = only(got)
    assert got.diff.text == git_diff(repo)
    assert (file.binary, file.additions, file.deletions) == (True, None, None)
    assert (file.coverage, file.reason) == (Coverage.OMITTED, CutReason.BINARY)


async def test_submodule_marked_ignore_is_shown(scratch: Scratch, repo: ScratchRepo, spawner: Spawner) -> None:
    library = scratch.repo("library")
    library.commit(**{"l.txt": "1\n"})
    repo.git("submodule", "--quiet", "add", str(library.root), "sub")
    repo.git("config", "-f", ".gitmodules", "submodule.sub.ignore", "all")
    repo.git("add", "-A")
    repo.git("commit", "-qm", "with sub")
    scratch.run(repo.root / "sub", "commit", "-q", "--allow-empty", "-m", "next")
    repo.git("add", "sub")
    got = await staged(repo, spawner)
    assert repo.git("diff", "--cached") == b""
    assert got.diff.text == git_diff(repo)
    assert "+Subproject commit" in got.diff.text
    assert only(got).change.submodule


async def test_unmerged_paths_and_the_operation_are_told(repo: ScratchRepo, spawner: Spawner) -> None:
    repo.commit(**{"f.txt": "base\n"})
    repo.git("switch", "-qc", "side")
    repo.commit(**{"f.txt": "side\n"})
    repo.git("switch", "-q", "main")
    repo.commit(**{"f.txt": "main\n"})
    repo.git("merge", "-q", "side", check=False)
    repo.write("n.txt", "new\n")
    repo.git("add", "n.txt")
    got = await staged(repo, spawner)
    assert got.diff.text == git_diff(repo)
    assert "* Unmerged path f.txt\n" in got.diff.text
    statuses = {file.change.path.text: file.change.status for file in got.diff.files}
    assert statuses == {"f.txt": ChangeStatus.UNMERGED, "n.txt": ChangeStatus.ADDED}
    assert counts(got)["f.txt"] == (None, None)
    assert got.operation is OperationInProgress.MERGE


async def test_intent_to_add_is_not_staged(repo: ScratchRepo, spawner: Spawner) -> None:
    repo.commit(**{"a.txt": "x\n"})
    repo.write("later.txt", "l\n")
    repo.git("add", "-N", "later.txt")
    assert (await staged(repo, spawner)).diff.files == ()


@pytest.mark.parametrize(
    "name",
    [
        "sp ace",
        'quo"te',
        "new\nline",
        "tab\there",
        "a -> b",
        "-dash",
        "\N{ROCKET}.rs",
        "ü/日本.md",
        ":(glob)**",
        "back\\s",
    ],
)
async def test_odd_names(repo: ScratchRepo, spawner: Spawner, name: str) -> None:
    repo.write(name, "1\n")
    repo.git("add", "-A")
    got = await staged(repo, spawner)
    assert got.diff.text == git_diff(repo)
    assert only(got).change.path.text == name


async def test_line_break_look_alikes_are_no_line_breaks(repo: ScratchRepo, spawner: Spawner) -> None:
    repo.commit(**{"a.txt": "x\n"})
    repo.write("a.txt", "x\none\x0ctwo\u2028three\rfour\x85five\n")
    repo.git("add", "-A")
    got = await staged(repo, spawner)
    assert got.diff.text == git_diff(repo)
    assert only(got).additions == 1


async def test_text_that_is_not_utf8_is_replaced_with_a_warning(repo: ScratchRepo, spawner: Spawner) -> None:
    repo.write("latin1.txt", b"caf\xe9\n")
    repo.git("add", "-A")
    got = await staged(repo, spawner)
    assert got.diff.text == repo.git("diff", "--cached").decode("utf-8", "replace")
    assert len(got.diff.warnings) == 1


OUTPUT_CHANGERS = (
    ("color.ui", "always"),
    ("color.diff", "always"),
    ("core.abbrev", "12"),
    ("core.quotePath", "false"),
    ("core.bigFileThreshold", "1"),
    ("core.pager", "false"),
    ("diff.algorithm", "patience"),
    ("diff.colorMoved", "zebra"),
    ("diff.context", "0"),
    ("diff.external", "false"),
    ("diff.ignoreSubmodules", "all"),
    ("diff.indentHeuristic", "false"),
    ("diff.interHunkContext", "9"),
    ("diff.mnemonicPrefix", "true"),
    ("diff.noPrefix", "true"),
    ("diff.orderFile", "order"),
    ("diff.relative", "true"),
    ("diff.renameLimit", "1"),
    ("diff.renames", "false"),
    ("diff.renames", "copies"),
    ("diff.submodule", "log"),
    ("diff.suppressBlankEmpty", "true"),
    ("diff.wordRegex", "."),
    ("diff.wsErrorHighlight", "all"),
)


@pytest.mark.parametrize("scope", ["--global", "--local"])
@pytest.mark.parametrize(("key", "value"), OUTPUT_CHANGERS)
async def test_configuration_changes_nothing(
    repo: ScratchRepo, spawner: Spawner, key: str, value: str, scope: str
) -> None:
    body = "".join(f"def f{n}():\n    return {n}\n\n" for n in range(30))
    repo.commit(**{"é.py": body, "moved.txt": body + "x\n", "z.txt": body})
    repo.write("order", "z.txt\n")
    repo.write("é.py", body.replace("return 3\n", "return 4\n").replace("return 8\n", "return 9\n\n"))
    repo.write("copy.txt", body)
    repo.git("mv", "moved.txt", "sub-moved.txt")
    repo.write("z.txt", body[:200])
    repo.git("add", "é.py", "copy.txt", "z.txt")
    expected = git_diff(repo)
    repo.git("config", scope, key, value)
    got = await staged(repo, spawner)
    assert got.diff.text == expected


async def test_attributes_that_run_programs_are_not_followed(repo: ScratchRepo, spawner: Spawner) -> None:
    canary = repo.root.parent / "RAN"
    repo.git("config", "diff.x.textconv", f"touch {canary}; cat")
    repo.git("config", "diff.x.command", f"touch {canary}")
    repo.commit(**{".gitattributes": "*.x diff=x\n", "f.x": "1\n"})
    repo.write("f.x", "2\n")
    repo.git("add", "-A")
    for trusted in (True, False):
        got = await staged(repo, spawner, trusted=trusted)
        assert "+2\n" in got.diff.text
    assert not canary.exists()


async def test_a_long_diff_keeps_head_and_tail(repo: ScratchRepo, spawner: Spawner) -> None:
    repo.write("big.txt", "".join(f"line {number}\n" for number in range(4_000)))
    repo.write("zz.txt", "last\n")
    repo.git("add", "-A")
    whole = git_diff(repo).removesuffix("\n").split("\n")
    got = await staged(repo, spawner)
    omitted = len(whole) - 2_500
    expected = [*whole[:2_000], "", f"... [{omitted} lines omitted] ...", "", *whole[-500:]]
    assert got.diff.text == "\n".join(expected) + "\n"
    assert got.diff.omitted_lines == omitted
    assert got.diff.omitted_bytes == sum(len(line) + 1 for line in whole[2_000:-500])
    big, last = got.diff.files
    assert (big.additions, big.coverage, big.reason) == (4_000, Coverage.PARTIAL, CutReason.LIMIT)
    assert (last.coverage, last.reason) == (Coverage.FULL, None)


@pytest.mark.parametrize(("lines", "cut"), [(2_504, False), (2_505, True)])
async def test_the_line_limit_is_exact(repo: ScratchRepo, spawner: Spawner, lines: int, cut: bool) -> None:
    repo.write("f.txt", "x\n" * lines)
    repo.git("add", "-A")
    assert git_diff(repo).count("\n") == lines + 6
    got = await staged(repo, spawner)
    assert got.diff.truncated is cut
    assert (got.diff.text == git_diff(repo)) is not cut


async def test_a_very_long_line_keeps_both_ends(repo: ScratchRepo, spawner: Spawner) -> None:
    line = "start" + "x" * 3_000_000 + "end"
    repo.write("app.min.js", line + "\n")
    repo.write("human.txt", "a change\n")
    repo.git("add", "-A")
    got = await staged(repo, spawner)
    shown = "+" + line
    kept = f"{shown[:1_000]} ... [{len(shown) - 2_000} chars omitted] ... {shown[-1_000:]}\n"
    assert kept in got.diff.text
    assert "+a change\n" in got.diff.text
    minified, human = got.diff.files
    assert (minified.coverage, minified.reason, minified.additions) == (Coverage.PARTIAL, CutReason.LINE_LENGTH, 1)
    assert human.coverage is Coverage.FULL


async def test_with_a_budget_every_file_gets_its_share(repo: ScratchRepo, spawner: Spawner) -> None:
    repo.commit(**{"aaa_old.txt": "".join(f"{number}\n" for number in range(15_000)), "b.txt": "1\n"})
    (repo.root / "aaa_old.txt").unlink()
    repo.write("b.txt", "1\nreal edit\n")
    repo.git("add", "-A")
    got = await staged(repo, spawner, budget=2_000)
    old, edited = got.diff.files
    assert "deleted file mode 100644" in got.diff.text
    assert "+real edit\n" in got.diff.text
    assert (old.deletions, old.coverage, old.reason) == (15_000, Coverage.PARTIAL, CutReason.BUDGET)
    assert edited.coverage is Coverage.FULL
    assert len(got.diff.text) <= 2 * 2_000


async def test_budget_cuts_at_hunk_borders(repo: ScratchRepo, spawner: Spawner) -> None:
    body = [f"line {number}\n" for number in range(200)]
    repo.commit(**{"f.txt": "".join(body)})
    for number in (10, 60, 110, 160):
        body[number] = f"changed {number}\n"
    repo.write("f.txt", "".join(body))
    repo.git("add", "-A")
    whole = git_diff(repo)
    borders = [at for at in range(len(whole)) if whole.startswith("\n@@ -", at)]
    got = await staged(repo, spawner, budget=borders[2] + 60)
    assert got.diff.text.startswith(whole[: borders[2] + 1])
    assert "changed 110" not in got.diff.text


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
async def test_linked_worktrees_and_object_formats(scratch: Scratch, spawner: Spawner, object_format: str) -> None:
    main = scratch.repo("main", object_format=object_format)
    head = main.commit(**{"f.txt": "1\n"})
    main.git("worktree", "add", "-q", "-b", "feature", str(scratch.base / "wt"))
    linked = ScratchRepo(scratch, scratch.base / "wt")
    linked.write("f.txt", "2\n")
    linked.git("add", "-A")
    got = await staged(linked, spawner)
    assert got.diff.text == git_diff(linked)
    assert (got.fingerprint.head.commit, got.fingerprint.head.branch) == (head, "feature")
    assert (await staged(main, spawner)).diff.files == ()


async def test_packed_refs_detached_head_and_operations(repo: ScratchRepo, spawner: Spawner) -> None:
    first = repo.commit(**{"f.txt": "1\n"})
    second = repo.commit(**{"f.txt": "2\n"})
    repo.git("pack-refs", "--all")
    assert (await staged(repo, spawner)).fingerprint.head.commit == second
    repo.git("checkout", "-q", first)
    got = await staged(repo, spawner)
    assert (got.fingerprint.head.commit, got.fingerprint.head.branch) == (first, None)
    repo.git("switch", "-q", "main")
    repo.git("revert", "--no-edit", "--no-commit", "HEAD")
    assert (await staged(repo, spawner)).operation is OperationInProgress.REVERT


async def test_nothing_is_written(repo: ScratchRepo, spawner: Spawner) -> None:
    repo.commit(**{"f.txt": "1\n"})
    repo.write("f.txt", "2\n")
    repo.git("add", "-A")
    os.utime(repo.root / "f.txt", (1, 1))

    def everything() -> dict[Path, tuple[int, bytes]]:
        return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in repo.root.rglob("*") if path.is_file()}

    before = everything()
    await staged(repo, spawner)
    assert everything() == before
