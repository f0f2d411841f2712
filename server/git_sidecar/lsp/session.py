"""What handlers work with: the session of one client, and one call of it."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from git_sidecar.lsp.editor import EditorClient
from git_sidecar.lsp.envelope import MessageId
from git_sidecar.lsp.progress import WorkProgress
from git_sidecar.service.ports import Backend


class Controls(Protocol):
    """What a handler may do to the wire and to the process."""

    def cancel_call(self, identifier: object) -> None:
        """Cancel the call with this id, if it runs."""
        ...

    def cancel_progress(self, token: object) -> None:
        """Cancel the call whose progress has this token, if it runs."""
        ...

    def shut_down(self) -> None:
        """Take no more requests, and cancel those that run."""
        ...

    def leave(self) -> None:
        """End the process."""
        ...


@dataclass(slots=True)
class Session:
    """One client's session with the server.

    `methods` are those of our own that are served; `folders` maps folder URIs to names, in the client's order.
    """

    backend: Backend
    editor: EditorClient
    controls: Controls
    watch_parent: Callable[[int], None]
    methods: tuple[str, ...]
    folders: dict[str, str | None] = field(default_factory=dict[str, str | None])


@dataclass(slots=True, eq=False)
class Call:
    """A request that is being answered."""

    id: MessageId
    method: str
    params: object
    progress: WorkProgress
    task: asyncio.Task[None] | None = None
    canceled: bool = False
    is_started: bool = False

    def cancel(self) -> None:
        """Cancel it, once; before its first step by the flag alone, so that it still answers."""
        if not self.canceled:
            self.canceled = True
            if self.task is not None and self.is_started:
                self.task.cancel()
