"""Differences between the work tree, the index and commits, page by page or in numbers (git-diff(1))."""

import hashlib
from collections.abc import Callable, Sequence
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

    @property
    def of_work_tree(self) -> bool:
        """Whether the work tree is compared with the index, where unmerged paths are shown combined."""
        return not self.staged and self.old is None


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
    pager = await _read_pages(
        repository, sides, paths, context_lines, lambda records: DiffPager(offset, limits, records)
    )
    return pager.finish()


async def _read_pages(
    repository: Repository,
    sides: Sides,
    paths: Sequence[RepoPath],
    context_lines: int,
    make_pager: Callable[[Sequence[RawChange] | None], DiffPager],
) -> DiffPager:
    config = await _configuration(repository)
    context = f"--unified={context_lines}"
    pager = make_pager(None)
    form = ("--raw", "--no-abbrev", "-p", "-z", context)
    await repository.run(_arguments(sides, form, paths), config=config, sink=pager)
    if sides.of_work_tree and any(change.status is ChangeStatus.UNMERGED for change in pager.records):
        # Beside --raw git leaves the combined patches of unmerged paths out.
        pager = make_pager(pager.records)
        await repository.run(_arguments(sides, ("-p", "-z", context), paths), config=config, sink=pager)
    return pager


async def read_cut_diff(
    repository: Repository, sides: Sides, *, limits: CutLimits, paths: Sequence[RepoPath] = ()
) -> CutDiff:
    """A diff of two commits or of the index as one text, its middle cut where it is too long. Raises GitRefused."""
    stream = DiffStream(limits=limits)
    argv = _arguments(sides, ("--raw", "--no-abbrev", "-p", "-z", f"--unified={DEFAULT_CONTEXT_LINES}"), paths)
    await repository.run(argv, config=await _configuration(repository), sink=stream)
    return stream.finish()


async def read_stat(repository: Repository, sides: Sides, *, paths: Sequence[RepoPath] = ()) -> DiffStat:
    """The numbers of the whole diff, file by file. Raises GitRefused."""
    if sides.of_work_tree or (sides.old is not None and sides.new is None and not sides.staged):
        # Only the text tells changed content from changed times: git counts a binary file that was but touched.
        limits = WindowLimits(1, 1, 1)
        pager = await _read_pages(repository, sides, paths, 0, lambda records: DiffPager(0, limits, records))
        return pager.finish_stat()
    argv = _arguments(sides, ("--raw", "--no-abbrev", "--numstat", "-z"), paths)
    done = await repository.run(argv, config=await _configuration(repository), stdout_bytes=_STAT_BYTES)
    records, counts = _split_stat(done.stdout)
    by_path = {item.path: item for item in counts}
    files = tuple(_join(change, by_path.get(change.path)) for change in records)
    return DiffStat(files, hashlib.sha256(done.stdout).hexdigest())


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
