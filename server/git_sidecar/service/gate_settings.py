"""The settings as the gate takes them: policy knows no pydantic."""

from git_sidecar.policy.gate import GateSettings
from git_sidecar.settings.schema import Settings


def gate_settings(settings: Settings) -> GateSettings:
    """The settings that the gate decides by."""
    return GateSettings(
        allow_writes=settings.allow_writes,
        allow_destructive=settings.allow_destructive,
        allow_push=settings.allow_push,
        confirm_write=settings.confirmation.write,
        confirm_destructive=settings.confirmation.destructive,
    )
