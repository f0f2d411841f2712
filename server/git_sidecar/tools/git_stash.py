"""git_stash: list, show, push, pop, apply or drop stash entries."""

from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from git_sidecar.git.diff import Sides, read_cut_diff
from git_sidecar.git.head_state import read_head
from git_sidecar.git.restore import read_source_paths
from git_sidecar.git.stash import apply_argv, apply_stash, drop_argv, drop_stash, push_argv, push_stash
from git_sidecar.git.stash_list import read_stashes, resolve_stash
from git_sidecar.model.plan import Effects, Plan, RefChange, Scope
from git_sidecar.model.refs import RepoPath
from git_sidecar.model.refs_list import Stash
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.model.tier import Tier
from git_sidecar.tools.cards import diff_card, list_card
from git_sidecar.tools.contract import Card, ChangingInput, ListItem, Preview, Text, Tool, ToolContext, ToolOutput
from git_sidecar.tools.limits import cut_limits
from git_sidecar.tools.paths import Paths, contain_paths
from git_sidecar.tools.planned import details_of
from git_sidecar.tools.previews import name_list, quoted, read_diff_cards, short
from git_sidecar.tools.printable import clipped, counted, indented, printable, printable_line
from git_sidecar.tools.stash_plan import find_stashable
from git_sidecar.tools.values import StashValue, make_stash

_SHOWN = 200
_EVERYTHING = (RepoPath("."),)


class Input(ChangingInput):
    """Arguments of git_stash."""

    action: Literal["list", "show", "push", "pop", "apply", "drop"] = "list"
    message: Text | None = Field(default=None, description="push.")
    paths: Paths | None = Field(default=None, description="push.")
    include_untracked: bool = Field(default=False, description="push.")
    stash: Text | None = Field(default=None, description="Object id or index; default the newest.")


class Output(ToolOutput):
    """The value of git_stash: `stashes`, or the entry that was shown or worked on.

    show: `diff` against the commit it was made on, `untracked` the new files in it. push: `paths` are
    those whose changes were put away.
    """

    action: str
    stashes: list[StashValue] | None = None
    stash: StashValue | None = None
    diff: str | None = None
    untracked: list[str] | None = None
    paths: list[str] | None = None
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class _Push:
    argv: tuple[str, ...]
    paths: tuple[RepoPath, ...]
    affected: tuple[RepoPath, ...]


async def plan(args: Input, ctx: ToolContext) -> Plan | Refusal:
    """Find the entry by its object id, or what would be put away."""
    pushing = args.action == "push"
    if not pushing and (args.paths is not None or args.include_untracked or args.message is not None):
        return Refusal(RefusalCode.INVALID_ARGUMENTS, "`message`, `paths` and `includeUntracked` belong to push")
    if args.action in ("list", "push") and args.stash is not None:
        return Refusal(RefusalCode.INVALID_ARGUMENTS, f"{args.action} takes no `stash`")
    if args.action == "list":
        return Plan(tier=Tier.READ, command=("git", "stash", "list"))
    if pushing:
        return await _plan_push(args, ctx)
    stash = await resolve_stash(ctx.repository, args.stash)
    if args.action == "show":
        return Plan(tier=Tier.READ, command=("git", "stash", "show", stash.oid), details=stash)
    argv = drop_argv(stash.index) if args.action == "drop" else apply_argv(stash.oid)
    if args.action == "pop":
        # Applied by its id, dropped only when that went well: a list that shifts cannot change which one it is.
        argv = ("stash", "pop", stash.oid)
    return Plan(
        tier=Tier.DESTRUCTIVE if args.action == "drop" else Tier.WRITE,
        command=("git", *argv),
        basis={"stash": stash.oid},
        scope=Scope() if args.action == "drop" else Scope(None, targets=(stash.oid, *stash.parents[2:])),
        details=stash,
    )


async def _plan_push(args: Input, ctx: ToolContext) -> Plan | Refusal:
    if args.message is not None and not args.message.strip():
        return Refusal(RefusalCode.INVALID_ARGUMENTS, "the message is empty", "Leave it out for git's own.")
    paths = contain_paths(args.paths, ctx)
    if isinstance(paths, Refusal):
        return paths
    affected = await find_stashable(ctx.repository, paths, include_untracked=args.include_untracked)
    if isinstance(affected, Refusal):
        return affected
    argv = push_argv(message=args.message, include_untracked=args.include_untracked)
    shown = ["--message=…" if word.startswith("--message=") else word for word in argv]
    return Plan(
        tier=Tier.WRITE,
        command=("git", *shown, *(("--", *(path.text for path in paths)) if paths else ())),
        # Nothing is named that could move, and nothing is lost.
        basis={},
        scope=Scope(None),
        details=_Push(argv, paths, affected),
    )


