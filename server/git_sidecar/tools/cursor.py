"""Cursors: where the next page begins, and which question it belongs to.

A cursor is opaque to the caller. It names the call's other arguments by a hash, so that a page of one question is never
taken for a page of another, and holds what the first page pinned (object ids, times, a fingerprint).
"""

import base64
import binascii
import hashlib
import json
from typing import Any, cast

from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.tools.contract import ToolInput

_VERSION = 1
_QUESTION_CHARACTERS = 16
_LONGEST = 4_096


def _hash_question(args: ToolInput) -> str:
    question = args.model_dump(mode="json", by_alias=True, exclude={"cursor", "count"})
    text = json.dumps([type(args).__module__, question], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:_QUESTION_CHARACTERS]


def write_cursor(args: ToolInput, place: dict[str, Any]) -> str:
    """The cursor for a place in the answer to `args`."""
    text = json.dumps([_VERSION, _hash_question(args), place], separators=(",", ":"), sort_keys=True)
    return base64.urlsafe_b64encode(text.encode()).decode("ascii").rstrip("=")


def refuse_cursor(message: str) -> Refusal:
    """The refusal of a cursor that leads nowhere any more."""
    return Refusal(
        RefusalCode.INVALID_ARGUMENTS,
        f"`cursor`: {message}",
        hint="Start again without cursor.",
    )


def read_cursor(args: ToolInput, cursor: str) -> dict[str, Any] | Refusal:
    """The place that a cursor stands for; `invalid_arguments` for one that is none of ours or of another question."""
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        decoded: Any = json.loads(base64.b64decode(padded.encode("ascii"), altchars=b"-_", validate=True))
    except (binascii.Error, ValueError, RecursionError):
        decoded = None
    known = isinstance(decoded, list) and len(cast("list[Any]", decoded)) == 3 and len(cursor) <= _LONGEST
    if not known or decoded[0] != _VERSION or not isinstance(decoded[2], dict):
        return refuse_cursor("this is no cursor that a call gave")
    if decoded[1] != _hash_question(args):
        return refuse_cursor("it belongs to other arguments; repeat those of the first page with it")
    return cast("dict[str, Any]", decoded[2])
