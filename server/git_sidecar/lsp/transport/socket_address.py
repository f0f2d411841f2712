"""HOST:PORT as people write it, IPv6 in brackets. Pure."""

import ipaddress
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SocketAddress:
    """Where to listen; port 0 lets the system choose."""

    host: str
    port: int

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


def parse_address(text: str) -> SocketAddress:
    """The address; raises ValueError with words for a person."""
    host, separator, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not separator or not host or not port.isascii() or not port.isdigit() or int(port) > 65535:
        raise ValueError(f"{text!r} is not HOST:PORT")
    return SocketAddress(host, int(port))
