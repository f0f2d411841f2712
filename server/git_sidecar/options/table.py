"""Option tables: what git's options of one subcommand look like, and which of them may pass.

A table is written as the manual pages write theirs, one option a line:

    -v --[no-]verbose
    -u --[no-]untracked-files[=all|normal|no]
    --sort=KEY
    --merged=REV?
    -D                          destructive
    -F --file=TEXT              refused: it reads a file; give the text with --message
    --all                       revision

`=X` needs a value, glued or as the next argument; `[=X]` takes a glued value only; `=X?` takes the next argument if
there is one, else HEAD (PARSE_OPT_LASTARG_DEFAULT). `[no-]` can be negated. X is a list of words, or a kind of value in
capitals. `-#` is a number by itself (`-5`). More than one long name: the first is the one that is passed on. The note
after two spaces is the tier that the option raises a call to, `refused: why`, or `revision` for what stands among the
revisions, in order. Sources: the manual pages, and git's own `-h` and `--git-completion-helper-all`.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from git_sidecar.model.tier import Tier


class Arity(StrEnum):
    """Where an option's value stands."""

    NONE = "none"
    REQUIRED = "required"
    OR_LAST = "or-last"
    GLUED = "glued"


class Kind(StrEnum):
    """What a value may be."""

    CHOICE = "a|b"
    NUMBER = "N"
    WORD = "WORD"
    TEXT = "TEXT"
    NAME = "NAME"
    REVISION = "REV"
    PATH = "PATH"
    PRETTY_FORMAT = "FORMAT"
    REF_FORMAT = "REFFORMAT"
    LINE_RANGE = "LINES"


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a subcommand."""

    longs: tuple[str, ...]
    letters: str
    arity: Arity = Arity.NONE
    kind: Kind = Kind.TEXT
    choices: tuple[str, ...] = ()
    negatable: bool = False
    refused: str | None = None
    tier: Tier = Tier.READ
    revision: bool = False
    bare: bool = False
    """Written without dashes (the brackets of `git grep`)."""

    @property
    def name(self) -> str:
        """The canonical spelling without dashes: the first long name, else the letter."""
        return self.longs[0] if self.longs else self.letters[0]

    @property
    def full(self) -> str:
        """The canonical spelling."""
        return self.name if self.bare else f"--{self.name}" if self.longs else f"-{self.name}"


@dataclass(frozen=True, slots=True)
class Table:
    """The options of a subcommand, by spelling."""

    longs: Mapping[str, tuple[Option, bool]]
    """Every long spelling, `no-` ones too, without dashes; the flag says that it negates."""
    letters: Mapping[str, Option]
    bare: Mapping[str, Option]
    number: Option | None
    abbreviable: frozenset[str]
    """The long spellings of which git reads an unambiguous beginning."""


_NOTE_GAP = re.compile(r"\s{2,}")
_SPELLING = re.compile(
    r"^-(?:-(?P<negatable>\[no-\])?(?P<long>[a-z0-9-]+)|(?P<letter>[A-Za-z0-9#]))"
    r"(?:\[=(?P<glued>[^\]]+)\]|=(?P<required>[^?]*)(?P<last>\?)?)?$"
)
_REFUSED = "refused:"
_REVISION = "revision"


def read_table(lines: str, *, base: Table | None = None, abbreviations: bool = True, bare: str = "") -> Table:
    """The table that `lines` write down, on top of `base`, whose spellings it may take over.

    `abbreviations`: whether git's option parser takes beginnings of these lines' long names (all but the revision and
    diff family). `bare` are words that are options without a dash.
    """
    options = [_read_option(line.strip()) for line in lines.strip().split("\n") if line.strip()]
    longs: dict[str, tuple[Option, bool]] = {}
    letters: dict[str, Option] = {}
    for option in options:
        longs.update(_long_spellings(option))
        letters.update(dict.fromkeys(option.letters, option))
    own = frozenset(longs) if abbreviations else frozenset[str]()
    if base is not None:
        longs = {**base.longs, **longs}
        letters = {**base.letters, **letters}
    number = letters.pop("#", None)
    return Table(
        longs=MappingProxyType(longs),
        letters=MappingProxyType(letters),
        bare=MappingProxyType({word: Option(longs=(word,), letters="", bare=True) for word in bare}),
        number=number or (base.number if base is not None else None),
        abbreviable=own | (base.abbreviable if base is not None else frozenset[str]()),
    )


def _long_spellings(option: Option) -> Iterable[tuple[str, tuple[Option, bool]]]:
    for long in option.longs:
        yield long, (option, False)
        if option.negatable:
            yield f"no-{long}", (option, True)


def _read_option(line: str) -> Option:
    spellings, *notes = _NOTE_GAP.split(line, maxsplit=1)
    note = notes[0] if notes else ""
    longs: list[str] = []
    letters = ""
    negatable = False
    arity, kind, choices = Arity.NONE, Kind.TEXT, ()
    for spelling in spellings.split():
        read = _SPELLING.match(spelling)
        if read is None:
            raise ValueError(f"not an option: {spelling!r} in {line!r}")
        if read["long"]:
            longs.append(read["long"])
            negatable = negatable or read["negatable"] is not None
        else:
            letters += read["letter"]
        if read["glued"] is not None:
            arity = Arity.GLUED
            kind, choices = _read_kind(read["glued"])
        elif read["required"] is not None:
            arity = Arity.OR_LAST if read["last"] else Arity.REQUIRED
            kind, choices = _read_kind(read["required"])
    return Option(
        longs=tuple(longs),
        letters=letters,
        arity=arity,
        kind=kind,
        choices=choices,
        negatable=negatable,
        refused=note.removeprefix(_REFUSED).strip() if note.startswith(_REFUSED) else None,
        tier=Tier.READ if not note or note == _REVISION or note.startswith(_REFUSED) else Tier(note),
        revision=note == _REVISION,
    )


def _read_kind(value: str) -> tuple[Kind, tuple[str, ...]]:
    return (Kind(value), ()) if value.isupper() else (Kind.CHOICE, tuple(value.split("|")))
