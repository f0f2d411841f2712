"""Frames, however the bytes come."""

import pytest

from git_sidecar.lsp.transport.framing import BrokenFraming, FrameParser
from git_sidecar.lsp.transport.socket_address import SocketAddress, parse_address


def test_two_frames_come_out_whole_under_every_split() -> None:
    stream = b"Content-Length: 3\r\n\r\nabcContent-Type: x; charset=utf-8\r\ncontent-length:2\r\n\r\n\r\n"
    for split in range(len(stream) + 1):
        parser = FrameParser()
        assert parser.feed(stream[:split]) + parser.feed(stream[split:]) == [b"abc", b"\r\n"]
        assert parser.is_between_frames


def test_an_empty_body_is_a_body() -> None:
    assert FrameParser().feed(b"Content-Length: 0\r\n\r\n") == [b""]


def test_an_unfinished_frame_is_told() -> None:
    parser = FrameParser()
    assert parser.feed(b"Content-Length: 3\r\n\r\nab") == []
    assert not parser.is_between_frames


@pytest.mark.parametrize(
    "data",
    [
        b"POST / HTTP/1.1\r\n",
        b"GET /Content-Length: 3 HTTP/1.1\r\n",
        b"\r\n\r\n",
        b"Content-Length: 1\r\n:\r\n\r\n",
        b"Content-Length: +1\r\n\r\n",
        b"Content-Length: 1\r\nContent-Length: 1\r\n\r\n",
        b"Content-Length: \xc2\xb2\r\n\r\n",
        b"X: y\r\n\r\n",
        b"X" * 9_000,
    ],
)
def test_what_is_no_frame_is_refused(data: bytes) -> None:
    with pytest.raises(BrokenFraming):
        FrameParser().feed(data)


@pytest.mark.parametrize(
    ("text", "address", "is_loopback"),
    [
        ("127.0.0.1:80", SocketAddress("127.0.0.1", 80), True),
        ("localhost:0", SocketAddress("localhost", 0), True),
        ("[::1]:8080", SocketAddress("::1", 8080), True),
        ("0.0.0.0:1", SocketAddress("0.0.0.0", 1), False),
        ("example.invalid:1", SocketAddress("example.invalid", 1), False),
    ],
)
def test_addresses(text: str, address: SocketAddress, is_loopback: bool) -> None:
    assert parse_address(text) == address
    assert address.is_loopback is is_loopback


@pytest.mark.parametrize("text", ["", "80", ":80", "host:", "host:x", "host:65536", "host:-1", "host:²"])
def test_malformed_addresses(text: str) -> None:
    with pytest.raises(ValueError, match="HOST:PORT"):
        parse_address(text)
