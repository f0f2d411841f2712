"""An editor of a few lines: starts the real server over stdio and speaks to it as an editor would.

Strict: a question that a test did not expect, or an error message that nobody read, fails the test at the end.
"""

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

Json = dict[str, Any]
TIMEOUT_S = 30.0


class ServerError(Exception):
    """A JSON-RPC error; `code` and `data` as the server sent them."""

    def __init__(self, error: Json) -> None:
        """Keep the error object."""
        super().__init__(f"{error['code']}: {error['message']} {error.get('data')}")
        self.code: int = error["code"]
        self.message: str = error["message"]
        self.data: Any = error.get("data")


def refuse_to_answer(question: Json) -> str:
    """The answer of an editor whose test expects no question."""
    raise AssertionError(f"an unexpected question: {question}")


def always(choice: str) -> Callable[[Json], str]:
    """An editor whose person always chooses the same."""
    return lambda _question: choice


class Editor:
    """One server process and its client end."""

    def __init__(
        self,
        env: Mapping[str, str],
        *,
        command: Sequence[str] = (),
        answer: Callable[[Json], str] = refuse_to_answer,
        confirm: bool = True,
    ) -> None:
        """Start the server. `answer` gives the choice for each tools/confirm (or showMessageRequest without it)."""
        self.process = subprocess.Popen(
            list(command) or [sys.executable, "-m", "git_sidecar", "serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(env),
        )
        self.questions: list[Json] = []
        self.notifications: list[Json] = []
        self.stderr = b""
        self._answer = answer
        self._confirm = confirm
        self._last_id = 0
        self._answers: dict[int, queue.Queue[Json]] = {}
        self._failures: list[BaseException] = []
        self._lock = threading.Lock()
        self._arrived = threading.Condition()
        self._reader = threading.Thread(target=self._read_messages, daemon=True)
        self._errors = threading.Thread(target=self._read_stderr, daemon=True)
        self._reader.start()
        self._errors.start()

    def __enter__(self) -> Self:
        """Use as a context: the server is ended and checked at the end."""
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        """Shut down; where the test succeeded, check that nothing went unread."""
        if self.process.poll() is None:
            try:
                self.request("shutdown", None, timeout_s=10)
                self.notify("exit", None)
                self.process.wait(timeout=10)
            except (OSError, AssertionError, subprocess.TimeoutExpired):
                self.process.kill()
                self.process.wait()
                if kind is None:
                    raise
        self._close_pipes()
        if kind is None and self._failures:
            raise self._failures[0]

    def initialize(
        self,
        folders: Sequence[Path] = (),
        *,
        settings: Json | None = None,
        repositories: Sequence[Json] | None = None,
        trusted: bool = True,
        **options: object,
    ) -> Json:
        """The handshake; the result of `initialize`."""
        params: Json = {
            "processId": os.getpid(),
            "clientInfo": {"name": "test-editor"},
            "capabilities": {},
            "workspaceFolders": [{"uri": folder.as_uri(), "name": folder.name} for folder in folders],
            "initializationOptions": {
                "protocolVersion": 1,
                "trusted": trusted,
                "client": {"confirm": self._confirm, "canAsk": True},
                **({"settings": settings} if settings is not None else {}),
                **({"repositories": list(repositories)} if repositories is not None else {}),
                **options,
            },
        }
        result = self.request("initialize", params)
        self.notify("initialized", {})
        return result

    def scm(self, *roots: Path, selected: int | None = 0, labels: Sequence[str | None] = ()) -> None:
        """Send the SCM list."""
        rows: list[Json] = []
        for number, root in enumerate(roots):
            row: Json = {"rootUri": root.as_uri(), "selected": number == selected}
            if number < len(labels) and labels[number] is not None:
                row["label"] = labels[number]
            rows.append(row)
        self.notify("git/didChangeRepositories", {"repositories": rows})

    def notify(self, method: str, params: object) -> None:
        """Send a notification; params None are left out."""
        self._send({"method": method, **({"params": params} if params is not None else {})})

    def begin(self, method: str, params: object) -> int:
        """Send a request without waiting; its id."""
        with self._lock:
            self._last_id += 1
            number = self._last_id
            self._answers[number] = queue.Queue()
        self._send({"id": number, "method": method, **({"params": params} if params is not None else {})})
        return number

    def finish(self, number: int, timeout_s: float = TIMEOUT_S) -> Any:
        """Wait for the answer of a request; raises ServerError for an error."""
        try:
            message = self._answers[number].get(timeout=timeout_s)
        except queue.Empty:
            raise AssertionError(f"no answer to request {number} within {timeout_s} s") from None
        if "error" in message:
            raise ServerError(message["error"])
        return message["result"]

    def request(self, method: str, params: object = None, timeout_s: float = TIMEOUT_S) -> Any:
        """Send a request and wait for its result."""
        return self.finish(self.begin(method, params), timeout_s)

    def cancel(self, number: int) -> None:
        """Cancel a request."""
        self.notify("$/cancelRequest", {"id": number})

    def staged(self, repository: str | None = None, **params: object) -> Json:
        """git/stagedDiff."""
        return self.request("git/stagedDiff", {**({"repository": repository} if repository else {}), **params})

    def call(self, tool: str, /, **arguments: object) -> Json:
        """tools/call with the arguments."""
        return self.request("tools/call", {"name": tool, "arguments": arguments})

    def value(self, tool: str, /, **arguments: object) -> Json:
        """The value of a tool call that must succeed."""
        answer = self.call(tool, **arguments)
        assert answer["ok"], answer
        return answer["value"]

    def error(self, tool: str, /, **arguments: object) -> Json:
        """The refusal of a tool call that must be refused."""
        answer = self.call(tool, **arguments)
        assert not answer["ok"], answer
        return answer["error"]

    def wait_for(self, method: str, timeout_s: float = TIMEOUT_S) -> Json:
        """The params of the first notification of this method, now or later."""
        deadline = time.monotonic() + timeout_s
        with self._arrived:
            while True:
                for message in self.notifications:
                    if message["method"] == method:
                        return message["params"]
                left = deadline - time.monotonic()
                assert left > 0, f"no {method} within {timeout_s} s"
                self._arrived.wait(left)

    def _send(self, message: Json) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        with self._lock:
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            self.process.stdin.flush()

    def _close_pipes(self) -> None:
        # Read to their ends first: what the server says last counts too, and an unclosed pipe is a warning.
        for thread in (self._reader, self._errors):
            thread.join(TIMEOUT_S)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            with contextlib.suppress(BrokenPipeError):
                stream.close()

    def _read_stderr(self) -> None:
        assert self.process.stderr is not None
        self.stderr = self.process.stderr.read()

    def _read_messages(self) -> None:
        try:
            while (message := self._receive()) is not None:
                self._dispatch(message)
        except BaseException as error:  # noqa: BLE001 - a reader thread passes every failure on to the test
            self._failures.append(error)

    def _receive(self) -> Json | None:
        assert self.process.stdout is not None
        length: int | None = None
        while True:
            line = self.process.stdout.readline()
            if not line:
                return None
            if line == b"\r\n":
                break
            name, _, text = line.partition(b":")
            assert name in (b"Content-Length", b"Content-Type"), f"not a frame: {line!r}"
            if name == b"Content-Length":
                length = int(text)
        assert length is not None, "a frame without Content-Length"
        return json.loads(self.process.stdout.read(length))

    def _dispatch(self, message: Json) -> None:
        if "method" not in message:
            self._answers[message["id"]].put(message)
        elif "id" not in message:
            with self._arrived:
                self.notifications.append(message)
                self._arrived.notify_all()
            if message["method"] == "window/showMessage" and message["params"]["type"] == 1:
                self._failures.append(AssertionError(f"an error was shown: {message['params']}"))
        else:
            # Answered beside the reader, so that a slow person does not keep other answers back.
            threading.Thread(target=self._answer_question, args=(message,), daemon=True).start()

    def _answer_question(self, message: Json) -> None:
        method, params = message["method"], message["params"]
        if method == "window/workDoneProgress/create":
            self._send({"id": message["id"], "result": None})
            return
        self.questions.append({"method": method, **params})
        try:
            choice = self._answer({"method": method, **params})
        except BaseException as error:  # noqa: BLE001 - as above
            self._failures.append(error)
            self._send({"id": message["id"], "error": {"code": -32603, "message": "unexpected"}})
            return
        result: Json | None = {"choice": choice}
        if method == "window/showMessageRequest":
            titles = {"allowOnce": "Allow", "allowSession": "Allow in This Session", "deny": "Deny"}
            result = {"title": titles[choice]} if choice in titles else None
        self._send({"id": message["id"], "result": result})
