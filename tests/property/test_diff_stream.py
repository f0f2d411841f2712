"""Cutting a diff while it streams: the same result however it is chunked, and exactly what the contract says."""

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from git_sidecar.git.parse.budget_cut import BudgetCut
from git_sidecar.git.parse.diff_stream import DiffStream
from git_sidecar.git.parse.line_cut import SLACK_LINES, CutLimits, CutText, LineCut
from git_sidecar.git.parse.patch_sections import PatchSections

SMALL = CutLimits(head_lines=6, tail_lines=3, line_length=80, head_bytes=1_200)
OID = "a" * 40

lines = st.one_of(
    st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=30),
    st.integers(70, 260).map(lambda size: "é" * size),
    st.integers(9_000, 200_000).map(lambda size: "x" * size),
    st.integers(40_000, 90_000).map(lambda size: "aé\U0001f680" * (size // 3)),
    st.sampled_from(["", "\r", "\x0c form feed", "a\u2028b", "+++ not a header", "--- neither", "diff --git a b"]),
)


def chunks_of(data: bytes, cuts: list[int]) -> list[bytes]:
    """`data` cut at the given places."""
    places = sorted({cut % (len(data) + 1) for cut in cuts})
    edges = [0, *places, len(data)]
    return [data[start:end] for start, end in itertools.pairwise(edges)]


def cut_lines(data: bytes, limits: CutLimits, chunks: list[bytes]) -> CutText:
    """What LineCut makes of the chunks."""
    cut = LineCut(limits)
    for chunk in chunks:
        cut.feed(chunk)
    return cut.finish()


def reference(data: bytes, limits: CutLimits) -> tuple[str, int]:
    """The contract's rule on the whole text: the text that is left and how many lines are missing."""
    whole = data.decode()
    every = whole.split("\n")
    if every[-1] == "":
        every.pop()
        ended = True
    else:
        ended = False
    raw = [line + "\n" for line in every]
    if not ended and raw:
        raw[-1] = raw[-1][:-1]

    def shorten(line: str) -> str:
        body = line.removesuffix("\n")
        if len(body) <= limits.line_length:
            return line
        half = limits.line_length // 2
        return f"{body[:half]} ... [{len(body) - 2 * half} chars omitted] ... {body[-half:]}" + line[len(body) :]

    if len(data) <= limits.head_bytes:
        if len(raw) <= limits.head_lines + limits.tail_lines + SLACK_LINES:
            return "".join(map(shorten, raw)), 0
        head = limits.head_lines
    else:
        head, size = 0, 0
        while head < min(len(raw), limits.head_lines):
            size += len(raw[head].encode())
            if size > limits.head_bytes:
                break
            head += 1
    rest = len(raw) - head
    if rest <= limits.tail_lines + SLACK_LINES:
        return "".join(map(shorten, raw)), 0
    omitted = rest - limits.tail_lines
    marker = f"\n... [{omitted} lines omitted] ...\n\n"
    return "".join(map(shorten, raw[:head])) + marker + "".join(map(shorten, raw[-limits.tail_lines :])), omitted


@settings(deadline=None)
@given(st.lists(lines, max_size=40), st.booleans(), st.lists(st.integers(0, 1_000_000), max_size=12))
def test_line_cut_is_the_contract_rule_for_every_chunking(body: list[str], ended: bool, cuts: list[int]) -> None:
    data = ("\n".join(body) + ("\n" if ended else "")).encode()
    got = cut_lines(data, SMALL, chunks_of(data, cuts))
    text, omitted = reference(data, SMALL)
    assert got.text == text
    assert got.omitted_lines == omitted
    assert got.truncated == (got.text != data.decode())
    if got.omitted is not None:
        start, end = got.omitted
        assert data[start:end].count(b"\n") == omitted


@settings(deadline=None)
@given(st.lists(lines, max_size=40), st.lists(st.integers(0, 1_000_000), max_size=12))
def test_line_cut_memory_is_bounded_by_the_limits(body: list[str], cuts: list[int]) -> None:
    data = "\n".join(body).encode()
    got = cut_lines(data, SMALL, chunks_of(data, cuts))
    most_lines = SMALL.head_lines + SMALL.tail_lines + SLACK_LINES + 3
    assert len(got.text) <= most_lines * (SMALL.line_length + 40)


def a_patch(files: list[tuple[list[str], list[str]]]) -> tuple[bytes, bytes]:
    """Raw records and a patch in git's form, for files with the given deleted and added lines."""
    raw, patch = b"", b""
    for number, (deleted, added) in enumerate(files):
        name = f"f{number}".encode()
        raw += b":100644 100644 " + OID.encode() + b" " + OID.encode() + b" M\0" + name + b"\0"
        patch += b"diff --git a/" + name + b" b/" + name + b"\nindex 1..2 100644\n"
        if deleted or added:
            patch += b"--- a/" + name + b"\n+++ b/" + name + b"\n@@ -1 +1 @@\n"
            patch += b"".join(b"-" + line.encode() + b"\n" for line in deleted)
            patch += b"".join(b"+" + line.encode() + b"\n" for line in added)
    return raw, patch


plain = st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=12)
tricky = st.one_of(plain, st.sampled_from(["+", "-- a/x", "++ b/x", "@@ -1", "diff --git a b", "Binary files "]))
some_files = st.lists(st.tuples(st.lists(tricky, max_size=6), st.lists(tricky, max_size=6)), max_size=6)


@settings(deadline=None)
@given(some_files, st.lists(st.integers(0, 1_000_000), max_size=20))
def test_counts_and_files_do_not_depend_on_chunks(files: list[tuple[list[str], list[str]]], cuts: list[int]) -> None:
    raw, patch = a_patch(files)
    whole = raw + (b"\0" + patch if raw else b"")
    stream = DiffStream(limits=CutLimits())
    for chunk in chunks_of(whole, cuts):
        assert stream.feed(chunk)
    diff = stream.finish()
    assert stream.raw == raw
    assert diff.text == patch.decode()
    assert [(file.deletions, file.additions) for file in diff.files] == [
        (len(deleted), len(added)) for deleted, added in files
    ]


@settings(deadline=None)
@given(some_files, st.lists(st.integers(0, 1_000_000), max_size=20), st.integers(1, 400))
def test_budget_is_never_exceeded_and_cuts_at_line_ends(
    files: list[tuple[list[str], list[str]]], cuts: list[int], budget: int
) -> None:
    _, patch = a_patch(files)
    sections = PatchSections(unmerged=False)
    cut = BudgetCut(budget)
    for chunk in chunks_of(patch, cuts):
        for begins, piece in sections.feed(chunk):
            cut.feed(piece, begins=begins)
    for begins, piece in sections.finish():
        cut.feed(piece, begins=begins)
    texts = cut.finish()
    bodies = [b"diff --git " + part for part in (b"\n" + patch).split(b"\ndiff --git ")[1:]]
    assert len(texts) == len(files)
    for text, body in zip(texts, bodies, strict=True):
        original = body.decode() + ("\n" if body is not bodies[-1] else "")
        assert len(text.text) <= budget
        if text.cut:
            kept = text.text.split("... [")[0]
            assert original.startswith(kept)
            assert kept == "" or kept.endswith("\n")
        else:
            assert text.text == original
