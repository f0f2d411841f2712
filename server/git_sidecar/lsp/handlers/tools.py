"""tools/list, tools/prepare, tools/call and tools/cancel."""

from git_sidecar.lsp.fields import refuse_params
from git_sidecar.lsp.params import read_tool_call, read_tool_cancel, read_tool_prepare
from git_sidecar.lsp.session import Call, Session


async def answer_list(session: Session, call: Call) -> object:
    """The tools that a model may call."""
    refuse_params(call.params)
    return await session.backend.tools_list()


async def answer_prepare(session: Session, call: Call) -> object:
    """What an editor shows before a call."""
    return await session.backend.tools_prepare(read_tool_prepare(call.params))


async def answer_call(session: Session, call: Call) -> object:
    """What a tool did."""
    return await session.backend.tools_call(read_tool_call(call.params), call.progress)


async def answer_cancel(session: Session, call: Call) -> object:
    """Whether there was a tool call to cancel."""
    return await session.backend.tools_cancel(read_tool_cancel(call.params))
