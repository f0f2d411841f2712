"""git/grants and git/revokeGrant."""

from git_sidecar.lsp.fields import refuse_params
from git_sidecar.lsp.params import read_revoke_grant
from git_sidecar.lsp.session import Call, Session


async def answer(session: Session, call: Call) -> object:
    """The standing grants."""
    refuse_params(call.params)
    return await session.backend.grants()


async def answer_revoke(session: Session, call: Call) -> object:
    """What is left after a grant was taken back."""
    return await session.backend.revoke_grant(read_revoke_grant(call.params))
