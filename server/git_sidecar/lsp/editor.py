"""The client as the service sees it: questions, the editor's language model, notifications."""

import json
from typing import Any, Protocol, cast

from git_sidecar.lsp.failure import Code
from git_sidecar.service.ports import (
    Choice,
    ClientCapabilities,
    Completion,
    CompletionFailed,
    Json,
    Question,
    Unanswerable,
)

_WARNING = 2
_ACTIONS = (("Allow", Choice.ALLOW_ONCE), ("Allow in This Session", Choice.ALLOW_SESSION), ("Deny", Choice.DENY))


class ClientError(Exception):
    """The client answered a request of ours with an error."""

    def __init__(self, code: int, message: str) -> None:
        """Keep the code and the client's words."""
        super().__init__(message)
        self.code = code


class ClientLost(Exception):
    """The connection ended while the client was being waited for."""


class Line(Protocol):
    """How requests and notifications reach the client."""

    async def ask(self, method: str, params: dict[str, Any]) -> object:
        """The client's answer; raises ClientError and ClientLost. Cancelled, the request is withdrawn."""
        ...

    def tell(self, method: str, params: dict[str, Any]) -> None:
        """Send a notification."""
        ...


class EditorClient:
    """Implements the service's Client port over a line to an editor."""

    def __init__(self, line: Line) -> None:
        """Talk over `line`; nothing is declared yet."""
        self._line = line
        self.capabilities = ClientCapabilities()

    async def confirm(self, question: Question) -> Choice:
        """The person's choice, by tools/confirm where the client declared it, else by window/showMessageRequest."""
        if not self.capabilities.can_ask:
            raise Unanswerable
        ask = self._ask_by_card if self.capabilities.confirm else self._ask_by_message
        try:
            return await ask(question)
        except ClientError as error:
            if error.code == Code.METHOD_NOT_FOUND:
                raise Unanswerable from error
            return Choice.DENY
        except ClientLost:
            return Choice.DENY

    async def _ask_by_card(self, question: Question) -> Choice:
        params = {
            "name": question.name,
            "sessionId": question.session_id,
            "toolCallId": question.tool_call_id,
            "title": question.title,
            "message": question.message,
            "command": list(question.command),
            "effects": question.effects,
            "cards": list(question.cards),
            "tier": question.tier,
            "choices": [choice.value for choice in Choice],
        }
        return _read_choice(_member(await self._line.ask("tools/confirm", params), "choice"))

    async def _ask_by_message(self, question: Question) -> Choice:
        params: dict[str, Any] = {
            "type": _WARNING,
            "message": f"{question.title}\n\n{question.message}\n\nRuns: {_shown(question.command)}",
            "actions": [{"title": title} for title, _ in _ACTIONS],
        }
        chosen = _member(await self._line.ask("window/showMessageRequest", params), "title")
        return next((choice for title, choice in _ACTIONS if title == chosen), Choice.DENY)

    async def complete(self, messages: list[Json], *, max_tokens: int, temperature: float, purpose: str) -> Completion:
        """What the editor's model writes (languageModel/complete)."""
        if not self.capabilities.language_model:
            raise CompletionFailed("the client declared no language model", unavailable=True)
        params = {"messages": messages, "maxTokens": max_tokens, "temperature": temperature, "purpose": purpose}
        try:
            answer = await self._line.ask("languageModel/complete", params)
        except ClientError as error:
            raise CompletionFailed(str(error), unavailable=error.code == Code.METHOD_NOT_FOUND) from error
        except ClientLost as error:
            raise CompletionFailed("the client went away", unavailable=True) from error
        text, model = _member(answer, "text"), _member(answer, "model")
        if not isinstance(text, str):
            raise CompletionFailed("the client's answer holds no text", unavailable=False)
        return Completion(text, model if isinstance(model, str) else None)

    def notify(self, method: str, params: Json) -> None:
        """Send a notification."""
        self._line.tell(method, params)

    def show_warning(self, text: str) -> None:
        """Show the person a warning."""
        self._line.tell("window/showMessage", {"type": _WARNING, "message": text})


def _shown(command: tuple[str, ...]) -> str:
    # A plain client shows no cards, so the words must hold the exact command.
    return " ".join(part if part and part.isprintable() and " " not in part else json.dumps(part) for part in command)


def _member(answer: object, name: str) -> object:
    return cast("dict[str, object]", answer).get(name) if isinstance(answer, dict) else None


def _read_choice(value: object) -> Choice:
    # An unknown choice is no leave.
    return Choice(value) if value in tuple(Choice) else Choice.DENY
