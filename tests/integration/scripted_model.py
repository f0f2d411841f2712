"""A local HTTP server that speaks as much of the OpenAI chat protocol as a test scripts, and keeps what it was sent."""

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Reply:
    """One scripted answer: pieces of text streamed as events, or a status with a body.

    `finish` None ends the stream before its end is said; `hang` never answers at all; `tool` calls one.
    """

    pieces: Sequence[str] = ()
    status: int = 200
    body: str = ""
    finish: str | None = "stop"
    hang: bool = False
    tool: bool = False


@dataclass(slots=True)
class ScriptedModel:
    """What was asked, and what is answered next; the last reply is repeated."""

    base_url: str
    replies: list[Reply]
    bodies: list[str] = field(default_factory=list[str])
    keys: list[str] = field(default_factory=list[str])
    paths: list[str] = field(default_factory=list[str])
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    hung_up: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def requests(self) -> list[dict[str, Any]]:
        """The JSON bodies that were sent."""
        return [json.loads(body) for body in self.bodies if body]


def _event(delta: dict[str, object], finish: str | None) -> str:
    chunk = {
        "id": "1",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": "scripted-1",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }
    return f"data: {json.dumps(chunk)}\n\n"


def _stream(reply: Reply) -> str:
    events = [_event({"content": piece}, None) for piece in reply.pieces]
    if reply.tool:
        call = {"index": 0, "id": "c", "type": "function", "function": {"name": "read_file", "arguments": "{}"}}
        events.append(_event({"tool_calls": [call]}, None))
    if reply.finish is not None:
        events += [_event({}, reply.finish), "data: [DONE]\n\n"]
    return "".join(events)


async def _answer(model: ScriptedModel, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    request, *lines = head.split("\r\n")
    headers = {key.lower(): value.strip() for key, _, value in (line.partition(":") for line in lines if line)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    model.paths.append(request.split(" ")[1])
    model.keys.append(headers.get("authorization", ""))
    model.bodies.append(body.decode())
    model.asked.set()
    if request.split(" ")[1].endswith("/models"):
        reply = Reply(body=json.dumps({"object": "list", "data": [
            {"id": "first-model", "object": "model", "created": 0, "owned_by": "x"}]}))  # fmt: skip
    else:
        reply = model.replies.pop(0) if len(model.replies) > 1 else model.replies[0]
    if reply.hang:
        await reader.read()
        model.hung_up.set()
        return
    text = reply.body or (_stream(reply) if reply.status == 200 else "{}")
    kind = "application/json" if reply.body or reply.status != 200 else "text/event-stream"
    payload = text.encode()
    writer.write(
        f"HTTP/1.1 {reply.status} X\r\ncontent-type: {kind}\r\ncontent-length: {len(payload)}\r\n"
        "retry-after-ms: 1\r\nconnection: close\r\n\r\n".encode()
        + payload
    )
    await writer.drain()


@asynccontextmanager
async def scripted_model(*replies: Reply) -> AsyncGenerator[ScriptedModel]:
    """A server with the given replies, gone at the end."""
    model = ScriptedModel("", list(replies))

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await _answer(model, reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            model.hung_up.set()
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    model.base_url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    try:
        yield model
    finally:
        server.close()
