"""The road of a tool call: validate, choose, plan, gate, ask, guard, run, record, render.

Every tool goes this way and no other, so no tool can skip the gate and no policy can know a tool.
"""

import asyncio
import time
from dataclasses import dataclass

from git_sidecar.git.errors import GitRefused
from git_sidecar.git.head_state import read_head
from git_sidecar.git.revisions import names_commit
from git_sidecar.model.plan import Plan
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.model.tier import Tier
from git_sidecar.policy.gate import Ask, Deny
from git_sidecar.policy.guard import Moved, Outside
from git_sidecar.service.answers import (
    Meta,
    answer_refused,
    answer_value,
    confirmation_value,
    prepared_value,
    shown_command,
)
from git_sidecar.service.consent import CallIdentity, Consent, changed_since_confirmed
from git_sidecar.service.errors import RefusedRequest
from git_sidecar.service.journal import Journal
from git_sidecar.service.lanes import WriteLanes
from git_sidecar.service.ports import OperationsParams, ToolCallParams
from git_sidecar.service.repositories import Repositories, Workplace
from git_sidecar.service.staged import open_or_refuse, refuse_bare
from git_sidecar.service.workspace_state import WorkspaceState
from git_sidecar.tools.catalogue import find_tool, tool_names
from git_sidecar.tools.contract import AnyTool, ChangingInput, Preview, Progress, ToolContext, ToolInput
from git_sidecar.tools.validate import validate_arguments
from git_sidecar.tools.wire_values import Json

_PAGE = 50


@dataclass(frozen=True, slots=True)
class _Ready:
    """A call whose arguments are good and whose repository is open."""

    tool: AnyTool
    args: ToolInput
    place: Workplace
    context: ToolContext
    identity: CallIdentity


