"""git_branch: list, create, switch to, rename or delete branches."""

from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from git_sidecar.git.branch_changes import (
    change_branch,
    create_argv,
    delete_argv,
    rename_argv,
    switch_argv,
    switch_branch,
)
from git_sidecar.git.head_state import read_head
from git_sidecar.git.reachability import count_only_held, is_ancestor
from git_sidecar.git.ref_names import HEADS, REMOTES, find_ref, read_refs
from git_sidecar.git.refs import read_branches
from git_sidecar.git.revisions import resolve_commits
from git_sidecar.model.plan import Effects, Plan, RefChange, Scope, Undo
from git_sidecar.model.refs import BranchName, Rev
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.model.tier import Tier
from git_sidecar.tools.basis import refs_basis
from git_sidecar.tools.cards import list_card
from git_sidecar.tools.contract import Card, ChangingInput, ListItem, Preview, Tool, ToolContext, ToolOutput
from git_sidecar.tools.names_of_refs import BranchText
from git_sidecar.tools.planned import details_of
from git_sidecar.tools.previews import quoted, short
from git_sidecar.tools.printable import clipped, counted, indented, printable_line
from git_sidecar.tools.revs import RevText
from git_sidecar.tools.values import BranchValue, make_branch

_SHOWN = 200


class Input(ChangingInput):
    """Arguments of git_branch."""

    action: Literal["list", "create", "checkout", "rename", "delete"] = "list"
    name: BranchText | None = Field(default=None, description="The branch; for rename its new name.")
    start_point: RevText | None = Field(
        default=None, description="create, checkout: start a new branch here. rename: the branch; default the current."
    )
    force: bool = Field(default=False, description="create: move an existing one. delete: though not merged.")


class Output(ToolOutput):
    """The value of git_branch: `branches`, or what was done.

    `previous`: create, delete: where the branch was; checkout: what was checked out; rename: the old name.
    """

    action: str
    branches: list[BranchValue] | None = None
    name: str | None = None
    head: str | None = None
    previous: str | None = None
    warnings: list[str] | None = None


@dataclass(frozen=True, slots=True)
class _Change:
    """What a call does to a branch: the arguments of git, the refs it moves, the commits that are then unreachable."""

    argv: tuple[str, ...]
    name: BranchName
    refs: tuple[RefChange, ...]
    previous: str | None
    dropped: int = 0


def _refuse(message: str, hint: str | None = None, code: RefusalCode = RefusalCode.INVALID_ARGUMENTS) -> Refusal:
    return Refusal(code, message, hint)


def _refuse_missing(name: BranchName) -> Refusal:
    return _refuse(
        f"there is no branch {name.text!r}",
        "Branches are listed by git_branch; a remote's is made local by create with startPoint.",
        RefusalCode.REF_NOT_FOUND,
    )


async def plan(args: Input, ctx: ToolContext) -> Plan | Refusal:
    """Find what would move, and what would be lost."""
    if args.action == "list":
        return Plan(tier=Tier.READ, command=("git", "for-each-ref", HEADS))
    if args.name is None:
        return _refuse(f"`name` is required to {args.action} a branch")
    name = BranchName(args.name)
    match args.action:
        case "create":
            change = await _plan_create(args, ctx, name)
        case "checkout":
            change = await _plan_checkout(args, ctx, name)
        case "rename":
            change = await _plan_rename(args, ctx, name)
        case _:
            change = await _plan_delete(args, ctx, name)
    if isinstance(change, Refusal):
        return change
    target = next((ref.new for ref in change.refs if ref.new is not None), None)
    checkout = args.action == "checkout"
    return Plan(
        tier=Tier.DESTRUCTIVE if args.force or args.action == "delete" else Tier.WRITE,
        command=("git", *change.argv),
        # Where HEAD is does not matter to a switch: git refuses by itself to lose anything.
        basis=refs_basis({ref.name: ref.old for ref in change.refs if ref.name != "HEAD"} | {"target": target}),
        scope=Scope(None, targets=(target,) if target else ()) if checkout else Scope(),
        undo=Undo.SNAPSHOT,
        details=change,
    )