async def present(args: Input, ctx: ToolContext, plan: Plan) -> Preview:
    """Show the entry and what it holds, or the files that would be put away."""
    if args.action == "push":
        push = details_of(plan, _Push)
        return Preview(
            title=f"Stash the changes of {counted(len(push.affected), 'file')}?",
            message=f"They are put away and the files go back to HEAD:\n\n{name_list(push.affected)}",
            effects=Effects(files_changed=len(push.affected)),
            cards=await read_diff_cards(ctx, Sides(old=(await read_head(ctx.repository)).commit), push.paths),
        )
    stash = details_of(plan, Stash)
    words = {"pop": "Apply and drop", "apply": "Apply", "drop": "Drop"}
    lines = [f"Entry {stash.index} ({short(stash.oid)}, {stash.date}): {quoted(stash.message)}"]
    if args.action == "drop":
        lines.append("**Its changes are in no branch; they would be lost.**")
    return Preview(
        title=f"{words[args.action]} stash entry {stash.index}?",
        message="\n\n".join(lines),
        effects=Effects(
            commits_dropped=1 if args.action == "drop" else None,
            refs=(RefChange(f"stash@{{{stash.index}}}", stash.oid, None),) if args.action != "apply" else (),
        ),
        cards=await read_diff_cards(ctx, Sides(old=stash.parents[0], new=stash.oid)),
    )


async def run(args: Input, ctx: ToolContext, plan: Plan | None) -> Output | Refusal:
    """List, show, or carry the action out on the entry that was planned with."""
    if args.action == "list":
        return Output(action="list", stashes=[make_stash(item) for item in await read_stashes(ctx.repository)])
    if args.action == "push":
        return await _push(ctx, details_of(plan, _Push))
    stash = details_of(plan, Stash)
    if args.action == "show":
        return await _show(ctx, stash)
    if args.action in ("pop", "apply"):
        await apply_stash(ctx.repository, stash)
    if args.action in ("pop", "drop"):
        await drop_stash(ctx.repository, stash)
    return Output(action=args.action, stash=make_stash(stash))


async def _push(ctx: ToolContext, push: _Push) -> Output | Refusal:
    made = await push_stash(ctx.repository, push.argv, push.paths)
    if made is None:
        return Refusal(RefusalCode.NOTHING_TO_DO, "there were no local changes to stash")
    names = [path.raw.decode("utf-8", "replace") for path in push.affected]
    return Output(action="push", stash=make_stash(made), paths=names)


async def _show(ctx: ToolContext, stash: Stash) -> Output:
    sides = Sides(old=stash.parents[0], new=stash.oid)
    diff = await read_cut_diff(ctx.repository, sides, limits=cut_limits(ctx.settings.limits))
    untracked: list[RepoPath] = []
    for parent in stash.parents[2:]:
        untracked += await read_source_paths(ctx.repository, parent, _EVERYTHING)
    return Output(
        action="show",
        stash=make_stash(stash),
        diff=diff.text,
        untracked=[path.raw.decode("utf-8", "replace") for path in untracked] or None,
        truncated=diff.truncated,
    )


def render(out: Output) -> str:
    """The entries, or what was done, as a model reads it."""
    if out.stashes is not None:
        rows = [_describe(item) for item in out.stashes]
        return "\n".join([f"{counted(len(rows), 'stash entry', 'stash entries')}.", *indented(clipped(rows, _SHOWN))])
    entry = _describe(out.stash) if out.stash is not None else ""
    if out.action == "show":
        lines = [entry, *indented([f"untracked {printable_line(name)}" for name in out.untracked or []])]
        return "\n".join([*lines, "", printable(out.diff or "")])
    if out.action == "push":
        rows = [printable_line(name) for name in out.paths or []]
        return "\n".join([f"Stashed as {entry}", *indented(clipped(rows, _SHOWN, "path"))])
    said = {"pop": "Applied and dropped", "apply": "Applied, and kept,", "drop": "Dropped"}
    return f"{said[out.action]} {entry}"


def _describe(stash: StashValue) -> str:
    return f"{stash.index}: {stash.hash[:10]} {stash.date} {printable_line(stash.message)}"


def cards(out: Output) -> tuple[Card, ...]:
    """The entries as a list; a shown one as its diff."""
    if out.action == "show":
        return (diff_card(out.diff or "", []),)
    entries = out.stashes if out.stashes is not None else [out.stash] if out.stash is not None else []
    return (list_card([ListItem(entry.message, str(entry.index), entry.hash) for entry in entries]),)


def announce(args: Input) -> str:
    """The line before the call."""
    words = {
        "list": "Listing stash entries",
        "show": "Reading a stash entry",
        "push": "Stashing changes",
        "pop": "Applying and dropping a stash entry",
        "apply": "Applying a stash entry",
        "drop": "Dropping a stash entry",
    }
    return words[args.action]


TOOL = Tool(
    name="git_stash",
    title="Stash",
    summary="Put changes away (push); list, show, pop, apply, drop entries. On a conflict the entry is kept.",
    tier=None,
    input=Input,
    output=Output,
    run=run,
    render=render,
    cards=cards,
    announce=announce,
    plan=plan,
    present=present,
    icon="archive",
)
