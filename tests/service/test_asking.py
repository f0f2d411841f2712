"""Who is asked, when, and what an answer covers (wire contract, sections 4 and 7)."""

import threading
from typing import Any

import pytest

from tests.service.conftest import OpenEditor
from tests.support.editor import always
from tests.support.scratch import ScratchRepo


def test_the_question_names_the_exact_command_and_what_is_lost(open_editor: OpenEditor, work: ScratchRepo) -> None:
    editor = open_editor(always("allowOnce"))
    answer = editor.call("git", subcommand="reset", args=["--hard"], confirm=True)
    assert answer["ok"], answer
    (question,) = editor.questions
    assert question["command"] == ["git", "reset", "--hard"]
    assert question["tier"] == "destructive"
    assert question["choices"] == ["allowOnce", "allowSession", "deny"]
    assert question["effects"]["filesChanged"] == 2
    assert question["effects"]["linesLost"] == 2
    assert question["effects"]["undo"] == "snapshot"
    patches = "".join(diff["patch"] for card in question["cards"] for diff in card["diffs"])
    assert "+three" in patches
    assert "+staged" in patches
    assert answer["value"]["command"] == question["command"]


@pytest.mark.parametrize("choice", ["deny", "allowForever", ""])
def test_deny_and_unknown_answers_are_no(open_editor: OpenEditor, work: ScratchRepo, choice: str) -> None:
    editor = open_editor(always(choice))
    error = editor.error("git_restore", paths=["a.txt"])
    assert error["code"] == "denied_by_user"
    assert (work.root / "a.txt").read_text() == "one\ntwo\nthree\n"


def test_no_answer_in_time_is_no(open_editor: OpenEditor, work: ScratchRepo) -> None:
    never = threading.Event()

    def silent(_question: dict[str, Any]) -> str:
        never.wait(20)
        return "allowOnce"

    editor = open_editor(silent, settings={"confirmation": {"timeoutMs": 200}})
    assert editor.error("git_restore", paths=["a.txt"])["code"] == "denied_by_user"
    never.set()
    assert (work.root / "a.txt").read_text() == "one\ntwo\nthree\n"


def test_allow_session_covers_writes_and_never_destructive_calls(open_editor: OpenEditor, work: ScratchRepo) -> None:
    editor = open_editor(always("allowSession"))
    assert editor.call("git_add", paths=["a.txt"])["ok"]
    assert editor.call("git_add", paths=["new.txt"])["ok"]
    assert len(editor.questions) == 1
    work.write("a.txt", "more\n")
    assert editor.call("git_restore", paths=["a.txt"])["ok"]
    work.write("a.txt", "more again\n")
    assert editor.call("git_restore", paths=["a.txt"])["ok"]
    assert len(editor.questions) == 3


def test_grants_are_listed_and_taken_back(open_editor: OpenEditor) -> None:
    editor = open_editor(always("allowSession"))
    assert editor.call("git_add", paths=["a.txt"])["ok"]
    (grant,) = editor.request("git/grants", {})["grants"]
    assert grant["tier"] == "write"
    assert editor.request("git/revokeGrant", {"grantId": grant["grantId"]}) == {"grants": []}
    assert editor.call("git_add", paths=["new.txt"])["ok"]
    assert len(editor.questions) == 2


def test_narrower_settings_take_grants_back_at_once(open_editor: OpenEditor) -> None:
    editor = open_editor(always("allowSession"))
    assert editor.call("git_add", paths=["a.txt"])["ok"]
    editor.notify("workspace/didChangeConfiguration", {"settings": {"gitSidecar": {"allowWrites": False}}})
    assert editor.error("git_add", paths=["new.txt"])["code"] == "denied_by_policy"
    editor.notify("workspace/didChangeConfiguration", {"settings": {"gitSidecar": {}}})
    assert editor.call("git_add", paths=["new.txt"])["ok"]
    assert len(editor.questions) == 2


def test_calls_that_come_together_share_one_question_that_names_them_all(
    open_editor: OpenEditor, work: ScratchRepo
) -> None:
    names = [f"x{number}.txt" for number in range(6)]
    for name in names:
        work.write(name, name)
    held = threading.Event()

    def one_at_a_time(question: dict[str, Any]) -> str:
        held.wait(20)
        return "allowOnce"

    editor = open_editor(one_at_a_time)
    calls = [editor.begin("tools/call", {"name": "git_add", "arguments": {"paths": [name]}}) for name in names]
    held.set()
    assert all(editor.finish(number, 60)["ok"] for number in calls)
    asked = "\n".join(question["message"] for question in editor.questions)
    assert all(name in asked for name in names)
    assert len(editor.questions) < len(names)


