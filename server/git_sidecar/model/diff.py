"""A diff and what is known of it."""

from dataclasses import dataclass

from git_sidecar.model.changes import FileChange
from git_sidecar.model.fingerprint import Fingerprint, OperationInProgress


@dataclass(frozen=True, slots=True)
class CutDiff:
    """A diff's text, possibly cut, with all its files; omissions in lines and bytes of git's output."""

    text: str
    files: tuple[FileChange, ...]
    truncated: bool
    omitted_lines: int
    omitted_bytes: int
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StagedDiff:
    """What would be committed, and where the repository stood when it was read."""

    diff: CutDiff
    fingerprint: Fingerprint
    operation: OperationInProgress | None


@dataclass(frozen=True, slots=True)
class DiffPage:
    """Part of a diff: whole lines from one byte offset of git's patch to another.

    `files` are those of which something is on this page; `total_files` counts all. `next_offset` is where the next page
    begins, None after the last. `fingerprint` is the hex SHA-256 of git's whole output: while it is the same, offsets
    mean the same.
    """

    text: str
    files: tuple[FileChange, ...]
    total_files: int
    next_offset: int | None
    fingerprint: str
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DiffStat:
    """The numbers of a diff, file by file; `fingerprint` as in DiffPage."""

    files: tuple[FileChange, ...]
    fingerprint: str
