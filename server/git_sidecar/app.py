"""The composition root: reads the process's surroundings and joins the parts. It holds no logic."""

import asyncio
import logging
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from git_sidecar.cli.main import Channel, MessageOptions, ServeOptions
from git_sidecar.lsp.server import Server
from git_sidecar.lsp.transport.descriptors import WireDescriptors
from git_sidecar.model.refusal import Refusal
from git_sidecar.service.application import Application, Surroundings

if TYPE_CHECKING:
    from git_sidecar.lsp.server import Transport

logger = logging.getLogger(__name__)


def run_server(options: ServeOptions, descriptors: WireDescriptors | None) -> int:
    """Serve one client, over `descriptors` or at the options' address; the exit code."""
    start_log(options)
    try:
        transport = make_transport(options, descriptors)
        return asyncio.run(_serve(transport, read_surroundings(os.environ)))
    except (OSError, ValueError) as error:
        logger.error("cannot serve: %s", error)  # noqa: TRY400 - words for a person, who has no use for a trace
        return 1


def run_message(options: MessageOptions) -> int:
    """Write one commit message, for a terminal or a hook; the exit code."""
    from git_sidecar.cli import message
    from git_sidecar.service.message_command import write_message

    surroundings = read_surroundings(os.environ)

    async def write(wish: message.Wish) -> "message.Written | Refusal":
        made = await write_message(wish.place, surroundings, amend=wish.amend, index_file=wish.index_file)
        return made if isinstance(made, Refusal) else message.Written(made.message, made.warnings)

    return message.run(options.given, write, index_file=os.environ.get("GIT_INDEX_FILE"))


async def _serve(transport: "Transport", surroundings: Surroundings) -> int:
    return await Server(lambda client: Application(client, surroundings), transport).serve()


def make_transport(options: ServeOptions, descriptors: WireDescriptors | None) -> "Transport":
    """Over `descriptors`, or listening at the options' address; raises ValueError for a malformed one."""
    if descriptors is not None:
        from git_sidecar.lsp.transport.stdio import StdioTransport

        return StdioTransport(descriptors)
    from git_sidecar.lsp.transport.socket_address import parse_address

    address = parse_address(options.address or "")
    if not address.is_loopback:
        logger.warning("%s can be reached from other machines, and whoever connects may use git here", address.host)
    if options.channel is Channel.TCP:
        from git_sidecar.lsp.transport.tcp import TcpTransport

        return TcpTransport(address)
    from git_sidecar.lsp.transport.websocket import WebSocketTransport

    return WebSocketTransport(address)


def start_log(options: ServeOptions) -> None:
    """Log to the file, readable by the user alone, or to stderr; libraries that log what passes are silenced."""
    if options.log_file is None:
        handler: logging.Handler = logging.StreamHandler(sys.stderr)
    else:
        descriptor = os.open(options.log_file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        handler = logging.StreamHandler(os.fdopen(descriptor, "a", encoding="utf-8", errors="backslashreplace"))
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(options.log_level.upper())
    for library in ("pygls", "websockets", "asyncio"):
        logging.getLogger(library).setLevel(logging.CRITICAL)


def read_surroundings(environment: Mapping[str, str]) -> Surroundings:
    """What the service needs to know of the process's surroundings."""
    import platformdirs

    home = environment.get("USERPROFILE" if os.name == "nt" else "HOME")
    ceilings = environment.get("GIT_CEILING_DIRECTORIES", "").split(os.pathsep)
    return Surroundings(
        environment=dict(environment),
        home=Path(home) if home else None,
        ceilings=tuple(Path(entry) for entry in ceilings if entry and Path(entry).is_absolute()),
        state_directory=Path(platformdirs.user_state_dir("git-sidecar", appauthor=False)),
    )
