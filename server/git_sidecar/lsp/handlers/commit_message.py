"""git/commitMessage."""

from git_sidecar.lsp.params import read_commit_message
from git_sidecar.lsp.session import Call, Session


async def answer(session: Session, call: Call) -> object:
    """The commit message for what is staged."""
    return await session.backend.commit_message(read_commit_message(call.params), call.progress)


async def answer_canceled(session: Session, call: Call) -> object:
    """The ordinary result of a request that the client has cancelled."""
    return await session.backend.canceled_commit_message(read_commit_message(call.params))
