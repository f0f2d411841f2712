"""A client at the level of bytes: strict about what it reads, free in what it sends."""

import json
import os
import queue
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

BOUND_S = 60.0

Json = dict[str, Any]


class NotFramed(AssertionError):
    """The server's stdout holds something else than frames."""


def frame(message: Json | list[Any] | bytes) -> bytes:
    """One frame; bytes are its body as they are."""
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


class RawClient:
    """One server process and all that it says."""

    def __init__(self, argv: Sequence[str], env: Mapping[str, str], stderr: Path, cwd: Path) -> None:
        """Start the server."""
        self._stderr = stderr
        with stderr.open("wb") as sink:
            self.process = subprocess.Popen(
                argv, env=dict(env), cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=sink
            )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.stdin = self.process.stdin
        self.stdout = self.process.stdout
        self._arrived: queue.Queue[Json | Exception | None] = queue.Queue()
        self._kept: list[Json] = []
        self._may_read = threading.Event()
        self._may_read.set()
        self._number = 100
        self._reader = threading.Thread(target=self._read_all, daemon=True)
        self._reader.start()

    @property
    def stderr_text(self) -> str:
        """What the server has written to stderr so far."""
        return self._stderr.read_text(errors="replace")

    def send_bytes(self, data: bytes) -> None:
        """Send bytes as they are."""
        self.stdin.write(data)
        self.stdin.flush()

    def send(self, message: Json | list[Any] | bytes) -> None:
        """Send one frame."""
        self.send_bytes(frame(message))

    def notify(self, method: str, params: Any = None) -> None:
        """Send a notification."""
        self.send({"jsonrpc": "2.0", "method": method, **({} if params is None else {"params": params})})

    def ask(self, method: str, params: Any = None) -> int:
        """Send a request; its id."""
        self._number += 1
        params_member = {} if params is None else {"params": params}
        self.send({"jsonrpc": "2.0", "id": self._number, "method": method, **params_member})
        return self._number

    def request(self, method: str, params: Any = None) -> Json:
        """Send a request; its answer, whole."""
        return self.answer(self.ask(method, params))

    def result(self, method: str, params: Any = None) -> Any:
        """Send a request that must succeed; its result."""
        answer = self.request(method, params)
        assert "result" in answer, answer
        return answer["result"]

    def answer(self, identifier: Any, *, bound_s: float = BOUND_S) -> Json:
        """The answer with this id."""
        return self._take(lambda message: "method" not in message and message.get("id") == identifier, bound_s)

    def call(self, method: str, *, bound_s: float = BOUND_S) -> Json:
        """The next request or notification of the server with this method."""
        return self._take(lambda message: message.get("method") == method, bound_s)

    def reply(self, request: Json, result: Any) -> None:
        """Answer a request of the server."""
        self.send({"jsonrpc": "2.0", "id": request["id"], "result": result})

    def initialize(self, options: Json | None = None, **params: Any) -> Json:
        """The result of a handshake."""
        given = {"processId": os.getpid(), "capabilities": {}, "initializationOptions": options or {}, **params}
        result = self.result("initialize", given)
        self.notify("initialized", {})
        return result

    def unread(self) -> list[Json]:
        """All that has come and was not taken."""
        while True:
            try:
                message = self._arrived.get_nowait()
            except queue.Empty:
                return self._kept
            self._keep(message)

    def pause_reading(self) -> threading.Event:
        """Stop reading after the next message, until the event is set."""
        self._may_read.clear()
        return self._may_read

    def wait_end(self, *, bound_s: float = BOUND_S) -> int:
        """The exit code, once the process has ended and all that it said is read."""
        code = self.process.wait(bound_s)
        self._reader.join(bound_s)
        return code

    def end(self) -> int:
        """End the server as a client should."""
        answer = self.request("shutdown")
        assert answer["result"] is None, answer
        self.notify("exit")
        return self.wait_end()

    def _keep(self, message: Json | Exception | None) -> None:
        if isinstance(message, Exception):
            raise message
        if message is not None:
            self._kept.append(message)

    def _take(self, fits: Callable[[Json], bool], bound_s: float) -> Json:
        for number, message in enumerate(self._kept):
            if fits(message):
                return self._kept.pop(number)
        while True:
            try:
                message = self._arrived.get(timeout=bound_s)
            except queue.Empty:
                raise AssertionError(f"nothing came within {bound_s} s; unread: {self._kept}") from None
            if message is None:
                raise AssertionError(f"the server ended; unread: {self._kept}; stderr: {self.stderr_text}")
            if isinstance(message, dict) and fits(message):
                return message
            self._keep(message)

    def _read_all(self) -> None:
        try:
            while (message := _read_frame(self.stdout)) is not None:
                self._arrived.put(message)
                self._may_read.wait()
        except Exception as error:  # noqa: BLE001 - raised where the test waits
            self._arrived.put(error)
        self._arrived.put(None)


def _read_frame(stream: Any) -> Json | None:
    length: int | None = None
    while True:
        line: bytes = stream.readline()
        if not line and length is None:
            return None
        if line == b"\r\n":
            break
        name, _, value = line.partition(b": ")
        if name != b"Content-Length" or not value.endswith(b"\r\n"):
            raise NotFramed(line)
        length = int(value)
    body: bytes = stream.read(length)
    message: Json = json.loads(body)
    if message.get("jsonrpc") != "2.0" or len(body) != length:
        raise NotFramed(body)
    return message
