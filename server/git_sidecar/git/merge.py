"""Merging, and going on with or giving up a merge (git-merge(1), git-fmt-merge-msg(1))."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from git_sidecar.git.conflicts import with_conflicts
from git_sidecar.git.errors import GitRefused
from git_sidecar.git.invocation import Editor
from git_sidecar.git.ref_names import HEADS, REMOTES, TAGS
from git_sidecar.git.repository import Repository
from git_sidecar.git.writing import read_warnings, run_write
from git_sidecar.model.fingerprint import HeadState

_ORT_SINCE = (2, 33, 0)
_NO_AUTOSTASH_SINCE = (2, 27, 0)

ABORT_ARGV = ("merge", "--abort")
CONTINUE_ARGV = ("merge", "--continue")

_CONFIG = (("i18n.commitEncoding", "UTF-8"),)
_HINT = "Resolve the conflicts, stage the files and call git_merge with continue, or with abort."


@dataclass(frozen=True, slots=True)
class MergeTarget:
    """What is merged: the commit, and the full name of the ref that named it, None for a bare commit."""

    oid: str
    ref: str | None
    text: str


async def merge_argv(repository: Repository, target: MergeTarget, *, no_ff: bool) -> tuple[str, ...]:
    """The call that merges; "-" stands for the file with the message.

    The strategy is named, since pull.twohead could choose one that throws their changes away. Nothing is stashed on
    the way, and no earlier resolution is staged unseen.
    """
    version = (await repository.spawner.executable()).version
    return (
        *("merge", "--no-edit", "--no-squash", "--commit", "--no-overwrite-ignore", "--no-rerere-autoupdate"),
        f"--strategy={'ort' if version >= _ORT_SINCE else 'recursive'}",
        *(("--no-autostash",) if version >= _NO_AUTOSTASH_SINCE else ()),
        *(("--no-ff",) if no_ff else ()),
        *("--no-progress", "--cleanup=verbatim", "--file", "-", "--", target.oid),
    )


async def read_merge_message(repository: Repository, target: MergeTarget) -> str:
    """The message that git would write for a merge of the ref by its name (merge.log and merge.suppressDest hold)."""
    ref = target.ref or ""
    for place, kind in ((HEADS, "branch"), (TAGS, "tag"), (REMOTES, "remote-tracking branch")):
        if ref.startswith(place):
            words = f"{kind} '{ref.removeprefix(place)}' of ."
            break
    else:
        words = f"commit '{target.text}'"
    line = f"{target.oid}\t\t{words}\n".encode("utf-8", "surrogateescape")
    done = await repository.run(("fmt-merge-msg",), stdin=line)
    return done.stdout.decode("utf-8", "replace") or f"Merge {words.removesuffix(' of .')}\n"


async def merge_commit(repository: Repository, argv: tuple[str, ...], message: str, head: HeadState) -> tuple[str, ...]:
    """Merge; git's warnings. Raises GitRefused: `conflict` with the paths, after which the merge is in progress."""
    # What a person (or a repository) wrote there for a branch could be "-s ours"; the empty value switches it off.
    options = ((f"branch.{head.branch}.mergeOptions", ""),) if head.branch else ()
    try:
        # git merge reads no message from stdin, and an argument could be read by every user of the machine.
        with tempfile.TemporaryDirectory(prefix="git-sidecar-") as directory:
            file = Path(directory) / "message"
            file.write_bytes(message.encode("utf-8", "surrogateescape"))
            argv = tuple(str(file) if word == "-" else word for word in argv)
            done = await run_write(repository, argv, config=(*_CONFIG, *options))
    except GitRefused as error:
        raise await with_conflicts(
            repository, error.refusal, "the merge has conflicts and waits for their resolution", _HINT
        ) from error
    return read_warnings(done)


async def continue_merge(repository: Repository) -> None:
    """Conclude the merge with the message that git prepared; hooks run. Raises GitRefused."""
    await run_write(repository, CONTINUE_ARGV, editor=Editor.ACCEPT, config=_CONFIG)


async def abort_merge(repository: Repository) -> None:
    """Give the merge up and go back to where it began. Raises GitRefused."""
    await run_write(repository, ABORT_ARGV)
