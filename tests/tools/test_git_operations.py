"""git_operations: pages of the operation log."""

from typing import Any

from git_sidecar.tools.contract import ListCard
from tests.support.scratch import ScratchRepo
from tests.support.toolbox import Toolbox


def operation(number: int, session: str) -> dict[str, Any]:
    """An operation as the wire contract has it, section 9."""
    return {
        "operationId": f"op{number}",
        "session": session,
        "client": "test",
        "time": f"2024-03-01T10:00:0{number}Z",
        "tool": "git_commit",
        "arguments": {"message": "m"},
        "repository": "r",
        "before": {"head": "a"},
        "after": {"head": "b"},
        "commits": [],
        "undo": "reflog",
    }


async def test_pages(repo: ScratchRepo, toolbox: Toolbox) -> None:
    toolbox.operations.operations = [operation(number, "ab"[number % 2]) for number in range(5)]
    first = await toolbox.call("git_operations", count=2)
    assert [one["operationId"] for one in first.value["operations"]] == ["op0", "op1"]
    second = await toolbox.call("git_operations", count=9, cursor=first.value["nextCursor"], session="a")
    assert second.value["truncated"] is False
    assert toolbox.operations.asked[-1] == {"count": 9, "session": "a", "cursor": "2"}
    assert "op0" in first.text
    (card,) = first.cards
    assert isinstance(card, ListCard)
    assert [item.description for item in card.items] == ["op0", "op1"]


async def test_none(repo: ScratchRepo, toolbox: Toolbox) -> None:
    answer = await toolbox.call("git_operations")
    assert answer.value == {"operations": [], "truncated": False}
    assert answer.text == "No operations are recorded."
    await toolbox.call("git_operations", count=10_000)
    assert toolbox.operations.asked[-1]["count"] == 200
