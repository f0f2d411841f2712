"""Where a repository stands: what the guard, the tickets and the generator compare."""

from dataclasses import dataclass
from enum import StrEnum


class OperationInProgress(StrEnum):
    """A multi-step git operation that waits to be finished (git-status(1), wt-status.c)."""

    MERGE = "merge"
    REBASE = "rebase"
    CHERRY_PICK = "cherryPick"
    REVERT = "revert"
    BISECT = "bisect"
    AM = "am"


@dataclass(frozen=True, slots=True)
class HeadState:
    """HEAD: the commit's object id (None before the first commit) and the branch (None when detached)."""

    commit: str | None
    branch: str | None


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """HEAD, branch and what is staged.

    `index` is the hex SHA-256 of what `git diff --cached --raw -z --no-abbrev` prints: the staged content, not the
    index file, so that a refresh does not change it.
    """

    head: HeadState
    index: str
