"""git_operations: the log of what was done through this server, and what of it can be undone."""

from typing import Any

from pydantic import Field

from git_sidecar.model.plan import Plan
from git_sidecar.model.tier import Tier
from git_sidecar.tools.cards import list_card
from git_sidecar.tools.contract import Card, ListItem, Text, Tool, ToolContext, ToolInput, ToolOutput
from git_sidecar.tools.printable import counted, printable_line

_DEFAULT_COUNT = 20
_MOST = 200


class Input(ToolInput):
    """Arguments of git_operations."""

    count: int = Field(default=_DEFAULT_COUNT, ge=1, description="Up to 200.")
    session: Text | None = Field(default=None, description="Only this session's.")
    cursor: Text | None = Field(default=None, description="nextCursor.")


class Output(ToolOutput):
    """The value of git_operations: operations as the wire contract has them (section 9), newest first."""

    operations: list[dict[str, Any]]
    next_cursor: str | None = None
    truncated: bool


async def run(args: Input, ctx: ToolContext, _: Plan | None) -> Output:
    """Read one page of the log."""
    operations, following = await ctx.operations.read_page(
        ctx.repository, count=min(args.count, _MOST), session=args.session, cursor=args.cursor
    )
    return Output(operations=operations, next_cursor=following, truncated=following is not None)


def _describe(operation: dict[str, Any]) -> str:
    undone = " (undone)" if operation.get("undone") else f" (undo: {operation.get('undo', 'none')})"
    text = f"{operation.get('time', '')} {operation.get('tool', '')} {operation.get('operationId', '')}"
    return printable_line(f"{text} by {operation.get('session', '')}{undone}")


def render(out: Output) -> str:
    """The operations as a model reads them, one a line."""
    if not out.operations:
        return "No operations are recorded."
    lines = [f"{counted(len(out.operations), 'operation')}, newest first:", *map(_describe, out.operations)]
    if out.next_cursor:
        lines.append(f"More follow: call again with cursor {out.next_cursor}")
    return "\n".join(lines)


def cards(out: Output) -> tuple[Card, ...]:
    """The operations as a list."""
    items = [
        ListItem(str(operation.get("tool", "")), str(operation.get("operationId", "")), str(operation.get("time", "")))
        for operation in out.operations
    ]
    return (list_card(items),)


TOOL = Tool(
    name="git_operations",
    title="Operations",
    summary="What was done through this server, with ids for git_undo.",
    tier=Tier.READ,
    input=Input,
    output=Output,
    run=run,
    render=render,
    cards=cards,
    announce=lambda _: "Reading the operation log",
    needs_work_tree=False,
    icon="list-ordered",
)
