"""Whether the value of an option is of its kind. Pure.

Values are passed on glued to their option, so a leading dash harms nothing; what counts is what git makes of them.
"""

import re

from git_sidecar.options.call import Facts
from git_sidecar.options.containment import check_path
from git_sidecar.options.grammar import Given, Parsed
from git_sidecar.options.refusals import invalid, not_allowed
from git_sidecar.options.table import Kind

_NUMBER = re.compile(r"^-?\d{1,18}$")
_WORD = re.compile(r"^[\w.,%:+=/@*-]*$")
_UNSAFE_NAME = re.compile(r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{")

# Any of git-log(1)'s signature placeholders, with a modifier (`%+GS`) too. `%%G` is let go: seeing where a pair of
# percent signs begins is not worth a program being run.
_SIGNATURE_PLACEHOLDER = re.compile(r"%[-+ ]*G")
# for-each-ref's %(signature), as a field or as a sort key (git 2.43).
_SIGNATURE_ATOM = "signature"
_RUNS_PROGRAM = "it runs the signature program that the configuration names"
# git-log(1), "PRETTY FORMATS": the names that `pretty.<name>` cannot take over.
_BUILTIN_FORMATS = frozenset(
    {"oneline", "short", "medium", "full", "fuller", "reference", "email", "mboxrd", "raw", ""},
)
_PRETTY_KEY = "pretty."


def check_values(parsed: Parsed, facts: Facts) -> None:
    """Refuse the call if the value of one of its options is not what it must be."""
    for given in parsed.options:
        if given.value is not None:
            _check_value(parsed.subcommand, given, given.value, facts)


def check_name(subcommand: str, name: str) -> None:
    """Refuse what cannot be the name of a branch, tag, remote or note tree (git-check-ref-format(1))."""
    if not name or name.startswith("-") or _UNSAFE_NAME.search(name):
        raise invalid(f"git {subcommand}: {name!r} is not a name that git allows")


def check_revision(subcommand: str, revision: str) -> None:
    """Refuse what git could read as something else than a revision."""
    if not revision or revision.startswith("-") or "\n" in revision or "\r" in revision:
        raise invalid(f"git {subcommand}: {revision!r} is not a revision")


def runs_signature_program(pretty_format: str) -> bool:
    """Whether git would start gpg or ssh-keygen to fill in this log format."""
    return _SIGNATURE_PLACEHOLDER.search(pretty_format) is not None


def _check_value(subcommand: str, given: Given, value: str, facts: Facts) -> None:
    option = given.option
    match option.kind:
        case Kind.NUMBER if not _NUMBER.match(value):
            raise invalid(f"git {subcommand}: {option.full} takes a number, not {value!r}")
        case Kind.WORD if not _WORD.match(value):
            raise invalid(f"git {subcommand}: {option.full} does not take {value!r}")
        case Kind.NAME:
            check_name(subcommand, value)
        case Kind.REVISION:
            check_revision(subcommand, value)
        case Kind.PATH:
            check_path(value or ".", facts)
        case Kind.LINE_RANGE:
            _check_line_range(value, facts)
        case Kind.PRETTY_FORMAT:
            _check_pretty_format(subcommand, given, value, facts)
        case Kind.REF_FORMAT if _SIGNATURE_ATOM in value:
            raise not_allowed(subcommand, given.typed, f"{option.full}={value}", _RUNS_PROGRAM)
        case _:
            pass


def _check_line_range(value: str, facts: Facts) -> None:
    _, colon, path = value.rpartition(":")
    if colon:
        check_path(path or ".", facts)


def _check_pretty_format(subcommand: str, given: Given, value: str, facts: Facts) -> None:
    full = f"{given.option.full}={value}"
    if runs_signature_program(value):
        raise not_allowed(subcommand, given.typed, full, f"{_RUNS_PROGRAM}; leave out %G")
    if ":" in value or "%" in value or value in _BUILTIN_FORMATS:
        return
    # Any other name is looked up in the configuration, by its beginning and through aliases.
    named = (key for key in facts.config if key.lower().startswith(_PRETTY_KEY))
    if any(runs_signature_program(text) for key in named for text in facts.values(key)):
        raise not_allowed(subcommand, given.typed, full, f"{_RUNS_PROGRAM}; write the format out, without %G")
