"""Our for-each-ref formats: parsing undoes formatting, and the fields are those that git prints."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_sidecar.git.parse.raw_diff import UnexpectedOutput
from git_sidecar.git.parse.refs import parse_branches, parse_tags
from git_sidecar.model.refs_list import Branch, Tag
from tests.support.strategies import oids, one_line

names = st.sampled_from(["main", "topic/x", "caf\u00e9", "a,b", "--output=pwn", "v1.0", "\U0001f680"])
subjects = one_line


@st.composite
def branch_lists(draw: st.DrawFn) -> list[Branch]:
    """Branches with distinct names, each without upstream, with one, or with one that is gone."""
    chosen = draw(st.lists(names, unique=True, max_size=4))
    return [
        Branch(
            name,
            draw(oids),
            draw(st.booleans()),
            upstream := draw(st.none() | names.map("origin/".__add__)),
            upstream is not None and draw(st.booleans()),
            draw(subjects),
        )
        for name in chosen
    ]


@given(branch_lists())
def test_branches(branches: list[Branch]) -> None:
    # A remote branch that one upstream says exists exists for all.
    kept = {branch.upstream for branch in branches if branch.upstream and not branch.gone}
    expected = tuple(
        Branch(branch.name, branch.head, branch.current, branch.upstream, gone, branch.subject)
        for branch in branches
        for gone in [branch.upstream is not None and branch.upstream not in kept]
    )
    lines = [
        "\0".join(
            [
                f"refs/heads/{branch.name}",
                branch.head,
                "*" if branch.current else " ",
                f"refs/remotes/{branch.upstream}" if branch.upstream else "",
                branch.upstream or "",
                branch.subject,
                "",
            ]
        )
        for branch in branches
    ]
    lines += [f"refs/remotes/{name}\0{'1' * 40}\0 \0\0\0s\0" for name in sorted(filter(None, kept))]
    assert parse_branches("".join(f"{line}\n" for line in lines).encode()) == expected


@st.composite
def tag_values(draw: st.DrawFn) -> Tag:
    """An annotated or a lightweight tag."""
    name, oid = draw(names), draw(oids)
    if draw(st.booleans()):
        return Tag(
            name, oid, draw(oids), True, draw(st.sampled_from(["2024-03-01T10:00:00+00:00", None])), draw(subjects)
        )
    return Tag(name, oid, oid, False, "2024-03-01T10:00:00+01:00", None)


tags = tag_values()


@given(st.lists(tags, max_size=4))
def test_tags(items: list[Tag]) -> None:
    lines = [
        "\0".join(
            [
                *(f"refs/tags/{tag.name}", tag.oid, "tag" if tag.annotated else "commit"),
                *(tag.target if tag.annotated else "", tag.date or "", tag.subject or "the commit's", ""),
            ]
        )
        for tag in items
    ]
    expected = [
        tag if not tag.annotated or tag.subject else Tag(tag.name, tag.oid, tag.target, True, tag.date, "the commit's")
        for tag in items
    ]
    assert parse_tags("".join(f"{line}\n" for line in lines).encode()) == tuple(expected)


def test_what_is_no_record_is_an_error() -> None:
    with pytest.raises(UnexpectedOutput):
        parse_branches(b"refs/heads/main\0abc\n")
