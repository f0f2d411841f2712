"""Where the parts of a repository lie, and whether its `.git` may lead there; files are read, no git is run.

A `.git` file or link can point at any repository of the machine, so that work in an innocent directory would read or
change that one. It is followed only where the other side agrees: a linked worktree or submodule that names this root
back, or a separate git directory that belongs to nothing else.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from git_sidecar.model.location import Location
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.workspace.gitconfig import Config, parse_flag
from git_sidecar.workspace.gitdir import (
    find_enclosing,
    has_no_work_tree,
    is_directory,
    is_git_directory,
    is_same_file,
    read_common_dir,
    read_git_entry,
    read_location_config,
    read_small_file,
)


def locate(root: Path, *, opened: Sequence[Path] = ()) -> Location | Refusal:
    """The resolved places of the repository at `root`, or why there is none that may be used.

    `opened` are the directories that the person opened: a repository nested in another one, whose own git directory
    does not prove that it belongs there, counts as meant only if it is one of them.
    """
    if not is_directory(root):
        return _refuse_none(f"{root} does not exist any more, or is no directory")
    real = Path(upper_drive(os.path.realpath(root)))
    meant = any(is_same_file(real, path) for path in opened)
    if not os.path.lexists(real / ".git"):
        return _locate_bare(real, meant=meant)
    git_dir = read_git_entry(real)
    if git_dir is None or not is_git_directory(git_dir):
        leads = "" if git_dir is None else f" (it leads to {git_dir})"
        return _refuse_none(f"{real / '.git'} is no git directory{leads}")
    common_dir = read_common_dir(git_dir)
    linked = common_dir != git_dir
    config = read_location_config(git_dir, common_dir)
    refusal = _check_links(real, git_dir, common_dir) if linked else None
    refusal = refusal or _check_work_tree(real, git_dir, config)
    if refusal is None and not linked and git_dir != real / ".git" and not _names_back(real, git_dir, config):
        refusal = _check_separate(real, git_dir, config, meant=meant)
    if refusal is not None:
        return refusal
    if parse_flag(config, "core.bare"):
        return Location(git_dir, git_dir, common_dir, bare=True)
    return Location(real, git_dir, common_dir, bare=False)


def upper_drive(path: str, *, windows: bool = os.name == "nt") -> str:
    """The path with its drive letter in upper case: git compares it with its own spelling letter by letter."""
    return path[0].upper() + path[1:] if windows and path[1:2] == ":" else path


def _locate_bare(real: Path, *, meant: bool) -> Location | Refusal:
    """The bare repository that `real` itself is."""
    if not is_git_directory(real):
        return _refuse_none(f"{real} holds no .git and is no bare repository")
    common_dir = read_common_dir(real)
    config = read_location_config(real, common_dir)
    if config.get("core.worktree") is not None:
        return _refuse_unsafe(
            f"{real} is a git directory whose work tree is said to be elsewhere ({config['core.worktree']})",
            "Open the work tree itself as the repository.",
        )
    if not has_no_work_tree(real, config):
        return _refuse_none(
            f"{real} is the git directory of a work tree, not a repository to work in",
            "Open the work tree itself as the repository.",
        )
    enclosing = find_enclosing(real)
    if enclosing is not None and not meant:
        return _refuse_unsafe(
            f"{real} is a bare repository inside another repository ({enclosing}); a clone could have brought it,"
            " with a configuration that runs programs",
            "If it is meant, open it as a workspace folder of its own.",
        )
    return Location(real, real, real, bare=True)


def _check_links(real: Path, git_dir: Path, common_dir: Path) -> Refusal | None:
    """Whether a git directory with a `commondir` is a linked worktree's that names this root back."""
    own = git_dir.parent.name == "worktrees" and is_same_file(git_dir.parent.parent, common_dir)
    if own and _backlink_matches(real, git_dir):
        return None
    return _refuse_unsafe(
        f"{real / '.git'} leads to {git_dir} of the repository {common_dir}, which does not name"
        f" {real} as its worktree",
        f"If the worktree was moved, run `git worktree repair` in {real}; otherwise remove that .git.",
    )


def _check_work_tree(real: Path, git_dir: Path, config: Config) -> Refusal | None:
    """Whether core.worktree, where it is set, is this root."""
    work_tree = config.get("core.worktree")
    if work_tree is None or is_same_file(git_dir / work_tree, real):
        return None
    return _refuse_unsafe(
        f"the repository at {real} works on another directory: core.worktree in {git_dir} says {work_tree!r}",
        "If this is the right place, correct or unset core.worktree there; otherwise do not use this repository.",
    )


def _names_back(real: Path, git_dir: Path, config: Config) -> bool:
    """Whether the git directory says by itself that `real` is its work tree (core.worktree was checked before)."""
    return config.get("core.worktree") is not None or _backlink_matches(real, git_dir)


def _check_separate(real: Path, git_dir: Path, config: Config, *, meant: bool) -> Refusal | None:
    """Whether a git directory elsewhere that names no work tree can be this root's own (git-init --separate-git-dir).

    git writes no link back for those, so what is excluded is that it belongs to something else: it is not the `.git`
    of another work tree, nor a bare repository elsewhere, nor part of another git directory; and the root is not a
    directory inside another repository, where one only has to unpack such a `.git` file.
    """
    inside = git_dir.is_relative_to(real)
    if git_dir.name == ".git":
        reason = f"leads to the repository of another work tree, {git_dir}"
    elif any(is_git_directory(parent) for parent in git_dir.parents):
        reason = f"leads into another repository's git directory, {git_dir}"
    elif parse_flag(config, "core.bare") and not inside:
        reason = f"leads to a bare repository elsewhere, {git_dir}"
    elif not (inside or meant) and find_enclosing(real) is not None:
        reason = f"leads out of the repository that {real} lies in, to {git_dir}"
    else:
        return None
    return _refuse_unsafe(
        f"{real / '.git'} {reason}, and nothing there says that {real} is its work tree",
        f"If it is yours, say so there: `git --git-dir={git_dir} config core.worktree {real}`;"
        " otherwise remove that .git.",
    )


def _backlink_matches(real: Path, git_dir: Path) -> bool:
    content = read_small_file(git_dir / "gitdir")
    target = os.fsdecode(content.rstrip(b"\r\n")) if content else ""
    return bool(target) and "\0" not in target and _is_entry(git_dir / target, real)


def _is_entry(path: Path, real: Path) -> bool:
    return path.name == ".git" and is_same_file(path.parent, real)


def _refuse_none(message: str, hint: str | None = None) -> Refusal:
    usual = "Check the path; in a directory that should be a repository, its .git may have been removed."
    return Refusal(RefusalCode.NOT_A_REPOSITORY, message, hint=hint or usual)


def _refuse_unsafe(message: str, hint: str) -> Refusal:
    return Refusal(RefusalCode.UNSAFE_REPOSITORY, message, hint=hint)
