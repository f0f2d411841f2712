"""From the first message to the end of the process, and what must not outlive it."""

import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

from tests.protocol.conftest import FAKE, Start
from tests.support.processes import Reports

END_S = 5.0


def test_before_initialize_requests_are_refused_and_notifications_ignored(start: Start) -> None:
    client = start(FAKE)
    client.notify("workspace/didChangeConfiguration", {"settings": {"gitSidecar": {"a": 1}}})
    client.notify("git/didChangeTrust", {"trusted": False})
    client.notify("$/cancelRequest", {"id": "never-sent"})
    client.notify("x/unknown")
    for method in ("git/stagedDiff", "shutdown", "x/unknown"):
        assert client.request(method)["error"]["code"] == -32002
    client.initialize({"trusted": True})

    assert client.result("git/repositories")["trusted"] is True


def test_after_shutdown_requests_are_refused_and_exit_is_clean(start: Start) -> None:
    client = start(FAKE)
    client.initialize()
    running = client.ask("tools/call", {"name": "endless", "toolCallId": "x"})
    diff = client.ask("git/stagedDiff", {"repository": "endless"})
    assert client.request("shutdown")["result"] is None

    assert client.answer(running)["error"]["code"] == -32800
    assert client.answer(diff)["result"]["canceled"] is True
    for method in ("git/stagedDiff", "initialize", "shutdown", "x/unknown"):
        assert client.request(method, {})["error"]["code"] == -32600
    client.notify("git/didChangeTrust", {"trusted": False})
    client.notify("exit")
    assert client.wait_end(bound_s=END_S) == 0


def test_exit_without_shutdown_and_a_closed_stdin_end_with_one(start: Start) -> None:
    told, left = start(FAKE), start(FAKE)
    for client in (told, left):
        client.initialize()
        client.ask("tools/call", {"name": "endless", "toolCallId": "x"})
    told.notify("exit")
    left.stdin.close()
    for client in (told, left):
        assert client.wait_end(bound_s=END_S) == 1
        # Whoever still reads is told, whoever has gone is not.
        client.unread().clear()


def test_a_stdin_closed_after_shutdown_ends_with_zero(start: Start) -> None:
    client = start(FAKE)
    client.initialize()
    client.result("shutdown")
    client.stdin.close()

    assert client.wait_end(bound_s=END_S) == 0


def test_signals_end_the_server(start: Start) -> None:
    numbers = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
    clients = [start(FAKE) for _ in numbers]
    for client, number in zip(clients, numbers, strict=True):
        client.initialize()
        client.process.send_signal(number)
        assert client.wait_end(bound_s=END_S) == 1
        assert "Traceback" not in client.stderr_text


def test_the_server_ends_with_the_process_that_was_named(start: Start) -> None:
    parent = subprocess.Popen(["cat"], stdin=subprocess.PIPE)
    client = start(FAKE)
    client.initialize(processId=parent.pid)
    assert client.result("tools/list") == {"tools": []}
    parent.kill()
    # Not reaped: a parent that is a zombie is dead all the same.
    began = time.monotonic()

    assert client.wait_end(bound_s=END_S) == 1
    assert time.monotonic() - began < END_S
    parent.wait()
    assert parent.stdin is not None
    parent.stdin.close()


def test_a_parent_that_is_dead_already_ends_the_server(start: Start) -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    client = start(FAKE)
    client.initialize(processId=gone.pid)

    assert client.wait_end(bound_s=END_S) == 1


def test_a_server_whose_loop_is_stuck_still_ends_with_its_parent(start: Start, tmp_path: Path) -> None:
    parent = subprocess.Popen(["cat"], stdin=subprocess.PIPE)
    reports = Reports(tmp_path / "reports")
    client = start(FAKE)
    client.initialize(processId=parent.pid)
    client.ask("tools/call", {"name": "stuck", "arguments": {"path": str(reports.path)}})
    reports.next()
    reports.close()
    parent.kill()
    parent.communicate()

    assert client.wait_end(bound_s=END_S) == 1
    assert "abandoned" in client.stderr_text


def test_a_server_whose_loop_is_stuck_still_ends_with_stdin(start: Start, tmp_path: Path) -> None:
    reports = Reports(tmp_path / "reports")
    client = start(FAKE)
    client.initialize()
    client.ask("tools/call", {"name": "stuck", "arguments": {"path": str(reports.path)}})
    reports.next()
    reports.close()
    client.stdin.close()

    assert client.wait_end(bound_s=END_S) == 1
    assert "abandoned" in client.stderr_text


