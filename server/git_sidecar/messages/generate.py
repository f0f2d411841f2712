"""From a repository to a checked message: facts, start, redaction, prompt, writer, cleaning, checks, one repair.

Nothing is asked of a person, no tool is run, and nothing but what was staged and what people wrote about it is sent.
Cancelling the task ends the model's answer and git's processes, and is passed on.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from git_sidecar.git.errors import GitRefused
from git_sidecar.git.repository import Repository
from git_sidecar.messages.answer import find_failure, unwrap_answer
from git_sidecar.messages.budget import count_whole
from git_sidecar.messages.check import check_message
from git_sidecar.messages.clean import keep_trailers, said_by_people, shape_message, strip_answer, strip_partial
from git_sidecar.messages.facts import Facts, StartKind
from git_sidecar.messages.gather import gather_facts
from git_sidecar.messages.offline import is_guessed, write_offline
from git_sidecar.messages.prompt import ChatMessage, Prompt, build_prompt, build_repair
from git_sidecar.messages.redaction import Redactor, describe_findings, load_scanner
from git_sidecar.messages.result import CheckResult, CommitMessage, MessageRequest
from git_sidecar.messages.ticket import place_ticket
from git_sidecar.messages.writers import OnText, Writer, WriterFailed, WriterUnavailable
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.settings.schema import Settings

OFFLINE = "offline"
_MAX_ANSWER_TOKENS = 1_000
_TEMPERATURE = 0.2
_WARMER = 0.2
_WARMEST = 0.9
_READY = (StartKind.MERGE, StartKind.REVERT, StartKind.CHERRY_PICK, StartKind.REBASE)


def mask_facts(facts: Facts, redactor: Redactor) -> Facts:
    """The facts with secrets masked in all text that could be sent."""
    mask = redactor.mask_text
    return replace(
        facts,
        files=tuple(redactor.mask_file(file) for file in facts.files),
        start=replace(facts.start, text=mask(facts.start.text)),
        form=replace(facts.form, template=mask(facts.form.template)),
        current=mask(facts.current),
        instructions=mask(facts.instructions),
        recent=tuple(replace(commit, subject=mask(commit.subject)) for commit in facts.recent[:30]),
        guides=tuple(replace(guide, text=mask(guide.text)) for guide in facts.guides),
    )


def _redact(facts: Facts) -> tuple[Facts, Redactor]:
    redactor = Redactor(load_scanner())
    return mask_facts(facts, redactor), redactor


def is_ready(facts: Facts) -> bool:
    """Whether git has prepared the message and nobody asked for another: it is taken as it is."""
    wished = facts.current or facts.instructions or facts.attempt > 1
    return facts.start.kind in _READY and bool(facts.start.text) and not wished


def finish_message(text: str, facts: Facts) -> str:
    """A stripped answer as a message: shaped, with the ticket and the trailers that have to be in it."""
    message = shape_message(text, facts.form, said_by_people(facts))
    if facts.form.ticket:
        message = place_ticket(message, facts.form.ticket, facts.form.ticket_place, facts.form.header_length)
    return keep_trailers(message, facts)


class _Conversation:
    """One wish and at most one repair, with one writer."""

    def __init__(self, facts: Facts, prompt: Prompt, writer: Writer, on_text: OnText | None) -> None:
        self._facts = facts
        self._prompt = prompt
        self._writer = writer
        self._on_text = on_text
        self.model: str | None = None

    def _pass_on(self, text: str) -> None:
        if self._on_text is not None:
            self._on_text(strip_partial(text))

    async def _ask(self, messages: Sequence[ChatMessage], temperature: float) -> tuple[str, str]:
        """The raw answer and the message in it. Raises WriterFailed where it holds none."""
        completion = await self._writer.complete(
            messages, max_tokens=_MAX_ANSWER_TOKENS, temperature=temperature, on_text=self._pass_on
        )
        self.model = completion.model or self.model
        text = unwrap_answer(completion.text)
        system, material = self._prompt.messages[0].content, self._prompt.messages[1].content
        failure = find_failure(text, system, material, self._prompt.fence)
        stripped = "" if failure else strip_answer(text)
        if failure is None and not any(char.isalnum() for char in stripped):
            failure = "the model answered with nothing"
        if failure is not None:
            raise WriterFailed(failure)
        return completion.text, finish_message(stripped, self._facts)

    async def run(self) -> tuple[str, tuple[CheckResult, ...]]:
        """The best message of the two, and its checks."""
        temperature = min(_WARMEST, _TEMPERATURE + _WARMER * (self._facts.attempt - 1))
        raw, message = await self._ask(self._prompt.messages, temperature)
        checks = check_message(message, self._facts)
        failed = [check for check in checks if not check.ok]
        if not failed:
            return message, checks
        try:
            _, mended = await self._ask(build_repair(self._prompt, raw, failed), temperature)
        except (WriterFailed, WriterUnavailable):
            # The first answer is a message; it is shown with the rules that it breaks.
            return message, checks
        rechecked = check_message(mended, self._facts)
        better = sum(not check.ok for check in rechecked) < len(failed)
        return (mended, rechecked) if better else (message, checks)


async def _write_with_model(facts: Facts, settings: Settings, writer: Writer, on_text: OnText | None) -> CommitMessage:
    masked, redactor = facts, None
    if settings.commit_message.redact:
        masked, redactor = await asyncio.to_thread(_redact, facts)
    prompt = await asyncio.to_thread(build_prompt, masked, settings.commit_message.max_prompt_tokens)
    conversation = _Conversation(masked, prompt, writer, on_text)
    message, checks = await conversation.run()
    warnings = list(facts.warnings)
    if redactor is not None:
        warnings += describe_findings(redactor.findings)
    if prompt.named < len(facts.files):
        warnings.append(f"{len(facts.files) - prompt.named} changed files did not fit into the prompt by name.")
    return CommitMessage(
        message,
        writer.name,
        facts.fingerprint,
        prompt.coverage,
        checks,
        redactor.count if redactor else 0,
        tuple(warnings),
        conversation.model,
    )


async def _write_alone(facts: Facts, settings: Settings, on_text: OnText | None) -> CommitMessage:
    """git's own prepared message, or the offline writer's."""
    warnings = list(facts.warnings)
    masked, redactor = facts, None
    if settings.commit_message.redact:
        # Nothing is sent, but a person is warned of a secret all the same, and none is copied into a message.
        masked, redactor = await asyncio.to_thread(_redact, facts)
        warnings += describe_findings(redactor.findings)
    if is_ready(facts):
        message = facts.start.text.strip()
    else:
        message = await asyncio.to_thread(write_offline, masked)
        if is_guessed(masked):
            warnings.append("The type is a guess from the shape of the change.")
        if facts.form.language not in ("auto", "en") and not facts.form.language.startswith("en-"):
            warnings.append("The offline writer writes English only.")
    if on_text is not None:
        on_text(message)
    return CommitMessage(
        message,
        OFFLINE,
        facts.fingerprint,
        count_whole(facts.files),
        check_message(message, masked),
        redactor.count if redactor else 0,
        tuple(warnings),
    )


async def generate(
    request: MessageRequest,
    repository: Repository,
    settings: Settings,
    writer: Writer | None,
    *,
    on_text: OnText | None = None,
) -> CommitMessage | Refusal:
    """The message for what is staged in a repository, or why there is none; without a writer, by the offline one.

    `on_text` is told the text so far. Raises GitUnavailable without a git.
    """
    try:
        facts = await gather_facts(request, repository, settings.commit_message)
    except GitRefused as error:
        return error.refusal
    if isinstance(facts, Refusal):
        return facts
    if writer is None or is_ready(facts):
        return await _write_alone(facts, settings, on_text)
    try:
        return await _write_with_model(facts, settings, writer, on_text)
    except WriterUnavailable as error:
        return Refusal(
            RefusalCode.MODEL_UNAVAILABLE,
            f"No message: {error}.",
            hint='Try again later, or set commitMessage.provider to "offline".',
        )
    except WriterFailed as error:
        return Refusal(RefusalCode.MODEL_FAILED, f"No message: {error}.", hint="Try again, or write it yourself.")
