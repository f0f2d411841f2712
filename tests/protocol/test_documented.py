"""docs/protocol.md shows a sequence that a client author can follow; this plays it against the real server."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

from tests.support.scratch import Scratch

PAGE = Path(__file__).parents[2] / "docs" / "protocol.md"


def documented_messages() -> list[tuple[str, Any]]:
    """The sequence of the page, as (direction, message)."""
    block = re.search(r"```sequence\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    return [(line[0], json.loads(line[1:])) for line in block[1].strip().split("\n")]


class Player:
    """Sends what the page sends, and holds what comes to what the page expects."""

    def __init__(self, server: "subprocess.Popen[bytes]", names: dict[str, Any]) -> None:
        """`names` are the placeholders that are known from the start."""
        self.server = server
        self.names = names

    def fill(self, value: Any) -> Any:
        """The value with its placeholders filled in."""
        if isinstance(value, dict):
            return {key: self.fill(item) for key, item in cast("dict[str, Any]", value).items()}
        if isinstance(value, list):
            return [self.fill(item) for item in cast("list[Any]", value)]
        return self.names[value] if isinstance(value, str) and value.startswith("$") else value

    def send(self, message: dict[str, Any]) -> None:
        """Send a message."""
        body = json.dumps({"jsonrpc": "2.0", **self.fill(message)}).encode()
        assert self.server.stdin is not None
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.server.stdin.flush()

    def receive(self) -> dict[str, Any]:
        """The next message that is no notification."""
        assert self.server.stdout is not None
        while True:
            length = int(self.server.stdout.readline().split(b":")[1])
            self.server.stdout.readline()
            message = json.loads(self.server.stdout.read(length))
            if "id" in message:
                return message

    def expect(self, expected: Any, got: Any) -> None:
        """Whether `got` holds at least what is expected; new placeholders are learnt."""
        if isinstance(expected, dict):
            assert isinstance(got, dict), (expected, got)
            for key, item in cast("dict[str, Any]", expected).items():
                assert key in got, (key, got)
                self.expect(item, cast("dict[str, Any]", got)[key])
        elif isinstance(expected, list):
            items = cast("list[Any]", expected)
            assert isinstance(got, list)
            assert len(cast("list[Any]", got)) == len(items), (expected, got)
            for item, one in zip(items, cast("list[Any]", got), strict=True):
                self.expect(item, one)
        elif isinstance(expected, str) and expected.startswith("$"):
            assert self.names.setdefault(expected, got) == got
        elif expected == "…":
            assert isinstance(got, str)
            assert got
        else:
            assert got == expected


def test_the_documented_sequence_is_what_happens(scratch: Scratch) -> None:
    repo = scratch.repo("app")
    repo.commit(**{"a.txt": "one\n"})
    repo.write("a.txt", "one\nmore\n")
    server = subprocess.Popen(
        [sys.executable, "-m", "git_sidecar", "serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=scratch.env,
    )
    try:
        player = Player(server, {"$FOLDER": repo.root.as_uri()})
        for direction, message in documented_messages():
            if direction == "→":
                player.send(message)
            else:
                player.expect(message, player.receive())
        assert server.wait(timeout=10) == 0
        assert (repo.root / "a.txt").read_text() == "one\nmore\n"
    finally:
        server.kill()
        server.wait()
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.close()
        server.stdout.close()
