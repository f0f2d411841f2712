"""git_commit: make a commit of what is staged, of all that changed, or of some files."""

from dataclasses import dataclass

from pydantic import Field

from git_sidecar.git.commit import CommitOptions, find_remote_branch, make_commit, read_new_commit
from git_sidecar.git.diff import Sides
from git_sidecar.git.errors import GitRefused
from git_sidecar.git.head_state import read_head, read_operation
from git_sidecar.git.message_text import make_message
from git_sidecar.git.staged_diff import read_fingerprint
from git_sidecar.git.status import read_status
from git_sidecar.model.fingerprint import Fingerprint
from git_sidecar.model.plan import Effects, Plan, RefChange, Undo
from git_sidecar.model.refs import RepoPath
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.model.status import Status, Untracked
from git_sidecar.model.tier import Tier
from git_sidecar.tools.basis import head_basis, read_worktree_digest
from git_sidecar.tools.cards import list_card, stat_item
from git_sidecar.tools.commit_checks import (
    check_index,
    check_operation,
    find_changed,
    find_half_renames,
    find_missing,
    refuse_nothing,
)
from git_sidecar.tools.contract import Card, ChangingInput, Preview, Text, Tool, ToolContext, ToolOutput
from git_sidecar.tools.git_diff import render_stat
from git_sidecar.tools.paths import Paths, contain_paths
from git_sidecar.tools.planned import details_of
from git_sidecar.tools.previews import name_list, quoted, read_diff_cards, short
from git_sidecar.tools.printable import clipped, counted, indented, printable_line
from git_sidecar.tools.values import FileValue, make_stat

_SHOWN = 200


class Input(ChangingInput):
    """Arguments of git_commit."""

    message: Text = Field(description="Subject or whole message.")
    body: Text | None = None
    amend: bool = Field(default=False, description="Replace the last commit.")
    stage_all: bool = Field(default=False, description="New files too.")
    files: Paths | None = Field(default=None, description="Only these tracked files.")
    expected_index: Text | None = Field(default=None, description="fingerprint.index that must still hold.")


class Output(ToolOutput):
    """The value of git_commit, read back from the commit itself."""

    hash: str
    short_hash: str
    branch: str | None
    subject: str
    files: list[FileValue]
    warnings: list[str] | None = None


@dataclass(frozen=True, slots=True)
class _Commit:
    """What is committed, and how."""

    options: CommitOptions
    message: str
    changed: tuple[RepoPath, ...]
    warnings: tuple[str, ...]
    fingerprint: Fingerprint
    published: str | None
    """The remote-tracking branch that holds the commit which is amended."""


async def plan(args: Input, ctx: ToolContext) -> Plan | Refusal:
    """Find what would be committed, or why nothing can be."""
    message = make_message(args.message, args.body, ctx.settings.attribution.trailer)
    if not make_message(args.message, args.body):
        return Refusal(RefusalCode.INVALID_ARGUMENTS, "the commit message is empty", "Give at least one word.")
    if args.stage_all and args.files is not None:
        return Refusal(RefusalCode.INVALID_ARGUMENTS, "give `stageAll` or `files`, not both")
    files = contain_paths(args.files, ctx)
    if isinstance(files, Refusal):
        return files
    untracked = Untracked.ALL if args.stage_all else Untracked.NO
    status = await read_status(ctx.repository, untracked=untracked)
    refusal = check_operation(
        status, read_operation(ctx.repository.location), partial=args.files is not None, amend=args.amend
    )
    if refusal is not None:
        return refusal
    missing = await find_missing(ctx, files, status)
    if missing is not None:
        return missing
    fingerprint = await read_fingerprint(ctx.repository)
    refusal = check_index(args.expected_index, fingerprint)
    if refusal is not None:
        return refusal
    changed = find_changed(files, status, everything=args.stage_all)
    if not changed and not args.amend and not (ctx.repository.location.git_dir / "MERGE_HEAD").exists():
        return refuse_nothing(status, partial=args.files is not None, everything=args.stage_all)
    return await _make_plan(args, ctx, _Facts(status, fingerprint, files, changed, message))


@dataclass(frozen=True, slots=True)
class _Facts:
    status: Status
    fingerprint: Fingerprint
    files: tuple[RepoPath, ...]
    changed: tuple[RepoPath, ...]
    message: str


