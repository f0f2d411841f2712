"""What history, branch names and files say of a project's habits."""

from pathlib import Path

import pytest

from git_sidecar.messages.conventional import Header, parse_beginning
from git_sidecar.messages.editorconfig import parse_line_length
from git_sidecar.messages.generated import Attributes
from git_sidecar.messages.git_texts import (
    CommitConfig,
    parse_attributes,
    parse_blobs,
    parse_commit_config,
    parse_recent,
)
from git_sidecar.messages.globs import matches_glob
from git_sidecar.messages.history import RecentCommit, Style, find_scopes, find_style, find_usual_header
from git_sidecar.messages.instruction_text import find_commit_sections
from git_sidecar.messages.project_files import read_plain_text
from git_sidecar.messages.ticket import Place, find_place, find_ticket, place_ticket, why_pattern_is_refused
from tests.unit.messages.made import recent


def test_styles() -> None:
    assert find_style(recent("feat: a", "fix(x): b", "whatever")) is Style.CONVENTIONAL
    assert find_style(recent("Add a", "Fix b", "Merge c", "feat: d")) is Style.PLAIN
    assert find_style(recent("✨ Add a", ":bug: Fix b", "🔧 Set c")) is Style.GITMOJI
    assert find_style(recent("Add a")) is Style.CONVENTIONAL


def test_scopes_and_usual_headers() -> None:
    history = recent("feat(api): a", "fix(api): b", "fix(ui): c", "chore(deps): bump d from 1 to 2", "docs: e")
    assert find_scopes(history)[0] == "api"
    assert find_scopes(recent("feat: a", "fix: b", "fix: c", "feat(x): d")) == ()
    assert find_usual_header(history, ("bump",)) == Header("chore", "deps", None)
    assert find_usual_header(history, ("release",)) is None


@pytest.mark.parametrize(
    ("branch", "pattern", "ticket"),
    [
        ("feature/ABC-123-do-it", "", "ABC-123"),
        ("ABC-1", "", "ABC-1"),
        ("fix/utf-8-names", "", None),
        ("release-2", "", None),
        ("user/x/PROJ2-77", "", "PROJ2-77"),
        ("fix/12-typo", r"/(\d+)-", "12"),
        ("fix/12-typo", r"#\d+", None),
        (None, "", None),
        ("ABC-1", "(", None),
        ("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", r"(a+)+$", None),
    ],
)
def test_tickets(branch: str | None, pattern: str, ticket: str | None) -> None:
    assert find_ticket(branch, pattern) == ticket


def test_patterns_that_could_take_for_ever_are_refused() -> None:
    assert why_pattern_is_refused(r"(a+)+$") is not None
    assert why_pattern_is_refused("(") is not None
    assert why_pattern_is_refused("x" * 300) is not None
    assert why_pattern_is_refused(r"([A-Z]+-\d+)") is None


def test_where_tickets_stand() -> None:
    assert find_place(["[ABC-1] a", "[ABC-2] b", "c"]) is Place.BRACKETS
    assert find_place(["ABC-1: a", "ABC-2 b", "ABC-3: c"]) is Place.BEFORE
    assert find_place(["a (ABC-1)", "b (ABC-2)", "c"]) is Place.AFTER
    assert find_place(["a", "b", "c"]) is Place.FOOTER
    assert place_ticket("a\n\nb", "X-1", Place.BRACKETS, 72) == "[X-1] a\n\nb"
    assert place_ticket("a\n\nb", "X-1", Place.BRACKETS, 3) == "a\n\nb\n\nRefs: X-1"
    assert place_ticket("a X-1", "X-1", Place.FOOTER, 72) == "a X-1"


def test_what_was_begun() -> None:
    assert parse_beginning("fix(parser):") == Header("fix", "parser", None)
    assert parse_beginning("feat!: go") == Header("feat", None, "go", breaking=True)
    assert parse_beginning("note: remember") is None


def test_line_lengths() -> None:
    text = (
        "root = true\n[*]\nmax_line_length = 120\n[*.md]\nmax_line_length = off\n[COMMIT_EDITMSG]\nmax_line_length=60\n"
    )
    assert parse_line_length(text) == 60
    assert parse_line_length("[*]\nmax_line_length = 100\n") == 100
    assert parse_line_length("[*.py]\nmax_line_length = 100\n") is None
    assert parse_line_length("[*]\nmax_line_length = off\n") is None


def test_sections_on_commits() -> None:
    wanted = "## Commits\n\nUse types.\n\n### Scope\n\napi\n\n```\n# not a heading\n```"
    assert find_commit_sections(f"# Guide\n\nx\n\n{wanted}\n\n## Build\n\nmake\n") == wanted
    assert find_commit_sections("# Build\n\nmake\n") == ""


@pytest.mark.parametrize(
    ("path", "glob", "matches"),
    [
        ("a/b.snap", "*.snap", True),
        ("b.snap", "*.snap", True),
        ("a/b.snap", "/*.snap", False),
        ("vendor/x/y.go", "vendor/", True),
        ("a/vendor/y.go", "vendor", True),
        ("src/a/b.py", "src/**/*.py", True),
        ("src/b.py", "src/**/*.py", True),
        ("src/b.pyc", "src/**/*.py", False),
        ("a1.txt", "a[0-9].txt", True),
        ("ab.txt", "a[!0-9].txt", True),
        ("a.ts", "*.{js,ts}", True),
        ("a.b", "a?b", True),
        ("a", "", False),
        ("a", "[", False),
    ],
)
def test_globs(path: str, glob: str, *, matches: bool) -> None:
    assert matches_glob(path, glob) is matches


def test_what_git_prints() -> None:
    assert parse_commit_config(b"") == CommitConfig()
    printed = b"core.commentchar\n;\0user.email\na@x.invalid\0commit.template\n~/t\0"
    assert parse_commit_config(printed) == CommitConfig(";", "a@x.invalid", "~/t")
    assert parse_commit_config(b"commit.cleanup\nwhitespace\0").comment_char is None
    assert parse_commit_config(b"core.commentchar\nauto\0").comment_char is None
    assert parse_recent(b"a@x\tfeat: b\tc\0b@x\tfix: d\0", "a@x") == (
        RecentCommit("feat: b\tc", own=True),
        RecentCommit("fix: d", own=False),
    )
    said = parse_attributes(
        b"a\0linguist-generated\0true\0a\0diff\0unspecified\0b\0linguist-generated\0unset\0b\0diff\0unset\0"
    )
    assert said == {b"a": Attributes(generated=True), b"b": Attributes(generated=False, diff=False)}
    assert parse_blobs(b"11 blob 3\na\nb\n22 missing\n33 blob 1\nc\n44 blob 9\ncut") == {"11": "a\nb", "33": "c"}


def test_large_and_missing_files_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "big.md").write_bytes(b"x" * 300_000)
    assert read_plain_text(tmp_path, "big.md") is None
    assert read_plain_text(tmp_path, "none.md") is None
    (tmp_path / "dir").mkdir()
    assert read_plain_text(tmp_path, "dir") is None
