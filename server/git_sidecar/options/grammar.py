"""Reading arguments as git's option parser does (parse-options.c, gitcli(7)). Pure.

Bundled letters, glued and separate values, beginnings of long names, negation, options after operands, `--` and
`--end-of-options`. What comes out names each option in full, so that nothing has to be read twice.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from git_sidecar.options.refusals import Refused, invalid, not_allowed
from git_sidecar.options.table import Arity, Kind, Option, Table

DASHES = "--"
_END_OF_OPTIONS = "--end-of-options"
_LAST_DEFAULT = "HEAD"
_UNKNOWN = "it is not on the list of options that may pass"
_NUMBER = re.compile(r"-\d+$")


@dataclass(frozen=True, slots=True)
class Given:
    """One option of a call, as it was read."""

    option: Option
    typed: str
    value: str | None = None
    negated: bool = False

    @property
    def tokens(self) -> tuple[str, ...]:
        """The option in its canonical spelling, the value glued where git allows it."""
        option = self.option
        if option.bare:
            return (option.name,)
        if self.negated:
            return (f"--no-{option.name}",)
        if self.value is None:
            return (option.full,)
        if option.longs:
            return (f"--{option.name}={self.value}",)
        # An empty value cannot be glued to a letter.
        return (f"-{option.name}{self.value}",) if self.value else (f"-{option.name}", "")


@dataclass(frozen=True, slots=True)
class Parsed:
    """A call's options in order, and its operands before and after `--` (None: there was no `--`).

    Options marked `revision` stand among the operands, in their place.
    """

    subcommand: str
    options: tuple[Given, ...]
    before: tuple[str, ...]
    after: tuple[str, ...] | None
    pseudo: frozenset[str] = frozenset()
    """Those of `before` that are pseudo-revisions (`--all`, `--not`), in canonical spelling."""

    def last(self, name: str) -> Given | None:
        """How the option with this canonical name was given last, negated or not."""
        return next((given for given in reversed(self.options) if given.option.name == name), None)

    def on(self, *names: str) -> bool:
        """Whether any of these options is on in the end."""
        return any(given is not None and not given.negated for given in map(self.last, names))

    def value(self, name: str) -> str | None:
        """The value that was given last, if the option is on."""
        given = self.last(name)
        return None if given is None or given.negated else given.value

    @property
    def switches(self) -> frozenset[str]:
        """Canonical names of the options that are on in the end."""
        return frozenset(given.option.name for given in self.options if self.on(given.option.name))

    @property
    def tokens(self) -> tuple[str, ...]:
        """All options in canonical spelling."""
        return tuple(token for given in self.options for token in given.tokens)

    @property
    def operands(self) -> tuple[str, ...]:
        """All operands, for subcommands to which `--` means nothing else."""
        return self.before + (self.after or ())

    def drop(self, *names: str) -> "Parsed":
        """The same call without these options."""
        return replace(self, options=tuple(given for given in self.options if given.option.name not in names))


def parse_arguments(subcommand: str, args: Sequence[str], table: Table) -> Parsed:
    """Read `args` by `table`.

    `subcommand` is what refusals call it. Raises Refused for an option that may not pass or is not known, an ambiguous
    beginning, a value that is missing or too much, and for text that no process can be given.
    """
    for arg in args:
        _check_encodable(arg)
    reader = _Reader(subcommand, list(args), table)
    reader.read()
    return Parsed(
        subcommand,
        _drop_cancelled(reader.options),
        tuple(reader.before),
        None if reader.after is None else tuple(reader.after),
        frozenset(reader.pseudo),
    )


def spell(table: Table, name: str, value: str | None = None) -> Given:
    """An option of ours, to be added to what was read; `name` is a long name or a letter of the table."""
    found = table.longs.get(name)
    option = found[0] if found else table.letters[name]
    return Given(option, typed=option.full, value=value)


def _check_encodable(arg: str) -> None:
    if "\0" in arg:
        raise invalid("an argument cannot hold a NUL character")
    try:
        arg.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise invalid("an argument holds half of a surrogate pair, which is no text") from None


def _drop_cancelled(options: Sequence[Given]) -> tuple[Given, ...]:
    """Without what a later negation takes back, so that git cannot weigh the two differently than we do."""
    kept: list[Given] = []
    for given in options:
        if given.negated:
            kept = [earlier for earlier in kept if earlier.option is not given.option]
        kept.append(given)
    return tuple(kept)


class _Reader:
    """A walk along the arguments; `rest` is what was not looked at yet."""

    def __init__(self, subcommand: str, args: list[str], table: Table) -> None:
        self.subcommand = subcommand
        self.rest = args
        self.table = table
        self.options: list[Given] = []
        self.before: list[str] = []
        self.after: list[str] | None = None
        self.pseudo: set[str] = set()

    def read(self) -> None:
        while self.rest:
            token = self.rest.pop(0)
            if token == DASHES:
                self.after = self.rest
                return
            if token == _END_OF_OPTIONS:
                self._take_operands()
                return
            if token in self.table.bare:
                self._add(Given(self.table.bare[token], typed=token))
            elif token.startswith("--"):
                self._read_long(token)
            elif self.table.number is not None and _NUMBER.match(token):
                self._add(Given(self.table.number, typed=token, value=token[1:]))
            elif token.startswith("-") and len(token) > 1:
                self._read_letters(token)
            else:
                self.before.append(token)

    def _take_operands(self) -> None:
        operands = self.rest
        if DASHES in operands:
            at = operands.index(DASHES)
            self.before += operands[:at]
            self.after = operands[at + 1 :]
        else:
            self.before += operands

    def _read_long(self, token: str) -> None:
        name, glued, value = token[2:].partition("=")
        option, negated = self._resolve(name, token)
        if negated or option.arity is Arity.NONE:
            if glued:
                raise invalid(f"git {self.subcommand}: {token!r}: this option takes no value")
            self._add(Given(option, typed=token, negated=negated))
        elif glued:
            self._add(Given(option, typed=token, value=value))
        else:
            self._add(Given(option, typed=token, value=self._next_value(option, token)))

    def _resolve(self, name: str, token: str) -> tuple[Option, bool]:
        exact = self.table.longs.get(name)
        if exact is not None:
            return exact
        meant = _distinct(spelled for spelled in self.table.abbreviable if spelled.startswith(name))
        found = _distinct_options(self.table, meant)
        if len(found) == 1:
            return found[0]
        near = [f"--{spelled}" for spelled in meant or _distinct(_beginning_with(self.table, name))]
        if not near:
            raise not_allowed(self.subcommand, token, f"--{name}", _UNKNOWN)
        why = f"it could be {' or '.join(near[:6])}; write the option in full"
        raise not_allowed(self.subcommand, token, f"--{name}", why)

    def _read_letters(self, token: str) -> None:
        letters = token[1:]
        while letters:
            letter, letters = letters[0], letters[1:]
            option = self.table.letters.get(letter)
            if option is None:
                raise not_allowed(self.subcommand, token, f"-{letter}", _UNKNOWN)
            if option.arity is Arity.NONE:
                self._add(Given(option, typed=token))
                continue
            value = letters or self._next_value(option, token)
            self._add(Given(option, typed=token, value=value))
            return

    def _next_value(self, option: Option, token: str) -> str | None:
        if option.arity is Arity.GLUED:
            return None
        if self.rest:
            return self.rest.pop(0)
        if option.arity is Arity.OR_LAST:
            return _LAST_DEFAULT
        raise invalid(f"git {self.subcommand}: {option.full} (written {token!r}) needs a value")

    def _add(self, given: Given) -> None:
        option = given.option
        if option.refused is not None and not given.negated:
            raise not_allowed(self.subcommand, given.typed, option.full, option.refused)
        if option.kind is Kind.CHOICE and given.value is not None and given.value not in option.choices:
            raise _bad_choice(self.subcommand, given)
        if option.revision:
            self.before += given.tokens
            self.pseudo.update(given.tokens)
        else:
            self.options.append(given)


def _bad_choice(subcommand: str, given: Given) -> Refused:
    return not_allowed(
        subcommand,
        given.typed,
        f"{given.option.full}={given.value}",
        f"its value is not one of those that may pass; choose from {', '.join(given.option.choices)}",
    )


def _distinct(spellings: Iterable[str]) -> list[str]:
    return sorted(set(spellings))


def _beginning_with(table: Table, name: str) -> Iterable[str]:
    return (spelled for spelled in table.longs if len(name) > 1 and spelled.startswith(name))


def _distinct_options(table: Table, spellings: Iterable[str]) -> list[tuple[Option, bool]]:
    found: list[tuple[Option, bool]] = []
    for spelled in spellings:
        meant = table.longs[spelled]
        if not any(option is meant[0] and negated == meant[1] for option, negated in found):
            found.append(meant)
    return found
