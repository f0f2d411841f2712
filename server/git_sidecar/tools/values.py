"""Parts of the tools' values that several tools share."""

from typing import Any

from git_sidecar.git.parse.dates import format_iso_date
from git_sidecar.model.blame import BlamedLine
from git_sidecar.model.changes import Conflict, FileChange
from git_sidecar.model.commit import Commit
from git_sidecar.model.refs import RepoPath
from git_sidecar.model.refs_list import Branch, Stash, Tag
from git_sidecar.tools.contract import ToolOutput
from git_sidecar.tools.wire_values import conflict_value, file_value, path_fields


class PathValue(ToolOutput):
    """A path whose name is not UTF-8: as it is shown, and its bytes in base64."""

    path: str
    path_bytes: str


class FileValue(ToolOutput):
    """A file of a diff; lines are None where git counts none. `coverage` is left out where only numbers are given."""

    path: str
    path_bytes: str | None = None
    old_path: str | None = None
    old_path_bytes: str | None = None
    status: str
    submodule: bool | None = None
    additions: int | None
    deletions: int | None
    binary: bool
    coverage: str | None = None
    reason: str | None = None
    old_mode: str | None = None
    new_mode: str | None = None


class ConflictValue(ToolOutput):
    """An unmerged path; `code` is git's two letters."""

    path: str
    path_bytes: str | None = None
    code: str


class CommitValue(ToolOutput):
    """A commit; `date` is the author's, ISO 8601."""

    hash: str
    short_hash: str
    author: str
    email: str
    date: str
    subject: str
    body: str | None = None
    parents: list[str]
    refs: list[str]


class BranchValue(ToolOutput):
    """A local branch."""

    name: str
    head: str
    current: bool
    upstream: str | None
    gone: bool


class TagValue(ToolOutput):
    """A tag: the object it names, the commit behind it, and an annotated tag's subject."""

    name: str
    hash: str
    target: str
    annotated: bool
    date: str | None = None
    subject: str | None = None


class StashValue(ToolOutput):
    """A stash entry."""

    index: int
    hash: str
    message: str
    date: str


class BlamedLineValue(ToolOutput):
    """One line of a file and who wrote it; an uncommitted one has no commit."""

    number: int
    text: str
    commit: str | None
    author: str
    date: str
    uncommitted: bool | None = None
    boundary: bool | None = None
    old_path: str | None = None


def make_file(file: FileChange) -> FileValue:
    """A file of a diff with what is shown of it."""
    return FileValue.model_validate(file_value(file))


def make_stat(file: FileChange) -> FileValue:
    """A file of a diff in numbers alone."""
    value = make_file(file)
    value.coverage = value.reason = None
    return value


def make_conflict(conflict: Conflict) -> ConflictValue:
    """A conflict."""
    return ConflictValue.model_validate(conflict_value(conflict))


def make_commit(commit: Commit) -> CommitValue:
    """A commit as the log tools give it."""
    return CommitValue(
        hash=commit.oid,
        short_hash=commit.short_oid,
        author=commit.author,
        email=commit.email,
        date=commit.date,
        subject=commit.subject,
        body=commit.body or None,
        parents=list(commit.parents),
        refs=list(commit.refs),
    )


def make_branch(branch: Branch) -> BranchValue:
    """A branch as it is listed."""
    return BranchValue(
        name=branch.name, head=branch.head, current=branch.current, upstream=branch.upstream, gone=branch.gone
    )


def make_tag(tag: Tag) -> TagValue:
    """A tag as it is listed."""
    return TagValue(
        name=tag.name, hash=tag.oid, target=tag.target, annotated=tag.annotated, date=tag.date, subject=tag.subject
    )


def make_stash(stash: Stash) -> StashValue:
    """A stash entry as it is listed."""
    return StashValue(index=stash.index, hash=stash.oid, message=stash.message, date=stash.date)


def make_blamed_line(line: BlamedLine, path: RepoPath) -> BlamedLineValue:
    """A line of `path` and who wrote it."""
    origin = line.origin.decode("utf-8", "replace")
    return BlamedLineValue(
        number=line.number,
        text=line.text.decode("utf-8", "replace"),
        commit=line.commit,
        author=line.author if line.commit else "",
        date=format_iso_date(line.author_time_s, line.author_zone),
        uncommitted=None if line.commit else True,
        boundary=line.boundary or None,
        old_path=origin if line.origin not in (b"", path.raw) else None,
    )


def path_bytes_of(*paths: RepoPath) -> list[PathValue] | None:
    """The bytes of those paths that are not UTF-8, for lists that hold paths as plain text; None for none."""
    found: list[dict[str, Any]] = [path_fields(path) for path in paths if not path.is_utf8]
    return [PathValue.model_validate(fields) for fields in found] or None
