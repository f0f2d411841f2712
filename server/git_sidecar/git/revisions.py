"""Revisions to object ids, so that no name that a caller wrote reaches a command (gitrevisions(7), git-cat-file(1)).

Names go to `git cat-file --batch-check` on stdin: nothing there is an option, a path or a pathspec, so neither a ref
named like an option nor a file named like a branch can be mistaken.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from git_sidecar.git.errors import GitRefused
from git_sidecar.git.head_state import read_head
from git_sidecar.git.repository import Repository
from git_sidecar.model.refs import InvalidName, Rev
from git_sidecar.model.refusal import Refusal, RefusalCode

_FOUND = re.compile(rb"([0-9a-f]{40}(?:[0-9a-f]{24})?) (commit|tree|blob|tag) \d+")

EMPTY_TREE_SHA1 = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
EMPTY_TREE_SHA256 = "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"


@dataclass(frozen=True, slots=True)
class Named:
    """What a revision names: an object id and its kind (`commit`, `tree`, `blob`, `tag`)."""

    oid: str
    kind: str


def empty_tree(oid: str) -> str:
    """The id of the empty tree in the object format of `oid`."""
    return EMPTY_TREE_SHA256 if len(oid) == len(EMPTY_TREE_SHA256) else EMPTY_TREE_SHA1


async def look_up_names(repository: Repository, names: Sequence[str]) -> list[Named | None]:
    """What each name stands for, None where it stands for nothing; names hold no line feed. One process for all."""
    text = "".join(f"{name}\n" for name in names).encode("utf-8", "surrogateescape")
    done = await repository.run(("cat-file", "--batch-check"), stdin=text)
    found: list[Named | None] = []
    for line in done.stdout.split(b"\n")[: len(names)]:
        match = _FOUND.fullmatch(line)
        found.append(Named(match[1].decode("ascii"), match[2].decode("ascii")) if match else None)
    return found


def refuse_missing(rev: Rev) -> Refusal:
    """The refusal of a revision that names nothing."""
    return Refusal(
        RefusalCode.REF_NOT_FOUND,
        f"there is no revision {rev.text!r} here",
        "List what exists with git_branch, git_tag or git_log.",
    )


async def resolve_objects(repository: Repository, revs: Sequence[Rev]) -> list[Named]:
    """What each revision names, an annotated tag's commit included in its place; one process for all.

    Raises GitRefused (ref_not_found) for the first that names nothing.
    """
    # `:/text^{commit}` would search for that whole text, so both spellings are asked.
    names = [name for rev in revs for name in (f"{rev.text}^{{commit}}", rev.text)]
    found = await look_up_names(repository, names)
    resolved: list[Named] = []
    for number, rev in enumerate(revs):
        named = found[2 * number] or found[2 * number + 1]
        if named is None:
            raise GitRefused(refuse_missing(rev))
        resolved.append(named)
    return resolved


async def resolve_commits(repository: Repository, revs: Sequence[Rev]) -> list[str]:
    """The commits that the revisions name. Raises GitRefused (ref_not_found) for one that is missing or no commit."""
    if [rev.text for rev in revs] == ["HEAD"]:
        head = await read_head(repository)
        if head.commit is not None:
            return [head.commit]
        raise GitRefused(Refusal(RefusalCode.REF_NOT_FOUND, "HEAD has no commit yet"))
    named = await resolve_objects(repository, revs)
    for rev, item in zip(revs, named, strict=True):
        if item.kind != "commit":
            raise GitRefused(Refusal(RefusalCode.REF_NOT_FOUND, f"{rev.text!r} names a {item.kind}, not a commit"))
    return [item.oid for item in named]


async def read_merge_base(repository: Repository, one: str, other: str) -> str:
    """The best common ancestor of two commits, given by object id. Raises GitRefused (ref_not_found) for none."""
    done = await repository.run(("merge-base", one, other), ok=(0, 1))
    base = done.stdout.decode("ascii").strip()
    if not base:
        raise GitRefused(Refusal(RefusalCode.REF_NOT_FOUND, "the two commits have no common ancestor"))
    return base


async def names_commit(repository: Repository, text: str, commit: str) -> bool:
    """Whether a revision (full or short id, branch, tag …) names this very commit; never raises for a bad one."""
    if text == commit:
        return True
    try:
        rev = Rev(text)
    except InvalidName:
        return False
    (named,) = await look_up_names(repository, [f"{rev.text}^{{commit}}"])
    return named is not None and named.oid == commit
