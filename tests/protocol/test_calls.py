"""Cancelling, ordering, asking back, progress, and what a failing service may let through."""

from pathlib import Path
from typing import Any

import pytest

from tests.protocol.conftest import FAKE, Start
from tests.protocol.fake_backend import SECRET
from tests.protocol.raw_client import RawClient, frame
from tests.support.processes import Reports


def test_a_canceled_staged_diff_is_an_ordinary_result(shared: RawClient) -> None:
    identifier = shared.ask("git/stagedDiff", {"repository": "endless"})
    shared.notify("$/cancelRequest", {"id": identifier})

    assert shared.answer(identifier)["result"] == {"diff": "", "canceled": True, "repository": "endless"}


def test_a_request_canceled_before_its_first_step_is_answered(shared: RawClient) -> None:
    request = {"jsonrpc": "2.0", "id": 1, "method": "git/stagedDiff", "params": {"repository": "endless"}}
    cancel = {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 1}}
    shared.send_bytes(frame(request) + frame(cancel) + frame(cancel))

    assert shared.answer(1)["result"]["canceled"] is True


def test_a_canceled_commit_message_is_an_ordinary_result_and_ends_its_progress(shared: RawClient) -> None:
    identifier = shared.ask("git/commitMessage", {"current": "endless", "workDoneToken": "w"})
    assert shared.call("$/progress")["params"]["value"]["kind"] == "begin"
    assert shared.call("$/progress")["params"]["value"] == {"kind": "report", "percentage": 50, "message": "half"}
    shared.notify("window/workDoneProgress/cancel", {"token": "w"})

    assert shared.call("$/progress")["params"] == {"token": "w", "value": {"kind": "end"}}
    assert shared.answer(identifier)["result"] == {"message": "", "canceled": True, "current": "endless"}


def test_other_canceled_requests_answer_with_an_error(shared: RawClient) -> None:
    identifier = shared.ask("tools/call", {"name": "endless", "arguments": {}, "toolCallId": "a"})
    shared.notify("$/cancelRequest", {"id": identifier})

    assert shared.answer(identifier)["error"]["code"] == -32800


def test_a_tool_call_canceled_by_its_own_id_answers_with_an_error(shared: RawClient) -> None:
    identifier = shared.ask("tools/call", {"name": "endless", "arguments": {}, "toolCallId": "b"})

    assert shared.result("tools/cancel", {"toolCallId": "b"}) == {"canceled": True}
    assert shared.answer(identifier)["error"]["code"] == -32800


@pytest.mark.parametrize("params", [{"id": "never-sent"}, {"id": None}, {"id": {}}, {}, [], None])
def test_cancelling_nothing_is_ignored(shared: RawClient, params: Any) -> None:
    shared.notify("$/cancelRequest", params)

    assert shared.result("tools/list") == {"tools": []}


def test_partial_results_and_progress_go_to_their_tokens(shared: RawClient) -> None:
    result = shared.result("git/commitMessage", {"workDoneToken": 1, "partialResultToken": "p"})

    told = [shared.call("$/progress")["params"] for _ in range(4)]
    assert result == {"message": "fix", "canceled": False}
    assert told == [
        {"token": 1, "value": {"kind": "begin", "title": "Writing", "cancellable": True}},
        {"token": 1, "value": {"kind": "report", "percentage": 50, "message": "half"}},
        {"token": "p", "value": {"text": "fi"}},
        {"token": 1, "value": {"kind": "end"}},
    ]


def test_without_tokens_there_is_no_progress(shared: RawClient) -> None:
    assert shared.result("git/commitMessage", {"workDoneToken": None})["message"] == "fix"


@pytest.mark.parametrize("repository", ["bug", "unserializable", "not a number"])
def test_an_unforeseen_exception_shows_an_incident_and_nothing_else(shared: RawClient, repository: str) -> None:
    answer = shared.request("git/stagedDiff", {"repository": repository})

    error = answer["error"]
    incident = error["message"].removeprefix("internal error, incident ")
    assert (error["code"], len(incident), "data" in error) == (-32603, 8, False)
    log = shared.stderr_text
    assert incident in log
    assert SECRET not in log
    assert "Traceback" not in str(answer)


def test_the_log_names_where_an_unforeseen_exception_came_from(shared: RawClient) -> None:
    shared.request("git/stagedDiff", {"repository": "bug"})

    assert "builtins.KeyError" in shared.stderr_text
    assert "fake_backend.py" in shared.stderr_text


def test_a_refusal_is_the_data_of_its_error(shared: RawClient) -> None:
    assert shared.request("git/stagedDiff", {"repository": "refused"})["error"] == {
        "code": 1010,
        "message": "no such repository",
        "data": {
            "code": "unknown_repository",
            "message": "no such repository",
            "retry": "fix_arguments",
            "candidates": [{"label": "a", "root": "/a", "matches": False}],
        },
    }


