"""git_blame: who wrote each line of a file."""

from pydantic import Field

from git_sidecar.git.blame import read_blame
from git_sidecar.git.revisions import resolve_commits
from git_sidecar.model.plan import Plan
from git_sidecar.model.refs import Rev
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.model.tier import Tier
from git_sidecar.tools.cards import read_card
from git_sidecar.tools.contract import Card, Tool, ToolContext, ToolInput, ToolOutput
from git_sidecar.tools.limits import window_limits
from git_sidecar.tools.paths import PathText, contain_path
from git_sidecar.tools.printable import printable_line
from git_sidecar.tools.revs import RevText
from git_sidecar.tools.values import BlamedLineValue, make_blamed_line
from git_sidecar.tools.wire_values import path_fields

_SHORT = 8
_DAY = len("2024-01-31")


class Input(ToolInput):
    """Arguments of git_blame."""

    path: PathText
    start_line: int = Field(default=1, ge=1, description="From 1.")
    end_line: int | None = Field(default=None, ge=1, description="Inclusive.")
    rev: RevText | None = Field(default=None, description="As it was there; default: the work tree.")


class Output(ToolOutput):
    """The value of git_blame. `next_line`: where a further call goes on, since a limit was reached."""

    path: str
    path_bytes: str | None = None
    rev: str | None = None
    lines: list[BlamedLineValue]
    total_lines: int
    next_line: int | None = None
    truncated: bool


async def run(args: Input, ctx: ToolContext, _: Plan | None) -> Output | Refusal:
    """Read who wrote the lines."""
    if args.end_line is not None and args.end_line < args.start_line:
        return Refusal(RefusalCode.INVALID_ARGUMENTS, "`endLine` lies before `startLine`")
    path = contain_path(args.path, ctx)
    if isinstance(path, Refusal):
        return path
    if args.rev is None and ctx.repository.location.bare:
        return Refusal(RefusalCode.BARE_REPOSITORY, "this repository has no work tree; give `rev`")
    commit = (await resolve_commits(ctx.repository, [Rev(args.rev)]))[0] if args.rev is not None else None
    limits = window_limits(ctx.settings.limits)
    blame = await read_blame(
        ctx.repository,
        path,
        commit=commit,
        start_line=args.start_line,
        end_line=args.end_line,
        limit_lines=limits.lines,
        limit_bytes=limits.bytes,
    )
    fields = path_fields(path)
    return Output(
        path=fields["path"],
        path_bytes=fields.get("pathBytes"),
        rev=commit,
        lines=[make_blamed_line(line, path) for line in blame.lines],
        total_lines=blame.total_lines,
        next_line=args.start_line + len(blame.lines) if blame.cut else None,
        truncated=blame.cut,
    )


def render(out: Output) -> str:
    """The lines as a model reads them: commit, day, author, number, text."""
    name = printable_line(out.path)
    if not out.lines:
        return f"{name} is empty."
    rows = [f"{name}, lines {out.lines[0].number} to {out.lines[-1].number} of {out.total_lines}:"]
    for line in out.lines:
        day = line.date[:_DAY]
        who = "not committed" if line.commit is None else f"{line.commit[:_SHORT]} {day} {printable_line(line.author)}"
        rows.append(f"{who} | {line.number} | {printable_line(line.text)}")
    if out.next_line is not None:
        rows.append(f"More follows: call again with startLine {out.next_line}")
    return "\n".join(rows)


def cards(out: Output) -> tuple[Card, ...]:
    """The lines of the file."""
    first = out.lines[0].number if out.lines else 1
    return (read_card(out.path, first, [line.text for line in out.lines], out.total_lines),)


TOOL = Tool(
    name="git_blame",
    title="Blame",
    summary="Which commit and author last changed each line of a file, uncommitted lines marked.",
    tier=Tier.READ,
    input=Input,
    output=Output,
    run=run,
    render=render,
    cards=cards,
    announce=lambda args: f"Reading who wrote {args.path}",
    needs_work_tree=False,
    idempotent=True,
    icon="person",
)
