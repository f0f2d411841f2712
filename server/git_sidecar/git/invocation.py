"""One call of git, as data: what the spawner is given and what it gives back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Protocol


class Effect(StrEnum):
    """What a call may do; it decides the environment (locks, lazy fetch, protocols)."""

    READ = "read"
    WRITE = "write"
    NETWORK = "network"


class Editor(StrEnum):
    """What git finds when it wants to open an editor.

    ACCEPT takes the prepared text unchanged (continue, merge, revert, cherry-pick); REFUSE makes git give up.
    """

    REFUSE = "false"
    ACCEPT = ":"


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a call may take and how much of its output is kept, in bytes; the tail of stderr is kept."""

    timeout_s: float = 30.0
    stdout_bytes: int = 16 * 1024 * 1024
    stderr_bytes: int = 64 * 1024


_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Invocation:
    """Arguments after `git` (paths as surrogateescaped text), and all that the process is started with."""

    argv: tuple[str, ...]
    effect: Effect = Effect.READ
    editor: Editor = Editor.REFUSE
    stdin: bytes | None = None
    limits: Limits = Limits()
    config: tuple[tuple[str, str], ...] = ()
    """Overrides of configuration, passed by GIT_CONFIG_COUNT; the last of one key wins."""
    environment: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    """Extra variables of our own (GIT_INDEX_FILE of a private index and the like); never the caller's."""


@dataclass(frozen=True, slots=True)
class Completed:
    """A git process that ended by itself: exit code, what was kept of its output, whether stdout was cut."""

    code: int
    stdout: bytes
    stderr: bytes
    truncated: bool = False


class Sink(Protocol):
    """Takes stdout as it comes, so that memory does not grow with it."""

    def feed(self, chunk: bytes, /) -> bool:
        """Take the next bytes; False ends the process early (SIGTERM to its group): enough has been read."""
        ...
