"""git/operations and git/undo."""

from git_sidecar.lsp.params import read_operations, read_undo
from git_sidecar.lsp.session import Call, Session


async def answer(session: Session, call: Call) -> object:
    """A page of the operation log."""
    return await session.backend.operations(read_operations(call.params))


async def answer_undo(session: Session, call: Call) -> object:
    """What was put back."""
    return await session.backend.undo(read_undo(call.params))
