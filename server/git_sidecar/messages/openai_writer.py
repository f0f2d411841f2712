"""Writes through an OpenAI-compatible endpoint, by the `openai` package, which is imported only here and at first use.

No tools are offered, so that text in a diff has nothing to call; an answer that calls one anyway is a failure.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from git_sidecar.messages.prompt import ChatMessage
from git_sidecar.messages.writers import Completion, OnText, WriterFailed, WriterUnavailable

if TYPE_CHECKING:
    import openai

_RETRIES = 2
# A server without accounts wants no key, but the package insists on one.
_NO_KEY = "none"
_INSTALL = "the `openai` package is not installed; install git-sidecar with its `openai` extra"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where and as whom a model is asked; an empty base URL is the package's own, an empty model the first listed."""

    base_url: str
    model: str
    key: str | None
    timeout_s: float

    def __repr__(self) -> str:
        """Without the key, so that it reaches no log."""
        return f"Endpoint(base_url={self.base_url!r}, model={self.model!r})"


@dataclass(slots=True)
class _Stream:
    """What has come in of one streamed answer."""

    text: str = ""
    model: str | None = None
    finish: str | None = None
    calls_tools: bool = False
    refusal: str = ""


class OpenAIWriter:
    """Writes through one endpoint."""

    name = "openai"

    def __init__(self, endpoint: Endpoint) -> None:
        """Nothing is contacted or imported yet."""
        self._endpoint = endpoint

    async def complete(
        self, messages: Sequence[ChatMessage], *, max_tokens: int, temperature: float, on_text: OnText | None
    ) -> Completion:
        """The streamed answer as a whole; `on_text` is told as it comes."""
        try:
            import openai
        except ImportError as error:
            raise WriterUnavailable(_INSTALL) from error
        client = openai.AsyncOpenAI(
            base_url=self._endpoint.base_url or None,
            api_key=self._endpoint.key or _NO_KEY,
            timeout=self._endpoint.timeout_s,
            max_retries=_RETRIES,
        )
        options: dict[str, Any] = {"max_tokens": max_tokens, "temperature": temperature}
        try:
            async with client:
                model = self._endpoint.model or await _first_model(client)
                stream = await _ask(client, model, messages, options, on_text)
        except openai.APIError as error:
            raise _translate(error, self._endpoint) from error
        return _finish(stream, model)


async def _first_model(client: "openai.AsyncOpenAI") -> str:
    async for model in client.models.list():
        return model.id
    raise WriterUnavailable("the endpoint lists no model; name one in gitSidecar.commitMessage.model")


async def _ask(
    client: "openai.AsyncOpenAI",
    model: str,
    messages: Sequence[ChatMessage],
    options: dict[str, Any],
    on_text: OnText | None,
) -> _Stream:
    """One request; asked again without an option that the model says it does not take."""
    import openai

    for _ in range(3):
        try:
            return await _stream(client, model, messages, options, on_text)
        except openai.BadRequestError as error:
            if not _drop_option(options, str(error)):
                raise
    return await _stream(client, model, messages, options, on_text)


def _drop_option(options: dict[str, Any], complaint: str) -> bool:
    if "max_tokens" in options and "max_tokens" in complaint:
        # Newer models call it by another name.
        options["max_completion_tokens"] = options.pop("max_tokens")
        return True
    for name in ("temperature", "max_completion_tokens"):
        if name in options and name in complaint:
            del options[name]
            return True
    return False


async def _stream(
    client: "openai.AsyncOpenAI",
    model: str,
    messages: Sequence[ChatMessage],
    options: dict[str, Any],
    on_text: OnText | None,
) -> _Stream:
    conversation: Any = [{"role": message.role, "content": message.content} for message in messages]
    came = _Stream()
    chunks: Any = await client.chat.completions.create(model=model, messages=conversation, stream=True, **options)
    async with chunks:
        async for chunk in chunks:
            came.model = chunk.model or came.model
            for choice in chunk.choices[:1]:
                _take(came, choice, on_text)
    return came


def _take(came: _Stream, choice: Any, on_text: OnText | None) -> None:
    delta = choice.delta
    came.finish = choice.finish_reason or came.finish
    if delta is None:
        return
    came.calls_tools = came.calls_tools or bool(delta.tool_calls or delta.function_call)
    came.refusal += delta.refusal or ""
    if delta.content:
        came.text += delta.content
        if on_text is not None:
            on_text(came.text)


def _finish(came: _Stream, asked: str) -> Completion:
    if came.calls_tools or came.finish in ("tool_calls", "function_call"):
        raise WriterFailed("the model called a tool instead of writing a message")
    if came.refusal or came.finish == "content_filter":
        raise WriterFailed("the model refused")
    if came.finish == "length":
        raise WriterFailed("the model's answer was cut off: it was longer than a commit message may be")
    if came.finish is None:
        raise WriterFailed("the model's answer broke off before its end")
    return Completion(came.text, came.model or asked)


def _translate(error: "openai.APIError", endpoint: Endpoint) -> WriterFailed | WriterUnavailable:
    """What went wrong, for a person; never the body of an answer, which may repeat what was sent."""
    import openai

    where = endpoint.base_url or "the model's endpoint"
    if isinstance(error, openai.APITimeoutError):
        return WriterUnavailable(f"{where} did not answer within {endpoint.timeout_s:g} s")
    if isinstance(error, openai.APIConnectionError):
        return WriterUnavailable(f"{where} cannot be reached")
    if isinstance(error, openai.AuthenticationError | openai.PermissionDeniedError):
        return WriterUnavailable(f"{where} does not accept the key; see gitSidecar.commitMessage.apiKeyEnv")
    if isinstance(error, openai.RateLimitError):
        return WriterUnavailable(f"{where} takes no more requests now (429)")
    if isinstance(error, openai.NotFoundError):
        return WriterUnavailable(f"{where} knows no such model or path: {endpoint.model or '(none named)'}")
    if isinstance(error, openai.InternalServerError):
        return WriterUnavailable(f"{where} fails (status {error.status_code})")
    if isinstance(error, openai.APIStatusError):
        return WriterFailed(f"{where} does not take the request (status {error.status_code})")
    return WriterFailed(f"{where} answered with something that is no completion")
