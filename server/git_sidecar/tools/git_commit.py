"""git_commit: make a commit of what is staged, of all that changed, or of some files."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field

from git_sidecar.git.commit import CommitOptions, find_remote_branch, make_commit, read_new_commit
from git_sidecar.git.diff import Sides
from git_sidecar.git.errors import GitRefused
from git_sidecar.git.head_state import read_head, read_operation
from git_sidecar.git.index_entries import is_covered, read_tracked
from git_sidecar.git.message_text import make_message
from git_sidecar.git.staged_diff import read_fingerprint
from git_sidecar.git.status import read_status
from git_sidecar.model.changes import ChangeStatus
from git_sidecar.model.fingerprint import Fingerprint, OperationInProgress
from git_sidecar.model.plan import Effects, Plan, RefChange, Undo
from git_sidecar.model.refs import RepoPath
from git_sidecar.model.refusal import Refusal, RefusalCode, Retry
from git_sidecar.model.status import Status, Untracked
from git_sidecar.model.tier import Tier
from git_sidecar.tools.basis import head_basis, read_worktree_digest
from git_sidecar.tools.cards import list_card, stat_item
from git_sidecar.tools.contract import Card, ChangingInput, Preview, Text, Tool, ToolContext, ToolOutput
from git_sidecar.tools.git_diff import render_stat
from git_sidecar.tools.paths import Paths, contain_paths
from git_sidecar.tools.planned import details_of
from git_sidecar.tools.previews import name_list, quoted, read_diff_cards, short
from git_sidecar.tools.printable import clipped, counted, indented, printable_line
from git_sidecar.tools.values import FileValue, make_stat

_SHOWN = 200
_CONCLUDED_BY_COMMIT = (OperationInProgress.MERGE, OperationInProgress.CHERRY_PICK)


class Input(ChangingInput):
    """Arguments of git_commit."""

    message: Text = Field(description="Subject, or the whole message.")
    body: Text | None = Field(default=None, description="Follows the subject after an empty line.")
    amend: bool = Field(default=False, description="Replace the last commit; author and date stay.")
    stage_all: bool = Field(default=False, description="Everything that changed, new files too.")
    files: Paths | None = Field(default=None, description="Only these tracked files, staged or not.")
    expected_index: Text | None = Field(default=None, description="Refuse unless fingerprint.index is this.")


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


def _refuse(code: RefusalCode, message: str, hint: str | None = None, retry: Retry | None = None) -> Refusal:
    return Refusal(code, message, hint, retry)


async def plan(args: Input, ctx: ToolContext) -> Plan | Refusal:
    """Find what would be committed, or why nothing can be."""
    message = make_message(args.message, args.body, ctx.settings.attribution.trailer)
    if not make_message(args.message, args.body):
        return _refuse(RefusalCode.INVALID_ARGUMENTS, "the commit message is empty", "Give at least one word.")
    if args.stage_all and args.files is not None:
        return _refuse(RefusalCode.INVALID_ARGUMENTS, "give `stageAll` or `files`, not both")
    files = contain_paths(args.files, ctx)
    if isinstance(files, Refusal):
        return files
    untracked = Untracked.ALL if args.stage_all else Untracked.NO
    status = await read_status(ctx.repository, untracked=untracked)
    refusal = _check_operation(args, status, read_operation(ctx.repository.location))
    if refusal is not None:
        return refusal
    missing = await _find_missing(ctx, files, status)
    if missing is not None:
        return missing
    fingerprint = await read_fingerprint(ctx.repository)
    refusal = check_index(args.expected_index, fingerprint)
    if refusal is not None:
        return refusal
    changed = _find_changed(args, files, status)
    if not changed and not args.amend and not (ctx.repository.location.git_dir / "MERGE_HEAD").exists():
        return _refuse_nothing(args, status)
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
    warnings += _find_half_renames(facts.files, facts.status)
    tail = ("--", *(path.text for path in facts.files)) if facts.files else ()
    return Plan(
        tier=Tier.DESTRUCTIVE if published is not None else Tier.WRITE,
        command=("git", *options.argv(), *tail),
        basis=basis,
        undo=Undo.SNAPSHOT,
        details=_Commit(options, facts.message, facts.changed, tuple(warnings), facts.fingerprint, published),
    )


def _check_operation(args: Input, status: Status, operation: OperationInProgress | None) -> Refusal | None:
    if status.conflicts:
        return Refusal(
            RefusalCode.CONFLICT,
            f"{counted(len(status.conflicts), 'file')} with conflicts: committing is not possible",
            "Resolve them and stage the files, or abort the operation.",
            conflicts=status.conflicts,
        )
    if args.files is not None and operation in _CONCLUDED_BY_COMMIT:
        return _refuse(
            RefusalCode.OPERATION_IN_PROGRESS,
            f"cannot do a partial commit during a {'merge' if operation == 'merge' else 'cherry-pick'}",
            "Commit without `files`: the whole index belongs to it.",
            Retry.FIX_ARGUMENTS,
        )
    if args.amend and operation is not None and operation in _CONCLUDED_BY_COMMIT:
        return _refuse(
            RefusalCode.OPERATION_IN_PROGRESS,
            f"a {operation.value} is in progress: there is no amending until it is concluded",
            "Commit without `amend`, or abort the operation.",
            Retry.FIX_ARGUMENTS,
        )
    if args.amend and status.head.commit is None:
        return _refuse(
            RefusalCode.NOTHING_TO_DO,
            "You have nothing to amend: there is no commit yet",
            "Commit without `amend`.",
            Retry.FIX_ARGUMENTS,
        )
    return None


async def _find_missing(ctx: ToolContext, files: Sequence[RepoPath], status: Status) -> Refusal | None:
    """The refusal of files that git does not know, as `git commit -- <files>` would refuse them."""
    if not files:
        return None
    known = [*await read_tracked(ctx.repository, files), *(entry.path for entry in status.entries)]
    missing = [path.text for path in files if not any(is_covered(item, (path,)) for item in known)]
    if not missing:
        return None
    names = ", ".join(repr(name) for name in missing)
    return _refuse(
        RefusalCode.PATH_NOT_FOUND,
        f"git knows no such file: {names}",
        "A new file must be staged with git_add first.",
    )


def check_index(expected: str | None, fingerprint: Fingerprint) -> Refusal | None:
    """The refusal of a call that was made for another index than the one that stands now."""
    if expected is None or expected == fingerprint.index:
        return None
    return _refuse(
        RefusalCode.INDEX_MISMATCH,
        f"what is staged is {fingerprint.index}, not {expected!r}",
        "Look at git_staged_diff again before you commit.",
    )


def _find_changed(args: Input, files: Sequence[RepoPath], status: Status) -> tuple[RepoPath, ...]:
    """The paths that the commit would take from the index or from the work tree."""
    entries = [entry for entry in status.entries if args.stage_all or files or entry.staged is not None]
    found = {path for entry in entries for path in (entry.path, entry.old_path) if path is not None}
    found.update(path for path in status.untracked if not path.text.endswith("/"))
    wanted = [path for path in found if not files or is_covered(path, files)]
    return tuple(sorted(wanted, key=lambda path: path.raw))


def _find_half_renames(files: Sequence[RepoPath], status: Status) -> list[str]:
    """What is left staged when only one side of a rename is named."""
    warnings: list[str] = []
    for entry in status.entries:
        if not files or entry.old_path is None or entry.staged is not ChangeStatus.RENAMED:
            continue
        new, old = is_covered(entry.path, files), is_covered(entry.old_path, files)
        if new and not old:
            warnings.append(f"{entry.path.text} is committed as added; {entry.old_path.text} stays staged as deleted")
        elif old and not new:
            warnings.append(f"{entry.old_path.text} is committed as deleted; {entry.path.text} stays staged as added")
    return warnings


def _refuse_nothing(args: Input, status: Status) -> Refusal:
    if args.files is not None or args.stage_all:
        where = "in these files" if args.files is not None else "in the work tree"
        return _refuse(RefusalCode.NOTHING_TO_COMMIT, f"nothing has changed {where}, so there is nothing to commit")
    waiting = counted(len(status.unstaged), "file") + " with unstaged changes" if status.unstaged else ""
    return _refuse(
        RefusalCode.NOTHING_TO_COMMIT,
        f"nothing is staged, so there is nothing to commit{f' ({waiting})' if waiting else ''}",
        "Stage changes with git_add first.",
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
        raise GitRefused(_refuse(RefusalCode.COMMAND_FAILED, "git made no commit"))
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
    summary="Commit what is staged (or `stageAll`, or only `files`). Hooks run. With expectedIndex exactly what was "
    "reviewed is committed.",
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
