"""git_undo: put back what an operation changed."""

from typing import Any

from pydantic import Field

from git_sidecar.model.plan import Effects, Plan
from git_sidecar.model.refs import RepoPath
from git_sidecar.model.refusal import Refusal
from git_sidecar.model.undo import UndoDetails
from git_sidecar.tools.cards import list_card
from git_sidecar.tools.contract import Card, ChangingInput, ListItem, Preview, Text, Tool, ToolContext, ToolOutput
from git_sidecar.tools.previews import name_list, quoted, short
from git_sidecar.tools.printable import clipped, counted, indented, printable_line
from git_sidecar.tools.transfers import RefValue

_SHOWN = 100


class Input(ChangingInput):
    """Arguments of git_undo."""

    operation_id: Text | None = Field(default=None, description="From git_operations; default: this session's last.")


class FileBack(ToolOutput):
    """A file that was written or removed."""

    path: str
    path_bytes: str | None = None


class Output(ToolOutput):
    """What was put back."""

    operation_id: str
    tool: str
    refs: list[RefValue]
    head: str | None
    files: list[FileBack]
    index: bool
    stash: bool
    operation: bool


async def plan(args: Input, ctx: ToolContext) -> Plan | Refusal:
    """What undoing would put back; `cannot_undo` where newer work would be lost."""
    return await ctx.operations.plan_undo(ctx.repository, args.operation_id)


def _details(plan: Plan) -> UndoDetails:
    if not isinstance(plan.details, UndoDetails):
        raise TypeError("not a plan of git_undo")
    return plan.details


async def present(_args: Input, _ctx: ToolContext, plan: Plan) -> Preview:
    """Show which operation is reversed, and what moves."""
    details = _details(plan)
    lines = [f"Reverses {quoted(details.tool)} (operation {quoted(details.operation_id)})."]
    if details.refs:
        moves = [f"- {quoted(ref.name)} from {short(ref.old)} to {short(ref.new)}" for ref in details.refs]
        lines.append("\n".join(clipped(moves, _SHOWN, "ref")))
    if details.files:
        lines.append("Files that are written or removed:\n\n" + name_list([RepoPath(path) for path in details.files]))
    parts = {
        "the index": details.index,
        "the stash list": details.stash,
        "the operation in progress": details.operation,
    }
    also = [name for name, moves in parts.items() if moves]
    if also:
        lines.append(f"Also put back: {', '.join(also)}.")
    return Preview(
        title=f"Undo {details.tool}?",
        message="\n\n".join(lines),
        effects=Effects(files_changed=len(details.files), refs=details.refs),
    )


async def run(_args: Input, ctx: ToolContext, plan: Plan | None) -> Output | Refusal:
    """Put back what the plan says."""
    if plan is None:
        raise TypeError("this tool is always planned")
    value: dict[str, Any] | Refusal = await ctx.operations.undo(ctx.repository, plan)
    if isinstance(value, Refusal):
        return value
    refs = [{"result": "putBack", **ref} for ref in value["refs"]]
    return Output.model_validate({**value, "refs": refs})


def render(out: Output) -> str:
    """What a model reads."""
    lines = [f"Undid {printable_line(out.tool)} ({out.operation_id})."]
    lines += indented([f"{printable_line(ref.name)} is at {(ref.new or 'nothing')[:10]}" for ref in out.refs])
    if out.head:
        lines.append(f"HEAD: {printable_line(out.head)}")
    if out.files:
        lines.append(f"{counted(len(out.files), 'file')} put back:")
        lines += indented(clipped([printable_line(item.path) for item in out.files], _SHOWN, "file"))
    parts = {"index": out.index, "stash list": out.stash, "operation in progress": out.operation}
    also = [name for name, is_back in parts.items() if is_back]
    if also:
        lines.append(f"Also put back: {', '.join(also)}.")
    return "\n".join(lines)


def cards(out: Output) -> tuple[Card, ...]:
    """Refs and files in groups."""
    refs = [ListItem(ref.name, group="refs") for ref in out.refs]
    return (list_card([*refs, *(ListItem(item.path, group="files") for item in out.files)]),)


def announce(_args: Input) -> str:
    """One line before the call."""
    return "Undoing an operation"


TOOL = Tool(
    name="git_undo",
    title="Undo",
    summary="Put back refs, index and files as they were before an operation of git_operations.",
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
    icon="discard",
)
