"""The tiered `git` tool's git: what its classifier needs to know of a repository, and the run of what it passed."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from git_sidecar.git.configuration import read_configuration, remote_names
from git_sidecar.git.head_state import read_head
from git_sidecar.git.invocation import Completed, Editor, Effect
from git_sidecar.git.repository import Repository
from git_sidecar.git.revisions import look_up_names
from git_sidecar.model.tier import Tier
from git_sidecar.options.call import Call, Classified, Facts
from git_sidecar.options.classify import operands_of

# What is looked up only where the classifier reads it: each costs a process.
_READS_CONFIG = frozenset({"push", "pull", "fetch", "merge", "clean", "rebase", "stash", "remote"})
_READS_NAMES = frozenset({"branch", "tag", "switch", "checkout", "push", "pull", "fetch", "merge", "rebase", "stash"})
_HEADS, _TAGS = "refs/heads/", "refs/tags/"


async def read_facts(
    repository: Repository,
    call: Call,
    *,
    directory: str,
    allowed_roots: Sequence[Path],
    protected_branches: tuple[str, ...],
) -> Facts:
    """Everything that classifying this call needs; reads only. Raises GitRefused."""
    head = await read_head(repository)
    root = repository.location.root
    known = Facts(
        root=str(root),
        prefix=f"{directory}/" if directory else "",
        workspace=tuple(str(path) for path in allowed_roots),
        head_known=True,
        current_branch=head.branch,
        protected_branches=protected_branches,
    )
    config = await read_configuration(repository) if call.subcommand in _READS_CONFIG else None
    branches, tags = await _read_names(repository) if call.subcommand in _READS_NAMES else (None, None)
    operands = operands_of(call, known)
    return Facts(
        root=known.root,
        prefix=known.prefix,
        workspace=known.workspace,
        head_known=True,
        current_branch=head.branch,
        protected_branches=protected_branches,
        remotes=remote_names(config) if config is not None else None,
        config=config or {},
        branches=branches,
        tags=tags,
        existing_paths=frozenset(name for name in operands if _exists(root / directory, name)),
        revisions=await _find_revisions(repository, operands),
        staged_matches_head=await _staged_matches_head(repository, call, operands, directory),
    )


def _exists(base: Path, name: str) -> bool:
    return "\0" not in name and os.path.lexists(base / name)


async def _read_names(repository: Repository) -> tuple[frozenset[str], frozenset[str]]:
    done = await repository.run(("for-each-ref", "--format=%(refname)", _HEADS, _TAGS))
    names = done.stdout.decode("utf-8", "surrogateescape").split("\n")
    return (
        frozenset(name.removeprefix(_HEADS) for name in names if name.startswith(_HEADS)),
        frozenset(name.removeprefix(_TAGS) for name in names if name.startswith(_TAGS)),
    )


def _ends_of(operand: str) -> tuple[str, ...]:
    """The revisions in an operand: both ends of a range (HEAD where one is left out), the one behind `^`."""
    for dots in ("...", ".."):
        left, separator, right = operand.partition(dots)
        if separator:
            return (left or "HEAD", right or "HEAD")
    return (operand.removeprefix("^"),)


async def _find_revisions(repository: Repository, operands: Iterable[str]) -> frozenset[str]:
    """Those of the operands that name objects."""
    asked = {name: _ends_of(name) for name in operands if name and "\n" not in name and not name.startswith("-")}
    if not asked:
        return frozenset()
    ends = list(dict.fromkeys(end for group in asked.values() for end in group))
    named = dict(zip(ends, await look_up_names(repository, ends), strict=True))
    return frozenset(name for name, group in asked.items() if all(named[end] is not None for end in group))


async def _staged_matches_head(
    repository: Repository, call: Call, operands: Sequence[str], directory: str
) -> bool | None:
    """For `rm`: whether neither the index nor the work tree of the paths holds anything that HEAD does not."""
    if call.subcommand != "rm" or (await read_head(repository)).commit is None:
        return None
    same = True
    for cached in ((), ("--cached",)):
        argv = ("diff", *cached, "--quiet", "--no-ext-diff", "--no-textconv", "HEAD", "--", *operands)
        same = same and (await repository.run(argv, ok=(0, 1), directory=directory)).code == 0
    return same


_EFFECTS = {Tier.READ: Effect.READ, Tier.NETWORK: Effect.NETWORK}


async def run_classified(repository: Repository, call: Classified, *, directory: str, stdout_bytes: int) -> Completed:
    """Run what the classifier rebuilt. Raises GitRefused for a failure; exit codes that are answers are none."""
    writes = call.tier is not Tier.READ
    # check-ignore takes paths and no pathspecs, and refuses to run under the variable.
    literal = call.pathspecs_literal and not writes and call.subcommand != "check-ignore"
    return await repository.run(
        call.argv(trusted=repository.trusted),
        effect=_EFFECTS.get(call.tier, Effect.WRITE),
        editor=Editor.ACCEPT if call.editor_accept else Editor.REFUSE,
        ok=call.ok_exit_codes,
        config=call.config,
        # A write's hooks inherit the environment; what they match with must stay theirs to choose.
        environment={"GIT_LITERAL_PATHSPECS": "1" if literal else "0"},
        stdout_bytes=stdout_bytes,
        directory=directory,
    )