async def _resolve_start(args: Input, ctx: ToolContext) -> tuple[str, str]:
    """The commit to start at, and how git is told of it: a remote's branch by name, so that it can be followed."""
    text = args.start_point or "HEAD"
    full = await find_ref(ctx.repository, text)
    (oid,) = await resolve_commits(ctx.repository, [Rev(full or text)])
    return oid, full if full is not None and full.startswith(REMOTES) else oid


async def _plan_create(args: Input, ctx: ToolContext, name: BranchName) -> _Change | Refusal:
    old = (await read_refs(ctx.repository, [name.ref]))[name.ref]
    if old is not None and not args.force:
        return _refuse(
            f"a branch named {name.text!r} already exists, at {old}",
            "Choose another name, or say force: true to move it.",
            RefusalCode.REF_EXISTS,
        )
    if old is not None and (await read_head(ctx.repository)).branch == name.text:
        return _refuse(f"{name.text!r} is checked out, so it cannot be moved", "Switch to another branch first.")
    oid, start = await _resolve_start(args, ctx)
    dropped = 0
    if old is not None and not await is_ancestor(ctx.repository, old, oid):
        dropped = await count_only_held(ctx.repository, old, ref=name.ref)
    argv = create_argv(name, start, force=args.force)
    return _Change(argv, name, (RefChange(name.ref, old, oid),), old, dropped)


async def _plan_checkout(args: Input, ctx: ToolContext, name: BranchName) -> _Change | Refusal:
    if args.force:
        return _refuse(
            "checkout takes no `force`: changed files are never overwritten",
            "Commit, stash or restore them first.",
        )
    head = await read_head(ctx.repository)
    old = (await read_refs(ctx.repository, [name.ref]))[name.ref]
    if old is None and args.start_point is None and head.branch != name.text:
        return _refuse_missing(name)
    if args.start_point is not None:
        if old is not None:
            return _refuse(
                f"a branch named {name.text!r} already exists",
                "Leave startPoint out to switch to it.",
                RefusalCode.REF_EXISTS,
            )
        oid, start = await _resolve_start(args, ctx)
        refs = (RefChange("HEAD", head.commit, oid), RefChange(name.ref, None, oid))
        return _Change(switch_argv(name, start), name, refs, head.branch or head.commit)
    return _Change(switch_argv(name), name, (RefChange("HEAD", head.commit, old),), head.branch or head.commit)


async def _plan_rename(args: Input, ctx: ToolContext, name: BranchName) -> _Change | Refusal:
    text = args.start_point or (await read_head(ctx.repository)).branch
    if text is None:
        return _refuse("HEAD is detached: name the branch to rename by startPoint")
    old = BranchName(text.removeprefix(HEADS))
    tips = await read_refs(ctx.repository, [old.ref, name.ref])
    tip, taken = tips[old.ref], tips[name.ref]
    if tip is None:
        return _refuse_missing(old)
    if taken is not None and not args.force:
        return _refuse(
            f"a branch named {name.text!r} already exists, at {taken}",
            "Choose another name, or say force: true to lose that one.",
            RefusalCode.REF_EXISTS,
        )
    dropped = await count_only_held(ctx.repository, taken, ref=name.ref) if taken is not None else 0
    refs = (RefChange(old.ref, tip, None), RefChange(name.ref, taken, tip))
    return _Change(rename_argv(old, name, force=args.force), name, refs, old.text, dropped)


async def _plan_delete(args: Input, ctx: ToolContext, name: BranchName) -> _Change | Refusal:
    tip = (await read_refs(ctx.repository, [name.ref]))[name.ref]
    if tip is None:
        return _refuse_missing(name)
    if (await read_head(ctx.repository)).branch == name.text:
        return _refuse(f"{name.text!r} is checked out, so it cannot be deleted", "Switch to another branch first.")
    dropped = await count_only_held(ctx.repository, tip, ref=name.ref)
    if dropped and not args.force:
        return _refuse(
            f"{name.text!r} is not fully merged: {counted(dropped, 'commit')} would be lost",
            "Merge it first, or say force: true to drop them.",
        )
    # Nothing is lost, but -d would still refuse a branch that HEAD does not contain.
    return _Change(delete_argv(name, force=True), name, (RefChange(name.ref, tip, None),), tip, dropped)


