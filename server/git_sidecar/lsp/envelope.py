"""The JSON-RPC 2.0 envelope, checked once: bytes to messages, or to what must be answered instead. Pure."""

import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn, cast

from git_sidecar.lsp.failure import Failure

MessageId = int | str


class Absent:
    """Stands for params that a message does not have; `null` is something else."""


ABSENT = Absent()


@dataclass(frozen=True, slots=True)
class Request:
    """A request whose envelope is sound; `params` is an object, an array, None for `null`, or ABSENT."""

    id: MessageId
    method: str
    params: object


@dataclass(frozen=True, slots=True)
class Notification:
    """A notification whose envelope is sound; `params` as in Request."""

    method: str
    params: object


@dataclass(frozen=True, slots=True)
class Response:
    """An answer to a request of ours."""

    id: MessageId
    result: object
    error: object


@dataclass(frozen=True, slots=True)
class Rejected:
    """A message that is answered with an error and goes no further; `id` is None where it cannot be known."""

    id: MessageId | float | None
    failure: Failure


@dataclass(frozen=True, slots=True)
class Ignored:
    """A message that nobody waits an answer for and that cannot be used; `reason` is for the log."""

    reason: str


Message = Request | Notification | Response | Rejected | Ignored


def parse_messages(body: bytes | str) -> tuple[Message, ...]:
    """The messages of one frame, in order; a batch, which LSP does not have, is rejected request by request."""
    try:
        value: object = json.loads(body, parse_constant=_refuse_constant)
    except RecursionError:
        return (Rejected(recover_id(body), Failure.invalid_request("the message is nested too deeply")),)
    except ValueError:
        return (Rejected(recover_id(body), Failure.parse_error("the message is not JSON")),)
    return parse_value(value)


def parse_value(value: object) -> tuple[Message, ...]:
    """The messages of a frame that was decoded already."""
    if isinstance(value, dict):
        return (_parse_message(cast("dict[str, Any]", value)),)
    if isinstance(value, list):
        return _reject_batch(cast("list[object]", value))
    return (Rejected(None, Failure.invalid_request("the message is not an object")),)


def _parse_message(message: dict[str, Any]) -> Message:
    if "method" in message:
        return _parse_call(message)
    given = message.get("id")
    if "result" in message or "error" in message:
        if isinstance(given, int | str) and not isinstance(given, bool):
            return Response(given, message.get("result"), message.get("error"))
        return Ignored("an answer whose id is not one of ours")
    return Rejected(_known_id(given), Failure.invalid_request("the message has neither a method nor a result"))


def _parse_call(message: dict[str, Any]) -> Message:
    is_request = "id" in message
    identifier = message.get("id")
    problem = _find_problem(message)
    if not is_request:
        if problem is not None:
            return Ignored(problem.message)
        return Notification(message["method"], message.get("params", ABSENT))
    if isinstance(identifier, bool) or not isinstance(identifier, int | str):
        return Rejected(_known_id(identifier), Failure.invalid_request("the id must be an integer or a string"))
    if problem is not None:
        return Rejected(identifier, problem)
    return Request(identifier, message["method"], message.get("params", ABSENT))


def _find_problem(message: dict[str, Any]) -> Failure | None:
    if message.get("jsonrpc") != "2.0":
        return Failure.invalid_request('jsonrpc must be "2.0"')
    if not isinstance(message["method"], str):
        return Failure.invalid_request("the method must be a string")
    params = message.get("params")
    if params is not None and not isinstance(params, dict | list):
        return Failure.invalid_params("params must be an object")
    return None


def _known_id(value: object) -> MessageId | float | None:
    # A fraction is no id that LSP allows, but the client that sent it waits for just that id.
    return value if isinstance(value, int | float | str) and not isinstance(value, bool) else None


def _reject_batch(batch: list[object]) -> tuple[Message, ...]:
    failure = Failure.invalid_request("batches are not part of the protocol")
    ids = [
        _known_id(item.get("id"))
        for item in (cast("dict[str, object]", entry) for entry in batch if isinstance(entry, dict))
        if "method" in item and "id" in item
    ]
    return tuple(Rejected(identifier, failure) for identifier in ids) or (Rejected(None, failure),)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


# A string that is never closed reaches to the end, so that each character is looked at once.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)|[{}\[\]:,]|[^\s{}\[\]:,"]+', re.DOTALL)
_INTEGER = re.compile(r"-?(?:0|[1-9]\d{0,18})")


def recover_id(body: bytes | str) -> MessageId | None:
    """The id of a request that is not sound JSON, read from the outermost object as far as it goes; None: not known."""
    text = body if isinstance(body, str) else body.decode("utf-8", "replace")
    depth = 0
    key: str | None = None
    last: str | None = None
    found: MessageId | None = None
    has_method = False
    for mark in (match[0] for match in _TOKEN.finditer(text)):
        if depth == 0 and mark != "{":
            return None
        if mark in "{[":
            depth += 1
        elif mark in "}]":
            depth -= 1
            if depth == 0:
                break
        elif depth == 1 and mark == ":":
            key = last
            has_method = has_method or key == '"method"'
            continue
        elif depth == 1 and key == '"id"':
            found = _read_id(mark)
        last, key = mark, None
    return found if has_method else None


def _read_id(literal: str) -> MessageId | None:
    if literal.startswith('"'):
        try:
            return cast("str", json.loads(literal, strict=False))
        except ValueError:
            return None
    return int(literal) if _INTEGER.fullmatch(literal) else None
