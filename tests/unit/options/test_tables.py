"""The tables against the git at hand: its own list of options, their values and their negations."""

import re
import subprocess
from collections.abc import Mapping

import pytest

from git_sidecar.model.refusal import Refusal
from git_sidecar.options.call import Call
from git_sidecar.options.classify import classify
from git_sidecar.options.table import Arity, Kind, Table, read_table
from git_sidecar.options.tables import destructive, network, reading, refs, writing
from tests.support.scratch import Scratch

_TABLES: Mapping[str, Table] = {
    "status": reading.STATUS,
    "blame": reading.BLAME,
    "check-ignore": reading.CHECK_IGNORE,
    "ls-files": reading.LS_FILES,
    "grep": reading.GREP,
    "describe": reading.DESCRIBE,
    "cat-file": reading.CAT_FILE,
    "branch": refs.BRANCH,
    "tag": refs.TAG,
    "notes": refs.NOTES,
    "worktree list": refs.WORKTREE_LIST,
    "worktree add": refs.WORKTREE_ADD,
    "worktree remove": refs.WORKTREE_REMOVE,
    "add": writing.ADD,
    "commit": writing.COMMIT,
    "switch": writing.SWITCH,
    "mv": writing.MV,
    "rm": writing.RM,
    "stash push": writing.STASH_PUSH,
    "stash pop": writing.STASH_APPLY,
    "stash drop": writing.STASH_DROP,
    "reset": destructive.RESET,
    "clean": destructive.CLEAN,
    "checkout": destructive.CHECKOUT,
    "restore": destructive.RESTORE,
    "rebase": destructive.REBASE,
    "revert": destructive.REVERT,
    "cherry-pick": destructive.CHERRY_PICK,
    "merge": destructive.MERGE,
    "push": network.PUSH,
    "fetch": network.FETCH,
    "pull": network.PULL,
}
# The git whose options were written down in full; later ones have some more.
_WRITTEN_FOR = "git version 2.39."


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Scratch:
    """A repository to ask git in; some subcommands answer nowhere else."""
    made = Scratch(tmp_path_factory.mktemp("tables"))
    made.repo().commit("one")
    return made


def _listed(scratch: Scratch, words: str) -> dict[str, bool]:
    """Long names that git lists, with `no-` ones, and whether each needs a value."""
    done = subprocess.run(
        ["git", *words.split(), "--git-completion-helper-all"],
        cwd=scratch.base / "r",
        env=scratch.env,
        capture_output=True,
        check=False,
    )
    words_listed = done.stdout.decode().split()
    return {word[2:].removesuffix("="): word.endswith("=") for word in words_listed if re.match(r"--[a-z]", word)}


@pytest.mark.parametrize("words", _TABLES)
def test_every_option_of_git_is_known_or_refused(words: str, scratch: Scratch) -> None:
    """All are in the table for the git it was written for; what a later git adds is refused, not passed through."""
    listed = _listed(scratch, words)
    assert listed
    unknown = sorted(name for name in listed if name not in _TABLES[words].longs)
    if scratch.run(scratch.base, "version").decode().startswith(_WRITTEN_FOR):
        assert unknown == []
    subcommand, *verb = words.split()
    for name in unknown:
        assert isinstance(classify(Call(subcommand, (*verb, f"--{name}", "x"))), Refusal), name


@pytest.mark.parametrize("words", _TABLES)
def test_values_and_negations_are_as_git_has_them(words: str, scratch: Scratch) -> None:
    """Where git needs a value, the table takes the next argument; what git cannot negate, the table does not."""
    listed = _listed(scratch, words)
    for name, needs_value in listed.items():
        option, negated = _TABLES[words].longs.get(name, (None, False))
        if option is None or negated:
            continue
        if needs_value:
            assert option.arity is Arity.REQUIRED, name
        else:
            # git's list says nothing of options whose value may be left out, and marks those that take HEAD so.
            assert option.arity is not Arity.REQUIRED or name in _UNMARKED, name
        if option.negatable and not name.startswith("no-"):
            assert f"no-{name}" in listed, name


# Options that need a value, though git's list has no `=` at them.
_UNMARKED = frozenset({"contains", "no-contains", "merged", "no-merged", "with", "without", "file", "jobs"})


@pytest.mark.parametrize(
    ("line", "message"),
    [("--all=KIND", "KIND"), ("-ab", "-ab"), ("--all  maybe", "maybe"), ("all", "all"), ("--all=N?x", "N?x")],
)
def test_a_line_that_is_no_option_is_an_error(line: str, message: str) -> None:
    """A slip in a table shows when it is imported, and not as an option that passes."""
    with pytest.raises(ValueError, match=re.escape(message)):
        read_table(line)


def test_a_table_is_read_as_it_is_written() -> None:
    """One line of each form."""
    table = read_table(
        """
        -v --[no-]verbose
        -u --[no-]mode[=all|no]         write
        --until --before=TEXT
        --merged=REV?
        -# -n --max-count=N
        -F=TEXT                         refused: it reads a file
        --all                           revision
        """
    )
    mode, _ = table.longs["mode"]
    assert (mode.arity, mode.kind, mode.choices, mode.tier) == (Arity.GLUED, Kind.CHOICE, ("all", "no"), "write")
    assert table.longs["no-mode"] == (mode, True)
    assert table.letters["u"] is mode
    assert table.longs["before"][0].full == "--until"
    assert "no-merged" not in table.longs
    assert table.longs["merged"][0].arity is Arity.OR_LAST
    assert table.number is table.letters["n"]
    assert "#" not in table.letters
    assert table.letters["F"].refused == "it reads a file"
    assert table.longs["all"][0].revision


def test_a_table_on_a_base_takes_over_its_spellings() -> None:
    """Letters and names of the base stay, unless the lines use them; only the lines' names can be abbreviated."""
    base = read_table("-p -u --patch\n--until=TEXT", abbreviations=False)
    table = read_table("-u --include-untracked", base=base)
    assert table.letters["u"].name == "include-untracked"
    assert table.letters["p"].name == "patch"
    assert table.abbreviable == {"include-untracked"}
