"""What the store needs of git, as a port: the service joins it to the git floor, which the store may not import."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from git_sidecar.model.location import Location
from git_sidecar.model.refusal import Refusal

NO_VARIABLES: Mapping[str, str] = MappingProxyType({})


class GitFailed(Exception):
    """A git process of the store's failed; the refusal says how."""

    def __init__(self, refusal: Refusal) -> None:
        """Keep what the git floor made of the failure."""
        super().__init__(refusal.message)
        self.refusal = refusal


class Git(Protocol):
    """Runs git in one repository. Every method raises GitFailed for an exit status that is not in `ok`."""

    @property
    def location(self) -> Location:
        """Where the repository lies."""
        ...

    async def read(
        self,
        argv: Sequence[str],
        *,
        ok: tuple[int, ...] = (0,),
        stdin: bytes | None = None,
        directory: Path | None = None,
    ) -> bytes:
        """Run a command that changes nothing; its whole stdout (GitFailed where that is too large).

        With `directory` it runs in the submodule whose root that is.
        """
        ...

    async def save(self, argv: Sequence[str], target: Path, *, stdin: bytes) -> int:
        """Run a command that changes nothing and stream its stdout to a new file; the file's size in bytes."""
        ...

    async def change(
        self,
        argv: Sequence[str],
        *,
        stdin: bytes | None = None,
        environment: Mapping[str, str] = NO_VARIABLES,
        directory: Path | None = None,
    ) -> None:
        """Run a command that changes the repository, or (with `directory`) the submodule whose root that is."""
        ...
