"""What the client tells of settings, workspace folders and trust."""

from collections.abc import Mapping
from typing import Any, cast

from git_sidecar.lsp.boundary import InvalidParams
from git_sidecar.lsp.fields import read_list, read_object, read_text
from git_sidecar.lsp.params import read_trust
from git_sidecar.lsp.session import Session

USER_SECTION = "gitSidecar"
WORKSPACE_SECTION = "gitSidecarWorkspace"

Folder = tuple[str, str | None]


def read_folder(name: str, value: object) -> Folder:
    """A workspace folder (LSP): its URI and its name; more fields are none of our business."""
    folder = read_object(name, value)
    display = folder.get("name")
    return read_text(f"{name}.uri", folder.get("uri")), display if isinstance(display, str) else None


async def take_folders(session: Session, params: object) -> None:
    """workspace/didChangeWorkspaceFolders: what stays keeps its place."""
    event = read_object("event", read_object("params", params).get("event"))
    read = read_list(read_folder)
    for uri, _ in read("event.removed", event.get("removed") or []):
        session.folders.pop(uri, None)
    session.folders.update(read("event.added", event.get("added") or []))
    await session.backend.set_folders(tuple(session.folders.items()))


async def take_trust(session: Session, params: object) -> None:
    """git/didChangeTrust."""
    await session.backend.set_trust(trusted=read_trust(params))


async def take_settings(session: Session, params: object) -> None:
    """workspace/didChangeConfiguration: each message replaces the whole; one that is not about us is ignored.

    Clients send `{"settings": null}` to say "ask me", and other servers' sections; neither may reset a permission.
    """
    settings = read_object("params", params).get("settings")
    if not isinstance(settings, dict):
        return
    sections = cast("dict[str, object]", settings)
    if USER_SECTION not in sections and WORKSPACE_SECTION not in sections:
        return
    await session.backend.set_settings(_read_user(sections), _read_workspace(sections))


def _read_user(sections: Mapping[str, object]) -> dict[str, Any]:
    section = sections.get(USER_SECTION)
    if section is None or isinstance(section, dict):
        return cast("dict[str, Any]", section or {})
    # There is no setting of that name, so the service finds it invalid and refuses what it would have allowed.
    return {USER_SECTION: section}


def _read_workspace(sections: Mapping[str, object]) -> dict[str, dict[str, Any]]:
    section = sections.get(WORKSPACE_SECTION)
    if section is None:
        return {}
    if not isinstance(section, dict):
        raise InvalidParams(f"settings.{WORKSPACE_SECTION} must be an object")
    folders = cast("dict[str, object]", section)
    return {uri: read_object(f"settings.{WORKSPACE_SECTION}[{uri}]", raw) for uri, raw in folders.items()}
