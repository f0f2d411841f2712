"""Which git this server uses: found once by absolute path, never in the working directory, and new enough."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from git_sidecar.git.errors import GitUnavailable, Unavailable

# `git restore` and `git switch` came with it.
MINIMUM_VERSION = (2, 23, 0)

_VERSION = re.compile(r"git version (\d+)\.(\d+)(?:\.(\d+))?")


@dataclass(frozen=True, slots=True)
class GitExecutable:
    """A git that runs: its absolute path, its version, and the line that it printed about itself."""

    path: Path
    version: tuple[int, int, int]
    text: str


def needed() -> str:
    """The least git that will do, in words."""
    return "git " + ".".join(str(part) for part in MINIMUM_VERSION[:2]) + " or newer"


def candidate_paths(git_path: str, environment: Mapping[str, str], *, windows: bool = os.name == "nt") -> list[Path]:
    """Where to look for git, best first: the configured path, or each absolute entry of PATH. Pure.

    A bare name (`git`) is looked up in PATH; anything with a separator must be absolute (`~` is the user's HOME).
    Entries that are empty or relative would mean the working directory, so they are left out.
    """
    name = f"{git_path}.exe" if windows and not git_path.lower().endswith((".exe", ".cmd", ".bat")) else git_path
    if "/" in git_path or (windows and "\\" in git_path):
        home = environment.get("USERPROFILE" if windows else "HOME", "")
        expanded = home + name[1:] if name.startswith(("~/", "~\\")) and home else name
        return [Path(expanded)] if Path(expanded).is_absolute() else []
    separator = ";" if windows else ":"
    entries = [entry.strip('"') if windows else entry for entry in environment.get("PATH", "").split(separator)]
    return [Path(entry, name) for entry in dict.fromkeys(entries) if entry and Path(entry).is_absolute()]


def find_git(git_path: str, environment: Mapping[str, str]) -> Path:
    """The first candidate that is a file which may be run; GitUnavailable, with all that was tried, if none is."""
    candidates = candidate_paths(git_path, environment)
    for path in candidates:
        if path.is_file() and os.access(path, os.X_OK):
            return path
    tried = tuple(str(path) for path in candidates) or (git_path,)
    message = f"git was not found; tried {', '.join(tried)}"
    raise GitUnavailable(message, Unavailable(tried=tried, found=None, needed=needed()))


def parse_version(text: str) -> tuple[int, int, int] | None:
    """The version in what `git version` prints (`git version 2.39.5 (Apple Git-154)`), or None."""
    match = _VERSION.search(text)
    if match is None:
        return None
    major, minor, patch = match.groups(default="0")
    return int(major), int(minor), int(patch)


def check_version(path: Path, code: int, stdout: bytes, stderr: bytes) -> GitExecutable:
    """The executable at `path`, given how `git version` ended; GitUnavailable if it is broken or too old."""
    text = stdout.decode("utf-8", "replace").strip()
    version = parse_version(text)
    if code != 0 or version is None:
        said = text or stderr.decode("utf-8", "replace").strip() or "nothing"
        raise unusable(path, f"{path} exited with {code} and said: {said[:500]}")
    if version < MINIMUM_VERSION:
        raise unusable(path, text)
    return GitExecutable(path, version, text)


def unusable(path: Path, found: str) -> GitUnavailable:
    """The error for a git that is there but cannot be used; `found` says what it is or did."""
    message = f"{path} cannot be used: {found}; {needed()} is needed"
    return GitUnavailable(message, Unavailable(tried=(str(path),), found=found, needed=needed()))
