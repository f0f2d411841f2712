"""git_status: branch, upstream and what has changed."""

from typing import Literal

from pydantic import Field

from git_sidecar.git.head_state import read_operation
from git_sidecar.git.status import read_status
from git_sidecar.model.changes import ChangeStatus
from git_sidecar.model.plan import Plan
from git_sidecar.model.status import Status, StatusEntry, Untracked
from git_sidecar.model.tier import Tier
from git_sidecar.tools.cards import list_card
from git_sidecar.tools.contract import Card, ListItem, Tool, ToolContext, ToolInput, ToolOutput
from git_sidecar.tools.printable import clipped, counted, indented, printable_line
from git_sidecar.tools.values import ConflictValue, PathValue, make_conflict, path_bytes_of
from git_sidecar.tools.wire_values import path_fields

_SHOWN = 200


class Input(ToolInput):
    """Arguments of git_status."""

    untracked: Literal["normal", "all", "no"] = Field(
        default="normal", description="all: every untracked file, not only its directory."
    )


class EntryValue(ToolOutput):
    """A changed path on one side; `code` is git's XY."""

    path: str
    path_bytes: str | None = None
    old_path: str | None = None
    old_path_bytes: str | None = None
    code: str
    status: str
    submodule: bool | None = None


class Output(ToolOutput):
    """The value of git_status."""

    branch: str | None
    head: str | None
    detached: bool
    upstream: str | None
    ahead: int | None
    behind: int | None
    clean: bool
    operation: str | None
    staged: list[EntryValue]
    unstaged: list[EntryValue]
    untracked: list[str]
    untracked_bytes: list[PathValue] | None = None
    conflicts: list[ConflictValue]
    stashes: int


async def run(args: Input, ctx: ToolContext, _: Plan | None) -> Output:
    """Read the status with one git process."""
    status = await read_status(ctx.repository, untracked=Untracked(args.untracked))
    operation = read_operation(ctx.repository.location)
    return make_output(status, operation.value if operation else None)


def make_output(status: Status, operation: str | None) -> Output:
    """The value for a status."""
    return Output(
        branch=status.head.branch,
        head=status.head.commit,
        detached=status.head.branch is None,
        upstream=status.upstream,
        ahead=status.ahead,
        behind=status.behind,
        clean=status.clean,
        operation=operation,
        staged=[_make_entry(entry, entry.staged) for entry in status.entries if entry.staged],
        unstaged=[_make_entry(entry, entry.unstaged) for entry in status.entries if entry.unstaged],
        untracked=[path.raw.decode("utf-8", "replace") for path in status.untracked],
        untracked_bytes=path_bytes_of(*status.untracked),
        conflicts=[make_conflict(conflict) for conflict in status.conflicts],
        stashes=status.stashes or 0,
    )


def _make_entry(entry: StatusEntry, meaning: ChangeStatus) -> EntryValue:
    fields = path_fields(entry.path)
    # The old path belongs to the side that was renamed; the other side knows only the new name.
    if entry.old_path is not None and meaning in (ChangeStatus.RENAMED, ChangeStatus.COPIED):
        fields |= path_fields(entry.old_path, "oldPath")
    if entry.submodule is not None:
        fields["submodule"] = True
    return EntryValue.model_validate({**fields, "code": entry.code, "status": meaning.value})


def render(out: Output) -> str:
    """The status as a model reads it."""
    lines = [_render_head(out)]
    if out.operation:
        lines.append(f"A {out.operation} is in progress.")
    if out.conflicts:
        lines.append(f"Conflicts ({len(out.conflicts)}):")
        lines += indented(clipped([f"{item.code} {printable_line(item.path)}" for item in out.conflicts], _SHOWN))
    for title, entries in (("Staged", out.staged), ("Not staged", out.unstaged)):
        if entries:
            lines.append(f"{title} ({len(entries)}):")
            lines += indented(clipped([_render_entry(entry) for entry in entries], _SHOWN))
    if out.untracked:
        lines.append(f"Untracked ({len(out.untracked)}):")
        lines += indented(clipped([printable_line(path) for path in out.untracked], _SHOWN))
    if out.clean:
        lines.append("Nothing has changed.")
    if out.stashes:
        lines.append(counted(out.stashes, "stash entry", "stash entries") + ".")
    return "\n".join(lines)


def _render_head(out: Output) -> str:
    where = "Detached HEAD" if out.detached else f"On branch {printable_line(out.branch or '')}"
    text = f"{where} at {out.head}" if out.head else f"{where}, no commit yet"
    if out.upstream is None:
        return f"{text}."
    upstream = printable_line(out.upstream)
    if out.ahead is None or out.behind is None:
        return f"{text}; its upstream {upstream} is gone."
    return f"{text}; {out.ahead} ahead of {upstream}, {out.behind} behind."


def _render_entry(entry: EntryValue) -> str:
    text = f"{entry.status} {printable_line(entry.path)}"
    if entry.old_path is not None:
        text += f" (from {printable_line(entry.old_path)})"
    return text + (" [submodule]" if entry.submodule else "")


def cards(out: Output) -> tuple[Card, ...]:
    """The paths in groups."""
    items = [ListItem(item.path, item.code, group="conflicts") for item in out.conflicts]
    for group, entries in (("staged", out.staged), ("unstaged", out.unstaged)):
        items += [
            ListItem(entry.path, entry.status, f"from {entry.old_path}" if entry.old_path else None, group)
            for entry in entries
        ]
    items += [ListItem(path, group="untracked") for path in out.untracked]
    return (list_card(items),)


TOOL = Tool(
    name="git_status",
    title="Status",
    summary="Branch, upstream, staged, unstaged, untracked and conflicting paths. Use before staging or committing; "
    "for content use git_diff.",
    tier=Tier.READ,
    input=Input,
    output=Output,
    run=run,
    render=render,
    cards=cards,
    announce=lambda _: "Reading the status",
    idempotent=True,
    icon="git-commit",
)
