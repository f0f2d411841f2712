"""Blame: parsing undoes formatting in both porcelain formats, wherever the output is cut."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_sidecar.git.parse.blame import BlameParser, parse_blame
from git_sidecar.git.parse.names import quote_name
from git_sidecar.git.parse.raw_diff import UnexpectedOutput
from git_sidecar.model.blame import BlamedLine
from tests.support.strategies import oids, one_line, paths, split_everywhere

zones = st.sampled_from(["+0000", "-0930", "+1400"])
texts = st.binary(max_size=20).map(lambda raw: raw.replace(b"\n", b" "))
# What stands after the name of a header field; git trims names, and a header ends at the line feed.
said = one_line.map(lambda text: text.strip())


@st.composite
def blames(draw: st.DrawFn) -> list[BlamedLine]:
    """Lines of one file, from some commits and none; each commit's details are one."""
    commits = draw(st.lists(st.none() | oids, min_size=1, max_size=3, unique=True))
    details = [
        BlamedLine(
            number=0,
            text=b"",
            commit=commit,
            author=draw(said),
            email=draw(said.filter(lambda text: not set(text) & set("<>"))),
            author_time_s=draw(st.integers(0, 1 << 62)),
            author_zone=draw(zones),
            summary=draw(said),
            boundary=draw(st.booleans()),
            origin=draw(paths),
        )
        for commit in commits
    ]
    picked = draw(st.lists(st.sampled_from(details), max_size=6))
    first = draw(st.integers(1, 50))
    return [replace(line, number=first + at, text=draw(texts)) for at, line in enumerate(picked)]


def format_blame(lines: list[BlamedLine], *, each: bool) -> bytes:
    """The lines as git-blame(1) describes --porcelain, or, with `each`, --line-porcelain."""
    output = b""
    told: set[str | None] = set()
    for line in lines:
        output += f"{line.commit or '0' * 40} {line.number} {line.number} 1\n".encode()
        if each or line.commit not in told:
            told.add(line.commit)
            output += f"author {line.author}\nauthor-mail <{line.email}>\nauthor-time {line.author_time_s}\n".encode()
            output += f"author-tz {line.author_zone}\ncommitter someone\nsummary {line.summary}\n".encode()
            output += b"boundary\n" if line.boundary else b""
            output += b"filename " + quote_name(line.origin) + b"\n"
        output += b"\t" + line.text + b"\n"
    return output


@given(blames(), st.booleans())
def test_parsing_undoes_formatting(lines: list[BlamedLine], each: bool) -> None:
    assert parse_blame(format_blame(lines, each=each)) == tuple(lines)


@settings(max_examples=15, deadline=None)
@given(blames())
def test_the_place_of_a_cut_changes_nothing(lines: list[BlamedLine]) -> None:
    for first, second in split_everywhere(format_blame(lines[:2], each=False)):
        parser = BlameParser()
        parser.feed(first)
        parser.feed(second)
        assert parser.finish() == tuple(lines[:2])


@given(blames(), st.integers(1, 3))
def test_a_limit_stops_after_whole_lines(lines: list[BlamedLine], limit: int) -> None:
    parser = BlameParser(limit_lines=limit)
    wants_more = parser.feed(format_blame(lines, each=True))
    assert parser.finish() == tuple(lines[:limit])
    assert wants_more == (len(lines) < limit)
    assert parser.feed(b"more") == wants_more


@pytest.mark.parametrize("output", [b"no header at all\n", b"a" * 40 + b" 1 1 1\nauthor x\n", b"abc"])
def test_what_is_no_blame_is_an_error(output: bytes) -> None:
    with pytest.raises(UnexpectedOutput):
        parse_blame(output)
