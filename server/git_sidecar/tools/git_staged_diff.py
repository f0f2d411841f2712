"""git_staged_diff: what a commit would hold, as git/stagedDiff gives it."""

import time
from typing import Any

from git_sidecar.git.staged_diff import read_staged_diff
from git_sidecar.model.plan import Plan
from git_sidecar.model.tier import Tier
from git_sidecar.tools.cards import diff_card
from git_sidecar.tools.contract import Card, Tool, ToolContext, ToolInput, ToolOutput
from git_sidecar.tools.git_diff import render_stat
from git_sidecar.tools.limits import cut_limits
from git_sidecar.tools.printable import clipped, counted, indented, printable, printable_line
from git_sidecar.tools.values import FileValue
from git_sidecar.tools.wire_values import diff_fields, repository_identity

_SHOWN = 300


class Input(ToolInput):
    """Arguments of git_staged_diff."""


class RepositoryValue(ToolOutput):
    """Which repository answered."""

    label: str
    root: str
    root_uri: str


class FingerprintValue(ToolOutput):
    """Where the repository stood."""

    head: str | None
    branch: str | None
    index: str


class Output(ToolOutput):
    """The value of git_staged_diff (wire contract, section 3)."""

    repository: RepositoryValue
    diff: str
    files: list[FileValue]
    fingerprint: FingerprintValue
    operation: str | None
    truncated: bool
    omitted_lines: int
    omitted_bytes: int
    canceled: bool
    duration_ms: int
    warnings: list[str]


def _identify(ctx: ToolContext) -> dict[str, Any]:
    if ctx.known is not None:
        return repository_identity(ctx.known)
    root = ctx.repository.location.root
    return {"label": root.name, "root": str(root), "rootUri": root.as_uri()}


async def run(_args: Input, ctx: ToolContext, _plan: Plan | None) -> Output:
    """Read the staged diff."""
    started = time.monotonic()
    staged = await read_staged_diff(ctx.repository, cut_limits(ctx.settings.limits))
    fields = diff_fields(staged, duration_ms=round((time.monotonic() - started) * 1_000))
    return Output.model_validate({"repository": _identify(ctx), **fields})


def render(out: Output) -> str:
    """The diff as a model reads it: what is staged, what was cut, then the text."""
    if not out.files:
        return f"Nothing is staged in {printable_line(out.repository.label)}."
    lines = [f"{counted(len(out.files), 'staged file')}:"]
    lines += indented(clipped([render_stat(file) for file in out.files], _SHOWN, "file"))
    if out.operation:
        lines.append(f"A {out.operation} is in progress.")
    if out.truncated:
        lines.append(f"The diff is cut: {counted(out.omitted_lines, 'line')} are left out; git_diff pages through it.")
    return "\n".join([*lines, "", printable(out.diff)])


def cards(out: Output) -> tuple[Card, ...]:
    """The patches file by file."""
    return (diff_card(out.diff, out.files),)


TOOL = Tool(
    name="git_staged_diff",
    title="Staged diff",
    summary="All that is staged as one diff, cut if very long, and a fingerprint of it. Use to write a commit message.",
    tier=Tier.READ,
    input=Input,
    output=Output,
    run=run,
    render=render,
    cards=cards,
    announce=lambda _: "Reading the staged diff",
    idempotent=True,
    icon="diff",
)
