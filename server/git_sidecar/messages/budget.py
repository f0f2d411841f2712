"""Cuts the changed files to a number of tokens by fair shares. Pure.

Every file is named. What is left is shared out so that each file gets part of it before any gets all: small patches are
whole, and the large ones get equal shares of the rest. A patch is cut at hunks, then at lines.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from posixpath import dirname

from git_sidecar.messages.excerpt import Excerpt, Seen, cut_patch
from git_sidecar.messages.facts import ChangedFile, Treatment
from git_sidecar.messages.file_title import describe_briefly, describe_file
from git_sidecar.messages.result import CoverageCounts
from git_sidecar.messages.tokens import estimate_tokens
from git_sidecar.model.changes import ChangeStatus

# What a deleted file held matters less than that it is gone.
_DELETED_TOKENS = 200
# Below this an excerpt says nothing.
_LEAST_TOKENS = 6
_TELLING_TOKENS = 10
_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Fitted:
    """The files as a writer sees them, and how much of them that is."""

    text: str
    coverage: CoverageCounts
    named: int


def share_out(needs: Sequence[int], available: int) -> list[int]:
    """Each need, or an equal part of what the smaller ones leave: the sum is at most `available`."""
    shares = [0] * len(needs)
    left = max(0, available)
    order = sorted(range(len(needs)), key=needs.__getitem__)
    for position, at in enumerate(order):
        shares[at] = min(needs[at], left // (len(order) - position))
        left -= shares[at]
    return shares


def shows_content(file: ChangedFile, files: Sequence[ChangedFile]) -> bool:
    """Whether a file's patch is shown: that of generated and lock files only where nothing else was changed."""
    if not file.patch.hunks or file.treatment in (Treatment.EXCLUDED, Treatment.BINARY, Treatment.SUBMODULE):
        return False
    if file.treatment is Treatment.SHOWN:
        return True
    return not any(other.treatment is Treatment.SHOWN for other in files)


def _need(file: ChangedFile) -> int:
    lines = sum(estimate_tokens(line) + 1 for hunk in file.patch.hunks for line in (hunk.header, *hunk.lines))
    return min(lines, _DELETED_TOKENS) if file.patch.status is ChangeStatus.DELETED else lines


def _title_tokens(titles: Sequence[str]) -> int:
    return sum(estimate_tokens(title) + 1 for title in titles)


def _group_titles(files: Sequence[ChangedFile]) -> list[str]:
    """Titles under their directories' names, for where the paths in full would leave no room."""
    titles: list[str] = []
    directory: str | None = None
    for file in files:
        own = dirname(file.path)
        prefix = ""
        if own != directory and own:
            prefix = f"{own}/:\n"
        directory = own
        titles.append(prefix + describe_briefly(file, by_path=False))
    return titles


def _excerpts(files: Sequence[ChangedFile], available: int) -> dict[int, Excerpt]:
    """The patch of each file that has one to show, by position, within `available` tokens together."""
    shown = [number for number, file in enumerate(files) if shows_content(file, files)]
    needs = [_need(files[number]) for number in shown]
    shares = share_out(needs, available)
    excerpts: dict[int, Excerpt] = {}
    for _ in range(_ROUNDS):
        for number, share in zip(shown, shares, strict=True):
            done = excerpts.get(number)
            if done is None or (done.seen is not Seen.FULL and share > done.tokens):
                excerpts[number] = cut_patch(files[number], share) if share >= _LEAST_TOKENS else Excerpt.nothing()
        # Cuts at borders leave something over; it goes to those that were cut.
        left = available - sum(excerpt.tokens for excerpt in excerpts.values())
        hungry = [
            at for at, number in enumerate(shown) if excerpts[number].tokens < needs[at] and shares[at] < needs[at]
        ]
        if not hungry or left < _LEAST_TOKENS * len(hungry):
            break
        for at in hungry:
            shares[at] = min(needs[at], excerpts[shown[at]].tokens + left // len(hungry))
    return excerpts


def _count(files: Sequence[ChangedFile], excerpts: dict[int, Excerpt]) -> CoverageCounts:
    seen = [excerpts[number].seen if number in excerpts else _seen_by_name(file) for number, file in enumerate(files)]
    return CoverageCounts(len(files), seen.count(Seen.FULL), seen.count(Seen.PARTIAL), seen.count(Seen.OMITTED))


def _seen_by_name(file: ChangedFile) -> Seen:
    """A rename, a change of mode, an empty file, a submodule: the name says all there is."""
    whole = file.treatment in (Treatment.SHOWN, Treatment.SUBMODULE) and not file.patch.hunks and not file.was_cut
    return Seen.FULL if whole else Seen.OMITTED


def _name_directories(files: Sequence[ChangedFile], available: int) -> tuple[list[str], int]:
    """As many titles as fit, and a line on the rest: for changes whose very names are larger than the budget."""
    titles: list[str] = []
    used = 0
    for title in _group_titles(files):
        cost = estimate_tokens(title) + 1
        if used + cost > available:
            break
        titles.append(title)
        used += cost
    rest = len(files) - len(titles)
    return [*titles, f"… and {rest} more files"], len(titles)


def _choose_titles(files: Sequence[ChangedFile], available: int) -> list[str]:
    """The fullest titles that leave each patch enough room to say something; else the shortest."""
    titles = [describe_file(file) for file in files]
    floor = _TELLING_TOKENS * sum(1 for file in files if shows_content(file, files))
    if _title_tokens(titles) + floor <= available:
        return titles
    by_path = [describe_briefly(file, by_path=True) for file in files]
    if _title_tokens(by_path) + floor <= available:
        return by_path
    return min(_group_titles(files), by_path, key=_title_tokens)


def fit_files(files: Sequence[ChangedFile], available: int) -> Fitted:
    """The changed files in at most `available` tokens (estimated), in git's order."""
    titles = _choose_titles(files, available)
    if _title_tokens(titles) > available:
        named, count = _name_directories(files, available)
        return Fitted("\n".join(named), CoverageCounts(len(files), 0, 0, len(files)), count)
    excerpts = _excerpts(files, available - _title_tokens(titles))
    parts: list[str] = []
    for number, title in enumerate(titles):
        parts.append(title)
        excerpt = excerpts.get(number)
        if excerpt is not None and excerpt.text:
            parts.append(excerpt.text)
    return Fitted("\n".join(parts), _count(files, excerpts), len(files))


def count_whole(files: Sequence[ChangedFile]) -> CoverageCounts:
    """The coverage of a writer that sees everything that was read."""
    seen = [
        (Seen.PARTIAL if file.patch.hunks and file.was_cut else Seen.FULL)
        if file.treatment is Treatment.SHOWN
        else _seen_by_name(file)
        for file in files
    ]
    return CoverageCounts(len(files), seen.count(Seen.FULL), seen.count(Seen.PARTIAL), seen.count(Seen.OMITTED))