async def present(args: Input, _ctx: ToolContext, plan: Plan) -> Preview:
    """Show which names move from where to where, and what is then unreachable."""
    change = details_of(plan, _Change)
    name = quoted(change.name.text)
    titles = {
        "create": f"{'Move' if change.previous else 'Create'} branch {name}?",
        "checkout": f"Switch to branch {name}?",
        "rename": f"Rename branch {quoted(change.previous or '')} to {name}?",
        "delete": f"Delete branch {name}?",
    }
    lines = [f"- {quoted(ref.name)}: {short(ref.old)} → {short(ref.new)}" for ref in change.refs]
    if change.dropped:
        lines.append(f"\n**{counted(change.dropped, 'commit')} that no other branch or tag holds would be dropped.**")
    return Preview(
        title=titles[args.action],
        message="\n".join(lines),
        effects=Effects(
            commits_dropped=change.dropped if plan.tier is Tier.DESTRUCTIVE else None,
            refs=change.refs,
        ),
    )


async def run(args: Input, ctx: ToolContext, plan: Plan | None) -> Output | Refusal:
    """List, or carry the change out."""
    if args.action == "list":
        branches = await read_branches(ctx.repository)
        return Output(action="list", branches=[make_branch(branch) for branch in branches])
    change = details_of(plan, _Change)
    warnings: tuple[str, ...] = ()
    if args.action == "checkout":
        warnings = await switch_branch(ctx.repository, change.argv, change.name)
    else:
        await change_branch(ctx.repository, change.argv)
    tips = await read_refs(ctx.repository, [change.name.ref])
    return Output(
        action=args.action,
        name=change.name.text,
        head=tips[change.name.ref],
        previous=change.previous,
        warnings=list(warnings) or None,
    )


def render(out: Output) -> str:
    """The branches, or what was done, as a model reads it."""
    if out.branches is not None:
        lines = [f"{counted(len(out.branches), 'branch', 'branches')}:"]
        return "\n".join([*lines, *indented(clipped([_render_branch(item) for item in out.branches], _SHOWN))])
    name, previous = printable_line(out.name or ""), printable_line(out.previous or "")
    said = {
        "create": f"Branch {name} is at {out.head}" + (f"; it was at {previous}." if previous else "."),
        "checkout": f"Switched to branch {name} at {out.head or 'no commit yet'}; before: {previous}.",
        "rename": f"Branch {previous} is named {name} now.",
        "delete": f"Deleted branch {name}, which was at {previous}.",
    }
    return "\n".join([said[out.action], *(f"Warning: {printable_line(text)}" for text in out.warnings or ())])


def _render_branch(branch: BranchValue) -> str:
    text = f"{'* ' if branch.current else '  '}{printable_line(branch.name)} {branch.head[:10]}"
    if branch.upstream is not None:
        text += f" → {printable_line(branch.upstream)}" + (" (gone)" if branch.gone else "")
    return text


def cards(out: Output) -> tuple[Card, ...]:
    """The branches as a list; the change as one row."""
    if out.branches is not None:
        rows = [ListItem(b.name, b.upstream, b.head, "current" if b.current else None) for b in out.branches]
        return (list_card(rows),)
    return (list_card([ListItem(out.name or "", out.action, out.head or out.previous)]),)


def announce(args: Input) -> str:
    """The line before the call."""
    words = {
        "list": "Listing branches",
        "create": "Creating branch",
        "checkout": "Switching to",
        "rename": "Renaming a branch to",
        "delete": "Deleting branch",
    }
    return words[args.action] if args.action == "list" else f"{words[args.action]} {printable_line(args.name or '')}"


TOOL = Tool(
    name="git_branch",
    title="Branches",
    summary="List local branches, or create, checkout, rename, delete one. Checkout takes branches only and overwrites "
    "nothing.",
    tier=None,
    input=Input,
    output=Output,
    run=run,
    render=render,
    cards=cards,
    announce=announce,
    plan=plan,
    present=present,
    needs_work_tree=False,
    icon="git-branch",
)