def test_a_thinking_person_blocks_nobody(open_editor: OpenEditor) -> None:
    thinking = threading.Event()

    def think(_question: dict[str, Any]) -> str:
        thinking.wait(20)
        return "deny"

    editor = open_editor(think, settings={"confirmation": {"write": "never"}})
    waiting = editor.begin("tools/call", {"name": "git_restore", "arguments": {"paths": ["a.txt"]}})
    assert editor.call("git_add", paths=["new.txt"])["ok"]
    assert editor.call("git_status")["ok"]
    thinking.set()
    assert not editor.finish(waiting)["ok"]


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("git_restore", {"paths": ["a.txt"]}, "confirmation_unavailable"),
        ("git_add", {"paths": ["a.txt"]}, None),
    ],
)
def test_where_nobody_can_be_asked(
    open_editor: OpenEditor, tool: str, arguments: dict[str, Any], code: str | None
) -> None:
    editor = open_editor(client={"confirm": False, "canAsk": False})
    answer = editor.call(tool, **arguments)
    refused: dict[str, Any] = answer.get("error", {})
    assert refused.get("code") == code


@pytest.mark.parametrize("tool", ["git_add", "git_restore"])
def test_an_untrusted_workspace_only_reads(open_editor: OpenEditor, tool: str) -> None:
    editor = open_editor(trusted=False)
    assert editor.error(tool, paths=["a.txt"])["code"] == "untrusted_workspace"
    assert editor.value("git_status")["branch"] == "main"
    editor.notify("git/didChangeTrust", {"trusted": True})
    assert editor.request("tools/prepare", {"name": tool, "arguments": {"paths": ["a.txt"]}})["decision"] == "ask"


def test_what_is_switched_off_is_told_with_its_setting(open_editor: OpenEditor) -> None:
    editor = open_editor(settings={"allowDestructive": False})
    error = editor.error("git_restore", paths=["a.txt"])
    assert (error["code"], error["setting"], error["retry"]) == (
        "denied_by_policy",
        "allowDestructive",
        "enable_policy",
    )


def test_invalid_settings_close_every_tier_above_read(open_editor: OpenEditor) -> None:
    editor = open_editor(always("allowOnce"))
    editor.notify("workspace/didChangeConfiguration", {"settings": {"gitSidecar": {"allowWrites": "yes"}}})
    assert editor.error("git_add", paths=["a.txt"])["code"] == "settings_invalid"
    assert editor.value("git_status")["branch"] == "main"
    assert "allowWrites" in editor.wait_for("window/showMessage")["message"]
    editor.notify("workspace/didChangeConfiguration", {"settings": {"gitSidecar": {}}})
    assert editor.call("git_add", paths=["a.txt"])["ok"]


def test_the_generator_never_asks(open_editor: OpenEditor) -> None:
    editor = open_editor()
    assert "+staged" in editor.staged()["diff"]
    assert editor.request("git/commitMessage", {})["message"]
    assert editor.questions == []


@pytest.mark.parametrize("expected", ["HEAD~1", "no-such-revision", "0" * 40])
def test_expected_head_holds_before_anything_runs(open_editor: OpenEditor, work: ScratchRepo, expected: str) -> None:
    editor = open_editor()
    head = work.text("rev-parse", "HEAD")
    for confirm in (False, True):
        error = editor.error("git_commit", message="no", expectedHead=expected, confirm=confirm)
        assert error["code"] == "head_mismatch"
    assert work.text("rev-parse", "HEAD") == head


@pytest.mark.parametrize("spelling", ["{head}", "{short}", "main", "refs/heads/main", "HEAD"])
def test_expected_head_takes_every_name_of_the_commit(
    open_editor: OpenEditor, work: ScratchRepo, spelling: str
) -> None:
    editor = open_editor(always("allowOnce"))
    head = work.text("rev-parse", "HEAD")
    expected = spelling.format(head=head, short=head[:8])
    assert editor.call("git_commit", message="yes", expectedHead=expected)["ok"]


def test_always_asks_for_a_destructive_call_though_a_ticket_comes(open_editor: OpenEditor, work: ScratchRepo) -> None:
    editor = open_editor(always("deny"), settings={"confirmation": {"destructive": "always"}})
    params: dict[str, Any] = {"name": "git_restore", "arguments": {"paths": ["a.txt"]}}
    ticket = editor.request("tools/prepare", params)["confirmation"]["ticket"]
    answer = editor.request("tools/call", {**params, "ticket": ticket})
    assert answer["error"]["code"] == "denied_by_user"
    assert len(editor.questions) == 1
    assert (work.root / "a.txt").read_text() == "one\ntwo\nthree\n"
