"""git/stagedDiff."""

from git_sidecar.lsp.params import read_staged_diff
from git_sidecar.lsp.session import Call, Session


async def answer(session: Session, call: Call) -> object:
    """The staged diff of one repository."""
    return await session.backend.staged_diff(read_staged_diff(call.params))


async def answer_canceled(session: Session, call: Call) -> object:
    """The ordinary result of a request that the client has cancelled: no diff."""
    return await session.backend.canceled_staged_diff(read_staged_diff(call.params))
