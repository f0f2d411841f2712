"""git_merge: merge a branch or commit, or conclude or give up a merge."""

from pydantic import Field

from git_sidecar.git.commit import CommitOptions, make_commit
from git_sidecar.git.head_state import read_head
from git_sidecar.git.merge import abort_merge, continue_merge, merge_commit, read_merge_message
from git_sidecar.git.message_text import make_message
from git_sidecar.model.plan import Effects, Plan, RefChange, Scope
from git_sidecar.model.refs import RepoPath
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.model.tier import Tier
from git_sidecar.tools.cards import list_card
from git_sidecar.tools.contract import Card, ChangingInput, ListItem, Preview, Text, Tool, ToolContext, ToolOutput
from git_sidecar.tools.merge_plan import Merging, plan_end, plan_merge
from git_sidecar.tools.planned import details_of
from git_sidecar.tools.previews import name_list, quoted, read_diff_cards, short
from git_sidecar.tools.printable import counted, printable_line
from git_sidecar.tools.revs import RevText


class Input(ChangingInput):
    """Arguments of git_merge."""

    rev: RevText | None = Field(default=None, description="Branch, tag or commit.")
    abort: bool = Field(default=False, description="Give the merge up.")
    continue_: bool = Field(default=False, alias="continue", description="Once conflicts are staged.")
    no_ff: bool = Field(default=False, alias="noFF", description="No fast-forward.")
    message: Text | None = None


class Output(ToolOutput):
    """The value of git_merge: HEAD after and before, and what happened.

    `result` is `upToDate`, `fastForward`, `merged` or `aborted`.
    """

    head: str | None
    previous: str | None
    result: str
    warnings: list[str] | None = None


async def plan(args: Input, ctx: ToolContext) -> Plan | Refusal:
    """Find what would come in, or what giving up would lose."""
    if sum((args.rev is not None, args.abort, args.continue_)) != 1:
        return Refusal(RefusalCode.INVALID_ARGUMENTS, "give exactly one of `rev`, `abort: true` and `continue: true`")
    message = make_message(args.message) if args.message is not None else None
    if message == "" or (message is not None and args.abort):
        problem = "`abort` takes no message" if args.abort else "the message is empty"
        return Refusal(RefusalCode.INVALID_ARGUMENTS, problem)
    if args.rev is not None:
        merging = await plan_merge(ctx.repository, args.rev, message, no_ff=args.no_ff)
    else:
        merging = await plan_end(ctx.repository, abort=args.abort)
    if isinstance(merging, Refusal):
        return merging
    argv = merging.argv
    if args.continue_ and message is not None:
        argv = CommitOptions().argv()
    target = merging.target.oid if merging.target is not None else ""
    return Plan(
        tier=Tier.READ if merging.up_to_date else Tier.DESTRUCTIVE,
        command=("git", *argv),
        basis=merging.basis(),
        scope=Scope(None, targets=(target,) if target else ()),
        details=merging,
    )


async def present(args: Input, ctx: ToolContext, plan: Plan) -> Preview:
    """Show what comes in, from where to where, and the diff of it."""
    merging = details_of(plan, Merging)
    branch = quoted(merging.head.branch) if merging.head.branch else "the detached HEAD"
    files: list[RepoPath] = [file.change.path for file in merging.files]
    lines: list[str] = []
    new = None
    if args.rev is not None:
        title = f"Merge {quoted(args.rev)} into {branch}?"
        target = merging.target.oid if merging.target is not None else None
        how = "fast-forward" if merging.fast_forward else "a merge commit"
        new = target if merging.fast_forward else None
        lines.append(f"{counted(merging.commits, 'commit')} up to {short(target)} come in, by {how}:")
    elif args.abort:
        title = f"Give up the merge into {branch}?"
        lines.append("Files go back to where the merge began; resolutions of conflicts are lost:")
    else:
        title = f"Conclude the merge into {branch}?"
        files = [entry.path for entry in merging.status.staged]
    lines.append(name_list(files))
    if merging.lines_lost:
        lines.append(f"**{counted(merging.lines_lost, 'line')} that neither side has would be lost.**")
    ref = f"refs/heads/{merging.head.branch}" if merging.head.branch else "HEAD"
    return Preview(
        title=title,
        message="\n\n".join(lines),
        effects=Effects(
            files_changed=len(files),
            lines_lost=merging.lines_lost if args.abort else None,
            refs=() if args.abort else (RefChange(ref, merging.head.commit, new),),
        ),
        cards=await read_diff_cards(ctx, merging.sides) if merging.sides is not None else (),
    )


async def run(args: Input, ctx: ToolContext, plan: Plan | None) -> Output:
    """Merge, conclude, or give up."""
    merging = details_of(plan, Merging)
    previous = merging.head.commit
    if merging.up_to_date:
        return Output(head=previous, previous=previous, result="upToDate")
    warnings: tuple[str, ...] = ()
    if merging.target is not None and args.rev is not None:
        message = merging.message or "Fast-forward\n"
        if merging.message is None and not merging.fast_forward:
            message = await read_merge_message(ctx.repository, merging.target)
        warnings = await merge_commit(ctx.repository, merging.argv, message, merging.head)
    elif args.abort:
        await abort_merge(ctx.repository)
    elif args.message is not None:
        await make_commit(ctx.repository, make_message(args.message), CommitOptions())
    else:
        await continue_merge(ctx.repository)
    head = (await read_head(ctx.repository)).commit
    target = merging.target.oid if merging.target is not None else None
    result = "aborted" if args.abort else "fastForward" if args.rev is not None and head == target else "merged"
    return Output(head=head, previous=previous, result=result, warnings=list(warnings) or None)


def render(out: Output) -> str:
    """What happened, as a model reads it."""
    said = {
        "upToDate": f"Already up to date at {out.head}.",
        "fastForward": f"Fast-forwarded from {out.previous or 'no commit'} to {out.head}.",
        "merged": f"Merged: HEAD went from {out.previous} to the merge commit {out.head}.",
        "aborted": f"The merge was given up; HEAD is at {out.head}.",
    }
    return "\n".join([said[out.result], *(f"Warning: {printable_line(text)}" for text in out.warnings or ())])


def cards(out: Output) -> tuple[Card, ...]:
    """The outcome as one row."""
    return (list_card([ListItem(out.result, out.head, out.previous)]),)


def announce(args: Input) -> str:
    """The line before the call."""
    if args.rev is not None:
        return f"Merging {printable_line(args.rev)}"
    return "Giving up the merge" if args.abort else "Concluding the merge"


TOOL = Tool(
    name="git_merge",
    title="Merge",
    summary="Merge into the current branch. On conflicts: resolve, git_add, then `continue`; or `abort`.",
    tier=Tier.DESTRUCTIVE,
    input=Input,
    output=Output,
    run=run,
    render=render,
    cards=cards,
    announce=announce,
    plan=plan,
    present=present,
    icon="git-merge",
)
