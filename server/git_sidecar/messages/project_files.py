"""Reads the few files of the work tree that say how messages are to be written.

A file that is a symbolic link, or is reached through one, is not read: a cloned repository could name any file of this
machine that way, and what is read here is sent to a model. Only called for trusted workspaces.
"""

import stat
from dataclasses import dataclass
from pathlib import Path

from git_sidecar.messages.commitlint import CONFIG_FILES, Commitlint, parse_commitlint
from git_sidecar.messages.editorconfig import parse_line_length
from git_sidecar.messages.facts import Guide
from git_sidecar.messages.instruction_text import cut_text, find_commit_sections

_LIMIT_BYTES = 256 * 1024
# Those that are about messages count whole; those about everything, by their sections on commits.
_WHOLE = ".github/git-commit-instructions.md"
_TEMPLATE = ".gitmessage"
_BY_SECTION = (".github/copilot-instructions.md", "AGENTS.md")


@dataclass(frozen=True, slots=True)
class ProjectFiles:
    """What the files of a work tree say about messages."""

    guides: tuple[Guide, ...] = ()
    template: str = ""
    commitlint: Commitlint | None = None
    line_length: int | None = None
    warnings: tuple[str, ...] = ()


def read_plain_text(root: Path, relative: str) -> str | None:
    """The text of a regular file below `root`, bytes that are not UTF-8 as U+FFFD; None where there is none, where it
    is larger than 256 KiB, or where a link leads to it.
    """
    path = root
    try:
        for part in relative.split("/"):
            path = path / part
            if stat.S_ISLNK(path.lstat().st_mode):
                return None
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > _LIMIT_BYTES:
            return None
        return path.read_bytes().decode("utf-8", "replace")
    except (OSError, ValueError):
        return None


def _read_commitlint(root: Path) -> tuple[Commitlint | None, tuple[str, ...]]:
    for name in CONFIG_FILES:
        text = read_plain_text(root, name)
        if text is None:
            continue
        found = parse_commitlint(name, text)
        if found is not None:
            return found, tuple(f"{name}: {item} is not known here and was not applied" for item in found.unread[:5])
        if name != "package.json":
            return None, (f"{name} could not be read as data; its rules were not applied",)
    return None, ()


def read_project_files(root: Path) -> ProjectFiles:
    """What the work tree at `root` says about messages."""
    guides: list[Guide] = []
    text = read_plain_text(root, _WHOLE)
    if text and text.strip():
        guides.append(Guide(_WHOLE, cut_text(text.strip())))
    for name in _BY_SECTION:
        sections = find_commit_sections(read_plain_text(root, name) or "")
        if sections:
            guides.append(Guide(name, sections))
    commitlint, warnings = _read_commitlint(root)
    config = read_plain_text(root, ".editorconfig")
    return ProjectFiles(
        tuple(guides),
        read_plain_text(root, _TEMPLATE) or "",
        commitlint,
        parse_line_length(config) if config else None,
        warnings,
    )
