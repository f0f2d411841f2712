"""Which writer a message is written by: as the settings say, else the best one that is there."""

from collections.abc import Callable

from git_sidecar.messages.openai_writer import Endpoint, OpenAIWriter
from git_sidecar.messages.writers import EditorModel, EditorWriter, Writer
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.settings.schema import Settings

KEYRING_SERVICE = "git-sidecar"

SecretLookup = Callable[[str], str | None]
"""Gives the value of an environment variable; handed down by the composition root, which alone reads it."""


def is_endpoint_configured(settings: Settings) -> bool:
    """Whether an endpoint was set up: a base URL, or a model and the name of its key."""
    message = settings.commit_message
    return bool(message.base_url or (message.model and message.api_key_env))


def _read_keyring(account: str) -> str | None:
    """The key that the system's keyring holds for an endpoint; None without a keyring or a key."""
    try:
        import keyring
        import keyring.errors
    except ImportError:
        return None
    try:
        return keyring.get_password(KEYRING_SERVICE, account)
    except (keyring.errors.KeyringError, RuntimeError):
        return None


def _find_key(settings: Settings, environment: SecretLookup) -> str | Refusal | None:
    message = settings.commit_message
    if message.api_key_env:
        key = environment(message.api_key_env)
        if not key:
            return Refusal(
                RefusalCode.MODEL_UNAVAILABLE,
                f"The environment variable {message.api_key_env}, which should hold the endpoint's key, is not set.",
                setting="commitMessage.apiKeyEnv",
            )
        return key
    return _read_keyring(message.base_url or "default")


def choose_writer(settings: Settings, editor: EditorModel | None, environment: SecretLookup) -> Writer | Refusal | None:
    """The writer for a request: `editor` is the client's model where it declared one; None is the offline writer."""
    provider = settings.commit_message.provider
    if provider == "offline":
        return None
    if provider == "editor" or (provider == "auto" and editor is not None):
        if editor is None:
            return Refusal(
                RefusalCode.MODEL_UNAVAILABLE,
                "The editor offers no language model.",
                hint='Set commitMessage.provider to "auto", "openai" or "offline".',
                setting="commitMessage.provider",
            )
        return EditorWriter(editor)
    if provider == "auto" and not is_endpoint_configured(settings):
        return None
    key = _find_key(settings, environment)
    if isinstance(key, Refusal):
        return key
    message = settings.commit_message
    return OpenAIWriter(Endpoint(message.base_url, message.model, key, settings.network_timeout_ms / 1_000))
