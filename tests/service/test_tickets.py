"""Tickets over the wire: what a person agreed to, once, and nothing else (wire contract, section 4)."""

from typing import Any

import pytest

from tests.service.conftest import OpenEditor
from tests.support.editor import Editor, always
from tests.support.scratch import ScratchRepo

RESTORE = {"paths": ["a.txt"]}


def prepare(editor: Editor, tool: str = "git_restore", session: str = "s1", **arguments: Any) -> dict[str, Any]:
    """tools/prepare; the whole answer."""
    params: dict[str, Any] = {"name": tool, "arguments": arguments or RESTORE, "sessionId": session}
    return editor.request("tools/prepare", params)


def ticket_of(prepared: dict[str, Any]) -> str:
    """The ticket of a prepared call."""
    assert prepared["decision"] == "ask", prepared
    return prepared["confirmation"]["ticket"]


def call(
    editor: Editor, ticket: str | None, tool: str = "git_restore", session: str = "s1", **arguments: Any
) -> dict[str, Any]:
    """tools/call with a ticket."""
    params: dict[str, Any] = {"name": tool, "arguments": arguments or RESTORE, "sessionId": session}
    if ticket is not None:
        params["ticket"] = ticket
    return editor.request("tools/call", params)


def code_of(answer: dict[str, Any]) -> str:
    """The refusal's code."""
    assert not answer["ok"], answer
    return answer["error"]["code"]


def test_a_ticket_runs_its_call_without_a_question(open_editor: OpenEditor, work: ScratchRepo) -> None:
    editor = open_editor()
    prepared = prepare(editor)
    confirmation = prepared["confirmation"]
    assert prepared["tier"] == "destructive"
    assert confirmation["command"][:2] == ["git", "restore"]
    assert confirmation["effects"]["linesLost"] == 1
    assert "+three" in confirmation["cards"][0]["diffs"][0]["patch"]
    answer = call(editor, ticket_of(prepared))
    assert answer["ok"], answer
    assert answer["value"]["restored"] == ["a.txt"]
    assert (work.root / "a.txt").read_text() == "one\ntwo\n"


def test_preparing_changes_nothing_and_asks_nobody(open_editor: OpenEditor, work: ScratchRepo) -> None:
    editor = open_editor()
    before = work.git("status", "--porcelain=v2")
    prepare(editor)
    assert work.git("status", "--porcelain=v2") == before
    assert editor.questions == []


def test_a_ticket_is_good_for_one_call(open_editor: OpenEditor, work: ScratchRepo) -> None:
    editor = open_editor()
    ticket = ticket_of(prepare(editor))
    assert call(editor, ticket)["ok"]
    work.write("a.txt", "one\ntwo\nthree\n")
    assert code_of(call(editor, ticket)) == "ticket_invalid"
    assert (work.root / "a.txt").read_text() == "one\ntwo\nthree\n"


def test_a_made_up_ticket_is_refused_without_a_question(open_editor: OpenEditor) -> None:
    assert code_of(call(open_editor(), "made-up")) == "ticket_invalid"


def test_a_ticket_of_another_session_is_refused_and_stays_good(open_editor: OpenEditor) -> None:
    editor = open_editor()
    ticket = ticket_of(prepare(editor, session="s1"))
    assert code_of(call(editor, ticket, session="s2")) == "ticket_invalid"
    assert call(editor, ticket, session="s1")["ok"]


def test_a_ticket_of_other_arguments_is_refused(open_editor: OpenEditor, work: ScratchRepo) -> None:
    work.write("b.txt", "b\nstaged\nmore\n")
    editor = open_editor()
    ticket = ticket_of(prepare(editor))
    assert code_of(call(editor, ticket, paths=["b.txt"])) == "ticket_invalid"
    assert code_of(call(editor, ticket, paths=["a.txt"], confirm=True)) == "ticket_invalid"


def test_a_ticket_of_another_tool_is_refused(open_editor: OpenEditor) -> None:
    editor = open_editor()
    ticket = ticket_of(prepare(editor, "git_add", paths=["a.txt"]))
    assert code_of(call(editor, ticket)) == "ticket_invalid"


def test_a_ticket_of_another_server_is_refused(open_editor: OpenEditor) -> None:
    ticket = ticket_of(prepare(open_editor()))
    assert code_of(call(open_editor(), ticket)) == "ticket_invalid"


@pytest.mark.parametrize("change", ["file", "head", "index"])
def test_what_changed_after_the_card_was_shown_is_not_destroyed(
    open_editor: OpenEditor, work: ScratchRepo, change: str
) -> None:
    editor = open_editor()
    ticket = ticket_of(prepare(editor))
    if change == "file":
        work.write("a.txt", "one\ntwo\nthree\nfour, written meanwhile\n")
    elif change == "head":
        work.git("commit", "-qm", "outside")
    else:
        work.git("add", "a.txt")
    answer = call(editor, ticket)
    assert code_of(answer) in ("changed_since_confirmed", "nothing_to_do")
    assert "three" in (work.root / "a.txt").read_text()


def test_what_has_nothing_to_do_with_the_call_voids_nothing(open_editor: OpenEditor, work: ScratchRepo) -> None:
    editor = open_editor()
    ticket = ticket_of(prepare(editor))
    work.write("new.txt", "changed\n")
    assert call(editor, ticket)["ok"]


def test_a_ticket_that_is_not_needed_is_ignored(open_editor: OpenEditor) -> None:
    editor = open_editor(settings={"confirmation": {"write": "never"}})
    assert prepare(editor, "git_add", paths=["a.txt"])["decision"] == "allow"
    assert call(editor, "made-up", "git_add", paths=["a.txt"])["ok"]


def test_twenty_adds_prepared_together_all_pass(open_editor: OpenEditor, work: ScratchRepo) -> None:
    names = [f"x{number}.txt" for number in range(20)]
    for name in names:
        work.write(name, name)
    editor = open_editor()
    tickets = [ticket_of(prepare(editor, "git_add", paths=[name])) for name in names]
    calls = [
        editor.begin(
            "tools/call",
            {"name": "git_add", "arguments": {"paths": [name]}, "sessionId": "s1", "ticket": ticket},
        )
        for name, ticket in zip(names, tickets, strict=True)
    ]
    answers = [editor.finish(number, 60) for number in calls]
    assert [answer["ok"] for answer in answers] == [True] * 20
    staged = work.text("diff", "--cached", "--name-only").split("\n")
    assert set(names) <= set(staged)
    assert not (work.root / ".git" / "index.lock").exists()


def test_nothing_that_a_model_writes_stands_in_for_an_answer(open_editor: OpenEditor, work: ScratchRepo) -> None:
    editor = open_editor(always("deny"))
    calls: tuple[dict[str, Any], ...] = (
        {"subcommand": "reset", "args": ["--hard"], "confirm": True},
        {"subcommand": "clean", "args": ["-fd"], "confirm": True},
        {"subcommand": "restore", "args": ["a.txt"], "confirm": True},
    )
    for arguments in calls:
        assert code_of(call(editor, None, "git", **arguments)) == "denied_by_user"
    assert (work.root / "a.txt").read_text() == "one\ntwo\nthree\n"
    assert (work.root / "new.txt").exists()


def test_a_ticket_in_the_arguments_is_no_ticket(open_editor: OpenEditor) -> None:
    editor = open_editor()
    arguments = {"paths": ["a.txt"], "ticket": ticket_of(prepare(editor))}
    assert code_of(editor.request("tools/call", {"name": "git_restore", "arguments": arguments})) == "invalid_arguments"
