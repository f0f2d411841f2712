"""Messages of commits, merges and tags as they are handed to git on stdin. Pure.

They are passed with `--cleanup=verbatim`, since any other mode depends on the user's commit.cleanup and
core.commentChar and may eat lines; so what git would tidy is tidied here.
"""

import re

_TRAILER = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*: .+")


def make_message(subject: str, body: str | None = None, trailer: str = "") -> str:
    """One message: subject and body joined by an empty line, the trailer line in the last paragraph.

    Blank lines at both ends and blanks at line ends are dropped; "" where nothing is left. A trailer that is there
    already is not added again.
    """
    parts = [part for part in (_tidy(subject), _tidy(body or "")) if part]
    if not parts:
        return ""
    message = "\n\n".join(parts)
    trailer = trailer.strip()
    if not trailer or trailer in message.split("\n"):
        return message + "\n"
    *_, last = message.split("\n\n")
    joined = len(message) > len(last) and all(_TRAILER.fullmatch(line) for line in last.split("\n"))
    gap = "\n" if joined else "\n\n"
    return f"{message}{gap}{trailer}\n"


def _tidy(text: str) -> str:
    lines = [line.rstrip(" \t\r\f\v") for line in text.split("\n")]
    return "\n".join(lines).strip("\n")
