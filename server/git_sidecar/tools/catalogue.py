"""All tools: one table that everybody can read, and how each is told to a client (wire contract, section 4)."""

from typing import Any

from git_sidecar.model.tier import Tier
from git_sidecar.tools import (
    git,
    git_add,
    git_blame,
    git_branch,
    git_commit,
    git_diff,
    git_fetch,
    git_log,
    git_merge,
    git_operations,
    git_pull,
    git_push,
    git_restore,
    git_show,
    git_staged_diff,
    git_stash,
    git_status,
    git_tag,
    git_undo,
)
from git_sidecar.tools.contract import AnyTool
from git_sidecar.tools.schema import input_schema, wire_output_schema

TOOLS: tuple[AnyTool, ...] = (
    git_staged_diff.TOOL,
    git_status.TOOL,
    git_diff.TOOL,
    git_log.TOOL,
    git_show.TOOL,
    git_blame.TOOL,
    git_add.TOOL,
    git_commit.TOOL,
    git_branch.TOOL,
    git_restore.TOOL,
    git_merge.TOOL,
    git_stash.TOOL,
    git_tag.TOOL,
    git_fetch.TOOL,
    git_pull.TOOL,
    git_push.TOOL,
    git_undo.TOOL,
    git_operations.TOOL,
    git.TOOL,
)

# The tiered tool may run any subcommand of its table, fetch and push among them.
_OPEN_WORLD = ("git",)
VARIES = "varies"


def find_tool(name: str) -> AnyTool | None:
    """The tool of this name, exactly as written; None where there is none."""
    return next((tool for tool in TOOLS if tool.name == name), None)


def tool_names() -> tuple[str, ...]:
    """The names of all tools, in the table's order."""
    return tuple(tool.name for tool in TOOLS)


def describe(tool: AnyTool) -> dict[str, Any]:
    """A tool as tools/list gives it; `readOnlyHint` exactly where its tier is read.

    Icons are left to the editors, which have their own: the list is read by models too, and must stay small.
    """
    reads = tool.tier is Tier.READ
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.summary,
        "tier": tool.tier.value if tool.tier is not None else VARIES,
        "inputSchema": input_schema(tool.input),
        "outputSchema": wire_output_schema(tool.output),
        "annotations": {
            "readOnlyHint": reads,
            # What may destroy in some call is told so: a client that trusts the hint must not be too sure.
            "destructiveHint": tool.tier not in (Tier.READ, Tier.WRITE),
            "idempotentHint": reads or tool.idempotent,
            "openWorldHint": tool.tier is Tier.NETWORK or tool.name in _OPEN_WORLD,
        },
    }


def describe_tools() -> list[dict[str, Any]]:
    """All tools as tools/list gives them."""
    return [describe(tool) for tool in TOOLS]
