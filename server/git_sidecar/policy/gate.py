"""The gate: tier, settings, trust and grants to allow, ask or deny (wire contract, section 4 and 7). One pure table."""

from dataclasses import dataclass
from typing import Literal

from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.model.tier import Tier
from git_sidecar.policy.narrower import narrower_hint


@dataclass(frozen=True, slots=True)
class GateSettings:
    """The settings that decide who may do what; names and meanings as in the wire contract, section 7."""

    allow_writes: bool = True
    allow_destructive: bool = False
    allow_push: bool = False
    confirm_write: Literal["ask", "never"] = "ask"
    confirm_destructive: Literal["ask", "always"] = "ask"


@dataclass(frozen=True, slots=True)
class Allow:
    """The call may run without a question."""


@dataclass(frozen=True, slots=True)
class Ask:
    """The call may run once a person has said yes."""


@dataclass(frozen=True, slots=True)
class Deny:
    """The call may not run, whatever a person says now."""

    refusal: Refusal


Decision = Allow | Ask | Deny

_SWITCH = {Tier.WRITE: "allowWrites", Tier.DESTRUCTIVE: "allowDestructive", Tier.NETWORK: "allowPush"}
_KIND = {
    Tier.WRITE: "Calls that write",
    Tier.DESTRUCTIVE: "Calls that can destroy work",
    Tier.NETWORK: "Calls that contact a remote",
}


def decide(
    tier: Tier,
    *,
    settings: GateSettings,
    trusted: bool,
    settings_valid: bool,
    granted: bool,
    forced: bool,
    command: tuple[str, ...] = (),
) -> Decision:
    """Whether a call of this tier may run, must be asked for, or is refused.

    `granted`: a session or standing grant covers the call; `forced`: a forced push, which no grant covers. `command` is
    what would run, and only chooses the hint. Reads always run: of an untrusted workspace and under the last good
    settings too.
    """
    if tier is Tier.READ:
        return Allow()
    if not trusted:
        return Deny(
            Refusal(
                RefusalCode.UNTRUSTED_WORKSPACE,
                "this workspace is not trusted, so only reads run in it",
                "The person can trust the workspace in the editor; reading tools work without it.",
            )
        )
    if not settings_valid:
        return Deny(
            Refusal(
                RefusalCode.SETTINGS_INVALID,
                "the gitSidecar settings are invalid, so only reads run until they are mended",
                "The person mends the settings that the editor's message names; nothing is guessed.",
            )
        )
    if not _is_switched_on(tier, settings):
        return Deny(_switched_off(tier, command))
    return _ask_or_allow(tier, settings, covered=granted and not forced)


def narrowed_tiers(old: GateSettings, new: GateSettings) -> frozenset[Tier]:
    """The tiers that `new` holds tighter than `old` in any way: their grants are to be revoked at once."""
    tighter = {
        Tier.WRITE: (old.allow_writes and not new.allow_writes)
        or (old.confirm_write == "never" and new.confirm_write == "ask"),
        Tier.DESTRUCTIVE: (old.allow_destructive and not new.allow_destructive)
        or (old.confirm_destructive == "ask" and new.confirm_destructive == "always"),
        Tier.NETWORK: old.allow_push and not new.allow_push,
    }
    return frozenset(tier for tier, is_tighter in tighter.items() if is_tighter)


def _ask_or_allow(tier: Tier, settings: GateSettings, *, covered: bool) -> Decision:
    match tier:
        case Tier.WRITE:
            return Allow() if covered or settings.confirm_write == "never" else Ask()
        case Tier.DESTRUCTIVE:
            return Allow() if covered and settings.confirm_destructive == "ask" else Ask()
        case _:
            return Allow() if covered else Ask()


def _is_switched_on(tier: Tier, settings: GateSettings) -> bool:
    match tier:
        case Tier.WRITE:
            return settings.allow_writes
        case Tier.DESTRUCTIVE:
            return settings.allow_destructive
        case _:
            return settings.allow_push


def _switched_off(tier: Tier, command: tuple[str, ...]) -> Refusal:
    setting = _SWITCH[tier]
    way_out = f"The person can switch on gitSidecar.{setting}."
    narrower = narrower_hint(command) if tier is Tier.DESTRUCTIVE else None
    return Refusal(
        RefusalCode.DENIED_BY_POLICY,
        f"{_KIND[tier]} are switched off (gitSidecar.{setting})",
        f"{narrower} {way_out}" if narrower else way_out,
        setting=setting,
    )
