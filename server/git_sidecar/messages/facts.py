"""All that a writer may know of a commit before it is made."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from git_sidecar.messages.category import Category
from git_sidecar.messages.commitlint import Commitlint
from git_sidecar.messages.history import RecentCommit, Style
from git_sidecar.messages.patch import FilePatch
from git_sidecar.messages.ticket import Place
from git_sidecar.model.changes import Coverage
from git_sidecar.model.fingerprint import Fingerprint


class StartKind(StrEnum):
    """What kind of commit this will be."""

    ORDINARY = "ordinary"
    FIRST = "first"
    AMEND = "amend"
    MERGE = "merge"
    SQUASH = "squash"
    REVERT = "revert"
    CHERRY_PICK = "cherryPick"
    REBASE = "rebase"


@dataclass(frozen=True, slots=True)
class Start:
    """Where the message starts from: git's own text or the amended commit's, without comments; empty for neither."""

    kind: StartKind
    text: str = ""


class Treatment(StrEnum):
    """How a file's content is shown to a writer."""

    SHOWN = "shown"
    GENERATED = "generated"
    LOCK = "lock"
    BINARY = "binary"
    EXCLUDED = "excluded"
    SUBMODULE = "submodule"


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """One changed file: its patch, what it is for, how it is shown, and its bytes where git counts no lines."""

    patch: FilePatch
    category: Category
    treatment: Treatment
    size_bytes: int | None = None

    @property
    def path(self) -> str:
        """The path as it can be shown."""
        return self.patch.path

    @property
    def was_cut(self) -> bool:
        """Whether the patch that was read is not the whole one."""
        return self.patch.file.coverage is not Coverage.FULL


@dataclass(frozen=True, slots=True)
class Guide:
    """What a project's file says about commit messages."""

    source: str
    text: str


@dataclass(frozen=True, slots=True)
class Form:
    """The outer form: lengths in characters, the character that opens a comment (None: none does), the language."""

    style: Style
    subject_length: int
    body_width: int
    comment_char: str | None
    language: str
    scopes: tuple[str, ...] = ()
    ticket: str | None = None
    ticket_place: Place = Place.FOOTER
    commitlint: Commitlint | None = None
    template: str = ""

    @property
    def header_length(self) -> int:
        """The longest first line that every rule allows."""
        rule = self.commitlint.find("header-max-length") if self.commitlint else None
        limit = rule.number if rule is not None and not rule.never else None
        return min(self.subject_length, limit) if limit else self.subject_length


@dataclass(frozen=True, slots=True)
class Facts:
    """A change, how its message starts, what the person wished, and what the project is used to."""

    files: tuple[ChangedFile, ...]
    fingerprint: Fingerprint
    start: Start
    form: Form
    current: str = ""
    instructions: str = ""
    attempt: int = 1
    recent: tuple[RecentCommit, ...] = ()
    guides: tuple[Guide, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def branch(self) -> str | None:
        """The branch that will hold the commit; None when detached."""
        return self.fingerprint.head.branch

    def with_category(self, *categories: Category) -> Sequence[ChangedFile]:
        """The files that are for one of the given things."""
        return [file for file in self.files if file.category in categories]
