"""Staging part of a file's change: hunks, or lines of the work-tree side (git-update-index(1), git-hash-object(1)).

The unstaged diff speaks of content as git would store it (filters and line ends applied), so what is selected from it
goes into the index as it is. An untracked file is diffed through a private index that intends to add it.
"""

import asyncio
import shutil
import tempfile
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from git_sidecar.git.diff_defaults import PATCH_CONFIG, PATCH_OPTIONS
from git_sidecar.git.errors import GitRefused
from git_sidecar.git.invocation import Effect
from git_sidecar.git.parse.patch import parse_patch
from git_sidecar.git.parse.selection import BadSelection, Selection, select_part
from git_sidecar.git.repository import Repository
from git_sidecar.git.show import read_index_entry
from git_sidecar.git.writing import run_write
from git_sidecar.model.changes import SUBMODULE_MODE
from git_sidecar.model.patch import FilePatch
from git_sidecar.model.refs import RepoPath
from git_sidecar.model.refusal import Refusal, RefusalCode

_BYTES = 256 * 1024 * 1024
_LINK_MODE = "120000"
_NO_FILE_MODE = "0"


@dataclass(frozen=True, slots=True)
class StagedPart:
    """What a path's index entry is to be: its mode and content; None where the path leaves the index."""

    path: RepoPath
    mode: str
    content: bytes | None


def _refuse(path: RepoPath, why: str, hint: str = "Stage it whole, by `paths`.") -> GitRefused:
    return GitRefused(Refusal(RefusalCode.INVALID_ARGUMENTS, f"{path.text!r}: {why}", hint))


async def read_parts(
    repository: Repository, wanted: Mapping[RepoPath, Selection], untracked: frozenset[RepoPath]
) -> list[StagedPart]:
    """What each path's index entry becomes; nothing is changed. `untracked` are those of the paths that git knows not.

    Raises GitRefused: `invalid_arguments` for what has no such part (binary files, links, submodules, a changed type,
    hunks and lines without a change), `conflict` for unmerged paths, `nothing_to_do` for unchanged ones.
    """
    async with _diff_environment(repository, [path for path in wanted if path in untracked]) as environment:
        return [await _read_part(repository, path, selection, environment) for path, selection in wanted.items()]


@asynccontextmanager
async def _diff_environment(repository: Repository, untracked: Sequence[RepoPath]) -> AsyncGenerator[Mapping[str, str]]:
    """Variables under which a diff also shows the untracked paths; the repository's own index is left alone."""
    if not untracked:
        yield {}
        return
    with tempfile.TemporaryDirectory(prefix="git-sidecar-") as directory:
        index = Path(directory) / "index"
        own = repository.location.git_dir / "index"
        if own.exists():
            await asyncio.to_thread(shutil.copy2, own, index)
        environment = {"GIT_INDEX_FILE": str(index)}
        # Neither a hook nor an object: nothing has happened yet.
        quiet = (("core.hooksPath", str(Path(directory) / "none")),)
        (Path(directory) / "objects").mkdir()
        objects = {
            "GIT_OBJECT_DIRECTORY": str(Path(directory) / "objects"),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": _quote(repository.location.common_dir / "objects"),
        }
        await run_write(
            repository,
            ("add", "--intent-to-add"),
            paths=untracked,
            config=quiet,
            environment={**environment, **objects},
        )
        yield environment


def _quote(directory: Path) -> str:
    """A directory in a list that colons divide (git(1), GIT_ALTERNATE_OBJECT_DIRECTORIES)."""
    text = str(directory).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


