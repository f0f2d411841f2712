"""initialize and shutdown."""

from pathlib import Path
from typing import Any

from git_sidecar import __version__
from git_sidecar.lsp.boundary import ProtocolMismatch
from git_sidecar.lsp.fields import read_integer, read_list, read_object
from git_sidecar.lsp.handlers.configuration import Folder, read_folder
from git_sidecar.lsp.params import read_options
from git_sidecar.lsp.session import Call, Session
from git_sidecar.service.ports import ClientCapabilities, Startup

PROTOCOL_VERSION = 1


async def initialize(session: Session, call: Call) -> object:
    """What this server can do; raises ProtocolMismatch, and SettingsRejected rather than running with guesses."""
    params = read_object("params", call.params)
    options = read_options(params.get("initializationOptions"))
    requested = options.get("protocolVersion", PROTOCOL_VERSION)
    if requested != PROTOCOL_VERSION:
        raise ProtocolMismatch(requested, PROTOCOL_VERSION)
    parent = params.get("processId")
    parent_pid = None if parent is None else read_integer("processId", parent)
    folders = _read_folders(params)
    session.editor.capabilities = options.get("client", ClientCapabilities())
    started = await session.backend.configure(
        Startup(
            folders=folders,
            trusted=options.get("trusted", True),
            repositories=options.get("repositories"),
            settings=options.get("settings", {}),
            workspace_settings=options.get("workspaceSettings", {}),
            client_name=_read_client_name(params),
        )
    )
    session.folders = dict(folders)
    if parent_pid is not None and parent_pid > 0:
        session.watch_parent(parent_pid)
    return {
        "capabilities": {
            "textDocumentSync": {"openClose": False, "change": 0},
            "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}},
            "experimental": {
                "gitSidecar": {
                    "protocolVersion": PROTOCOL_VERSION,
                    "version": __version__,
                    "gitVersion": started.git_version,
                    "methods": list(session.methods),
                    "tools": list(started.tools),
                }
            },
        },
        "serverInfo": {"name": "git-sidecar", "version": __version__},
    }


async def shut_down(session: Session, call: Call) -> object:
    """Take no more requests; answered at once, while what still runs is being ended."""
    del call
    session.controls.shut_down()
    return None


def _read_folders(params: dict[str, Any]) -> tuple[Folder, ...]:
    """The workspace folders; a client from before there were several says `rootUri`, an older one `rootPath`."""
    folders = params.get("workspaceFolders")
    if folders is not None:
        return read_list(read_folder)("workspaceFolders", folders)
    root = params.get("rootUri")
    if isinstance(root, str):
        return ((root, None),)
    path = params.get("rootPath")
    if isinstance(path, str) and Path(path).is_absolute():
        return ((Path(path).as_uri(), None),)
    return ()


def _read_client_name(params: dict[str, Any]) -> str | None:
    info = params.get("clientInfo")
    name: object = read_object("clientInfo", info).get("name") if info is not None else None
    return name if isinstance(name, str) else None
