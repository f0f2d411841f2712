"""The gate's whole table, row by row."""

import itertools
from dataclasses import replace

import pytest

from git_sidecar.model.refusal import RefusalCode, Retry
from git_sidecar.model.tier import Tier
from git_sidecar.policy.gate import Allow, Ask, Decision, Deny, GateSettings, decide, narrowed_tiers

OPEN = GateSettings(allow_writes=True, allow_destructive=True, allow_push=True)


def ruling(
    tier: Tier,
    settings: GateSettings = OPEN,
    *,
    trusted: bool = True,
    settings_valid: bool = True,
    granted: bool = False,
    forced: bool = False,
    command: tuple[str, ...] = (),
) -> Decision:
    return decide(
        tier,
        settings=settings,
        trusted=trusted,
        settings_valid=settings_valid,
        granted=granted,
        forced=forced,
        command=command,
    )


def refused(decision: Decision) -> RefusalCode:
    assert isinstance(decision, Deny)
    return decision.refusal.code


@pytest.mark.parametrize(("trusted", "valid"), list(itertools.product([True, False], repeat=2)))
def test_reads_always_run(trusted: bool, valid: bool) -> None:
    shut = GateSettings(allow_writes=False)
    assert ruling(Tier.READ, shut, trusted=trusted, settings_valid=valid) == Allow()


@pytest.mark.parametrize("tier", [Tier.WRITE, Tier.DESTRUCTIVE, Tier.NETWORK])
def test_no_grant_opens_an_untrusted_workspace_or_invalid_settings(tier: Tier) -> None:
    assert refused(ruling(tier, trusted=False, granted=True)) is RefusalCode.UNTRUSTED_WORKSPACE
    assert refused(ruling(tier, settings_valid=False, granted=True)) is RefusalCode.SETTINGS_INVALID


@pytest.mark.parametrize(
    ("tier", "field", "setting"),
    [
        (Tier.WRITE, "allow_writes", "allowWrites"),
        (Tier.DESTRUCTIVE, "allow_destructive", "allowDestructive"),
        (Tier.NETWORK, "allow_push", "allowPush"),
    ],
)
def test_a_switch_closes_its_tier_and_no_other(tier: Tier, field: str, setting: str) -> None:
    shut = replace(OPEN, **{field: False})
    decision = ruling(tier, shut, granted=True)
    assert isinstance(decision, Deny)
    assert decision.refusal.code is RefusalCode.DENIED_BY_POLICY
    assert decision.refusal.setting == setting
    assert decision.refusal.effective_retry is Retry.ENABLE_POLICY
    for other in {Tier.WRITE, Tier.DESTRUCTIVE, Tier.NETWORK} - {tier}:
        assert ruling(other, shut) == Ask()


@pytest.mark.parametrize(
    ("tier", "changes", "granted", "forced", "expected"),
    [
        (Tier.WRITE, {}, False, False, Ask()),
        (Tier.WRITE, {}, True, False, Allow()),
        (Tier.WRITE, {"confirm_write": "never"}, False, False, Allow()),
        (Tier.DESTRUCTIVE, {}, False, False, Ask()),
        (Tier.DESTRUCTIVE, {"confirm_write": "never"}, False, False, Ask()),
        (Tier.DESTRUCTIVE, {}, True, False, Allow()),
        (Tier.DESTRUCTIVE, {"confirm_destructive": "always"}, True, False, Ask()),
        (Tier.NETWORK, {}, False, False, Ask()),
        (Tier.NETWORK, {}, True, False, Allow()),
        (Tier.NETWORK, {}, True, True, Ask()),
        (Tier.NETWORK, {"confirm_write": "never"}, False, True, Ask()),
    ],
)
def test_who_is_asked(tier: Tier, changes: dict[str, str], granted: bool, forced: bool, expected: Decision) -> None:
    assert ruling(tier, replace(OPEN, **changes), granted=granted, forced=forced) == expected


@pytest.mark.parametrize(
    ("command", "tool"),
    [
        (("git", "reset", "--hard"), "git_restore"),
        (("git", "clean", "-fd"), "git_stash"),
        (("git", "commit", "--amend"), "git_commit without amend"),
        (("git", "rm", "x"), "git_add"),
        (("git", "branch", "-D", "x"), "git_branch (action rename)"),
        (("git", "unheard-of"), "git_stash"),
    ],
)
def test_a_destructive_refusal_names_the_narrower_tool(command: tuple[str, ...], tool: str) -> None:
    decision = ruling(Tier.DESTRUCTIVE, replace(OPEN, allow_destructive=False), command=command)
    assert isinstance(decision, Deny)
    assert tool in (decision.refusal.hint or "")
    assert "gitSidecar.allowDestructive" in (decision.refusal.hint or "")


def test_defaults_are_the_contracts() -> None:
    defaults = GateSettings()
    assert ruling(Tier.WRITE, defaults) == Ask()
    assert refused(ruling(Tier.DESTRUCTIVE, defaults)) is RefusalCode.DENIED_BY_POLICY
    assert refused(ruling(Tier.NETWORK, defaults)) is RefusalCode.DENIED_BY_POLICY


def test_narrowed_tiers() -> None:
    assert narrowed_tiers(OPEN, OPEN) == frozenset()
    assert narrowed_tiers(GateSettings(), OPEN) == frozenset()
    assert narrowed_tiers(OPEN, GateSettings()) == {Tier.DESTRUCTIVE, Tier.NETWORK}
    assert narrowed_tiers(replace(OPEN, confirm_write="never"), OPEN) == {Tier.WRITE}
    assert narrowed_tiers(OPEN, replace(OPEN, confirm_destructive="always")) == {Tier.DESTRUCTIVE}
