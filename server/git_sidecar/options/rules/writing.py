"""Subcommands that add to what there is: add, commit, switch, mv, rm."""

from dataclasses import replace

from git_sidecar.model.tier import Tier, highest
from git_sidecar.options.assembly import assemble, raised_tier, read_call
from git_sidecar.options.call import Classified, Facts
from git_sidecar.options.grammar import Parsed
from git_sidecar.options.operands import take_names, take_nothing, take_paths
from git_sidecar.options.refusals import invalid, not_allowed
from git_sidecar.options.tables import writing

_MESSAGE = ("message", "reuse-message", "fixup")
# builtin/commit.c: these imply --dry-run.
_DRY = ("dry-run", "short", "porcelain", "long")
# git would open an editor with the old message, or make a commit of another kind.
_FIXUP_KINDS = ("amend:", "reword:")


def classify_add(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-add(1)."""
    words = ("add",)
    parsed = read_call(words, args, writing.ADD, facts)
    return assemble(words, parsed, take_paths(parsed, facts), tier=Tier.WRITE, action="add")


def classify_commit(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-commit(1), with its message as an argument; --amend is destructive."""
    words = ("commit",)
    parsed = read_call(words, args, writing.COMMIT, facts)
    fixup = parsed.value("fixup")
    if fixup is not None and fixup.startswith(_FIXUP_KINDS):
        given = parsed.last("fixup")
        typed = "--fixup" if given is None else given.typed
        raise not_allowed("commit", typed, f"--fixup={fixup}", "it opens an editor; --fixup=COMMIT does not")
    if not _has_message(parsed):
        raise invalid("git commit opens an editor without a message", "Add --message, or --no-edit to --amend.")
    action = "amend" if parsed.on("amend") else "preview" if parsed.on(*_DRY) else "commit"
    return assemble(words, parsed, take_paths(parsed, facts), tier=Tier.WRITE, action=action)


def _has_message(parsed: Parsed) -> bool:
    edit = parsed.last("edit")
    kept = parsed.on("amend") and edit is not None and edit.negated
    return kept or parsed.on(*_MESSAGE, *_DRY)


def classify_switch(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-switch(1): a write as long as it overwrites nothing, ignored files included."""
    words = ("switch",)
    parsed = read_call(words, args, writing.SWITCH, facts)
    if parsed.on("orphan"):
        operands = take_nothing(parsed)
    else:
        operands = take_names(parsed, at_least=0 if parsed.on("create", "force-create", "detach") else 1, at_most=1)
    action = "create" if parsed.on("create", "force-create", "orphan") else "switch"
    found = assemble(words, parsed, operands, tier=Tier.WRITE, action=action)
    # By default git overwrites, without a word, an ignored file that the other branch tracks.
    return replace(found, forced=("--no-overwrite-ignore",)) if found.tier is Tier.WRITE else found


def classify_mv(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-mv(1): a write, destructive where it may overwrite."""
    words = ("mv",)
    parsed = read_call(words, args, writing.MV, facts)
    operands = take_paths(parsed, facts)
    if len(operands.paths) < 2:
        raise invalid("git mv needs a source and a destination")
    return _unless_dry(assemble(words, parsed, operands, tier=Tier.WRITE, action="move"), parsed)


def classify_rm(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-rm(1): a write where HEAD has all that is removed, else destructive."""
    words = ("rm",)
    parsed = read_call(words, args, writing.RM, facts)
    operands = take_paths(parsed, facts)
    if not operands.paths:
        raise invalid("git rm needs a path")
    tier = highest(Tier.WRITE if facts.staged_matches_head else Tier.DESTRUCTIVE, raised_tier(parsed))
    return _unless_dry(assemble(words, parsed, operands, tier=tier, action="remove"), parsed)


def _unless_dry(found: Classified, parsed: Parsed) -> Classified:
    return replace(found, tier=Tier.READ, action="preview") if parsed.on("dry-run") else found
