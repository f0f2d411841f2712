"""Passwords and tokens hidden from logs, remotes and refusals. Pure.

Contents are never logged at all; this is for what must be shown: URLs, argument lists, and what git prints. It may hide
too much and must not hide too little, except that a plain user name (`ssh://git@host`) stays.
"""

import re
from collections.abc import Mapping, Sequence
from typing import cast

HIDDEN = "***"

# Known shapes of tokens, for where no URL or header gives them away (formats as their issuers publish them).
_ISSUED_SHAPES = (
    r"gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|gl(?:pat|dt|rt|cbt|ptt|ft|soat)-[\w\-]{16,}"
    r"|xox[abeprs]-[A-Za-z0-9-]{10,}|(?:AKIA|ASIA)[0-9A-Z]{16}|npm_[A-Za-z0-9]{30,}|pypi-[\w\-]{30,}"
    r"|sk-[\w\-]{20,}|eyJ[\w\-]{10,}\.[\w\-]{10,}\.[\w\-]{5,}|ATATT3[\w\-=]{20,}|ATBB[A-Za-z0-9]{20,}"
)
_QUERY_NAMES = (
    r"(?:access|private|refresh|auth|id|job|deploy|oauth|session|security)?[_\-]?token|(?:client|app)?[_\-]?secret"
    r"|pass(?:word|wd|phrase)?|api[_\-]?key|x-amz-(?:signature|credential|security-token)|sig(?:nature)?|auth|pwd"
)

_RULES: tuple[tuple[re.Pattern[str], str], ...] = (
    # scheme://user:password@host. The user part ends at the last '@' before a slash, as curl and git read it.
    (re.compile(r"(?i)\b([a-z][a-z0-9+.\-]*://)([^\s/:@'\"<>]*):([^\s/'\"<>]*)@"), rf"\1\2:{HIDDEN}@"),
    # scheme://token@host: over http a lone user name is a token as often as not.
    (re.compile(r"(?i)\b(https?://)[^\s/:@'\"<>]{16,}@"), rf"\1{HIDDEN}@"),
    (re.compile(rf"(?i)([?&;](?:{_QUERY_NAMES})=)[^&;#\s'\"<>]+"), rf"\1{HIDDEN}"),
    (
        re.compile(r"(?i)\b((?:proxy-)?authorization['\"]?\s*[:=]\s*['\"]?)(?:[a-z0-9\-]+[ \t]+)?[^\s'\",;]+"),
        rf"\1{HIDDEN}",
    ),
    (
        re.compile(r"(?i)\b((?:private-token|job-token|deploy-token|x-api-key|x-auth-token|api-key|set-cookie|cookie)"
                   r"['\"]?\s*:\s*)[^\r\n'\"]+"),
        rf"\1{HIDDEN}",
    ),
    # What credential helpers speak (git-credential(1)).
    (re.compile(r"(?im)^((?:password|oauth_refresh_token|credential)=).+$"), rf"\1{HIDDEN}"),
    (re.compile(rf"\b(?:{_ISSUED_SHAPES})"), HIDDEN),
)  # fmt: skip


def redact(text: str) -> str:
    """The text with every password and token hidden: `https://user:pw@host` becomes `https://user:***@host`."""
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    return text


def redact_command(argv: Sequence[str]) -> tuple[str, ...]:
    """An argument list fit for a log or a question."""
    return tuple(redact(word) for word in argv)


def redact_value(value: object) -> object:
    """A JSON value with every string in it redacted; keys stay."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, Mapping):
        return {key: redact_value(item) for key, item in cast("Mapping[str, object]", value).items()}
    if isinstance(value, list | tuple):
        return [redact_value(item) for item in cast("Sequence[object]", value)]
    return value
