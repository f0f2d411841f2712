"""Planning a call without running it, as tools/prepare does."""

from typing import Any

from git_sidecar.git.errors import GitRefused
from git_sidecar.model.plan import Plan
from git_sidecar.model.refusal import Refusal
from git_sidecar.tools.catalogue import find_tool
from git_sidecar.tools.contract import Preview
from git_sidecar.tools.validate import validate_arguments
from tests.support.scratch import ScratchRepo
from tests.support.toolbox import Toolbox


async def plan_call(toolbox: Toolbox, name: str, /, **arguments: Any) -> Plan:
    """The plan of a call; the test fails where it is refused."""
    found = await try_plan(toolbox, name, **arguments)
    assert isinstance(found, Plan), found
    return found


async def try_plan(toolbox: Toolbox, name: str, /, **arguments: Any) -> Plan | Refusal:
    """The plan of a call, or why it is refused before any question."""
    tool = find_tool(name)
    assert tool is not None
    assert tool.plan is not None
    args = validate_arguments(tool, arguments)
    assert not isinstance(args, Refusal), args
    try:
        return await tool.plan(args, toolbox.context())
    except GitRefused as error:
        return error.refusal


async def preview_call(toolbox: Toolbox, name: str, /, **arguments: Any) -> Preview:
    """What a person would be shown."""
    tool = find_tool(name)
    assert tool is not None
    assert tool.present is not None
    args = validate_arguments(tool, arguments)
    assert not isinstance(args, Refusal), args
    return await tool.present(args, toolbox.context(), await plan_call(toolbox, name, **arguments))


def write_hook(repo: ScratchRepo, name: str, script: str) -> None:
    """Put a shell hook into the repository."""
    hook = repo.root / ".git" / "hooks" / name
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\n{script}\n")
    hook.chmod(0o755)
