"""What is remembered of calls: who saw and moved what, what can be undone (wire contract, sections 5 and 9)."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial

from git_sidecar.git.staged_diff import read_fingerprint
from git_sidecar.model.fingerprint import Fingerprint
from git_sidecar.model.plan import Plan
from git_sidecar.model.refusal import Refusal
from git_sidecar.model.standing import Standing
from git_sidecar.policy.guard import Verdict, compare
from git_sidecar.service.consent import CallIdentity
from git_sidecar.service.ports import Client
from git_sidecar.service.repositories import Workplace
from git_sidecar.store.sessions import Sessions
from git_sidecar.store.standing import read_reflog_tail
from git_sidecar.tools.contract import OperationLog
from git_sidecar.tools.wire_values import fingerprint_value, repository_identity


@dataclass(slots=True)
class Operation:
    """A call that is being carried out: why it must not run, or what came of it."""

    refusal: Refusal | None = None
    failed: bool = False
    operation_id: str | None = None
    warnings: list[str] = field(default_factory=list[str])


class Journal:
    """The memory of the service."""

    def __init__(self, sessions: Sessions, operations: OperationLog, client: Client, client_name: str) -> None:
        """Remember in the shared database; tell `client` of what our calls moved."""
        self.operations = operations
        self._sessions = sessions
        self._client = client
        self._client_name = client_name

    async def _stand(self, place: Workplace) -> Standing:
        return await self._sessions.look(place.repository.location, partial(read_fingerprint, place.repository))

    async def look(self, session: str, place: Workplace) -> Verdict:
        """Whether another session has moved the worktree since this one looked."""
        location = place.repository.location
        return compare(
            self._sessions.read_seen(session, location),
            await self._stand(place),
            self._sessions.read_last_move(location),
            session,
            reflog=read_reflog_tail(location),
        )

    async def saw(self, session: str, place: Workplace) -> None:
        """Record what a successful read saw."""
        await self._sessions.record_seen(
            session, self._client_name, place.repository.location, await self._stand(place)
        )

    @asynccontextmanager
    async def operation(self, call: CallIdentity, place: Workplace, plan: Plan) -> AsyncGenerator[Operation]:
        """Everything round a run: what it can destroy is kept before, what it did is recorded after."""
        before = await self._stand(place)
        operation = Operation()
        yield operation
        after = await self._stand(place)
        moved = await self._sessions.record_move(
            call.session, self._client_name, place.repository.location, tool=call.tool, before=before, after=after
        )
        if moved is not None:
            self._tell_moved(place, after)

    def _tell_moved(self, place: Workplace, after: Standing) -> None:
        self._client.notify(
            "git/didChangeState",
            {
                "repository": repository_identity(place.known),
                "fingerprint": fingerprint_value(Fingerprint(after.head, after.staged or "")),
            },
        )
