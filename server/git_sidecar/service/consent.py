"""Asking: a ticket that the editor's own prompt earned, or a question of ours; never anything a model wrote."""

import asyncio
import hashlib
import json
from dataclasses import dataclass, replace

from git_sidecar.model.plan import Effects, Plan, Undo
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.model.tier import Tier
from git_sidecar.policy.gate import Decision, decide
from git_sidecar.policy.grants import Grants
from git_sidecar.policy.tickets import Redemption, Ticket, TicketBook, key_of_arguments
from git_sidecar.service.answers import shown_command
from git_sidecar.service.card_form import card_value, effects_value
from git_sidecar.service.gate_settings import gate_settings
from git_sidecar.service.ports import Choice, Client, Question, Unanswerable
from git_sidecar.service.repositories import Workplace
from git_sidecar.tools.contract import Preview
from git_sidecar.tools.wire_values import Json

# Calls of one session, repository and tool that arrive within this time of each other are asked for by one question,
# which names them all. A person cannot tell a longer wait from a shorter one; twenty questions they can.
_GATHER_S = 0.03


@dataclass(frozen=True, slots=True)
class CallIdentity:
    """What a ticket is bound to besides the plan."""

    tool: str
    session: str
    tool_call_id: str | None
    repository: str
    arguments: Json


@dataclass(slots=True)
class _Batch:
    """Calls that wait for one answer."""

    asked: list[tuple[CallIdentity, Plan, Preview]]
    answer: asyncio.Future[Refusal | None]


class Consent:
    """The one place where a call above read gets its leave."""

    def __init__(self, client: Client, grants: Grants, tickets: TicketBook) -> None:
        """Ask through `client`."""
        self.grants = grants
        self._client = client
        self._tickets = tickets
        self._batches: dict[tuple[str, str, str], _Batch] = {}
        self._asking: set[asyncio.Task[None]] = set()

    def decide(
        self, call: CallIdentity, plan: Plan, place: Workplace, *, trusted: bool, settings_valid: bool
    ) -> Decision:
        """Whether the call may run, must be asked for, or is refused."""
        return decide(
            plan.tier,
            settings=gate_settings(place.settings),
            trusted=trusted,
            settings_valid=settings_valid,
            granted=self.grants.covers(
                session=call.session, tool=call.tool, repository=call.repository, tier=plan.tier, forced=plan.forced
            ),
            forced=plan.forced,
            command=plan.command,
        )

    def mint(self, call: CallIdentity, plan: Plan) -> Ticket:
        """A ticket for the call as it stands."""
        return self._tickets.mint(
            session=call.session,
            tool=call.tool,
            arguments_key=key_of_arguments(call.arguments),
            repository=call.repository,
            command=plan.command,
            basis=plan.basis,
        )

    def check(self, ticket: str, call: CallIdentity, plan: Plan, *, spend: bool) -> Refusal | None:
        """Whether the ticket answers for the call as it is planned now; with `spend`, once and for all."""
        redeem = self._tickets.redeem if spend else self._tickets.check
        outcome = redeem(
            ticket,
            session=call.session,
            tool=call.tool,
            arguments_key=key_of_arguments(call.arguments),
            repository=call.repository,
            command=plan.command,
            basis=plan.basis,
        )
        match outcome:
            case Redemption.OK:
                return None
            case Redemption.CHANGED_SINCE_CONFIRMED:
                return changed_since_confirmed()
            case _:
                return Refusal(
                    RefusalCode.TICKET_INVALID,
                    "this ticket is not for this call, or it was used or has expired",
                    "Prepare the call again (tools/prepare), so that the person is shown what will happen.",
                )

    def list_grants(self) -> Json:
        """git/grants: the standing ones, and those of the sessions of this server."""
        rows: list[Json] = [
            {"kind": "standing", "tool": grant.tool, "repository": grant.repository, "tier": grant.tier.value}
            for grant in self.grants.list_standing()
        ]
        rows += [
            {"kind": "session", "session": session, "repository": repository, "tier": tier.value}
            for session, repository, tier in self.grants.list_sessions()
        ]
        return {"grants": [{"grantId": _grant_id(row), **row} for row in rows]}

    def revoke_grant(self, grant_id: str) -> Json:
        """git/revokeGrant: take one back; what is left. An id that is not there is no error: it is gone already."""
        for row in self.list_grants()["grants"]:
            if row["grantId"] != grant_id:
                continue
            if row["kind"] == "standing":
                self.grants.revoke(tool=row["tool"], repository=row["repository"])
            else:
                self.grants.revoke_session(row["session"], row["repository"], Tier(row["tier"]))
        return self.list_grants()

    async def ask(self, call: CallIdentity, plan: Plan, preview: Preview, place: Workplace) -> Refusal | None:
        """Ask the person for this call; None is a yes. Calls that come together share one question, which names all.

        Destructive and network calls are asked for one by one: each has its own loss.
        """
        if plan.tier is not Tier.WRITE:
            return await self._put([(call, plan, preview)], place)
        key = (call.session, call.repository, call.tool)
        batch = self._batches.get(key)
        if batch is None:
            batch = _Batch([], asyncio.get_running_loop().create_future())
            self._batches[key] = batch
            task = asyncio.create_task(self._ask_together(key, batch, place))
            self._asking.add(task)
            task.add_done_callback(self._asking.discard)
        batch.asked.append((call, plan, preview))
        return await asyncio.shield(batch.answer)

    async def _ask_together(self, key: tuple[str, str, str], batch: _Batch, place: Workplace) -> None:
        try:
            await asyncio.sleep(_GATHER_S)
            # From here on a call waits for the next question: it was not on the one that the person now sees.
            del self._batches[key]
            answer = await self._put(batch.asked, place)
        except BaseException as error:
            self._batches.pop(key, None)
            if not batch.answer.done():
                batch.answer.set_exception(error)
                batch.answer.exception()
            raise
        if not batch.answer.done():
            batch.answer.set_result(answer)

    async def _put(self, asked: list[tuple[CallIdentity, Plan, Preview]], place: Workplace) -> Refusal | None:
        call, plan, preview = asked[0]
        if len(asked) > 1:
            preview = _merge([item[2] for item in asked], [item[1] for item in asked])
        question = Question(
            name=call.tool,
            session_id=call.session,
            tool_call_id=call.tool_call_id,
            title=preview.title,
            message=preview.message,
            command=plan.command,
            effects=effects_value(preview.effects, plan.undo),
            cards=tuple(card_value(card) for card in preview.cards),
            tier=plan.tier.value,
        )
        return await self._answer(question, call, plan, place)

    async def confirm_guard(self, call: CallIdentity, plan: Plan, question: str, place: Workplace) -> Refusal | None:
        """Ask for leave to pass another session's move: apart from the tier's own question, and for this once."""
        return await self._put_apart("Another session moved this repository", question, call, plan, place)

    async def confirm_unkept(self, call: CallIdentity, plan: Plan, reason: str, place: Workplace) -> Refusal | None:
        """Ask for leave to run a call that cannot be undone; `snapshot_failed` without it."""
        message = f"`{shown_command(plan.command)}` cannot be undone: {reason}. Run it all the same?"
        final = replace(plan, undo=Undo.NONE)
        refusal = await self._put_apart("This call cannot be undone", message, call, final, place)
        if refusal is None:
            return None
        return Refusal(
            RefusalCode.SNAPSHOT_FAILED,
            f"what the call can destroy could not be kept ({reason}), and the person did not agree to lose it",
            "Free the space or raise gitSidecar.undo.maxBytes, or let the person run it.",
        )

    async def _put_apart(
        self, title: str, message: str, call: CallIdentity, plan: Plan, place: Workplace
    ) -> Refusal | None:
        question = Question(
            name=call.tool,
            session_id=call.session,
            tool_call_id=call.tool_call_id,
            title=title,
            message=message,
            command=plan.command,
            effects=effects_value(Effects(), plan.undo),
            cards=(),
            tier=plan.tier.value,
        )
        # `forced`: such a yes covers this one call and never the session.
        return await self._answer(question, call, replace(plan, forced=True), place)

    async def _answer(self, question: Question, call: CallIdentity, plan: Plan, place: Workplace) -> Refusal | None:
        timeout_s = place.settings.confirmation.timeout_ms / 1_000
        try:
            choice = await asyncio.wait_for(self._client.confirm(question), timeout_s)
        except TimeoutError:
            return _denied(f"the person did not answer within {timeout_s:g} s")
        except Unanswerable:
            # Writes are reversible and allowed by the person's settings; the others need an answer.
            return None if plan.tier is Tier.WRITE and not plan.forced else _nobody_to_ask()
        if choice is Choice.ALLOW_SESSION:
            self.grants.allow_session(
                session=call.session, repository=call.repository, tier=plan.tier, forced=plan.forced
            )
        return _denied("the person did not allow it") if choice is Choice.DENY else None


