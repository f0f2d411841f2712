"""A JSON-RPC error as a value: the code, the words, the data."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Any


class Code(IntEnum):
    """Every error code that an answer may carry (JSON-RPC 2.0, LSP 3.17, wire contract section 6)."""

    PARSE_ERROR = -32700
    INVALID_REQUEST = -32600
    METHOD_NOT_FOUND = -32601
    INVALID_PARAMS = -32602
    INTERNAL_ERROR = -32603
    NOT_INITIALIZED = -32002
    REQUEST_CANCELED = -32800
    GIT_UNAVAILABLE = 1001
    SETTINGS_REJECTED = 1002
    PROTOCOL_MISMATCH = 1003
    REFUSED = 1010


@dataclass(frozen=True, slots=True)
class Failure:
    """What an answer says instead of a result."""

    code: Code
    message: str
    data: dict[str, Any] | None = None

    def value(self) -> dict[str, Any]:
        """The error object of the answer."""
        error: dict[str, Any] = {"code": int(self.code), "message": self.message}
        if self.data is not None:
            error["data"] = self.data
        return error

    @classmethod
    def parse_error(cls, message: str) -> "Failure":
        """The frame does not hold JSON."""
        return cls(Code.PARSE_ERROR, message)

    @classmethod
    def invalid_request(cls, message: str) -> "Failure":
        """The envelope is wrong, or the request comes at the wrong time."""
        return cls(Code.INVALID_REQUEST, message)

    @classmethod
    def invalid_params(cls, message: str) -> "Failure":
        """The params are wrong; the message names the field."""
        return cls(Code.INVALID_PARAMS, message)

    @classmethod
    def internal_error(cls, incident: str) -> "Failure":
        """A bug of ours: what happened is in the log, under the incident's id."""
        return cls(Code.INTERNAL_ERROR, f"internal error, incident {incident}")
