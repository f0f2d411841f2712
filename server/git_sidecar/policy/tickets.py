"""Tickets: a person's yes to one call, which nothing that a model writes can stand in for (wire contract, section 4).

A ticket is bound to (session, tool, arguments, repository, command) and to the call's basis: what the person was shown.
It lives in this process's memory and nowhere else, so no other process can be talked into honouring it.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

LIFETIME_S = 600.0
# Twenty calls prepared together are usual; a client that never calls must not fill the memory.
MOST_TICKETS = 2_000
_TOKEN_BYTES = 32


class Redemption(StrEnum):
    """What became of a ticket that a call brought; the refusals' names are their codes."""

    OK = "ok"
    TICKET_INVALID = "ticket_invalid"
    CHANGED_SINCE_CONFIRMED = "changed_since_confirmed"


class Ticket(NamedTuple):
    """What a client is given: the opaque text, and for how many milliseconds it holds."""

    text: str
    expires_in_ms: int


_Call = tuple[str, str, str, str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class _Entry:
    call: _Call
    basis_key: str
    text: str
    expires_s: float


class TicketBook:
    """The tickets that are out; `clock` gives seconds that never go back."""

    def __init__(
        self, clock: Callable[[], float], *, lifetime_s: float = LIFETIME_S, limit: int = MOST_TICKETS
    ) -> None:
        """Start with no ticket out."""
        self._clock = clock
        self._lifetime_s = lifetime_s
        self._limit = limit
        self._entries: dict[bytes, _Entry] = {}

    def __len__(self) -> int:
        """How many tickets are out, expired ones included until they are swept."""
        return len(self._entries)

    def mint(
        self,
        *,
        session: str,
        tool: str,
        arguments_key: str,
        repository: str,
        command: tuple[str, ...],
        basis: Mapping[str, str],
    ) -> Ticket:
        """A new ticket for the call as it stands; where too many are out, the oldest goes.

        `arguments_key` is made by key_of_arguments, `repository` is the key that the service gives repositories.
        """
        now_s = self._clock()
        self._sweep(now_s)
        text = secrets.token_urlsafe(_TOKEN_BYTES)
        call = (session, tool, arguments_key, repository, command)
        self._entries[_name_of(text)] = _Entry(call, key_of_arguments(basis), text, now_s + self._lifetime_s)
        return Ticket(text, int(self._lifetime_s * 1000))

    def check(
        self,
        ticket: str,
        *,
        session: str,
        tool: str,
        arguments_key: str,
        repository: str,
        command: tuple[str, ...],
        basis: Mapping[str, str],
    ) -> Redemption:
        """What redeeming would give, without spending: for a call that still waits for its lane."""
        entry = self._find(ticket)
        if entry is None or entry.call != (session, tool, arguments_key, repository, command):
            return Redemption.TICKET_INVALID
        if not hmac.compare_digest(entry.basis_key, key_of_arguments(basis)):
            return Redemption.CHANGED_SINCE_CONFIRMED
        return Redemption.OK

    def redeem(
        self,
        ticket: str,
        *,
        session: str,
        tool: str,
        arguments_key: str,
        repository: str,
        command: tuple[str, ...],
        basis: Mapping[str, str],
    ) -> Redemption:
        """Spend the ticket of the call that has entered the write lane.

        A ticket brought by another call than its own stays good for its own; one whose basis has changed is spent,
        since the person agreed to what is no longer there.
        """
        outcome = self.check(
            ticket,
            session=session,
            tool=tool,
            arguments_key=arguments_key,
            repository=repository,
            command=command,
            basis=basis,
        )
        if outcome is not Redemption.TICKET_INVALID:
            del self._entries[_name_of(ticket)]
        return outcome

    def void_session(self, session: str) -> None:
        """Forget the tickets of a session that has ended."""
        self._entries = {name: entry for name, entry in self._entries.items() if entry.call[0] != session}

    def _find(self, text: str) -> _Entry | None:
        # Looked up by a hash, so that how long a miss takes says nothing about the tickets that are out.
        entry = self._entries.get(_name_of(text))
        if entry is None or not hmac.compare_digest(entry.text.encode(), text.encode("utf-8", "surrogatepass")):
            return None
        return entry if self._clock() < entry.expires_s else None

    def _sweep(self, now_s: float) -> None:
        # Dicts keep the order of minting and every ticket lives equally long, so the oldest come first.
        for name in [name for name, entry in self._entries.items() if entry.expires_s <= now_s]:
            del self._entries[name]
        while len(self._entries) >= self._limit:
            del self._entries[next(iter(self._entries))]


def key_of_arguments(arguments: Mapping[str, object]) -> str:
    """A hash of validated arguments (defaults filled in): hex SHA-256 of their canonical JSON.

    Key order does not matter, every value and its JSON type does (1, 1.0, true and "1" all differ).
    """
    canonical = json.dumps(arguments, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()


def _name_of(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
