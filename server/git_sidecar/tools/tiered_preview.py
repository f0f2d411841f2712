"""What a person is shown before a call of the tiered `git` tool: the command, what is lost, where it goes."""

from git_sidecar.git.diff import Sides, read_cut_diff, read_stat
from git_sidecar.git.head_state import read_head
from git_sidecar.git.redact import redact
from git_sidecar.git.revisions import look_up_names
from git_sidecar.git.status import read_status
from git_sidecar.model.diff import DiffStat
from git_sidecar.model.plan import Effects, Plan, RefChange, Undo
from git_sidecar.model.refs import RepoPath
from git_sidecar.model.status import Untracked
from git_sidecar.model.tier import Tier
from git_sidecar.options.call import Classified
from git_sidecar.tools.cards import diff_card
from git_sidecar.tools.contract import Card, Preview, ToolContext
from git_sidecar.tools.limits import cut_limits
from git_sidecar.tools.paths import contain_paths
from git_sidecar.tools.previews import quoted
from git_sidecar.tools.printable import counted
from git_sidecar.tools.tiered_basis import read_url
from git_sidecar.tools.values import make_file

_UNDO = {
    Undo.SNAPSHOT: "It can be undone with git_undo.",
    Undo.REFLOG: "It can be undone by hand, from the reflog.",
    Undo.NONE: "**It cannot be undone.**",
}
_SHOWN_PATHS = 20


async def present_call(call: Classified, plan: Plan, ctx: ToolContext) -> Preview:
    """The question for a classified call; reads only, and never contacts a remote. Raises GitRefused."""
    command = quoted(" ".join(redact(part) for part in plan.command))
    if call.tier is Tier.NETWORK:
        return await _present_network(call, plan, ctx, command)
    lines = [f"Runs {command}."]
    effects, cards = Effects(), ()
    if not ctx.repository.location.bare:
        effects, cards, losses = await _measure(call, ctx)
        lines += losses
    return Preview(_title(call), "\n\n".join((*lines, _UNDO[plan.undo])), effects, cards)


def _title(call: Classified) -> str:
    verb = {"clean": "Delete untracked files", "restore": "Discard changes", "reset": "Reset"}.get(call.subcommand)
    doing = verb or f"Run git {' '.join(call.words)}"
    return f"{doing} ({call.action})?" if call.action not in call.words else f"{doing}?"


async def _measure(call: Classified, ctx: ToolContext) -> tuple[Effects, tuple[Card, ...], list[str]]:
    """What the call costs, the very diff that it destroys, and both in words."""
    match call.subcommand:
        case "clean":
            return await _measure_untracked(call, ctx)
        case "reset" | "restore" | "checkout" | "rm":
            return await _measure_overwritten(call, ctx)
        case "switch" if call.tier is Tier.DESTRUCTIVE:
            return await _measure_overwritten(call, ctx)
        case "branch" | "tag" if call.action == "delete":
            return await _measure_refs(call, ctx)
        case _:
            return Effects(), (), []


async def _measure_untracked(call: Classified, ctx: ToolContext) -> tuple[Effects, tuple[Card, ...], list[str]]:
    ignored = bool(call.switches & {"x", "X"})
    status = await read_status(ctx.repository, untracked=Untracked.ALL, ignored=ignored, paths=_paths(call, ctx))
    lost = [*(() if "X" in call.switches else status.untracked), *status.ignored]
    names = [f"- {quoted(path.text)}" for path in lost[:_SHOWN_PATHS]]
    more = [f"- and {len(lost) - _SHOWN_PATHS} more"] if len(lost) > _SHOWN_PATHS else []
    text = [f"Deletes {counted(len(lost), 'untracked file')}:", "\n".join([*names, *more])] if lost else []
    return Effects(untracked_lost=len(lost)), (), text


def _paths(call: Classified, ctx: ToolContext) -> tuple[RepoPath, ...]:
    found = contain_paths(call.paths, ctx) if call.pathspecs_literal else ()
    return found if isinstance(found, tuple) else ()


