"""The command line, as a value. Light: what it imports delays every start."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from git_sidecar import __version__

LOG_LEVELS = ("error", "warning", "info", "debug")


class Channel(Enum):
    """How the client is reached."""

    STDIO = auto()
    TCP = auto()
    WEBSOCKET = auto()


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """`git-sidecar serve`: the channel, where to listen (HOST:PORT, not for stdio), where to log."""

    channel: Channel
    address: str | None
    log_file: Path | None
    log_level: str


@dataclass(frozen=True, slots=True)
class MessageOptions:
    """`git-sidecar message`: its arguments, as cli/message.py reads them."""

    given: argparse.Namespace


def parse_arguments(arguments: Sequence[str]) -> ServeOptions | MessageOptions:
    """What the arguments ask for; ends the process with words on stderr where they ask for nothing sensible."""
    parser = argparse.ArgumentParser(prog="git-sidecar", description="The git backend of an editor's AI features.")
    parser.add_argument("--version", action="version", version=f"git-sidecar {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    serve = commands.add_parser("serve", help="serve one editor", description="Serve one editor, over stdio.")
    channels = serve.add_mutually_exclusive_group()
    channels.add_argument("--stdio", action="store_true", help="talk over stdin and stdout (the default)")
    channels.add_argument("--tcp", metavar="HOST:PORT", help="listen for one TCP client instead")
    channels.add_argument("--ws", metavar="HOST:PORT", help="listen for one WebSocket client instead")
    serve.add_argument("--log-file", type=Path, metavar="FILE", help="append the log to FILE instead of stderr")
    serve.add_argument("--log-level", choices=LOG_LEVELS, default="warning", help="how much to log (default: warning)")
    message = commands.add_parser("message", help="write a commit message for what is staged, without a model")
    if "message" in arguments:
        # Imported for this command alone: the other one is started by an editor, which waits.
        from git_sidecar.cli.message import add_arguments

        add_arguments(message)
    given = parser.parse_args(arguments)
    if given.command == "message":
        return MessageOptions(given)
    channel = Channel.TCP if given.tcp else Channel.WEBSOCKET if given.ws else Channel.STDIO
    return ServeOptions(channel, given.tcp or given.ws, given.log_file, given.log_level)
