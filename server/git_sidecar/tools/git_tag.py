"""git_tag: list, create or delete tags."""

from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from git_sidecar.git.message_text import make_message
from git_sidecar.git.reachability import count_only_held
from git_sidecar.git.ref_names import TAGS, find_ref, read_refs
from git_sidecar.git.refs import read_tags
from git_sidecar.git.revisions import resolve_objects
from git_sidecar.git.tag_changes import change_tag, create_argv, delete_argv, signs_all_tags
from git_sidecar.model.plan import Effects, Plan, RefChange
from git_sidecar.model.refs import BranchName, Rev
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.model.tier import Tier
from git_sidecar.tools.basis import refs_basis
from git_sidecar.tools.cards import list_card
from git_sidecar.tools.contract import Card, ChangingInput, ListItem, Preview, Text, Tool, ToolContext, ToolOutput
from git_sidecar.tools.names_of_refs import BranchText
from git_sidecar.tools.planned import details_of
from git_sidecar.tools.previews import quoted, short
from git_sidecar.tools.printable import clipped, counted, indented, printable_line
from git_sidecar.tools.revs import RevText
from git_sidecar.tools.values import TagValue, make_tag

_SHOWN = 200


class Input(ChangingInput):
    """Arguments of git_tag."""

    action: Literal["list", "create", "delete"] = "list"
    name: BranchText | None = None
    rev: RevText | None = Field(default=None, description="Default HEAD.")
    message: Text | None = Field(default=None, description="Makes it annotated.")
    force: bool = Field(default=False, description="Move an existing tag.")


class Output(ToolOutput):
    """The value of git_tag: `tags`, or the tag that was created or deleted; `previous`: what it named before."""

    action: str
    tags: list[TagValue] | None = None
    name: str | None = None
    hash: str | None = None
    target: str | None = None
    previous: str | None = None


@dataclass(frozen=True, slots=True)
class _Change:
    """What a call does to a tag."""

    argv: tuple[str, ...]
    name: BranchName
    message: str | None
    old: str | None
    target: str | None
    dropped: int


def _refuse(message: str, hint: str | None = None, code: RefusalCode = RefusalCode.INVALID_ARGUMENTS) -> Refusal:
    return Refusal(code, message, hint)


async def plan(args: Input, ctx: ToolContext) -> Plan | Refusal:
    """Find what would be tagged, and what a tag that goes held."""
    if args.action == "list":
        return Plan(tier=Tier.READ, command=("git", "for-each-ref", TAGS))
    if args.name is None:
        return _refuse(f"`name` is required to {args.action} a tag")
    name = BranchName(args.name)
    ref = TAGS + name.text
    old = (await read_refs(ctx.repository, [ref]))[ref]
    if args.action == "delete":
        change = _plan_delete(name, old)
    else:
        change = await _plan_create(args, ctx, name, old)
    if isinstance(change, Refusal):
        return change
    kept = (change.target,) if change.target is not None else ()
    dropped = await count_only_held(ctx.repository, old, ref=ref, kept=kept) if old is not None else 0
    return Plan(
        tier=Tier.DESTRUCTIVE if args.force or args.action == "delete" else Tier.WRITE,
        command=("git", *change.argv),
        basis=refs_basis({ref: old, "target": change.target}),
        details=_Change(change.argv, name, change.message, old, change.target, dropped),
    )


def _plan_delete(name: BranchName, old: str | None) -> _Change | Refusal:
    if old is None:
        return _refuse(f"there is no tag {name.text!r}", "Tags are listed by git_tag.", RefusalCode.REF_NOT_FOUND)
    return _Change(delete_argv(name), name, None, old, None, 0)


async def _plan_create(args: Input, ctx: ToolContext, name: BranchName, old: str | None) -> _Change | Refusal:
    if old is not None and not args.force:
        return _refuse(
            f"a tag named {name.text!r} already exists, at {old}",
            "Choose another name, or say force: true to move it.",
            RefusalCode.REF_EXISTS,
        )
    message = make_message(args.message) if args.message is not None else None
    if message == "":
        return _refuse("the message is empty", "Leave it out for a lightweight tag.")
    if message is None and await signs_all_tags(ctx.repository):
        return _refuse("tag.gpgSign is set, and a signed tag needs a `message`")
    text = args.rev or "HEAD"
    (named,) = await resolve_objects(ctx.repository, [Rev(await find_ref(ctx.repository, text) or text)])
    argv = create_argv(name, named.oid, annotated=message is not None, force=args.force)
    return _Change(argv, name, message, old, named.oid, 0)


async def present(args: Input, _ctx: ToolContext, plan: Plan) -> Preview:
    """Show what the name stands for before and after."""
    change = details_of(plan, _Change)
    name = quoted(change.name.text)
    verb = "Delete" if args.action == "delete" else "Move" if change.old is not None else "Create"
    lines = [f"{name}: {short(change.old)} → {short(change.target)}"]
    if change.message is not None:
        lines.append(
            "\n".join(f"> {quoted(line)}" if line else ">" for line in change.message.rstrip("\n").split("\n"))
        )
    if change.dropped:
        lines.append(f"**{counted(change.dropped, 'commit')} that nothing else holds would be dropped.**")
    return Preview(
        title=f"{verb} tag {name}?",
        message="\n\n".join(lines),
        effects=Effects(
            commits_dropped=change.dropped if plan.tier is Tier.DESTRUCTIVE else None,
            refs=(RefChange(TAGS + change.name.text, change.old, change.target),),
        ),
    )


async def run(args: Input, ctx: ToolContext, plan: Plan | None) -> Output | Refusal:
    """List, or carry the change out."""
    if args.action == "list":
        return Output(action="list", tags=[make_tag(tag) for tag in await read_tags(ctx.repository)])
    change = details_of(plan, _Change)
    await change_tag(ctx.repository, change.argv, change.message)
    ref = TAGS + change.name.text
    now = (await read_refs(ctx.repository, [ref]))[ref]
    return Output(action=args.action, name=change.name.text, hash=now, target=change.target, previous=change.old)


def render(out: Output) -> str:
    """The tags, or what was done, as a model reads it."""
    if out.tags is not None:
        lines = [
            f"{counted(len(out.tags), 'tag')}:",
            *indented(clipped([_render_tag(tag) for tag in out.tags], _SHOWN)),
        ]
        return "\n".join(lines)
    name = printable_line(out.name or "")
    if out.action == "delete":
        return f"Deleted tag {name}, which was at {out.previous}."
    return f"Tag {name} is at {out.target}" + (f"; it was at {out.previous}." if out.previous else ".")


def _render_tag(tag: TagValue) -> str:
    return f"{printable_line(tag.name)} {tag.target[:10]}" + (f" {printable_line(tag.subject)}" if tag.subject else "")


def cards(out: Output) -> tuple[Card, ...]:
    """The tags as a list; the change as one row."""
    if out.tags is not None:
        return (list_card([ListItem(tag.name, tag.subject, tag.target) for tag in out.tags]),)
    return (list_card([ListItem(out.name or "", out.action, out.hash or out.previous)]),)


def announce(args: Input) -> str:
    """The line before the call."""
    if args.action == "list":
        return "Listing tags"
    return f"{'Creating' if args.action == 'create' else 'Deleting'} tag {printable_line(args.name or '')}"


TOOL = Tool(
    name="git_tag",
    title="Tags",
    summary="List tags, or create or delete one; nothing is pushed.",
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
    icon="tag",
)
