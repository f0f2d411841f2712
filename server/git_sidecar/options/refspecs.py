"""Refspecs, and what they write (git-push(1), git-fetch(1) "<refspec>"). Pure."""

import re
from fnmatch import fnmatchcase

from git_sidecar.options.call import Facts, RefSpec
from git_sidecar.options.refusals import invalid
from git_sidecar.options.values import check_revision

HEADS = "refs/heads/"
TAGS = "refs/tags/"
MATCHING = RefSpec(None, None, forced=False)
_HEAD_NAMES = ("HEAD", "@")
_TAG_WORD = "tag"
_WILDCARD = re.compile(r"[*?\[]")
# git-check-ref-format(1), less `*`, which a pattern may hold once.
_UNSAFE = frozenset(" ~^:?[\\\x7f")


def split_refspecs(subcommand: str, words: tuple[str, ...]) -> tuple[RefSpec, ...]:
    """Refspecs as they were written; `tag NAME` stands for that tag on both sides, a missing side is None."""
    specs: list[RefSpec] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == _TAG_WORD and rest:
            name = f"{TAGS}{rest.pop(0)}"
            specs.append(_checked(subcommand, RefSpec(name, name, forced=False)))
        else:
            specs.append(_checked(subcommand, split_refspec(word)))
    return tuple(specs)


def split_refspec(word: str) -> RefSpec:
    """One refspec, `[+]<src>[:<dst>]`; `src` and `dst` are both None for `:` (matching)."""
    forced = word.startswith("+")
    src, colon, dst = word.removeprefix("+").partition(":")
    if not colon:
        return RefSpec(src, None, forced)
    return RefSpec(src or None, dst or None, forced)


def _checked(subcommand: str, spec: RefSpec) -> RefSpec:
    if spec.src is not None:
        check_revision(subcommand, spec.src)
        if spec.src.startswith("^"):
            raise invalid(f"git {subcommand}: refspecs that exclude do not pass")
    if spec.dst is not None and not _is_ref(spec.dst):
        raise invalid(f"git {subcommand}: {spec.dst!r} is not the name of a ref")
    return spec


def _is_ref(name: str) -> bool:
    return not name.startswith("-") and ".." not in name and not any(c in _UNSAFE or c < " " for c in name)


def join_refspec(spec: RefSpec) -> str:
    """The refspec as git takes it."""
    plus = "+" if spec.forced else ""
    if spec.dst is None:
        return f"{plus}{spec.src if spec.src is not None else ':'}"
    return f"{plus}{spec.src or ''}:{spec.dst}"


def resolve_push(spec: RefSpec, facts: Facts) -> RefSpec:
    """A push's refspec with both sides in full, as far as the facts say what a short name means."""
    if spec.src is None and spec.dst is None:
        return spec
    if spec.src is None:
        return spec._replace(dst=full_name(spec.dst or "", facts))
    src = _full_source(spec.src, facts)
    if spec.dst is None:
        if src in _HEAD_NAMES:
            raise invalid("git push: HEAD is detached, so it has no name to push to", "Write HEAD:refs/heads/NAME.")
        return spec._replace(src=src, dst=src if src.startswith("refs/") else None)
    if spec.dst in _HEAD_NAMES:
        raise invalid(f"git push: {spec.dst!r} is no branch of the remote", "Name the branch.")
    return spec._replace(src=src, dst=_full_destination(spec.dst, src))


def full_name(name: str, facts: Facts) -> str:
    """The ref that a short name means: a branch before a tag; the name itself where nothing is known of it."""
    if name.startswith("refs/"):
        return name
    if name.startswith(("heads/", "tags/")):
        return f"refs/{name}"
    if facts.branches is not None and name in facts.branches:
        return f"{HEADS}{name}"
    if facts.tags is not None and name in facts.tags:
        return f"{TAGS}{name}"
    return name


def _full_source(src: str, facts: Facts) -> str:
    if src in _HEAD_NAMES and facts.head_known and facts.current_branch is not None:
        return f"{HEADS}{facts.current_branch}"
    return "HEAD" if src == "@" else full_name(src, facts)


def _full_destination(dst: str, src: str) -> str:
    if dst.startswith("refs/"):
        return dst
    if dst.startswith(("heads/", "tags/", "remotes/")):
        return f"refs/{dst}"
    return f"{TAGS if src.startswith(TAGS) else HEADS}{dst}"


def protected_match(spec: RefSpec, facts: Facts) -> str | None:
    """A protected branch that this push may move or delete, or None.

    A name whose full form is not known counts as a branch; a pattern counts for every branch that it may name.
    """
    written = spec.dst if spec.dst is not None else spec.src
    if written is None:
        return next(iter(facts.protected_branches), None)
    if written in _HEAD_NAMES:
        known = facts.head_known and facts.current_branch is not None
        written = facts.current_branch if known and facts.current_branch else "*"
    branch = written.removeprefix("refs/").removeprefix("heads/") if not written.startswith(TAGS) else None
    if branch is None:
        return None
    for guarded in facts.protected_branches:
        if fnmatchcase(branch, guarded) or ("*" in branch and _may_overlap(branch, guarded)):
            return guarded
    return None


def _may_overlap(pattern: str, guarded: str) -> bool:
    # Two patterns: only what stands before their first wildcard can keep them apart.
    if not _WILDCARD.search(guarded):
        return fnmatchcase(guarded, pattern)
    left, right = (_WILDCARD.split(text, maxsplit=1)[0] for text in (pattern, guarded))
    return left.startswith(right) or right.startswith(left)
