"""One server process: a transport, a wire, a backend; and its end, with nothing left running."""

import asyncio
import contextlib
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Protocol

from cattrs import Converter
from pygls.server import JsonRPCServer

from git_sidecar.lsp.boundary import log_incident
from git_sidecar.lsp.editor import EditorClient
from git_sidecar.lsp.failure import Failure
from git_sidecar.lsp.parent import watch_process
from git_sidecar.lsp.routes import OWN_METHODS, ROUTES
from git_sidecar.lsp.session import Session
from git_sidecar.lsp.transport.framing import BrokenFraming
from git_sidecar.lsp.wire import Phase, Wire
from git_sidecar.service.ports import Backend, Client

logger = logging.getLogger(__name__)

# The spawner gives processes 2 s between SIGTERM and SIGKILL; the whole must be over within 5 s on a busy machine too.
_CLOSING_S = 3.0
_ENDING_S = 4.0


class Transport(Protocol):
    """How frames come and go; `is_local`: the client is on this machine, so that its process id means something."""

    is_local: bool
    has_headers: bool

    async def run(self, receive: Callable[[bytes], None], at_end: Callable[[], None]) -> None:
        """Hand every frame's body to `receive` until the client's end; raises BrokenFraming, OSError.

        A transport with a thread of its own calls `at_end` from there, as soon as it sees the end.
        """
        ...

    def write(self, data: bytes) -> None:
        """Queue bytes for the client; never waits."""
        ...

    def close(self) -> None:
        """Take no more; what is queued still goes out."""
        ...

    async def flush(self) -> None:
        """Wait until what was queued before `close` is out, for a moment at most."""
        ...


class Server(JsonRPCServer):
    """Serves one client."""

    def __init__(self, make_backend: Callable[[Client], Backend], transport: Transport) -> None:
        """Join the parts; nothing runs yet."""
        super().__init__(Wire, Converter)
        self._transport = transport
        self._ending: asyncio.Event = asyncio.Event()
        wire = self.protocol
        assert isinstance(wire, Wire)  # noqa: S101 - pygls types the protocol by its base class
        self._wire = wire
        editor = EditorClient(wire)
        self._backend = make_backend(editor)
        wire.open(Session(self._backend, editor, wire, self._watch_parent, OWN_METHODS), ROUTES)
        wire.set_writer(transport, include_headers=transport.has_headers)

    async def serve(self) -> int:
        """Serve until the client's end; the exit code: 0 after `shutdown`, else 1. Raises OSError (cannot listen)."""
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(_log_unhandled)
        self._end_on_signals(loop)
        reading = loop.create_task(self._transport.run(self._receive, self._set_time_limit))
        ending = loop.create_task(self._ending.wait())
        try:
            await asyncio.wait((reading, ending), return_when=asyncio.FIRST_COMPLETED)
            if reading.done():
                reading.result()
        except BrokenFraming as error:
            logger.error("the client's bytes are no frames: %s", error)  # noqa: TRY400 - a trace would say nothing
            self._wire.reject(Failure.parse_error(f"broken framing: {error}"))
        finally:
            await self._finish(reading, ending)
        return self._exit_code

    def shutdown(self) -> None:
        """Begin to end; what `exit`, a signal and the parent's death come down to."""
        self._ending.set()

    @property
    def _exit_code(self) -> int:
        return 0 if self._wire.phase is Phase.SHUT_DOWN else 1

    def _receive(self, body: bytes) -> None:
        if self._ending.is_set():
            return
        try:
            self._wire.receive(body)
        except Exception as error:  # noqa: BLE001 - a bug in the wire must cost one message, not the server
            self._wire.reject(Failure.internal_error(log_incident(error)))

    def _watch_parent(self, pid: int) -> None:
        if not self._transport.is_local:
            return
        loop = asyncio.get_running_loop()

        def when_gone() -> None:
            self._set_time_limit()
            # The loop is closed where the server has ended before its parent.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(self.shutdown)

        watch_process(pid, when_gone)

    def _end_on_signals(self, loop: asyncio.AbstractEventLoop) -> None:
        if sys.platform == "win32":
            return
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            loop.add_signal_handler(number, self.shutdown)

    def _set_time_limit(self) -> None:
        """End the process for certain, even where the loop or a library's thread is stuck."""

        def end() -> None:
            self._backend.abandon()
            os._exit(self._exit_code)

        timer = threading.Timer(_ENDING_S, end)
        timer.daemon = True
        timer.start()

    async def _finish(self, reading: asyncio.Task[None], ending: asyncio.Task[bool]) -> None:
        self._ending.set()
        self._set_time_limit()
        ending.cancel()
        calls = self._wire.lose_client() if reading.done() else self._wire.cancel_all()
        closing = asyncio.ensure_future(self._backend.close())
        await asyncio.wait((closing, *calls), timeout=_CLOSING_S)
        if closing.done() and not closing.cancelled() and (error := closing.exception()) is not None:
            log_incident(error)
        self._transport.close()
        await self._transport.flush()
        reading.cancel()


def _log_unhandled(loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
    del loop
    error = context.get("exception")
    if isinstance(error, BaseException):
        log_incident(error)
    else:
        logger.error("the event loop complains: %s", context.get("message"))
