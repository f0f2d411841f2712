"""Reads what will be committed: the staged diff against HEAD, or, to amend, against HEAD's first parent."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

from git_sidecar.git.diff_defaults import PATCH_CONFIG, PATCH_OPTIONS, rename_limit
from git_sidecar.git.head_state import read_head, read_operation
from git_sidecar.git.parse.diff_stream import DiffStream
from git_sidecar.git.parse.line_cut import CutLimits
from git_sidecar.git.repository import Repository
from git_sidecar.model.changes import Conflict, FileChange
from git_sidecar.model.diff import CutDiff
from git_sidecar.model.fingerprint import Fingerprint, OperationInProgress
from git_sidecar.model.refs import RepoPath

# The tree without entries, which every git knows (gitglossary(7)), by object format.
_EMPTY_TREES = {
    40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
# Which stages of an unmerged path are there, and git-status(1)'s letters for it.
_CONFLICT_CODES = {
    frozenset("1"): "DD",
    frozenset("2"): "AU",
    frozenset("3"): "UA",
    frozenset("12"): "UD",
    frozenset("13"): "DU",
    frozenset("23"): "AA",
    frozenset("123"): "UU",
}


class ChangeReader:
    """Reads one change, whatever index and base it is made of."""

    def __init__(self, repository: Repository, *, index_file: Path | None) -> None:
        """Read in `repository`; from `index_file` where git gave a hook an index of its own."""
        self._repository = repository
        self._environment: Mapping[str, str] = {"GIT_INDEX_FILE": str(index_file)} if index_file else {}

    async def _stream(self, *argv: str, file_budget: int | None) -> DiffStream:
        git = await self._repository.spawner.executable()
        stream = DiffStream(limits=CutLimits(), file_budget=file_budget)
        await self._repository.run(
            ("diff", "--cached", "--raw", "--no-abbrev", "-z", *PATCH_OPTIONS, *argv),
            config=(*PATCH_CONFIG, rename_limit(git.version)),
            environment=self._environment,
            sink=stream,
        )
        return stream

    async def read_fingerprint(self) -> tuple[Fingerprint, tuple[FileChange, ...]]:
        """Where the repository stands, and what is staged against HEAD, without counts or patches."""
        head = await read_head(self._repository)
        stream = await self._stream(file_budget=None)
        return Fingerprint(head, hashlib.sha256(stream.raw).hexdigest()), stream.finish().files

    def read_operation(self) -> OperationInProgress | None:
        """The operation in progress."""
        return read_operation(self._repository.location)

    async def find_base(self, head: str) -> str:
        """What an amended commit is compared with: HEAD's first parent, or the empty tree where it has none."""
        parent = await self._repository.run(("rev-parse", "--verify", "--quiet", "HEAD^1^{commit}"), ok=(0, 1))
        return parent.stdout.decode("ascii").strip() or _EMPTY_TREES[len(head)]

    async def read_files(self, base: str | None) -> tuple[FileChange, ...]:
        """The files that differ between the index and `base` (None: HEAD), without counts or patches."""
        return (await self._stream(*_of_base(base), file_budget=None)).finish().files

    async def read_diff(self, base: str | None, *, file_budget: int) -> CutDiff:
        """The diff between the index and `base` (None: HEAD), of each file at most `file_budget` characters."""
        return (await self._stream("-p", *_of_base(base), file_budget=file_budget)).finish()

    async def read_conflicts(self) -> tuple[Conflict, ...]:
        """The unmerged paths, with their codes."""
        listed = await self._repository.run(("ls-files", "-u", "-z", "--full-name"), environment=self._environment)
        return parse_unmerged(listed.stdout)


def _of_base(base: str | None) -> tuple[str, ...]:
    return () if base is None else (base,)


def parse_unmerged(output: bytes) -> tuple[Conflict, ...]:
    """The conflicts in what `git ls-files -u -z` prints: `mode SP oid SP stage TAB path NUL` (git-ls-files(1))."""
    stages: dict[bytes, set[str]] = {}
    for record in output.split(b"\0"):
        meta, tab, path = record.partition(b"\t")
        if tab:
            stages.setdefault(path, set()).add(meta.rsplit(b" ", 1)[1].decode("ascii"))
    return tuple(
        Conflict(RepoPath.from_bytes(path), _CONFLICT_CODES.get(frozenset(found), "UU"))
        for path, found in stages.items()
    )
