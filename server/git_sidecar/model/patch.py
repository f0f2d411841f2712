"""A patch in parts: files, their hunks, the lines of a hunk (git-diff(1), "generating patch text")."""

from dataclasses import dataclass

from git_sidecar.model.refs import RepoPath


@dataclass(frozen=True, slots=True)
class Hunk:
    """One hunk: where it begins on both sides (lines from 1), how many lines each side has, and its lines.

    `heading` is what follows the second `@@`, its blank included. `lines` are whole lines without their line end, each
    with its leading ' ', '+', '-' or '\\'.
    """

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    heading: bytes
    lines: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class FilePatch:
    """One file's patch: its header lines (without line ends), the paths of both sides, and its hunks.

    A path is None where that side does not exist (`/dev/null`). `combined` patches (`diff --cc`, of unmerged paths) and
    `* Unmerged path` lines keep all their lines in `header`.
    """

    header: tuple[bytes, ...]
    old_path: RepoPath | None
    new_path: RepoPath | None
    hunks: tuple[Hunk, ...] = ()
    binary: bool = False
    combined: bool = False

    @property
    def path(self) -> RepoPath | None:
        """The path by which the change is known: the new one, else the old one."""
        return self.new_path or self.old_path
