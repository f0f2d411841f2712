"""What a yes to a call of the tiered `git` tool is bound to, and what is kept before it runs (contract, section 4)."""

from git_sidecar.git.head_state import read_head, read_operation
from git_sidecar.git.index_entries import is_covered
from git_sidecar.git.revisions import look_up_names
from git_sidecar.git.status import read_status
from git_sidecar.model.plan import Scope, Undo
from git_sidecar.model.refs import RepoPath
from git_sidecar.model.status import Untracked
from git_sidecar.model.tier import Tier
from git_sidecar.options.call import Classified
from git_sidecar.tools.basis import digest, head_basis, read_index_digest, read_worktree_digest, refs_basis
from git_sidecar.tools.contract import ToolContext
from git_sidecar.tools.paths import contain_paths

# Calls that work on refs alone: nothing but the objects named matters.
_REFS_ONLY = frozenset({"branch", "tag", "notes", "reflog", "remote", "worktree", "bisect"})
_JOINS = frozenset({"merge", "rebase", "revert", "cherry-pick"})
_WHOLE_TREE = frozenset({"switch", "stash", "merge", "rebase", "revert", "cherry-pick", "pull"})
_IGNORED_TOO = frozenset({"x", "X", "all"})


def _literal_paths(call: Classified, ctx: ToolContext) -> tuple[RepoPath, ...] | None:
    """The root-relative paths that a call names; None where it names none, or patterns: then all paths count."""
    if not call.paths or not call.pathspecs_literal:
        return None
    found = contain_paths(call.paths, ctx)
    return found if isinstance(found, tuple) and RepoPath(".") not in found else None


def _touches_ignored(call: Classified) -> bool:
    return call.subcommand in ("clean", "stash") and bool(call.switches & _IGNORED_TOO)


async def affected_paths(call: Classified, ctx: ToolContext) -> tuple[RepoPath, ...]:
    """Every changed or untracked path that the call can touch, as git's status lists them. Raises GitRefused."""
    status = await read_status(ctx.repository, untracked=Untracked.ALL, ignored=_touches_ignored(call))
    named = _literal_paths(call, ctx)
    changed = [entry.path for entry in status.entries] + [conflict.path for conflict in status.conflicts]
    paths = dict.fromkeys((*changed, *status.untracked, *status.ignored))
    if named is not None:
        paths = dict.fromkeys((*named, *(path for path in paths if is_covered(path, named))))
    return tuple(paths)


async def _named_objects(call: Classified, ctx: ToolContext) -> dict[str, str]:
    names = [name for name in call.revisions if name and "\n" not in name and not name.startswith("-")]
    # A branch that is about to be made or deleted is named by its full ref too, which a tag cannot shadow.
    full = [f"refs/{kind}/{name}" for kind in ("heads", "tags") for name in names]
    found = await look_up_names(ctx.repository, [*names, *full])
    return refs_basis({name: item.oid if item else None for name, item in zip([*names, *full], found, strict=True)})


async def read_basis(call: Classified, ctx: ToolContext) -> dict[str, str]:
    """What the call was planned on: object ids of what it names, HEAD, index and work tree where they matter."""
    if ctx.repository.location.bare or call.subcommand in _REFS_ONLY:
        return await _named_objects(call, ctx)
    if call.tier is Tier.NETWORK:
        return {**await _named_objects(call, ctx), **await _network_basis(call, ctx)}
    head = head_basis(await read_head(ctx.repository))
    operation = read_operation(ctx.repository.location)
    paths = await affected_paths(call, ctx)
    basis = {**head, **await _named_objects(call, ctx), "operation": operation.value if operation else ""}
    if call.subcommand in _JOINS:
        return {**basis, "dirty": digest(*(path.raw for path in paths))}
    return {
        **basis,
        "index": await read_index_digest(ctx.repository, _literal_paths(call, ctx) or (RepoPath("."),)),
        "worktree": await read_worktree_digest(ctx.repository, paths),
    }


async def _network_basis(call: Classified, ctx: ToolContext) -> dict[str, str]:
    """Source and tracking ids and the resolved URL, without a word to the remote (git-remote(1), get-url)."""
    remote = call.remote or ""
    names: dict[str, str] = {}
    for spec in call.refspecs:
        branch = (spec.dst or spec.src or "").removeprefix("refs/heads/")
        names[f"source {spec.src}"] = spec.src or ""
        names[f"tracking {branch}"] = f"refs/remotes/{remote}/{branch}"
    found = await look_up_names(ctx.repository, list(names.values())) if names else []
    ids = {key: item.oid if item else "" for key, item in zip(names, found, strict=True)}
    return {**ids, "url": await read_url(call, ctx)}


async def read_url(call: Classified, ctx: ToolContext) -> str:
    """Where the call goes, after insteadOf and pushurl; empty where git names no single remote."""
    if not call.remote:
        return ""
    push = ("--push",) if call.subcommand == "push" else ()
    done = await ctx.repository.run(("remote", "get-url", *push, "--", call.remote), ok=(0, 2, 128))
    return done.stdout.decode("utf-8", "replace").strip()


def scope_of(call: Classified, ctx: ToolContext) -> Scope:
    """What has to be kept before the call; refs, index, HEAD and the stash list always are."""
    if call.subcommand in _REFS_ONLY or call.subcommand in ("push", "fetch"):
        return Scope(paths=())
    if call.subcommand == "reset" and call.action in ("soft", "mixed"):
        return Scope(paths=())
    if call.subcommand in _WHOLE_TREE:
        return Scope(paths=None, ignored=_touches_ignored(call))
    return Scope(paths=_literal_paths(call, ctx), ignored=_touches_ignored(call))


def undo_of(call: Classified) -> Undo:
    """How the call can be reversed: what has reached a remote cannot."""
    return Undo.NONE if call.subcommand == "push" else Undo.SNAPSHOT
