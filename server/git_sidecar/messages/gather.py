"""Gathers the facts of a commit: git's, the work tree's, the person's. The only reads before a writer is asked."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from git_sidecar.git.repository import Repository
from git_sidecar.messages import git_texts
from git_sidecar.messages.category import categorize
from git_sidecar.messages.change import ChangeReader
from git_sidecar.messages.facts import ChangedFile, Facts, Form, Start, Treatment
from git_sidecar.messages.generated import Attributes, is_generated, is_lock_file
from git_sidecar.messages.generated_content import needs_content
from git_sidecar.messages.globs import matches_any
from git_sidecar.messages.history import RecentCommit, Style, find_scopes, find_style
from git_sidecar.messages.patch import FilePatch, parse_patches, show_path
from git_sidecar.messages.project_files import ProjectFiles, read_project_files
from git_sidecar.messages.result import MessageRequest
from git_sidecar.messages.start import Prepared, Standing, decide_start, refuse_start, strip_comments
from git_sidecar.messages.ticket import find_place, find_ticket, why_pattern_is_refused
from git_sidecar.model.changes import ABSENT_MODE, ChangeStatus, FileChange
from git_sidecar.model.fingerprint import Fingerprint
from git_sidecar.model.refusal import Refusal
from git_sidecar.settings.schema import CommitMessageSettings

# Characters of one file's patch that are read: more than any prompt gives a file, and bounded in all.
_FILE_CHARACTERS = 60_000
_LEAST_FILE_CHARACTERS = 2_000
_ALL_CHARACTERS = 8_000_000
# Blobs larger than this are judged by their paths alone, as are those beyond the sum.
_BLOB_BYTES = 512 * 1024
_ALL_BLOB_BYTES = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class _Where:
    """What is known once it is clear that there is a message to write."""

    fingerprint: Fingerprint
    base: str | None
    count: int
    standing: Standing


async def _find_where(reader: ChangeReader, repository: Repository, *, amend: bool) -> _Where | Refusal:
    fingerprint, files = await reader.read_fingerprint()
    head = fingerprint.head.commit
    base: str | None = None
    if amend and head is not None:
        base = await reader.find_base(head)
        files = await reader.read_files(base)
    unmerged = any(file.change.status is ChangeStatus.UNMERGED for file in files)
    standing = Standing(
        unborn=head is None,
        operation=reader.read_operation(),
        picking=(repository.location.git_dir / "CHERRY_PICK_HEAD").exists(),
        conflicts=await reader.read_conflicts() if unmerged else (),
        changed=bool(files),
    )
    refusal = refuse_start(standing, amend=amend)
    return refusal or _Where(fingerprint, base, len(files), standing)


async def _read_texts(repository: Repository, patches: Sequence[FilePatch]) -> Mapping[str, str]:
    """The staged content of files that a generator's mark could stand in, by object id."""
    wanted = [
        patch.file.change.new_oid
        for patch in patches
        if needs_content(patch.path) and not patch.file.change.submodule and patch.file.change.new_mode != ABSENT_MODE
    ]
    sizes = await git_texts.read_sizes(repository, wanted)
    chosen: list[str] = []
    total = 0
    for oid, size in sizes.items():
        if size <= _BLOB_BYTES and total + size <= _ALL_BLOB_BYTES:
            chosen.append(oid)
            total += size
    return await git_texts.read_blobs(repository, chosen)


def treat_file(patch: FilePatch, attributes: Attributes, text: str | None, exclude: Sequence[str]) -> Treatment:
    """How a file's content is to be shown; what a person excludes goes before all else."""
    if patch.file.change.submodule:
        return Treatment.SUBMODULE
    if matches_any(patch.path, exclude) or (patch.old_path is not None and matches_any(patch.old_path, exclude)):
        return Treatment.EXCLUDED
    if patch.file.binary or attributes.diff is False:
        return Treatment.BINARY
    if is_lock_file(patch.path) and attributes.generated is not False:
        return Treatment.LOCK
    return Treatment.GENERATED if is_generated(patch.path, text, attributes) else Treatment.SHOWN


async def _sort_files(
    repository: Repository, patches: Sequence[FilePatch], exclude: Sequence[str]
) -> tuple[ChangedFile, ...]:
    attributes = await git_texts.read_attributes(repository, [patch.file.change.path.raw for patch in patches])
    texts = await _read_texts(repository, patches)
    treated: list[ChangedFile] = []
    for patch in patches:
        said = attributes.get(patch.file.change.path.raw, Attributes())
        treatment = treat_file(patch, said, texts.get(patch.file.change.new_oid), exclude)
        treated.append(ChangedFile(patch, categorize(patch.path), treatment))
    sizes = await git_texts.read_sizes(
        repository, (_shown_oid(file.patch.file) for file in treated if file.treatment is Treatment.BINARY)
    )
    return tuple(
        replace(file, size_bytes=sizes.get(_shown_oid(file.patch.file))) if file.treatment is Treatment.BINARY else file
        for file in treated
    )


