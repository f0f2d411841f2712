"""Random calls: options out of git's own usage text and out of our tables, in every spelling that git reads."""

import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hypothesis import strategies as st

from git_sidecar.options.call import Call
from git_sidecar.options.subcommands import CLASSIFIERS
from git_sidecar.options.table import Arity, Table
from git_sidecar.options.tables import destructive, diffs, network, reading, refs, writing

# Subcommands with verbs of their own, whose usage and options differ by the verb.
_VERBS: Mapping[str, tuple[str, ...]] = {
    "stash": ("list", "show", "push", "pop", "drop", "save", "create", "store", "branch", ""),
    "worktree": ("list", "add", "remove"),
    "remote": ("show", "get-url", "add", ""),
    "notes": ("show", "list", "add", ""),
    "reflog": ("show", "exists", "expire", ""),
    "bisect": ("log", "run"),
}
# Reads come up more often than their number: they are what is run.
_READING = (
    *("diff", "log", "show", "blame", "status", "shortlog", "check-ignore", "ls-files", "grep", "describe"),
    *("rev-parse", "cat-file", "branch", "tag", "stash", "reflog", "remote", "notes", "worktree", "clean", "rm", "mv"),
)
_TABLES: Mapping[str, Table] = {
    "diff": diffs.DIFF,
    "log": diffs.HISTORY,
    "show": diffs.HISTORY,
    "reflog show": diffs.HISTORY,
    "reflog": diffs.HISTORY,
    "stash list": diffs.HISTORY,
    "stash show": diffs.STASH_SHOW,
    "shortlog": diffs.SHORTLOG,
    "blame": reading.BLAME,
    "status": reading.STATUS,
    "check-ignore": reading.CHECK_IGNORE,
    "ls-files": reading.LS_FILES,
    "grep": reading.GREP,
    "describe": reading.DESCRIBE,
    "rev-parse": reading.REV_PARSE,
    "cat-file": reading.CAT_FILE,
    "branch": refs.BRANCH,
    "tag": refs.TAG,
    "worktree list": refs.WORKTREE_LIST,
    "remote": refs.REMOTE,
    "remote get-url": refs.REMOTE_GET_URL,
    "clean": destructive.CLEAN,
    "rm": writing.RM,
    "mv": writing.MV,
    "add": writing.ADD,
    "commit": writing.COMMIT,
    "switch": writing.SWITCH,
    "push": network.PUSH,
    "fetch": network.FETCH,
    "pull": network.PULL,
    "merge": destructive.MERGE,
    "rebase": destructive.REBASE,
    "reset": destructive.RESET,
    "checkout": destructive.CHECKOUT,
    "restore": destructive.RESTORE,
    "revert": destructive.REVERT,
    "cherry-pick": destructive.CHERRY_PICK,
}
# What git knows and its usage text does not tell.
_UNLISTED = (
    *("--output", "--ext-diff", "--textconv", "--no-index", "--show-signature", "--remerge-diff", "--stdin", "-O"),
    *("--help", "-h", "--git-dir", "-c", "--exec-path", "--upload-pack", "--open-files-in-pager", "--paginate"),
)
_VALUES = (
    *("1", "3", "all", "no", "always", "HEAD", "main", "side", "origin", "one", "f.plain", "format:%H", "%h %G? %s"),
    *("%(refname)", "%(signature)", "oneline", "evil", "refname", "short", "1,2", "1,2:f.plain", "50%", "", "-1"),
    *("--output=pwned", "../outside/secret", "programs/evil", "2024-01-01", "log", "dirty", "v1", "refs/heads/main"),
)
OPERANDS = (
    *("HEAD", "HEAD~1", "main", "side", "main..side", "v1", "stash@{0}", "HEAD:f.plain", ":f.plain", "@{-1}", "-"),
    *("f.plain", "f.clean", "f.textconv", "m.merge", ".", "sub", "sub/f.one", "link/secret", "*.plain", ":/", ":!sub"),
    *("origin", "newname", "../outside/secret", "refs/heads/main", "--output=pwned", "--all", "one", "commit", "^side"),
)
_OPERANDS_THAT_SUIT: Mapping[str, tuple[tuple[str, ...], ...]] = {
    **dict.fromkeys(("log", "show", "shortlog", "reflog", "rev-parse"), (("HEAD",),)),
    **dict.fromkeys(("diff", "describe"), ((), ("HEAD",))),
    **dict.fromkeys(("blame", "check-ignore", "rm"), (("f.plain",),)),
    **dict.fromkeys(("branch", "tag"), ((), ("newname",))),
    "grep": (("one",),),
    "cat-file": (("HEAD",),),
    "mv": (("-n", "f.plain", "sub"),),
    "clean": (("-n",),),
}
_USAGE_OPTION = re.compile(r"^ {4}(-.*?)(?: {2,}|$)", re.MULTILINE)


@dataclass(frozen=True)
class Spelling:
    """An option of a usage text: its letters and long names, and whether a value belongs to it."""

    letters: str
    longs: tuple[str, ...]
    value: bool


