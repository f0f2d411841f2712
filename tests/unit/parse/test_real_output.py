"""The parsers on what the installed git really prints, in the states that a made-up output could get wrong."""

import itertools

import pytest

from git_sidecar.git.parse.blame import parse_blame
from git_sidecar.git.parse.dates import format_iso_date, parse_iso_date
from git_sidecar.git.parse.names import parse_name_status
from git_sidecar.git.parse.numstat import parse_numstat
from git_sidecar.git.parse.patch import format_patch, parse_patch
from git_sidecar.git.parse.raw_diff import UnexpectedOutput, parse_raw_records
from git_sidecar.git.parse.status import parse_status
from git_sidecar.model.changes import ChangeStatus
from tests.support.scratch import Scratch, ScratchRepo


@pytest.fixture
def renamed(repo: ScratchRepo) -> ScratchRepo:
    """A rename, a copy and a binary file, staged."""
    lines = "".join(f"{n}\n" for n in range(50))
    repo.commit("base", **{"old name": lines, "src": lines + "s\n"})
    repo.git("mv", "old name", "new -> name")
    repo.write("copy", lines + "s\n")
    repo.write("src", lines + "s\nchanged\n")
    repo.write("bin", b"\0")
    repo.git("add", "-A")
    return repo


def test_renames_and_copies_in_every_format(renamed: ScratchRepo) -> None:
    options = ("--cached", "-C", "-z")
    paths = {"bin": None, "copy": "src", "new -> name": "old name", "src": None}
    raw = parse_raw_records(renamed.git("diff", *options, "--raw", "--no-abbrev"))
    assert {change.path.text: change.old_path and change.old_path.text for change in raw} == paths
    assert {change.path.text: change.status for change in raw}["copy"] is ChangeStatus.COPIED
    numbers = parse_numstat(renamed.git("diff", *options, "--numstat"))
    assert {item.path.text: item.old_path and item.old_path.text for item in numbers} == paths
    assert {item.path.text: item.additions for item in numbers} == {"bin": None, "copy": 0, "new -> name": 0, "src": 1}
    names = parse_name_status(renamed.git("diff", *options, "--name-status"))
    assert {path.text: old and old.text for _, path, old in names} == paths
    status = parse_status(renamed.git("-c", "status.renames=copies", "status", "--porcelain=v2", "-z"))
    assert {entry.path.text: entry.old_path and entry.old_path.text for entry in status.entries} == paths


def test_patches_with_every_kind_of_header(renamed: ScratchRepo) -> None:
    (renamed.root / "src").chmod(0o755)
    renamed.write("empty", "")
    renamed.write("a\tb", "x\n")
    renamed.git("add", "-A")
    patch = renamed.git("diff", "--cached", "-C")
    files = parse_patch(patch)
    assert format_patch(files) == patch
    sides = {
        file.path.text: (file.old_path and file.old_path.text, file.new_path and file.new_path.text, file.binary)
        for file in files
        if file.path
    }
    assert sides == {
        "a\tb": (None, "a\tb", False),
        "bin": (None, "bin", True),
        "copy": ("src", "copy", False),
        "empty": (None, "empty", False),
        "new -> name": ("old name", "new -> name", False),
        "src": ("src", "src", False),
    }


def test_a_patch_with_hunks_is_what_git_apply_takes(repo: ScratchRepo) -> None:
    repo.commit("base", f="".join(f"{n}\n" for n in range(60)))
    repo.write("f", "".join(f"{n}{'x' * (n % 20 == 5)}\n" for n in range(60)))
    (file,) = parse_patch(repo.git("diff"))
    assert [(hunk.old_start, hunk.old_count, hunk.new_start, hunk.new_count) for hunk in file.hunks] == [
        (3, 7, 3, 7),
        (23, 7, 23, 7),
        (43, 7, 43, 7),
    ]
    one = type(file)(file.header, file.old_path, file.new_path, (file.hunks[1],))
    repo.git("apply", "--cached", "-", stdin=format_patch([one]))
    assert repo.text("diff", "--cached", "--numstat") == "1\t1\tf"
    assert "+25x" in repo.text("diff", "--cached")


def test_a_cut_patch_is_parsed_as_far_as_it_goes(repo: ScratchRepo) -> None:
    repo.write("f", "".join(f"{n}\n" for n in range(10)))
    repo.git("add", "-A")
    patch = repo.git("diff", "--cached")
    for end in range(len(patch)):
        for file in parse_patch(patch[:end]):
            assert len(file.hunks) <= 1
    (cut,) = parse_patch(patch[: patch.index(b"+5")] + b"\n... [5 lines omitted] ...\n\n")
    assert cut.hunks[0].lines[:5] == (b"+0", b"+1", b"+2", b"+3", b"+4")
    assert parse_patch(b"") == parse_patch(b"@@ -1 +1 @@\n-a\n+b\n") == []


def test_sparse_and_submodule_states(scratch: Scratch) -> None:
    lib = scratch.repo("lib")
    lib.commit("lib", l="1\n")
    repo = scratch.repo()
    repo.git("submodule", "--quiet", "add", str(lib.root), "sub")
    repo.commit("base", **{"in/a": "a\n", "out/b": "b\n"})
    repo.git("sparse-checkout", "set", "--skip-checks", "in", "sub")
    repo.write("sub/l", "2\n")
    repo.write("sub/new", "n\n")
    status = parse_status(repo.git("status", "--porcelain=v2", "-z", "--branch"))
    (entry,) = status.entries
    assert (entry.path.text, entry.code) == ("sub", ".M")
    assert entry.submodule is not None
    assert (entry.submodule.commit_changed, entry.submodule.modified, entry.submodule.untracked) == (False, True, True)


def test_blame_of_lines_that_look_like_headers(repo: ScratchRepo) -> None:
    text = "author nobody\nfilename x\n\tindented\n\nboundary\n" + "0" * 40 + " 1 1 1\n"
    repo.commit("base", f=text)
    for form in ("--porcelain", "--line-porcelain"):
        lines = parse_blame(repo.git("blame", form, "f"))
        assert b"".join(line.text + b"\n" for line in lines) == text.encode()
        assert {line.author for line in lines} == {"Case Author"}


def test_combined_records(repo: ScratchRepo) -> None:
    repo.commit("base", f="1\n")
    repo.git("checkout", "-q", "-b", "o")
    repo.commit("o", f="2\n")
    repo.git("checkout", "-q", "main")
    repo.commit("m", f="3\n")
    repo.git("merge", "-q", "o", check=False)
    output = repo.git("diff", "--raw", "--no-abbrev", "-p", "-z")
    (change,) = parse_raw_records(output)
    assert (change.status, change.path.text, change.new_mode) == (ChangeStatus.UNMERGED, "f", "100644")
    with pytest.raises(UnexpectedOutput):
        parse_raw_records(b"::100644 100644 MM\0f\0")


def test_dates() -> None:
    assert parse_iso_date("2024-03-01T10:00:00Z") == "2024-03-01T10:00:00+00:00"
    assert format_iso_date(0, "+0000") == "1970-01-01T00:00:00+00:00"
    assert format_iso_date(1_709_287_200, "-0930") == "2024-03-01T00:30:00-09:30"
    for odd in itertools.product((-1, 10**20), ("+0000", "nonsense", "+9999")):
        assert format_iso_date(*odd).startswith("1970-01-01T")
