"""What undoing an operation will put back, as a tool presents it (wire contract, section 9)."""

from dataclasses import dataclass

from git_sidecar.model.plan import RefChange


@dataclass(frozen=True, slots=True)
class UndoDetails:
    """A plan of undoing, as a tool presents it: which operation, and what will be put back.

    `refs` tell what each holds now (old) and will hold (new); `head` is HEAD's content to be, where it changes; `files`
    are paths that will be written or removed.
    """

    operation_id: str
    tool: str
    time_ms: int
    refs: tuple[RefChange, ...]
    head: str | None
    files: tuple[str, ...]
    index: bool
    stash: bool
    operation: bool
