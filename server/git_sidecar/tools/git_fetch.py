"""git_fetch: get what a configured remote has, into its tracking refs."""

from dataclasses import dataclass

from pydantic import Field

from git_sidecar.git.transfer import fetch, fetch_argv
from git_sidecar.model.plan import Effects, Plan, Scope
from git_sidecar.model.refusal import Refusal
from git_sidecar.model.tier import Tier
from git_sidecar.tools.contract import Card, Preview, Text, Tool, ToolContext
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


class Input(TransferInput):
    """Arguments of git_fetch."""

    branch: Text | None = Field(default=None, description="Only this branch; default: all.")
    prune: bool = Field(default=False, description="Drop tracking refs that the remote has deleted.")


class Output(TransferOutput):
    """The value of git_fetch."""


@dataclass(frozen=True, slots=True)
class _Fetch:
    route: Route
    argv: tuple[str, ...]


async def plan(args: Input, ctx: ToolContext) -> Plan | Refusal:
    """Find the remote and spell its refspecs out; contacts nobody."""
    route = await find_route(args, ctx, push=False)
    if isinstance(route, Refusal):
        return route
    argv = fetch_argv(route.remote, args.branch, prune=args.prune)
    return Plan(
        tier=Tier.NETWORK,
        command=("git", *argv),
        basis={"url": route.remote.url, "tracking": route.tracking or ""},
        scope=Scope(paths=()),
        details=_Fetch(route, argv),
    )


def _details(plan: Plan | None) -> _Fetch:
    if plan is None or not isinstance(plan.details, _Fetch):
        raise TypeError("not a plan of git_fetch")
    return plan.details


async def present(args: Input, _ctx: ToolContext, plan: Plan) -> Preview:
    """Say which remote is contacted and what may move here."""
    route = _details(plan).route
    what = f"the branch {quoted(args.branch)}" if args.branch else "all branches"
    pruning = " Tracking refs of branches that it has deleted are dropped." if args.prune else ""
    return Preview(
        title=f"Fetch from {route.remote.name}?",
        message=f"Contacts {quoted(route.shown_url)} for {what}. Only tracking refs move, no file changes.{pruning}",
        effects=Effects(remote_url=route.shown_url),
    )


async def run(_args: Input, ctx: ToolContext, plan: Plan | None) -> Output | Refusal:
    """Fetch; git's own percentage goes to the progress."""
    details = _details(plan)
    moved = await fetch(ctx.repository, details.route.remote, details.argv, ctx.progress.report)
    return Output(remote=details.route.remote.name, url=details.route.shown_url, refs=ref_values(moved))


def render(out: Output) -> str:
    """What a model reads."""
    return render_transfer(out, "Fetched from")


def cards(out: Output) -> tuple[Card, ...]:
    """The refs that moved."""
    return transfer_cards(out)


def announce(args: Input) -> str:
    """One line before the call."""
    return f"Fetching from {args.remote}" if args.remote else "Fetching"


TOOL = Tool(
    name="git_fetch",
    title="Fetch",
    summary="Get commits of a configured remote into tracking refs. No file or local branch changes; see git_pull.",
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
    idempotent=True,
    icon="cloud-download",
)
