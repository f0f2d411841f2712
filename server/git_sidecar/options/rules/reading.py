"""Subcommands that only read: diff, log, show, blame, status, shortlog, grep and the like."""

from dataclasses import replace

from git_sidecar.model.tier import Tier
from git_sidecar.options.assembly import assemble, read_call, uncolored
from git_sidecar.options.call import Classified, Facts
from git_sidecar.options.grammar import Parsed, spell
from git_sidecar.options.operands import (
    take_file,
    take_names,
    take_paths,
    take_revisions_and_paths,
)
from git_sidecar.options.refusals import invalid, set_by_config, verb_not_allowed
from git_sidecar.options.table import Table
from git_sidecar.options.tables import diffs, reading, refs

# Ours, last: the last one wins, and a repository can switch both on by its configuration (git-hazards 3a).
NO_PROGRAMS = ("--no-ext-diff", "--no-textconv")
NO_SIGNATURES = "--no-show-signature"
# A submodule has a configuration of its own, which nobody has looked at; diff.submodule=diff runs what it names.
SHORT_SUBMODULES = "--submodule=short"
CLOSED_SUBMODULES = "--ignore-submodules=dirty"
# Without a format of the caller's, format.pretty decides, and may hold %G.
_DEFAULT_FORMAT = "--pretty=medium"
_REFLOG_FORMAT = "--pretty=oneline"

_REMERGE = frozenset({"remerge", "r"})
_RANGE_PSEUDO = ("--all", "--branches", "--tags", "--remotes", "--glob", "--reflog", "--bisect")
_OBJECT_TYPES = frozenset({"blob", "tree", "commit", "tag"})
_NOTES_VERBS = ("show", "list")
_OBJECT_MODES = ("e", "p", "t", "s")

# git-diff(1): --exit-code and --quiet answer by 1, --check by 2, both by 3.
_DIFFERS = (0, 1)
_CHECKED = (0, 1, 2, 3)