class Road:
    """Carries calls out."""

    def __init__(
        self, workspace: WorkspaceState, repositories: Repositories, consent: Consent, journal: Journal
    ) -> None:
        """Join the parts; each is made once, by the composition root."""
        self._workspace = workspace
        self._repositories = repositories
        self._consent = consent
        self._journal = journal
        self._lanes = WriteLanes()
        self._running: dict[str, asyncio.Task[object]] = {}

    def cancel(self, tool_call_id: str) -> bool:
        """End the call that has this id; whether there was one."""
        task = self._running.get(tool_call_id)
        return task is not None and task.cancel()

    async def call(self, call: ToolCallParams, session: str, progress: Progress) -> Json:
        """Carry a call out: the answer of tools/call. Raises GitUnavailable and CancelledError."""
        started = time.monotonic()
        meta = Meta(call.name, session)
        task = asyncio.current_task()
        if call.tool_call_id is not None and task is not None:
            self._running[call.tool_call_id] = task
        try:
            answer = await self._answer(call, session, meta, progress)
        finally:
            if call.tool_call_id is not None and self._running.get(call.tool_call_id) is task:
                del self._running[call.tool_call_id]
        answer["meta"]["durationMs"] = round((time.monotonic() - started) * 1_000)
        return answer

    async def _answer(self, call: ToolCallParams, session: str, meta: Meta, progress: Progress) -> Json:
        try:
            ready = await self._make_ready(call, session, progress)
            if isinstance(ready, Refusal):
                return answer_refused(ready, meta)
            meta.known = ready.place.known
            plan = await _make_plan(ready)
            if isinstance(plan, Refusal):
                meta.tier = ready.tool.tier
                return answer_refused(plan, meta)
            meta.tier = plan.tier if plan is not None else Tier.READ
            if plan is None or plan.tier is Tier.READ:
                return await self._read(ready, plan, meta)
            return await self._change(call, ready, plan, meta)
        except GitRefused as error:
            return answer_refused(error.refusal, meta)

    async def prepare(self, call: ToolCallParams, session: str, progress: Progress) -> Json:
        """What an editor shows before a call: the answer of tools/prepare. Runs reads only."""
        tool = find_tool(call.name)
        message = tool.title if tool is not None else call.name
        tier = tool.tier if tool is not None else None
        try:
            ready = await self._make_ready(call, session, progress)
            if isinstance(ready, Refusal):
                return prepared_value(message, tier, "deny", refusal=ready)
            tool = ready.tool
            message = f"{tool.announce(ready.args)} in {ready.place.known.label}"
            plan = await _make_plan(ready)
            if isinstance(plan, Refusal):
                return prepared_value(message, tier, "deny", refusal=plan)
            if plan is None or plan.tier is Tier.READ or tool.present is None:
                return prepared_value(message, Tier.READ, "allow")
            leave = await self._leave(ready, plan)
            if isinstance(leave, Refusal):
                return prepared_value(message, plan.tier, "deny", refusal=leave)
            if not leave.ask and leave.guard is None:
                return prepared_value(message, plan.tier, "allow")
            preview = await tool.present(ready.args, ready.context, plan)
            if leave.guard is not None:
                preview = Preview(
                    preview.title, f"{leave.guard.question}\n\n{preview.message}", preview.effects, preview.cards
                )
            ticket = self._consent.mint(ready.identity, plan)
            return prepared_value(
                message,
                plan.tier,
                "ask",
                confirmation=confirmation_value(plan, preview, ticket.text, ticket.expires_in_ms),
            )
        except GitRefused as error:
            return prepared_value(message, tier, "deny", refusal=error.refusal)

    async def _make_ready(self, call: ToolCallParams, session: str, progress: Progress) -> _Ready | Refusal:
        tool = find_tool(call.name)
        if tool is None:
            return Refusal(
                RefusalCode.UNKNOWN_TOOL,
                f"there is no tool {call.name!r}",
                f"The tools are: {', '.join(tool_names())}.",
            )
        args = validate_arguments(tool, call.arguments)
        if isinstance(args, Refusal):
            return args
        where = args.place()
        chosen = self._repositories.choose(where.repository, where.directory, allow_file=where.allow_file)
        if isinstance(chosen, Refusal):
            return chosen
        # git confirms the place before anything that could write there; reads rely on its last word.
        place = await self._repositories.open(*chosen, verify=tool.plan is not None)
        if isinstance(place, Refusal):
            return place
        if place.repository.location.bare and tool.needs_work_tree:
            return refuse_bare(place.known)
        context = ToolContext(
            repository=place.repository,
            directory=place.directory,
            settings=place.settings,
            allowed_roots=self._workspace.allowed_roots(),
            progress=progress,
            operations=self._journal.log_for(session, place),
            session=session,
            known=place.known,
        )
        identity = CallIdentity(
            call.name,
            session,
            call.tool_call_id,
            str(place.known.root),
            args.model_dump(mode="json", by_alias=True),
        )
        return _Ready(tool, args, place, context, identity)

    async def _read(self, ready: _Ready, plan: Plan | None, meta: Meta) -> Json:
        meta.tier = Tier.READ
        output = await ready.tool.run(ready.args, ready.context, plan)
        if isinstance(output, Refusal):
            return answer_refused(output, meta)
        await self._journal.saw(meta.session, ready.place)
        return answer_value(ready.tool, output, meta)

    async def _leave(self, ready: _Ready, plan: Plan) -> "_Leave | Refusal":
        """Whether the call may run: what must be asked, and what the person is warned of; or why not."""
        args = ready.args
        decision = self._consent.decide(
            ready.identity,
            plan,
            ready.place,
            trusted=self._workspace.trusted,
            settings_valid=self._workspace.settings.invalid is None,
        )
        if isinstance(decision, Deny):
            return decision.refusal
        confirmed = isinstance(args, ChangingInput) and args.confirm
        if plan.confirm_required and not confirmed:
            return Refusal(
                RefusalCode.CONFIRM_REQUIRED,
                f"`{shown_command(plan.command)}` is {plan.tier.value}: it needs confirm: true in the arguments",
                "Call again with confirm: true if you mean it; the person is asked all the same.",
            )
        mismatch = await self._check_head(ready)
        if mismatch is not None:
            return mismatch
        verdict = await self._journal.look(ready.identity.session, ready.place)
        if isinstance(verdict, Moved) and not confirmed:
            return verdict.refusal
        return _Leave(
            ask=isinstance(decision, Ask),
            guard=verdict if isinstance(verdict, Moved) else None,
            warning=verdict.warning if isinstance(verdict, Outside) else None,
        )

    async def _check_head(self, ready: _Ready) -> Refusal | None:
        expected = ready.args.expected_head if isinstance(ready.args, ChangingInput) else None
        if expected is None:
            return None
        repository = ready.place.repository
        head = await read_head(repository)
        if head.commit is not None and await names_commit(repository, expected, head.commit):
            return None
        return Refusal(
            RefusalCode.HEAD_MISMATCH,
            f"HEAD is at {head.commit or 'no commit yet'}, not at {expected!r}",
            "Look again with git_status and git_log before you call again.",
        )

    async def _change(self, call: ToolCallParams, ready: _Ready, plan: Plan, meta: Meta) -> Json:
        leave = await self._leave(ready, plan)
        if isinstance(leave, Refusal):
            return answer_refused(leave, meta)
        if leave.warning is not None:
            meta.warnings.append(leave.warning)
        ticket = call.ticket if leave.ask else None
        refusal = await self._ask(ready, plan, leave, ticket)
        if refusal is not None:
            return answer_refused(refusal, meta)
        agreed = plan if leave.ask or leave.guard is not None else None
        answer = await self._enter_lane(ready, agreed, leave, ticket, meta)
        if isinstance(answer, _Unkept):
            # Asked outside the lane, like every question; what was agreed to must still be so afterwards.
            refusal = await self._consent.confirm_unkept(ready.identity, plan, answer.reason, ready.place)
            if refusal is not None:
                return answer_refused(refusal, meta)
            answer = await self._enter_lane(ready, plan, leave, None, meta, unkept_agreed=True)
        return answer_refused(changed_since_confirmed(), meta) if isinstance(answer, _Unkept) else answer

    async def _enter_lane(
        self,
        ready: _Ready,
        agreed: Plan | None,
        leave: "_Leave",
        ticket: str | None,
        meta: Meta,
        *,
        unkept_agreed: bool = False,
    ) -> "Json | _Unkept":
        async with self._lanes.enter(ready.place.repository.location.common_dir):
            plan = await self._plan_in_lane(ready, agreed, leave, ticket)
            if isinstance(plan, Refusal):
                return answer_refused(plan, meta)
            return await self._run_and_record(ready, plan, meta, unkept_agreed=unkept_agreed)

    async def _ask(self, ready: _Ready, plan: Plan, leave: "_Leave", ticket: str | None) -> Refusal | None:
        if ticket is not None:
            refusal = self._consent.check(ticket, ready.identity, plan, spend=False)
            if refusal is not None:
                return refusal
        if leave.guard is not None:
            refusal = await self._consent.confirm_guard(ready.identity, plan, leave.guard.question, ready.place)
            if refusal is not None:
                return refusal
        if not leave.ask or ready.tool.present is None:
            return None
        # The editor's prompt earned the ticket; "always" means that a tool which was allowed there for good asks again.
        insists = plan.tier is Tier.DESTRUCTIVE and ready.place.settings.confirmation.destructive == "always"
        if ticket is not None and not insists:
            return None
        preview = await ready.tool.present(ready.args, ready.context, plan)
        return await self._consent.ask(ready.identity, plan, preview, ready.place)

    async def _plan_in_lane(
        self, ready: _Ready, agreed: Plan | None, leave: "_Leave", ticket: str | None
    ) -> Plan | Refusal:
        """The plan as it is now, if it is still what was agreed to."""
        plan = await _make_plan(ready)
        if plan is None:
            raise AssertionError("only planned calls enter the write lane")
        if isinstance(plan, Refusal):
            return plan
        if ticket is not None:
            refusal = self._consent.check(ticket, ready.identity, plan, spend=True)
            if refusal is not None:
                return refusal
        if agreed is not None and (plan.tier, plan.command, plan.basis) != (agreed.tier, agreed.command, agreed.basis):
            return changed_since_confirmed()
        again = await self._leave(ready, plan)
        if isinstance(again, Refusal):
            return again
        # A yes to one session's move is no yes to the next one's.
        if (again.ask and not leave.ask) or (again.guard is not None and again.guard != leave.guard):
            return changed_since_confirmed()
        return plan

    async def _run_and_record(self, ready: _Ready, plan: Plan, meta: Meta, *, unkept_agreed: bool) -> "Json | _Unkept":
        async with self._journal.operation(ready.identity, ready.place, plan) as running:
            if running.unkept is not None and not unkept_agreed and plan.tier is not Tier.WRITE:
                running.abandoned = True
                return _Unkept(running.unkept)
            output = await ready.tool.run(ready.args, ready.context, plan)
            running.failed = isinstance(output, Refusal)
        meta.operation_id = running.operation_id
        if running.unkept is not None:
            meta.warnings.append(f"This call cannot be undone: {running.unkept}.")
        if isinstance(output, Refusal):
            return answer_refused(output, meta)
        return answer_value(ready.tool, output, meta)

    async def undo_for_person(self, operation_id: str, session: str) -> Json:
        """Undo an operation as the person's own act: neither gated nor asked. Raises RefusedRequest."""
        found = self._journal.log.find(operation_id)
        if found is None:
            raise RefusedRequest(Refusal(RefusalCode.CANNOT_UNDO, f"there is no operation {operation_id!r}"))
        chosen = self._repositories.choose(found.root)
        if isinstance(chosen, Refusal):
            raise RefusedRequest(chosen)
        try:
            place = await self._repositories.open(*chosen, verify=True)
            if isinstance(place, Refusal):
                raise RefusedRequest(place)
            async with self._lanes.enter(place.repository.location.common_dir):
                return await self._undo_in_lane(place, operation_id, session)
        except GitRefused as error:
            raise RefusedRequest(error.refusal) from error

    async def _undo_in_lane(self, place: Workplace, operation_id: str, session: str) -> Json:
        log = self._journal.log_for(session, place)
        plan = await log.plan_undo(place.repository, operation_id)
        if isinstance(plan, Refusal):
            raise RefusedRequest(plan)
        call = CallIdentity("git/undo", session, None, str(place.known.root), {"operationId": operation_id})
        async with self._journal.operation(call, place, plan) as running:
            value = await log.undo(place.repository, plan)
            running.failed = isinstance(value, Refusal)
        if isinstance(value, Refusal):
            raise RefusedRequest(value)
        return value

    async def read_operations(self, params: OperationsParams) -> Json:
        """git/operations: a page of the log of one repository. Raises RefusedRequest."""
        place = await open_or_refuse(self._repositories, params.repository, bare=True)
        try:
            page, cursor = await self._journal.log.read_page(
                place.repository, count=params.count or _PAGE, cursor=params.cursor
            )
        except GitRefused as error:
            raise RefusedRequest(error.refusal) from error
        return {"operations": page, **({"nextCursor": cursor} if cursor is not None else {})}


@dataclass(frozen=True, slots=True)
class _Unkept:
    """The call has not run: nothing could be kept of what it may destroy."""

    reason: str


async def _make_plan(ready: _Ready) -> Plan | Refusal | None:
    """What the call would do; None for a tool that only reads."""
    return None if ready.tool.plan is None else await ready.tool.plan(ready.args, ready.context)


@dataclass(frozen=True, slots=True)
class _Leave:
    """What stands between a planned call and its run."""

    ask: bool
    guard: Moved | None
    warning: str | None
