"""Branches, tags and stashes as they are listed."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Branch:
    """A local branch: short name, tip, whether it is checked out here, and its upstream.

    `upstream` is the short name (`origin/main`); `gone` tells that it is configured but does not exist any more.
    """

    name: str
    head: str
    current: bool
    upstream: str | None
    gone: bool
    subject: str


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag: short name, the object it names, the commit behind it (`target`), and an annotated tag's own words.

    `date` is ISO 8601 (the tagger's, else the commit's); `subject` is None for a lightweight tag.
    """

    name: str
    oid: str
    target: str
    annotated: bool
    date: str | None
    subject: str | None


@dataclass(frozen=True, slots=True)
class Stash:
    """One stash entry: its place in the list (0 is the newest), its commit, its parents and what it is called.

    `parents` are the commit it was made on, the index, and, where untracked files were stashed, those.
    """

    index: int
    oid: str
    parents: tuple[str, ...]
    message: str
    date: str
