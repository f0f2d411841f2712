"""A call of the tiered `git` tool: what was asked, what is known of the repository, what the classifier made of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from git_sidecar.model.tier import Tier

_NO_CONFIG: Mapping[str, tuple[str, ...]] = MappingProxyType({})
_FALSE = frozenset({"false", "no", "off", "0", ""})


@dataclass(frozen=True, slots=True)
class Call:
    """A subcommand and its arguments, as the model wrote them."""

    subcommand: str
    args: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Facts:
    """What classification needs from the repository; None where it was not looked up, which is always the wary reading.

    Names are looked up only for the operands of the call at hand (`operands_of`), so no set need be complete.
    """

    root: str | None = None
    """The work tree's root, absolute; without it every absolute path is outside."""
    prefix: str = ""
    """Git's directory below the root (git-rev-parse(1) --show-prefix), "" at the root."""
    workspace: tuple[str, ...] = ()
    """Absolute directories where a linked worktree may be made: the workspace folders."""
    work_tree_elsewhere: bool = False
    """core.worktree or a `.git` file leads out of the directory that was asked for."""
    remotes: frozenset[str] | None = None
    """Names N with a remote.N.url in the configuration."""
    head_known: bool = False
    """Whether `current_branch` was looked up."""
    current_branch: str | None = None
    """The branch's short name; None when HEAD is detached."""
    protected_branches: tuple[str, ...] = ("main", "master")
    """Short names, or patterns as of fnmatch."""
    config: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _NO_CONFIG)
    """Keys as `git config --list -z` prints them, or in lower case; all values in order; a valueless key is "true"."""
    staged_matches_head: bool | None = None
    """For `rm`: whether the paths' staged content and files are the same as in HEAD."""
    existing_paths: frozenset[str] | None = None
    """Operands that exist as a path of the work tree, spelled as in the call."""
    revisions: frozenset[str] | None = None
    """Operands that resolve as a revision, a range or an object (gitrevisions(7)), spelled as in the call."""
    branches: frozenset[str] | None = None
    """Short names of local branches."""
    tags: frozenset[str] | None = None
    """Short names of tags."""

    def values(self, key: str) -> tuple[str, ...]:
        """All values of a configuration key, in git's order; () where it is not set."""
        found = self.config.get(key)
        return self.config.get(key.lower(), ()) if found is None else found

    def value(self, key: str) -> str | None:
        """The value that wins (the last one), or None."""
        values = self.values(key)
        return values[-1] if values else None

    def is_true(self, key: str, *, default: bool = False) -> bool:
        """A boolean key as git-config(1) reads it; anything that is not a word for false is true."""
        value = self.value(key)
        return default if value is None else value.lower() not in _FALSE


class RefSpec(NamedTuple):
    """One refspec of a push or fetch: full or short ref names; no `src` deletes, no `dst` keeps nothing."""

    src: str | None
    dst: str | None
    forced: bool


@dataclass(frozen=True, slots=True)
class Classified:
    """A call that may pass: its tier, what it does, and the arguments rebuilt from what was read."""

    subcommand: str
    tier: Tier
    action: str
    """What it does: "list", "create", "delete", "push", "forced-push" …"""
    words: tuple[str, ...]
    """The subcommand and its verb, as they go to git: ("stash", "show")."""
    options: tuple[str, ...] = ()
    """The caller's options in full, canonical spelling."""
    forced: tuple[str, ...] = ()
    """Our own options, after the caller's, since the last one wins."""
    forced_untrusted: tuple[str, ...] = ()
    """What an untrusted workspace needs besides."""
    tail: tuple[str, ...] = ()
    """The operands as they go to git, `--` included where the subcommand needs it."""
    revisions: tuple[str, ...] = ()
    """Operands that name revisions, refs or remotes, with the pseudo-revisions (`--all`) among them."""
    paths: tuple[str, ...] = ()
    """Operands that are paths, relative to the directory git runs in; links are still the caller's to resolve."""
    switches: frozenset[str] = frozenset()
    """Canonical names, without dashes, of the options that are on in the end."""
    pathspecs_literal: bool = True
    """Whether git may be given GIT_LITERAL_PATHSPECS=1; False where a path holds a pattern or `:(magic)`."""
    ok_exit_codes: tuple[int, ...] = (0,)
    """Exit codes that are answers and not failures."""
    editor_accept: bool = False
    """Git's editor must take the prepared text (`:`) and not refuse."""
    remote: str | None = None
    refspecs: tuple[RefSpec, ...] = ()
    forced_push: bool = False
    """A push that may overwrite or delete what the remote has."""
    config: tuple[tuple[str, str], ...] = ()
    """Overrides of configuration without which the call could do more than was classified."""

    @property
    def network(self) -> bool:
        """Whether a remote is contacted."""
        return self.tier is Tier.NETWORK

    @property
    def after_dashes(self) -> bool:
        """Whether the paths stand after `--`."""
        return "--" in self.tail

    def argv(self, *, trusted: bool) -> tuple[str, ...]:
        """All arguments after `git`: words, the caller's options, ours last, then the operands."""
        extra = () if trusted else self.forced_untrusted
        forced = (*(option for option in self.forced if option not in extra), *extra)
        options = tuple(option for option in self.options if option not in forced)
        return self.words + options + forced + self.tail
