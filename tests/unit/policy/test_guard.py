"""Who moved a worktree, told apart: this session, another one, something outside."""

from datetime import UTC

import pytest

from git_sidecar.model.fingerprint import HeadState
from git_sidecar.model.refusal import RefusalCode, Retry
from git_sidecar.model.standing import Move, ReflogEntry, Seen, Standing
from git_sidecar.policy.guard import Fine, Moved, Outside, Verdict, compare

TWO_PAST_TWO_MS = (14 * 3600 + 2 * 60) * 1000


def standing(commit: str = "1", branch: str | None = "main", index: str = "i1", staged: str | None = "s1") -> Standing:
    return Standing(HeadState(commit * 40, branch), index, staged)


def move(after: Standing, *, session: str = "b", sequence: int = 5, before: Standing | None = None) -> Move:
    return Move(sequence, session, "git_commit", before or standing(), after, TWO_PAST_TWO_MS)


def judge(
    seen: Standing | None, now: Standing, last: Move | None, *, at: int = 4, reflog: tuple[ReflogEntry, ...] = ()
) -> Verdict:
    return compare(None if seen is None else Seen(seen, at, 0), now, last, "a", reflog=reflog, zone=UTC)


def test_another_sessions_move_is_refused_and_told() -> None:
    verdict = judge(standing(), standing("2"), move(standing("2")))
    assert isinstance(verdict, Moved)
    assert verdict.refusal.code is RefusalCode.MOVED_BY_OTHER_SESSION
    assert verdict.refusal.retry is Retry.CONFIRM
    for part in ("main", "1" * 10, "2" * 10, "session b", "14:02", "git_commit"):
        assert part in verdict.refusal.message
        assert part.lower() in verdict.question.lower()


@pytest.mark.parametrize(
    ("now", "told"),
    [
        (standing(branch="topic"), "HEAD moved from main (1111111111) to topic (1111111111)"),
        (standing(branch=None), "HEAD moved from main (1111111111) to 1111111111 (detached)"),
        (standing(index="i2", staged="s2"), "what is staged on main changed"),
    ],
)
def test_every_part_of_the_baseline_counts(now: Standing, told: str) -> None:
    verdict = judge(standing(), now, move(now))
    assert isinstance(verdict, Moved)
    assert told in verdict.refusal.message


def test_nothing_moved() -> None:
    assert judge(standing(), standing(), move(standing("9"))) == Fine()


def test_a_refresh_of_the_index_is_no_move() -> None:
    assert judge(standing(), standing(index="refreshed"), move(standing(index="refreshed"))) == Fine()


def test_unknown_staged_content_counts_as_moved() -> None:
    now = standing(index="i2", staged=None)
    assert isinstance(judge(standing(staged=None), now, move(now)), Moved)


def test_the_sessions_own_move_is_fine() -> None:
    assert judge(standing(), standing("2"), move(standing("2"), session="a")) == Fine()


def test_first_contact_passes_and_names_who_moved_last() -> None:
    verdict = judge(None, standing("2"), move(standing("2")))
    assert isinstance(verdict, Outside)
    assert "main (2222222222)" in verdict.warning
    assert "session b at 14:02" in verdict.warning
    alone = judge(None, standing("2"), None)
    assert isinstance(alone, Outside)
    assert "session" in alone.warning
    assert "last moved" not in alone.warning


def test_an_outside_move_is_explained_from_the_reflog() -> None:
    entry = ReflogEntry("1" * 40, "2" * 40, (12 * 3600 + 120), 120, "rebase (finish): returning to refs/heads/main")
    verdict = judge(standing(), standing("2"), None, reflog=(entry,))
    assert verdict == Outside(
        "main moved from 1111111111 to 2222222222 outside any session, 14:02, rebase since you looked"
    )


def test_a_reflog_that_does_not_lead_here_explains_nothing() -> None:
    entry = ReflogEntry("1" * 40, "3" * 40, 0, 0, "commit: x")
    verdict = judge(standing(), standing("2"), None, reflog=(entry,))
    assert verdict == Outside("main moved from 1111111111 to 2222222222 outside any session since you looked")


def test_a_session_is_not_blamed_for_what_was_done_outside_after_it() -> None:
    assert isinstance(judge(standing(), standing("3"), move(standing("2"))), Outside)


def test_a_session_is_not_blamed_for_a_move_that_had_been_seen() -> None:
    # b moved to 2, a saw 3 (outside, after that), somebody outside went back to 2.
    assert isinstance(judge(standing("3"), standing("2"), move(standing("2"), sequence=4), at=4), Outside)


def test_a_reflog_date_beyond_the_calendar_is_told_without_a_time() -> None:
    entry = ReflogEntry("1" * 40, "2" * 40, 10**12 - 1, 0, "commit: x")
    verdict = judge(standing(), standing("2"), None, reflog=(entry,))
    assert isinstance(verdict, Outside)
    assert "an unknown time, commit" in verdict.warning


def test_before_the_first_commit() -> None:
    unborn = Standing(HeadState(None, "main"), "", "s0")
    verdict = judge(unborn, standing("2"), move(standing("2")))
    assert isinstance(verdict, Moved)
    assert "main moved from no commit to 2222222222" in verdict.refusal.message
