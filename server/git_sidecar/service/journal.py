"""What is remembered of calls: who saw and moved what, what can be undone (wire contract, sections 5 and 9)."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial

from git_sidecar.git.errors import GitRefused, GitUnavailable
from git_sidecar.git.staged_diff import read_fingerprint
from git_sidecar.model.fingerprint import Fingerprint
from git_sidecar.model.plan import Plan
from git_sidecar.model.standing import Standing
from git_sidecar.policy.guard import Verdict, compare
from git_sidecar.service.consent import CallIdentity
from git_sidecar.service.operation_log import Begun, Caller, CallerLog, OperationLog
from git_sidecar.service.ports import Client
from git_sidecar.service.repositories import Workplace
from git_sidecar.store.sessions import Sessions
from git_sidecar.store.standing import read_reflog_tail
from git_sidecar.tools.wire_values import fingerprint_value, repository_identity


@dataclass(slots=True)
class Running:
    """A call that is being carried out: why it cannot be undone, and what came of it."""

    unkept: str | None = None
    """Why nothing could be kept of what the call may destroy; the call decides whether it runs all the same."""
    abandoned: bool = False
    """Set by the caller: the call did not run."""
    failed: bool = False
    """Set by the caller: the tool refused after having run."""
    operation_id: str | None = None
    warnings: list[str] = field(default_factory=list[str])


class Journal:
    """The memory of the service."""

    def __init__(self, sessions: Sessions, log: OperationLog, client: Client, client_name: str) -> None:
        """Remember in the shared database; tell `client` of what our calls moved."""
        self.log = log
        self._sessions = sessions
        self._client = client
        self._client_name = client_name

    def log_for(self, session: str, place: Workplace) -> CallerLog:
        """The operation log as a tool of this session sees it."""
        return self.log.for_caller(self._caller(session, place))

    def _caller(self, session: str, place: Workplace) -> Caller:
        return Caller(session, self._client_name, place.known.label, str(place.known.root))

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
    async def operation(self, call: CallIdentity, place: Workplace, plan: Plan) -> AsyncGenerator[Running]:
        """Everything round a run: what it can destroy is kept before, what it did is recorded after, in every case."""
        before = await self._stand(place)
        begun = await self.log.begin(
            place.repository,
            plan,
            self._caller(call.session, place),
            tool=call.tool,
            arguments={name: value for name, value in call.arguments.items() if value is not None},
            before=before,
            undo=place.settings.undo,
        )
        running = Running(unkept=begun.failed.reason if begun.failed is not None else None)
        try:
            yield running
        except asyncio.CancelledError:
            # The call is over for its caller; what it left must be noted all the same.
            with contextlib.suppress(GitRefused, GitUnavailable):
                await asyncio.shield(self._finish(call, place, begun, before, running, interrupted=True))
            raise
        except BaseException:
            running.failed = True
            await self._finish(call, place, begun, before, running)
            raise
        await self._finish(call, place, begun, before, running)

    async def _finish(
        self,
        call: CallIdentity,
        place: Workplace,
        begun: Begun,
        before: Standing,
        running: Running,
        *,
        interrupted: bool = False,
    ) -> None:
        if running.abandoned:
            await self.log.abandon(begun)
            return
        after = await self._stand(place)
        recorded = await self.log.finish(
            place.repository, begun, after=after, failed=running.failed, interrupted=interrupted
        )
        moved = await self._sessions.record_move(
            call.session, self._client_name, place.repository.location, tool=call.tool, before=before, after=after
        )
        if recorded is not None:
            running.operation_id = recorded["operationId"]
            self._client.notify("git/didRecordOperation", recorded)
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
