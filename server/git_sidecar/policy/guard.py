"""The cross-session guard: has somebody else moved this worktree since the session looked? (wire contract, section 5)

Pure: what was seen, what stands, who moved last and what HEAD's reflog tells all come in as values.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo

from git_sidecar.model.refusal import Refusal, RefusalCode, Retry
from git_sidecar.model.standing import Move, ReflogEntry, Seen, Standing

_SHORT = 10


@dataclass(frozen=True, slots=True)
class Fine:
    """Nothing has moved since the session looked, or the session moved it itself."""


@dataclass(frozen=True, slots=True)
class Moved:
    """Another session moved the worktree; `question` is what a person must agree to before the call may pass."""

    refusal: Refusal
    question: str


@dataclass(frozen=True, slots=True)
class Outside:
    """The call passes with this warning: a move outside any session, or a session that had not looked before."""

    warning: str


Verdict = Fine | Moved | Outside


def compare(
    seen: Seen | None,
    now: Standing,
    ledger_last: Move | None,
    session: str,
    *,
    reflog: Sequence[ReflogEntry] = (),
    zone: tzinfo | None = None,
) -> Verdict:
    """Whether a call above read may go on.

    `ledger_last` is the last move of this worktree by any session, `reflog` the tail of HEAD's reflog, oldest first,
    with which moves outside any session are explained. Times of the ledger are told in `zone` (None: this machine's).
    Only a move that came after the session looked, by another session, and whose result is what stands now, is
    that session's doing: a move of its own before, or one that has been overtaken outside, is not.
    """
    if seen is None:
        return Outside(_first_contact(now, ledger_last, session, zone))
    if seen.standing.equals(now):
        return Fine()
    stands = ledger_last is not None and ledger_last.after.equals(now)
    if ledger_last is None or not stands or ledger_last.sequence <= seen.sequence:
        return Outside(f"{_what_moved(seen.standing, now)} {_outside(seen.standing, now, reflog)} since you looked")
    if ledger_last.session == session:
        return Fine()
    return _moved(seen.standing, now, ledger_last, zone)


def _moved(before: Standing, now: Standing, move: Move, zone: tzinfo | None) -> Moved:
    when = _clock_time(move.time_ms / 1000, zone)
    what = _what_moved(before, now)
    return Moved(
        Refusal(
            RefusalCode.MOVED_BY_OTHER_SESSION,
            f"{what} since you looked: session {move.session} did, at {when} with {move.tool}",
            "Look again with git_status and git_log, and call again if it still makes sense; confirm: true says that "
            "you mean it all the same, and the person is asked about it.",
            Retry.CONFIRM,
        ),
        f"Session {move.session} moved this worktree at {when} ({move.tool}): {what} since the session that calls now "
        "looked. Go on all the same?",
    )


def _what_moved(before: Standing, now: Standing) -> str:
    """From what to what, in one clause: `main moved from 1234567890 to abcdef0123`."""
    if before.head.branch != now.head.branch:
        return f"HEAD moved from {_place(before)} to {_place(now)}"
    if before.head.commit != now.head.commit:
        name = now.head.branch or "HEAD"
        return f"{name} moved from {_short(before.head.commit)} to {_short(now.head.commit)}"
    return f"what is staged on {now.head.branch or _short(now.head.commit)} changed"


def _outside(before: Standing, now: Standing, reflog: Sequence[ReflogEntry]) -> str:
    """`outside any session, 14:02, rebase`: the reflog's newest entry that led here from what was seen."""
    entry = _explaining_entry(before, now, reflog)
    if entry is None:
        return "outside any session"
    zone = timezone(timedelta(minutes=entry.offset_minutes))
    return f"outside any session, {_clock_time(entry.time_s, zone)}, {_action(entry.message)}"


def _explaining_entry(before: Standing, now: Standing, reflog: Sequence[ReflogEntry]) -> ReflogEntry | None:
    if not reflog or (before.head == now.head):
        return None
    last = reflog[-1]
    return last if last.new == now.head.commit else None


def _action(message: str) -> str:
    """What git was doing: `rebase (finish): returning to …` is a rebase, `commit (amend): x` a commit (amend)."""
    action = message.partition(":")[0].strip()
    if action.startswith("rebase"):
        return "rebase"
    return action[:60] or "an unnamed move"


def _first_contact(now: Standing, last: Move | None, session: str, zone: tzinfo | None) -> str:
    warning = f"this session had not looked at this worktree before; it stands at {_place(now)}"
    if last is None or last.session == session:
        return warning
    return f"{warning}, last moved by session {last.session} at {_clock_time(last.time_ms / 1000, zone)} ({last.tool})"


def _place(standing: Standing) -> str:
    if standing.head.branch is None:
        return f"{_short(standing.head.commit)} (detached)"
    return f"{standing.head.branch} ({_short(standing.head.commit)})"


def _short(commit: str | None) -> str:
    return "no commit" if commit is None else commit[:_SHORT]


def _clock_time(time_s: float, zone: tzinfo | None) -> str:
    try:
        return datetime.fromtimestamp(time_s, UTC).astimezone(zone).strftime("%H:%M")
    except (OverflowError, ValueError, OSError):
        # A reflog may hold any number; a date beyond the calendar is no reason to refuse a call.
        return "an unknown time"
