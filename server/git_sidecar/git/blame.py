"""Who wrote the lines of a file, by one `git blame` (git-blame(1))."""

import asyncio
import os
from dataclasses import replace
from pathlib import Path

from git_sidecar.git.diff_defaults import PATCH_CONFIG
from git_sidecar.git.errors import GitRefused
from git_sidecar.git.parse.blame import BlameParser
from git_sidecar.git.repository import Repository
from git_sidecar.git.show import read_tree_entry
from git_sidecar.model.blame import Blame
from git_sidecar.model.location import Location
from git_sidecar.model.refs import RepoPath
from git_sidecar.model.refusal import Refusal, RefusalCode

_CHUNK_BYTES = 1 << 20


class _LineCount:
    """Counts the lines of a text that streams by."""

    def __init__(self) -> None:
        self._line_feeds = 0
        self._last = b"\n"

    def feed(self, chunk: bytes, /) -> bool:
        if chunk:
            self._line_feeds += chunk.count(b"\n")
            self._last = chunk[-1:]
        return True

    @property
    def lines(self) -> int:
        return self._line_feeds + (self._last != b"\n")


def _count_file_lines(path: Path) -> int | None:
    """The lines of a file on disk, of a link's target for a link; None where there is no file."""
    count = _LineCount()
    try:
        if path.is_symlink():
            count.feed(os.fsencode(path.readlink()))
            return count.lines
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK_BYTES):
                count.feed(chunk)
    except OSError:
        return None
    return count.lines


def _read_shallow(location: Location) -> frozenset[str]:
    """The commits whose parents a shallow repository does not have (gitrepository-layout(5), `shallow`)."""
    try:
        return frozenset((location.common_dir / "shallow").read_bytes().decode("ascii").split())
    except FileNotFoundError:
        return frozenset()


async def _count_lines(repository: Repository, path: RepoPath, commit: str | None) -> int:
    if commit is None:
        counted = await asyncio.to_thread(_count_file_lines, repository.location.root / path.text)
    else:
        entry = await read_tree_entry(repository, commit, path)
        counted = None
        if entry is not None and entry.kind == "blob":
            count = _LineCount()
            await repository.run(("cat-file", "blob", entry.oid), sink=count)
            counted = count.lines
    if counted is None:
        where = "at that revision" if commit else "in the work tree"
        raise GitRefused(
            Refusal(RefusalCode.PATH_NOT_FOUND, f"there is no file {path.text!r} {where}", "Check it with git_status.")
        )
    return counted


async def read_blame(
    repository: Repository,
    path: RepoPath,
    *,
    commit: str | None = None,
    start_line: int = 1,
    end_line: int | None = None,
    limit_lines: int,
    limit_bytes: int,
) -> Blame:
    """The lines from `start_line` to `end_line` (from 1, inclusive), at `commit` or, uncommitted ones too, as they are.

    An end beyond the file is the file's end. Raises GitRefused: `path_not_found`, `invalid_arguments` for a start
    beyond it.
    """
    total = await _count_lines(repository, path, commit)
    if start_line > max(total, 1):
        raise GitRefused(
            Refusal(RefusalCode.INVALID_ARGUMENTS, f"startLine {start_line} lies beyond the file's {total} lines")
        )
    last = min(total, end_line or total)
    parser = BlameParser(limit_lines=limit_lines, limit_bytes=limit_bytes)
    # On an empty file git takes no range.
    span = (f"-L{start_line},{last}",) if total else ()
    revs = (commit,) if commit else ()
    argv = (
        *("blame", "--porcelain", "--encoding=UTF-8", "--no-textconv", "--ignore-revs-file="),
        *(*span, *revs, "--", path.text),
    )
    await repository.run(argv, config=(*PATCH_CONFIG, ("blame.showRoot", "false")), sink=parser)
    # git marks first commits too; history ends there, it is not cut off.
    cut_off = _read_shallow(repository.location)
    lines = tuple(line if line.commit in cut_off else replace(line, boundary=False) for line in parser.finish())
    return Blame(lines, total, cut=start_line + len(lines) <= last)