async def _make_plan(args: Input, ctx: ToolContext, facts: _Facts) -> Plan:
    head = facts.fingerprint.head
    nested = tuple(path for path in facts.status.untracked if path.text.endswith("/"))
    options = CommitOptions(
        amend=args.amend,
        all=args.stage_all,
        new_files=tuple(path for path in facts.status.untracked if path not in nested),
        files=facts.files,
    )
    published = None
    if args.amend and head.commit is not None:
        published = await find_remote_branch(ctx.repository, head.commit)
    basis = head_basis(head) | {"index": facts.fingerprint.index}
    if args.stage_all or facts.files:
        basis["worktree"] = await read_worktree_digest(ctx.repository, facts.changed)
    warnings = [f"{path.text} holds a repository of its own and is left out" for path in nested]
    warnings += find_half_renames(facts.files, facts.status)
    tail = ("--", *(path.text for path in facts.files)) if facts.files else ()
    return Plan(
        tier=Tier.DESTRUCTIVE if published is not None else Tier.WRITE,
        command=("git", *options.argv(), *tail),
        basis=basis,
        undo=Undo.SNAPSHOT,
        details=_Commit(options, facts.message, facts.changed, tuple(warnings), facts.fingerprint, published),
    )


async def present(args: Input, ctx: ToolContext, plan: Plan) -> Preview:
    """Show the message, the files, and the diff that would be committed."""
    commit = details_of(plan, _Commit)
    head = commit.fingerprint.head
    branch = f"on {quoted(head.branch)}" if head.branch else "on a detached HEAD"
    lines = [f"{'Amends' if args.amend else 'Commits'} {branch} (now at {short(head.commit)}):"]
    lines.append("\n".join(f"> {quoted(line)}" if line else ">" for line in commit.message.rstrip("\n").split("\n")))
    if commit.published is not None:
        lines.append(f"The commit that is replaced is on {quoted(commit.published)}: others may have built on it.")
    if commit.options.new_files:
        lines.append(f"New files that are committed too:\n\n{name_list(commit.options.new_files)}")
    lines.append(name_list(commit.changed))
    lines += [f"Note: {quoted(text)}" for text in commit.warnings]
    everything = args.stage_all or bool(commit.options.files)
    sides = Sides(old=head.commit) if everything and head.commit is not None else Sides(staged=True)
    return Preview(
        title=f"{'Amend the last commit' if args.amend else 'Commit'} with {counted(len(commit.changed), 'file')}?",
        message="\n\n".join(lines),
        effects=Effects(
            files_changed=len(commit.changed),
            commits_dropped=1 if args.amend else None,
            refs=(RefChange(f"refs/heads/{head.branch}" if head.branch else "HEAD", head.commit, None),),
        ),
        cards=await read_diff_cards(ctx, sides, commit.options.files),
    )


async def run(args: Input, ctx: ToolContext, plan: Plan | None) -> Output | Refusal:
    """Commit, and read back what was made."""
    commit = details_of(plan, _Commit)
    refusal = check_index(args.expected_index, await read_fingerprint(ctx.repository))
    if refusal is not None:
        return refusal
    await make_commit(ctx.repository, commit.message, commit.options)
    head = await read_head(ctx.repository)
    if head.commit is None:
        raise GitRefused(Refusal(RefusalCode.COMMAND_FAILED, "git made no commit"))
    made, files = await read_new_commit(ctx.repository, head.commit)
    return Output(
        hash=made.oid,
        short_hash=made.short_oid,
        branch=head.branch,
        subject=made.subject,
        files=[make_stat(file) for file in files],
        warnings=list(commit.warnings) or None,
    )


def render(out: Output) -> str:
    """The commit as a model reads it."""
    where = f"on {printable_line(out.branch)}" if out.branch else "on a detached HEAD"
    lines = [f"Committed {out.hash} {where}: {printable_line(out.subject)}"]
    lines.append(f"{counted(len(out.files), 'file')} changed{':' if out.files else '.'}")
    lines += indented(clipped([render_stat(file) for file in out.files], _SHOWN, "file"))
    lines += [f"Note: {printable_line(text)}" for text in out.warnings or ()]
    return "\n".join(lines)


def cards(out: Output) -> tuple[Card, ...]:
    """The files of the commit as a list."""
    return (list_card([stat_item(file) for file in out.files]),)


TOOL = Tool(
    name="git_commit",
    title="Commit",
    summary="Commit what is staged (or `stageAll`, or only `files`). Hooks run.",
    tier=None,
    input=Input,
    output=Output,
    run=run,
    render=render,
    cards=cards,
    announce=lambda args: "Amending the last commit" if args.amend else "Committing",
    plan=plan,
    present=present,
    icon="git-commit",
)
