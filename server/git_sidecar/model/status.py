"""The state of a worktree: branch, upstream, changed, conflicting and untracked paths (git-status(1))."""

from dataclasses import dataclass
from enum import StrEnum

from git_sidecar.model.changes import ChangeStatus, Conflict
from git_sidecar.model.fingerprint import HeadState
from git_sidecar.model.refs import RepoPath


class Untracked(StrEnum):
    """How untracked files are shown (git-status(1), --untracked-files): directories collapsed, every file, or none."""

    NORMAL = "normal"
    ALL = "all"
    NO = "no"


@dataclass(frozen=True, slots=True)
class SubmoduleState:
    """What differs in a submodule: another commit, changed tracked files, untracked files in it."""

    commit_changed: bool
    modified: bool
    untracked: bool


@dataclass(frozen=True, slots=True)
class StatusEntry:
    """One tracked path that differs: `code` is git's XY with `.` for unchanged (index side, then work-tree side).

    `staged` and `unstaged` are what X and Y mean. `old_path` is where a renamed or copied file came from; it belongs to
    the side that says R or C. Modes are octal text, object ids hex; all zeros where a side has none.
    """

    path: RepoPath
    code: str
    staged: ChangeStatus | None
    unstaged: ChangeStatus | None
    old_path: RepoPath | None = None
    submodule: SubmoduleState | None = None
    head_mode: str = ""
    index_mode: str = ""
    worktree_mode: str = ""
    head_oid: str = ""
    index_oid: str = ""


@dataclass(frozen=True, slots=True)
class Status:
    """All that one `git status` says.

    `ahead` and `behind` are commits; None without an upstream, or where the upstream is configured but gone.
    `stashes` is None where this git does not say (before 2.35) or there are none.
    """

    head: HeadState
    upstream: str | None = None
    ahead: int | None = None
    behind: int | None = None
    stashes: int | None = None
    entries: tuple[StatusEntry, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    untracked: tuple[RepoPath, ...] = ()
    ignored: tuple[RepoPath, ...] = ()

    @property
    def staged(self) -> tuple[StatusEntry, ...]:
        """The entries whose index differs from HEAD."""
        return tuple(entry for entry in self.entries if entry.staged is not None)

    @property
    def unstaged(self) -> tuple[StatusEntry, ...]:
        """The entries whose work-tree file differs from the index."""
        return tuple(entry for entry in self.entries if entry.unstaged is not None)

    @property
    def clean(self) -> bool:
        """Whether there is nothing to commit, to stage or to resolve."""
        return not (self.entries or self.conflicts or self.untracked)
