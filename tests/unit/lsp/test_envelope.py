"""What the envelope check makes of one frame."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_sidecar.lsp.envelope import (
    ABSENT,
    Ignored,
    Notification,
    Rejected,
    Request,
    Response,
    parse_messages,
    recover_id,
)


def test_sound_messages() -> None:
    assert parse_messages(b'{"jsonrpc":"2.0","id":1,"method":"m"}') == (Request(1, "m", ABSENT),)
    assert parse_messages('{"jsonrpc":"2.0","id":"1","method":"m","params":null}') == (Request("1", "m", None),)
    assert parse_messages(b'{"jsonrpc":"2.0","method":"m","params":[1]}') == (Notification("m", [1]),)
    assert parse_messages(b'{"jsonrpc":"2.0","id":2,"result":null}') == (Response(2, None, None),)
    assert parse_messages(b'{"jsonrpc":"2.0","id":2,"error":{"code":1}}') == (Response(2, None, {"code": 1}),)


@pytest.mark.parametrize(
    "body",
    [
        b'{"method":"m"}',
        b'{"jsonrpc":"2.0","method":3}',
        b'{"jsonrpc":"2.0","method":"m","params":"x"}',
        b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700}}',
        b'{"jsonrpc":"2.0","result":3}',
    ],
)
def test_what_nobody_waits_for_is_ignored(body: bytes) -> None:
    (message,) = parse_messages(body)

    assert isinstance(message, Ignored)


@pytest.mark.parametrize(
    ("body", "identifier"),
    [
        (b'{"id":7,"method":"m"', 7),
        (b'{"method":"m","id":-7,}', -7),
        (b'{"method":"m","id":"a\\"b",}', 'a"b'),
        (b'{"params":{"id":1,"method":"x"},"method":"m","id":2,', 2),
        (b'{"params":["id",1],"method":"m","id":2 3', 2),
        (b'{"id":7}x', None),
        (b'{"result":{"method":"m"},"id":7,', None),
        (b'[{"id":7,"method":"m"}', None),
        (b'{"id":7.5,"method":"m",', None),
        (b'{"id":[7],"method":"m",', None),
        (b'{"id":"cut', None),
        (b'x{"id":7,"method":"m"', None),
        (b"", None),
    ],
)
def test_an_id_is_recovered_where_it_is_certain(body: bytes, identifier: int | str | None) -> None:
    assert recover_id(body) == identifier


@given(st.binary(max_size=200))
def test_any_bytes_give_a_message(body: bytes) -> None:
    messages = parse_messages(body)

    assert messages
    assert all(isinstance(message, Rejected | Request | Notification | Response | Ignored) for message in messages)


@given(st.integers(0, 60), st.integers(-(10**15), 10**15) | st.text(max_size=5))
def test_a_cut_request_never_gives_another_id(cut: int, identifier: int | str) -> None:
    import json

    whole = json.dumps({"jsonrpc": "2.0", "id": identifier, "method": "m", "params": {"id": 5, "x": ["}"]}})
    body = whole[: max(0, len(whole) - 1 - cut)]

    assert recover_id(body) in (identifier, None)


def test_recovery_takes_time_in_proportion_to_the_length() -> None:
    body = b'{"method":"m","id":7,"x":"' + b'\\"' * 1_000_000
    began = time.process_time()

    assert recover_id(body) == 7
    assert time.process_time() - began < 5
