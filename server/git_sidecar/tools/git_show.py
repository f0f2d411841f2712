"""git_show: a commit with its changes, or a file as it was at a revision."""

import re
from typing import NamedTuple

from pydantic import Field

from git_sidecar.git.diff import Sides, read_cut_diff, read_stat
from git_sidecar.git.log import read_commit
from git_sidecar.git.revisions import empty_tree, resolve_objects
from git_sidecar.git.show import SUBMODULE_KIND, read_content, read_index_entry, read_names, read_tree_entry
from git_sidecar.model.file_content import TreeEntry
from git_sidecar.model.plan import Plan
from git_sidecar.model.refs import RepoPath, Rev
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.model.tier import Tier
from git_sidecar.tools.cards import diff_card, list_card, read_card, stat_item
from git_sidecar.tools.contract import Card, ListItem, Tool, ToolContext, ToolInput, ToolOutput
from git_sidecar.tools.git_diff import render_stat
from git_sidecar.tools.limits import cut_limits, window_limits
from git_sidecar.tools.paths import PathText, contain_path
from git_sidecar.tools.printable import clipped, counted, indented, printable, printable_line
from git_sidecar.tools.revs import RevText
from git_sidecar.tools.values import CommitValue, FileValue, make_commit, make_file, make_stat
from git_sidecar.tools.wire_values import path_fields

# `:path` and `:2:path` name the index; a colon within the braces of `HEAD^{/fix: x}` divides nothing.
_INDEX = re.compile(r":(?:([0-3]):)?(.*)", re.DOTALL)
_DIVIDED = re.compile(r"((?:[^:{]|\{[^}]*\})+):(.*)", re.DOTALL)
_SHOWN = 300


class Input(ToolInput):
    """Arguments of git_show."""

    rev: RevText = Field(description="Commit, tag, branch; or rev:path, :path (index).")
    path: PathText | None = Field(default=None, description="A file or directory, as it was at rev.")
    stat: bool = Field(default=False, description="Numbers instead of the patch.")


class Output(ToolOutput):
    """The value of git_show: a commit with `diff` and `files` or with `stat`, or a file with `text`.

    A merge is shown against its first parent, the first commit against nothing. For a directory `entries` holds its
    names. `text` is empty for a binary file.
    """

    commit: CommitValue | None = None
    diff: str | None = None
    files: list[FileValue] | None = None
    stat: list[FileValue] | None = None
    path: str | None = None
    path_bytes: str | None = None
    rev: str | None = None
    text: str | None = None
    binary: bool | None = None
    size: int | None = None
    total_lines: int | None = None
    entries: list[str] | None = None
    truncated: bool
    warnings: list[str] | None = None


class _Place(NamedTuple):
    """What a call names: a revision (None: the index), a stage there, and a path from the root (None: a commit)."""

    rev: str | None
    stage: int
    path: str | None


def _find_place(rev: str) -> _Place:
    index = _INDEX.fullmatch(rev)
    if index is not None and not rev.startswith(":/"):
        return _Place(None, int(index[1] or 0), index[2])
    divided = _DIVIDED.fullmatch(rev)
    if divided is not None:
        return _Place(divided[1], 0, divided[2])
    return _Place(rev, 0, None)


async def run(args: Input, ctx: ToolContext, _: Plan | None) -> Output | Refusal:
    """Read the commit, or the file."""
    place = _find_place(args.rev)
    if args.path is not None and place.path:
        return Refusal(RefusalCode.INVALID_ARGUMENTS, "`rev` names a path already, so `path` cannot be given too")
    if args.path is None and place.path is None:
        return await _show_commit(args, Rev(args.rev), ctx)
    if args.path is not None:
        path = contain_path(args.path, ctx)
        if isinstance(path, Refusal):
            return path
    else:
        path = _make_root_path(place.path or ".")
        if isinstance(path, Refusal):
            return path
    return await _show_path(args, place, path, ctx)


def _make_root_path(text: str) -> RepoPath | Refusal:
    parts = [part for part in text.split("/") if part not in ("", ".")]
    if ".." in parts or text.startswith("/"):
        return Refusal(RefusalCode.INVALID_ARGUMENTS, f"{text!r} in `rev` must be a path from the repository's root")
    return RepoPath("/".join(parts) or ".")


async def _show_commit(args: Input, rev: Rev, ctx: ToolContext) -> Output | Refusal:
    named = (await resolve_objects(ctx.repository, [rev]))[0]
    if named.kind == "blob":
        return await _show_entry(args, TreeEntry("", "blob", named.oid, None), None, ctx)
    if named.kind == "tree":
        return await _show_entry(args, TreeEntry("", "tree", named.oid, None), RepoPath("."), ctx)
    commit = await read_commit(ctx.repository, named.oid)
    base = commit.parents[0] if commit.parents else empty_tree(named.oid)
    sides = Sides(old=base, new=named.oid)
    if args.stat:
        stat = await read_stat(ctx.repository, sides)
        return Output(commit=make_commit(commit), stat=[make_stat(file) for file in stat.files], truncated=False)
    diff = await read_cut_diff(ctx.repository, sides, limits=cut_limits(ctx.settings.limits))
    return Output(
        commit=make_commit(commit),
        diff=diff.text,
        files=[make_file(file) for file in diff.files],
        truncated=diff.truncated,
        warnings=list(diff.warnings) or None,
    )