async def _read_part(
    repository: Repository, path: RepoPath, selection: Selection, environment: Mapping[str, str]
) -> StagedPart:
    argv = ("diff", "-p", *PATCH_OPTIONS, "--no-renames", "--", path.text)
    done = await repository.run(argv, config=PATCH_CONFIG, environment=environment, stdout_bytes=_BYTES)
    if done.truncated:
        raise GitRefused(
            Refusal(RefusalCode.TOO_LARGE, f"the change of {path.text!r} is too large to be staged in part")
        )
    patch = _only_patch(path, parse_patch(done.stdout))
    old_mode, new_mode = _read_modes(patch)
    for mode, name in ((SUBMODULE_MODE, "a submodule"), (_LINK_MODE, "a symbolic link")):
        if mode in (old_mode, new_mode):
            raise _refuse(path, f"it is {name}, which has no hunks")
    # A path that was only intended to be added has an entry without content.
    entry = None if patch.old_path is None else await read_index_entry(repository, path, 0)
    old = b"" if entry is None else await _read_blob(repository, entry.oid)
    try:
        part = select_part(old, patch.hunks, selection)
    except BadSelection as error:
        raise _refuse(path, str(error), "Number hunks and lines as git_diff of the path shows them.") from error
    if part.whole and patch.new_path is None:
        return StagedPart(path, _NO_FILE_MODE, None)
    before = entry.mode if entry is not None else None
    # A changed mode belongs to the last part, so that all parts together are the whole change.
    return StagedPart(path, (new_mode or before if part.whole else before or new_mode) or "100644", part.content)


def _only_patch(path: RepoPath, patches: Sequence[FilePatch]) -> FilePatch:
    patches = [patch for patch in patches if path in (patch.old_path, patch.new_path)]
    if not patches:
        raise GitRefused(
            Refusal(
                RefusalCode.NOTHING_TO_DO,
                f"{path.text!r} has no unstaged change",
                "`patch` takes single files; see what has changed with git_status.",
            )
        )
    if len(patches) > 1:
        raise _refuse(path, "its type has changed (file, link, submodule)")
    patch = patches[0]
    if patch.combined or any(line.startswith(b"* Unmerged path") for line in patch.header):
        raise GitRefused(
            Refusal(
                RefusalCode.CONFLICT,
                f"{path.text!r} has conflicts",
                "Resolve them, then stage the file whole, by `paths`.",
            )
        )
    if patch.binary:
        raise _refuse(path, "it is binary, so it has no hunks or lines")
    if not patch.hunks:
        raise _refuse(path, "only its mode has changed, or it is empty")
    return patch


def _read_modes(patch: FilePatch) -> tuple[str | None, str | None]:
    """The octal modes that a patch's header tells, before and after; None where it does not say."""
    old: str | None = None
    new: str | None = None
    for line in patch.header:
        words = line.decode("ascii", "replace").split(" ")
        if line.startswith((b"old mode ", b"deleted file mode ")):
            old = words[-1]
        elif line.startswith((b"new mode ", b"new file mode ")):
            new = words[-1]
        elif line.startswith(b"index ") and len(words) == 3:
            old = new = words[-1]
    return old, new


async def _read_blob(repository: Repository, oid: str) -> bytes:
    done = await repository.run(("cat-file", "blob", oid), stdout_bytes=_BYTES)
    if done.truncated:
        raise GitRefused(Refusal(RefusalCode.TOO_LARGE, "the file is too large to be staged in part"))
    return done.stdout


async def stage_parts(repository: Repository, parts: Sequence[StagedPart]) -> None:
    """Put the parts into the index, all at once. Raises GitRefused, the index unchanged."""
    records: list[bytes] = []
    for part in parts:
        oid = await _write_blob(repository, part.content or b"")
        records.append(b"%b %b\t%b\0" % (part.mode.encode("ascii"), oid.encode("ascii"), part.path.raw))
    await run_write(repository, ("update-index", "-z", "--index-info"), stdin=b"".join(records))


async def _write_blob(repository: Repository, content: bytes) -> str:
    done = await repository.run(("hash-object", "-w", "--stdin"), effect=Effect.WRITE, stdin=content)
    return done.stdout.decode("ascii").strip()
