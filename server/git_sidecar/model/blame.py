"""Who wrote each line of a file (git-blame(1))."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BlamedLine:
    """One line: its number (from 1), its text without the line end, and the commit that wrote it.

    `commit` is None for a line that is not committed. `author_time_s` is seconds since 1970 and `author_zone` git's
    `+hhmm`. `origin` is the path that the line had in that commit, as git's bytes; `boundary` marks a commit beyond
    which history is not known or was not asked for.
    """

    number: int
    text: bytes
    commit: str | None
    author: str
    email: str
    author_time_s: int
    author_zone: str
    summary: str
    boundary: bool
    origin: bytes


@dataclass(frozen=True, slots=True)
class Blame:
    """Lines of a file with who wrote them; `total_lines` counts the whole file, `cut`: a limit was reached."""

    lines: tuple[BlamedLine, ...]
    total_lines: int
    cut: bool
