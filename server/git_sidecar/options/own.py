"""Our own argument lists, held to the same classifier and, where that refuses, to a second, explicit table.

A test runs every argument list that the suite ever gave to git through `classify_argv`, so that what our tools do
stays written down.
"""

from collections.abc import Sequence
from dataclasses import replace

from git_sidecar.model.refusal import Refusal
from git_sidecar.model.tier import Tier, highest
from git_sidecar.options.assembly import raised_tier, read_call
from git_sidecar.options.call import Call, Classified, Facts
from git_sidecar.options.classify import classify
from git_sidecar.options.containment import check_path
from git_sidecar.options.grammar import DASHES, Parsed
from git_sidecar.options.refusals import Refused, invalid
from git_sidecar.options.subcommands import subcommand_refusal
from git_sidecar.options.tables.own import OWN_FORMS, STASH_FORMS, OwnForm
from git_sidecar.options.values import check_revision

# Which branches are protected, and what may be forced, our tools have decided by the settings.
_OUR_FACTS = Facts(protected_branches=())


def classify_argv(argv: Sequence[str]) -> Classified | Refusal:
    """The tier of an argument list (after `git`) that we made ourselves, or the refusal that it would meet.

    The tier is what the list can do at most: a plumbing command on a private index counts as one on the real index.
    Unlike with `classify`, the list may be run as it stands.
    """
    subcommand, *args = argv or ("",)
    found = classify(Call(subcommand, tuple(args)), _OUR_FACTS)
    if isinstance(found, Classified):
        return replace(found, tier=Tier.WRITE) if found.action == "unstage" else found
    words, args, form = _find_form(subcommand, tuple(args))
    if form is None:
        return found
    try:
        return _classify_own(words, args, form)
    except Refused as refused:
        return refused.refusal


def _find_form(subcommand: str, args: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...], OwnForm | None]:
    if subcommand == "stash" and args:
        return (subcommand, args[0]), args[1:], STASH_FORMS.get(args[0])
    return (subcommand,), args, OWN_FORMS.get(subcommand)


def _classify_own(words: tuple[str, ...], args: tuple[str, ...], form: OwnForm) -> Classified:
    parsed = read_call(words, args, form.table, _OUR_FACTS)
    if form.needs and not parsed.on(*form.needs):
        raise Refused(subcommand_refusal(" ".join(words)))
    for name in parsed.before:
        if name not in parsed.pseudo:
            check_revision(parsed.subcommand, name)
    paths = parsed.after or ()
    for path in paths:
        check_path(path, _OUR_FACTS)
    return Classified(
        subcommand=words[0],
        tier=Tier.WRITE if _unstages(parsed) else highest(form.tier, raised_tier(parsed), _by_operands(parsed)),
        action=words[-1],
        words=words,
        options=parsed.tokens,
        tail=(*parsed.before, *(() if parsed.after is None else (DASHES, *paths))),
        revisions=parsed.before,
        paths=paths,
        switches=parsed.switches,
    )


def _unstages(parsed: Parsed) -> bool:
    # The typed tool that unstages only is a write (the wire contract, section 5).
    return parsed.subcommand == "restore" and parsed.on("staged") and not parsed.on("worktree")


def _by_operands(parsed: Parsed) -> Tier:
    if parsed.subcommand == "symbolic-ref" and len(parsed.operands) > 1:
        return Tier.WRITE
    if parsed.subcommand == "config" and len(parsed.operands) > 2:
        raise invalid("git config with a value writes")
    return Tier.READ
