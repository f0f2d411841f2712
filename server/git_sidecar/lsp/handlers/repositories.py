"""git/repositories and git/didChangeRepositories."""

from git_sidecar.lsp.fields import refuse_params
from git_sidecar.lsp.params import read_repositories
from git_sidecar.lsp.session import Call, Session


async def answer(session: Session, call: Call) -> object:
    """The known repositories."""
    refuse_params(call.params)
    return await session.backend.repositories()


async def take_list(session: Session, params: object) -> None:
    """Take the editor's SCM list."""
    await session.backend.set_repositories(read_repositories(params))
