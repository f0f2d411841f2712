"""Every id is answered exactly once, whatever is wrong with the message that carries it."""

from typing import Any

import pytest

from tests.protocol.conftest import FAKE, Start
from tests.protocol.raw_client import RawClient

RPC = {"jsonrpc": "2.0"}
DIFF = {**RPC, "method": "git/stagedDiff"}


@pytest.mark.parametrize(
    ("message", "identifier", "code"),
    [
        (b"{", None, -32700),
        (b"", None, -32700),
        (b"\xff\xfe", None, -32700),
        (b'{"jsonrpc":"2.0","id":7,"method":"git/stagedDiff","params":{"repository":"x}', 7, -32700),
        (b'{"jsonrpc":"2.0","method":"a","id":"seven","params":{,}}', "seven", -32700),
        (b'{"jsonrpc":"2.0","params":{"id":8},"method":"a",}', None, -32700),
        (b'{"jsonrpc":"2.0","id":9,"method":"git/stagedDiff","params":{"fileBudget":NaN}}', 9, -32700),
        (b'{"jsonrpc":"2.0","id":10,"method":"a","params":\xff}', 10, -32700),
        (b'{"jsonrpc":"2.0","id":11,"method":"a","params":' + b"[" * 100_000 + b"]" * 100_000 + b"}", 11, -32600),
        (b'{"jsonrpc":"2.0","id":12,"method":"a","params":' + b"9" * 5_000 + b"}", 12, -32700),
        (b"3", None, -32600),
        (b"null", None, -32600),
        (b'"git/stagedDiff"', None, -32600),
        (b"[]", None, -32600),
        ({"id": 20, "method": "git/stagedDiff"}, 20, -32600),
        ({"jsonrpc": "1.0", "id": 21, "method": "git/stagedDiff"}, 21, -32600),
        ({**RPC, "id": 22, "method": 5}, 22, -32600),
        ({**RPC, "id": 23, "method": None}, 23, -32600),
        ({**RPC, "id": 24}, 24, -32600),
        ({**DIFF, "id": None}, None, -32600),
        ({**DIFF, "id": True}, None, -32600),
        ({**DIFF, "id": {}}, None, -32600),
        ({**DIFF, "id": 1.5}, 1.5, -32600),
        ({**DIFF, "id": 30, "params": "text"}, 30, -32602),
        ({**DIFF, "id": 31, "params": 1}, 31, -32602),
        ({**DIFF, "id": 32, "params": None}, 32, -32602),
        ({**DIFF, "id": 33, "params": [1, 2]}, 33, -32602),
        ({**DIFF, "id": 34, "params": {"repository": {"a": 1}}}, 34, -32602),
        ({**DIFF, "id": 35, "params": {"repository": {"jsonrpc": "2.0", "id": 1}}}, 35, -32602),
        ({**DIFF, "id": 36, "params": {"type_name": "not an identifier"}}, 36, -32602),
        ({**DIFF, "id": 37, "params": {"class": "x"}}, 37, -32602),
        ({**RPC, "id": 38, "method": "git/noSuchMethod", "params": {}}, 38, -32601),
        ({**RPC, "id": 39, "method": "$/noSuchMethod"}, 39, -32601),
        ({**RPC, "id": 40, "method": "git/didChangeTrust", "params": {"trusted": True}}, 40, -32601),
        ({**RPC, "id": 41, "method": "exit"}, 41, -32601),
        ({**RPC, "id": 42, "method": "workspace/executeCommand", "params": {"command": "x"}}, 42, -32601),
        ({**RPC, "id": 43, "method": "initialize", "params": {}}, 43, -32600),
    ],
)
def test_malformed_messages_are_answered_once(shared: RawClient, message: Any, identifier: Any, code: int) -> None:
    shared.send(message)

    assert shared.answer(identifier)["error"]["code"] == code
    assert shared.result("git/stagedDiff", {"repository": "after"})["diff"] == "after"
    assert shared.unread() == []


def test_params_may_be_left_out(shared: RawClient) -> None:
    assert shared.result("git/stagedDiff") == {"diff": None, "budget": None, "canceled": False}


@pytest.mark.parametrize("params", [None, {}, []])
def test_a_method_without_params_takes_every_empty_form(shared: RawClient, params: Any) -> None:
    shared.send({**RPC, "id": 1, "method": "tools/list", "params": params})

    assert shared.answer(1)["result"] == {"tools": []}


