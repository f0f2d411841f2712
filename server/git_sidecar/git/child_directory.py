"""The directory that git is started in: told apart from a missing git, and where git must stop looking upwards."""

import os
import stat
from pathlib import Path

from git_sidecar.git.errors import GitRefused
from git_sidecar.model.refusal import Refusal, RefusalCode


def find_ceiling(cwd: Path) -> str | None:
    """The directory above `cwd`, past which git must not look for a repository (GIT_CEILING_DIRECTORIES, git(1)).

    None where git has no way to spell it. GitRefused if `cwd` is missing or no directory; ValueError if it is relative.
    """
    if not cwd.is_absolute():
        raise ValueError(f"git's directory must be absolute: {cwd}")
    try:
        # git compares with where it really is; links further up it resolves by itself.
        real = cwd.resolve(strict=True) if cwd.is_symlink() else cwd
        is_directory = stat.S_ISDIR(real.stat().st_mode)
    except (OSError, RuntimeError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise _refuse_directory(cwd, RefusalCode.PATH_NOT_FOUND, why or "it cannot be read") from error
    if not is_directory:
        raise _refuse_directory(cwd, RefusalCode.NOT_A_REPOSITORY, "it is not a directory")
    parent = str(real.parent)
    # git splits the list at this character and knows no quoting.
    return None if os.pathsep in parent else parent


def refuse_if_removed(cwd: Path) -> None:
    """GitRefused if `cwd` has gone since `find_ceiling`, which git reports in words of its own."""
    if not cwd.is_dir():
        raise _refuse_directory(cwd, RefusalCode.PATH_NOT_FOUND, "it was removed while git was starting")


def _refuse_directory(cwd: Path, code: RefusalCode, why: str) -> GitRefused:
    return GitRefused(Refusal(code, f"git cannot run in {cwd}: {why}"))
