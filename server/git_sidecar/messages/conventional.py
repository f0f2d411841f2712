"""The Conventional Commits header: `type(scope)!: subject`. Pure."""

import re
from dataclasses import dataclass

# The types of commitlint's config-conventional.
TYPES: tuple[str, ...] = (
    "build", "chore", "ci", "docs", "feat", "fix", "perf", "refactor", "revert", "style", "test",
)  # fmt: skip

# As conventional-changelog-conventionalcommits reads it.
_HEADER = re.compile(r"(?P<type>\w*)(?:\((?P<scope>.*)\))?(?P<breaking>!?): (?P<subject>.*)")
_STRICT = re.compile(r"(?:" + "|".join(TYPES) + r")(?:\([^()\r\n]{1,60}\))?!?: \S.*")
_OPENED = re.compile(r"(?P<type>[a-z]+)(?:\((?P<scope>[^()\r\n]{1,60})\))?(?P<breaking>!?):\s*(?P<subject>.*)")
_GITMOJI = re.compile(r"(?::[a-z0-9_+\-]+:|[\u2190-\u2bff\U0001f000-\U0001faff]\ufe0f?)\s*\S")


@dataclass(frozen=True, slots=True)
class Header:
    """The parts of a header; None where the line has no such part."""

    type: str | None
    scope: str | None
    subject: str | None
    breaking: bool = False


def parse_header(line: str) -> Header:
    """A message's first line, read as commitlint reads it; all None where it has no `type: subject` form."""
    found = _HEADER.fullmatch(line)
    if found is None:
        return Header(None, None, None)
    return Header(found["type"] or None, found["scope"] or None, found["subject"] or None, found["breaking"] == "!")


def parse_beginning(line: str) -> Header | None:
    """What a person may have begun to type: `fix(parser):` or `feat: add`; None where it is no known type."""
    found = _OPENED.fullmatch(line.strip())
    if found is None or found["type"] not in TYPES:
        return None
    return Header(found["type"], found["scope"], found["subject"].strip() or None, found["breaking"] == "!")


def format_prefix(header: Header) -> str:
    """`type(scope)!: ` as it stands before a subject."""
    scope = f"({header.scope})" if header.scope else ""
    return f"{header.type}{scope}{'!' if header.breaking else ''}: "


def is_conventional(line: str) -> bool:
    """Whether a subject is written in the conventional form, with one of the usual types."""
    return _STRICT.fullmatch(line) is not None


def is_gitmoji(line: str) -> bool:
    """Whether a subject begins with an emoji or an emoji's code."""
    return _GITMOJI.match(line) is not None
