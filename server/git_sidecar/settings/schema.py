"""The settings of section `gitSidecar` (wire contract, section 7): their names, types, defaults and meaning."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel


class SettingsGroup(BaseModel):
    """A group of settings: camelCase on the wire, nothing unknown, no value converted from another type."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, extra="forbid", strict=True, frozen=True, defer_build=True
    )


class ConfirmationSettings(SettingsGroup):
    """When a person is asked."""

    write: Literal["ask", "never"] = Field("ask", description="Ask before calls that write (add, commit, switch …).")
    destructive: Literal["ask", "always"] = Field(
        "ask", description="`always` asks even when the editor says that the person allowed the tool for good."
    )
    timeout_ms: int = Field(300_000, ge=1, description="How long a question waits for its answer, in milliseconds.")


class DiscoverySettings(SettingsGroup):
    """How repositories are found when the editor sends no list."""

    depth: int = Field(2, ge=0, le=16, description="How many levels below a workspace folder are searched.")


class LimitSettings(SettingsGroup):
    """How much of a diff or of a command's output is returned."""

    head_lines: int = Field(2_000, ge=1, description="Lines kept at the head of a diff that is cut.")
    tail_lines: int = Field(500, ge=0, description="Lines kept at the tail of a diff that is cut.")
    line_length: int = Field(2_000, ge=80, description="Characters kept of one line.")
    bytes: int = Field(1_048_576, ge=1_024, description="Bytes of git's output that are read before the tail.")


class UndoSettings(SettingsGroup):
    """What is kept so that a destructive call can be undone."""

    enabled: bool = Field(default=True, description="Keep what a destructive call can destroy.")
    keep_days: int = Field(14, ge=1, description="Days after which a snapshot may be pruned.")
    max_bytes: int = Field(1 << 30, ge=1, description="Bytes that all snapshots together may take.")


class AttributionSettings(SettingsGroup):
    """What our commits say about who made them."""

    trailer: str = Field("", description="A trailer line added to each commit, such as `Assisted-by: …`; empty: none.")


class CommitMessageSettings(SettingsGroup):
    """How commit messages are written."""

    provider: Literal["auto", "editor", "openai", "offline"] = Field("auto", description="Who writes the message.")
    base_url: str = Field("", description="Base URL of an OpenAI-compatible endpoint.")
    model: str = Field("", description="The model to ask; empty: the provider's choice.")
    api_key_env: str = Field("", description="Name of the environment variable that holds the endpoint's key.")
    style: Literal["auto", "conventional", "plain", "gitmoji"] = Field("auto", description="The form of the subject.")
    language: str = Field("auto", description="Language of the message, as a BCP 47 tag or `auto`.")
    subject_length: int = Field(72, ge=20, le=200, description="Longest subject, in characters.")
    body_width: int = Field(72, ge=20, le=200, description="Width that the body is wrapped to, in characters.")
    instructions: str = Field("", description="What the writer should also know or do.")
    exclude: tuple[str, ...] = Field((), strict=False, description="Globs of files whose content is not sent.")
    ticket_pattern: str = Field("", description="Regular expression of the issue key in branch names.")
    redact: bool = Field(default=True, description="Mask secrets before anything is sent to a model.")
    max_prompt_tokens: int = Field(8_000, ge=500, description="Largest prompt, in tokens (estimated).")


class Settings(SettingsGroup):
    """All settings, with their defaults; frozen."""

    git_path: str = Field("git", min_length=1, description="The git executable: a name on PATH or an absolute path.")
    timeout_ms: int = Field(30_000, ge=100, description="Deadline of a local git call, in milliseconds.")
    network_timeout_ms: int = Field(120_000, ge=100, description="Deadline of a network call, in milliseconds.")
    allow_writes: bool = Field(default=True, description="Allow calls that write (add, commit, switch …).")
    allow_destructive: bool = Field(default=False, description="Allow calls that can destroy work (reset, clean …).")
    allow_push: bool = Field(default=False, description="Allow network calls (fetch, pull, push).")
    confirmation: ConfirmationSettings = Field(default_factory=lambda: ConfirmationSettings.model_validate({}))
    protected_branches: tuple[str, ...] = Field(
        ("main", "master"), strict=False, description="Branches that are never force-pushed or deleted on a remote."
    )
    discovery: DiscoverySettings = Field(default_factory=lambda: DiscoverySettings.model_validate({}))
    limits: LimitSettings = Field(default_factory=lambda: LimitSettings.model_validate({}))
    undo: UndoSettings = Field(default_factory=lambda: UndoSettings.model_validate({}))
    attribution: AttributionSettings = Field(default_factory=lambda: AttributionSettings.model_validate({}))
    commit_message: CommitMessageSettings = Field(default_factory=lambda: CommitMessageSettings.model_validate({}))
