"""What the service raises to the doors: failures of a request that are not a tool's answer."""

from git_sidecar.model.refusal import Refusal
from git_sidecar.settings.load import InvalidSettings


class RefusedRequest(Exception):
    """A direct request (git/stagedDiff, git/commitMessage, git/undo) was refused: JSON-RPC error 1010."""

    def __init__(self, refusal: Refusal) -> None:
        """Carry the refusal to the boundary."""
        super().__init__(refusal.message)
        self.refusal = refusal


class SettingsRejected(Exception):
    """The settings at `initialize` are invalid: JSON-RPC error 1002; the server does not run with guessed ones."""

    def __init__(self, invalid: InvalidSettings) -> None:
        """Carry what is wrong to the boundary."""
        super().__init__(invalid.describe())
        self.invalid = invalid
