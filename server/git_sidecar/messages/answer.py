"""Tells a message from what a model answers when it has none: nothing, a refusal, an echo of the prompt. Pure."""

import json
import re
from typing import cast

_THINKING = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_REFUSES = re.compile(
    r"(?i)\W*(?:(?:i['’]?m|i am|we are)\s+(?:(?:very|really|so)\s+)?(?:sorry|afraid|unable|not able)|sorry\b|apologies"
    r"|i\s+(?:can(?:no|['’])t|cannot|won['’]t|will not|do(?:n['’]t| not) (?:have|see))"
    r"|as an? (?:ai|language model|assistant)|unfortunately,? i\b|i need more|please provide|it (?:seems|looks|appears)"
    r" (?:like )?(?:you|the diff|there (?:is|are) no)|no (?:diff|changes) (?:was|were|has|have) (?:been )?provided)"
)
_DIFF_LINE = re.compile(r"^(?:diff --git |@@ -\d|index [0-9a-f]{7,}\.\.|\+\+\+ [ab]/|--- [ab]/)", re.MULTILINE)
_ECHO_WORDS = 10
_ECHO_LINES = 4


def unwrap_answer(raw: str) -> str:
    """The answer without its thinking, and out of the JSON that some models put round it."""
    text = _THINKING.sub("", raw).replace("\r\n", "\n").strip()
    if not text.startswith("{"):
        return text
    try:
        parsed: object = json.loads(text)
    except ValueError:
        return text
    if not isinstance(parsed, dict):
        return text
    fields = cast("dict[str, object]", parsed)
    for key in ("message", "commit_message", "commitMessage", "text"):
        value = fields.get(key)
        if isinstance(value, str):
            return value.strip()
    subject, body = fields.get("subject"), fields.get("body")
    if isinstance(subject, str):
        return f"{subject}\n\n{body}".strip() if isinstance(body, str) and body.strip() else subject.strip()
    return text


def _repeats(answer: str, source: str) -> bool:
    """Whether ten words of the source stand in the answer in the same order."""
    words = answer.lower().split()
    known = " ".join(source.lower().split())
    return any(
        " ".join(words[at : at + _ECHO_WORDS]) in known for at in range(0, max(0, len(words) - _ECHO_WORDS + 1), 3)
    )


def find_failure(text: str, rules: str, material: str, fence: str) -> str | None:
    """Why an unwrapped answer is no message, in words for a person; None where it may be one.

    `rules` and `material` are what was sent: the rules must not come back, nor the material line by line.
    """
    if not any(char.isalnum() for char in text):
        return "the model answered with nothing"
    if fence in text or "<<<MATERIAL-" in text or _DIFF_LINE.search(text):
        return "the model gave back what it was sent"
    if _repeats(text, rules):
        return "the model gave back its instructions"
    lines = [line.strip() for line in text.split("\n") if len(line.strip()) > 12]
    known = {line.strip() for line in material.split("\n")}
    if len(lines) >= _ECHO_LINES and sum(line in known for line in lines) * 2 > len(lines):
        return "the model gave back what it was sent"
    if _REFUSES.match(text):
        return "the model refused"
    if text.startswith(("{", "<!DOCTYPE", "<html")):
        return "the model answered with something else than a message"
    return None
