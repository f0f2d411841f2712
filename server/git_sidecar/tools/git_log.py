"""git_log: history, page by page."""

import re
from typing import Annotated, Any, cast

from pydantic import Field

from git_sidecar.git.head_state import read_head
from git_sidecar.git.log import LogQuery, read_log, read_times
from git_sidecar.git.revisions import resolve_commits
from git_sidecar.model.plan import Plan
from git_sidecar.model.refs import RepoPath, Rev
from git_sidecar.model.refusal import Refusal
from git_sidecar.model.tier import Tier
from git_sidecar.tools.cards import commit_item, list_card
from git_sidecar.tools.contract import Card, Text, Tool, ToolContext, ToolInput, ToolOutput
from git_sidecar.tools.cursor import read_cursor, refuse_cursor, write_cursor
from git_sidecar.tools.paths import Paths, contain_paths
from git_sidecar.tools.printable import counted, indented, printable, printable_line
from git_sidecar.tools.revs import RangeText, split_range
from git_sidecar.tools.values import CommitValue, make_commit

_DEFAULT_COUNT = 20
_MOST = 1_000
_START = re.compile(r"[0-9a-f]{40,64}(?:\.{2,3}[0-9a-f]{40,64})?")

Pattern = Annotated[Text, Field(min_length=1)]


class Input(ToolInput):
    """Arguments of git_log."""

    count: int = Field(default=_DEFAULT_COUNT, ge=1, description="Up to 1000 a page.")
    paths: Paths | None = Field(default=None, description="Only commits that changed these.")
    rev: RangeText | None = Field(default=None, description="Revision, a..b or a...b; default HEAD.")
    author: Pattern | None = Field(default=None, description="Regex on name or email.")
    since: Pattern | None = Field(default=None, description="`2024-01-31`, `2 weeks ago`.")
    until: Pattern | None = None
    grep: Pattern | None = Field(default=None, description="Regex on the message.")
    cursor: Text | None = Field(default=None, description="nextCursor; other arguments the same.")


class Output(ToolOutput):
    """The value of git_log.

    `emptied_by` names the filters that left nothing; `moved`: since the first page the revision has come to name
    another commit, while the pages go on from the old one.
    """

    commits: list[CommitValue]
    next_cursor: str | None = None
    emptied_by: list[str] | None = None
    moved: bool | None = None
    truncated: bool
    unborn: bool | None = None


async def _resolve_start(args: Input, ctx: ToolContext) -> str | None:
    """The object ids from which history is read; None before the first commit."""
    if args.rev is None:
        return (await read_head(ctx.repository)).commit
    old, dots, new = split_range(args.rev)
    ends = [Rev(old), Rev(new)] if dots else [Rev(old)]
    return dots.join(await resolve_commits(ctx.repository, ends))


async def _make_query(args: Input, paths: tuple[RepoPath, ...], times: list[Any] | None, ctx: ToolContext) -> LogQuery:
    since_s, until_s = times or await read_times(ctx.repository, args.since, args.until)
    return LogQuery(paths, args.author, args.grep, since_s, until_s)


async def run(args: Input, ctx: ToolContext, _: Plan | None) -> Output | Refusal:
    """Read one page of history."""
    paths = contain_paths(args.paths, ctx)
    if isinstance(paths, Refusal):
        return paths
    place = {} if args.cursor is None else read_cursor(args, args.cursor)
    if isinstance(place, Refusal):
        return place
    now = await _resolve_start(args, ctx)
    pinned, skip, times = place.get("start", now), place.get("skip", 0), place.get("times")
    if pinned is None:
        return Output(commits=[], truncated=False, unborn=True)
    if not _is_place(pinned, skip, times):
        return refuse_cursor("this is no cursor that a call gave")
    query = await _make_query(args, paths, times, ctx)
    count = min(args.count, _MOST)
    page = await read_log(ctx.repository, pinned, query, count=count, skip=skip, limit_bytes=ctx.settings.limits.bytes)
    following = {"start": pinned, "skip": skip + len(page.commits), "times": [query.since_s, query.until_s]}
    return Output(
        commits=[make_commit(commit) for commit in page.commits],
        next_cursor=write_cursor(args, following) if page.more else None,
        emptied_by=None if page.commits or skip else await _find_emptying(query, pinned, ctx),
        moved=True if pinned != now else None,
        truncated=page.more,
    )


def _is_place(start: object, skip: object, times: object) -> bool:
    """Whether a cursor holds what ours hold: it has been in other hands, and goes to git."""
    numbers = cast("list[object]", times) if isinstance(times, list) else [None, None] if times is None else []
    return (
        isinstance(start, str)
        and _START.fullmatch(start) is not None
        and isinstance(skip, int)
        and 0 <= skip < 1 << 31
        and len(numbers) == 2
        and all(number is None or isinstance(number, int) for number in numbers)
    )


async def _find_emptying(query: LogQuery, start: str, ctx: ToolContext) -> list[str]:
    """The filters that alone leave nothing; all that were given where only their combination does."""
    alone = {
        "paths": LogQuery(paths=query.paths) if query.paths else None,
        "author": LogQuery(author=query.author) if query.author is not None else None,
        "grep": LogQuery(grep=query.grep) if query.grep is not None else None,
        "since": LogQuery(since_s=query.since_s) if query.since_s is not None else None,
        "until": LogQuery(until_s=query.until_s) if query.until_s is not None else None,
    }
    given = {name: one for name, one in alone.items() if one is not None}
    if not (await read_log(ctx.repository, start, count=1)).commits:
        return ["rev"]
    guilty = [name for name, one in given.items() if not (await read_log(ctx.repository, start, one, count=1)).commits]
    return guilty or list(given)


def render(out: Output) -> str:
    """The history as a model reads it."""
    if out.unborn:
        return "There is no commit yet."
    lines: list[str] = []
    if out.moved:
        lines.append("The revision has moved since the first page; this goes on from where that began.")
    if not out.commits:
        filters = out.emptied_by or []
        if filters == ["rev"]:
            return "\n".join([*lines, "No commits: the range `rev` holds none."])
        reason = " and ".join(f"`{name}`" for name in filters)
        told = f"No commits: none match {reason}." if reason else "No more commits."
        return "\n".join([*lines, told])
    lines.append(f"{counted(len(out.commits), 'commit')}, newest first:")
    for commit in out.commits:
        lines += render_commit(commit)
    if out.next_cursor:
        lines.append(f"More follow: call again with cursor {out.next_cursor}")
    return "\n".join(lines)


def render_commit(commit: CommitValue) -> list[str]:
    """A commit as lines: what it is, then its message's body, moved in."""
    refs = f" ({printable_line(', '.join(commit.refs))})" if commit.refs else ""
    subject, author = printable_line(commit.subject), printable_line(commit.author)
    body = printable(commit.body or "").split("\n") if commit.body else []
    return [f"{commit.short_hash} {commit.date} {author}: {subject}{refs}", *indented(body, "    ")]


def cards(out: Output) -> tuple[Card, ...]:
    """The commits as a list."""
    return (list_card([commit_item(commit) for commit in out.commits]),)


TOOL = Tool(
    name="git_log",
    title="Log",
    summary="Commit history, newest first, filtered and in pages. For one commit's changes use git_show.",
    tier=Tier.READ,
    input=Input,
    output=Output,
    run=run,
    render=render,
    cards=cards,
    announce=lambda _: "Reading the history",
    needs_work_tree=False,
    idempotent=True,
    icon="history",
)
