"""What a message may name and claim."""

import pytest

from git_sidecar.messages.check import check_message
from git_sidecar.messages.facts import Facts, Start, StartKind
from git_sidecar.messages.history import Style
from git_sidecar.messages.names import find_addresses, find_missing, find_names
from git_sidecar.model.changes import ChangeStatus
from tests.unit.messages.made import changed_file, facts, hunk

SOURCE = changed_file("src/parser.py", hunk("+def parse_header(line):", "+    return line", context="class Parser:"))


def broken(message: str, given: Facts | None = None) -> list[str]:
    return sorted(check.rule for check in check_message(message, given or facts([SOURCE])) if not check.ok)


@pytest.mark.parametrize(
    ("message", "names"),
    [
        ("Change `Parser` in src/parser.py", ["Parser", "src/parser.py"]),
        ("Call parse_header() and readFile", ["parse_header", "readFile"]),
        ("Support input/output and client/server modes", []),
        ("Bump to v1.2.3, e.g. on Node.js 20.1", []),
        ("Use gRPC on macOS and iOS with GitHub", []),
        ("Run `git status --short` first", []),
        ("Read README.md and .github/workflows/test.yml", ["README.md", ".github/workflows/test.yml"]),
        ("See https://example.invalid/a/b.html", []),
    ],
)
def test_names_in_prose(message: str, names: list[str]) -> None:
    assert sorted(find_names(message)) == sorted(names)


def test_names_are_looked_up_without_case() -> None:
    assert find_missing("Change `PARSER` and `lexer`", "class Parser:") == ["lexer"]


def test_addresses() -> None:
    assert find_addresses("see https://a.invalid/x. and www.b.invalid") == ["https://a.invalid/x", "www.b.invalid"]


def test_a_message_that_keeps_every_rule() -> None:
    assert broken("feat: add parse_header\n\nThe new function in src/parser.py reads one line.") == []


@pytest.mark.parametrize(
    ("message", "rule"),
    [
        ("feat: add parse_footer", "names-in-change"),
        ("feat: add lexer.py", "names-in-change"),
        ("feat: add parse_header\n\nSee https://evil.invalid/x", "addresses-in-change"),
        ("feat: add parse_header\n\nAdds unit tests for it.", "tests-in-change"),
        ("test: cover parse_header", "tests-in-change"),
        ("feat: add parse_header\n\nSigned-off-by: M <m@x.invalid>", "people"),
        ("feat: add parse_header\n\n# note", "comment-char"),
        ("feat: add parse_header " + "x" * 60, "subject-length"),
        ("feat: add parse_header\n\n" + "many words " * 8, "body-width"),
        ("add parse_header", "type-empty"),
    ],
)
def test_a_message_that_breaks_a_rule(message: str, rule: str) -> None:
    assert rule in broken(message)


def test_tests_may_be_claimed_where_there_are_some() -> None:
    test = changed_file("tests/test_parser.py", hunk("+def test_header():"), status=ChangeStatus.ADDED)
    assert broken("feat: add parse_header with tests", facts([SOURCE, test])) == []
    inline = changed_file("src/lib.rs", hunk("+#[test]", "+fn works() {}"))
    assert broken("test: add works", facts([inline])) == []


def test_what_was_typed_stays_the_beginning() -> None:
    given = facts([SOURCE], current="fix(parser):")
    assert "typed-text" in broken("feat: add parse_header", given)
    assert "typed-text" not in broken("fix(parser): add parse_header", given)
    assert "typed-text" not in broken("feat: add parse_header", facts([SOURCE], current="mention the header"))


def test_the_ticket_and_the_template() -> None:
    given = facts([SOURCE], ticket="ABC-12", template="\n\nWhy:\n# explain\nRisk:\n")
    assert {"ticket", "template"} <= set(broken("feat: add parse_header", given))
    assert broken("feat: add parse_header\n\nWhy: x\nRisk: none\n\nRefs: ABC-12", given) == []


def test_gits_own_subject_is_not_held_to_the_projects_style() -> None:
    merge = facts([SOURCE], start=Start(StartKind.MERGE, "Merge branch 'topic'"))
    assert broken("Merge branch 'topic'", merge) == []


def test_other_styles() -> None:
    assert broken("add parse_header", facts([SOURCE], style=Style.PLAIN)) == ["style"]
    assert broken("Add parse_header", facts([SOURCE], style=Style.PLAIN)) == []
    assert broken("Add parse_header", facts([SOURCE], style=Style.GITMOJI)) == ["style"]
    assert broken("✨ Add parse_header", facts([SOURCE], style=Style.GITMOJI)) == []
