"""git_add: stage files, hunks or lines."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from git_sidecar.git.add import NOT_FOUND, add_all, add_paths, sort_paths
from git_sidecar.git.diff import Sides
from git_sidecar.git.index_entries import IndexChange, compare_index, is_covered, read_index_state
from git_sidecar.git.parse.selection import LineRange, Selection
from git_sidecar.git.partial_staging import StagedPart, read_parts, stage_parts
from git_sidecar.git.status import read_status
from git_sidecar.model.plan import Effects, Plan
from git_sidecar.model.refs import RepoPath
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.model.status import Status, Untracked
from git_sidecar.model.tier import Tier
from git_sidecar.tools.basis import digest, read_worktree_digest
from git_sidecar.tools.cards import list_card
from git_sidecar.tools.contract import (
    Card,
    ChangingInput,
    ListItem,
    Preview,
    Tool,
    ToolContext,
    ToolOutput,
)
from git_sidecar.tools.paths import Paths, PathText, contain_path, contain_paths
from git_sidecar.tools.planned import details_of
from git_sidecar.tools.previews import name_list, read_diff_cards
from git_sidecar.tools.printable import clipped, counted, indented, printable_line
from git_sidecar.tools.wire_values import path_fields

_SHOWN = 200


class _Part(BaseModel):
    """A part of an argument: strict, nothing unknown."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, extra="forbid", strict=True, frozen=True, defer_build=True
    )


class LineRangeInput(_Part):
    """Lines of the work-tree side."""

    start: int = Field(ge=1)
    end: int = Field(ge=1)


class PatchInput(_Part):
    """Which part of one file's unstaged change is staged."""

    path: PathText
    hunks: list[int] | None = Field(default=None, description="From 0, as in git_diff.")
    lines: list[LineRangeInput] | None = Field(default=None, description="Of the file on disk.")


class Input(ChangingInput):
    """Arguments of git_add."""

    paths: Paths | None = Field(default=None, description="Files or directories; no globs.")
    all: bool = Field(default=False, description="New files too.")
    patch: list[PatchInput] | None = Field(default=None, min_length=1)


class StagedFile(ToolOutput):
    """A path that this call changed in the index."""

    path: str
    path_bytes: str | None = None
    old_path: str | None = None
    old_path_bytes: str | None = None
    status: str
    submodule: bool | None = None


class SkippedFile(ToolOutput):
    """A path that was not staged: `ignored`, `not_found` or `empty_directory`."""

    path: str
    path_bytes: str | None = None
    reason: str


class Output(ToolOutput):
    """The value of git_add."""

    staged_files: list[StagedFile]
    skipped: list[SkippedFile]
    warnings: list[str] | None = None


@dataclass(frozen=True, slots=True)
class _Staging:
    """What a call stages: all, whole paths, or parts."""

    paths: tuple[RepoPath, ...]
    skipped: tuple[tuple[RepoPath, str], ...]
    parts: tuple[StagedPart, ...]
    changed: tuple[RepoPath, ...]
    """The paths that differ from the index or from HEAD, as far as the call reaches."""


def _refuse(message: str) -> Refusal:
    return Refusal(RefusalCode.INVALID_ARGUMENTS, message)


def _changed_paths(status: Status) -> tuple[RepoPath, ...]:
    listed = [*(entry.path for entry in status.entries), *(item.path for item in status.conflicts), *status.untracked]
    return tuple(sorted(listed, key=lambda path: path.raw))


async def plan(args: Input, ctx: ToolContext) -> Plan | Refusal:
    """Find what would be staged, and what cannot be."""
    if sum((args.paths is not None, args.all, args.patch is not None)) != 1:
        return _refuse("give exactly one of `paths`, `all: true` and `patch`")
    if args.patch is not None:
        return await _plan_parts(args.patch, ctx)
    paths = contain_paths(args.paths, ctx)
    if isinstance(paths, Refusal):
        return paths
    status = await read_status(ctx.repository, untracked=Untracked.ALL, paths=paths)
    sorted_paths = await sort_paths(ctx.repository, paths, status)
    if paths and not sorted_paths.paths:
        return _refuse_all(sorted_paths.skipped)
    changed = _changed_paths(status)
    operands = [path.text for path in sorted_paths.paths]
    return Plan(
        tier=Tier.WRITE,
        command=("git", "add", "--all", *(["--", *operands] if operands else [])),
        basis={"worktree": await read_worktree_digest(ctx.repository, (*changed, *sorted_paths.paths))},
        details=_Staging(sorted_paths.paths, sorted_paths.skipped, (), changed),
    )


def _refuse_all(skipped: Sequence[tuple[RepoPath, str]]) -> Refusal:
    names = ", ".join(f"{path.text!r} ({reason})" for path, reason in skipped)
    if all(reason == NOT_FOUND for _, reason in skipped):
        return Refusal(
            RefusalCode.PATH_NOT_FOUND,
            f"no such file: {names}",
            "Paths are literal and start at workdir or the root; git_status lists what has changed.",
        )
    return Refusal(RefusalCode.NOTHING_TO_DO, f"nothing of this can be staged: {names}")


