"""What a change of a branch would do, and what it would lose; reads only."""

from dataclasses import dataclass

from git_sidecar.git.branch_changes import create_argv, delete_argv, rename_argv, switch_argv
from git_sidecar.git.head_state import read_head
from git_sidecar.git.reachability import count_only_held, is_ancestor
from git_sidecar.git.ref_names import HEADS, REMOTES, find_ref, read_refs
from git_sidecar.git.revisions import resolve_commits
from git_sidecar.model.plan import RefChange
from git_sidecar.model.refs import BranchName, Rev
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.tools.contract import ToolContext
from git_sidecar.tools.printable import counted


@dataclass(frozen=True, slots=True)
class BranchChange:
    """What a call does to a branch: the arguments of git, the refs it moves, the commits that are then unreachable."""

    argv: tuple[str, ...]
    name: BranchName
    refs: tuple[RefChange, ...]
    previous: str | None
    dropped: int = 0


def _refuse(message: str, hint: str | None = None, code: RefusalCode = RefusalCode.INVALID_ARGUMENTS) -> Refusal:
    return Refusal(code, message, hint)


def _refuse_missing(name: BranchName) -> Refusal:
    return _refuse(
        f"there is no branch {name.text!r}",
        "Branches are listed by git_branch; a remote's is made local by create with startPoint.",
        RefusalCode.REF_NOT_FOUND,
    )


async def _resolve_start(ctx: ToolContext, start_point: str | None) -> tuple[str, str]:
    """The commit to start at, and how git is told of it: a remote's branch by name, so that it can be followed."""
    text = start_point or "HEAD"
    full = await find_ref(ctx.repository, text)
    (oid,) = await resolve_commits(ctx.repository, [Rev(full or text)])
    return oid, full if full is not None and full.startswith(REMOTES) else oid


async def plan_create(
    ctx: ToolContext, name: BranchName, start_point: str | None, *, force: bool
) -> BranchChange | Refusal:
    """Make a branch, or with `force` move one. Raises GitRefused."""
    old = (await read_refs(ctx.repository, [name.ref]))[name.ref]
    if old is not None and not force:
        return _refuse(
            f"a branch named {name.text!r} already exists, at {old}",
            "Choose another name, or say force: true to move it.",
            RefusalCode.REF_EXISTS,
        )
    if old is not None and (await read_head(ctx.repository)).branch == name.text:
        return _refuse(f"{name.text!r} is checked out, so it cannot be moved", "Switch to another branch first.")
    oid, start = await _resolve_start(ctx, start_point)
    dropped = 0
    if old is not None and not await is_ancestor(ctx.repository, old, oid):
        dropped = await count_only_held(ctx.repository, old, ref=name.ref, kept=(oid,))
    argv = create_argv(name, start, force=force)
    return BranchChange(argv, name, (RefChange(name.ref, old, oid),), old, dropped)


async def plan_checkout(ctx: ToolContext, name: BranchName, start_point: str | None) -> BranchChange | Refusal:
    """Switch to a branch, which is made at `start_point` where that is given; changed files stay. Raises GitRefused."""
    head = await read_head(ctx.repository)
    old = (await read_refs(ctx.repository, [name.ref]))[name.ref]
    if old is None and start_point is None and head.branch != name.text:
        return _refuse_missing(name)
    if start_point is not None:
        if old is not None:
            return _refuse(
                f"a branch named {name.text!r} already exists",
                "Leave startPoint out to switch to it.",
                RefusalCode.REF_EXISTS,
            )
        oid, start = await _resolve_start(ctx, start_point)
        refs = (RefChange("HEAD", head.commit, oid), RefChange(name.ref, None, oid))
        return BranchChange(switch_argv(name, start), name, refs, head.branch or head.commit)
    return BranchChange(switch_argv(name), name, (RefChange("HEAD", head.commit, old),), head.branch or head.commit)


async def plan_rename(
    ctx: ToolContext, name: BranchName, start_point: str | None, *, force: bool
) -> BranchChange | Refusal:
    """Rename the branch `start_point`, or the current one, to `name`. Raises GitRefused."""
    text = start_point or (await read_head(ctx.repository)).branch
    if text is None:
        return _refuse("HEAD is detached: name the branch to rename by startPoint")
    if not BranchName.accepts(text.removeprefix(HEADS)):
        return _refuse(f"`startPoint` names the branch to rename, which {text!r} does not")
    old = BranchName(text.removeprefix(HEADS))
    tips = await read_refs(ctx.repository, [old.ref, name.ref])
    tip, taken = tips[old.ref], tips[name.ref]
    if tip is None:
        return _refuse_missing(old)
    if taken is not None and not force:
        return _refuse(
            f"a branch named {name.text!r} already exists, at {taken}",
            "Choose another name, or say force: true to lose that one.",
            RefusalCode.REF_EXISTS,
        )
    dropped = await count_only_held(ctx.repository, taken, ref=name.ref) if taken is not None else 0
    refs = (RefChange(old.ref, tip, None), RefChange(name.ref, taken, tip))
    return BranchChange(rename_argv(old, name, force=force), name, refs, old.text, dropped)


async def plan_delete(ctx: ToolContext, name: BranchName, *, force: bool) -> BranchChange | Refusal:
    """Delete a branch; without `force` only if no commit is lost. Raises GitRefused."""
    tip = (await read_refs(ctx.repository, [name.ref]))[name.ref]
    if tip is None:
        return _refuse_missing(name)
    if (await read_head(ctx.repository)).branch == name.text:
        return _refuse(f"{name.text!r} is checked out, so it cannot be deleted", "Switch to another branch first.")
    dropped = await count_only_held(ctx.repository, tip, ref=name.ref)
    if dropped and not force:
        return _refuse(
            f"{name.text!r} is not fully merged: {counted(dropped, 'commit')} would be lost",
            "Merge it first, or say force: true to drop them.",
        )
    # Nothing is lost, but -d would still refuse a branch that HEAD does not contain.
    return BranchChange(delete_argv(name, force=True), name, (RefChange(name.ref, tip, None),), tip, dropped)
