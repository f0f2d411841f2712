"""git_add: what gets into the index, what is skipped, and parts of files."""

import base64
from pathlib import Path

import pytest

from tests.support.planning import plan_call, preview_call, write_hook
from tests.support.scratch import Scratch, ScratchRepo
from tests.support.toolbox import Toolbox
from tests.tools.conftest import OpenToolbox

NUMBERS = "".join(f"{number}\n" for number in range(1, 41))


def changed(*numbers: int) -> str:
    """The numbers 1 to 40, some of them changed."""
    return "".join(f"new {number}\n" if number in numbers else f"{number}\n" for number in range(1, 41))


def staged(repo: ScratchRepo) -> str:
    """What git itself says is staged."""
    return repo.text("diff", "--cached", "--name-status", "--no-renames")


async def test_files_directories_and_deleted_ones(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", **{"a": "1\n", "d/b": "1\n", "d/c": "1\n", "other": "1\n"})
    repo.write("a", "2\n")
    (repo.root / "d/b").unlink()
    repo.write("d/new", "n\n")
    repo.write("other", "2\n")
    answer = await toolbox.call("git_add", paths=["a", "d"])
    assert answer.value == {
        "stagedFiles": [
            {"path": "a", "status": "modified"},
            {"path": "d/b", "status": "deleted"},
            {"path": "d/new", "status": "added"},
        ],
        "skipped": [],
    }
    assert staged(repo) == "M\ta\nD\td/b\nA\td/new"
    assert answer.text == "Staged 3 files:\n  modified a\n  deleted d/b\n  added d/new"


async def test_only_what_this_call_changed_is_reported(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", a="1\n", b="1\n")
    repo.write("a", "2\n")
    repo.git("add", "a")
    repo.write("b", "2\n")
    answer = await toolbox.call("git_add", all=True)
    assert answer.value["stagedFiles"] == [{"path": "b", "status": "modified"}]
    again = await toolbox.call("git_add", all=True)
    assert (again.value["stagedFiles"], again.text) == ([], "Nothing new was staged.")
    repo.write("a", "1\n")
    back = await toolbox.call("git_add", paths=["a"])
    assert back.value["stagedFiles"] == [{"path": "a", "status": "modified"}]
    assert staged(repo) == "M\tb"


async def test_a_move_is_a_rename(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", **{"old.txt": NUMBERS})
    (repo.root / "old.txt").rename(repo.root / "new.txt")
    answer = await toolbox.call("git_add", all=True)
    assert answer.value["stagedFiles"] == [{"path": "new.txt", "oldPath": "old.txt", "status": "renamed"}]
    assert "renamed new.txt (from old.txt)" in answer.text


async def test_what_cannot_be_staged_is_skipped_with_the_reason(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", **{".gitignore": "*.log\nout/\n", "kept.log.txt": "1\n"})
    repo.write("a", "1\n")
    repo.write("x.log", "secret\n")
    repo.write("out/o", "1\n")
    (repo.root / "empty").mkdir()
    answer = await toolbox.call("git_add", paths=["a", "x.log", "out", "nope", "empty", "out/o"])
    assert answer.value["stagedFiles"] == [{"path": "a", "status": "added"}]
    assert answer.value["skipped"] == [
        {"path": "x.log", "reason": "ignored"},
        {"path": "out", "reason": "ignored"},
        {"path": "nope", "reason": "not_found"},
        {"path": "empty", "reason": "empty_directory"},
        {"path": "out/o", "reason": "ignored"},
    ]
    assert (await toolbox.call("git_add", paths=["x.log", "nope"])).code == "nothing_to_do"
    missing = await toolbox.call("git_add", paths=["nope"])
    assert missing.code == "path_not_found"
    assert "'nope'" in (missing.refusal.message if missing.refusal else "")
    assert staged(repo) == "A\ta"


async def test_a_tracked_file_is_staged_though_ignored(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.write("x.log", "1\n")
    repo.git("add", "-f", "x.log")
    repo.commit("base", **{".gitignore": "*.log\n"})
    repo.write("x.log", "2\n")
    answer = await toolbox.call("git_add", paths=["x.log"])
    assert answer.value["stagedFiles"] == [{"path": "x.log", "status": "modified"}]


@pytest.mark.parametrize("odd", ["-test.txt", "--all", ":(glob)**", "*.txt", "a -> b", 'q"\\\t\nx', "café 日本.md"])
async def test_odd_names_are_one_file_each(repo: ScratchRepo, toolbox: Toolbox, odd: str) -> None:
    repo.write(odd, "1\n")
    repo.write("other.txt", "1\n")
    answer = await toolbox.call("git_add", paths=[odd])
    assert answer.value["stagedFiles"] == [{"path": odd, "status": "added"}]
    assert repo.git("ls-files", "-z").decode() == odd + "\0"


@pytest.mark.parametrize("pathspec", [":/", "*.txt", ":(top)", ":!x"])
async def test_pathspecs_are_no_paths(repo: ScratchRepo, toolbox: Toolbox, pathspec: str) -> None:
    repo.write("other.txt", "1\n")
    assert (await toolbox.call("git_add", paths=[pathspec])).code == "path_not_found"
    assert repo.git("ls-files") == b""


async def test_a_name_that_is_no_utf8(repo: ScratchRepo, toolbox: Toolbox) -> None:
    (Path(str(repo.root)) / b"\xff.txt".decode("utf-8", "surrogateescape")).write_bytes(b"1\n")
    encoded = base64.b64encode(b"\xff.txt").decode()
    answer = await toolbox.call("git_add", paths=[{"pathBytes": encoded}])
    assert answer.value["stagedFiles"] == [{"path": "�.txt", "pathBytes": encoded, "status": "added"}]


async def test_paths_start_at_the_workdir(repo: ScratchRepo, toolbox: Toolbox) -> None:
    for path in ("a.txt", "pkg/a.txt"):
        repo.write(path, "1\n")
    answer = await toolbox.call("git_add", directory="pkg", paths=["a.txt"])
    assert answer.value["stagedFiles"] == [{"path": "pkg/a.txt", "status": "added"}]
    assert (await toolbox.call("git_add", paths=["../x"])).code == "outside_workspace"


@pytest.mark.parametrize(
    "given", [{}, {"paths": ["a"], "all": True}, {"all": True, "patch": [{"path": "a", "hunks": [0]}]}]
)
async def test_exactly_one_way_is_given(toolbox: Toolbox, given: dict[str, object]) -> None:
    assert (await toolbox.call("git_add", **given)).code == "invalid_arguments"


async def test_a_repository_within_is_a_link_and_git_warns(
    repo: ScratchRepo, scratch: Scratch, toolbox: Toolbox
) -> None:
    scratch.repo("r/inner").commit("inside", i="1\n")
    repo.write("n.txt", "1\n")
    answer = await toolbox.call("git_add", all=True)
    assert answer.value["stagedFiles"] == [
        {"path": "inner", "status": "added", "submodule": True},
        {"path": "n.txt", "status": "added"},
    ]
    assert answer.value["warnings"] == ["adding embedded git repository: inner"]
    assert "Warning: adding embedded git repository: inner" in answer.text


async def test_warnings_on_line_ends_are_no_failure(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.git("config", "core.autocrlf", "true")
    repo.write("lf.txt", "1\n2\n")
    answer = await toolbox.call("git_add", paths=["lf.txt"])
    assert [file["path"] for file in answer.value["stagedFiles"]] == ["lf.txt"]
    assert "LF will be replaced by CRLF" in answer.value["warnings"][0]


async def test_safecrlf_refuses_and_the_index_stays(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.git("config", "core.autocrlf", "true")
    repo.git("config", "core.safecrlf", "true")
    repo.write("lf.txt", "1\n2\n")
    answer = await toolbox.call("git_add", paths=["lf.txt"])
    assert answer.code == "command_failed"
    assert answer.refusal is not None
    assert "LF would be replaced by CRLF in lf.txt" in (answer.refusal.stderr or "")
    assert repo.git("ls-files") == b""


async def test_conflicts_are_resolved_by_staging(repo: ScratchRepo, toolbox: Toolbox) -> None:
    make_conflict(repo)
    repo.write("f", "both\n")
    answer = await toolbox.call("git_add", paths=["f"])
    assert answer.value["stagedFiles"] == [{"path": "f", "status": "modified"}]
    assert repo.git("ls-files", "-u") == b""


async def test_a_lock_is_waited_for_and_never_removed(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.write("a", "1\n")
    lock = repo.write(".git/index.lock", "")
    answer = await toolbox.call("git_add", paths=["a"])
    assert answer.code == "repository_locked"
    assert lock.exists()


async def test_many_files_at_once(repo: ScratchRepo, toolbox: Toolbox) -> None:
    names = [f"{'long' * 30}{number}" for number in range(600)]
    for name in names:
        repo.write(name, "1\n")
    answer = await toolbox.call("git_add", paths=names)
    assert len(answer.value["stagedFiles"]) == 600
    assert "… and 400 more files" in answer.text


async def test_hooks_may_use_wildcards(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", **{"a.py": "1\n"})
    write_hook(repo, "post-index-change", "git ls-files -- '*.py' > listed")
    repo.write("a.py", "2\n")
    assert (await toolbox.call("git_add", paths=["a.py"])).code is None
    assert (repo.root / "listed").read_text() == "a.py\n"


def make_conflict(repo: ScratchRepo) -> None:
    """A merge that waits with a conflict in `f`."""
    repo.commit("base", f="base\n")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("theirs", f="theirs\n")
    repo.git("checkout", "-q", "main")
    repo.commit("ours", f="ours\n")
    repo.git("merge", "-q", "side", check=False)


# Parts of files.


async def test_two_commits_of_one_file(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f=NUMBERS)
    repo.write("f", changed(3, 20, 39))
    first = await toolbox.call("git_add", patch=[{"path": "f", "hunks": [1]}])
    assert first.value["stagedFiles"] == [{"path": "f", "status": "modified"}]
    assert repo.git("show", ":f").decode() == changed(20)
    await toolbox.call("git_commit", message="the middle")
    await toolbox.call("git_add", patch=[{"path": "f", "hunks": [0, 1]}])
    assert repo.git("show", ":f").decode() == changed(3, 20, 39)
    assert repo.text("status", "--porcelain") == "M  f"


@pytest.mark.parametrize(
    ("start", "end", "content"),
    [
        # Lines 3 and 4 of the file take the places of lines 3 and 4; an added line comes in alone.
        (3, 3, "1\n2\nthree\n4\n5\n6\n"),
        (3, 4, "1\n2\nthree\nfour\n5\n6\n"),
        (7, 8, "1\n2\n3\n4\n5\n6\nseven\neight\n"),
        (8, 8, "1\n2\n3\n4\n5\n6\neight\n"),
        (1, 99, "1\n2\nthree\nfour\n5\n6\nseven\neight\n"),
    ],
)
async def test_lines(repo: ScratchRepo, toolbox: Toolbox, start: int, end: int, content: str) -> None:
    repo.commit("base", f="1\n2\n3\n4\n5\n6\n")
    repo.write("f", "1\n2\nthree\nfour\n5\n6\nseven\neight\n")
    answer = await toolbox.call("git_add", patch=[{"path": "f", "lines": [{"start": start, "end": end}]}])
    assert answer.code is None, answer.refusal
    assert repo.git("show", ":f").decode() == content


@pytest.mark.parametrize(
    ("line", "content"), [(2, "1\n2\n4\n5\n6\n7\n8\n"), (3, "1\n2\n4\n5\n6\n7\n8\n"), (6, "1\n2\n3\n4\n5\n6\n7\n")]
)
async def test_deleted_lines_are_chosen_by_their_neighbours(
    repo: ScratchRepo, toolbox: Toolbox, line: int, content: str
) -> None:
    repo.commit("base", f="1\n2\n3\n4\n5\n6\n7\n8\n")
    repo.write("f", "1\n2\n4\n5\n6\n7\n")
    answer = await toolbox.call("git_add", patch=[{"path": "f", "lines": [{"start": line, "end": line}]}])
    assert answer.code is None, answer.refusal
    assert repo.git("show", ":f").decode() == content


async def test_the_last_line_end(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="a")
    repo.write("f", "a\nb\nc")
    await toolbox.call("git_add", patch=[{"path": "f", "lines": [{"start": 2, "end": 2}]}])
    assert repo.git("show", ":f") == b"a\nb\n"
    await toolbox.call("git_add", patch=[{"path": "f", "hunks": [0]}])
    assert repo.git("show", ":f") == b"a\nb\nc"


async def test_line_ends_of_windows_are_kept(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="1\r\n2\r\n3\r\n")
    repo.write("f", "one\r\n2\r\nthree\r\n")
    await toolbox.call("git_add", patch=[{"path": "f", "lines": [{"start": 3, "end": 3}]}])
    assert repo.git("show", ":f") == b"1\r\n2\r\nthree\r\n"


async def test_filters_have_their_say(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.git("config", "filter.up.clean", "tr a-z A-Z")
    repo.commit("base", **{".gitattributes": "f filter=up\n", "f": "one\ntwo\nthree\n"})
    repo.write("f", "ein\ntwo\ndrei\n")
    await toolbox.call("git_add", patch=[{"path": "f", "lines": [{"start": 1, "end": 1}]}])
    assert repo.git("show", ":f") == b"EIN\nTWO\nTHREE\n"


async def test_lines_of_new_intended_and_deleted_files(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", gone="a\nb\n")
    repo.write("new", "1\n2\n3\n")
    (repo.root / "new").chmod(0o755)
    repo.write("intended", "1\n2\n")
    repo.git("add", "-N", "intended")
    (repo.root / "gone").unlink()
    answer = await toolbox.call(
        "git_add",
        patch=[
            {"path": "new", "lines": [{"start": 2, "end": 3}]},
            {"path": "intended", "lines": [{"start": 1, "end": 1}]},
            {"path": "gone", "hunks": [0]},
        ],
    )
    assert answer.value["stagedFiles"] == [
        {"path": "gone", "status": "deleted"},
        {"path": "intended", "status": "added"},
        {"path": "new", "status": "added"},
    ]
    assert (repo.git("show", ":new"), repo.git("show", ":intended")) == (b"2\n3\n", b"1\n")
    assert repo.text("ls-files", "-s", "new").startswith("100755 ")
    assert repo.text("ls-files", "gone") == ""


async def test_a_changed_mode_comes_with_the_last_part(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f=NUMBERS)
    repo.write("f", changed(3, 39))
    (repo.root / "f").chmod(0o755)
    await toolbox.call("git_add", patch=[{"path": "f", "hunks": [0]}])
    assert repo.text("ls-files", "-s", "f").startswith("100644 ")
    await toolbox.call("git_add", patch=[{"path": "f", "hunks": [0]}])
    assert repo.text("ls-files", "-s", "f").startswith("100755 ")
    assert repo.text("status", "--porcelain") == "M  f"


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ({"hunks": [3]}, "there are 2 hunks, numbered from 0"),
        ({"hunks": [-1]}, "numbered from 0"),
        ({"lines": [{"start": 10, "end": 12}]}, "nothing has changed in lines 10 to 12"),
        ({"lines": [{"start": 4, "end": 3}]}, "ends before it starts"),
        ({}, "give `hunks` or `lines`"),
    ],
)
async def test_parts_that_are_not_there(
    repo: ScratchRepo, toolbox: Toolbox, part: dict[str, object], said: str
) -> None:
    repo.commit("base", f=NUMBERS)
    repo.write("f", changed(3, 39))
    answer = await toolbox.call("git_add", patch=[{"path": "f", **part}])
    assert answer.code == "invalid_arguments"
    assert answer.refusal is not None
    assert said in answer.refusal.message
    assert repo.git("diff", "--cached") == b""


async def test_what_has_no_parts(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.write("binary", b"\0\1\2")
    (repo.root / "link").symlink_to("a")
    repo.commit("base", f="1\n", typed="1\n")
    repo.write("binary", b"\0\1\3")
    (repo.root / "link").unlink()
    (repo.root / "link").symlink_to("b")
    (repo.root / "typed").unlink()
    (repo.root / "typed").symlink_to("f")
    for path in ("binary", "link", "typed"):
        answer = await toolbox.call("git_add", patch=[{"path": path, "hunks": [0]}])
        assert (path, answer.code) == (path, "invalid_arguments")
    assert (await toolbox.call("git_add", patch=[{"path": "f", "hunks": [0]}])).code == "nothing_to_do"
    assert (await toolbox.call("git_add", patch=[{"path": "no", "hunks": [0]}])).code == "path_not_found"


async def test_conflicts_have_no_parts(repo: ScratchRepo, toolbox: Toolbox) -> None:
    make_conflict(repo)
    assert (await toolbox.call("git_add", patch=[{"path": "f", "hunks": [0]}])).code == "conflict"


# What a person's yes is bound to.


async def test_the_basis_is_the_content_of_its_paths(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", a="1\n", b="1\n")
    repo.write("a", "2\n")
    first = await plan_call(toolbox, "git_add", paths=["a"])
    assert first.command == ("git", "add", "--all", "--", "a")
    repo.write("b", "2\n")
    repo.git("add", "b")
    repo.git("commit", "-q", "-m", "b")
    assert (await plan_call(toolbox, "git_add", paths=["a"])).basis == first.basis
    (repo.root / "a").chmod(0o755)
    executable = await plan_call(toolbox, "git_add", paths=["a"])
    assert executable.basis != first.basis
    repo.write("a", "3\n")
    assert (await plan_call(toolbox, "git_add", paths=["a"])).basis not in (first.basis, executable.basis)


async def test_twenty_that_are_prepared_together_do_not_void_each_other(repo: ScratchRepo, toolbox: Toolbox) -> None:
    for number in range(20):
        repo.write(f"f{number}", "1\n")
    plans = [await plan_call(toolbox, "git_add", paths=[f"f{number}"]) for number in range(20)]
    for number in range(20):
        answer = await toolbox.call("git_add", paths=[f"f{number}"])
        assert answer.plan is not None
        assert answer.plan.basis == plans[number].basis


async def test_the_basis_of_parts_is_bound_to_the_very_part(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f=NUMBERS)
    repo.write("f", changed(3, 39))
    first = await plan_call(toolbox, "git_add", patch=[{"path": "f", "hunks": [1]}])
    await toolbox.call("git_add", patch=[{"path": "f", "hunks": [0]}])
    repo.write("f", changed(3, 20, 39))
    assert (await plan_call(toolbox, "git_add", patch=[{"path": "f", "hunks": [1]}])).basis != first.basis


async def test_planning_changes_nothing(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f=NUMBERS)
    write_hook(repo, "post-index-change", "touch RAN")
    repo.write("new", "1\n2\n")
    before = (repo.root / ".git/index").read_bytes()
    objects = sorted((repo.root / ".git/objects").rglob("*"))
    await plan_call(toolbox, "git_add", patch=[{"path": "new", "lines": [{"start": 1, "end": 1}]}])
    await preview_call(toolbox, "git_add", all=True)
    assert (repo.root / ".git/index").read_bytes() == before
    assert sorted((repo.root / ".git/objects").rglob("*")) == objects
    assert not (repo.root / "RAN").exists()


async def test_the_person_sees_files_and_diff(repo: ScratchRepo, toolbox: Toolbox) -> None:
    repo.commit("base", f="1\n")
    repo.write("f", "2\n")
    repo.write("new`name", "1\n")
    preview = await preview_call(toolbox, "git_add", all=True)
    assert preview.title == "Stage 2 files?"
    assert preview.message == "These files would be staged for the next commit:\n\n- `f`\n- `new’name`"
    assert preview.effects.files_changed == 2
    assert "-1\n+2\n" in preview.cards[0].diffs[0].patch  # type: ignore[union-attr]


async def test_a_repository_with_sha256(scratch: Scratch, open_toolbox: OpenToolbox) -> None:
    repo = scratch.repo("s", object_format="sha256")
    toolbox = open_toolbox(repo)
    repo.commit("base", f=NUMBERS)
    repo.write("f", changed(3, 39))
    answer = await toolbox.call("git_add", patch=[{"path": "f", "hunks": [0]}])
    assert answer.code is None, answer.refusal
    assert repo.git("show", ":f").decode() == changed(3)
