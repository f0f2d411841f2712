"""Guesses a conventional type from the shape of a change. Pure.

Files decide where they can: documentation, tests, pipelines. In source the shape of the lines decides: new definitions
make a feature, small balanced edits a fix, moved or renamed code a refactoring. Record 0008 has how often people agree.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from git_sidecar.messages.category import Category
from git_sidecar.messages.facts import ChangedFile, Facts, StartKind, Treatment
from git_sidecar.messages.history import find_usual_header
from git_sidecar.messages.line_shape import (
    find_replaced_name,
    is_comment_change,
    is_form_change,
    is_import_change,
    is_text_change,
)
from git_sidecar.messages.symbols import Symbols
from git_sidecar.model.changes import ChangeStatus

_SMALL_LINES = 60
# New ways in: an option, a flag, a parameter with a default, a route, an exported name.
_OFFERS = re.compile(
    r"add_argument\(|\.option\(|@(?:app|router|blueprint)\.\w+\(|\b(?:app|router)\.(?:get|post|put|delete|patch|use)\("
    r"|^\s*export\s+(?:const|function|class|default|type|interface|enum)|@(?:click|command)\b|\bpub (?:fn|struct)\b"
    r"|\bField\(|\.addOption\(|\bStringVar\(|\bBoolVar\(|#\[arg\("
)
_FASTER = re.compile(
    r"(?i)(?:\b|_)(?:cached?|memo(?:i[sz]ed?)?)(?:\b|_)|\busememo\b|\bwith_capacity\b|\bprefetch|lru_cache"
)
_GUARDS = re.compile(
    r"\bif\b|\belif\b|\bexcept\b|\bcatch\b|\btry\b|\?\.|\?\?|\bnull\b|\bNone\b|\bnil\b|\bundefined\b|\braise\b|\bthrow\b"
    r"|\berr\b|\bErr\(|\.get\(|\bmax\(|\bmin\(|\bor\b|\|\||\bassert\b|\bfinally\b|\bescape\w*\(|\.(?:strip|trim)\w*\("
)
_DEPENDENCY_WORDS = ("deps", "dependency", "dependencies", "bump", "upgrade", "lockfile", "deps-dev")
_RELEASE_WORDS = ("release", "version", "publish")


@dataclass(frozen=True, slots=True)
class Guess:
    """A type, the scope that the project writes with it, and whether the files alone decide it."""

    type: str
    sure: bool
    scope: str | None = None


def _usual(facts: Facts, words: Sequence[str], fallback: str) -> Guess:
    header = find_usual_header(facts.recent, words)
    return (
        Guess(header.type, sure=True, scope=header.scope)
        if header is not None and header.type
        else Guess(fallback, sure=True)
    )


def _lines(files: Sequence[ChangedFile], sign: str) -> list[str]:
    return [line for file in files for line in file.patch.changed_lines(sign) if line.strip()]


def _is_pure_move(file: ChangedFile) -> bool:
    return file.patch.status in (ChangeStatus.RENAMED, ChangeStatus.COPIED) and not file.patch.hunks


def _guess_by_lines(files: Sequence[ChangedFile]) -> Guess | None:
    if is_form_change(files):
        return Guess("style", sure=True)
    if is_comment_change(files):
        return Guess("docs", sure=True)
    if find_replaced_name(files) is not None or is_import_change(files):
        return Guess("refactor", sure=False)
    return Guess("fix", sure=False) if is_text_change(files) else None


def _is_faster(files: Sequence[ChangedFile], added: Sequence[str]) -> bool:
    """Whether a means of keeping results comes in where there was none before."""
    before = [line[1:] for file in files for hunk in file.patch.hunks for line in hunk.lines if line[:1] != "+"]
    before += [file.path for file in files] + [hunk.context for file in files for hunk in file.patch.hunks]
    return any(_FASTER.search(line) for line in added) and not any(_FASTER.search(line) for line in before)


def _is_extracted(added: Sequence[str], removed: Sequence[str]) -> bool:
    """Whether at least half of the lines that go come back elsewhere: code was moved into a definition of its own."""
    gone = [line.strip() for line in removed if sum(map(str.isalpha, line)) > 5]
    come = {line.strip() for line in added}
    return len(gone) >= 2 and sum(line in come for line in gone) * 2 >= len(gone)


def _guess_edited(files: Sequence[ChangedFile], symbols: Sequence[Symbols], *, tested: bool) -> str:
    """The type of edits to source that was there before."""
    added, removed = _lines(files, "+"), _lines(files, "-")
    new = {name for found in symbols for name in found.added}
    gone = {name for found in symbols for name in found.removed}
    moved, fresh = new & gone, new - gone
    offers = sum(1 for line in added if _OFFERS.search(line)) > sum(1 for line in removed if _OFFERS.search(line))
    guards = sum(1 for line in added if _GUARDS.search(line)) - sum(1 for line in removed if _GUARDS.search(line))
    if _is_faster(files, added):
        return "perf"
    renamed = any(found.renamed for found in symbols)
    if moved or (gone and not fresh) or (renamed and not fresh):
        return "refactor"
    if fresh:
        # A private helper beside edited functions, with as much removed as added, only tidies.
        tidied = len(removed) * 10 >= len(added) * 7
        return "refactor" if (tidied and not offers) or _is_extracted(added, removed) else "feat"
    if not added:
        return "refactor"
    if offers:
        return "feat"
    if len(added) + len(removed) <= _SMALL_LINES or tested or guards > 0:
        return "fix"
    return "feat" if len(added) > 2 * len(removed) else "refactor"


def _guess_source(files: Sequence[ChangedFile], symbols: Sequence[Symbols], *, tested: bool) -> Guess:
    if all(_is_pure_move(file) for file in files):
        return Guess("refactor", sure=True)
    statuses = [file.patch.status for file in files]
    born, dead = statuses.count(ChangeStatus.ADDED), statuses.count(ChangeStatus.DELETED)
    if dead == len(files):
        return Guess("refactor", sure=False)
    if born:
        # Code that went elsewhere: about as much left as came.
        left, came = len(_lines(files, "-")), len(_lines(files, "+"))
        split = left * 10 >= came * 6
        return Guess("refactor" if split else "feat", sure=False)
    by_lines = _guess_by_lines(files)
    return by_lines or Guess(_guess_edited(files, symbols, tested=tested), sure=False)


_BY_CATEGORY: tuple[tuple[Category, str], ...] = (
    (Category.DOCUMENTATION, "docs"),
    (Category.TEST, "test"),
    (Category.PIPELINE, "ci"),
    (Category.BUILD, "build"),
    (Category.DEPENDENCIES, "build"),
    (Category.CONFIGURATION, "chore"),
    (Category.ASSET, "chore"),
    (Category.LOCK, "build"),
)


def _guess_other(files: Sequence[ChangedFile]) -> Guess:
    """Without source: the one thing that all files are for, else what most changed lines are for."""
    kinds = {file.category for file in files}
    main = kinds - {Category.LOCK, Category.ASSET} or kinds
    weights: dict[str, int] = {}
    for category, name in _BY_CATEGORY:
        for file in files:
            if file.category is category and category in main:
                counts = file.patch.file
                weights[name] = weights.get(name, 0) + 1 + (counts.additions or 0) + (counts.deletions or 0)
    return Guess(max(weights, key=weights.__getitem__), len(weights) == 1)


def guess_type(facts: Facts, symbols: Sequence[Symbols], *, dependencies: bool, release: bool) -> Guess:
    """The type of a change. `symbols` go with `facts.files`; `dependencies`: manifests and locks change nothing else;
    `release`: the project's own version changes, beside at most its change log.
    """
    if facts.start.kind is StartKind.REVERT:
        return Guess("revert", sure=True)
    if facts.start.kind is StartKind.FIRST:
        return Guess("chore", sure=False)
    if release:
        return _usual(facts, _RELEASE_WORDS, "chore")
    kinds = {file.category for file in facts.files}
    if dependencies and kinds == {Category.PIPELINE}:
        return _usual(facts, _DEPENDENCY_WORDS, "ci")
    if dependencies or kinds == {Category.LOCK}:
        return _usual(facts, _DEPENDENCY_WORDS, "build")
    if all(file.treatment is Treatment.SUBMODULE for file in facts.files):
        return Guess("chore", sure=False)
    source = [number for number, file in enumerate(facts.files) if file.category is Category.SOURCE]
    if not source:
        return _guess_other(facts.files)
    files = [facts.files[number] for number in source]
    if all(not file.patch.hunks and file.patch.status is ChangeStatus.MODIFIED for file in files):
        return Guess("chore", sure=False)
    return _guess_source(files, [symbols[number] for number in source], tested=Category.TEST in kinds)
