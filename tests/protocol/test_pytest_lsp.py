"""A client that nobody here wrote: pytest-lsp's, on the real server."""

from collections.abc import AsyncGenerator
from typing import Any

import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient

from tests.protocol.conftest import REAL
from tests.protocol.test_reports import folder, staged
from tests.support.scratch import Scratch


@pytest_lsp.fixture(  # pyright: ignore[reportUnknownMemberType] - pytest-lsp leaves its parameters untyped
    config=ClientServerConfig(server_command=list(REAL))
)
async def client(lsp_client: LanguageClient) -> AsyncGenerator[None]:
    """Start, and end as LSP says."""
    yield
    await lsp_client.shutdown_session()


async def test_a_session_of_a_standard_client(client: LanguageClient, scratch: Scratch) -> None:
    repo = staged(scratch, "r")
    place = folder(repo)
    result = await client.initialize_session(
        types.InitializeParams(
            capabilities=types.ClientCapabilities(),
            workspace_folders=[types.WorkspaceFolder(uri=place["uri"], name=place["name"])],
        )
    )
    assert result.server_info is not None
    assert result.server_info.name == "git-sidecar"
    assert result.capabilities.workspace is not None
    assert result.capabilities.workspace.workspace_folders is not None
    assert result.capabilities.workspace.workspace_folders.supported is True

    answer: Any = await client.protocol.send_request_async("git/stagedDiff", {})
    assert answer.diff == repo.git("diff", "--cached").decode()
    known: Any = await client.protocol.send_request_async("git/repositories", {})
    assert [repository.label for repository in known.repositories] == ["r"]
