"""The offline writer: what it sees in a patch and what it says of it."""

import pytest

from git_sidecar.messages.check import check_message
from git_sidecar.messages.commitlint import CONVENTIONAL, Commitlint
from git_sidecar.messages.facts import ChangedFile, Facts, Start, StartKind, Treatment
from git_sidecar.messages.history import Style
from git_sidecar.messages.lint import lint_message
from git_sidecar.messages.offline import is_guessed, write_offline
from git_sidecar.messages.symbols import Symbols, defined_name, find_symbols
from git_sidecar.model.changes import ChangeStatus
from tests.unit.messages.made import changed_file, facts, hunk, recent

ADDED, DELETED, RENAMED = ChangeStatus.ADDED, ChangeStatus.DELETED, ChangeStatus.RENAMED


def subject(*files: ChangedFile, **fields: object) -> str:
    given: Facts = facts(files, **fields)
    message = write_offline(given)
    assert [check.rule for check in check_message(message, given) if not check.ok] == []
    return message.split("\n", 1)[0]


@pytest.mark.parametrize(
    ("path", "line", "name"),
    [
        ("a.py", "    async def fetch(self):", "fetch"),
        ("a.py", "class Reader(Base):", "Reader"),
        ("a.py", "    class of things", None),
        ("a.py", "    def __init__(self):", None),
        ("a.ts", "export async function load<T>(x: T) {", "load"),
        ("a.ts", "export const load = async (x) => {", "load"),
        ("a.ts", "  render(props: Props): void {", "render"),
        ("a.ts", "  if (ready) {", None),
        ("a.ts", "const limit = 3;", None),
        ("a.go", "func (s *Server) Serve(w io.Writer) error {", "Serve"),
        ("a.go", "type Server struct {", "Server"),
        ("a.rs", "    pub(crate) fn parse<'a>(x: &'a str) -> X {", "parse"),
        ("a.rb", "  def self.call!(x)", "call!"),
        ("a.java", "    public static List<String> names(int n) throws X {", "names"),
        ("a.java", "        return compute(a, b);", None),
        ("a.c", "static int read_all(int fd)", "read_all"),
        ("a.c", "    call(a, b);", None),
        ("a.kt", "suspend fun <T> load(x: T): T {", "load"),
        ("a.sh", "install_all() {", "install_all"),
        ("a.md", "def x():", None),
    ],
)
def test_definitions(path: str, line: str, name: str | None) -> None:
    assert defined_name(line, path) == name


def test_changed_lines_belong_to_the_definition_above_them() -> None:
    file = changed_file(
        "a.py",
        hunk(
            "     return 1",
            " ",
            " def second():",
            "-    return 2",
            "+    return 3",
            " ",
            "-def third(a):",
            "+def third(a, b):",
            "     return a",
            "+",
            "+def fourth():",
            "+    pass",
            "-def fifth():",
            "-    pass",
            " x = 1",
            "+y = 2",
            context="def first():",
        ),
    )
    assert find_symbols(file.patch) == Symbols(("fourth",), ("fifth",), ("third", "second"))


def test_a_renamed_definition() -> None:
    file = changed_file("a.go", hunk("-func count(a string) int {", "+func words(a string) int {", " \treturn 1"))
    assert find_symbols(file.patch) == Symbols(renamed=(("count", "words"),))


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ([changed_file("README.md", hunk("+more"))], "docs: update README.md"),
        ([changed_file("tests/test_a.py", hunk("+def test_b():", "+    pass"))], "test: add test_b to test_a.py"),
        (
            [changed_file(".github/workflows/ci.yml", hunk("+on: push"), status=ADDED)],
            "ci: add .github/workflows/ci.yml",
        ),
        ([changed_file("Makefile", hunk("+all:"))], "build: update Makefile"),
        ([changed_file(".gitignore", hunk("+dist/"))], "chore: update .gitignore"),
        ([changed_file("yarn.lock", hunk("+x"), treatment=Treatment.LOCK)], "build: update yarn.lock"),
        (
            [changed_file("package.json", hunk('-    "left-pad": "^1.2.0",', '+    "left-pad": "^1.3.0",'))],
            "build: bump left-pad from 1.2.0 to 1.3.0",
        ),
        (
            [changed_file("Cargo.toml", hunk('+serde = { version = "1.0", features = ["derive"] }'))],
            "build: add serde 1.0",
        ),
        (
            [changed_file("package.json", hunk('-  "version": "1.0.0",', '+  "version": "1.1.0",'))],
            "chore: release 1.1.0",
        ),
        ([changed_file("src/new.py", hunk("+def make():", "+    pass"), status=ADDED)], "feat: add make in new.py"),
        ([changed_file("src/old.py", hunk("-x = 1"), status=DELETED)], "refactor: remove src/old.py"),
        ([changed_file("lib/b.py", status=RENAMED, old_path="lib/a.py")], "refactor: rename a.py to b.py"),
        ([changed_file("lib/a.py", status=RENAMED, old_path="src/a.py")], "refactor: move a.py to lib"),
        ([changed_file("run.sh", modes=("100644", "100755"))], "chore: make run.sh executable"),
        (
            [changed_file("vendor/lib", treatment=Treatment.SUBMODULE, modes=("160000", "160000"))],
            "chore: update submodule vendor/lib aaaaaaa..bbbbbbb",
        ),
        ([changed_file("src/a.py", hunk("-x = 1", "+x  =  1"))], "style: update src/a.py"),
        ([changed_file("src/a.py", hunk("-# old words", "+# new words"))], "docs: update src/a.py"),
        (
            [
                changed_file(
                    "src/a.py", hunk(" def read(x):", "+    if x is None:", "+        return ''", "     return x")
                )
            ],
            "fix: change read in a.py",
        ),
        (
            [changed_file("src/a.py", hunk("-foo(1)", "+bar(1)"), hunk("-y = foo(2)", "+y = bar(2)", start=9))],
            "refactor: rename foo to bar",
        ),
    ],
)
def test_subjects(files: list[ChangedFile], expected: str) -> None:
    assert subject(*files) == expected


