"""Where a message starts from, and when there is none."""

import pytest

from git_sidecar.messages.change import parse_unmerged
from git_sidecar.messages.facts import Start, StartKind
from git_sidecar.messages.gather import keep_current
from git_sidecar.messages.start import Prepared, Standing, decide_start, refuse_start, strip_comments
from git_sidecar.model.changes import Conflict
from git_sidecar.model.fingerprint import OperationInProgress
from git_sidecar.model.refs import RepoPath
from git_sidecar.model.refusal import RefusalCode


def standing(
    *,
    unborn: bool = False,
    operation: OperationInProgress | None = None,
    picking: bool = False,
    conflicts: tuple[Conflict, ...] = (),
    changed: bool = True,
) -> Standing:
    return Standing(unborn, operation, picking, conflicts, changed)


def code(refused: Standing, *, amend: bool = False) -> RefusalCode | None:
    refusal = refuse_start(refused, amend=amend)
    return refusal.code if refusal else None


def test_refusals() -> None:
    assert code(standing()) is None
    assert code(standing(changed=False)) is RefusalCode.NOTHING_TO_COMMIT
    assert code(standing(changed=False, operation=OperationInProgress.MERGE)) is None
    assert code(standing(changed=False, operation=OperationInProgress.CHERRY_PICK)) is RefusalCode.NOTHING_TO_COMMIT
    assert code(standing(unborn=True), amend=True) is RefusalCode.NOTHING_TO_COMMIT
    assert code(standing(changed=False), amend=True) is RefusalCode.NOTHING_TO_COMMIT
    assert code(standing(operation=OperationInProgress.MERGE), amend=True) is RefusalCode.OPERATION_IN_PROGRESS
    assert code(standing(picking=True), amend=True) is RefusalCode.OPERATION_IN_PROGRESS
    assert code(standing(operation=OperationInProgress.REBASE), amend=True) is None


def test_conflicts_are_listed() -> None:
    conflicts = tuple(Conflict(RepoPath(f"f{number}.txt"), "UU") for number in range(12))
    refusal = refuse_start(standing(conflicts=conflicts, operation=OperationInProgress.MERGE), amend=False)
    assert refusal is not None
    assert refusal.code is RefusalCode.CONFLICT
    assert refusal.conflicts == conflicts
    assert "12 unmerged paths: f0.txt (UU)" in refusal.message
    assert "and 2 more" in refusal.message


def test_stages_become_codes() -> None:
    output = b"100644 a 1\tx\0" + b"100644 a 2\tx\0" + b"100644 a 3\tx\0" + b"100644 a 2\ty\0" + b"100644 a 3\ty\0"
    assert parse_unmerged(output) == (Conflict(RepoPath("x"), "UU"), Conflict(RepoPath("y"), "AA"))


@pytest.mark.parametrize(
    ("where", "prepared", "amend", "expected"),
    [
        (standing(), Prepared(), False, Start(StartKind.ORDINARY)),
        (standing(unborn=True), Prepared(), False, Start(StartKind.FIRST)),
        (standing(), Prepared(old="fix: x"), True, Start(StartKind.AMEND, "fix: x")),
        (standing(), Prepared(squash="Squashed"), False, Start(StartKind.SQUASH, "Squashed")),
        (
            standing(operation=OperationInProgress.MERGE),
            Prepared(merge="Merge branch 'x'"),
            False,
            Start(StartKind.MERGE, "Merge branch 'x'"),
        ),
        (standing(), Prepared(merge='Revert "fix: x"'), False, Start(StartKind.REVERT, 'Revert "fix: x"')),
        (standing(), Prepared(merge="fix: x"), False, Start(StartKind.CHERRY_PICK, "fix: x")),
    ],
)
def test_starts(where: Standing, prepared: Prepared, *, amend: bool, expected: Start) -> None:
    assert decide_start(where, prepared, amend=amend) == expected


def test_comments_and_what_follows_the_scissors_are_dropped() -> None:
    text = "Merge x\n\n# Conflicts:\n#\tf.txt\nbody\n# ------------------------ >8 ------------------------\ndiff"
    assert strip_comments(text, "#") == "Merge x\n\nbody"
    assert strip_comments("; a\n# b", ";") == "# b"


def test_the_box_is_kept_unless_git_or_we_filled_it() -> None:
    start = Start(StartKind.MERGE, "Merge branch 'x'")
    assert keep_current("fix: a", 1, start, "", "#") == "fix: a"
    assert keep_current("fix: a", 2, start, "", "#") == ""
    assert keep_current("Merge branch 'x'\n# comment\n", 1, start, "", "#") == ""
    assert keep_current("\nWhy:\n", 1, start, "\nWhy:\n# explain\n", "#") == ""
