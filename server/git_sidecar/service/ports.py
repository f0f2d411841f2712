"""What the doors and the service promise each other: requests down, questions and progress up. Plain data only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Protocol

Json = dict[str, Any]

_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Choice(StrEnum):
    """What a person answers to a question."""

    ALLOW_ONCE = "allowOnce"
    ALLOW_SESSION = "allowSession"
    DENY = "deny"


@dataclass(frozen=True, slots=True)
class ClientCapabilities:
    """What the client declared at `initialize`: it answers tools/confirm, languageModel/complete, has a person."""

    confirm: bool = False
    language_model: bool = False
    can_ask: bool = True


@dataclass(frozen=True, slots=True)
class Question:
    """What a person is asked before a call runs; `message` is markdown, `effects` and `cards` are in wire form."""

    name: str
    session_id: str
    tool_call_id: str | None
    title: str
    message: str
    command: tuple[str, ...]
    effects: Json
    cards: Sequence[Json]
    tier: str


@dataclass(frozen=True, slots=True)
class Completion:
    """What the editor's language model wrote, and its name where the client told it."""

    text: str
    model: str | None


class Unanswerable(Exception):
    """There is nobody who could be asked: the client said so, or does not know the method."""


class CompletionFailed(Exception):
    """The editor's model gave no usable text; `unavailable`: it could not be reached at all."""

    def __init__(self, message: str, *, unavailable: bool) -> None:
        """Keep the client's own words, and which of the two it was."""
        super().__init__(message)
        self.unavailable = unavailable


class Client(Protocol):
    """The client at the other end of a door, as the service sees it."""

    @property
    def capabilities(self) -> ClientCapabilities:
        """What the client declared; the defaults until `initialize`."""
        ...

    async def confirm(self, question: Question) -> Choice:
        """Ask the person, without a deadline of its own; raises Unanswerable.

        A lost client, an error or an unknown choice is DENY. Cancelled, the question is withdrawn.
        """
        ...

    async def complete(self, messages: list[Json], *, max_tokens: int, temperature: float, purpose: str) -> Completion:
        """Let the editor's model write; `messages` are {"role", "content"}. Raises CompletionFailed."""
        ...

    def notify(self, method: str, params: Json) -> None:
        """Send a notification; one sent while `initialize` runs goes out after its answer."""
        ...

    def show_warning(self, text: str) -> None:
        """Show the person a warning (window/showMessage)."""
        ...


class Progress(Protocol):
    """Where a request says how far it is; every method does nothing where the client gave no token."""

    def begin(self, title: str, message: str | None = None) -> None:
        """Start the progress bar; it can be cancelled. Ended with the answer at the latest."""
        ...

    def report(self, message: str, percentage: int | None = None) -> None:
        """Say what is being done, and how far it is in percent where that is known."""
        ...

    def end(self, message: str | None = None) -> None:
        """End the progress bar."""
        ...

    def partial(self, value: Json) -> None:
        """Send a partial result."""
        ...


class Silence(Progress):
    """Progress that nobody asked for."""

    def begin(self, title: str, message: str | None = None) -> None:
        """Say nothing."""

    def report(self, message: str, percentage: int | None = None) -> None:
        """Say nothing."""

    def end(self, message: str | None = None) -> None:
        """Say nothing."""

    def partial(self, value: Json) -> None:
        """Say nothing."""


@dataclass(frozen=True, slots=True)
class Startup:
    """What `initialize` told: folders as (URI, name), and the initialization options, checked for shape only.

    `repositories` are rows as git/didChangeRepositories carries them; None: the client has sent no list.
    """

    folders: tuple[tuple[str, str | None], ...] = ()
    trusted: bool = True
    repositories: tuple[Json, ...] | None = None
    settings: Json = field(default_factory=dict[str, Any])
    workspace_settings: Mapping[str, Json] = field(default_factory=lambda: _NOTHING)
    client_name: str | None = None


@dataclass(frozen=True, slots=True)
class Started:
    """What the answer to `initialize` says of the server: git's version (None: no usable git) and the tools' names."""

    git_version: str | None
    tools: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StagedDiffParams:
    """Params of git/stagedDiff; `file_budget` in characters a file."""

    repository: str | None = None
    file_budget: int | None = None


@dataclass(frozen=True, slots=True)
class ToolCallParams:
    """Params of tools/call and tools/prepare."""

    name: str
    arguments: Json
    session_id: str | None = None
    tool_call_id: str | None = None
    ticket: str | None = None


@dataclass(frozen=True, slots=True)
class OperationsParams:
    """Params of git/operations."""

    repository: str | None = None
    count: int | None = None
    cursor: str | None = None


@dataclass(frozen=True, slots=True)
class CommitMessageParams:
    """Params of git/commitMessage; `attempt` counts from the client's first try."""

    repository: str | None = None
    current: str | None = None
    amend: bool = False
    instructions: str | None = None
    attempt: int | None = None


class Backend(Protocol):
    """The service as a door sees it. Every result is in wire form.

    Any method may raise RefusedRequest, GitUnavailable or CancelledError; `configure` also SettingsRejected.
    """

    async def configure(self, startup: Startup) -> Started:
        """Take what `initialize` told; raises SettingsRejected, and then nothing has been taken."""
        ...

    async def close(self) -> None:
        """End every process that was started; nothing can be started afterwards."""
        ...

    def abandon(self) -> None:
        """The same without an event loop and without waiting, from any thread: for an end that cannot be delayed."""
        ...

    async def set_folders(self, folders: tuple[tuple[str, str | None], ...]) -> None:
        """Take the workspace folders, whole, as (URI, name)."""
        ...

    async def set_repositories(self, repositories: tuple[Json, ...]) -> None:
        """Take the editor's SCM list, whole."""
        ...

    async def set_settings(self, user: Json, workspace: Mapping[str, Json]) -> None:
        """Take the user's settings and each workspace folder's, whole; invalid ones are told to the client."""
        ...

    async def set_trust(self, *, trusted: bool) -> None:
        """Take the editor's word on workspace trust."""
        ...

    async def repositories(self) -> Json:
        """git/repositories."""
        ...

    async def staged_diff(self, params: StagedDiffParams) -> Json:
        """git/stagedDiff."""
        ...

    async def canceled_staged_diff(self, params: StagedDiffParams) -> Json:
        """The ordinary result of a canceled git/stagedDiff; runs no git."""
        ...

    async def commit_message(self, params: CommitMessageParams, progress: Progress) -> Json:
        """git/commitMessage."""
        ...

    async def canceled_commit_message(self, params: CommitMessageParams) -> Json:
        """The ordinary result of a canceled git/commitMessage; runs no git and asks no model."""
        ...

    async def tools_list(self) -> Json:
        """tools/list."""
        ...

    async def tools_prepare(self, call: ToolCallParams) -> Json:
        """tools/prepare."""
        ...

    async def tools_call(self, call: ToolCallParams, progress: Progress) -> Json:
        """tools/call."""
        ...

    async def tools_cancel(self, tool_call_id: str) -> Json:
        """tools/cancel: the call raises CancelledError once nothing of it runs."""
        ...

    async def operations(self, params: OperationsParams) -> Json:
        """git/operations."""
        ...

    async def undo(self, operation_id: str) -> Json:
        """git/undo."""
        ...

    async def grants(self) -> Json:
        """git/grants."""
        ...

    async def revoke_grant(self, grant_id: str) -> Json:
        """git/revokeGrant."""
        ...
