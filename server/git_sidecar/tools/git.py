"""git: one tiered, gated tool for all that has no typed one (wire contract, section 5; the third seed's tool)."""

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import Field

from git_sidecar.git.redact import redact
from git_sidecar.git.tiered import read_facts, run_classified
from git_sidecar.model.plan import Plan
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.model.tier import Tier
from git_sidecar.options.call import Call, Classified
from git_sidecar.options.classify import classify
from git_sidecar.tools import git_add, git_commit
from git_sidecar.tools.contract import (
    AnyTool,
    Card,
    ChangingInput,
    ListCard,
    ListItem,
    Place,
    Preview,
    Text,
    Tool,
    ToolContext,
    ToolOutput,
)
from git_sidecar.tools.paths import PathText, contain_path
from git_sidecar.tools.printable import printable
from git_sidecar.tools.tiered_basis import read_basis, scope_of, undo_of
from git_sidecar.tools.tiered_preview import present_call
from git_sidecar.workspace.candidates import shown

_TYPED = ("add", "commit")
_SHOWN_LINES = 400


class Input(ChangingInput):
    """Arguments of git; names as in the third seed."""

    subcommand: Text = Field(description="status, diff, log, switch, reset, push …; others are refused with the list.")
    args: list[Text] = Field(default=[], description="Flags and operands, one each: no shell. Not for add and commit.")
    repo: Text | None = Field(default=None, description="Any file or directory in the repository, in place of workdir.")
    files: list[PathText] | None = Field(default=None, description="add: what to stage. commit: only these files.")
    message: Text | None = Field(default=None, description="commit: the message.")
    expected_head: Text | None = Field(
        default=None, alias="expected_head", description="Refuse unless HEAD is at this revision."
    )

    def place(self) -> Place:
        """`repo` is a workdir that may be a file."""
        return Place(self.repository, self.repo or self.workdir, allow_file=True)


class Output(ToolOutput):
    """What git printed, both streams apart."""

    stdout: str
    stderr: str
    exit_code: int
    tier: str
    command: list[str]
    truncated: bool | None = None
    warnings: list[str] | None = None


@dataclass(frozen=True, slots=True)
class Typed:
    """A call of `add` or `commit`, carried out by the typed tool."""

    tool: AnyTool
    args: Any
    plan: Plan


async def plan(args: Input, ctx: ToolContext) -> Plan | Refusal:
    """Classify the call by its arguments and by what the repository is like; reads only."""
    if args.repo is not None and args.workdir is not None:
        return Refusal(RefusalCode.INVALID_ARGUMENTS, "git: `repo` and `workdir` name the same thing; give one")
    if args.subcommand in _TYPED:
        return await _plan_typed(args, ctx)
    call = Call(args.subcommand, tuple(args.args))
    facts = await read_facts(
        ctx.repository,
        call,
        directory=ctx.directory,
        allowed_roots=ctx.allowed_roots,
        protected_branches=ctx.settings.protected_branches,
    )
    found = classify(call, facts)
    if isinstance(found, Refusal):
        return found
    if ctx.repository.location.bare and found.paths:
        return Refusal(RefusalCode.BARE_REPOSITORY, "a bare repository has no paths to name")
    for path in found.paths:
        refusal = _contain(path, found, ctx)
        if refusal is not None:
            return refusal
    command = ("git", *found.argv(trusted=ctx.repository.trusted))
    if found.tier is Tier.READ:
        return Plan(Tier.READ, command, details=found)
    return Plan(
        tier=found.tier,
        command=command,
        basis=await read_basis(found, ctx),
        scope=scope_of(found, ctx),
        undo=undo_of(found),
        forced=found.forced_push,
        confirm_required=found.tier in (Tier.DESTRUCTIVE, Tier.NETWORK),
        details=found,
    )


def _contain(path: str, call: Classified, ctx: ToolContext) -> Refusal | None:
    """Hold a path to the repository with its links resolved; a new worktree to the workspace."""
    if call.subcommand == "worktree":
        place = Path(os.path.realpath(ctx.repository.location.root / ctx.directory / path))
        roots = [Path(os.path.realpath(root)) for root in ctx.allowed_roots]
        if any(place == root or root in place.parents for root in roots):
            return None
        return Refusal(RefusalCode.OUTSIDE_WORKSPACE, f"{shown(path)} lies outside the workspace")
    if path.startswith(":"):
        # Pathspec magic reaches the whole work tree and never beyond (gitglossary(7)); the classifier read it.
        return None
    found = contain_path(path, ctx)
    return found if isinstance(found, Refusal) else None


