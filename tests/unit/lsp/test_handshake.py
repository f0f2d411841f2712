"""What `initialize` makes of the params that clients send."""

from typing import Any, cast

import pytest

from git_sidecar.lsp.boundary import InvalidParams
from git_sidecar.lsp.editor import EditorClient
from git_sidecar.lsp.handlers.lifecycle import initialize
from git_sidecar.lsp.progress import WorkProgress
from git_sidecar.lsp.session import Call, Controls, Session
from git_sidecar.service.ports import Backend, ClientCapabilities, Started, Startup


class Recorder:
    """A service that keeps what it is told."""

    def __init__(self) -> None:
        self.startup = Startup()

    async def configure(self, startup: Startup) -> Started:
        self.startup = startup
        return Started("2.39.5", ("git",))


class Silence:
    """A line that nobody is at."""

    async def ask(self, method: str, params: dict[str, Any]) -> object:
        raise AssertionError(method, params)

    def tell(self, method: str, params: dict[str, Any]) -> None:
        raise AssertionError(method, params)


async def shake(params: Any) -> tuple[Startup, Session, list[int]]:
    """What the service was told, the session, the processes to watch."""
    recorder = Recorder()
    watched: list[int] = []
    session = Session(
        cast("Backend", recorder), EditorClient(Silence()), cast("Controls", None), watched.append, ("git/stagedDiff",)
    )
    await initialize(session, Call(1, "initialize", params, WorkProgress(Silence().tell, params)))
    return recorder.startup, session, watched


@pytest.mark.parametrize(
    ("params", "folders"),
    [
        ({"workspaceFolders": [{"uri": "file:///a", "name": "a"}], "rootUri": "file:///b"}, (("file:///a", "a"),)),
        ({"workspaceFolders": [{"uri": "file:///a"}]}, (("file:///a", None),)),
        ({"workspaceFolders": None, "rootUri": "file:///b", "rootPath": "/c"}, (("file:///b", None),)),
        ({"rootUri": None, "rootPath": "/c d"}, (("file:///c%20d", None),)),
        ({"rootPath": "c"}, ()),
        ({"workspaceFolders": []}, ()),
        ({}, ()),
    ],
)
async def test_folders_come_from_whatever_the_client_has(params: Any, folders: Any) -> None:
    startup, session, _ = await shake(params)

    assert startup.folders == folders
    assert tuple(session.folders.items()) == folders


@pytest.mark.parametrize(("process_id", "watched"), [(None, []), (0, []), (-1, []), (42, [42]), (42.0, [42])])
async def test_the_parent_is_watched_where_there_is_one(process_id: Any, watched: list[int]) -> None:
    assert (await shake({"processId": process_id}))[2] == watched


async def test_options_are_told_as_they_were_sent_and_default_otherwise() -> None:
    startup, session, _ = await shake({"initializationOptions": None})
    assert startup == Startup()
    assert session.editor.capabilities == ClientCapabilities(confirm=False, language_model=False, can_ask=True)

    rows = [{"rootUri": "file:///a", "label": "a", "selected": True, "kind": "worktree"}]
    options = {
        "protocolVersion": 1,
        "trusted": False,
        "client": {"confirm": True, "languageModel": True, "canAsk": False},
        "repositories": rows,
        "settings": {"allowPush": True},
        "workspaceSettings": {"file:///a": {"allowPush": False}},
    }
    startup, session, _ = await shake({"initializationOptions": options, "clientInfo": {"name": "c", "version": "1"}})
    assert startup == Startup(
        folders=(),
        trusted=False,
        repositories=tuple(rows),
        settings={"allowPush": True},
        workspace_settings={"file:///a": {"allowPush": False}},
        client_name="c",
    )
    assert session.editor.capabilities == ClientCapabilities(confirm=True, language_model=True, can_ask=False)


@pytest.mark.parametrize(
    ("params", "named"),
    [
        ([], "params"),
        ({"processId": "1"}, "processId"),
        ({"workspaceFolders": {}}, "workspaceFolders"),
        ({"workspaceFolders": [{"name": "a"}]}, "workspaceFolders[0].uri"),
        ({"clientInfo": "c"}, "clientInfo"),
    ],
)
async def test_wrong_params_are_named(params: Any, named: str) -> None:
    with pytest.raises(InvalidParams) as raised:
        await shake(params)
    assert named in str(raised.value)
