"""git-stash(1): verbs, and what it does without one."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from git_sidecar.model.tier import Tier
from git_sidecar.options.assembly import Classifier, assemble, read_call
from git_sidecar.options.call import Classified, Facts
from git_sidecar.options.operands import Operands, take_names, take_nothing, take_paths
from git_sidecar.options.refusals import invalid, verb_not_allowed
from git_sidecar.options.rules.reading import (
    CLOSED_SUBMODULES,
    SHORT_SUBMODULES,
    classify_history,
    diff_exit_codes,
    diff_options,
)
from git_sidecar.options.table import Table
from git_sidecar.options.tables import diffs, refs, writing
from git_sidecar.options.values import check_name


def classify_stash(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-stash(1): list and show read, drop and clear are destructive, the rest writes.

    Without a verb it pushes; then the first argument must be an option or `--`, as in git.
    """
    verb = args[0] if args else "push"
    if verb in _VERBS:
        return _VERBS[verb](args[1:], facts)
    if not verb.startswith("-"):
        raise verb_not_allowed("stash", verb, tuple(_VERBS))
    found = _push(args, facts)
    if found.paths and "--" not in args:
        raise invalid(f"git stash: {found.paths[0]!r} needs the verb push before it")
    return found


def _list(args: tuple[str, ...], facts: Facts) -> Classified:
    found = classify_history(("stash", "list"), args, facts, default_format=None)
    return replace(found, action="list")


def _show(args: tuple[str, ...], facts: Facts) -> Classified:
    words = ("stash", "show")
    parsed = read_call(words, args, diffs.STASH_SHOW, facts)
    # git shows the stat only where no option is given, and ours are options.
    stat = () if parsed.options else ("--stat",)
    return replace(
        assemble(
            words,
            parsed,
            take_names(parsed, at_most=1),
            tier=Tier.READ,
            action="show",
            forced=(*stat, *diff_options(parsed)),
            ok_exit_codes=diff_exit_codes(parsed),
        ),
        forced_untrusted=(CLOSED_SUBMODULES, SHORT_SUBMODULES),
    )


def _push(args: tuple[str, ...], facts: Facts) -> Classified:
    words = ("stash", "push")
    parsed = read_call(words, args, writing.STASH_PUSH, facts)
    return assemble(words, parsed, take_paths(parsed, facts), tier=Tier.WRITE, action="push")


def _with_message(verb: str, table: Table, action: str) -> Classifier:
    """save and create, whose operands are the words of a message."""

    def classify(args: tuple[str, ...], facts: Facts) -> Classified:
        words = ("stash", verb)
        parsed = read_call(words, args, table, facts)
        message = parsed.operands
        if any(word.startswith("-") for word in message):
            raise invalid(f"git stash {verb}: a word of the message begins with '-'", "Use push --message.")
        return assemble(words, parsed, Operands(tail=message), tier=Tier.WRITE, action=action)

    return classify


def _branch(args: tuple[str, ...], facts: Facts) -> Classified:
    words = ("stash", "branch")
    parsed = read_call(words, args, refs.NO_OPTIONS, facts)
    operands = take_names(parsed, at_least=1, at_most=2)
    check_name("stash branch", operands.tail[0])
    return assemble(words, parsed, operands, tier=Tier.WRITE, action="branch")


def _clear(args: tuple[str, ...], facts: Facts) -> Classified:
    words = ("stash", "clear")
    parsed = read_call(words, args, refs.NO_OPTIONS, facts)
    return assemble(words, parsed, take_nothing(parsed), tier=Tier.DESTRUCTIVE, action="clear")


def _of_one(verb: str, table: Table, tier: Tier) -> Classifier:
    def classify(args: tuple[str, ...], facts: Facts) -> Classified:
        words = ("stash", verb)
        parsed = read_call(words, args, table, facts)
        return assemble(words, parsed, take_names(parsed, at_most=1), tier=tier, action=verb)

    return classify


_VERBS: Mapping[str, Classifier] = MappingProxyType(
    {
        "list": _list,
        "show": _show,
        "push": _push,
        "save": _with_message("save", writing.STASH_PUSH, "push"),
        "create": _with_message("create", refs.NO_OPTIONS, "create"),
        "apply": _of_one("apply", writing.STASH_APPLY, Tier.WRITE),
        "pop": _of_one("pop", writing.STASH_APPLY, Tier.WRITE),
        "branch": _branch,
        "drop": _of_one("drop", writing.STASH_DROP, Tier.DESTRUCTIVE),
        "clear": _clear,
    }
)