async def _show_path(args: Input, place: _Place, path: RepoPath, ctx: ToolContext) -> Output | Refusal:
    if place.rev is None:
        entry = await read_index_entry(ctx.repository, path, place.stage)
        where = "the index" if place.stage == 0 else f"stage {place.stage} of the index"
    else:
        named = (await resolve_objects(ctx.repository, [Rev(place.rev)]))[0]
        where = repr(place.rev)
        if named.kind not in ("commit", "tree"):
            return Refusal(RefusalCode.REF_NOT_FOUND, f"{where} names a {named.kind}, which holds no paths")
        if path.text == ".":
            entry = TreeEntry("040000", "tree", named.oid, None)
        else:
            entry = await read_tree_entry(ctx.repository, named.oid, path)
    if entry is None:
        return Refusal(
            RefusalCode.PATH_NOT_FOUND,
            f"path {path.text!r} does not exist in {where}",
            "Paths start at workdir or the root; git_show of a directory lists its names.",
        )
    return await _show_entry(args, entry, path, ctx)


async def _show_entry(args: Input, entry: TreeEntry, path: RepoPath | None, ctx: ToolContext) -> Output:
    fields = path_fields(path) if path is not None else {"path": ""}
    output = Output(
        path=fields["path"],
        path_bytes=fields.get("pathBytes"),
        rev=args.rev,
        text="",
        binary=False,
        size=0,
        truncated=False,
    )
    if entry.kind == SUBMODULE_KIND:
        output.text = f"Submodule at commit {entry.oid}\n"
        return output
    if entry.kind == "tree":
        names = await read_names(ctx.repository, entry.oid)
        output.entries = [name.raw.decode("utf-8", "replace") for name in names]
        return output
    content = await read_content(ctx.repository, entry.oid, window_limits(ctx.settings.limits))
    output.text, output.binary, output.size = content.text, content.binary, content.size
    output.total_lines = content.total_lines
    output.truncated = content.truncated
    output.warnings = ["The file is not UTF-8; those bytes are shown as U+FFFD."] if content.invalid_utf8 else None
    return output


def render(out: Output) -> str:
    """The commit or the file as a model reads it."""
    return _render_file(out) if out.commit is None else _render_commit(out.commit, out)


def _render_commit(commit: CommitValue, out: Output) -> str:
    lines = [
        f"commit {commit.hash}" + (f" ({printable_line(', '.join(commit.refs))})" if commit.refs else ""),
        f"Author: {printable_line(commit.author)} <{printable_line(commit.email)}>",
        f"Date:   {commit.date}",
    ]
    if len(commit.parents) > 1:
        lines.append(f"Merge of {' and '.join(commit.parents)}; compared with the first.")
    lines += ["", *indented([printable_line(commit.subject)], "    ")]
    if commit.body:
        lines += ["", *indented(printable(commit.body).split("\n"), "    ")]
    lines.append("")
    if out.stat is not None:
        lines.append(f"{counted(len(out.stat), 'file')} changed.")
        return "\n".join([*lines, *indented(render_stat(item) for item in out.stat)])
    cut = [file for file in out.files or [] if file.coverage != "full" and not file.binary]
    if cut:
        lines.append("Cut, since the diff is long; git_diff with from and to pages through it:")
        lines += [*indented(clipped([render_stat(file) for file in cut], _SHOWN)), ""]
    return "\n".join([*lines, printable(out.diff or "")])


def _render_file(out: Output) -> str:
    name = printable_line(out.path or "") or "the object"
    if out.entries is not None:
        names = clipped([printable_line(entry) for entry in out.entries], _SHOWN)
        return "\n".join(
            [f"{name} at {out.rev}: a directory of {counted(len(out.entries), 'entry', 'entries')}", *names]
        )
    if out.binary:
        return f"{name} at {out.rev}: a binary file of {counted(out.size or 0, 'byte')}."
    text = out.text or ""
    head = f"{name} at {out.rev}, {counted(out.size or 0, 'byte')}"
    if out.truncated:
        shown = len(_split_lines(text))
        head += f", the first {shown} of {counted(out.total_lines or 0, 'line')}; long lines are cut"
    return f"{head}:\n{printable(text)}"


def _split_lines(text: str) -> list[str]:
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


def cards(out: Output) -> tuple[Card, ...]:
    """A diff card for a commit, a read card for a file, a list for numbers or a directory."""
    if out.stat is not None:
        return (list_card([stat_item(item) for item in out.stat]),)
    if out.commit is not None:
        return (diff_card(out.diff or "", out.files or []),)
    if out.entries is not None:
        return (list_card([ListItem(entry) for entry in out.entries]),)
    lines = _split_lines(out.text or "")
    return (read_card(out.path or "", 1, lines, out.total_lines if out.total_lines is not None else len(lines)),)


TOOL = Tool(
    name="git_show",
    title="Show",
    summary="One commit with its patch (a merge against its first parent), or with `path` a file or directory as it "
    "was at `rev`.",
    tier=Tier.READ,
    input=Input,
    output=Output,
    run=run,
    render=render,
    cards=cards,
    announce=lambda args: f"Reading {args.rev}",
    needs_work_tree=False,
    idempotent=True,
    icon="git-commit",
)
