"""Twelve ways to forge, replay, alter, delay or share a ticket, and the ways that a ticket must pass."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from git_sidecar.policy.tickets import LIFETIME_S, MOST_TICKETS, Redemption, TicketBook, key_of_arguments


@dataclass
class Clock:
    now_s: float = 1000.0

    def __call__(self) -> float:
        return self.now_s


ARGUMENTS = {"paths": ["a.txt"], "confirm": True, "staged": False}
CALL: dict[str, Any] = {
    "session": "a",
    "tool": "git_restore",
    "arguments_key": key_of_arguments(ARGUMENTS),
    "repository": "/r",
    "command": ("git", "restore", "--", "a.txt"),
    "basis": {"head": "1" * 40, "a.txt": "2" * 40},
}


def call(**changes: Any) -> dict[str, Any]:
    return {**CALL, **changes}


@dataclass
class Bench:
    clock: Clock = field(default_factory=Clock)

    def __post_init__(self) -> None:
        self.book = TicketBook(self.clock)
        self.ticket = self.book.mint(**CALL).text

    def redeem(self, ticket: str | None = None, **changes: Any) -> Redemption:
        return self.book.redeem(self.ticket if ticket is None else ticket, **call(**changes))


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_the_call_that_was_shown_passes_once(bench: Bench) -> None:
    assert bench.redeem() is Redemption.OK


def test_1_replayed(bench: Bench) -> None:
    bench.redeem()
    assert bench.redeem() is Redemption.TICKET_INVALID


def test_2_invented(bench: Bench) -> None:
    for text in ("", "yes", "true", "A" * 43, "\udc80", "0" * 1_000_000):
        assert bench.redeem(text) is Redemption.TICKET_INVALID


@pytest.mark.parametrize("at", [0, 20, -1])
def test_3_altered(bench: Bench, at: int) -> None:
    letters = list(bench.ticket)
    letters[at] = "A" if letters[at] != "A" else "B"
    assert bench.redeem("".join(letters)) is Redemption.TICKET_INVALID
    assert bench.redeem(bench.ticket + "=") is Redemption.TICKET_INVALID
    assert bench.redeem(f" {bench.ticket}") is Redemption.TICKET_INVALID
    assert bench.redeem() is Redemption.OK


def test_4_delayed_past_its_time(bench: Bench) -> None:
    bench.clock.now_s += LIFETIME_S
    assert bench.redeem() is Redemption.TICKET_INVALID


def test_5_shared_with_another_session(bench: Bench) -> None:
    assert bench.redeem(session="b") is Redemption.TICKET_INVALID


def test_6_taken_to_another_tool(bench: Bench) -> None:
    assert bench.redeem(tool="git_push") is Redemption.TICKET_INVALID


@pytest.mark.parametrize(
    "arguments",
    [
        {**ARGUMENTS, "paths": ["a.txt", "b.txt"]},
        {**ARGUMENTS, "confirm": False},
        {**ARGUMENTS, "staged": 0},
        {**ARGUMENTS, "extra": None},
        {**ARGUMENTS, "paths": ["A.txt"]},
    ],
)
def test_7_taken_to_other_arguments(bench: Bench, arguments: dict[str, object]) -> None:
    assert bench.redeem(arguments_key=key_of_arguments(arguments)) is Redemption.TICKET_INVALID


def test_8_taken_to_another_repository(bench: Bench) -> None:
    assert bench.redeem(repository="/other") is Redemption.TICKET_INVALID


@pytest.mark.parametrize("command", [("git", "restore", "--", "a.txt", "b.txt"), ("git", "restore -- a.txt"), ()])
def test_9_taken_to_another_command(bench: Bench, command: tuple[str, ...]) -> None:
    assert bench.redeem(command=command) is Redemption.TICKET_INVALID


@pytest.mark.parametrize(
    "basis", [{}, {"head": "1" * 40}, {**CALL["basis"], "a.txt": "3" * 40}, {**CALL["basis"], "b.txt": "2" * 40}]
)
def test_10_used_after_what_was_shown_has_changed(bench: Bench, basis: dict[str, str]) -> None:
    assert bench.redeem(basis=basis) is Redemption.CHANGED_SINCE_CONFIRMED
    # The person agreed to what is gone: putting it back does not bring the yes back.
    assert bench.redeem() is Redemption.TICKET_INVALID


def test_11_carried_to_another_process(bench: Bench) -> None:
    elsewhere = TicketBook(bench.clock)
    assert elsewhere.redeem(bench.ticket, **CALL) is Redemption.TICKET_INVALID


def test_12_kept_after_the_session_ended(bench: Bench) -> None:
    bench.book.void_session("a")
    assert bench.redeem() is Redemption.TICKET_INVALID


def test_a_mismatch_leaves_the_ticket_good_for_its_own_call(bench: Bench) -> None:
    changes: list[dict[str, Any]] = [
        {"session": "b"},
        {"tool": "git_clean"},
        {"command": ("git",)},
        {"repository": "/x"},
    ]
    for change in changes:
        assert bench.redeem(**change) is Redemption.TICKET_INVALID
    assert bench.redeem() is Redemption.OK


def test_checking_spends_nothing(bench: Bench) -> None:
    assert bench.book.check(bench.ticket, **CALL) is Redemption.OK
    assert bench.book.check(bench.ticket, **call(basis={})) is Redemption.CHANGED_SINCE_CONFIRMED
    assert bench.redeem() is Redemption.OK


def test_twenty_prepared_together_all_pass(bench: Bench) -> None:
    tickets = [bench.book.mint(**call(arguments_key=str(number))).text for number in range(20)]
    assert len(set(tickets)) == 20
    outcomes = [bench.redeem(ticket, arguments_key=str(number)) for number, ticket in enumerate(tickets)]
    assert outcomes == [Redemption.OK] * 20


def test_just_before_its_time_is_up_it_holds(bench: Bench) -> None:
    bench.clock.now_s += LIFETIME_S - 0.001
    assert bench.redeem() is Redemption.OK


def test_what_is_minted_is_told_with_its_time(bench: Bench) -> None:
    ticket, expires_in_ms = bench.book.mint(**CALL)
    assert expires_in_ms == 600_000
    assert len(ticket) >= 43  # 32 random bytes


def test_the_book_is_bounded_and_forgets_the_oldest(bench: Bench) -> None:
    newest = [bench.book.mint(**CALL).text for _ in range(MOST_TICKETS + 50)][-1]
    assert len(bench.book) == MOST_TICKETS
    assert bench.redeem() is Redemption.TICKET_INVALID
    assert bench.redeem(newest) is Redemption.OK


def test_arguments_are_compared_by_meaning() -> None:
    assert key_of_arguments({"a": 1, "b": [1, 2]}) == key_of_arguments({"b": [1, 2], "a": 1})
    keys = [key_of_arguments({"a": value}) for value in (1, 1.0, True, "1", None, [1], [[1]], "\udc80", "\ufffd")]
    assert len(set(keys)) == len(keys)
