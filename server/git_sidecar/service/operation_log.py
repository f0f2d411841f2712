"""Operations: kept before they run, recorded after, and undone (wire contract, section 9)."""

import asyncio
import logging
import secrets
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from git_sidecar.git.errors import GitRefused
from git_sidecar.git.redact import redact_value
from git_sidecar.git.repository import Repository
from git_sidecar.model.fingerprint import Fingerprint
from git_sidecar.model.plan import Plan, RefChange, Undo
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.model.standing import Standing
from git_sidecar.model.tier import Tier
from git_sidecar.model.undo import UndoDetails
from git_sidecar.service.operation_form import operation_value, put_back_value
from git_sidecar.service.store_git import StoreGit
from git_sidecar.settings.schema import UndoSettings
from git_sidecar.store.commits import list_made_commits
from git_sidecar.store.operations import InvalidCursor, Operation, Operations, OperationState, check_undoable, orphans
from git_sidecar.store.port import GitFailed
from git_sidecar.store.snapshots import SnapshotFailed, SnapshotGone, Snapshots, differs
from git_sidecar.store.undo import plan_undo, restore

T = TypeVar("T")

_SIDES = ("before", "after")
# Only these make commits; `reset` and `switch` reach old ones again.
_COMMITTING = frozenset({"commit", "merge", "rebase", "cherry-pick", "revert", "pull", "am"})

_logger = logging.getLogger(__name__)

