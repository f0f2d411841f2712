"""Subcommands that overwrite, delete or rewrite: reset, clean, checkout, restore, rebase, revert, merge."""

from dataclasses import replace

from git_sidecar.model.tier import Tier
from git_sidecar.options.assembly import assemble, read_call
from git_sidecar.options.call import Classified, Facts
from git_sidecar.options.grammar import Parsed
from git_sidecar.options.operands import take_names, take_nothing, take_paths, take_revisions_and_paths
from git_sidecar.options.refusals import invalid, set_by_config
from git_sidecar.options.table import Table
from git_sidecar.options.tables import destructive

_RESUMING = ("continue", "skip", "abort", "quit")
_NO_EDIT = "--no-edit"

# Words of branch.<name>.mergeOptions that change no outcome a person would want to hear of first.
_HARMLESS_MERGE_OPTIONS = frozenset(
    {"--ff", "--no-ff", "--ff-only", "--no-edit", "--log", "--no-log", "--stat", "--no-stat", "-n", "--summary"}
)


def classify_reset(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-reset(1)."""
    words = ("reset",)
    parsed = read_call(words, args, destructive.RESET, facts)
    operands = take_revisions_and_paths(parsed, facts)
    action = next((mode for mode in ("hard", "merge", "keep", "soft") if parsed.on(mode)), "mixed")
    return assemble(words, parsed, operands, tier=Tier.DESTRUCTIVE, action=action)


def classify_clean(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-clean(1): read with --dry-run, which wins over --force; else destructive, as configuration may force it."""
    words = ("clean",)
    parsed = read_call(words, args, destructive.CLEAN, facts)
    operands = take_paths(parsed, facts)
    dry = parsed.on("dry-run")
    tier, action = (Tier.READ, "preview") if dry else (Tier.DESTRUCTIVE, "clean")
    found = assemble(words, parsed, operands, tier=tier, action=action)
    return replace(found, tier=tier)


def classify_checkout(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-checkout(1): always destructive, since one word can be a branch or a file."""
    words = ("checkout",)
    parsed = read_call(words, args, destructive.CHECKOUT, facts)
    if parsed.on("b", "B", "orphan", "detach"):
        operands = take_names(parsed, at_most=1)
    else:
        operands = take_revisions_and_paths(parsed, facts)
    action = "create" if parsed.on("b", "B", "orphan") else "restore" if operands.paths else "switch"
    return assemble(words, parsed, operands, tier=Tier.DESTRUCTIVE, action=action)


def classify_restore(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-restore(1)."""
    words = ("restore",)
    parsed = read_call(words, args, destructive.RESTORE, facts)
    operands = take_paths(parsed, facts)
    if not operands.paths:
        raise invalid("git restore needs a path")
    action = "unstage" if parsed.on("staged") and not parsed.on("worktree") else "restore"
    return assemble(words, parsed, operands, tier=Tier.DESTRUCTIVE, action=action)


def classify_rebase(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-rebase(1), without an editor and without commands."""
    words = ("rebase",)
    parsed = read_call(words, args, destructive.REBASE, facts)
    return _resumable(words, parsed, at_most=2, action="rebase")


def classify_revert(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-revert(1), with the prepared message."""
    return _sequencer("revert", destructive.REVERT, args, facts)


def classify_cherry_pick(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-cherry-pick(1), with the prepared message."""
    return _sequencer("cherry-pick", destructive.CHERRY_PICK, args, facts)


def _sequencer(subcommand: str, table: Table, args: tuple[str, ...], facts: Facts) -> Classified:
    words = (subcommand,)
    parsed = read_call(words, args, table, facts)
    found = _resumable(words, parsed, at_most=None, action=subcommand)
    if found.action == subcommand:
        if not found.revisions:
            raise invalid(f"git {subcommand} needs a commit")
        return replace(found, forced=(_NO_EDIT,))
    return found


def classify_merge(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-merge(1), with a prepared message or the one given."""
    words = ("merge",)
    parsed = read_call(words, args, destructive.MERGE, facts)
    found = _resumable(words, parsed, at_most=None, action="merge")
    if found.action != "merge":
        return found
    check_merge_options("merge", facts)
    return replace(found, forced=(_NO_EDIT,))


def check_merge_options(subcommand: str, facts: Facts) -> None:
    """Refuse a merge to which branch.<name>.mergeOptions would add more than a matter of form."""
    key = f"branch.{facts.current_branch}.mergeoptions"
    words = " ".join(facts.values(key)).split() if facts.current_branch else []
    added = [word for word in words if word not in _HARMLESS_MERGE_OPTIONS]
    if added:
        raise set_by_config(
            f"git {subcommand}: branch.{facts.current_branch}.mergeOptions adds {' '.join(added)}, which was not "
            "asked for",
            "A person can take the setting out of the configuration; then give the options with the call.",
        )


def _resumable(words: tuple[str, ...], parsed: Parsed, *, at_most: int | None, action: str) -> Classified:
    """A subcommand that can stop half-way; what goes on with it takes nothing else along."""
    resuming = [mode for mode in _RESUMING if parsed.on(mode)]
    if not resuming:
        found = assemble(words, parsed, take_names(parsed, at_most=at_most), tier=Tier.DESTRUCTIVE, action=action)
    elif len(resuming) > 1 or len(parsed.options) > 1:
        raise invalid(f"git {words[0]} --{resuming[0]} takes no other option")
    else:
        found = assemble(words, parsed, take_nothing(parsed), tier=Tier.DESTRUCTIVE, action=resuming[0])
    return replace(found, editor_accept=True)