def test_a_thread_pool_that_is_full_stops_neither_reading_nor_the_end(start: Start) -> None:
    client = start(FAKE)
    client.initialize()
    client.result("tools/call", {"name": "hog"})

    assert client.result("git/stagedDiff", {"repository": "after"})["diff"] == "after"
    client.result("shutdown")
    client.notify("exit")
    assert client.wait_end(bound_s=END_S) == 0


def test_a_service_that_does_not_close_does_not_hold_up_the_end(start: Start) -> None:
    client = start(FAKE)
    client.initialize({"settings": {"slowClose": True}})
    client.result("shutdown")
    client.notify("exit")

    assert client.wait_end(bound_s=END_S) == 0


def test_the_handshake_tells_what_the_server_is(start: Start) -> None:
    client = start(FAKE)
    result = client.initialize({"settings": {"ignored": 1}}, clientInfo={"name": "test-client", "version": "1"})

    # Told while the request was being answered, sent behind the answer.
    assert client.call("git/settingsIgnored")["params"] == {"ignored": []}
    own = result["capabilities"]["experimental"]["gitSidecar"]
    assert (own["protocolVersion"], own["gitVersion"], own["tools"]) == (1, None, ["git_status"])
    assert sorted(own["methods"]) == [
        "git/commitMessage",
        "git/didChangeRepositories",
        "git/didChangeTrust",
        "git/grants",
        "git/operations",
        "git/repositories",
        "git/revokeGrant",
        "git/stagedDiff",
        "git/undo",
        "tools/call",
        "tools/cancel",
        "tools/list",
        "tools/prepare",
    ]
    assert result["serverInfo"] == {"name": "git-sidecar", "version": own["version"]}
    assert result["capabilities"]["workspace"]["workspaceFolders"] == {"supported": True, "changeNotifications": True}
    assert client.result("git/repositories")["client"] == "test-client"


def test_a_refused_handshake_leaves_the_server_without_guesses(start: Start) -> None:
    client = start(FAKE)

    def refused(options: Any) -> Any:
        error = client.request("initialize", {"capabilities": {}, "initializationOptions": options})["error"]
        assert client.request("git/repositories")["error"]["code"] == -32002
        return error

    version = refused({"protocolVersion": 2})
    assert (version["code"], version["data"]) == (1003, {"requested": 2, "supported": 1})
    settings = refused({"settings": {"wrong": 1}})
    assert (settings["code"], settings["data"]) == (
        1002,
        {"problems": [{"setting": "wrong", "message": "there is no such setting"}]},
    )
    cases: tuple[tuple[Any, str], ...] = (
        ({"trust": True}, "initializationOptions.trust"),
        ({"trusted": "yes"}, "initializationOptions.trusted"),
        ({"client": {"cofirm": True}}, "initializationOptions.client.cofirm"),
        ({"repositories": [{"rootUri": "file:///a", "kind": "bare"}]}, "initializationOptions.repositories[0].kind"),
        ({"repositories": [{"label": "a"}]}, "initializationOptions.repositories[0].rootUri"),
        ({"settings": []}, "initializationOptions.settings"),
        ({"workspaceSettings": {"file:///a": 1}}, "initializationOptions.workspaceSettings.file:///a"),
        ({"protocolVersion": "1"}, "initializationOptions.protocolVersion"),
        ([], "initializationOptions"),
    )
    for options, named in cases:
        error = refused(options)
        assert (error["code"], named in error["message"]) == (-32602, True), error
    client.initialize({"protocolVersion": 1, "client": {"canAsk": False}, "repositories": []})

    assert client.result("git/repositories")["repositories"] == []


def test_the_log_goes_to_a_file_that_only_the_user_reads(start: Start, tmp_path: Path) -> None:
    log = tmp_path / "log"
    client = start([*FAKE, "--log-file", str(log)])
    client.initialize()
    client.request("git/stagedDiff", {"repository": "bug"})
    client.end()

    assert "incident" in log.read_text()
    assert log.stat().st_mode & 0o777 == 0o600
    assert client.stderr_text == ""


def test_descriptors_0_and_1_are_no_longer_the_wire(start: Start) -> None:
    client = start(FAKE)
    client.initialize()
    descriptors = Path(f"/proc/{client.process.pid}/fd")
    assert (descriptors / "0").readlink() == Path(os.devnull)
    assert (descriptors / "1").readlink() == (descriptors / "2").readlink()
