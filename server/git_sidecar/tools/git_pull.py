"""git_pull: fetch a branch and join it with the checked-out one."""

from dataclasses import dataclass

from pydantic import Field

from git_sidecar.git.head_state import read_head, read_operation
from git_sidecar.git.status import read_status
from git_sidecar.git.transfer import pull, pull_argv
from git_sidecar.model.plan import Effects, Plan, Scope
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.model.tier import Tier
from git_sidecar.tools.basis import digest, head_basis
from git_sidecar.tools.contract import Card, Preview, Tool, ToolContext
from git_sidecar.tools.previews import quoted
from git_sidecar.tools.transfers import (
    Route,
    TransferInput,
    TransferOutput,
    find_route,
    ref_values,
    render_transfer,
    transfer_cards,
)

_HEADS = "refs/heads/"


class Input(TransferInput):
    """Arguments of git_pull."""

    rebase: bool | None = Field(
        default=None, description="Where both sides moved: true rebases, false merges; default: refuse."
    )


class Output(TransferOutput):
    """The value of git_pull."""

    head: str | None


@dataclass(frozen=True, slots=True)
class _Pull:
    route: Route
    argv: tuple[str, ...]
    head_ref: str


async def plan(args: Input, ctx: ToolContext) -> Plan | Refusal:
    """Find the remote branch that is joined; contacts nobody."""
    head = await read_head(ctx.repository)
    if head.branch is None:
        return Refusal(
            RefusalCode.INVALID_ARGUMENTS, "HEAD is detached: there is no branch to pull into", "Switch to a branch."
        )
    operation = read_operation(ctx.repository.location)
    if operation is not None:
        return Refusal(
            RefusalCode.OPERATION_IN_PROGRESS, f"a {operation.value} is in progress", "Finish or abort it first."
        )
    route = await find_route(args.model_copy(update={"branch": head.branch}), ctx, push=False)
    if isinstance(route, Refusal):
        return route
    options = route.configuration.get(f"branch.{head.branch}.mergeoptions")
    if args.rebase is False and options:
        return Refusal(
            RefusalCode.DENIED_BY_POLICY,
            f"branch.{head.branch}.mergeOptions is {options[-1]!r}, which changes what a merge does",
            "Unset it, or let the person pull by hand.",
        )
    upstream = (route.configuration.get(f"branch.{head.branch}.merge") or ("",))[-1]
    branch = args.branch or upstream.removeprefix(_HEADS) or head.branch
    argv = pull_argv(route.remote, branch, rebase=args.rebase)
    status = await read_status(ctx.repository)
    dirty = digest(*(entry.path.raw for entry in status.entries))
    return Plan(
        tier=Tier.NETWORK,
        command=("git", *argv),
        basis={**head_basis(head), **route.basis(), "dirty": dirty},
        scope=Scope(paths=None),
        details=_Pull(route, argv, _HEADS + head.branch),
    )


def _details(plan: Plan | None) -> _Pull:
    if plan is None or not isinstance(plan.details, _Pull):
        raise TypeError("not a plan of git_pull")
    return plan.details


async def present(args: Input, _ctx: ToolContext, plan: Plan) -> Preview:
    """Say which remote is contacted and how both sides are joined."""
    details = _details(plan)
    how = {
        None: "If both sides have moved, nothing changes.",
        True: "Your own commits are rewritten on top of the remote's.",
        False: "Where both sides have moved, they are merged.",
    }[args.rebase]
    return Preview(
        title=f"Pull from {details.route.remote.name}?",
        message=f"Contacts {quoted(details.route.shown_url)} and updates {quoted(details.head_ref)}. {how}",
        effects=Effects(remote_url=details.route.shown_url),
    )


async def run(_args: Input, ctx: ToolContext, plan: Plan | None) -> Output | Refusal:
    """Pull; git's own percentage goes to the progress."""
    details = _details(plan)
    moved = await pull(
        ctx.repository, details.route.remote, details.argv, ctx.progress.report, head_ref=details.head_ref
    )
    head = await read_head(ctx.repository)
    return Output(
        remote=details.route.remote.name, url=details.route.shown_url, refs=ref_values(moved), head=head.commit
    )


def render(out: Output) -> str:
    """What a model reads."""
    return f"{render_transfer(out, 'Pulled from')}\nHEAD is at {out.head}."


def cards(out: Output) -> tuple[Card, ...]:
    """The refs that moved."""
    return transfer_cards(out)


def announce(args: Input) -> str:
    """One line before the call."""
    return f"Pulling from {args.remote}" if args.remote else "Pulling"


TOOL = Tool(
    name="git_pull",
    title="Pull",
    summary="Fetch a remote branch and fast-forward the current one; say `rebase` where both have moved.",
    tier=Tier.NETWORK,
    input=Input,
    output=Output,
    run=run,
    render=render,
    cards=cards,
    announce=announce,
    plan=plan,
    present=present,
    icon="repo-pull",
)