# A snapshot that no operation speaks of may belong to one that is just beginning in another process.
_ORPHAN_MS = 24 * 60 * 60 * 1000


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls: a session, the client that it belongs to, and under which name the repository is known."""

    session: str
    client: str
    label: str
    root: str


@dataclass(slots=True)
class Begun:
    """An operation that runs: its entry so far, and why nothing could be kept of what it may destroy, if so."""

    operation: Operation
    makes_commits: bool
    failed: SnapshotFailed | None


class OperationLog:
    """The log and its snapshots; one for the server."""

    def __init__(self, operations: Operations, snapshots: Snapshots, clock_ms: Callable[[], int]) -> None:
        """Work on the shared database and the snapshots' directory; `clock_ms` gives Unix time in milliseconds."""
        self._operations = operations
        self._snapshots = snapshots
        self._clock_ms = clock_ms

    def for_caller(self, caller: Caller) -> "CallerLog":
        """The log as a tool of this caller's sees it."""
        return CallerLog(self, caller)

    def find(self, operation_id: str) -> Operation | None:
        """The operation with this id, in whatever repository: `git/undo` names no other."""
        return self._operations.find(operation_id)

    async def begin(
        self,
        repository: Repository,
        plan: Plan,
        caller: Caller,
        *,
        tool: str,
        arguments: dict[str, Any],
        before: Standing,
        undo: UndoSettings,
    ) -> Begun:
        """Keep what the call can destroy, and enter it as running. Called in the write lane, right before the run.

        Where `failed` is set, the entry stands and the caller decides: `abandon`, or run with the person's leave, since
        it cannot be undone. Raises GitUnavailable.
        """
        now_ms = self._clock_ms()
        name = f"op-{now_ms:012x}-{secrets.token_hex(4)}"
        failed, kept = None, None
        if plan.undo is not Undo.NONE and undo.enabled:
            taken = await self._snapshots.take(
                StoreGit(repository),
                plan.scope,
                name=name,
                limit_bytes=undo.max_bytes,
                undoing=plan.details.operation_id if isinstance(plan.details, UndoDetails) else None,
            )
            failed, kept = (taken, None) if isinstance(taken, SnapshotFailed) else (None, name)
        operation = Operation(
            operation_id=name,
            state=OperationState.RUNNING,
            session=caller.session,
            client=caller.client,
            time_ms=now_ms,
            tool=tool,
            tier=plan.tier,
            arguments=_redacted(arguments),
            label=caller.label,
            root=caller.root,
            before=_fingerprint(before),
            after=None,
            commits=(),
            undo=Undo.SNAPSHOT if kept else (Undo.REFLOG if plan.undo is Undo.REFLOG else Undo.NONE),
            snapshot=kept,
            reverses=plan.details.operation_id if isinstance(plan.details, UndoDetails) else None,
            undone=None,
            remote_unknown=False,
            worktree=str(repository.location.git_dir),
        )
        await self._operations.begin(operation, repository.location)
        return Begun(operation, not _COMMITTING.isdisjoint(plan.command[1:2]), failed)

    async def abandon(self, begun: Begun) -> None:
        """Take back an operation that is not going to run."""
        await self._operations.forget(begun.operation.operation_id)
        await asyncio.to_thread(self._snapshots.remove, [begun.operation.operation_id])

    async def finish(
        self,
        repository: Repository,
        begun: Begun,
        *,
        after: Standing,
        failed: bool,
        interrupted: bool = False,
        commits: Sequence[str] | None = None,
    ) -> dict[str, Any] | None:
        """Enter how a call ended; its wire form, or None where it changed nothing and is no operation.

        `failed`: the tool refused after having run; `interrupted`: it was cancelled or ended from outside; `commits`:
        what the tool knows that it made, else they are found by comparing the refs. Raises GitUnavailable.
        """
        operation = replace(begun.operation, after=_fingerprint(after))
        made: Sequence[str] = ()
        size_bytes = 0
        changed = operation.before != operation.after
        if operation.snapshot is None:
            changed = changed or interrupted or (operation.undo is Undo.NONE and not failed)
        else:
            try:
                size_bytes = (await self._snapshots.seal(StoreGit(repository), operation.snapshot)).size_bytes
                sides = [await asyncio.to_thread(self._snapshots.load, operation.snapshot, side) for side in _SIDES]
                changed = changed or await asyncio.to_thread(differs, *sides)
                if commits is None and begun.makes_commits:
                    made = await list_made_commits(StoreGit(repository), sides[0].state, sides[1].state)
            except (SnapshotGone, GitFailed, OSError) as error:
                # The half from before the call still puts everything back; only newer work is not told apart.
                _logger.warning("what the call left could not be noted: %s", error)
                changed = True
        remote_unknown = interrupted and operation.tier is Tier.NETWORK
        if not changed and not remote_unknown:
            await self.abandon(begun)
            return None
        operation = replace(
            operation,
            state=OperationState.INTERRUPTED if interrupted else OperationState.DONE,
            commits=tuple(made if commits is None else commits),
            reverses=None if failed else operation.reverses,
            remote_unknown=remote_unknown,
        )
        await self._operations.finish(operation, snapshot_bytes=size_bytes)
        return operation_value(operation)

    async def prune(self, undo: UndoSettings) -> int:
        """Remove snapshots that are too old or too many, and what dead processes left; how many went."""
        now_ms = self._clock_ms()
        chosen = await self._operations.choose_for_pruning(
            now_ms=now_ms, keep_days=undo.keep_days, max_bytes=undo.max_bytes
        )
        names = await asyncio.to_thread(self._snapshots.list_names)
        left = orphans(names, self._operations.known_snapshots(), before_ms=now_ms - _ORPHAN_MS)
        gone = {*chosen, *left}
        await asyncio.to_thread(self._snapshots.remove, gone)
        return len(gone)

    async def close_interrupted(self, repository: Repository) -> tuple[Operation, ...]:
        """Close the operations whose process died while they ran, and save what they left without a ref."""
        closed = await self._operations.mark_interrupted(repository.location)
        for operation in closed:
            if operation.snapshot is not None:
                try:
                    await self._snapshots.keep_dropped(StoreGit(repository), operation.snapshot)
                except (SnapshotGone, GitFailed, OSError) as error:
                    _logger.warning("what an interrupted call dropped could not be kept: %s", error)
        return closed

    async def read_page(
        self, repository: Repository, *, count: int, session: str | None = None, cursor: str | None = None
    ) -> tuple[list[dict[str, Any]], str | None]:
        """One page, newest first, in wire form, and the next page's cursor. Raises GitRefused for a bad cursor."""
        await self.close_interrupted(repository)
        try:
            page, following = self._operations.read_page(
                repository.location, count=count, session=session, cursor=cursor
            )
        except InvalidCursor as error:
            raise GitRefused(Refusal(RefusalCode.INVALID_ARGUMENTS, f"cursor: {error}")) from error
        return [operation_value(operation) for operation in page], following

    async def plan_undo(self, repository: Repository, session: str, operation_id: str | None) -> Plan | Refusal:
        """What undoing an operation would do; without an id, the session's last that is neither undo nor undone."""
        await self.close_interrupted(repository)
        if operation_id is None:
            operation = self._operations.find_last(repository.location, session)
            if operation is None:
                return Refusal(RefusalCode.NOTHING_TO_DO, "this session has done nothing here that could be undone")
        else:
            operation = self._operations.find(operation_id)
        undoable = check_undoable(operation, repository.location)
        if isinstance(undoable, Refusal):
            return undoable
        operation, snapshot = undoable
        planned = await _git_work(plan_undo(StoreGit(repository), self._snapshots, snapshot))
        if isinstance(planned, Refusal):
            return planned
        restoration = planned.restoration
        if restoration.is_empty:
            return Refusal(RefusalCode.NOTHING_TO_DO, "everything stands as it did before that operation already")
        details = UndoDetails(
            operation_id=operation.operation_id,
            tool=operation.tool,
            time_ms=operation.time_ms,
            refs=tuple(
                RefChange(
                    step.name,
                    None if step.now is None else step.now.object_id,
                    None if step.wanted is None else step.wanted.object_id,
                )
                for step in restoration.refs
            ),
            head=restoration.head,
            files=tuple(restoration.files),
            index=bool(restoration.entries),
            stash=restoration.stash,
            operation=restoration.marks,
        )
        return Plan(
            tier=operation.tier,
            command=("git-sidecar", "undo", operation.operation_id),
            basis={"operation": operation.operation_id, "present": planned.present},
            scope=planned.scope,
            undo=Undo.SNAPSHOT,
            details=details,
        )

    async def undo(self, repository: Repository, plan: Plan) -> dict[str, Any] | Refusal:
        """Put back what the plan says; what was put back, in wire form."""
        if not isinstance(plan.details, UndoDetails):
            raise TypeError("this is no plan of plan_undo")
        undoable = check_undoable(self._operations.find(plan.details.operation_id), repository.location)
        if isinstance(undoable, Refusal):
            return undoable
        operation, snapshot = undoable
        message = f"git-sidecar: undo {operation.tool}"
        done = await _git_work(restore(StoreGit(repository), self._snapshots, snapshot, message=message))
        return done if isinstance(done, Refusal) else put_back_value(operation, plan.details, done)


