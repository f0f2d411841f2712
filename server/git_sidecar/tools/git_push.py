"""git_push: send one branch to a configured remote, forced only onto the very commit that was shown."""

from dataclasses import dataclass
from fnmatch import fnmatchcase

from pydantic import Field

from git_sidecar.git.transfer import Push, push_argv, push_branch
from git_sidecar.model.plan import Effects, Plan, RefChange, Scope, Undo
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.model.tier import Tier
from git_sidecar.tools.contract import Card, Preview, Tool, ToolContext
from git_sidecar.tools.previews import quoted, short
from git_sidecar.tools.printable import counted
from git_sidecar.tools.transfers import (
    RefValue,
    Route,
    TransferInput,
    TransferOutput,
    count_commits,
    find_route,
    render_transfer,
    transfer_cards,
)

_HEADS = "refs/heads/"


class Input(TransferInput):
    """Arguments of git_push."""

    set_upstream: bool = Field(default=False, description="Track the remote branch from now on.")
    force_with_lease: bool = Field(
        default=False, description="Overwrite the remote branch if it is still where it was last fetched."
    )
    tags: bool = Field(default=False, description="Send all tags too.")


class Output(TransferOutput):
    """The value of git_push."""


@dataclass(frozen=True, slots=True)
class _Push:
    route: Route
    push: Push


async def plan(args: Input, ctx: ToolContext) -> Plan | Refusal:
    """Find what is sent where; contacts nobody."""
    route = await find_route(args, ctx, push=True)
    if isinstance(route, Refusal):
        return route
    if route.local is None:
        return Refusal(
            RefusalCode.REF_NOT_FOUND,
            f"there is no local branch {route.branch!r} with a commit to push",
            "git_branch lists the branches.",
        )
    # Case is folded: on a remote whose disk does not tell case apart, `Main` is `main`.
    names = (route.branch, route.branch.lower())
    protected = any(fnmatchcase(name, pattern) for pattern in ctx.settings.protected_branches for name in names)
    if args.force_with_lease and protected:
        return Refusal(
            RefusalCode.PROTECTED_BRANCH,
            f"{route.branch} is protected (gitSidecar.protectedBranches): it is never force-pushed",
            "Push without force, or to another branch.",
            setting="protectedBranches",
        )
    push = Push(
        route.remote,
        _HEADS + route.branch,
        _HEADS + route.branch,
        expected=route.tracking,
        forced=args.force_with_lease,
        set_upstream=args.set_upstream,
        tags=args.tags,
    )
    return Plan(
        tier=Tier.NETWORK,
        command=("git", *push_argv(push)),
        basis=route.basis(),
        scope=Scope(paths=()),
        undo=Undo.NONE,
        forced=args.force_with_lease,
        details=_Push(route, push),
    )


def _details(plan: Plan | None) -> _Push:
    if plan is None or not isinstance(plan.details, _Push):
        raise TypeError("not a plan of git_push")
    return plan.details


async def present(_args: Input, ctx: ToolContext, plan: Plan) -> Preview:
    """Say which commits go where, and which of the remote's are overwritten."""
    details = _details(plan)
    route, source = details.route, details.route.local or ""
    if route.tracking is None:
        pushed = await count_commits(ctx.repository, source, "--not", f"--remotes={route.remote.name}")
        overwritten = 0
    else:
        pushed = await count_commits(ctx.repository, f"{route.tracking}..{source}")
        overwritten = await count_commits(ctx.repository, f"{source}..{route.tracking}")
    lines = [
        (
            f"Sends {counted(pushed, 'commit')} of {quoted(route.branch)} to {quoted(route.shown_url)}, "
            f"from {short(route.tracking)} to {short(source)}."
        ),
    ]
    if details.push.forced:
        lines.append(
            f"**Forced: {counted(overwritten, 'commit')} of the remote would be dropped**, and only if the branch is "
            f"still at {short(route.tracking)} there."
        )
    if details.push.tags:
        lines.append("All tags are sent too.")
    lines.append("A push cannot be undone from here.")
    return Preview(
        title=f"{'Force-push' if details.push.forced else 'Push'} {route.branch} to {route.remote.name}?",
        message="\n\n".join(lines),
        effects=Effects(
            commits_pushed=pushed,
            commits_dropped=overwritten if details.push.forced else None,
            refs=(RefChange(details.push.dst, route.tracking, source),),
            remote_url=route.shown_url,
        ),
    )


async def run(_args: Input, ctx: ToolContext, plan: Plan | None) -> Output | Refusal:
    """Push; git's own percentage goes to the progress."""
    details = _details(plan)
    route = details.route
    pushed = await push_branch(ctx.repository, details.push, ctx.progress.report)
    refs = [
        RefValue(
            name=ref.dst,
            old=route.tracking if ref.dst == details.push.dst else None,
            new=route.local if ref.dst == details.push.dst else None,
            result=ref.result,
        )
        for ref in pushed
    ]
    return Output(remote=route.remote.name, url=route.shown_url, refs=refs)


def render(out: Output) -> str:
    """What a model reads."""
    return render_transfer(out, "Pushed to")


def cards(out: Output) -> tuple[Card, ...]:
    """The refs that moved."""
    return transfer_cards(out)


def announce(args: Input) -> str:
    """One line before the call."""
    what = f"Pushing {args.branch}" if args.branch else "Pushing"
    return f"{what} to {args.remote}" if args.remote else what


TOOL = Tool(
    name="git_push",
    title="Push",
    summary="Send a branch to a configured remote. Cannot be undone; protected branches are never forced.",
    tier=Tier.NETWORK,
    input=Input,
    output=Output,
    run=run,
    render=render,
    cards=cards,
    announce=announce,
    plan=plan,
    present=present,
    needs_work_tree=False,
    icon="repo-push",
)
