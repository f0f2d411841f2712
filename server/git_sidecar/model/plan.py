"""What a call above read is about to do: what the gate, the person, the ticket and the snapshot are told."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from git_sidecar.model.refs import RepoPath
from git_sidecar.model.tier import Tier


class Undo(StrEnum):
    """How a call can be reversed."""

    SNAPSHOT = "snapshot"
    REFLOG = "reflog"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class RefChange:
    """A ref that a call moves: full name, object id before and after; None where it does not exist or is not known."""

    name: str
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True)
class Scope:
    """What a call can change, so that it can be kept before.

    `paths` are the work-tree files and directories (untracked ones included) that may be overwritten or deleted;
    None means the whole work tree. HEAD, all refs, the stash list, the index and an operation in progress are always
    kept. `ignored` adds ignored files, which only `clean -x` and `stash --all` touch. `targets` are the object ids of
    commits that may be checked out: git overwrites ignored files that they hold, so those are kept too.
    """

    paths: tuple[RepoPath, ...] | None = ()
    ignored: bool = False
    targets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Effects:
    """What a person is told will happen, in numbers; None where the call has no such effect."""

    files_changed: int | None = None
    lines_lost: int | None = None
    untracked_lost: int | None = None
    commits_pushed: int | None = None
    commits_dropped: int | None = None
    refs: tuple[RefChange, ...] = ()
    remote_url: str | None = None


_EMPTY: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Plan:
    """One call, decided but not yet run.

    `command` is exactly what will run, with "git" first and messages shortened to their place (`-F -`).
    `basis` is what a ticket is bound to (wire contract, section 4): names to hashes or object ids; a later plan with
    another basis is `changed_since_confirmed`. `details` is the tool's own, handed to its `present` and `run`.
    """

    tier: Tier
    command: tuple[str, ...]
    basis: Mapping[str, str] = field(default_factory=lambda: _EMPTY)
    scope: Scope = Scope()
    undo: Undo = Undo.SNAPSHOT
    forced: bool = False
    """A forced push: a person's yes never covers the session."""
    confirm_required: bool = False
    """The arguments must say `confirm: true` (the tiered `git` tool, destructive and network calls)."""
    details: object = None
