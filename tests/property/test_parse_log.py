"""Our log and stash formats: parsing undoes formatting, wherever the output is cut."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_sidecar.git.parse.log import LogParser, parse_log
from git_sidecar.git.parse.raw_diff import UnexpectedOutput
from git_sidecar.git.parse.stash import parse_stashes
from git_sidecar.model.commit import Commit
from git_sidecar.model.refs_list import Stash
from tests.support.strategies import oids, one_line, split_everywhere

dates = st.sampled_from(["2024-03-01T10:00:00+00:00", "1970-01-01T00:00:00-09:30", "2106-02-07T06:28:15+14:00"])
decorations = st.sampled_from(["HEAD -> main", "tag: v1", "origin/main", "a,b", "HEAD"])
bodies = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=30).filter(
    lambda text: not text.endswith("\n")
)

commits = st.builds(
    Commit,
    oid=oids,
    short_oid=oids.map(lambda oid: oid[:7]),
    parents=st.lists(oids, max_size=3).map(tuple),
    author=one_line,
    email=one_line,
    date=dates,
    refs=st.lists(decorations, max_size=3).map(tuple),
    subject=one_line,
    body=bodies,
)


def format_log(items: list[Commit]) -> bytes:
    """Nine NUL-ended fields a commit; a body ends in a line feed, as %b does."""
    fields = [
        [
            *(item.oid, item.short_oid, " ".join(item.parents), item.author, item.email, item.date),
            *(", ".join(item.refs), item.subject, item.body + ("\n" if item.body else "")),
        ]
        for item in items
    ]
    return "".join(f"{field}\0" for record in fields for field in record).encode()


@given(st.lists(commits, max_size=4))
def test_parsing_undoes_formatting(items: list[Commit]) -> None:
    assert parse_log(format_log(items)) == tuple(items)


@settings(max_examples=15, deadline=None)
@given(st.lists(commits, max_size=2))
def test_the_place_of_a_cut_changes_nothing(items: list[Commit]) -> None:
    for first, second in split_everywhere(format_log(items)):
        parser = LogParser()
        parser.feed(first)
        parser.feed(second)
        assert parser.finish() == tuple(items)


@given(st.lists(commits, min_size=1, max_size=3))
def test_a_commit_that_is_cut_short_is_an_error(items: list[Commit]) -> None:
    with pytest.raises(UnexpectedOutput):
        parse_log(format_log(items)[:-1] + b"x")


@given(st.lists(commits, min_size=2, max_size=5), st.integers(1, 2_000))
def test_a_limit_ends_a_page_after_a_whole_commit(items: list[Commit], limit: int) -> None:
    parser = LogParser(limit_bytes=limit)
    more = parser.feed(format_log(items))
    kept = parser.finish()
    assert kept == tuple(items[: len(kept)])
    assert kept
    assert more != parser.full
    assert more or len(format_log(list(kept))) + 9 > limit
    assert not more or len(kept) == len(items)


def test_what_is_not_utf8_is_replaced_and_told() -> None:
    record = b"\0".join([b"a" * 40, b"aaaaaaa", b"", b"Caf\xe9", b"e", b"2024-03-01T10:00:00Z", b"", b"s", b""]) + b"\0"
    parser = LogParser()
    parser.feed(record)
    (commit,) = parser.finish()
    assert commit.author == "Caf\ufffd"
    assert commit.date == "2024-03-01T10:00:00+00:00"
    assert parser.invalid_utf8


stash_entries = st.lists(st.tuples(oids, st.lists(oids, min_size=2, max_size=3), one_line, dates), max_size=4)


@given(stash_entries)
def test_stashes(items: list[tuple[str, list[str], str, str]]) -> None:
    output = "".join(f"{oid}\0{' '.join(parents)}\0{said}\0{date}\0" for oid, parents, said, date in items).encode()
    expected = [
        Stash(number, oid, tuple(parents), said, date) for number, (oid, parents, said, date) in enumerate(items)
    ]
    assert parse_stashes(output) == tuple(expected)
    if items:
        with pytest.raises(UnexpectedOutput):
            parse_stashes(output[:-1])
