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
