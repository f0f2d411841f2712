"""git/commitMessage: one run a repository, by the writer that settings and editor offer (wire contract, section 8)."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

from git_sidecar.messages.choose import choose_writer
from git_sidecar.messages.generate import generate
from git_sidecar.messages.result import MessageRequest, canceled_message
from git_sidecar.messages.writers import Completion, ModelWish, WriterFailed, WriterUnavailable
from git_sidecar.model.fingerprint import Fingerprint, HeadState
from git_sidecar.model.refusal import Refusal
from git_sidecar.service.errors import RefusedRequest
from git_sidecar.service.ports import Client, CommitMessageParams, CompletionFailed, Json, Progress
from git_sidecar.service.repositories import Repositories, Workplace
from git_sidecar.service.staged import open_or_refuse


class _ClientModel:
    """The editor's model, behind the writers' port."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def complete(self, wish: ModelWish) -> Completion:
        """Ask the client. Raises WriterUnavailable, WriterFailed."""
        try:
            done = await self._client.complete(
                [{"role": message.role, "content": message.content} for message in wish.messages],
                max_tokens=wish.max_tokens,
                temperature=wish.temperature,
                purpose=wish.purpose,
            )
        except CompletionFailed as error:
            raise (WriterUnavailable if error.unavailable else WriterFailed)(str(error)) from error
        return Completion(done.text, done.model)


class MessageDesk:
    """Writes commit messages; a second wish for a repository ends the first."""

    def __init__(self, client: Client, repositories: Repositories, environment: Mapping[str, str]) -> None:
        """Write for `client`; `environment` is where an endpoint's key may lie."""
        self._client = client
        self._repositories = repositories
        self._environment = environment
        self._running: dict[Path, asyncio.Task[Json]] = {}

    async def write(self, params: CommitMessageParams, progress: Progress) -> Json:
        """The result of git/commitMessage. Raises RefusedRequest, GitUnavailable, CancelledError."""
        place = await open_or_refuse(self._repositories, params.repository)
        root = place.repository.location.root
        earlier = self._running.get(root)
        if earlier is not None:
            earlier.cancel()
        task = asyncio.create_task(self._write(place, params, progress))
        self._running[root] = task
        try:
            return await task
        except asyncio.CancelledError:
            current = asyncio.current_task()
            if task.cancelled() and current is not None and not current.cancelling():
                # A newer wish took its place: an ordinary result, as for a cancel of its own.
                return self.canceled(params)
            task.cancel()
            raise
        finally:
            if self._running.get(root) is task:
                del self._running[root]

    async def _write(self, place: Workplace, params: CommitMessageParams, progress: Progress) -> Json:
        progress.begin("Writing a commit message")
        editor = _ClientModel(self._client) if self._client.capabilities.language_model else None
        writer = choose_writer(place.settings, editor, self._environment.get)
        if isinstance(writer, Refusal):
            raise RefusedRequest(writer)
        request = MessageRequest(
            current=params.current or "",
            amend=params.amend,
            instructions=params.instructions or "",
            attempt=params.attempt or 1,
        )
        written = await generate(
            request,
            place.repository,
            place.settings,
            writer,
            on_text=lambda text: progress.partial({"text": text}),
        )
        if isinstance(written, Refusal):
            raise RefusedRequest(written)
        return written.value()

    def canceled(self, params: CommitMessageParams) -> Json:
        """The ordinary result of a canceled wish. Raises RefusedRequest for an unknown repository."""
        chosen = self._repositories.choose(params.repository)
        if isinstance(chosen, Refusal):
            raise RefusedRequest(chosen)
        return canceled_message("offline", Fingerprint(HeadState(None, None), "")).value()
