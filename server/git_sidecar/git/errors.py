"""What the git floor raises; only `service/` turns the first into a value, only `lsp/boundary.py` maps the rest."""

from dataclasses import dataclass

from git_sidecar.model.refusal import Refusal


class GitRefused(Exception):
    """git (or a check before it) said no, in a way that the caller can act on."""

    def __init__(self, refusal: Refusal) -> None:
        """Carry the refusal to the service."""
        super().__init__(refusal.message)
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class Unavailable:
    """What was tried to find git, what was found, and what is needed (data of JSON-RPC error 1001)."""

    tried: tuple[str, ...]
    found: str | None
    needed: str


class GitUnavailable(Exception):
    """There is no git that this server can use: missing, broken or too old."""

    def __init__(self, message: str, details: Unavailable) -> None:
        """Carry what was tried to the boundary."""
        super().__init__(message)
        self.details = details


class GitTimedOut(Exception):
    """A git process outlived its deadline and was ended, with everything it had started."""

    def __init__(self, timeout_s: float, stderr: bytes) -> None:
        """Keep the deadline in seconds and what git had said until then."""
        super().__init__(f"git did not finish within {timeout_s:g} s")
        self.timeout_s = timeout_s
        self.stderr = stderr
