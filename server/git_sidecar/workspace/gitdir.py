"""git directories as they lie on disk: what `.git` names, which directory worktrees share (gitrepository-layout(5)).

Everything is read from files, no git is run. Nothing but regular files is opened: a repository may hold a pipe where a
file is expected, and opening it would wait for ever.
"""

import os
import re
import stat
from pathlib import Path

from git_sidecar.workspace.gitconfig import Config, parse_config, parse_flag

_READ_LIMIT = 1024 * 1024
_HEAD = re.compile(rb"ref:\s*refs/|[0-9a-f]{40}")
_IGNORED_BY_HFS = re.compile("[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]")


def is_git_name(name: str) -> bool:
    """Whether some file system takes this name for `.git`: other case, `git~1`, trailing dots, a stream, joiners."""
    plain = _IGNORED_BY_HFS.sub("", name).partition(":")[0].rstrip(" .").casefold()
    return plain in (".git", "git~1")


def read_small_file(path: Path) -> bytes | None:
    """The content of a regular file of at most 1 MiB; None for anything else."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return None
        with path.open("rb") as file:
            content = file.read(_READ_LIMIT + 1)
    except (OSError, ValueError):
        return None
    return content if len(content) <= _READ_LIMIT else None


def parse_gitfile(raw: bytes) -> str | None:
    """The path that a `.git` file names, taken as literally as git takes it; None where git would not accept it."""
    if not raw.startswith(b"gitdir: "):
        return None
    target = raw.removeprefix(b"gitdir: ").rstrip(b"\r\n")
    return os.fsdecode(target) if target and b"\0" not in target else None


def read_git_entry(root: Path) -> Path | None:
    """The real path of the git directory that `root`/.git is, links to or names; None where it leads nowhere."""
    entry = root / ".git"
    if is_directory(entry):
        return Path(os.path.realpath(entry))
    content = read_small_file(entry)
    target = parse_gitfile(content) if content is not None else None
    return Path(os.path.realpath(root / target)) if target is not None else None


def read_common_dir(git_dir: Path) -> Path:
    """The real path of the directory that a worktree's git directory shares; itself for all others."""
    content = read_small_file(git_dir / "commondir")
    target = os.fsdecode(content.rstrip(b"\r\n")) if content else ""
    return Path(os.path.realpath(git_dir / target)) if target and "\0" not in target else git_dir


def is_git_directory(path: Path) -> bool:
    """Whether git would take `path` for a git directory: a HEAD that reads as one, objects and refs."""
    try:
        head = path / "HEAD"
        if head.is_symlink():
            valid = os.fsdecode(head.readlink()).startswith("refs/")
        else:
            valid = _HEAD.match(read_small_file(head) or b"") is not None
        if not valid:
            return False
        common = read_common_dir(path)
        return (common / "objects").is_dir() and (common / "refs").is_dir()
    except (OSError, ValueError):
        return False


def read_location_config(git_dir: Path, common_dir: Path) -> Config:
    """What `core.worktree`, `core.bare` and `extensions.*` are for this worktree, includes left out.

    A linked worktree takes neither of the first two from the shared file (git-worktree(1), "Configuration file").
    """
    config = parse_config(read_small_file(common_dir / "config") or b"")
    if git_dir != common_dir:
        config = {key: value for key, value in config.items() if key not in ("core.worktree", "core.bare")}
    if parse_flag(config, "extensions.worktreeconfig"):
        config |= parse_config(read_small_file(git_dir / "config.worktree") or b"")
    return config


def has_no_work_tree(directory: Path, config: Config) -> bool:
    """Whether a git directory that is looked at by itself is a bare repository and not some work tree's."""
    claimed = parse_flag(config, "core.bare") is False or config.get("core.worktree") is not None
    return not claimed and not is_git_name(directory.name) and read_common_dir(directory) == directory


def is_directory(path: Path) -> bool:
    """Whether `path` is a directory that can be asked about."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def find_enclosing(path: Path) -> Path | None:
    """The nearest directory above `path` that is a work tree or a git directory; None where there is none."""
    for directory in path.parents:
        git_dir = read_git_entry(directory)
        if (git_dir is not None and is_git_directory(git_dir)) or is_git_directory(directory):
            return directory
    return None


def is_same_file(one: Path, other: Path) -> bool:
    """Whether two paths name one existing file or directory."""
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return False