def _grant_id(row: Json) -> str:
    return hashlib.sha256(json.dumps(row, sort_keys=True).encode()).hexdigest()[:16]


def changed_since_confirmed() -> Refusal:
    """The refusal of a call whose basis moved between the person's yes and now."""
    return Refusal(
        RefusalCode.CHANGED_SINCE_CONFIRMED,
        "what the person agreed to has changed since",
        "Look again and prepare the call anew.",
    )


def _denied(why: str) -> Refusal:
    return Refusal(RefusalCode.DENIED_BY_USER, why, "Do not try again unless the person asks for it.")


def _nobody_to_ask() -> Refusal:
    return Refusal(
        RefusalCode.CONFIRMATION_UNAVAILABLE,
        "this call needs a person's yes and there is nobody to ask",
        "Use a client that can ask, or let the person run it.",
    )


def _merge(previews: list[Preview], plans: list[Plan]) -> Preview:
    """One question for several calls: every command and every card."""
    lines = "\n".join(f"- `{shown_command(plan.command)}`" for plan in plans)
    return Preview(
        title=f"{previews[0].title} (and {len(previews) - 1} more)",
        message=f"{len(previews)} calls wait together:\n\n{lines}\n\n" + "\n\n".join(item.message for item in previews),
        effects=_sum([item.effects for item in previews]),
        cards=tuple(card for item in previews for card in item.cards),
    )


def _sum(effects: list[Effects]) -> Effects:
    """What several writes do together; they lose nothing, so only files and refs count."""
    files = [item.files_changed for item in effects if item.files_changed is not None]
    return Effects(
        files_changed=sum(files) if files else None, refs=tuple(ref for item in effects for ref in item.refs)
    )
