"""One value, and what is rendered from it: the shapes of tools/call and tools/prepare (wire contract, section 4)."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from git_sidecar.model.plan import Plan
from git_sidecar.model.refusal import Refusal
from git_sidecar.model.repository import KnownRepository
from git_sidecar.model.tier import Tier
from git_sidecar.service.card_form import card_value, effects_value
from git_sidecar.service.wire_form import refusal_text, refusal_value
from git_sidecar.tools.contract import AnyTool, Preview, ToolOutput
from git_sidecar.tools.wire_values import Json


@dataclass(slots=True)
class Meta:
    """What is known of a call besides its value."""

    tool: str
    session: str
    tier: Tier | None = None
    known: KnownRepository | None = None
    operation_id: str | None = None
    duration_ms: int = 0
    warnings: list[str] = field(default_factory=list[str])

    def value(self, *, truncated: bool) -> Json:
        """The `meta` of an answer."""
        meta: Json = {
            "tool": self.tool,
            "tier": self.tier.value if self.tier else None,
            "durationMs": self.duration_ms,
            "truncated": truncated,
            "warnings": self.warnings,
            "sessionId": self.session,
        }
        if self.known is not None:
            meta["repository"] = {"label": self.known.label, "root": str(self.known.root)}
        if self.operation_id is not None:
            meta["operationId"] = self.operation_id
        return meta


def answer_refused(refusal: Refusal, meta: Meta) -> Json:
    """The answer of a call that was refused."""
    error = refusal_value(refusal)
    return {"ok": False, "error": error, "text": refusal_text(error), "cards": [], "meta": meta.value(truncated=False)}


def answer_value(tool: AnyTool, output: ToolOutput, meta: Meta) -> Json:
    """The answer of a call that was carried out; text and cards are rendered from the value as it is sent."""
    value: dict[str, Any] = output.model_dump(mode="json", by_alias=True)
    return {
        "ok": True,
        "value": value,
        "text": tool.render(output),
        "cards": [card_value(card) for card in tool.cards(output)],
        "meta": meta.value(truncated=value.get("truncated") is True),
    }


def confirmation_value(plan: Plan, preview: Preview, ticket: str, expires_in_ms: int) -> Json:
    """The `confirmation` of a prepared call: what an editor shows, and the ticket that a person's yes sends back."""
    return {
        "title": preview.title,
        "message": preview.message,
        "command": list(plan.command),
        "effects": effects_value(preview.effects, plan.undo),
        "cards": [card_value(card) for card in preview.cards],
        "ticket": ticket,
        "expiresInMs": expires_in_ms,
    }


def prepared_value(
    message: str,
    tier: Tier | None,
    decision: str,
    *,
    refusal: Refusal | None = None,
    confirmation: Json | None = None,
) -> Json:
    """The answer of tools/prepare."""
    value: Json = {"invocationMessage": message, "tier": tier.value if tier else None, "decision": decision}
    if refusal is not None:
        value["refusal"] = refusal_value(refusal)
    if confirmation is not None:
        value["confirmation"] = confirmation
    return value


def shown_command(command: Sequence[str]) -> str:
    """A command as one line for a person; quoted only where it would be misread."""
    return " ".join(part if part and not set(part) & set(" \t\n\"'\\$`") else json.dumps(part) for part in command)