def test_habits_of_the_project_are_kept() -> None:
    bump = changed_file("package.json", hunk('-    "a": "^1.2.0",', '+    "a": "^1.3.0",'))
    history = recent("chore(deps): bump b from 1 to 2", "chore(deps): bump c", "feat: x")
    assert subject(bump, recent=history) == "chore(deps): bump a from 1.2.0 to 1.3.0"
    edit = changed_file("src/parser/read.py", hunk("-x = 1", "+x = 2"))
    assert subject(edit, scopes=("server", "parser")) == "fix(parser): update src/parser/read.py"
    assert subject(edit, scopes=("server",)) == "fix: update src/parser/read.py"
    assert subject(edit, style=Style.PLAIN) == "Update src/parser/read.py"
    assert subject(edit, style=Style.GITMOJI) == "🐛 Update src/parser/read.py"


def test_what_was_typed_is_kept() -> None:
    edit = changed_file("src/a.py", hunk("-x = 1", "+x = 2"))
    assert subject(edit, current="perf(core):") == "perf(core): update src/a.py"
    assert subject(edit, current="fix: count from two") == "fix: count from two"


def test_states() -> None:
    edit = changed_file("src/a.py", hunk("-x = 1", "+x = 2"))
    assert subject(edit, start=Start(StartKind.FIRST)) == "chore: initial commit"
    old = "feat: count\n\nBecause people asked.\n\nChange-Id: I1"
    assert write_offline(facts([edit], start=Start(StartKind.AMEND, old))) == old
    again = write_offline(facts([edit], start=Start(StartKind.AMEND, old), attempt=2))
    assert again.startswith("fix: update")
    assert again.endswith("\n\nChange-Id: I1")
    squash = (
        "Squashed commit of the following:\n\ncommit 1111111\nAuthor: A <a@x.invalid>\nDate:   now\n\n    fix: one\n\n"
        "    body\n\ncommit 2222222\nAuthor: A <a@x.invalid>\nDate:   now\n\n    fix: two\n"
    )
    message = write_offline(facts([edit], start=Start(StartKind.SQUASH, squash)))
    assert message == "fix: update src/a.py\n\n- fix: one\n- fix: two"


def test_the_ticket_is_written_where_the_project_writes_it() -> None:
    edit = changed_file("src/a.py", hunk("-x = 1", "+x = 2"))
    assert write_offline(facts([edit], ticket="ABC-7")).endswith("\n\nRefs: ABC-7")


def test_the_body_names_every_kind_of_change() -> None:
    files = [
        changed_file("src/a.py", hunk("+def one():", "+    pass", "-def two():", "-    pass")),
        changed_file("lib/b.py", status=RENAMED, old_path="src/b.py"),
        changed_file("tests/test_a.py", hunk("+def test_one():", "+    pass")),
        changed_file("logo.png", treatment=Treatment.BINARY, status=ADDED),
    ]
    body = write_offline(facts(files)).split("\n\n", 1)[1]
    assert body.split("\n") == [
        "- src/a.py: add one; remove two",
        "- move src/b.py to lib/b.py",
        "- tests/test_a.py: add test_one",
        "- add logo.png",
    ]


def test_long_names_break_no_rule() -> None:
    long = "src/" + "very_long_directory_name/" * 5 + "and_a_very_long_file_name_indeed.py"
    files = [changed_file(long, hunk("-x = 1", "+x = 2")), changed_file(long + "i", hunk("-x = 1", "+x = 2"))]
    message = write_offline(facts(files))
    assert [check.rule for check in lint_message(message, Commitlint(CONVENTIONAL)) if not check.ok] == []
    assert message.endswith("- and 2 more")
    assert len(message.split("\n", 1)[0]) <= 72


def test_the_same_change_gives_the_same_message_and_attempts_differ() -> None:
    file = changed_file("src/a.py", hunk("+def one():", "+    pass"))
    assert write_offline(facts([file])) == write_offline(facts([file]))
    assert write_offline(facts([file])) != write_offline(facts([file], attempt=2))


def test_a_guess_is_called_one() -> None:
    assert is_guessed(facts([changed_file("src/a.py", hunk("-x = 1", "+x = 2"))]))
    assert not is_guessed(facts([changed_file("README.md", hunk("+x"))]))
