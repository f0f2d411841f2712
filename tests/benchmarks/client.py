"""The leanest possible client: blocking, one request at a time, so that what is measured is the server."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self


class LeanClient:
    """One server process, spoken to over its pipes."""

    def __init__(self, env: Mapping[str, str], command: Sequence[str] = ()) -> None:
        """Start the server."""
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            list(command) or [sys.executable, "-m", "git_sidecar", "serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(env),
        )
        self._last = 0

    def __enter__(self) -> Self:
        """End the server when the measurement is over."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the server."""
        self.process.terminate()
        self.process.wait(timeout=30)

    def notify(self, method: str, params: object) -> None:
        """Send a notification."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method: str, params: object) -> Any:
        """Send a request and wait for its result; notifications in between are dropped."""
        self._last += 1
        self._send({"jsonrpc": "2.0", "id": self._last, "method": method, "params": params})
        while True:
            message = json.loads(self._receive())
            if message.get("id") == self._last and "method" not in message:
                assert "error" not in message, message
                return message["result"]

    def initialize(self, *folders: Path) -> None:
        """The handshake, and an SCM list of the folders."""
        rows = [{"uri": folder.as_uri(), "name": folder.name} for folder in folders]
        self.request("initialize", {"processId": os.getpid(), "capabilities": {}, "workspaceFolders": rows})
        self.notify("initialized", {})

    def scm(self, *roots: Path) -> None:
        """Send the SCM list; the first is selected."""
        rows = [{"rootUri": root.as_uri(), "selected": root == roots[0]} for root in roots]
        self.notify("git/didChangeRepositories", {"repositories": rows})

    def peak_kib(self) -> int:
        """The server's peak memory so far, in KiB (proc(5), VmHWM)."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return int(status.partition("VmHWM:")[2].split()[0])

    def _send(self, message: Mapping[str, Any]) -> None:
        body = json.dumps(message).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def _receive(self) -> bytes:
        assert self.process.stdout is not None
        length = 0
        while (line := self.process.stdout.readline()) not in (b"\r\n", b""):
            name, _, value = line.partition(b":")
            if name == b"Content-Length":
                length = int(value)
        return self.process.stdout.read(length)
