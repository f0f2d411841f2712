"""Frames over standard input and output: a thread reads, a thread writes, and neither can stop the event loop."""

import asyncio
import contextlib
import os
import threading
from collections import deque
from collections.abc import Callable

from git_sidecar.lsp.transport.descriptors import WireDescriptors
from git_sidecar.lsp.transport.framing import BrokenFraming, FrameParser

_CHUNK_BYTES = 64 * 1024
# A client that does not read is not read from either once this much waits for it, so that memory is bounded.
_BACKLOG_BYTES = 64 * 1024 * 1024
_FLUSH_S = 1.0


class StdioTransport:
    """One client over two descriptors."""

    is_local = True
    has_headers = True

    def __init__(self, descriptors: WireDescriptors) -> None:
        """Use descriptors that nobody else uses."""
        self._descriptors = descriptors
        self._queue: deque[bytes] = deque()
        self._backlog_bytes = 0
        self._is_closed = False
        self._changed = threading.Condition()
        self._writer = threading.Thread(target=self._write_all, name="wire-writer", daemon=True)
        self._ended: Callable[[Exception | None], None] = lambda _: None

    async def run(self, receive: Callable[[bytes], None], at_end: Callable[[], None]) -> None:
        """Hand every frame's body to `receive`, on the event loop, until the client's end; raises BrokenFraming.

        `at_end` is called from the thread that sees the end, whatever the event loop is doing.
        """
        loop = asyncio.get_running_loop()
        ended: asyncio.Future[None] = loop.create_future()

        def settle(error: Exception | None) -> None:
            if ended.done():
                return
            if error is None:
                ended.set_result(None)
            else:
                ended.set_exception(error)

        def end(error: Exception | None) -> None:
            at_end()
            # The loop is closed if the server ended by itself while a thread was still in a system call.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(settle, error)

        def deliver(body: bytes) -> None:
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(receive, body)

        self._ended = end
        self._writer.start()
        threading.Thread(target=self._read_all, args=(deliver, end), name="wire-reader", daemon=True).start()
        await ended

    def write(self, data: bytes) -> None:
        """Queue bytes for the client; never waits."""
        with self._changed:
            if not self._is_closed:
                self._queue.append(data)
                self._backlog_bytes += len(data)
                self._changed.notify_all()

    def close(self) -> None:
        """Take no more; what is queued still goes out."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    async def flush(self) -> None:
        """Wait until what was queued before `close` is out, for a moment at most."""
        if self._writer.is_alive():
            await asyncio.get_running_loop().run_in_executor(None, self._writer.join, _FLUSH_S)

    def _read_all(self, deliver: Callable[[bytes], None], end: Callable[[Exception | None], None]) -> None:
        parser = FrameParser()
        try:
            while True:
                with self._changed:
                    self._changed.wait_for(lambda: self._backlog_bytes < _BACKLOG_BYTES or self._is_closed)
                data = os.read(self._descriptors.reading, _CHUNK_BYTES)
                if not data:
                    break
                for body in parser.feed(data):
                    deliver(body)
        except BrokenFraming as error:
            end(error)
        except OSError:
            end(None)
        else:
            end(None)

    def _write_all(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._queue or self._is_closed)
                if not self._queue:
                    return
                data = self._queue.popleft()
            rest = memoryview(data)
            try:
                while rest:
                    rest = rest[os.write(self._descriptors.writing, rest[:_CHUNK_BYTES]) :]
            except OSError:
                with self._changed:
                    self._is_closed = True
                    self._queue.clear()
                    self._backlog_bytes = 0
                    self._changed.notify_all()
                self._ended(None)
                return
            with self._changed:
                self._backlog_bytes -= len(data)
                self._changed.notify_all()
