"""The port behind which messages are written, and what can go wrong behind it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from git_sidecar.messages.prompt import ChatMessage

OnText = Callable[[str], None]
"""Takes the whole text so far, each time that there is more of it."""


class WriterFailed(Exception):
    """The model answered, but not with what can become a message; the text is fit for a person."""


class WriterUnavailable(Exception):
    """The model cannot be reached or will not answer now; the text is fit for a person."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model wrote, and which one it was, as far as it says."""

    text: str
    model: str | None


class Writer(Protocol):
    """Something that completes a conversation."""

    @property
    def name(self) -> str:
        """The provider's name, as results carry it."""
        ...

    async def complete(
        self, messages: Sequence[ChatMessage], *, max_tokens: int, temperature: float, on_text: OnText | None
    ) -> Completion:
        """The answer. Raises WriterFailed or WriterUnavailable; ends at once when cancelled."""
        ...


@dataclass(frozen=True, slots=True)
class ModelWish:
    """What an editor's model is asked (`languageModel/complete`, wire contract section 8)."""

    messages: tuple[ChatMessage, ...]
    max_tokens: int
    temperature: float
    purpose: str = "commitMessage"

    def value(self) -> dict[str, object]:
        """The wish as it goes on the wire."""
        return {
            "messages": [{"role": message.role, "content": message.content} for message in self.messages],
            "maxTokens": self.max_tokens,
            "temperature": self.temperature,
            "purpose": self.purpose,
        }


class EditorModel(Protocol):
    """The editor's language model, reached through a door of the server."""

    async def complete(self, wish: ModelWish) -> Completion:
        """The model's answer. Raises WriterUnavailable where the client has none or fails, WriterFailed where what it
        answers has not the agreed form.
        """
        ...


class EditorWriter:
    """Writes through the editor's model."""

    name = "editor"

    def __init__(self, model: EditorModel) -> None:
        """Write with the given model."""
        self._model = model

    async def complete(
        self, messages: Sequence[ChatMessage], *, max_tokens: int, temperature: float, on_text: OnText | None
    ) -> Completion:
        """The answer, which comes in one piece."""
        completion = await self._model.complete(ModelWish(tuple(messages), max_tokens, temperature))
        if on_text is not None and completion.text:
            on_text(completion.text)
        return completion
