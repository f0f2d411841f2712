"""What a tool is: a value made of named functions (wire contract, sections 4 and 5).

A tool knows git and its own arguments. It never knows the gate, the store or the wire; `service/` joins them.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Generic, Protocol, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, SerializerFunctionWrapHandler, model_serializer
from pydantic.alias_generators import to_camel

from git_sidecar.git.repository import Repository
from git_sidecar.model.plan import Effects, Plan
from git_sidecar.model.refusal import Refusal
from git_sidecar.model.repository import KnownRepository
from git_sidecar.model.tier import Tier
from git_sidecar.settings.schema import Settings


def _without_nul(value: object) -> object:
    if isinstance(value, str) and "\0" in value:
        raise ValueError("must not hold a NUL character")
    return value


Text = Annotated[str, BeforeValidator(_without_nul)]
"""Text that may reach git: no NUL, which no process argument can hold."""


@dataclass(frozen=True, slots=True)
class Place:
    """A repository and a directory as a caller named them; `allow_file`: a file stands for its directory."""

    repository: str | None
    directory: str | None
    allow_file: bool = False


class ToolInput(BaseModel):
    """Arguments of a tool: strict types, nothing unknown, `null` means absent (the service drops nulls before)."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, extra="forbid", strict=True, frozen=True, defer_build=True
    )

    repository: Text | None = None
    workdir: Text | None = None

    def place(self) -> "Place":
        """Where the call works, as the caller named it."""
        return Place(self.repository, self.workdir)


class ChangingInput(ToolInput):
    """Arguments of a tool whose tier can rise above read."""

    confirm: bool = False
    expected_head: Text | None = None


@cache
def _optional_fields(model: "type[ToolOutput]") -> tuple[tuple[str, str], ...]:
    """Name and wire name of the fields that are left out when they are None; asked for every part of every value."""
    return tuple((name, info.alias or name) for name, info in model.model_fields.items() if info.default is None)


class ToolOutput(BaseModel):
    """A tool's canonical value: optional fields that are None are left out, nullable required ones stay."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid", defer_build=True)

    @model_serializer(mode="wrap")
    def _leave_out_absent(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Drop the fields that the contract marks `?` (default None) where there is nothing to say."""
        value: dict[str, Any] = handler(self)
        for name, alias in _optional_fields(type(self)):
            if getattr(self, name) is None:
                value.pop(alias, None)
                value.pop(name, None)
        return value


@dataclass(frozen=True, slots=True)
class Diff:
    """One file of a diff card; a text is None where the value does not hold that whole side."""

    path: str
    old_path: str | None
    old_text: str | None
    new_text: str | None
    patch: str


@dataclass(frozen=True, slots=True)
class DiffCard:
    """A card that shows patches."""

    diffs: tuple[Diff, ...]


@dataclass(frozen=True, slots=True)
class NumberedLine:
    """One line of a read card; `number` counts from 1."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class ReadCard:
    """A card that shows part of a file: `offset` is the 0-based index of the first line shown."""

    path: str
    offset: int
    lines: tuple[NumberedLine, ...]
    total_lines: int
    language: str | None = None


@dataclass(frozen=True, slots=True)
class ListItem:
    """One row of a list card; `group` names what rows belong together (staged, unstaged …)."""

    label: str
    description: str | None = None
    detail: str | None = None
    group: str | None = None


@dataclass(frozen=True, slots=True)
class ListCard:
    """A card that shows rows."""

    items: tuple[ListItem, ...]


Card = DiffCard | ReadCard | ListCard


@dataclass(frozen=True, slots=True)
class Preview:
    """What a person is asked: title, markdown message, effects and the very diff that is at stake."""

    title: str
    message: str
    effects: Effects = Effects()
    cards: tuple[Card, ...] = ()


class Progress(Protocol):
    """Where a long call says how far it is."""

    def report(self, message: str, percentage: int | None = None) -> None:
        """Say what is being done, and how far it is in percent where that is known."""
        ...


class OperationLog(Protocol):
    """The log of operations and what can be put back (wire contract, section 9), as tools see it."""

    async def read_page(
        self, repository: Repository, *, count: int, session: str | None, cursor: str | None
    ) -> "tuple[list[dict[str, Any]], str | None]":
        """One page of operations, newest first, in wire form, and the cursor of the next page."""
        ...

    async def plan_undo(self, repository: Repository, operation_id: str | None) -> "Plan | Refusal":
        """What undoing would do; `cannot_undo` names why not, or what newer work would be lost."""
        ...

    async def undo(self, repository: Repository, plan: Plan) -> "dict[str, Any] | Refusal":
        """Put refs, index and files back as the plan says; what was put back, in wire form."""
        ...


@dataclass(frozen=True, slots=True)
class ToolContext:
    """All that a tool may use.

    `directory` is the workdir relative to the repository's root ("" for the root): relative paths start there.
    `allowed_roots` are the workspace folders and known repositories, to which every path is held.
    """

    repository: Repository
    directory: str
    settings: Settings
    allowed_roots: tuple[Path, ...]
    progress: Progress
    operations: OperationLog
    session: str
    known: KnownRepository | None = None
    """The repository as the workspace knows it (label, root as written); git_staged_diff names it in its value."""


I = TypeVar("I", bound=ToolInput)  # noqa: E741 - input and output of a tool, as the house names them
O = TypeVar("O", bound=ToolOutput)  # noqa: E741


@dataclass(frozen=True, slots=True)
class Tool(Generic[I, O]):
    """One tool. `plan` and `present` exist exactly where the tier can rise above read.

    `tier` None means that it depends on the arguments or the repository; then `plan` decides, and a call whose
    plan says READ is a read. `plan` runs reads only and never contacts a remote. `run` gets the plan made inside the
    write lane (None for tools that only read). `announce` is the present-tense line before the call ("Committing 3
    files"); the service adds the repository. `text` and `cards` are pure functions of the value.
    """

    name: str
    title: str
    summary: str
    tier: Tier | None
    input: type[I]
    output: type[O]
    run: Callable[[I, ToolContext, Plan | None], Awaitable[O | Refusal]]
    render: Callable[[O], str]
    cards: Callable[[O], tuple[Card, ...]]
    announce: Callable[[I], str]
    plan: Callable[[I, ToolContext], Awaitable[Plan | Refusal]] | None = None
    present: Callable[[I, ToolContext, Plan], Awaitable[Preview]] | None = None
    needs_work_tree: bool = True
    idempotent: bool = False
    icon: str | None = None


AnyTool = Tool[Any, Any]
