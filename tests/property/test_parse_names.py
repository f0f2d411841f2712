"""Lists of names, numbers and raw records: parsing undoes formatting for every name that a repository can hold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_sidecar.git.parse.names import parse_name_status, parse_names, quote_name, unquote_name
from git_sidecar.git.parse.numstat import FileCounts, parse_numstat
from git_sidecar.git.parse.raw_diff import UnexpectedOutput, parse_raw_records
from git_sidecar.model.changes import STATUS_LETTERS, ChangeStatus, RawChange
from git_sidecar.model.refs import RepoPath
from tests.support.scratch import ScratchRepo
from tests.support.strategies import ODD_NAMES, oids, paths

repo_paths = paths.map(RepoPath.from_bytes)
counts = st.none() | st.integers(0, 1 << 40)
plain_letters = st.sampled_from(sorted(set(STATUS_LETTERS) - {"R", "C"}))


@given(st.lists(repo_paths, max_size=5))
def test_names(names: list[RepoPath]) -> None:
    assert parse_names(b"".join(name.raw + b"\0" for name in names)) == names


@given(paths)
def test_unquoting_undoes_quoting(name: bytes) -> None:
    assert unquote_name(quote_name(name)) == name
    assert quote_name(name).isascii()


def test_quoting_is_gits_own(repo: ScratchRepo) -> None:
    oid = repo.git("hash-object", "-w", "--stdin", stdin=b"x").decode().strip()
    for name in ODD_NAMES:
        repo.git("update-index", "-z", "--index-info", stdin=b"100644 " + oid.encode() + b"\t" + name + b"\0")
    printed = repo.git("ls-files").split(b"\n")[:-1]
    assert printed == [quote_name(name) for name in sorted(ODD_NAMES)]
    assert [unquote_name(line) for line in printed] == parse_bytes(repo.git("ls-files", "-z"))


def parse_bytes(output: bytes) -> list[bytes]:
    """The names as bytes."""
    return [path.raw for path in parse_names(output)]


@st.composite
def raw_changes(draw: st.DrawFn) -> RawChange:
    """A record of any status; two paths for renames and copies."""
    letter = draw(st.sampled_from(sorted(STATUS_LETTERS)))
    two = letter in "RC"
    modes = st.sampled_from(["000000", "100644", "100755", "120000", "160000"])
    return RawChange(
        STATUS_LETTERS[letter],
        draw(repo_paths),
        draw(repo_paths) if two else None,
        draw(modes),
        draw(modes),
        draw(oids),
        draw(oids),
    )


def letter_of(status: ChangeStatus) -> str:
    """git's letter, with the score that renames and copies carry."""
    letter = next(letter for letter, meaning in STATUS_LETTERS.items() if meaning is status)
    return letter + ("087" if letter in "RC" else "")


def format_raw(changes: list[RawChange]) -> bytes:
    """The records as git-diff(1) describes the raw format with -z."""
    output = b""
    for change in changes:
        fields = [change.old_mode, change.new_mode, change.old_oid, change.new_oid, letter_of(change.status)]
        output += b":" + " ".join(fields).encode() + b"\0"
        if change.old_path is not None:
            output += change.old_path.raw + b"\0"
        output += change.path.raw + b"\0"
    return output


@given(st.lists(raw_changes(), max_size=5))
def test_raw_records(changes: list[RawChange]) -> None:
    assert parse_raw_records(format_raw(changes)) == changes


@given(st.lists(raw_changes(), max_size=5))
def test_name_status(changes: list[RawChange]) -> None:
    output = b""
    for change in changes:
        old = change.old_path.raw + b"\0" if change.old_path is not None else b""
        output += letter_of(change.status).encode() + b"\0" + old + change.path.raw + b"\0"
    assert parse_name_status(output) == [(change.status, change.path, change.old_path) for change in changes]


@given(st.lists(st.builds(FileCounts, repo_paths, st.none() | repo_paths, counts, counts), max_size=5))
def test_numstat(items: list[FileCounts]) -> None:
    output = b""
    for item in items:
        for count in (item.additions, item.deletions):
            output += (b"-" if count is None else b"%d" % count) + b"\t"
        if item.old_path is not None:
            output += b"\0" + item.old_path.raw + b"\0"
        output += item.path.raw + b"\0"
    assert parse_numstat(output) == items


@pytest.mark.parametrize("output", [b"1\t2\tf", b"1\t2\0", b"1\t2\t\0old\0"])
def test_numstat_that_is_none(output: bytes) -> None:
    with pytest.raises(UnexpectedOutput):
        parse_numstat(output)


@pytest.mark.parametrize("output", [b"M\0", b"R100\0a\0", b"?\0x\0"])
def test_name_status_that_is_none(output: bytes) -> None:
    with pytest.raises(UnexpectedOutput):
        parse_name_status(output)
