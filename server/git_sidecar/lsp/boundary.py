"""Exceptions to JSON-RPC errors; nothing of an unexpected one but an incident's id goes to the client."""

import asyncio
import logging
import secrets
import traceback

from git_sidecar.git.errors import GitUnavailable
from git_sidecar.lsp.failure import Code, Failure
from git_sidecar.service.errors import RefusedRequest, SettingsRejected

logger = logging.getLogger(__name__)


class InvalidParams(Exception):
    """The params of a request are wrong (JSON-RPC error -32602); the message names the field, never a value."""


class ProtocolMismatch(Exception):
    """The client speaks another version of our protocol (JSON-RPC error 1003)."""

    def __init__(self, requested: int, supported: int) -> None:
        """Keep both versions."""
        super().__init__(f"protocol version {requested} is not supported; this server speaks {supported}")
        self.requested = requested
        self.supported = supported


def describe_failure(error: BaseException) -> Failure:
    """The error that the client is told; an exception that nobody foresaw is logged as an incident."""
    match error:
        case InvalidParams():
            return Failure.invalid_params(str(error))
        case RefusedRequest():
            # Not before it is needed: it brings the models of all tools with it.
            from git_sidecar.service.wire_form import refusal_value

            return Failure(Code.REFUSED, error.refusal.message, refusal_value(error.refusal))
        case GitUnavailable():
            details = error.details
            data = {"tried": list(details.tried), "found": details.found, "needed": details.needed}
            return Failure(Code.GIT_UNAVAILABLE, str(error), data)
        case SettingsRejected():
            problems = [{"setting": item.setting, "message": item.message} for item in error.invalid.problems]
            return Failure(Code.SETTINGS_REJECTED, str(error), {"problems": problems})
        case ProtocolMismatch():
            data = {"requested": error.requested, "supported": error.supported}
            return Failure(Code.PROTOCOL_MISMATCH, str(error), data)
        case asyncio.CancelledError():
            return Failure(Code.REQUEST_CANCELED, "the request was canceled")
        case _:
            return Failure.internal_error(log_incident(error))


def log_incident(error: BaseException) -> str:
    """Log where an unforeseen exception came from, without its words, which may quote contents; the incident's id."""
    incident = secrets.token_hex(4)
    logger.error("incident %s\n%s", incident, "".join(_describe_trace(error)))
    return incident


def _describe_trace(error: BaseException) -> list[str]:
    lines: list[str] = []
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        lines.extend(traceback.format_tb(link.__traceback__))
        lines.append(f"{type(link).__module__}.{type(link).__qualname__}\n")
        link = link.__cause__ or link.__context__
    return lines