def test_a_missing_git_says_what_was_tried(shared: RawClient) -> None:
    error = shared.request("git/stagedDiff", {"repository": "no git"})["error"]

    assert (error["code"], error["data"]) == (
        1001,
        {"tried": ["/nowhere/git"], "found": None, "needed": "git 2.23 or newer"},
    )


def test_a_request_sees_every_notification_sent_before_it(shared: RawClient) -> None:
    for number in range(5):
        shared.notify("git/didChangeRepositories", {"repositories": [{"rootUri": f"file:///r{number}"}]})
        assert shared.result("git/repositories")["repositories"] == [{"rootUri": f"file:///r{number}"}]


def test_folders_change_one_by_one_and_keep_their_order(start: Start) -> None:
    client = start(FAKE)
    client.initialize(workspaceFolders=[{"uri": "file:///a", "name": "a"}, {"uri": "file:///b", "name": "b"}])
    change = {"added": [{"uri": "file:///c", "name": "c"}], "removed": [{"uri": "file:///a", "name": "a"}]}
    client.notify("workspace/didChangeWorkspaceFolders", {"event": change})

    assert client.result("git/repositories")["folders"] == [["file:///b", "b"], ["file:///c", "c"]]


def test_settings_replace_the_whole_unless_they_are_not_about_us(shared: RawClient) -> None:
    def told(settings: Any) -> tuple[Any, Any]:
        shared.notify("workspace/didChangeConfiguration", {"settings": settings})
        state = shared.result("git/repositories")
        return state["settings"], state["workspace"]

    both = {"gitSidecar": {"allowWrites": False}, "gitSidecarWorkspace": {"file:///a": {"allowPush": False}}}
    assert told(both) == ({"allowWrites": False}, {"file:///a": {"allowPush": False}})
    assert told(None) == ({"allowWrites": False}, {"file:///a": {"allowPush": False}})
    assert told({"git": {}}) == ({"allowWrites": False}, {"file:///a": {"allowPush": False}})
    assert told({"gitSidecar": {}}) == ({}, {})
    # What is no object is no setting: the service is given something that it must find invalid.
    assert told({"gitSidecar": 5}) == ({"gitSidecar": 5}, {})


def test_a_malformed_notification_of_ours_is_told_and_changes_nothing(shared: RawClient) -> None:
    before = shared.result("git/repositories")["trusted"]
    for params in ({"trust": True}, {"trusted": "false"}, {"trusted": None}, [True]):
        shared.notify("git/didChangeTrust", params)
        shown = shared.call("window/showMessage")["params"]
        assert (shown["type"], "git/didChangeTrust" in shown["message"]) == (2, True)

    assert shared.result("git/repositories")["trusted"] is before
    shared.notify("git/didChangeTrust", {"trusted": False})
    assert shared.result("git/repositories")["trusted"] is False


def test_unknown_and_foreign_notifications_are_ignored(shared: RawClient) -> None:
    notifications: tuple[tuple[str, dict[str, Any]], ...] = (
        ("$/setTrace", {"value": "verbose"}),
        ("$/unknown", {}),
        ("x/unknown", {}),
        ("textDocument/didOpen", {"textDocument": {"uri": "untitled:1", "languageId": "p", "version": 1, "text": ""}}),
        ("textDocument/didChange", {}),
        ("textDocument/didClose", {}),
        ("tools/call", {"name": "print", "arguments": {}}),
        ("shutdown", {}),
    )
    for method, params in notifications:
        shared.notify(method, params)

    assert shared.result("tools/list") == {"tools": []}


def test_a_person_is_asked_by_message_in_the_order_of_the_contract(shared: RawClient) -> None:
    for reply, choice in (
        ({"title": "Allow"}, "allowOnce"),
        ({"title": "Allow in This Session"}, "allowSession"),
        ({"title": "Deny"}, "deny"),
        ({"title": "Something else"}, "deny"),
        (None, "deny"),
        ("Allow", "deny"),
    ):
        identifier = shared.ask("tools/call", {"name": "confirm"})
        question = shared.call("window/showMessageRequest")
        assert [action["title"] for action in question["params"]["actions"]] == [
            "Allow",
            "Allow in This Session",
            "Deny",
        ]
        assert "Reset?" in question["params"]["message"]
        shared.reply(question, reply)
        assert shared.answer(identifier)["result"] == {"choice": choice}


def test_a_client_that_declared_it_is_asked_by_card(start: Start) -> None:
    client = start(FAKE)
    client.initialize({"client": {"confirm": True}})
    identifier = client.ask("tools/call", {"name": "confirm", "toolCallId": "c"})
    question = client.call("tools/confirm")
    client.reply(question, {"choice": "allowSession"})

    assert client.answer(identifier)["result"] == {"choice": "allowSession"}
    assert question["params"] == {
        "name": "git_reset",
        "sessionId": "s",
        "toolCallId": "c",
        "title": "Reset?",
        "message": "1 line lost",
        "command": ["git", "reset"],
        "effects": {"undo": "snapshot"},
        "cards": [],
        "tier": "destructive",
        "choices": ["allowOnce", "allowSession", "deny"],
    }
    for reply, choice in (({"choice": "always"}, "deny"), ({"choice": ["allowOnce"]}, "deny"), (None, "deny")):
        identifier = client.ask("tools/call", {"name": "confirm"})
        client.reply(client.call("tools/confirm"), reply)
        assert client.answer(identifier)["result"] == {"choice": choice}


