"""What changed: files of a diff, entries of a status, conflicts."""

from dataclasses import dataclass
from enum import StrEnum

from git_sidecar.model.refs import RepoPath


class ChangeStatus(StrEnum):
    """What happened to a file between two sides; git's letter is in STATUS_LETTERS."""

    ADDED = "added"
    MODIFIED = "modified"
    DELETED = "deleted"
    RENAMED = "renamed"
    COPIED = "copied"
    TYPE_CHANGED = "typeChanged"
    UNMERGED = "unmerged"


# git-diff(1), "raw output format".
STATUS_LETTERS: dict[str, ChangeStatus] = {
    "A": ChangeStatus.ADDED,
    "M": ChangeStatus.MODIFIED,
    "D": ChangeStatus.DELETED,
    "R": ChangeStatus.RENAMED,
    "C": ChangeStatus.COPIED,
    "T": ChangeStatus.TYPE_CHANGED,
    "U": ChangeStatus.UNMERGED,
}

SUBMODULE_MODE = "160000"
ABSENT_MODE = "000000"


class Coverage(StrEnum):
    """How much of a file's patch is in the diff that was returned."""

    FULL = "full"
    PARTIAL = "partial"
    OMITTED = "omitted"


class CutReason(StrEnum):
    """Why a file's patch is not whole."""

    BUDGET = "budget"
    LINE_LENGTH = "lineLength"
    LIMIT = "limit"
    BINARY = "binary"


@dataclass(frozen=True, slots=True)
class RawChange:
    """One record of `git diff --raw -z --no-abbrev`: both sides' modes and object ids, and the paths."""

    status: ChangeStatus
    path: RepoPath
    old_path: RepoPath | None
    old_mode: str
    new_mode: str
    old_oid: str
    new_oid: str

    @property
    def submodule(self) -> bool:
        """Whether either side is a gitlink."""
        return SUBMODULE_MODE in (self.old_mode, self.new_mode)


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file of a diff, with its counts and how much of it is shown.

    `additions` and `deletions` are lines; None for binary files and where git counts nothing.
    """

    change: RawChange
    additions: int | None
    deletions: int | None
    binary: bool
    coverage: Coverage
    reason: CutReason | None = None


@dataclass(frozen=True, slots=True)
class Conflict:
    """An unmerged path; `code` is git-status(1)'s two letters (UU, AA, DU, UD, DD, AU, UA)."""

    path: RepoPath
    code: str
