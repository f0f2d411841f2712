"""A unified diff as files, hunks and lines (git-diff(1), "generating patch text"). Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from git_sidecar.model.changes import ChangeStatus, FileChange
from git_sidecar.model.refs import RepoPath

_OPENS = ("diff --git ", "* Unmerged path ")
_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)")
_BODY = (" ", "+", "-", "\\")


@dataclass(frozen=True, slots=True)
class Hunk:
    """One hunk: its header line, the line of the function that git found above it, and its lines with their signs."""

    header: str
    context: str
    new_start: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FilePatch:
    """One file of a diff: what changed, git's header lines, and the hunks that were read."""

    file: FileChange
    header: tuple[str, ...]
    hunks: tuple[Hunk, ...]

    @property
    def path(self) -> str:
        """The path as it can be shown: bytes that are not UTF-8 are U+FFFD."""
        return show_path(self.file.change.path)

    @property
    def old_path(self) -> str | None:
        """The path before a rename or copy, as it can be shown."""
        old = self.file.change.old_path
        return None if old is None else show_path(old)

    @property
    def status(self) -> ChangeStatus:
        """What happened to the file."""
        return self.file.change.status

    def changed_lines(self, sign: str) -> list[str]:
        """The lines with the given sign, `+` or `-`, without it."""
        return [line[1:] for hunk in self.hunks for line in hunk.lines if line[:1] == sign]


def show_path(path: RepoPath) -> str:
    """A path as text that can be sent: bytes that are not UTF-8 become U+FFFD."""
    return path.raw.decode("utf-8", "replace")


def _parse_section(lines: Sequence[str]) -> tuple[tuple[str, ...], tuple[Hunk, ...]]:
    header: list[str] = []
    hunks: list[Hunk] = []
    body: list[str] = []
    opened: re.Match[str] | None = None
    for line in [*lines, "@@"]:
        found = _HUNK.match(line)
        if found or line == "@@":
            if opened:
                hunks.append(Hunk(opened.group(0), opened.group(3), int(opened.group(2)), tuple(body)))
            opened, body = found, []
        elif opened:
            # Whatever else stands here is the note on what was cut.
            if line.startswith(_BODY):
                body.append(line)
        elif line:
            header.append(line)
    return tuple(header), tuple(hunks)


def _split_sections(diff: str) -> list[list[str]]:
    sections: list[list[str]] = []
    for line in diff.split("\n"):
        if line.startswith(_OPENS):
            sections.append([line])
        elif sections:
            sections[-1].append(line)
    return sections


def parse_patches(diff: str, files: Sequence[FileChange]) -> tuple[FilePatch, ...]:
    """The files of a diff, in order, each with its patch; without one where the sections do not match the files."""
    sections = _split_sections(diff)
    # A change of type is printed as a deletion and an addition.
    steps = [2 if file.change.status is ChangeStatus.TYPE_CHANGED else 1 for file in files]
    if sum(steps) != len(sections):
        return tuple(FilePatch(file, (), ()) for file in files)
    patches: list[FilePatch] = []
    at = 0
    for file, step in zip(files, steps, strict=True):
        parts = [_parse_section(section) for section in sections[at : at + step]]
        at += step
        patches.append(
            FilePatch(
                file,
                tuple(line for header, _ in parts for line in header),
                tuple(hunk for _, hunks in parts for hunk in hunks),
            )
        )
    return tuple(patches)
