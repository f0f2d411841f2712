"""Where a worktree stands and who moved it there: what the cross-session guard compares."""

from dataclasses import dataclass

from git_sidecar.model.fingerprint import HeadState


@dataclass(frozen=True, slots=True)
class Standing:
    """HEAD and index of one worktree at one moment.

    `index` is a stamp of the index file (hex; "" where there is none): equal stamps mean an equal file. `staged` is the
    identity of what is staged (Fingerprint.index), None where it has not been worked out; a mere refresh of the index
    changes the stamp and leaves `staged` as it was.
    """

    head: HeadState
    index: str
    staged: str | None = None

    def equals(self, other: "Standing") -> bool:
        """Whether both are the same HEAD, branch and staged content; unknown staged content counts as different."""
        if self.head != other.head:
            return False
        return self.index == other.index or (self.staged is not None and self.staged == other.staged)


@dataclass(frozen=True, slots=True)
class Seen:
    """What a session last saw of a worktree.

    `sequence` is the number of the ledger's last move when it looked (0: none), `time_ms` Unix time.
    """

    standing: Standing
    sequence: int
    time_ms: int


@dataclass(frozen=True, slots=True)
class Move:
    """One line of the ledger: a session's call moved a worktree. `sequence` counts up over all worktrees."""

    sequence: int
    session: str
    tool: str
    before: Standing
    after: Standing
    time_ms: int


@dataclass(frozen=True, slots=True)
class ReflogEntry:
    """One line of HEAD's reflog: object ids (zeros where there was none), when, with the zone's offset, and why."""

    old: str
    new: str
    time_s: int
    offset_minutes: int
    message: str
