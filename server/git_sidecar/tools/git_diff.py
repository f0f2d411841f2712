"""git_diff: differences between work tree, index and commits, page by page."""

from pydantic import Field

from git_sidecar.git.diff import DEFAULT_CONTEXT_LINES, Sides, read_diff, read_stat
from git_sidecar.git.revisions import read_merge_base, resolve_objects
from git_sidecar.model.plan import Plan
from git_sidecar.model.refs import Rev
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.model.tier import Tier
from git_sidecar.tools.cards import describe_counts, diff_card, list_card, stat_item
from git_sidecar.tools.contract import Card, Text, Tool, ToolContext, ToolInput, ToolOutput
from git_sidecar.tools.cursor import read_cursor, refuse_cursor, write_cursor
from git_sidecar.tools.limits import window_limits
from git_sidecar.tools.paths import Paths, contain_paths
from git_sidecar.tools.printable import counted, indented, printable, printable_line
from git_sidecar.tools.revs import RangeText, RevText, split_range
from git_sidecar.tools.values import FileValue, make_file, make_stat

_MOVED = "what is compared has changed since the first page"
_MOST_CONTEXT_LINES = 1_000


class Input(ToolInput):
    """Arguments of git_diff."""

    staged: bool = Field(default=False, description="Index against HEAD (or `from`).")
    stat: bool = Field(default=False, description="Numbers instead of text.")
    paths: Paths | None = Field(default=None, description="Files or directories.")
    from_: RangeText | None = Field(default=None, alias="from", description="Revision, or a..b, a...b.")
    to: RevText | None = Field(default=None, description="Revision; default the work tree.")
    context_lines: int = Field(default=DEFAULT_CONTEXT_LINES, ge=0, le=_MOST_CONTEXT_LINES)
    cursor: Text | None = Field(default=None, description="nextCursor; other arguments the same.")


class Output(ToolOutput):
    """The value of git_diff: `diff` and `files`, or `stat`."""

    diff: str | None = None
    files: list[FileValue] | None = None
    stat: list[FileValue] | None = None
    total_files: int
    context_lines: int | None = None
    next_cursor: str | None = None
    truncated: bool
    warnings: list[str] | None = None


def _refuse(message: str) -> Refusal:
    return Refusal(RefusalCode.INVALID_ARGUMENTS, message)


async def _resolve_sides(args: Input, ctx: ToolContext) -> Sides | Refusal:
    if args.from_ is None:
        return _refuse("`to` needs `from`") if args.to is not None else Sides(staged=args.staged)
    old, dots, new = split_range(args.from_)
    if dots and args.to is not None:
        return _refuse("`from` is a range already, so `to` cannot be given too")
    if (dots or args.to is not None) and args.staged:
        return _refuse("`staged` compares the index, so only one revision can be given, as `from`")
    newer = args.to or (new if dots else None)
    wanted = [Rev(text) for text in (old, newer) if text is not None]
    named = await resolve_objects(ctx.repository, wanted)
    for rev, item in zip(wanted, named, strict=True):
        if item.kind == "blob" or (dots and item.kind != "commit"):
            return Refusal(RefusalCode.REF_NOT_FOUND, f"{rev.text!r} names a {item.kind}, not a commit")
    oids = [item.oid for item in named]
    if dots == "...":
        oids[0] = await read_merge_base(ctx.repository, oids[0], oids[1])
    return Sides(args.staged, *oids)


