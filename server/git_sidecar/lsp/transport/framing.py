"""LSP's framing: headers, an empty line, a body of Content-Length bytes (LSP 3.17, base protocol). Pure."""

import re

_HEADER_LIMIT_BYTES = 8 * 1024
_BODY_LIMIT_BYTES = 256 * 1024 * 1024
_HEADER = re.compile(rb"([A-Za-z][A-Za-z0-9-]*)[ \t]*:[ \t]*([^\r\n]*)")
_END_OF_HEADERS = re.compile(rb"\r?\n\r?\n")
_LENGTH = re.compile(rb"[0-9]{1,12}")


class BrokenFraming(Exception):
    """The bytes are no frames; where the next frame would start cannot be known."""


class FrameParser:
    """Cuts a stream of bytes into bodies, whatever the pieces that it comes in.

    Anything that is no header is refused, so that a web page cannot talk to a port of ours: what a browser sends
    begins with an HTTP request line.
    """

    def __init__(self) -> None:
        """Start before a header."""
        self._buffer = bytearray()
        self._missing: int | None = None

    @property
    def is_between_frames(self) -> bool:
        """Whether the stream may end here."""
        return not self._buffer and self._missing is None

    def feed(self, data: bytes) -> list[bytes]:
        """The bodies that `data` completes, in order; raises BrokenFraming."""
        self._buffer += data
        bodies: list[bytes] = []
        while True:
            if self._missing is None and not self._take_headers():
                return bodies
            if self._missing is None or len(self._buffer) < self._missing:
                return bodies
            bodies.append(bytes(self._buffer[: self._missing]))
            del self._buffer[: self._missing]
            self._missing = None

    def _take_headers(self) -> bool:
        end = _END_OF_HEADERS.search(self._buffer)
        head = bytes(self._buffer[: end.start()] if end else self._buffer[: _HEADER_LIMIT_BYTES + 1])
        if len(head) > _HEADER_LIMIT_BYTES:
            raise BrokenFraming("a header has no end")
        *complete, last = head.replace(b"\r\n", b"\n").split(b"\n")
        for line in (*complete, *([last] if end else [])):
            if not _HEADER.fullmatch(line):
                raise BrokenFraming("a header is malformed")
        if end is None:
            return False
        del self._buffer[: end.end()]
        self._missing = _read_length([*complete, last])
        return True


def _read_length(lines: list[bytes]) -> int:
    headers = [match.groups() for line in lines if (match := _HEADER.fullmatch(line))]
    lengths = [value.strip() for name, value in headers if name.lower() == b"content-length"]
    if len(lengths) != 1 or not _LENGTH.fullmatch(lengths[0]):
        raise BrokenFraming("a frame needs one Content-Length")
    length = int(lengths[0])
    if length > _BODY_LIMIT_BYTES:
        raise BrokenFraming("a frame is longer than this server takes")
    return length