def test_params_reach_the_service_as_they_were_sent(shared: RawClient) -> None:
    arguments = {
        "class": 1,
        "jsonrpc": "2.0",
        "type_name": "a b",
        "id": {"jsonrpc": "2.0", "method": "x"},
        "é\ud800": 2.0,
    }

    result = shared.result("tools/call", {"name": "echo", "arguments": arguments, "sessionId": "s", "ticket": "t"})

    assert result == {"arguments": arguments, "session": "s", "ticket": "t"}


def test_each_request_of_a_batch_is_answered(shared: RawClient) -> None:
    shared.send([{**DIFF, "id": 1}, {**RPC, "method": "x"}, {**DIFF, "id": "two"}, 5, {**RPC, "id": 3, "result": 1}])

    assert shared.answer(1)["error"]["code"] == -32600
    assert shared.answer("two")["error"]["code"] == -32600
    assert shared.result("git/stagedDiff", {"repository": "after"})["diff"] == "after"


def test_an_id_in_use_is_answered_once_for_its_own_request(shared: RawClient) -> None:
    shared.send({**DIFF, "id": 5, "params": {"repository": "endless"}})
    shared.send({**DIFF, "id": 5, "params": {"repository": "second"}})
    assert shared.answer(None)["error"]["code"] == -32600
    shared.send(b'{"jsonrpc":"2.0","id":5,"method":"git/stagedDiff",')
    assert shared.answer(None)["error"]["code"] == -32700

    shared.notify("$/cancelRequest", {"id": 5})
    assert shared.answer(5)["result"]["canceled"] is True
    shared.send({**DIFF, "id": 5, "params": {"repository": "third"}})
    assert shared.answer(5)["result"]["diff"] == "third"


def test_ids_keep_their_type(shared: RawClient) -> None:
    for identifier in (0, -1, 2**53, "", "é", "1"):
        shared.send({**DIFF, "id": identifier})
        answer = shared.answer(identifier)
        assert type(answer["id"]) is type(identifier)
        assert answer["result"]["canceled"] is False


@pytest.mark.parametrize(
    ("params", "named"),
    [
        ({"repositry": "x"}, "repositry"),
        ({"repository": 1}, "repository"),
        ({"fileBudget": "many"}, "fileBudget"),
        ({"fileBudget": 0}, "fileBudget"),
        ({"fileBudget": True}, "fileBudget"),
    ],
)
def test_wrong_fields_are_named(shared: RawClient, params: Any, named: str) -> None:
    error = shared.request("git/stagedDiff", params)["error"]

    assert error["code"] == -32602
    assert named in error["message"]


def test_null_is_absent(shared: RawClient) -> None:
    assert shared.result("git/stagedDiff", {"repository": None, "fileBudget": None})["diff"] is None


def test_every_method_is_routed(shared: RawClient) -> None:
    assert shared.result("git/operations", {"count": 3}) == {"operations": [], "count": 3}
    assert shared.result("git/undo", {"operationId": "o"}) == {"undone": "o"}
    assert shared.result("git/grants") == {"grants": []}
    assert shared.result("git/revokeGrant", {"grantId": "g"}) == {"revoked": "g"}
    assert shared.result("tools/prepare", {"name": "n", "arguments": {"a": 1}}) == {"name": "n", "arguments": {"a": 1}}
    assert shared.result("tools/cancel", {"toolCallId": "none"}) == {"canceled": False}
    for method in ("git/undo", "git/revokeGrant", "tools/call", "tools/prepare", "tools/cancel"):
        error = shared.request(method, {})["error"]
        assert (error["code"], "missing" in error["message"]) == (-32602, True)


def test_frames_may_come_in_any_pieces_and_header_forms(start: Start) -> None:
    client = start(FAKE)
    client.initialize()
    body = b'{"jsonrpc":"2.0","id":1,"method":"git/stagedDiff"}'
    for number in range(0, len(body), 7):
        if number == 0:
            client.send_bytes(
                b"content-length:%d\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r" % len(body)
            )
            client.send_bytes(b"\n\r\n")
        client.send_bytes(body[number : number + 7])

    assert client.answer(1)["result"]["canceled"] is False


@pytest.mark.parametrize(
    "data",
    [
        b"POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}",
        b"A: " + b"a" * 10_000,
    ],
)
def test_bytes_that_are_no_frames_end_the_connection(start: Start, data: bytes) -> None:
    client = start(FAKE)
    client.initialize()
    client.send_bytes(data)

    assert client.answer(None)["error"]["code"] == -32700
    assert client.wait_end() == 1
