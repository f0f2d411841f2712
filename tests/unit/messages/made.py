"""Changed files and facts made from plain data."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from git_sidecar.messages.category import categorize
from git_sidecar.messages.facts import ChangedFile, Facts, Form, Start, StartKind, Treatment
from git_sidecar.messages.history import RecentCommit, Style
from git_sidecar.messages.patch import FilePatch, Hunk
from git_sidecar.model.changes import ChangeStatus, Coverage, FileChange, RawChange
from git_sidecar.model.fingerprint import Fingerprint, HeadState
from git_sidecar.model.refs import RepoPath

FINGERPRINT = Fingerprint(HeadState("1" * 40, "main"), "2" * 64)


def hunk(*lines: str, context: str = "", start: int = 1) -> Hunk:
    """A hunk of lines with their signs."""
    header = f"@@ -{start} +{start} @@" + (f" {context}" if context else "")
    return Hunk(header, context, start, lines)


def changed_file(
    path: str,
    *hunks: Hunk,
    status: ChangeStatus = ChangeStatus.MODIFIED,
    treatment: Treatment = Treatment.SHOWN,
    old_path: str | None = None,
    modes: tuple[str, str] = ("100644", "100644"),
    coverage: Coverage = Coverage.FULL,
) -> ChangedFile:
    """A changed file with the given hunks; its counts are theirs."""
    lines = [line for one in hunks for line in one.lines]
    change = RawChange(
        status, RepoPath(path), RepoPath(old_path) if old_path else None, modes[0], modes[1], "a" * 40, "b" * 40
    )
    counts = [sum(line[0] == sign for line in lines) for sign in "+-"]
    binary = treatment is Treatment.BINARY
    file = FileChange(
        change, None if binary else counts[0], None if binary else counts[1], binary=binary, coverage=coverage
    )
    return ChangedFile(FilePatch(file, (), tuple(hunks)), categorize(path), treatment)


def facts(files: Sequence[ChangedFile], **overrides: Any) -> Facts:
    """Facts of an ordinary commit; fields of `Form` may be given beside those of `Facts`."""
    form = Form(Style.CONVENTIONAL, 72, 72, "#", "auto")
    form_fields = {name: overrides.pop(name) for name in list(overrides) if hasattr(form, name)}
    start = overrides.pop("start", Start(StartKind.ORDINARY))
    return Facts(
        files=tuple(files), fingerprint=FINGERPRINT, start=start, form=replace(form, **form_fields), **overrides
    )


def recent(*subjects: str) -> tuple[RecentCommit, ...]:
    """A history of other people's subjects."""
    return tuple(RecentCommit(subject, own=False) for subject in subjects)
