"""Where a message starts from, and when there is none to write: decided before any model is asked. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from git_sidecar.messages.facts import Start, StartKind
from git_sidecar.model.changes import Conflict
from git_sidecar.model.fingerprint import OperationInProgress
from git_sidecar.model.refusal import Refusal, RefusalCode

_SCISSORS = "------------------------ >8 ------------------------"
_SHOWN_CONFLICTS = 10


@dataclass(frozen=True, slots=True)
class Prepared:
    """The texts that git keeps for a commit (gitrepository-layout(5), git-commit(1)); None where there is none.

    `merge` is MERGE_MSG, or what a rebase or `git am` keeps in its place; `old` is the message of the amended commit.
    """

    merge: str | None = None
    squash: str | None = None
    old: str | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """How the repository stands: an unborn branch, an operation, whether a cherry-pick waits, what is unmerged."""

    unborn: bool
    operation: OperationInProgress | None
    picking: bool
    conflicts: tuple[Conflict, ...]
    changed: bool


def strip_comments(text: str, comment_char: str | None) -> str:
    """A prepared text as git would commit it: without what follows the scissors, and without comment lines."""
    kept: list[str] = []
    for line in text.replace("\r\n", "\n").split("\n"):
        if comment_char and line.startswith(comment_char):
            if _SCISSORS in line:
                break
            continue
        kept.append(line.rstrip())
    return "\n".join(kept).strip("\n")


def _refuse_conflicts(conflicts: Sequence[Conflict]) -> Refusal:
    names = ", ".join(f"{conflict.path.text} ({conflict.code})" for conflict in conflicts[:_SHOWN_CONFLICTS])
    more = f" and {len(conflicts) - _SHOWN_CONFLICTS} more" if len(conflicts) > _SHOWN_CONFLICTS else ""
    return Refusal(
        RefusalCode.CONFLICT,
        f"{len(conflicts)} unmerged {'path' if len(conflicts) == 1 else 'paths'}: {names}{more}",
        hint="Resolve the conflicts and stage the result; a message cannot describe half of a merge.",
        conflicts=tuple(conflicts),
    )


def _refuse_amend(standing: Standing) -> Refusal | None:
    if standing.unborn:
        return Refusal(RefusalCode.NOTHING_TO_COMMIT, "There is no commit yet that could be amended.")
    if standing.operation is OperationInProgress.MERGE or standing.picking:
        doing = "merge" if standing.operation is OperationInProgress.MERGE else "cherry-pick"
        return Refusal(
            RefusalCode.OPERATION_IN_PROGRESS, f"git cannot amend in the middle of a {doing}: finish or abort it first."
        )
    if not standing.changed:
        return Refusal(
            RefusalCode.NOTHING_TO_COMMIT,
            "The amended commit would be empty.",
            hint="Undo the commit instead, or stage what it should hold.",
        )
    return None


def refuse_start(standing: Standing, *, amend: bool) -> Refusal | None:
    """Why there is no message to write now; None where there is one."""
    if standing.conflicts:
        return _refuse_conflicts(standing.conflicts)
    if amend:
        return _refuse_amend(standing)
    # A merge may leave the tree as it was and still be a commit.
    if not standing.changed and standing.operation is not OperationInProgress.MERGE:
        return Refusal(
            RefusalCode.NOTHING_TO_COMMIT, "Nothing is staged.", hint="Stage the changes that the commit should hold."
        )
    return None


_BY_OPERATION = {
    OperationInProgress.MERGE: StartKind.MERGE,
    OperationInProgress.CHERRY_PICK: StartKind.CHERRY_PICK,
    OperationInProgress.REVERT: StartKind.REVERT,
    OperationInProgress.REBASE: StartKind.REBASE,
    OperationInProgress.AM: StartKind.REBASE,
}


def decide_start(standing: Standing, prepared: Prepared, *, amend: bool) -> Start:
    """What kind of commit this will be, and the text it starts from; `prepared` holds no comments any more."""
    if amend:
        return Start(StartKind.AMEND, prepared.old or "")
    if prepared.squash:
        return Start(StartKind.SQUASH, prepared.squash)
    kind = _BY_OPERATION.get(standing.operation) if standing.operation else None
    if kind is not None and (prepared.merge or kind is StartKind.MERGE):
        return Start(kind, prepared.merge or "")
    if prepared.merge:
        # `git revert -n` and `git cherry-pick -n` leave the text but no operation behind.
        reverting = prepared.merge.startswith("Revert ")
        return Start(StartKind.REVERT if reverting else StartKind.CHERRY_PICK, prepared.merge)
    return Start(StartKind.FIRST if standing.unborn else StartKind.ORDINARY)