async def _measure_overwritten(call: Classified, ctx: ToolContext) -> tuple[Effects, tuple[Card, ...], list[str]]:
    """Lines that only the work tree and the index hold, and commits that a moved branch drops."""
    head = await read_head(ctx.repository)
    if head.commit is None:
        return Effects(), (), []
    text: list[str] = []
    dropped = await _count_dropped(call, ctx, head.commit) if call.subcommand == "reset" else None
    if dropped:
        text.append(f"Drops {counted(dropped, 'commit')} from {quoted(head.branch or 'HEAD')}.")
    if call.subcommand == "reset" and call.action in ("soft", "mixed"):
        return Effects(commits_dropped=dropped), (), text
    paths = _paths(call, ctx)
    sides = Sides(staged=True) if call.action == "unstage" else Sides(old=head.commit)
    stat = await read_stat(ctx.repository, sides, paths=paths)
    diff = await read_cut_diff(ctx.repository, sides, limits=cut_limits(ctx.settings.limits), paths=paths)
    lines = _added(stat)
    if stat.files:
        text.append(f"Overwrites {counted(len(stat.files), 'changed file')}; {counted(lines, 'line')} are lost.")
    effects = Effects(files_changed=len(stat.files), lines_lost=lines, commits_dropped=dropped)
    cards = (diff_card(diff.text, [make_file(file) for file in diff.files]),) if stat.files else ()
    return effects, cards, text


def _added(stat: DiffStat) -> int:
    return sum(file.additions or 0 for file in stat.files)


async def _count_dropped(call: Classified, ctx: ToolContext, head: str) -> int:
    target = call.revisions[0] if call.revisions else "HEAD"
    (named,) = await look_up_names(ctx.repository, [f"{target}^{{commit}}"])
    if named is None:
        return 0
    return await _count(ctx, "--count", f"{named.oid}..{head}")


async def _count(ctx: ToolContext, *argv: str) -> int:
    done = await ctx.repository.run(("rev-list", *argv))
    return int(done.stdout.decode("ascii").strip() or 0)


async def _measure_refs(call: Classified, ctx: ToolContext) -> tuple[Effects, tuple[Card, ...], list[str]]:
    kind = "tags" if call.subcommand == "tag" else "heads"
    names = [f"refs/{kind}/{name}" for name in call.revisions]
    found = await look_up_names(ctx.repository, names)
    refs = tuple(RefChange(name, item.oid, None) for name, item in zip(names, found, strict=True) if item)
    only = 0
    if kind == "heads" and refs:
        excluded = [f"--exclude={name.removeprefix('refs/heads/')}" for name in names]
        kept = ("--not", *excluded, "--branches", "--remotes", "--tags")
        only = await _count(ctx, "--count", *(ref.old or "" for ref in refs), *kept)
    text = [f"Deletes {', '.join(quoted(ref.name) for ref in refs)}."] if refs else []
    if only:
        text.append(f"{counted(only, 'commit')} would be on no branch any more.")
    return Effects(commits_dropped=only or None, refs=refs), (), text


async def _present_network(call: Classified, plan: Plan, ctx: ToolContext, command: str) -> Preview:
    url = redact(await read_url(call, ctx))
    refs: list[RefChange] = []
    pushed = overwritten = 0
    for spec in call.refspecs if call.subcommand == "push" else ():
        branch = (spec.dst or "").removeprefix("refs/heads/")
        source, tracking = await look_up_names(ctx.repository, [spec.src or "", f"refs/remotes/{call.remote}/{branch}"])
        refs.append(RefChange(spec.dst or "", tracking.oid if tracking else None, source.oid if source else None))
        if source is None:
            continue
        if tracking is None:
            pushed += await _count(ctx, "--count", source.oid, "--not", f"--remotes={call.remote}")
            continue
        pushed += await _count(ctx, "--count", f"{tracking.oid}..{source.oid}")
        overwritten += await _count(ctx, "--count", f"{source.oid}..{tracking.oid}")
    lines = [f"Runs {command}.", f"Contacts {quoted(url or call.remote or 'every remote')}."]
    if refs:
        lines.append(f"Sends {counted(pushed, 'commit')}.")
    if overwritten:
        lines.append(f"**Overwrites {counted(overwritten, 'commit')} of the remote.**")
    effects = Effects(
        commits_pushed=pushed if refs else None,
        commits_dropped=overwritten or None,
        refs=tuple(refs),
        remote_url=url or None,
    )
    return Preview(f"Run git {call.subcommand}?", "\n\n".join((*lines, _UNDO[plan.undo])), effects)
