"""Trailers: the `Token: value` lines that end a message (git-interpret-trailers(1)). Pure."""

import re

_TRAILER = re.compile(r"(?P<token>[A-Za-z0-9][A-Za-z0-9\-]*|BREAKING CHANGE)(?:: | #)\S.*")
_CHERRY = re.compile(r"\(cherry picked from commit [0-9a-f]{7,64}\)")
# A token that git itself writes lets a paragraph pass in which a quarter of the lines are trailers.
_GIT_WRITES = ("Signed-off-by: ", "(cherry picked from commit ")
# Who stands behind a change is for people to say, never for a model.
_IDENTITY = re.compile(
    r"(?i)(?:(?:signed-off|co-authored|co-developed|reviewed|acked|tested|reported|suggested|approved|assisted|generated"
    r"|authored|committed|submitted|helped|mentored|on-behalf-of)(?:-by|-with)?|cc|change-id|.*-by)"
)


def trailer_token(line: str) -> str | None:
    """The token of a line that has the form of a trailer; None where it has not."""
    if _CHERRY.fullmatch(line):
        return "(cherry picked from commit"
    found = _TRAILER.fullmatch(line)
    return found["token"] if found else None


def is_identity_token(token: str) -> bool:
    """Whether a trailer's token says who made or approved a change, or which change it is to a review system."""
    return _IDENTITY.fullmatch(token) is not None or token.startswith("(cherry picked")


def split_trailers(message: str) -> tuple[str, list[str]]:
    """A message without its trailers, and they; a first paragraph is never one of trailers. Line ends are `\\n`."""
    text = message.rstrip("\n")
    head, blank, last = text.rpartition("\n\n")
    if not blank or not head.strip():
        return text, []
    lines = last.split("\n")
    tokens = 0
    for number, line in enumerate(lines):
        if trailer_token(line) is not None or (number and tokens and line.startswith((" ", "\t"))):
            tokens += 1
    whole = tokens == len(lines)
    mixed = any(line.startswith(_GIT_WRITES) for line in lines) and tokens * 4 >= len(lines)
    if not (whole or mixed):
        return text, []
    return head.rstrip("\n"), lines


def join_trailers(text: str, trailers: list[str]) -> str:
    """A message with trailers after it: each once, in a paragraph of their own."""
    body, present = split_trailers(text)
    lines = list(dict.fromkeys([*present, *trailers]))
    return f"{body.rstrip()}\n\n" + "\n".join(lines) if lines else body.rstrip()
