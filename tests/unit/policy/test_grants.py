"""What a person's wider yes covers, and how it ends."""

import pytest

from git_sidecar.model.tier import Tier
from git_sidecar.policy.grants import Grants, StandingGrant


def covers(grants: Grants, tier: Tier = Tier.WRITE, **changes: object) -> bool:
    call: dict[str, object] = {"session": "a", "tool": "git_add", "repository": "/r", "forced": False, **changes}
    return grants.covers(tier=tier, **call)  # pyright: ignore[reportArgumentType] - changes are this test's own


def test_a_session_grant_covers_that_session_repository_and_tier() -> None:
    grants = Grants()
    assert grants.allow_session(session="a", repository="/r", tier=Tier.WRITE)
    assert covers(grants)
    assert covers(grants, tool="git_commit")
    assert not covers(grants, session="b")
    assert not covers(grants, repository="/other")
    assert not covers(grants, Tier.NETWORK)
    assert not covers(grants, Tier.DESTRUCTIVE)


@pytest.mark.parametrize(("tier", "forced"), [(Tier.DESTRUCTIVE, False), (Tier.NETWORK, True), (Tier.READ, False)])
def test_destructive_calls_and_forced_pushes_are_never_granted_to_a_session(tier: Tier, forced: bool) -> None:
    grants = Grants()
    assert not grants.allow_session(session="a", repository="/r", tier=tier, forced=forced)
    assert not covers(grants, tier)


def test_no_grant_covers_a_forced_push() -> None:
    grants = Grants([StandingGrant("git_push", "/r", Tier.NETWORK)])
    grants.allow_session(session="a", repository="/r", tier=Tier.NETWORK)
    assert covers(grants, Tier.NETWORK, tool="git_push")
    assert not covers(grants, Tier.NETWORK, tool="git_push", forced=True)


def test_a_standing_grant_covers_every_session_but_only_the_tier_that_was_shown() -> None:
    grants = Grants([StandingGrant("git_branch", "/r", Tier.WRITE)])
    assert covers(grants, tool="git_branch")
    assert covers(grants, tool="git_branch", session="b")
    assert not covers(grants, Tier.DESTRUCTIVE, tool="git_branch")
    assert not covers(grants, tool="git_add")


def test_revoking_takes_the_sessions_grants_of_that_tier_along() -> None:
    grants = Grants()
    grants.allow_standing(StandingGrant("git_add", "/r", Tier.WRITE))
    grants.allow_standing(StandingGrant("git_add", "/other", Tier.WRITE))
    grants.allow_session(session="a", repository="/r", tier=Tier.WRITE)
    grants.allow_session(session="a", repository="/other", tier=Tier.WRITE)
    assert grants.revoke(tool="git_add", repository="/r") == (StandingGrant("git_add", "/r", Tier.WRITE),)
    assert not covers(grants)
    assert covers(grants, repository="/other")
    assert grants.list_standing() == (StandingGrant("git_add", "/other", Tier.WRITE),)
    assert grants.revoke(tool="git_add", repository="/r") == ()


def test_narrowing_revokes_the_tiers_everywhere_or_in_one_repository() -> None:
    def filled() -> Grants:
        grants = Grants(
            [StandingGrant("git_clean", "/r", Tier.DESTRUCTIVE), StandingGrant("git_add", "/r", Tier.WRITE)]
        )
        for repository in ("/r", "/other"):
            grants.allow_session(session="a", repository=repository, tier=Tier.WRITE)
        return grants

    everywhere = filled()
    assert everywhere.narrow([Tier.WRITE]) == (StandingGrant("git_add", "/r", Tier.WRITE),)
    assert not covers(everywhere)
    assert not covers(everywhere, repository="/other")
    assert covers(everywhere, Tier.DESTRUCTIVE, tool="git_clean")

    here = filled()
    here.narrow([Tier.WRITE], repository="/r")
    assert not covers(here)
    assert covers(here, repository="/other")


def test_an_ended_session_leaves_nothing() -> None:
    grants = Grants()
    grants.allow_session(session="a", repository="/r", tier=Tier.WRITE)
    grants.end_session("a")
    assert not covers(grants)


def test_session_grants_are_listed_and_taken_back_one_by_one() -> None:
    grants = Grants()
    grants.allow_session(session="b", repository="/r", tier=Tier.NETWORK)
    grants.allow_session(session="a", repository="/r", tier=Tier.WRITE)
    assert grants.list_sessions() == (("a", "/r", Tier.WRITE), ("b", "/r", Tier.NETWORK))
    grants.revoke_session("a", "/r", Tier.WRITE)
    assert not covers(grants)
    assert grants.list_sessions() == (("b", "/r", Tier.NETWORK),)
    grants.revoke_session("a", "/r", Tier.WRITE)
