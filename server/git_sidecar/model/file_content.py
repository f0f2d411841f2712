"""A file as it was at some revision."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One entry of a tree: octal mode, `blob`, `tree` or `commit` (a submodule), object id, size in bytes of a blob."""

    mode: str
    kind: str
    oid: str
    size: int | None


@dataclass(frozen=True, slots=True)
class FileContent:
    """A blob's text, or that it has none.

    `text` is empty for a binary file. `total_lines` counts all lines of the file, `shown_lines` those in `text`;
    `shortened_lines` of them lost their middle.
    """

    text: str
    binary: bool
    size: int
    total_lines: int
    shown_lines: int
    shortened_lines: int
    invalid_utf8: bool

    @property
    def truncated(self) -> bool:
        """Whether some of the text is missing."""
        return self.shown_lines < self.total_lines or self.shortened_lines > 0
