"""git_branch: list, create, switch to, rename or delete branches."""

from typing import Literal

from pydantic import Field

from git_sidecar.git.branch_changes import change_branch, switch_branch
from git_sidecar.git.ref_names import HEADS, read_refs
from git_sidecar.git.refs import read_branches
from git_sidecar.model.plan import Effects, Plan, Scope, Undo
from git_sidecar.model.refs import BranchName
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.model.tier import Tier
from git_sidecar.tools.basis import refs_basis
from git_sidecar.tools.branch_plan import BranchChange, plan_checkout, plan_create, plan_delete, plan_rename
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
    name: BranchText | None = Field(default=None, description="rename: the new name.")
    start_point: RevText | None = Field(default=None, description="Makes a new branch here. rename: the old name.")
    force: bool = Field(default=False, description="Move an existing one; delete though not merged.")


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


def _refuse(message: str, hint: str | None = None) -> Refusal:
    return Refusal(RefusalCode.INVALID_ARGUMENTS, message, hint)


async def plan(args: Input, ctx: ToolContext) -> Plan | Refusal:
    """Find what would move, and what would be lost."""
    if args.action == "list":
        return Plan(tier=Tier.READ, command=("git", "for-each-ref", HEADS))
    if args.name is None:
        return _refuse(f"`name` is required to {args.action} a branch")
    name = BranchName(args.name)
    change = await _plan_change(args, ctx, name)
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


async def _plan_change(args: Input, ctx: ToolContext, name: BranchName) -> BranchChange | Refusal:
    match args.action:
        case "create":
            return await plan_create(ctx, name, args.start_point, force=args.force)
        case "checkout" if args.force:
            return _refuse(
                "checkout takes no `force`: changed files are never overwritten",
                "Commit, stash or restore them first.",
            )
        case "checkout":
            return await plan_checkout(ctx, name, args.start_point)
        case "rename":
            return await plan_rename(ctx, name, args.start_point, force=args.force)
        case _:
            return await plan_delete(ctx, name, force=args.force)


async def present(args: Input, _ctx: ToolContext, plan: Plan) -> Preview:
    """Show which names move from where to where, and what is then unreachable."""
    change = details_of(plan, BranchChange)
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
    change = details_of(plan, BranchChange)
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
    summary="List local branches, or create, checkout, rename, delete one. Checkout overwrites nothing.",
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
