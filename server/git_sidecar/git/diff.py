"""Differences between the work tree, the index and commits, page by page or in numbers (git-diff(1))."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from git_sidecar.git.diff_defaults import PATCH_CONFIG, PATCH_OPTIONS, rename_limit
from git_sidecar.git.parse.diff_page import DiffPager
from git_sidecar.git.parse.diff_stream import DiffStream
from git_sidecar.git.parse.line_cut import CutLimits
from git_sidecar.git.parse.line_window import WindowLimits
from git_sidecar.git.parse.numstat import FileCounts, parse_numstat
from git_sidecar.git.parse.raw_diff import RawRecords
from git_sidecar.git.repository import Repository
from git_sidecar.model.changes import ChangeStatus, Coverage, FileChange, RawChange
from git_sidecar.model.diff import CutDiff, DiffPage, DiffStat
from git_sidecar.model.refs import RepoPath

DEFAULT_CONTEXT_LINES = 3
_STAT_BYTES = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Sides:
    """What is compared, by object ids of commits or trees.

    Nothing given: work tree against index. `staged`: index against `old`, or HEAD. `old` alone: work tree against it.
    Both: `new` against `old`.
    """

    staged: bool = False
    old: str | None = None
    new: str | None = None


async def _configuration(repository: Repository) -> tuple[tuple[str, str], ...]:
    git = await repository.spawner.executable()
    return (*PATCH_CONFIG, rename_limit(git.version))


def _arguments(sides: Sides, form: Sequence[str], paths: Sequence[RepoPath]) -> list[str]:
    cached = ["--cached"] if sides.staged else []
    revs = [side for side in (sides.old, sides.new) if side is not None]
    return ["diff", *cached, *form, *PATCH_OPTIONS, *revs, "--", *(path.text for path in paths)]


async def read_diff(
    repository: Repository,
    sides: Sides,
    *,
    limits: WindowLimits,
    paths: Sequence[RepoPath] = (),
    context_lines: int = DEFAULT_CONTEXT_LINES,
    offset: int = 0,
) -> DiffPage:
    """The page of the diff that begins at byte `offset`, as git prints it by default. Raises GitRefused."""
    config = await _configuration(repository)
    context = f"--unified={context_lines}"
    pager = DiffPager(offset, limits)
    form = ("--raw", "--no-abbrev", "-p", "-z", context)
    await repository.run(_arguments(sides, form, paths), config=config, sink=pager)
    if not any(_is_combined(change, sides) for change in pager.records):
        return pager.finish()
    # Beside --raw git leaves the combined patches of unmerged paths out.
    pager = DiffPager(offset, limits, pager.records)
    await repository.run(_arguments(sides, ("-p", "-z", context), paths), config=config, sink=pager)
    return pager.finish()


async def read_cut_diff(
    repository: Repository, sides: Sides, *, limits: CutLimits, paths: Sequence[RepoPath] = ()
) -> CutDiff:
    """A diff of two commits or of the index as one text, its middle cut where it is too long. Raises GitRefused."""
    stream = DiffStream(limits=limits)
    argv = _arguments(sides, ("--raw", "--no-abbrev", "-p", "-z", f"--unified={DEFAULT_CONTEXT_LINES}"), paths)
    await repository.run(argv, config=await _configuration(repository), sink=stream)
    return stream.finish()


def _is_combined(change: RawChange, sides: Sides) -> bool:
    return change.status is ChangeStatus.UNMERGED and not sides.staged and sides.old is None


async def read_stat(repository: Repository, sides: Sides, *, paths: Sequence[RepoPath] = ()) -> DiffStat:
    """The numbers of the whole diff, file by file. Raises GitRefused."""
    argv = _arguments(sides, ("--raw", "--no-abbrev", "--numstat", "-z"), paths)
    done = await repository.run(argv, config=await _configuration(repository), stdout_bytes=_STAT_BYTES)
    records, counts = _split_stat(done.stdout)
    by_path = {item.path: item for item in counts}
    files = [_join(change, by_path.get(change.path)) for change in records]
    shown = tuple(file for file in files if not _is_untouched(file))
    return DiffStat(shown, hashlib.sha256(done.stdout).hexdigest())


def _split_stat(output: bytes) -> tuple[list[RawChange], list[FileCounts]]:
    """Raw records begin with a colon, counts with a digit or a dash; nothing stands between them."""
    records = RawRecords()
    tokens = output.split(b"\0")
    at = 0
    while at < len(tokens) and tokens[at].startswith(b":"):
        at += 3 if tokens[at].rsplit(b" ", 1)[-1][:1] in (b"R", b"C") else 2
    records.feed(b"".join(token + b"\0" for token in tokens[:at]))
    records.finish()
    return records.changes, parse_numstat(b"\0".join(tokens[at:]))


def _join(change: RawChange, counts: FileCounts | None) -> FileChange:
    counted = counts is not None and change.status is not ChangeStatus.UNMERGED
    additions = counts.additions if counts is not None and counted else None
    deletions = counts.deletions if counts is not None and counted else None
    return FileChange(change, additions, deletions, binary=counted and additions is None, coverage=Coverage.OMITTED)


def _is_untouched(file: FileChange) -> bool:
    """A file whose times changed but not its content: reads do not refresh the index, so git lists it."""
    change = file.change
    return (
        change.status is ChangeStatus.MODIFIED
        and change.old_mode == change.new_mode
        and (file.additions, file.deletions) == (0, 0)
    )
