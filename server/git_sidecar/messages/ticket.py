"""The issue key in a branch's name, and where a project writes it. Pure."""

import re
from collections.abc import Sequence
from enum import StrEnum

from git_sidecar.messages.trailers import join_trailers

_KEY = re.compile(r"(?:^|[/_\-])([A-Z][A-Z0-9]{1,9}-[1-9]\d{0,6})(?=$|[/_\-.])")
_LONGEST_BRANCH = 250
_LONGEST_PATTERN = 200
# A repeated group that holds a repetition can take exponential time, and Python's `re` cannot be stopped.
_EXPLOSIVE = re.compile(r"\([^()]*[*+}][^()]*\)[*+{]")


class Place(StrEnum):
    """Where a key stands in a message."""

    BEFORE = "before"
    BRACKETS = "brackets"
    AFTER = "after"
    FOOTER = "footer"


def why_pattern_is_refused(pattern: str) -> str | None:
    """Why a person's `ticketPattern` cannot be used; None where it can."""
    if len(pattern) > _LONGEST_PATTERN:
        return f"it is longer than {_LONGEST_PATTERN} characters"
    if _EXPLOSIVE.search(pattern):
        return "a repetition inside a repeated group could take for ever"
    try:
        re.compile(pattern)
    except re.error as error:
        return f"it is no regular expression: {error}"
    return None


def find_ticket(branch: str | None, pattern: str) -> str | None:
    """The issue key in a branch's name: the pattern's first group, else its whole match; by default `ABC-123`."""
    if not branch:
        return None
    name = branch[:_LONGEST_BRANCH]
    if not pattern:
        found = _KEY.search(name)
        return found.group(1) if found else None
    found = None if why_pattern_is_refused(pattern) else re.search(pattern, name)
    if found is None:
        return None
    key = next((group for group in found.groups() if group), found.group())
    return key if key and key.isprintable() else None


def find_place(subjects: Sequence[str]) -> Place:
    """Where keys stand in recent subjects; the footer, where a project has no such habit."""
    patterns = (
        (Place.BRACKETS, re.compile(r"\[[A-Z][A-Z0-9]+-\d+\]")),
        (Place.BEFORE, re.compile(r"[A-Z][A-Z0-9]+-\d+:? ")),
        (Place.AFTER, re.compile(r".*\(?[A-Z][A-Z0-9]+-\d+\)?$")),
    )
    for place, pattern in patterns:
        if len(subjects) >= 3 and sum(1 for subject in subjects if pattern.match(subject)) * 2 > len(subjects):
            return place
    return Place.FOOTER


def place_ticket(message: str, ticket: str, place: Place, room: int) -> str:
    """The message with the key where it belongs: in the subject if it fits into `room` characters, else as a footer."""
    if ticket in message:
        return message
    subject, newline, rest = message.partition("\n")
    placed = {
        Place.BRACKETS: f"[{ticket}] {subject}",
        Place.BEFORE: f"{ticket}: {subject}",
        Place.AFTER: f"{subject} ({ticket})",
        Place.FOOTER: "",
    }[place]
    if placed and len(placed) <= room:
        return placed + newline + rest
    return join_trailers(message, [f"Refs: {ticket}"])