async def _plan_parts(wanted: Sequence[PatchInput], ctx: ToolContext) -> Plan | Refusal:
    selections: dict[RepoPath, Selection] = {}
    for item in wanted:
        path = contain_path(item.path, ctx)
        if isinstance(path, Refusal):
            return path
        problem = _find_problem(item)
        if problem is not None or path in selections:
            return _refuse(f"`patch` for {path.text!r}: {problem or 'is given twice'}")
        lines = tuple(LineRange(part.start, part.end) for part in item.lines or ())
        selections[path] = Selection(tuple(item.hunks or ()), lines)
    paths = tuple(selections)
    status = await read_status(ctx.repository, untracked=Untracked.ALL, paths=paths)
    sorted_paths = await sort_paths(ctx.repository, paths, status)
    if sorted_paths.skipped:
        return _refuse_all(sorted_paths.skipped)
    parts = await read_parts(ctx.repository, selections, frozenset(status.untracked))
    return Plan(
        tier=Tier.WRITE,
        command=("git", "update-index", "--index-info", "--", *(path.text for path in paths)),
        basis={
            "worktree": await read_worktree_digest(ctx.repository, paths),
            # A hunk's number means something only together with what is in the index.
            "patch": digest(*(word for part in parts for word in (part.path.raw, part.mode, part.content or b""))),
        },
        details=_Staging(paths, (), tuple(parts), paths),
    )


def _find_problem(item: PatchInput) -> str | None:
    if not item.hunks and not item.lines:
        return "give `hunks` or `lines`; a whole file goes by `paths`"
    if any(number < 0 for number in item.hunks or ()):
        return "hunks are numbered from 0"
    if any(part.end < part.start for part in item.lines or ()):
        return "a range of lines ends before it starts"
    return None


async def present(_args: Input, ctx: ToolContext, plan: Plan) -> Preview:
    """Show which files would be staged, and their unstaged changes."""
    staging = details_of(plan, _Staging)
    changed = [path for path in staging.changed if not staging.paths or is_covered(path, staging.paths)]
    what = "Parts of these files" if staging.parts else "These files"
    return Preview(
        title=f"Stage {'parts of ' if staging.parts else ''}{counted(len(changed), 'file')}?",
        message=f"{what} would be staged for the next commit:\n\n{name_list(changed)}",
        effects=Effects(files_changed=len(changed)),
        cards=await read_diff_cards(ctx, Sides(), staging.paths),
    )


async def run(_args: Input, ctx: ToolContext, plan: Plan | None) -> Output:
    """Stage, and compare the index before and after."""
    staging = details_of(plan, _Staging)
    before = await read_index_state(ctx.repository, staging.paths)
    warnings: tuple[str, ...] = ()
    if staging.parts:
        await stage_parts(ctx.repository, staging.parts)
    elif staging.paths:
        warnings = await add_paths(ctx.repository, staging.paths)
    else:
        warnings = await add_all(ctx.repository)
    after = await read_index_state(ctx.repository, staging.paths)
    return Output(
        staged_files=[make_staged_file(change) for change in compare_index(before, after)],
        skipped=[
            SkippedFile.model_validate({**path_fields(path), "reason": reason}) for path, reason in staging.skipped
        ],
        warnings=list(warnings) or None,
    )


def make_staged_file(change: IndexChange) -> StagedFile:
    """A changed index entry in wire form."""
    fields = path_fields(change.path)
    if change.old_path is not None:
        fields |= path_fields(change.old_path, "oldPath")
    if change.submodule:
        fields["submodule"] = True
    return StagedFile.model_validate({**fields, "status": change.status.value})


def render(out: Output) -> str:
    """What was staged, as a model reads it."""
    lines = [f"Staged {counted(len(out.staged_files), 'file')}:"] if out.staged_files else ["Nothing new was staged."]
    lines += indented(clipped([_render_file(file) for file in out.staged_files], _SHOWN, "file"))
    if out.skipped:
        lines.append(f"Skipped ({len(out.skipped)}):")
        lines += indented(clipped([f"{printable_line(item.path)}: {item.reason}" for item in out.skipped], _SHOWN))
    lines += [f"Warning: {printable_line(text)}" for text in out.warnings or ()]
    return "\n".join(lines)


def _render_file(file: StagedFile) -> str:
    text = f"{file.status} {printable_line(file.path)}"
    if file.old_path is not None:
        text += f" (from {printable_line(file.old_path)})"
    return text + (" [link to another repository]" if file.submodule else "")


def cards(out: Output) -> tuple[Card, ...]:
    """The files as a list."""
    items = [
        ListItem(file.path, file.status, f"from {file.old_path}" if file.old_path else None, "staged")
        for file in out.staged_files
    ]
    items += [ListItem(item.path, item.reason, group="skipped") for item in out.skipped]
    return (list_card(items),)


def announce(args: Input) -> str:
    """The line before the call."""
    if args.all:
        return "Staging all changes"
    if args.patch is not None:
        return f"Staging parts of {counted(len(args.patch), 'file')}"
    return f"Staging {counted(len(args.paths or ()), 'path')}"


TOOL = Tool(
    name="git_add",
    title="Stage",
    summary="Stage files, or with `patch` only hunks or lines, so that one file can go into two commits.",
    tier=Tier.WRITE,
    input=Input,
    output=Output,
    run=run,
    render=render,
    cards=cards,
    announce=announce,
    plan=plan,
    present=present,
    idempotent=True,
    icon="add",
)