@dataclass(frozen=True, slots=True)
class CallerLog:
    """The log for one caller; satisfies tools.contract.OperationLog."""

    log: OperationLog
    caller: Caller

    async def read_page(
        self, repository: Repository, *, count: int, session: str | None, cursor: str | None
    ) -> tuple[list[dict[str, Any]], str | None]:
        """One page of operations, newest first, in wire form, and the cursor of the next page."""
        return await self.log.read_page(repository, count=count, session=session, cursor=cursor)

    async def plan_undo(self, repository: Repository, operation_id: str | None) -> Plan | Refusal:
        """What undoing would do; `cannot_undo` names why not, or what newer work would be lost."""
        return await self.log.plan_undo(repository, self.caller.session, operation_id)

    async def undo(self, repository: Repository, plan: Plan) -> dict[str, Any] | Refusal:
        """Put refs, index and files back as the plan says; what was put back, in wire form."""
        return await self.log.undo(repository, plan)


async def _git_work(work: Coroutine[None, None, T]) -> T:
    """The store's failures as the service raises them."""
    try:
        return await work
    except GitFailed as error:
        raise GitRefused(error.refusal) from error
    except OSError as error:
        told = f"a file could not be read or written: {error.strerror or error}"
        raise GitRefused(Refusal(RefusalCode.COMMAND_FAILED, told)) from error


def _fingerprint(standing: Standing) -> Fingerprint:
    return Fingerprint(standing.head, standing.staged or "")


def _redacted(arguments: dict[str, Any]) -> dict[str, Any]:
    return {name: redact_value(value) for name, value in arguments.items()}