async def _plan_typed(args: Input, ctx: ToolContext) -> Plan | Refusal:
    common: dict[str, Any] = {"confirm": args.confirm, "expected_head": args.expected_head}
    files = list(args.files or ())
    tool: AnyTool
    if args.subcommand == "add":
        if not files:
            return Refusal(
                RefusalCode.NOTHING_TO_DO,
                "git add: `files` names nothing, and never means everything",
                "Name the files in `files`, or use git_add with all: true.",
            )
        tool, inner = git_add.TOOL, git_add.Input(paths=files, **common)
    else:
        if args.message is None:
            return Refusal(RefusalCode.INVALID_ARGUMENTS, "git commit: `message` is missing")
        tool, inner = git_commit.TOOL, git_commit.Input(message=args.message, files=files or None, **common)
    if tool.plan is None:
        raise AssertionError("add and commit are planned")
    planned = await tool.plan(inner, ctx)
    if isinstance(planned, Refusal):
        return planned
    return replace(planned, details=Typed(tool, inner, planned))


async def present(_args: Input, ctx: ToolContext, plan: Plan) -> Preview:
    """What the person is asked: the exact command and what it costs."""
    if isinstance(plan.details, Typed) and plan.details.tool.present is not None:
        return await plan.details.tool.present(plan.details.args, ctx, plan.details.plan)
    if not isinstance(plan.details, Classified):
        raise TypeError("not a plan of this tool")
    return await present_call(plan.details, plan, ctx)


async def run(args: Input, ctx: ToolContext, plan: Plan | None) -> Output | Refusal:
    """Run what was classified; git gets the arguments that were rebuilt, never the caller's."""
    if plan is None:
        raise TypeError("this tool is always planned")
    warnings = _ignored(args, plan.tier)
    if isinstance(plan.details, Typed):
        typed = plan.details
        output = await typed.tool.run(typed.args, ctx, typed.plan)
        if isinstance(output, Refusal):
            return output
        text = typed.tool.render(output)
        return Output(
            stdout=f"{text}\n", stderr="", exit_code=0, tier=plan.tier.value, command=list(plan.command),
            warnings=warnings or None,
        )  # fmt: skip
    if not isinstance(plan.details, Classified):
        raise TypeError("not a plan of this tool")
    done = await run_classified(
        ctx.repository, plan.details, directory=ctx.directory, stdout_bytes=ctx.settings.limits.bytes
    )
    stdout = done.stdout.decode("utf-8", "replace")
    if plan.details.subcommand == "remote":
        stdout = redact(stdout)
    return Output(
        stdout=stdout,
        stderr=done.stderr.decode("utf-8", "replace"),
        exit_code=done.code,
        tier=plan.tier.value,
        command=list(plan.command),
        truncated=True if done.truncated else None,
        warnings=warnings or None,
    )


def _ignored(args: Input, tier: Tier) -> list[str]:
    """What the seed says is ignored, told so that a typo is not taken for obeyed."""
    typed = args.subcommand in _TYPED
    unused = (
        ("args", bool(args.args) and typed),
        ("files", args.files is not None and not typed),
        ("message", args.message is not None and args.subcommand != "commit"),
        ("expected_head", args.expected_head is not None and tier is Tier.READ),
    )
    return [f"`{name}` is ignored by git {args.subcommand}." for name, is_unused in unused if is_unused]


def render(out: Output) -> str:
    """Both streams, the exit code where it says something."""
    parts = [printable(out.stdout.removesuffix("\n"))] if out.stdout else []
    if out.truncated:
        parts.append("[the rest of the output was cut]")
    if out.stderr.strip():
        parts.append("stderr:\n" + printable(out.stderr.removesuffix("\n")))
    if out.exit_code:
        parts.append(f"exit code {out.exit_code}")
    parts += [f"note: {warning}" for warning in out.warnings or ()]
    return "\n".join(parts) or "Done; git printed nothing."


def cards(out: Output) -> tuple[Card, ...]:
    """The lines that git printed."""
    lines = [line for line in out.stdout.split("\n") if line][:_SHOWN_LINES]
    return (ListCard(tuple(ListItem(printable(line)) for line in lines)),)


def announce(args: Input) -> str:
    """One line before the call."""
    return f"Running git {args.subcommand}"


TOOL = Tool(
    name="git",
    title="Git",
    summary=(
        "Run a git subcommand that has no tool of its own. Reads run; writes, destructive (confirm: true) and network "
        "(confirm: true) calls need the policy and the person. Prefer the typed tools."
    ),
    tier=None,
    input=Input,
    output=Output,
    run=run,
    render=render,
    cards=cards,
    announce=announce,
    plan=plan,
    present=present,
    needs_work_tree=False,
    icon="terminal",
)
