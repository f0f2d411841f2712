"""Names that git takes: paths, revisions and branches, refused at birth where git could misread them.

Sources: git-check-ref-format(1), gitrevisions(7). A leading '-' would be read as an option, a NUL cannot be passed
to a process, and '..' in a path could leave the repository.
"""

from dataclasses import dataclass


class InvalidName(ValueError):
    """A name that git must not be given; the message is fit for the caller."""


def _refuse_unsafe(kind: str, text: str) -> None:
    if not text:
        raise InvalidName(f"an empty {kind} names nothing")
    if "\0" in text:
        raise InvalidName(f"a {kind} cannot hold a NUL character")
    if text.startswith("-"):
        raise InvalidName(f"the {kind} {text!r} begins with '-', which git would read as an option")


@dataclass(frozen=True, slots=True)
class RepoPath:
    """A path relative to the repository's root, with '/', as git's bytes decoded with surrogateescape.

    A leading '-' is allowed: paths are only ever passed after '--'.
    """

    text: str

    def __post_init__(self) -> None:
        """Refuse what is not a path inside a work tree."""
        if not self.text or "\0" in self.text:
            raise InvalidName("a path cannot be empty or hold a NUL character")
        if self.text.startswith("/") or ".." in self.text.split("/"):
            raise InvalidName(f"{self.text!r} leads out of the repository")

    @classmethod
    def from_bytes(cls, raw: bytes) -> "RepoPath":
        """A path as git printed it with -z."""
        return cls(raw.decode("utf-8", "surrogateescape"))

    @property
    def raw(self) -> bytes:
        """The very bytes that git printed."""
        return self.text.encode("utf-8", "surrogateescape")

    @property
    def is_utf8(self) -> bool:
        """Whether the name is valid UTF-8, so that the wire can carry it as text."""
        return not any("\udc80" <= char <= "\udcff" for char in self.text)


@dataclass(frozen=True, slots=True)
class Rev:
    """A revision as a person or a model writes it (gitrevisions(7)); never an option."""

    text: str

    def __post_init__(self) -> None:
        """Refuse what git could read as something else than a revision."""
        _refuse_unsafe("revision", self.text)
        if any(char in self.text for char in "\n\r"):
            raise InvalidName("a revision cannot hold a line break")


@dataclass(frozen=True, slots=True)
class BranchName:
    """A branch's short name (`topic/x`), as git-check-ref-format --branch would take it."""

    text: str

    def __post_init__(self) -> None:
        """Refuse what git-check-ref-format(1) refuses."""
        _refuse_unsafe("branch name", self.text)
        bad = any(ord(char) < 32 or char in " ~^:?*[\\\x7f" for char in self.text)
        parts = self.text.split("/")
        if (
            bad
            or self.text in ("@", "HEAD")
            or ".." in self.text
            or "@{" in self.text
            or self.text.endswith(".")
            or any(not part or part.startswith(".") or part.endswith(".lock") for part in parts)
        ):
            raise InvalidName(f"{self.text!r} is not a valid branch name (git-check-ref-format)")

    @classmethod
    def accepts(cls, text: str) -> bool:
        """Whether git would take the text for a branch's short name."""
        try:
            cls(text)
        except InvalidName:
            return False
        return True

    @property
    def ref(self) -> str:
        """The full ref name, which no tag can shadow."""
        return f"refs/heads/{self.text}"
