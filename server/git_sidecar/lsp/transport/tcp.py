"""Frames over TCP: one client, and the server ends with its connection."""

import asyncio
import logging
from collections.abc import Callable

from git_sidecar.lsp.transport.framing import FrameParser
from git_sidecar.lsp.transport.socket_address import SocketAddress

logger = logging.getLogger(__name__)

_CHUNK_BYTES = 64 * 1024
_BACKLOG_BYTES = 16 * 1024 * 1024
_FLUSH_S = 1.0


class TcpTransport:
    """Listens until the first client comes, and serves that one alone."""

    has_headers = True

    def __init__(self, address: SocketAddress) -> None:
        """Take the address to listen at; nothing is opened yet."""
        self._address = address
        self.is_local = address.is_loopback
        self._writer: asyncio.StreamWriter | None = None

    async def run(self, receive: Callable[[bytes], None], at_end: Callable[[], None]) -> None:
        """Hand every frame's body to `receive` until the client's end; raises BrokenFraming, OSError."""
        del at_end  # the end is seen by the event loop itself
        client: asyncio.Future[tuple[asyncio.StreamReader, asyncio.StreamWriter]]
        client = asyncio.get_running_loop().create_future()

        def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            if client.done():
                writer.transport.abort()
            else:
                client.set_result((reader, writer))

        server = await asyncio.start_server(accept, self._address.host, self._address.port)
        announce(server.sockets[0].getsockname())
        reader, writer = await client
        server.close()
        self._writer = writer
        # A client that does not read is not read from either, once this much waits for it.
        writer.transport.set_write_buffer_limits(_BACKLOG_BYTES)
        parser = FrameParser()
        while True:
            try:
                data = await reader.read(_CHUNK_BYTES)
                if not data:
                    return
                for body in parser.feed(data):
                    receive(body)
                await writer.drain()
            except ConnectionError:
                return

    def write(self, data: bytes) -> None:
        """Queue bytes for the client; never waits."""
        if self._writer is not None and not self._writer.is_closing():
            self._writer.write(data)

    def close(self) -> None:
        """Take no more; what is queued still goes out."""
        if self._writer is not None:
            self._writer.close()

    async def flush(self) -> None:
        """Wait until what was queued before `close` is out, for a moment at most."""
        if self._writer is None:
            return
        try:
            async with asyncio.timeout(_FLUSH_S):
                await self._writer.wait_closed()
        except (TimeoutError, ConnectionError):
            self._writer.transport.abort()


def announce(name: tuple[str, int] | tuple[str, int, int, int]) -> None:
    """Say on stderr where the server listens, so that whoever asked for port 0 can find it."""
    logger.warning("listening on %s:%d", f"[{name[0]}]" if ":" in name[0] else name[0], name[1])
