"""git_restore: discard changes of files, or unstage them."""

from pydantic import Field

from git_sidecar.git.head_state import read_head
from git_sidecar.git.index_entries import parse_index_listing, read_index_listing
from git_sidecar.git.ref_names import find_ref
from git_sidecar.git.restore import Restoring, restore_paths
from git_sidecar.git.revisions import resolve_objects
from git_sidecar.model.plan import Effects, Plan, Scope
from git_sidecar.model.refs import RepoPath, Rev
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.model.tier import Tier
from git_sidecar.tools.basis import head_basis, read_index_digest, read_worktree_digest, read_worktree_digests
from git_sidecar.tools.cards import list_card
from git_sidecar.tools.contract import Card, ChangingInput, ListItem, Preview, Tool, ToolContext, ToolOutput
from git_sidecar.tools.paths import Paths, contain_paths
from git_sidecar.tools.planned import details_of
from git_sidecar.tools.previews import name_list, read_diff_cards
from git_sidecar.tools.printable import clipped, counted, indented, printable_line
from git_sidecar.tools.restore_plan import Restoration, plan_restoration
from git_sidecar.tools.revs import RevText
from git_sidecar.tools.values import PathValue, path_bytes_of

_SHOWN = 200


class Input(ChangingInput):
    """Arguments of git_restore."""

    paths: Paths = Field(description="No globs.")
    staged: bool = Field(default=False, description="Alone: unstage, files stay.")
    worktree: bool = False
    source: RevText | None = Field(default=None, description="Default the index, with `staged` HEAD.")


class Output(ToolOutput):
    """The value of git_restore: the paths whose file or index entry really changed."""

    restored: list[str]
    restored_bytes: list[PathValue] | None = None


async def plan(args: Input, ctx: ToolContext) -> Plan | Refusal:
    """Find what would change, and what would be lost."""
    paths = contain_paths(args.paths, ctx)
    if isinstance(paths, Refusal):
        return paths
    head = await read_head(ctx.repository)
    worktree = args.worktree or not args.staged
    source = None
    if args.source is not None:
        (named,) = await resolve_objects(
            ctx.repository, [Rev(await find_ref(ctx.repository, args.source) or args.source)]
        )
        if named.kind not in ("commit", "tree"):
            return Refusal(RefusalCode.REF_NOT_FOUND, f"{args.source!r} names a {named.kind}, which holds no files")
        source = named.oid
    unborn = args.staged and source is None and head.commit is None
    if unborn and worktree:
        return Refusal(
            RefusalCode.INVALID_ARGUMENTS,
            "there is no commit yet to restore files from",
            "With staged: true alone they are unstaged and stay on disk.",
        )
    restoring = Restoring(index=args.staged, worktree=worktree, source=source, unborn=unborn)
    found = await plan_restoration(ctx.repository, restoring, paths, head.commit)
    if isinstance(found, Refusal):
        return found
    return Plan(
        tier=Tier.DESTRUCTIVE if worktree else Tier.WRITE,
        command=("git", *restoring.argv(), "--", *(path.text for path in found.affected)),
        basis=head_basis(head)
        | {
            "source": source or "",
            "index": await read_index_digest(ctx.repository, found.affected),
            "worktree": await read_worktree_digest(ctx.repository, found.affected),
        },
        scope=Scope(found.affected) if worktree else Scope(),
        details=found,
    )


async def present(args: Input, ctx: ToolContext, plan: Plan) -> Preview:
    """Show what would be overwritten: the very lines, and files that git does not track."""
    found = details_of(plan, Restoration)
    count = counted(len(found.affected), "file")
    if not found.restoring.worktree:
        title, what = f"Unstage {count}?", "Their staged changes leave the index; the files stay as they are."
    else:
        title = f"Discard changes in {count}?"
        where = f"revision {args.source}" if args.source else "HEAD" if args.staged else "the index"
        what = f"They are overwritten with what {printable_line(where)} holds."
    lines = [what, name_list(found.affected)]
    if found.loss.lines:
        lines.append(f"**{counted(found.loss.lines, 'line')} would be lost.**")
    if found.loss.untracked:
        lines.append(f"Untracked files that would be overwritten:\n\n{name_list(found.loss.untracked)}")
    return Preview(
        title=title,
        message="\n\n".join(lines),
        effects=Effects(
            files_changed=len(found.affected),
            lines_lost=found.loss.lines,
            untracked_lost=len(found.loss.untracked) if found.restoring.worktree else None,
        ),
        cards=await read_diff_cards(ctx, found.sides, found.affected),
    )


async def run(_args: Input, ctx: ToolContext, plan: Plan | None) -> Output:
    """Restore, and compare files and index before and after."""
    found = details_of(plan, Restoration)
    before = await _look(ctx, found)
    await restore_paths(ctx.repository, found.restoring, found.affected)
    after = await _look(ctx, found)
    restored = [path for path in found.affected if before[path] != after[path]]
    return Output(
        restored=[path.raw.decode("utf-8", "replace") for path in restored],
        restored_bytes=path_bytes_of(*restored),
    )


async def _look(ctx: ToolContext, found: Restoration) -> dict[RepoPath, tuple[str, tuple[bytes, ...]]]:
    entries = parse_index_listing(await read_index_listing(ctx.repository, found.affected))
    files = await read_worktree_digests(ctx.repository, found.affected) if found.restoring.worktree else {}
    return {path: (files.get(path, ""), entries.get(path, ())) for path in found.affected}


def render(out: Output) -> str:
    """The restored paths as a model reads them."""
    if not out.restored:
        return "Nothing changed."
    lines = [f"Restored {counted(len(out.restored), 'path')}:"]
    return "\n".join([*lines, *indented(clipped([printable_line(path) for path in out.restored], _SHOWN, "path"))])


def cards(out: Output) -> tuple[Card, ...]:
    """The restored paths as a list."""
    return (list_card([ListItem(path) for path in out.restored]),)


def announce(args: Input) -> str:
    """The line before the call."""
    verb = "Unstaging" if args.staged and not args.worktree else "Discarding changes in"
    return f"{verb} {counted(len(args.paths), 'path')}"


TOOL = Tool(
    name="git_restore",
    title="Restore",
    summary="Discard changes of files, or unstage them with `staged` alone.",
    tier=None,
    input=Input,
    output=Output,
    run=run,
    render=render,
    cards=cards,
    announce=announce,
    plan=plan,
    present=present,
    idempotent=True,
    icon="discard",
)
