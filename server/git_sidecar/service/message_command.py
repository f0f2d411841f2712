"""One commit message outside of any server: for a terminal, or for git's prepare-commit-msg hook."""

from pathlib import Path

from git_sidecar.git.errors import GitRefused
from git_sidecar.git.process import Spawner
from git_sidecar.messages.generate import generate
from git_sidecar.messages.result import CommitMessage, MessageRequest
from git_sidecar.model.refusal import Refusal
from git_sidecar.service.application import Surroundings
from git_sidecar.service.repositories import Repositories
from git_sidecar.service.workspace_state import WorkspaceState
from git_sidecar.workspace.uri import uri_from_path


def _folder_of(place: Path) -> Path:
    return place if place.is_dir() else place.parent


async def write_message(
    place: Path, surroundings: Surroundings, *, amend: bool, index_file: Path | None
) -> CommitMessage | Refusal:
    """The offline writer's message for the repository that holds `place`. Raises GitUnavailable."""
    workspace = WorkspaceState(ceilings=surroundings.ceilings, home=surroundings.home)
    workspace.set_folders(((uri_from_path(_folder_of(place)), None),))
    spawner = Spawner(surroundings.environment)
    try:
        repositories = Repositories(workspace, spawner)
        chosen = repositories.choose(str(place))
        if isinstance(chosen, Refusal):
            return chosen
        opened = await repositories.open(*chosen)
        if isinstance(opened, Refusal):
            return opened
        request = MessageRequest(amend=amend, index_file=index_file)
        return await generate(request, opened.repository, opened.settings, None)
    except GitRefused as error:
        return error.refusal
    finally:
        await spawner.close()
