"""The same wire over TCP and WebSocket: one client, and the server ends with it."""

import json
import re
import socket
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import IO, Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import connect

from tests.protocol.conftest import FAKE, ROOT
from tests.protocol.raw_client import BOUND_S, frame
from tests.support.scratch import hermetic_environment

INITIALIZE: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}
DIFF = {"jsonrpc": "2.0", "id": 2, "method": "git/stagedDiff", "params": {"repository": "é"}}
SHUTDOWN = {"jsonrpc": "2.0", "id": 3, "method": "shutdown"}
EXIT = {"jsonrpc": "2.0", "method": "exit"}


class Listening:
    """A server that listens: its process and its port."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [*FAKE, *arguments],
            cwd=ROOT,
            env=hermetic_environment(home),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert self.process.stderr is not None
        said = self.process.stderr.readline().decode()
        found = re.search(r"listening on 127\.0\.0\.1:(\d+)$", said.strip())
        assert found, said
        self.port = int(found[1])

    def finish(self) -> None:
        """Kill it; nothing may have been printed."""
        self.process.kill()
        printed, _ = self.process.communicate()
        assert printed == b""


@pytest.fixture
def tcp(tmp_path: Path) -> Generator[Listening]:
    """A server that listens for TCP."""
    server = Listening(tmp_path, "--tcp", "127.0.0.1:0")
    yield server
    server.finish()


@pytest.fixture
def ws(tmp_path: Path) -> Generator[Listening]:
    """A server that listens for WebSockets."""
    server = Listening(tmp_path, "--ws", "127.0.0.1:0")
    yield server
    server.finish()


def read(stream: IO[bytes]) -> dict[str, object]:
    """The next message of a TCP client."""
    length = int(stream.readline().removeprefix(b"Content-Length: "))
    assert stream.readline() == b"\r\n"
    return json.loads(stream.read(length))


def test_tcp_serves_one_client_and_ends_with_it(tcp: Listening) -> None:
    with socket.create_connection(("127.0.0.1", tcp.port), timeout=BOUND_S) as client:
        stream = client.makefile("rb")
        client.sendall(frame(INITIALIZE))
        assert read(stream)["id"] == 1
        with pytest.raises(OSError):
            socket.create_connection(("127.0.0.1", tcp.port), timeout=BOUND_S)
        client.sendall(frame(DIFF))
        assert read(stream)["result"] == {"diff": "é", "budget": None, "canceled": False}
        client.sendall(frame(SHUTDOWN) + frame(EXIT))
        assert read(stream)["id"] == 3
        assert tcp.process.wait(BOUND_S) == 0


def test_a_tcp_client_that_goes_away_ends_the_server(tcp: Listening) -> None:
    with socket.create_connection(("127.0.0.1", tcp.port), timeout=BOUND_S) as client:
        client.sendall(frame(INITIALIZE) + b"Content-Le")

    assert tcp.process.wait(BOUND_S) == 1


def test_a_web_page_cannot_post_messages(tcp: Listening) -> None:
    body = frame(INITIALIZE)
    with socket.create_connection(("127.0.0.1", tcp.port), timeout=BOUND_S) as client:
        client.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body))
        stream = client.makefile("rb")
        answer = read(stream)
        assert (answer["id"], "error" in answer) == (None, True)
        assert stream.read() == b""

    assert tcp.process.wait(BOUND_S) == 1


def test_websocket_serves_one_client_and_ends_with_it(ws: Listening) -> None:
    with connect(f"ws://127.0.0.1:{ws.port}", proxy=None) as client:
        client.send(json.dumps(INITIALIZE))
        assert json.loads(client.recv(BOUND_S))["id"] == 1
        with connect(f"ws://127.0.0.1:{ws.port}", proxy=None) as second, pytest.raises(ConnectionClosed):
            second.recv(BOUND_S)
        client.send("{")
        assert json.loads(client.recv(BOUND_S))["error"]["code"] == -32700
        client.send(json.dumps(DIFF).encode())
        assert json.loads(client.recv(BOUND_S))["result"]["diff"] == "é"
        client.send(json.dumps(SHUTDOWN))
        client.send(json.dumps(EXIT))
        assert json.loads(client.recv(BOUND_S))["id"] == 3
        assert ws.process.wait(BOUND_S) == 0


def test_a_web_page_cannot_open_a_websocket(ws: Listening) -> None:
    with pytest.raises(InvalidHandshake):
        connect(f"ws://127.0.0.1:{ws.port}", origin="http://localhost", proxy=None)  # pyright: ignore[reportArgumentType]
    with connect(f"ws://127.0.0.1:{ws.port}", proxy=None):
        pass

    assert ws.process.wait(BOUND_S) == 1


def test_an_address_that_is_none_or_taken_is_an_error_for_a_person(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        for address in ("nowhere", f"127.0.0.1:{taken.getsockname()[1]}"):
            done = subprocess.run(
                [sys.executable, "-m", "git_sidecar", "serve", "--tcp", address],
                env=hermetic_environment(tmp_path),
                cwd=tmp_path,
                capture_output=True,
                check=False,
                timeout=60,
            )
            assert done.returncode == 1
            assert b"cannot serve" in done.stderr
            assert b"Traceback" not in done.stderr
