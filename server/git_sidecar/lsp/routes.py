"""The routing table: every method that a client may send, and who answers it. One way in, nothing else."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from git_sidecar.lsp.handlers import (
    commit_message,
    configuration,
    control,
    grants,
    lifecycle,
    operations,
    repositories,
    staged_diff,
    tools,
)
from git_sidecar.lsp.session import Call, Session

Answer = Callable[[Session, Call], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Asked:
    """A request. `answer_canceled`: what to answer instead of an error once the client has cancelled it."""

    answer: Answer
    answer_canceled: Answer | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """A notification that changes what the server knows: taken in order, and before any request sent after it."""

    take: Callable[[Session, object], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Control:
    """A notification that acts at once on the wire itself; in any phase."""

    act: Callable[[Session, object], None]


Route = Asked | Told | Control

INITIALIZE = "initialize"
SHUTDOWN = "shutdown"

ROUTES: Mapping[str, Route] = MappingProxyType(
    {
        INITIALIZE: Asked(lifecycle.initialize),
        SHUTDOWN: Asked(lifecycle.shut_down),
        "initialized": Control(control.ignore),
        "exit": Control(control.leave),
        "$/cancelRequest": Control(control.cancel_request),
        "$/setTrace": Control(control.ignore),
        "window/workDoneProgress/cancel": Control(control.cancel_progress),
        "workspace/didChangeConfiguration": Told(configuration.take_settings),
        "workspace/didChangeWorkspaceFolders": Told(configuration.take_folders),
        "git/didChangeTrust": Told(configuration.take_trust),
        "git/didChangeRepositories": Told(repositories.take_list),
        "git/repositories": Asked(repositories.answer),
        "git/stagedDiff": Asked(staged_diff.answer, staged_diff.answer_canceled),
        "git/commitMessage": Asked(commit_message.answer, commit_message.answer_canceled),
        "tools/list": Asked(tools.answer_list),
        "tools/prepare": Asked(tools.answer_prepare),
        "tools/call": Asked(tools.answer_call),
        "tools/cancel": Asked(tools.answer_cancel),
        "git/operations": Asked(operations.answer),
        "git/undo": Asked(operations.answer_undo),
        "git/grants": Asked(grants.answer),
        "git/revokeGrant": Asked(grants.answer_revoke),
    }
)
"""Everything else is answered with "method not found" or, where it is a notification, ignored."""

OWN_METHODS = tuple(name for name in ROUTES if name.startswith(("git/", "tools/")))
"""The methods that are ours, as the answer to `initialize` lists them."""
