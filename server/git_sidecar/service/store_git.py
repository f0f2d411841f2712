"""The git that the store works with: a Repository behind the store's port."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from git_sidecar.git.errors import GitRefused
from git_sidecar.git.invocation import Completed, Effect
from git_sidecar.git.repository import Repository
from git_sidecar.model.location import Location
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.store.port import NO_VARIABLES, GitFailed

# What git lists of a repository with a million files; more is no repository that can be worked with this way.
_MOST_STDOUT_BYTES = 512 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class StoreGit:
    """Satisfies store.port.Git."""

    repository: Repository

    @property
    def location(self) -> Location:
        """Where the repository lies."""
        return self.repository.location

    async def read(
        self,
        argv: Sequence[str],
        *,
        ok: tuple[int, ...] = (0,),
        stdin: bytes | None = None,
        directory: Path | None = None,
    ) -> bytes:
        """Run a command that changes nothing, here or in the submodule at `directory`; its whole stdout."""
        try:
            done = await self._at(directory).run(argv, ok=ok, stdin=stdin, stdout_bytes=_MOST_STDOUT_BYTES)
        except GitRefused as error:
            raise GitFailed(error.refusal) from error
        if done.truncated:
            raise GitFailed(Refusal(RefusalCode.TOO_LARGE, f"git {argv[0]} lists too much to be kept"))
        return done.stdout

    async def save(self, argv: Sequence[str], target: Path, *, stdin: bytes) -> int:
        """Run a command that changes nothing and stream its stdout to a new file; the file's size in bytes."""
        try:
            with target.open("xb") as file:
                await self.repository.run(argv, stdin=stdin, sink=_FileSink(file))
                return file.tell()
        except GitRefused as error:
            raise GitFailed(error.refusal) from error

    async def change(
        self,
        argv: Sequence[str],
        *,
        stdin: bytes | None = None,
        environment: Mapping[str, str] = NO_VARIABLES,
        directory: Path | None = None,
    ) -> None:
        """Run a command that changes the repository, or the submodule at `directory`."""
        try:
            await self._run_change(self._at(directory), argv, stdin, environment)
        except GitRefused as error:
            raise GitFailed(error.refusal) from error

    def _at(self, directory: Path | None) -> Repository:
        if directory is None:
            return self.repository
        return replace(self.repository, location=replace(self.repository.location, root=directory))

    async def _run_change(
        self, repository: Repository, argv: Sequence[str], stdin: bytes | None, environment: Mapping[str, str]
    ) -> Completed:
        # A monitor of the file system would be asked about an index that is not the repository's.
        config = (("core.fsmonitor", "false"),) if environment else ()
        return await repository.run(argv, effect=Effect.WRITE, stdin=stdin, config=config, environment=environment)


class _FileSink:
    """Takes stdout into a file."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def feed(self, chunk: bytes, /) -> bool:
        """Write the next bytes; all of it is wanted."""
        self._file.write(chunk)
        return True
