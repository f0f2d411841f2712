"""Pages of a diff: put together they are git's text, whatever the limits and however the output comes."""

import itertools
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_sidecar.git.diff_defaults import PATCH_OPTIONS
from git_sidecar.git.parse.diff_page import DiffPager
from git_sidecar.git.parse.line_window import LineWindow, WindowLimits
from git_sidecar.model.changes import Coverage
from git_sidecar.model.diff import DiffPage
from tests.support.scratch import Scratch


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """`git diff --raw -p -z` with renames, a type change, modes, binary, empty and unmerged files, and odd names."""
    repo = Scratch(tmp_path_factory.mktemp("pages")).repo()
    lines = "".join(f"line {n}\n" for n in range(60))
    repo.commit(
        "base", **{"a b.txt": lines, "move": lines + "m\n", "type": "t\n", "run.sh": "x\n", "gone\n": "g\n", "u": "1\n"}
    )
    repo.git("checkout", "-q", "-b", "other")
    repo.commit("theirs", u="2\n")
    repo.git("checkout", "-q", "main")
    repo.commit("ours", u="3\n")
    repo.git("merge", "-q", "other", check=False)
    repo.write("a b.txt", "".join(f"line {n}{'!' * (n % 15 == 0)}\n" for n in range(60)))
    repo.git("mv", "move", "mo\tved \u00fc")
    (repo.root / "type").unlink()
    (repo.root / "type").symlink_to("run.sh")
    (repo.root / "run.sh").chmod(0o755)
    (repo.root / "gone\n").unlink()
    repo.write("bin", b"\0\1")
    repo.write("empty", "")
    repo.write("wide", "\u00e9" * 300 + "\n" + "n" * 40)
    repo.write("zz", lines)
    repo.git("add", "-A", ":!u")
    return repo.git("diff", "--cached", "--raw", "--no-abbrev", "-p", "-z", *PATCH_OPTIONS)


def read_page(output: bytes, offset: int, limits: WindowLimits, cuts: list[int]) -> DiffPage:
    """The page at an offset, the output coming in pieces."""
    pager = DiffPager(offset, limits)
    places = sorted({0, len(output), *(cut % (len(output) + 1) for cut in cuts)})
    for start, end in itertools.pairwise(places):
        assert pager.feed(output[start:end])
    return pager.finish()


def read_all(output: bytes, limits: WindowLimits, cuts: list[int]) -> list[DiffPage]:
    """All pages in order."""
    pages = [read_page(output, 0, limits, cuts)]
    while (offset := pages[-1].next_offset) is not None:
        assert len(pages) < 1_000
        pages.append(read_page(output, offset, limits, cuts))
    return pages


def patch_of(output: bytes) -> bytes:
    """The patch behind the records: after the first empty token."""
    return output[output.index(b"\0\0") + 2 :]


some_cuts = st.lists(st.integers(0, 1 << 20), max_size=8)


@settings(deadline=None, max_examples=60)
@given(cuts=some_cuts, lines=st.integers(1, 90), size=st.integers(1, 4_000))
def test_pages_add_up_to_the_patch(output: bytes, cuts: list[int], lines: int, size: int) -> None:
    pages = read_all(output, WindowLimits(lines, size, 2_000), cuts)
    assert "".join(page.text for page in pages).encode() == patch_of(output)
    assert len({page.fingerprint for page in pages}) == 1
    assert all(page.text.count("\n") <= lines for page in pages)
    seen = list(dict.fromkeys(file.change.path for page in pages for file in page.files))
    whole = read_page(output, 0, WindowLimits(10_000, 1 << 20, 2_000), [])
    assert seen == [file.change.path for file in whole.files]
    assert {page.total_files for page in pages} == {len(seen)}
    for page in pages:
        for file in page.files:
            full = next(one for one in whole.files if one.change == file.change)
            assert (file.additions, file.deletions, file.binary) == (full.additions, full.deletions, full.binary)
            assert file.coverage in (full.coverage, Coverage.PARTIAL)


@settings(deadline=None, max_examples=60)
@given(cuts=some_cuts, lines=st.integers(1, 90))
def test_chunks_change_nothing(output: bytes, cuts: list[int], lines: int) -> None:
    limits = WindowLimits(lines, 2_000, 80)
    assert read_all(output, limits, cuts) == read_all(output, limits, [])


def test_the_kinds_of_files_are_there(output: bytes) -> None:
    page = read_page(output, 0, WindowLimits(10_000, 1 << 20, 2_000), [])
    kinds = {file.change.path.text: file.change.status.value for file in page.files}
    assert kinds == {
        "a b.txt": "modified",
        "bin": "added",
        "empty": "added",
        "gone\n": "deleted",
        "mo\tved \u00fc": "renamed",
        "run.sh": "modified",
        "type": "typeChanged",
        "u": "unmerged",
        "wide": "added",
        "zz": "added",
    }


def test_names_like_headers_do_not_confuse(tmp_path: Path) -> None:
    repo = Scratch(tmp_path).repo()
    repo.write("f", "diff --git a/x b/x\n* Unmerged path y\n@@ -1 +1 @@\n")
    repo.git("add", "-A")
    output = repo.git("diff", "--cached", "--raw", "--no-abbrev", "-p", "-z", *PATCH_OPTIONS)
    pages = read_all(output, WindowLimits(2, 1 << 20, 2_000), [])
    assert "".join(page.text for page in pages).encode() == patch_of(output)
    assert all(len(page.files) == 1 for page in pages)


texts = st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=60), max_size=12).map(
    "\n".join
)


@given(texts, st.lists(st.integers(0, 1_000), max_size=6), st.integers(4, 30))
def test_lines_over_the_limit_keep_both_ends(text: str, cuts: list[int], length: int) -> None:
    data = text.encode()
    window = LineWindow(0, WindowLimits(1_000, 1 << 20, length))
    places = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    for start, end in itertools.pairwise(places):
        window.feed(data[start:end])
    window.finish()
    half = length // 2
    expected = [
        line if len(line) <= length else f"{line[:half]} ... [{len(line) - 2 * half} chars omitted] ... {line[-half:]}"
        for line in text.split("\n")
    ]
    assert "".join(line.text for line in window.lines).split("\n") == expected
    assert [line.end for line in window.lines][-1:] in ([], [len(data)])


def test_a_line_of_many_megabytes_is_not_kept() -> None:
    window = LineWindow(0, WindowLimits(10, 1 << 20, 100))
    for _ in range(3_000):
        window.feed(b"x" * 1_000)
    window.feed(b"\nnext\n")
    first, second = window.lines
    assert first.text == "x" * 50 + " ... [2999900 chars omitted] ... " + "x" * 50 + "\n"
    assert (first.end, second.start, second.text) == (3_000_001, 3_000_001, "next\n")
