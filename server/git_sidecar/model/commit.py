"""Commits, as a log tells of them, and pages of a log."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit; `date` is the author's, ISO 8601 with offset; texts are UTF-8, exact otherwise.

    `refs` are git's decorations in its own short words (`HEAD -> main`, `tag: v1`, `origin/main`).
    """

    oid: str
    short_oid: str
    parents: tuple[str, ...]
    author: str
    email: str
    date: str
    refs: tuple[str, ...]
    subject: str
    body: str


@dataclass(frozen=True, slots=True)
class LogPage:
    """Commits of one page, newest first; `more` tells whether the log goes on after them."""

    commits: tuple[Commit, ...]
    more: bool