def classify_diff(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-diff(1): between commits, the index and the work tree; never outside (`--no-index`)."""
    words = ("diff",)
    parsed = read_call(words, args, diffs.DIFF, facts)
    operands = take_revisions_and_paths(parsed, facts)
    return replace(
        assemble(
            words,
            parsed,
            operands,
            tier=Tier.READ,
            action="show",
            forced=diff_options(parsed),
            ok_exit_codes=diff_exit_codes(parsed),
        ),
        forced_untrusted=(CLOSED_SUBMODULES, SHORT_SUBMODULES),
    )


def classify_log(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-log(1)."""
    return classify_history(("log",), args, facts, default_format=_DEFAULT_FORMAT)


def classify_show(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-show(1): commits, tags, trees, and blobs as they are stored."""
    return classify_history(("show",), args, facts, default_format=_DEFAULT_FORMAT)


def classify_reflog_show(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-reflog(1) show."""
    return classify_history(("reflog", "show"), args, facts, default_format=_REFLOG_FORMAT)


def classify_history(
    words: tuple[str, ...], args: tuple[str, ...], facts: Facts, *, default_format: str | None
) -> Classified:
    """A subcommand that is `git log` at heart; `default_format` stands in for the one that configuration may set."""
    parsed = read_call(words, args, diffs.HISTORY, facts)
    _check_diff_merges(parsed, facts)
    forced = (*diff_options(parsed), NO_SIGNATURES)
    if default_format is not None and not parsed.on("pretty", "oneline"):
        forced = (default_format, *forced)
    return replace(
        assemble(
            words,
            parsed,
            take_revisions_and_paths(parsed, facts),
            tier=Tier.READ,
            action="show",
            forced=forced,
            ok_exit_codes=diff_exit_codes(parsed),
        ),
        forced_untrusted=(SHORT_SUBMODULES,),
    )


def diff_options(parsed: Parsed) -> tuple[str, ...]:
    """Our options for whatever may print a diff: no colours by configuration, no programs, no diffs of submodules."""
    submodules = () if parsed.on("submodule") else (SHORT_SUBMODULES,)
    return (*submodules, *uncolored(parsed), *NO_PROGRAMS)


def diff_exit_codes(parsed: Parsed) -> tuple[int, ...]:
    """The exit codes by which the diff options at hand answer."""
    if parsed.on("check"):
        return _CHECKED
    return _DIFFERS if parsed.on("exit-code", "quiet") else (0,)


def _check_diff_merges(parsed: Parsed, facts: Facts) -> None:
    # -m means whatever log.diffMerges says; remerge starts merge drivers.
    if parsed.on("m") and facts.value("log.diffmerges") in _REMERGE:
        raise set_by_config(
            f"git {parsed.subcommand}: -m means --remerge-diff here, since log.diffMerges says so; that runs merge "
            "drivers",
            "Use --diff-merges=separate.",
        )


def classify_shortlog(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-shortlog(1), with a revision: without one it reads a log from standard input."""
    words = ("shortlog",)
    parsed = read_call(words, args, diffs.SHORTLOG, facts)
    operands = take_revisions_and_paths(parsed, facts)
    starts = (name for name in operands.revisions if name not in parsed.pseudo or name.startswith(_RANGE_PSEUDO))
    if not any(starts):
        raise invalid("git shortlog without a revision waits for a log on standard input", "Add HEAD.")
    return assemble(words, parsed, operands, tier=Tier.READ, action="show", forced=uncolored(parsed))


def classify_blame(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-blame(1) of one file."""
    words = ("blame",)
    parsed = read_call(words, args, reading.BLAME, facts)
    operands = take_file(parsed, facts)
    return assemble(words, parsed, operands, tier=Tier.READ, action="show", forced=("--no-textconv",))


def classify_status(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-status(1)."""
    words = ("status",)
    parsed = read_call(words, args, reading.STATUS, facts)
    operands = take_paths(parsed, facts)
    return replace(
        assemble(words, parsed, operands, tier=Tier.READ, action="show"),
        forced_untrusted=(CLOSED_SUBMODULES,),
        # There is no option against colours.
        config=(("color.status", "false"),),
    )


def classify_check_ignore(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-check-ignore(1) of the paths given; exit 1: none is ignored."""
    found = _of_paths("check-ignore", reading.CHECK_IGNORE, args, facts, ok_exit_codes=(0, 1))
    # It dies where GIT_LITERAL_PATHSPECS is set ("pathspec magic not supported by this command").
    return replace(found, pathspecs_literal=False)


def classify_ls_files(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-ls-files(1); exit 1 of --error-unmatch: a path is not tracked."""
    found = _of_paths("ls-files", reading.LS_FILES, args, facts)
    return replace(found, ok_exit_codes=(0, 1)) if "error-unmatch" in found.switches else found


def _of_paths(
    subcommand: str, table: Table, args: tuple[str, ...], facts: Facts, ok_exit_codes: tuple[int, ...] = (0,)
) -> Classified:
    parsed = read_call((subcommand,), args, table, facts)
    operands = take_paths(parsed, facts)
    return assemble((subcommand,), parsed, operands, tier=Tier.READ, action="list", ok_exit_codes=ok_exit_codes)


def classify_grep(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-grep(1) of tracked (or untracked) files and of commits; exit 1: nothing found."""
    words = ("grep",)
    parsed = read_call(words, args, reading.GREP, facts)
    if not any(given.option.name == "e" for given in parsed.options):
        parsed = _with_pattern(parsed)
    operands = take_revisions_and_paths(parsed, facts)
    forced = (*uncolored(parsed), "--no-textconv", "--no-recurse-submodules")
    return assemble(words, parsed, operands, tier=Tier.READ, action="search", forced=forced, ok_exit_codes=(0, 1))


def _with_pattern(parsed: Parsed) -> Parsed:
    """The first operand as `-e`, so that no pattern can be taken for anything else; `grep -- -x` means -x."""
    before, after = parsed.before, parsed.after
    if before:
        pattern, before = before[0], before[1:]
    elif after:
        pattern, rest = after[0], after[1:]
        at = rest.index("--") if "--" in rest else None
        before, after = (rest, None) if at is None else (rest[:at], rest[at + 1 :])
    else:
        raise invalid("git grep needs a pattern")
    given = spell(reading.GREP, "e", pattern)
    return replace(parsed, options=(*parsed.options, given), before=before, after=after)


def classify_describe(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-describe(1) of commits, not of the work tree."""
    words = ("describe",)
    parsed = read_call(words, args, reading.DESCRIBE, facts)
    return assemble(words, parsed, take_names(parsed), tier=Tier.READ, action="show")


def classify_rev_parse(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-rev-parse(1): what revisions and repositories are called; exit 1 of --quiet --verify: there is none."""
    words = ("rev-parse",)
    parsed = read_call(words, args, reading.REV_PARSE, facts)
    ok_exit_codes = (0, 1) if parsed.on("verify") and parsed.on("quiet") else (0,)
    return assemble(words, parsed, take_names(parsed), tier=Tier.READ, action="show", ok_exit_codes=ok_exit_codes)


def classify_cat_file(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-cat-file(1) of one object; exit 1 of -e: there is none."""
    words = ("cat-file",)
    parsed = read_call(words, args, reading.CAT_FILE, facts)
    if not parsed.on(*_OBJECT_MODES):
        operands = take_names(parsed, at_least=2, at_most=2)
        if operands.tail[0] not in _OBJECT_TYPES:
            raise invalid(f"git cat-file: {operands.tail[0]!r} is no type of object", "Use -p and the object.")
    else:
        operands = take_names(parsed, at_least=1, at_most=1)
    ok_exit_codes = (0, 1) if parsed.on("e") else (0,)
    return assemble(words, parsed, operands, tier=Tier.READ, action="show", ok_exit_codes=ok_exit_codes)


def classify_notes(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-notes(1): show and list."""
    verb = next((arg for arg in args if not arg.startswith("-")), None)
    if verb not in (None, *_NOTES_VERBS):
        raise verb_not_allowed("notes", verb, _NOTES_VERBS)
    parsed = read_call(("notes",), args, refs.NOTES, facts)
    operands = take_names(replace(parsed, before=parsed.before[1:]), at_most=1)
    found = assemble(("notes",), parsed, operands, tier=Tier.READ, action=verb or "list")
    # --ref belongs to `notes` itself and stands before the verb.
    return replace(found, tail=(found.action, *operands.tail))
