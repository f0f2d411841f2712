"""Porcelain v2: parsing undoes formatting, whatever the names and wherever the output is cut."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_sidecar.git.parse.raw_diff import UnexpectedOutput
from git_sidecar.git.parse.status import StatusParser, parse_status
from git_sidecar.model.changes import STATUS_LETTERS, Conflict
from git_sidecar.model.fingerprint import HeadState
from git_sidecar.model.refs import RepoPath
from git_sidecar.model.status import Status, StatusEntry, SubmoduleState
from tests.support.strategies import oids, paths, split_everywhere

MODES = st.sampled_from(["000000", "100644", "100755", "120000", "160000"])
LETTERS = ".MADTRC"
repo_paths = paths.map(RepoPath.from_bytes)


@st.composite
def entries(draw: st.DrawFn) -> StatusEntry:
    """A record of kind 1 or 2; intent-to-add is `.A`."""
    code = draw(st.sampled_from([x + y for x in LETTERS for y in ".MADTRC" if x + y != ".."]))
    renamed = "R" in code or "C" in code
    return StatusEntry(
        path=draw(repo_paths),
        code=code,
        staged=STATUS_LETTERS.get(code[0]),
        unstaged=STATUS_LETTERS.get(code[1]),
        old_path=draw(repo_paths) if renamed else None,
        submodule=draw(st.none() | st.builds(SubmoduleState, st.booleans(), st.booleans(), st.booleans())),
        head_mode=draw(MODES),
        index_mode=draw(MODES),
        worktree_mode=draw(MODES),
        head_oid=draw(oids),
        index_oid=draw(oids),
    )


conflicts = st.builds(Conflict, repo_paths, st.sampled_from(["UU", "AA", "DD", "DU", "UD", "AU", "UA"]))
branch_names = st.sampled_from(["main", "topic/x", "caf\u00e9", "(odd)", "a b"])


@st.composite
def statuses(draw: st.DrawFn) -> Status:
    """A whole status: unborn or not, detached or not, with an upstream, a gone one, or none."""
    upstream = draw(st.none() | st.sampled_from(["origin/main", "origin/x y"]))
    gone = draw(st.booleans())
    distance = st.integers(0, 10_000)
    return Status(
        head=HeadState(draw(st.none() | oids), draw(st.none() | branch_names)),
        upstream=upstream,
        ahead=draw(distance) if upstream and not gone else None,
        behind=draw(distance) if upstream and not gone else None,
        stashes=draw(st.none() | st.integers(1, 99)),
        entries=tuple(draw(st.lists(entries(), max_size=3))),
        conflicts=tuple(draw(st.lists(conflicts, max_size=2))),
        untracked=tuple(draw(st.lists(repo_paths, max_size=3))),
        ignored=tuple(draw(st.lists(repo_paths, max_size=1))),
    )


def format_status(status: Status) -> bytes:
    """The status as git-status(1) describes porcelain v2 with --branch, --show-stash and -z."""
    ends = [
        f"# branch.oid {status.head.commit or '(initial)'}".encode(),
        f"# branch.head {status.head.branch or '(detached)'}".encode(),
    ]
    if status.upstream:
        ends.append(f"# branch.upstream {status.upstream}".encode())
    if status.ahead is not None:
        ends.append(f"# branch.ab +{status.ahead} -{status.behind}".encode())
    if status.stashes is not None:
        ends.append(f"# stash {status.stashes}".encode())
    for entry in status.entries:
        sub = entry.submodule
        flags = "N..." if sub is None else f"S{'.C'[sub.commit_changed]}{'.M'[sub.modified]}{'.U'[sub.untracked]}"
        fields = [entry.code, flags, entry.head_mode, entry.index_mode, entry.worktree_mode]
        meta = " ".join([*fields, entry.head_oid, entry.index_oid]).encode()
        if entry.old_path is None:
            ends.append(b"1 " + meta + b" " + entry.path.raw)
        else:
            ends += [b"2 " + meta + b" R100 " + entry.path.raw, entry.old_path.raw]
    zeros = "0" * 40
    ends += [
        f"u {conflict.code} N... 100644 100644 100644 100644 {zeros} {zeros} {zeros} ".encode() + conflict.path.raw
        for conflict in status.conflicts
    ]
    ends += [b"? " + path.raw for path in status.untracked]
    ends += [b"! " + path.raw for path in status.ignored]
    return b"".join(end + b"\0" for end in ends)


@given(statuses())
def test_parsing_undoes_formatting(status: Status) -> None:
    assert parse_status(format_status(status)) == status


@settings(max_examples=15, deadline=None)
@given(statuses())
def test_the_place_of_a_cut_changes_nothing(status: Status) -> None:
    for first, second in split_everywhere(format_status(status)):
        parser = StatusParser()
        assert parser.feed(first)
        assert parser.feed(second)
        assert parser.finish() == status


@given(statuses())
def test_one_byte_at_a_time(status: Status) -> None:
    parser = StatusParser()
    for byte in format_status(status):
        parser.feed(bytes([byte]))
    assert parser.finish() == status


@given(entries())
def test_a_record_that_is_cut_short_is_an_error(entry: StatusEntry) -> None:
    output = format_status(Status(HeadState(None, None), entries=(replace(entry, code="R."),)))
    if entry.old_path is None:
        return
    with pytest.raises(UnexpectedOutput):
        parse_status(output[:-1])
    with pytest.raises(UnexpectedOutput):
        parse_status(output[: output.rindex(b"\0", 0, -1) + 1])


@pytest.mark.parametrize("record", [b"x what", b"1 MM N... 100644", b"1 Z. N... 1 2 3 a b p", b"u UU N... 1"])
def test_what_is_no_record_is_an_error(record: bytes) -> None:
    with pytest.raises(UnexpectedOutput):
        parse_status(record + b"\0")