def test_a_client_that_does_not_know_the_question_has_nobody_to_ask(shared: RawClient) -> None:
    for code, choice in ((-32601, "nobody"), (-32603, "deny")):
        identifier = shared.ask("tools/call", {"name": "confirm"})
        question = shared.call("window/showMessageRequest")
        shared.send({"jsonrpc": "2.0", "id": question["id"], "error": {"code": code, "message": "no"}})
        assert shared.answer(identifier)["result"] == {"choice": choice}


def test_a_client_without_a_person_is_not_asked(start: Start) -> None:
    client = start(FAKE)
    client.initialize({"client": {"canAsk": False}})

    assert client.result("tools/call", {"name": "confirm"}) == {"choice": "nobody"}


def test_a_late_answer_is_swallowed(shared: RawClient) -> None:
    identifier = shared.ask("tools/call", {"name": "confirm"})
    question = shared.call("window/showMessageRequest")
    shared.notify("$/cancelRequest", {"id": identifier})
    assert shared.answer(identifier)["error"]["code"] == -32800
    assert shared.call("$/cancelRequest")["params"] == {"id": question["id"]}

    shared.reply(question, {"title": "Allow"})
    shared.reply({"id": "never-asked"}, {"title": "Allow"})

    assert shared.result("tools/list") == {"tools": []}


def test_a_question_past_its_deadline_is_withdrawn(shared: RawClient) -> None:
    identifier = shared.ask("tools/call", {"name": "confirm", "arguments": {"timeout": 0.05}})
    question = shared.call("window/showMessageRequest")

    assert shared.call("$/cancelRequest")["params"] == {"id": question["id"]}
    assert shared.answer(identifier)["result"] == {"choice": "timeout"}


def test_the_editors_model_completes(start: Start) -> None:
    client = start(FAKE)
    client.initialize({"client": {"languageModel": True}})
    for reply, result in (
        ({"text": "fix", "model": "m"}, {"text": "fix", "model": "m"}),
        ({"text": "fix"}, {"text": "fix", "model": None}),
        ({"text": 5}, {"failed": "the client's answer holds no text", "unavailable": False}),
    ):
        identifier = client.ask("tools/call", {"name": "complete"})
        request = client.call("languageModel/complete")
        assert request["params"] == {"messages": [], "maxTokens": 5, "temperature": 0.5, "purpose": "test"}
        client.reply(request, reply)
        assert client.answer(identifier)["result"] == result


def test_bodies_are_not_logged_at_any_level(start: Start) -> None:
    client = start([*FAKE, "--log-level", "debug"])
    client.initialize({"settings": {"secret": SECRET}})
    client.result("git/stagedDiff", {"repository": SECRET})
    client.request("git/stagedDiff", {SECRET: SECRET})
    client.request("git/stagedDiff", {"repository": "bug"})
    client.send(f'{{"jsonrpc":"2.0","id":1,"x":"{SECRET}"'.encode())
    client.answer(None)
    client.notify("git/didChangeRepositories", {"repositories": [{"rootUri": SECRET}]})
    client.end()

    assert "incident" in client.stderr_text
    assert SECRET not in client.stderr_text


@pytest.mark.parametrize("environment", [{}, {"PYTHONWARNINGS": "always", "PYTHONDEVMODE": "1"}])
def test_nothing_but_frames_reaches_stdout(start: Start, environment: dict[str, str]) -> None:
    client = start(FAKE, **environment)
    client.initialize()

    assert client.result("tools/call", {"name": "print", "arguments": {}}) == {"printed": True}
    assert client.end() == 0
    assert "printed by Python" in client.stderr_text
    assert "by a child" in client.stderr_text


def test_a_client_that_does_not_read_does_not_stop_the_server(start: Start, tmp_path: Path) -> None:
    client = start(FAKE)
    client.initialize()
    reports = Reports(tmp_path / "reports")
    may_read = client.pause_reading()
    # A pipe holds 64 KiB; the first answer is read before the pause, the others wait.
    identifiers = [client.ask("git/stagedDiff", {"repository": "big"}) for _ in range(3)]
    report = client.ask("tools/call", {"name": "report", "arguments": {"path": str(reports.path)}})

    assert reports.next() == ["here"]
    reports.close()
    may_read.set()
    assert client.answer(report)["result"] == {}
    lengths = [len(client.answer(identifier)["result"]["diff"]) for identifier in identifiers]
    assert lengths == [4_000_000 + len(SECRET)] * 3
