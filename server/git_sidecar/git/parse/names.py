"""Lists of paths, and git's quoting of them.

With -z git prints names as they are. Where a format has no -z (patch headers, blame), a name with control characters,
quotes, backslashes or, under core.quotePath, bytes over 0x7f stands in double quotes with C escapes (quote.c).
"""

import re

from git_sidecar.git.parse.raw_diff import UnexpectedOutput
from git_sidecar.model.changes import STATUS_LETTERS, ChangeStatus
from git_sidecar.model.refs import RepoPath

_ESCAPE = re.compile(rb"\\(?:([0-7]{3})|(.))", re.DOTALL)
_LETTERS = {
    b"a": b"\a",
    b"b": b"\b",
    b"f": b"\f",
    b"n": b"\n",
    b"r": b"\r",
    b"t": b"\t",
    b"v": b"\v",
    b'"': b'"',
    b"\\": b"\\",
}


def parse_names(output: bytes) -> list[RepoPath]:
    """The paths of a `-z` list (`ls-files -z`, `diff --name-only -z`)."""
    return [RepoPath.from_bytes(name) for name in output.split(b"\0") if name]


def parse_name_status(output: bytes) -> list[tuple[ChangeStatus, RepoPath, RepoPath | None]]:
    """Status, path and old path of each record of `diff --name-status -z`, which prints the old path first."""
    tokens = iter(output.split(b"\0"))
    records: list[tuple[ChangeStatus, RepoPath, RepoPath | None]] = []
    for token in tokens:
        if not token:
            continue
        status = STATUS_LETTERS.get(token[:1].decode("ascii", "replace"))
        first = next(tokens, b"")
        second = next(tokens, b"") if token[:1] in (b"R", b"C") else None
        if status is None or not first or second == b"":
            raise UnexpectedOutput(f"not a name-status record: {token[:80]!r}")
        path = RepoPath.from_bytes(first if second is None else second)
        records.append((status, path, None if second is None else RepoPath.from_bytes(first)))
    return records


def _unescape(match: re.Match[bytes]) -> bytes:
    octal, letter = match.groups()
    if octal is not None:
        return bytes([int(octal, 8) & 0xFF])
    if letter not in _LETTERS:
        raise UnexpectedOutput(f"an unknown escape in a quoted name: {letter!r}")
    return _LETTERS[letter]


def unquote_name(name: bytes) -> bytes:
    """A name as git prints it without -z, its quoting undone; one without quotes is given back as it is."""
    if len(name) < 2 or not (name.startswith(b'"') and name.endswith(b'"')):
        return name
    return _ESCAPE.sub(_unescape, name[1:-1])


_LETTER_OF = {value: b"\\" + letter for letter, value in _LETTERS.items()}


def quote_name(name: bytes) -> bytes:
    """A name as git prints it without -z under core.quotePath=true; inverse of `unquote_name`."""
    quoted = b"".join(
        _LETTER_OF.get(bytes([byte])) or (bytes([byte]) if 0x20 <= byte < 0x7F else b"\\%03o" % byte) for byte in name
    )
    return name if quoted == name else b'"' + quoted + b'"'
