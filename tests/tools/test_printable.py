"""What a repository says is shown so that it cannot pass for something else."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_sidecar.tools.cards import diff_card, find_language
from git_sidecar.tools.printable import clipped, counted, indented, printable, printable_line
from git_sidecar.tools.values import FileValue


@given(st.text())
def test_no_control_and_no_mark_is_left(text: str) -> None:
    shown = printable(text)
    left = [char for char in shown.replace("\r\n", "\n") if unicodedata.category(char) == "Cc" and char not in "\t\n"]
    assert not left
    assert not any(
        unicodedata.bidirectional(char) in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
        for char in shown
    )
    assert "\n" not in printable_line(text)
    assert "\t" not in printable_line(text)


@given(st.text(st.characters(categories=["L", "N", "P", "S", "Zs"])))
def test_ordinary_text_stays(text: str) -> None:
    assert printable(text) == text


def test_spelling() -> None:
    assert printable("a\x1b[31m\r\nb\rc\x85\u202e\t") == "a\\x1b[31m\r\nb\\x0dc\\x85\\u202e\t"
    assert printable_line("a\nb\tc") == "a\\nb\\tc"
    assert printable_line("a\\b") == "a\\b"


def test_counts_and_clips() -> None:
    assert counted(1, "file") == "1 file"
    assert counted(0, "entry", "entries") == "0 entries"
    assert clipped(["a", "b", "c"], 2) == ["a", "b", "\u2026 and 1 more line"]
    assert clipped(["a", "b"], 2) == ["a", "b"]
    assert indented(["a", ""]) == ["  a", ""]


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a/b.PY", "python"),
        ("Makefile", "makefile"),
        ("x/Dockerfile", "dockerfile"),
        ("README", None),
        ("a.tar.xyz", None),
        (".ts", "typescript"),
    ],
)
def test_languages(path: str, language: str | None) -> None:
    assert find_language(path) == language


def file(path: str, status: str = "modified", coverage: str = "full") -> FileValue:
    """A file value."""
    return FileValue(path=path, status=status, additions=1, deletions=1, binary=False, coverage=coverage)


def test_a_page_that_begins_within_a_file_keeps_its_lines() -> None:
    rest = "+tail of one\n@@ -9 +9 @@\n-a\n+b\n"
    text = rest + "diff --git a/two b/two\nindex 1..2 100644\n--- a/two\n+++ b/two\n@@ -1 +1 @@\n-x\n+y\n"
    card = diff_card(text, [file("one", coverage="partial"), file("two")])
    assert "".join(diff.patch for diff in card.diffs) == text
    assert [(diff.path, diff.old_text, diff.new_text) for diff in card.diffs] == [
        ("one", None, None),
        ("two", "x\n", "y\n"),
    ]


def test_a_cut_diff_without_all_its_files_is_told_by_its_headers() -> None:
    text = "diff --git a/one b/one\n--- a/one\n+++ b/one\n@@ -1 +1 @@\n-x\n\n... [9 lines omitted] ...\n\n+tail\n"
    card = diff_card(text, [file("one"), file("two"), file("three")])
    assert [(diff.path, diff.old_text, diff.patch) for diff in card.diffs] == [("one", None, text)]


@given(st.text(max_size=200), st.lists(st.sampled_from(["a", "b"]), max_size=3))
def test_any_text_makes_a_card(text: str, paths: list[str]) -> None:
    card = diff_card("diff --git " + text, [file(path) for path in paths])
    assert "".join(diff.patch for diff in card.diffs) == "diff --git " + text
