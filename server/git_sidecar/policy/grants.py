"""What a person has allowed beyond one call: for a session, or standing (wire contract, section 4). Pure, no I/O.

The service owns one `Grants` and passes it around; nothing here outlives the process.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from git_sidecar.model.tier import Tier


@dataclass(frozen=True, slots=True, order=True)
class StandingGrant:
    """Always allow this tool in this repository.

    `tier` is the tier that the person saw when granting: a tool whose tier depends on its arguments (git_branch) is
    covered up to what was agreed to and not beyond. `repository` is the key that the service gives repositories.
    """

    tool: str
    repository: str
    tier: Tier


_FOR_SESSIONS = frozenset({Tier.WRITE, Tier.NETWORK})


class Grants:
    """The grants that hold now."""

    def __init__(self, standing: Iterable[StandingGrant] = ()) -> None:
        """Start with the standing grants that were kept, and no session's."""
        self._sessions: set[tuple[str, str, Tier]] = set()
        self._standing: set[StandingGrant] = set(standing)

    def allow_session(self, *, session: str, repository: str, tier: Tier, forced: bool = False) -> bool:
        """Cover this session's further calls of the tier in the repository; whether anything was granted.

        Destructive calls and forced pushes are never covered, so a yes to one of them is a yes to that call alone.
        """
        if tier not in _FOR_SESSIONS or forced:
            return False
        self._sessions.add((session, repository, tier))
        return True

    def allow_standing(self, grant: StandingGrant) -> None:
        """Cover every session's calls of the tool in the repository, until taken back."""
        self._standing.add(grant)

    def covers(self, *, session: str, tool: str, repository: str, tier: Tier, forced: bool) -> bool:
        """Whether a grant answers for this call; a forced push is never covered."""
        if forced:
            return False
        return (session, repository, tier) in self._sessions or StandingGrant(tool, repository, tier) in self._standing

    def list_standing(self) -> tuple[StandingGrant, ...]:
        """The standing grants, in a stable order (`git/grants`)."""
        return tuple(sorted(self._standing))

    def list_sessions(self) -> tuple[tuple[str, str, Tier], ...]:
        """What sessions were granted, as (session, repository, tier), in a stable order."""
        return tuple(sorted(self._sessions))

    def revoke_session(self, session: str, repository: str, tier: Tier) -> None:
        """Take back what a session was granted in a repository."""
        self._sessions.discard((session, repository, tier))

    def revoke(self, *, tool: str, repository: str) -> tuple[StandingGrant, ...]:
        """Take back the standing grants of a tool in a repository; those that were taken back.

        The sessions' grants of the same tiers there go too: the person wants to be asked again.
        """
        revoked = tuple(sorted(g for g in self._standing if (g.tool, g.repository) == (tool, repository)))
        self._standing.difference_update(revoked)
        tiers = {grant.tier for grant in revoked}
        self._sessions = {g for g in self._sessions if not (g[1] == repository and g[2] in tiers)}
        return revoked

    def narrow(self, tiers: Iterable[Tier], *, repository: str | None = None) -> tuple[StandingGrant, ...]:
        """Take back every grant of the given tiers, in one repository or (None) in all; the standing ones among them.

        Called with gate.narrowed_tiers when settings change: what was granted under wider settings is asked for again.
        """
        gone = frozenset(tiers)

        def is_revoked(tier: Tier, place: str) -> bool:
            return tier in gone and repository in {None, place}

        revoked = tuple(sorted(grant for grant in self._standing if is_revoked(grant.tier, grant.repository)))
        self._standing.difference_update(revoked)
        self._sessions = {grant for grant in self._sessions if not is_revoked(grant[2], grant[1])}
        return revoked

    def end_session(self, session: str) -> None:
        """Forget what was granted to a session that has ended."""
        self._sessions = {grant for grant in self._sessions if grant[0] != session}
