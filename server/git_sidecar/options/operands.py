"""Operands: which are revisions, which are paths, and how they go back to git. Pure.

git takes the first operand that is no revision for a path, and everything after it (revision.c, setup_revisions).
Where the repository was looked at, the border is drawn here with `--`, so that git has nothing to guess.
"""

from dataclasses import dataclass

from git_sidecar.options.call import Facts
from git_sidecar.options.containment import check_pathspec, climbs_somewhere, has_magic, is_absolute
from git_sidecar.options.grammar import DASHES, Parsed
from git_sidecar.options.refusals import invalid
from git_sidecar.options.values import check_revision

_PREVIOUS_BRANCH = "@{-1}"


@dataclass(frozen=True, slots=True)
class Operands:
    """Operands that were told apart: `tail` is all of them as they go to git."""

    revisions: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    tail: tuple[str, ...] = ()
    literal: bool = True


def take_nothing(parsed: Parsed) -> Operands:
    """No operands at all; any is refused."""
    if parsed.operands:
        raise invalid(f"git {parsed.subcommand}: {parsed.operands[0]!r} is one argument too many")
    return Operands()


def take_names(parsed: Parsed, *, at_least: int = 0, at_most: int | None = None) -> Operands:
    """Operands that are all revisions, branches or remotes; `--` means nothing among them."""
    names = tuple(_PREVIOUS_BRANCH if name == "-" else name for name in parsed.operands)
    if len(names) < at_least or (at_most is not None and len(names) > at_most):
        raise invalid(f"git {parsed.subcommand}: {len(names)} operands are too {_few(len(names), at_least)}")
    for name in names:
        if name not in parsed.pseudo:
            check_revision(parsed.subcommand, name)
    return Operands(revisions=names, tail=names)


def take_paths(parsed: Parsed, facts: Facts) -> Operands:
    """Operands that are all paths."""
    return _join((), parsed.operands, facts, dashes=bool(parsed.operands))


def take_revisions_and_paths(parsed: Parsed, facts: Facts) -> Operands:
    """Revisions, then paths; raises Refused where an operand is both and no `--` tells which is meant."""
    if parsed.after is not None:
        return _take(parsed, parsed.before, parsed.after, facts, dashes=True)
    at = _border(parsed, facts)
    known = facts.revisions is not None
    return _take(parsed, parsed.before[:at], parsed.before[at:], facts, dashes=known and bool(parsed.before))


def take_file(parsed: Parsed, facts: Facts) -> Operands:
    """At most one revision (or range) and one path, which is the last operand, as git-blame(1) wants it."""
    if parsed.after is not None:
        revisions, paths = parsed.before, parsed.after
        if not paths and revisions:
            revisions, paths = revisions[:-1], revisions[-1:]
    elif _is_old_order(parsed.before, facts):
        revisions, paths = parsed.before[1:], parsed.before[:1]
    else:
        revisions, paths = parsed.before[:-1], parsed.before[-1:]
    if len(paths) != 1:
        raise invalid(f"git {parsed.subcommand} takes one file")
    return _take(parsed, revisions, paths, facts, dashes=True)


def _is_old_order(operands: tuple[str, ...], facts: Facts) -> bool:
    if len(operands) != 2 or facts.revisions is None or facts.existing_paths is None:
        return False
    first, last = operands
    return first in facts.existing_paths and last in facts.revisions and last not in facts.existing_paths


def _border(parsed: Parsed, facts: Facts) -> int:
    for at, token in enumerate(parsed.before):
        if token not in parsed.pseudo and _is_path(parsed.subcommand, token, facts):
            return at
    return len(parsed.before)


def _is_path(subcommand: str, token: str, facts: Facts) -> bool:
    if facts.revisions is None or facts.existing_paths is None:
        return _looks_like_path(token)
    revision, path = token in facts.revisions, token in facts.existing_paths
    if revision and path:
        raise invalid(
            f"git {subcommand}: {token!r} is both a revision and a path",
            "Put `--` after it if the revision is meant, before it if the path is.",
        )
    # What is neither goes to git as a revision, so that it says "bad revision" and not, silently, nothing.
    return path or (not revision and _looks_like_path(token))


def _looks_like_path(token: str) -> bool:
    if token.startswith((":(", ":!", ":^")) or token in (".", "..", ":/") or is_absolute(token):
        return True
    return (
        token.startswith(("./", "../"))
        or token.endswith(("/", "/.."))
        or (has_magic(token) and not token.startswith(":") and "^{" not in token)
    )


def _take(
    parsed: Parsed, revisions: tuple[str, ...], paths: tuple[str, ...], facts: Facts, *, dashes: bool
) -> Operands:
    revisions = tuple(_PREVIOUS_BRANCH if name == "-" else name for name in revisions)
    for revision in revisions:
        if revision not in parsed.pseudo:
            check_revision(parsed.subcommand, revision)
            _check_no_way_out(parsed, revision, facts)
    return _join(revisions, paths, facts, dashes=dashes)


def _check_no_way_out(parsed: Parsed, revision: str, facts: Facts) -> None:
    """Where nobody looked, what is taken for a revision may be a path: then it must not lead out either."""
    if parsed.after is None and facts.revisions is None and (is_absolute(revision) or climbs_somewhere(revision)):
        check_pathspec(revision, facts)


def _join(revisions: tuple[str, ...], paths: tuple[str, ...], facts: Facts, *, dashes: bool) -> Operands:
    for path in paths:
        if not dashes and path.startswith("-"):
            raise invalid(f"{path!r} begins with '-'; put `--` before it if it is a path")
        check_pathspec(path, facts)
    existing = facts.existing_paths or frozenset()
    literal = not any(has_magic(path) and path not in existing for path in paths)
    if not literal:
        # A file whose name holds a wildcard stays one file beside a real pattern.
        paths = tuple(f":(literal){path}" if path in existing and has_magic(path) else path for path in paths)
    tail = (*revisions, DASHES, *paths) if dashes else (*revisions, *paths)
    return Operands(revisions, paths, tail, literal)


def _few(count: int, at_least: int) -> str:
    return "few" if count < at_least else "many"
