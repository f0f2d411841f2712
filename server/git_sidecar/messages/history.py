"""What recent commits tell of a project's habits: style of the subjects, scopes, types. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from git_sidecar.messages.conventional import Header, is_conventional, is_gitmoji, parse_header


class Style(StrEnum):
    """The form of a subject."""

    CONVENTIONAL = "conventional"
    PLAIN = "plain"
    GITMOJI = "gitmoji"


@dataclass(frozen=True, slots=True)
class RecentCommit:
    """One commit of the history: its subject, and whether the person who commits now wrote it."""

    subject: str
    own: bool


_FEW = 3
_SCOPED_SHARE = 0.3


def find_style(recent: Sequence[RecentCommit]) -> Style:
    """The form that at least half of the recent subjects have; conventional while there are too few to tell."""
    subjects = [commit.subject for commit in recent]
    if len(subjects) < _FEW:
        return Style.CONVENTIONAL
    for style, test in ((Style.CONVENTIONAL, is_conventional), (Style.GITMOJI, is_gitmoji)):
        if sum(1 for subject in subjects if test(subject)) * 2 >= len(subjects):
            return style
    return Style.PLAIN


def _headers(recent: Sequence[RecentCommit]) -> list[Header]:
    return [parse_header(commit.subject) for commit in recent if is_conventional(commit.subject)]


def find_scopes(recent: Sequence[RecentCommit]) -> tuple[str, ...]:
    """The scopes in use, most frequent first; none where fewer than three in ten conventional subjects have one."""
    headers = _headers(recent)
    scopes = [header.scope for header in headers if header.scope]
    if not headers or len(scopes) < _SCOPED_SHARE * len(headers):
        return ()
    return tuple(scope for scope, _ in Counter(scopes).most_common())


def find_usual_header(recent: Sequence[RecentCommit], words: Sequence[str]) -> Header | None:
    """The type and scope that subjects with one of the words mostly have: how a project writes dependency updates."""
    headers = [
        Header(header.type, header.scope, None)
        for header in _headers(recent)
        if header.subject and any(word in f"{header.scope or ''} {header.subject}".lower().split() for word in words)
    ]
    return Counter(headers).most_common(1)[0][0] if headers else None
