"""Messages over a WebSocket, one a frame and without headers: one client, and the server ends with its connection."""

import asyncio
from collections.abc import Callable

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from git_sidecar.lsp.transport.socket_address import SocketAddress
from git_sidecar.lsp.transport.tcp import announce

_MESSAGE_LIMIT_BYTES = 256 * 1024 * 1024
_FLUSH_S = 1.0
_TRY_AGAIN_LATER = 1013


class WebSocketTransport:
    """Listens until the first client comes, and serves that one alone."""

    has_headers = False

    def __init__(self, address: SocketAddress) -> None:
        """Take the address to listen at; nothing is opened yet."""
        self._address = address
        self.is_local = address.is_loopback
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._sender: asyncio.Task[None] | None = None

    async def run(self, receive: Callable[[bytes], None], at_end: Callable[[], None]) -> None:
        """Hand every message to `receive` until the client's end; raises OSError."""
        del at_end  # the end is seen by the event loop itself
        ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        async def accept(connection: ServerConnection) -> None:
            if self._sender is not None:
                await connection.close(_TRY_AGAIN_LATER, "one client at a time")
                return
            self._sender = asyncio.create_task(self._send_all(connection))
            try:
                while True:
                    receive(await connection.recv(decode=False))
            except ConnectionClosed:
                pass
            finally:
                if not ended.done():
                    ended.set_result(None)

        # A browser always says where a page comes from: no page may talk to this port, whatever its origin.
        async with serve(
            accept,
            self._address.host,
            self._address.port,
            origins=[None],
            max_size=_MESSAGE_LIMIT_BYTES,
            compression=None,
        ) as server:
            announce(next(iter(server.sockets)).getsockname())
            await ended

    async def _send_all(self, connection: ServerConnection) -> None:
        try:
            while (data := await self._queue.get()) is not None:
                await connection.send(data, text=True)
            await connection.close()
        except ConnectionClosed:
            return

    def write(self, data: bytes) -> None:
        """Queue a message for the client; never waits."""
        self._queue.put_nowait(data)

    def close(self) -> None:
        """Take no more; what is queued still goes out."""
        self._queue.put_nowait(None)

    async def flush(self) -> None:
        """Wait until what was queued before `close` is out, for a moment at most."""
        if self._sender is not None:
            await asyncio.wait((self._sender,), timeout=_FLUSH_S)
