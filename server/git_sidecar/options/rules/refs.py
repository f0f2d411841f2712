"""Subcommands that list, make and delete names: branch, tag, reflog, remote, worktree, bisect."""

from dataclasses import replace

from git_sidecar.model.tier import Tier
from git_sidecar.options.assembly import assemble, raised_tier, read_call, uncolored
from git_sidecar.options.call import Classified, Facts
from git_sidecar.options.containment import check_worktree_path
from git_sidecar.options.grammar import Parsed
from git_sidecar.options.operands import Operands, take_names, take_nothing
from git_sidecar.options.refusals import invalid, verb_not_allowed
from git_sidecar.options.rules.reading import classify_reflog_show
from git_sidecar.options.table import Table
from git_sidecar.options.tables import refs
from git_sidecar.options.values import check_name

# builtin/branch.c: only these mean listing; --sort, --format, --verbose and --column beside a name create it.
_BRANCH_FILTERS = ("contains", "no-contains", "merged", "no-merged", "points-at")
_BRANCH_ACTIONS = (
    ("delete", ("delete", "D")),
    ("rename", ("move", "M")),
    ("copy", ("copy", "C")),
    ("set-upstream", ("set-upstream-to",)),
    ("unset-upstream", ("unset-upstream",)),
    ("current", ("show-current",)),
    ("list", ("list", *_BRANCH_FILTERS)),
)
_BRANCH_OPERANDS = {"delete": (1, None), "rename": (1, 2), "copy": (1, 2), "set-upstream": (0, 1)}

# builtin/tag.c
_TAG_FILTERS = (*_BRANCH_FILTERS, "n")

_NO_COLUMN = "--no-column"