async def run(args: Input, ctx: ToolContext, _: Plan | None) -> Output | Refusal:
    """Read one page of the diff, or of its numbers."""
    place = {"sides": None, "offset": 0, "fingerprint": None} if args.cursor is None else read_cursor(args, args.cursor)
    if isinstance(place, Refusal):
        return place
    paths = contain_paths(args.paths, ctx)
    if isinstance(paths, Refusal):
        return paths
    sides = await _resolve_sides(args, ctx)
    if isinstance(sides, Refusal):
        return sides
    offset, fingerprint = place.get("offset"), place.get("fingerprint")
    if not isinstance(offset, int) or offset < 0 or (args.cursor is not None and not isinstance(fingerprint, str)):
        return refuse_cursor("this is no cursor that a call gave")
    if args.stat:
        limit = window_limits(ctx.settings.limits).lines
        stat = await read_stat(ctx.repository, sides, paths=paths)
        if fingerprint not in (None, stat.fingerprint):
            return refuse_cursor(_MOVED)
        after = offset + limit if offset + limit < len(stat.files) else None
        return Output(
            stat=[make_stat(file) for file in stat.files[offset : offset + limit]],
            total_files=len(stat.files),
            next_cursor=_write_next(args, after, stat.fingerprint),
            truncated=after is not None,
        )
    page = await read_diff(
        ctx.repository,
        sides,
        limits=window_limits(ctx.settings.limits),
        paths=paths,
        context_lines=args.context_lines,
        offset=offset,
    )
    if fingerprint not in (None, page.fingerprint):
        return refuse_cursor(_MOVED)
    files = [make_file(file) for file in page.files]
    return Output(
        diff=page.text,
        files=files,
        total_files=page.total_files,
        context_lines=None if args.context_lines == DEFAULT_CONTEXT_LINES else args.context_lines,
        next_cursor=_write_next(args, page.next_offset, page.fingerprint),
        truncated=page.next_offset is not None or any(file.coverage == "partial" for file in files),
        warnings=list(page.warnings) or None,
    )


def _write_next(args: Input, offset: int | None, fingerprint: str) -> str | None:
    return None if offset is None else write_cursor(args, {"offset": offset, "fingerprint": fingerprint})


def render(out: Output) -> str:
    """The diff as a model reads it: a line of numbers, then the text."""
    if out.stat is not None:
        lines = [f"{counted(out.total_files, 'file')} changed."] if out.stat else ["No differences."]
        lines += indented(render_stat(item) for item in out.stat)
        return "\n".join([*lines, *_render_next(out)])
    if not out.diff and not out.files:
        return "No differences."
    shown = out.files or []
    head = f"{counted(out.total_files, 'file')} changed"
    head += "." if len(shown) == out.total_files else f"; {len(shown)} of them on this page."
    partial = [f"{printable_line(file.path)}: only a part is on this page" for file in shown if file.reason == "limit"]
    partial += [f"{printable_line(file.path)}: long lines are cut" for file in shown if file.reason == "lineLength"]
    return "\n".join([head, *indented(partial), *_render_next(out), "", printable(out.diff or "")])


def _render_next(out: Output) -> list[str]:
    return [f"More follows: call again with cursor {out.next_cursor}"] if out.next_cursor else []


def render_stat(item: FileValue) -> str:
    """One file's numbers on a line."""
    text = f"{item.status} {printable_line(item.path)}"
    if item.old_path is not None:
        text += f" (from {printable_line(item.old_path)})"
    counts = describe_counts(item)
    return f"{text} {counts}" if counts else text


def cards(out: Output) -> tuple[Card, ...]:
    """The patches file by file, or the numbers as a list."""
    if out.stat is not None:
        return (list_card([stat_item(item) for item in out.stat]),)
    context_lines = DEFAULT_CONTEXT_LINES if out.context_lines is None else out.context_lines
    return (diff_card(out.diff or "", out.files or [], context_lines),)


TOOL = Tool(
    name="git_diff",
    title="Diff",
    summary="Unstaged changes as a diff; with `staged` what a commit would hold, with `from`/`to` between revisions. "
    "Untracked files are not in it. Long diffs come in pages.",
    tier=Tier.READ,
    input=Input,
    output=Output,
    run=run,
    render=render,
    cards=cards,
    announce=lambda args: "Reading the staged diff" if args.staged else "Reading the diff",
    idempotent=True,
    icon="diff",
)