@dataclass(frozen=True)
class Usages:
    """The options of each subcommand (or subcommand and verb), out of git's usage and our tables."""

    by_words: Mapping[str, tuple[Spelling, ...]]


def read_usages(directory: Path, environment: Mapping[str, str]) -> Usages:
    """Ask the git at hand for the usage of every subcommand that may pass."""
    found: dict[str, tuple[Spelling, ...]] = {}
    for subcommand in CLASSIFIERS:
        for verb in _VERBS.get(subcommand, ("",)):
            words = [word for word in (subcommand, verb) if word]
            done = subprocess.run(
                ["git", *words, "-h"],
                cwd=directory,
                env=dict(environment),
                capture_output=True,
                check=False,
                timeout=30,
            )
            usage = _parse_usage((done.stdout + done.stderr).decode("utf-8", "replace"))
            name = " ".join(words)
            found[name] = (*usage, *_of_table(_TABLES.get(name)), *_unlisted())
    return Usages(found)


def _parse_usage(text: str) -> list[Spelling]:
    spellings: list[Spelling] = []
    for line in _USAGE_OPTION.findall(text):
        words = line.split(", ")
        names = [re.split(r"[ =\[]", word.replace("[no-]", ""))[0] for word in words]
        letters = "".join(name[1:2] for name in names if not name.startswith("--"))
        longs = tuple(name[2:] for name in names if name.startswith("--"))
        spellings.append(Spelling(letters, longs, value="<" in line or "=" in line or "(" in line))
    return spellings


def _of_table(table: Table | None) -> list[Spelling]:
    if table is None:
        return []
    options = {id(option): option for option, _ in table.longs.values()}
    options.update((id(option), option) for option in table.letters.values())
    return [
        Spelling(option.letters.replace("#", ""), option.longs, value=option.arity is not Arity.NONE)
        for option in options.values()
    ]


def _unlisted() -> list[Spelling]:
    return [
        Spelling("", (name[2:],), value=True) if name.startswith("--") else Spelling(name[1:], (), value=True)
        for name in _UNLISTED
    ]


def single_options(usages: Usages, words: str, *, value: str, every_form: bool) -> Iterator[Call]:
    """Each option of a subcommand alone, without operands and with such that let git go on.

    `value` goes to options that take one; with `every_form`, to all, and in all spellings.
    """
    subcommand, *verb = words.split()
    for spelling in usages.by_words[words]:
        names = [*(f"--{long}" for long in spelling.longs), *(f"-{letter}" for letter in spelling.letters)]
        for name in names if every_form else names[:1]:
            plain, valued = (name,), (f"{name}={value}" if name.startswith("--") else f"{name}{value}",)
            forms = (plain, valued, (name, value)) if every_form else (valued if spelling.value else plain,)
            for form in forms:
                for operands in _OPERANDS_THAT_SUIT.get(words, ((),)):
                    yield Call(subcommand, (*verb, *form, *operands))


def calls(usages: Usages) -> st.SearchStrategy[Call]:
    """Calls of every permitted subcommand, reading ones first."""
    return st.sampled_from((*_READING, *_READING, *_READING, *CLASSIFIERS)).flatmap(
        lambda subcommand: st.sampled_from(_VERBS.get(subcommand, ("",))).flatmap(
            lambda verb: _call(subcommand, verb, usages)
        )
    )


def _call(subcommand: str, verb: str, usages: Usages) -> st.SearchStrategy[Call]:
    spellings = usages.by_words[f"{subcommand} {verb}".strip()]
    part = st.one_of(_option(spellings), _option(spellings), _operand())
    first = (verb,) if verb else ()
    return st.lists(part, max_size=4).map(
        lambda parts: Call(subcommand, (*first, *(word for p in parts for word in p)))
    )


def _operand() -> st.SearchStrategy[Sequence[str]]:
    marks = st.sampled_from((("--",), ("--end-of-options",)))
    return st.one_of(*[st.sampled_from(OPERANDS).map(lambda word: (word,))] * 4, marks)


@st.composite
def _option(draw: st.DrawFn, spellings: Sequence[Spelling]) -> Sequence[str]:
    spelling = draw(st.sampled_from(spellings))
    value = draw(st.sampled_from(_VALUES))
    form = draw(st.integers(0, 7))
    if spelling.longs and (form < 5 or not spelling.letters):
        name = draw(st.sampled_from(spelling.longs))
        match form:
            case 0:
                return (f"--no-{name}",)
            case 1:
                return (f"--{name[: draw(st.integers(1, len(name)))]}",)
            case 2 if spelling.value:
                return (f"--{name}", value)
            case 3 if spelling.value:
                return (f"--{name}={value}",)
            case _:
                return (f"--{name}",)
    letter = spelling.letters[:1] or "p"
    others = "".join(other.letters[:1] for other in spellings if other.letters and not other.value)
    bundle = draw(st.text(st.sampled_from(others or "q"), max_size=2)) if form == 6 else ""
    if not spelling.value:
        return (f"-{bundle}{letter}",)
    return (f"-{bundle}{letter}{value}",) if form == 7 else (f"-{bundle}{letter}", value)