def classify_branch(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-branch(1): read when it lists, write when it makes, destructive when it deletes or moves by force."""
    words = ("branch",)
    parsed = read_call(words, args, refs.BRANCH, facts)
    actions = [action for action, names in _BRANCH_ACTIONS if parsed.on(*names)]
    if len(actions) > 1:
        raise invalid(f"git branch: {' and '.join(actions)} exclude each other")
    action = actions[0] if actions else "create" if parsed.operands else "list"
    if action in ("list", "current"):
        return _listing(words, parsed, action)
    if action == "create" and parsed.on("all", "remotes"):
        raise invalid("git branch: --all and --remotes take no branch name", "Add --list to list by a pattern.")
    at_least, at_most = _BRANCH_OPERANDS.get(action, (0, 1) if action == "unset-upstream" else (1, 2))
    operands = take_names(parsed, at_least=at_least, at_most=at_most)
    return assemble(words, parsed, operands, tier=Tier.WRITE, action=action)


def classify_tag(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-tag(1): read when it lists, write when it makes, destructive when it deletes or replaces."""
    words = ("tag",)
    parsed = read_call(words, args, refs.TAG, facts)
    if parsed.on("delete"):
        if parsed.on("list"):
            raise invalid("git tag: --delete and --list exclude each other")
        return assemble(words, parsed, take_names(parsed, at_least=1), tier=Tier.DESTRUCTIVE, action="delete")
    if parsed.on("list", *_TAG_FILTERS) or not parsed.operands:
        return _listing(words, parsed, "list")
    if parsed.on("annotate") and not parsed.on("message"):
        raise invalid("git tag --annotate opens an editor without a message", "Add --message.")
    operands = take_names(parsed, at_least=1, at_most=2)
    check_name("tag", operands.tail[0])
    return assemble(words, parsed, operands, tier=Tier.WRITE, action="create")


def _listing(words: tuple[str, ...], parsed: Parsed, action: str) -> Classified:
    forced = (*uncolored(parsed), *(() if parsed.on("column") else (_NO_COLUMN,)))
    if raised_tier(parsed) is not Tier.READ:
        raise invalid(f"git {words[0]}: {action} and what its other options do exclude each other")
    patterns = parsed.operands
    for pattern in patterns:
        if pattern.startswith("-") or not pattern:
            raise invalid(f"git {words[0]}: {pattern!r} is no pattern")
    operands = Operands(revisions=patterns, tail=patterns)
    return assemble(words, parsed, operands, tier=Tier.READ, action=action, forced=forced)


def classify_reflog(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-reflog(1): show and exists; expire and delete would take away what recovers lost work."""
    verb, rest = (args[0], args[1:]) if args else ("show", args)
    match verb:
        case "exists":
            words = ("reflog", "exists")
            parsed = read_call(words, rest, refs.NO_OPTIONS, facts)
            operands = take_names(parsed, at_least=1, at_most=1)
            return assemble(words, parsed, operands, tier=Tier.READ, action="exists", ok_exit_codes=(0, 1))
        case "expire" | "delete" | "drop" | "list" | "write":
            raise verb_not_allowed("reflog", verb, ("show", "exists"))
        case "show":
            return classify_reflog_show(rest, facts)
        case _:
            return classify_reflog_show(args, facts)


def classify_remote(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-remote(1) as far as it only tells what is configured: the list, get-url, and show -n."""
    verb = next((arg for arg in args if not arg.startswith("-")), None)
    if verb is None:
        parsed = read_call(("remote",), args, refs.REMOTE, facts)
        return assemble(("remote",), parsed, take_nothing(parsed), tier=Tier.READ, action="list")
    at = args.index(verb)
    ahead = read_call(("remote",), args[:at], refs.REMOTE, facts)
    words = ("remote", *ahead.tokens, verb)
    match verb:
        case "get-url":
            return _remote_named(words, args[at + 1 :], refs.REMOTE_GET_URL, facts)
        case "show":
            found = _remote_named(words, args[at + 1 :], refs.REMOTE_SHOW, facts)
            if "n" not in found.switches:
                raise invalid("git remote show contacts the remote", "Add -n, which does not.")
            return found
        case _:
            raise verb_not_allowed("remote", verb, ("-v", "get-url NAME", "show -n NAME"))


def _remote_named(words: tuple[str, ...], args: tuple[str, ...], table: Table, facts: Facts) -> Classified:
    parsed = read_call(words, args, table, facts)
    operands = take_names(parsed, at_least=1, at_most=1)
    return assemble(words, parsed, operands, tier=Tier.READ, action=words[-1])


def classify_worktree(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-worktree(1): list, add, remove."""
    verb, rest = (args[0], args[1:]) if args else (None, args)
    words = ("worktree", verb or "")
    match verb:
        case "list":
            parsed = read_call(words, rest, refs.WORKTREE_LIST, facts)
            return assemble(words, parsed, take_nothing(parsed), tier=Tier.READ, action="list")
        case "add":
            return _worktree_at(words, rest, refs.WORKTREE_ADD, facts, tier=Tier.WRITE, at_most=2)
        case "remove":
            # Ignored files go with it, also where git finds it clean.
            return _worktree_at(words, rest, refs.WORKTREE_REMOVE, facts, tier=Tier.DESTRUCTIVE, at_most=1)
        case _:
            raise verb_not_allowed("worktree", verb, ("list", "add", "remove"))


def _worktree_at(
    words: tuple[str, ...], args: tuple[str, ...], table: Table, facts: Facts, *, tier: Tier, at_most: int
) -> Classified:
    parsed = read_call(words, args, table, facts)
    operands = take_names(parsed, at_least=1, at_most=at_most)
    path, *revisions = operands.tail
    check_worktree_path(path, facts)
    found = assemble(words, parsed, operands, tier=tier, action=words[1])
    return replace(found, paths=(path,), revisions=tuple(revisions))


def classify_bisect(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-bisect(1) log; the rest checks commits out, or runs a program."""
    verb, rest = (args[0], args[1:]) if args else (None, args)
    if verb != "log":
        raise verb_not_allowed("bisect", verb, ("log",))
    words = ("bisect", "log")
    parsed = read_call(words, rest, refs.NO_OPTIONS, facts)
    return assemble(words, parsed, take_nothing(parsed), tier=Tier.READ, action="log")