def _shown_oid(file: FileChange) -> str:
    """The side that is left: the new one, or the old one of a deleted file."""
    return file.change.old_oid if file.change.new_mode == ABSENT_MODE else file.change.new_oid


async def _read_template(repository: Repository, config: git_texts.CommitConfig, project: ProjectFiles) -> str:
    if not repository.trusted:
        return ""
    return await git_texts.read_template(repository) if config.template is not None else project.template


def decide_form(
    settings: CommitMessageSettings,
    project: ProjectFiles,
    recent: Sequence[RecentCommit],
    *,
    branch: str | None,
    comment_char: str | None,
    template: str,
) -> Form:
    """The form of the message: what is set, else what the project's rules say, else what its history shows."""
    if settings.style != "auto":
        style = Style(settings.style)
    elif project.commitlint is not None:
        style = Style.CONVENTIONAL
    else:
        style = find_style(recent)
    subjects = [commit.subject for commit in recent]
    return Form(
        style=style,
        subject_length=settings.subject_length,
        body_width=min(settings.body_width, project.line_length or settings.body_width),
        comment_char=comment_char,
        language=settings.language,
        scopes=find_scopes(recent),
        ticket=find_ticket(branch, settings.ticket_pattern),
        ticket_place=find_place(subjects),
        commitlint=project.commitlint if style is Style.CONVENTIONAL else None,
        template=template,
    )


async def _read_start(repository: Repository, where: _Where, comment_char: str | None, *, amend: bool) -> Start:
    prepared = git_texts.read_prepared(repository.location)
    # git marks the conflicts in a prepared text with comments, whatever cleanup is configured.
    comment = comment_char or "#"
    cleaned = Prepared(
        merge=strip_comments(prepared.merge or "", comment) or None,
        squash=strip_comments(prepared.squash or "", comment) or None,
        old=await git_texts.read_old_message(repository) if amend else None,
    )
    return decide_start(where.standing, cleaned, amend=amend)


def keep_current(current: str, attempt: int, start: Start, template: str, comment_char: str | None) -> str:
    """What the person typed into the box; empty for what git or an earlier attempt put there."""
    typed = strip_comments(current, comment_char or "#").strip()
    own = {start.text.strip(), strip_comments(template, comment_char or "#").strip(), template.strip()}
    return "" if attempt > 1 or typed in own else typed


async def gather_facts(
    request: MessageRequest, repository: Repository, settings: CommitMessageSettings
) -> Facts | Refusal:
    """All facts of the commit that would be made now, or why there is none; no model has been asked yet.

    Raises GitRefused where git fails.
    """
    reader = ChangeReader(repository, index_file=request.index_file)
    where = await _find_where(reader, repository, amend=request.amend)
    if isinstance(where, Refusal):
        return where
    each = max(_LEAST_FILE_CHARACTERS, min(_FILE_CHARACTERS, _ALL_CHARACTERS // max(1, where.count)))
    diff = await reader.read_diff(where.base, file_budget=each)
    patches = await asyncio.to_thread(parse_patches, diff.text, diff.files)
    config = await git_texts.read_commit_config(repository)
    head = where.fingerprint.head
    recent = await git_texts.read_recent(repository, config.email) if head.commit is not None else ()
    project = ProjectFiles()
    if repository.trusted:
        project = await asyncio.to_thread(read_project_files, repository.location.root)
    template = await _read_template(repository, config, project)
    start = await _read_start(repository, where, config.comment_char, amend=request.amend)
    refused = why_pattern_is_refused(settings.ticket_pattern)
    return Facts(
        files=await _sort_files(repository, patches, settings.exclude),
        fingerprint=where.fingerprint,
        start=start,
        form=decide_form(
            settings,
            project,
            recent,
            branch=head.branch,
            comment_char=config.comment_char,
            template=template,
        ),
        current=keep_current(request.current, request.attempt, start, template, config.comment_char),
        instructions="\n".join(text.strip() for text in (settings.instructions, request.instructions) if text.strip()),
        attempt=max(1, request.attempt),
        recent=recent,
        guides=project.guides,
        warnings=(
            *diff.warnings,
            *project.warnings,
            *((f"commitMessage.ticketPattern was not used: {refused}",) if refused else ()),
        ),
    )


def describe_path(file: ChangedFile) -> str:
    """A file's name with the one it had before, as `old → new`."""
    old = file.patch.file.change.old_path
    return file.path if old is None else f"{show_path(old)} → {file.path}"
