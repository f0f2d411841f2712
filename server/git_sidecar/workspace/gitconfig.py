"""The few keys of a repository's own configuration file that say where its work tree is (git-config(1), "Syntax").

Includes are not followed: git itself is asked again before it works, and its answer is compared.
"""

import re
from collections.abc import Iterator

_SECTION = re.compile(r"\[\s*(?P<name>[A-Za-z0-9.-]+)\s*(?:\"(?P<sub>(?:[^\"\\\n]|\\.)*)\"\s*)?\]")
_KEY = re.compile(r"(?P<key>[A-Za-z][A-Za-z0-9-]*)[ \t]*")
_TRUE = ("true", "yes", "on")

Config = dict[str, str | None]
"""`section.key` in lower case to its last value; None for a key written without '='."""


def parse_config(raw: bytes) -> Config:
    """The last value of each key of the sections without a subsection.

    Reading stops at the first line that git would not accept, as git's own does.
    """
    values: Config = {}
    section = ""
    lines = iter(raw.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape").replace("\r\n", "\n").split("\n"))
    for line in lines:
        text = line.strip(" \t")
        header = _SECTION.match(text)
        if header is not None:
            section = "" if header["sub"] is not None else header["name"].lower()
            text = text[header.end() :].lstrip(" \t")
        if not text or text[0] in "#;":
            continue
        key = _KEY.match(text)
        if key is None:
            break
        rest = text[key.end() :]
        value = _scan_value(rest[1:], lines) if rest.startswith("=") else None
        if section:
            values[f"{section}.{key['key'].lower()}"] = value
    return values


def parse_flag(values: Config, key: str) -> bool | None:
    """A boolean key as git reads booleans (alone, true, yes, on, a number but 0); None where it is not set."""
    if key not in values:
        return None
    value = values[key]
    if value is None:
        return True
    return value.lower() in _TRUE or (value.lstrip("+-").isdecimal() and int(value.lstrip("+-")) != 0)


def _scan_value(first: str, lines: Iterator[str]) -> str:
    """A value with its quotes, escapes, comments and continued lines resolved."""
    out: list[str] = []
    kept = 0
    quoted = False
    text = first.lstrip(" \t")
    position = 0
    while position < len(text):
        char = text[position]
        position += 1
        if char == "\\":
            if position == len(text):
                text, position = next(lines, ""), 0
                continue
            out.append({"n": "\n", "t": "\t", "b": "\b"}.get(text[position], text[position]))
            position += 1
            kept = len(out)
        elif char == '"':
            quoted = not quoted
            kept = len(out)
        elif char in "#;" and not quoted:
            break
        else:
            out.append(char)
            kept = len(out) if quoted or char not in " \t" else kept
    return "".join(out[:kept])
