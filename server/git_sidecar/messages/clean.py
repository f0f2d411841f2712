"""Strips a model's answer down to the message, and gives that the form git and readers expect. Pure."""

import re

from git_sidecar.messages.facts import Facts, Form
from git_sidecar.messages.history import Style
from git_sidecar.messages.trailers import is_identity_token, join_trailers, split_trailers, trailer_token
from git_sidecar.messages.wrap import wrap_body

_FENCED = re.compile(r"(?:^|\n)(?P<fence>```+|~~~+)[\w\-]*[ \t]*\n(?P<inner>.*?)\n?(?P=fence)[ \t]*(?=\n|$)", re.DOTALL)
_PREAMBLE = re.compile(
    r"(?i)^\W{0,4}(?:sure|certainly|of course|okay|ok|here(?:['’]s| is| are)|below is|this is|the following"
    r"|(?:(?:suggested|proposed|generated|possible|final|new|git|your|the)\s+)*(?:commit\s+)?message\b"
    r"|based on (?:the|your)|i(?:['’]ve| have)? (?:wrote|written|created|would)|let me)[^\n]*?(?::|\.|!)\**\s*$"
)
_LABEL = re.compile(r"(?i)^\**(?:commit message|message|subject|title)\**\s*:\**\s+(?=\S)")
_POSTAMBLE = re.compile(
    r"(?i)^\W{0,3}(?:let me know|this (?:commit )?message|i hope|feel free|note(?: that)?:? (?:this|i|the message)"
    r"|explanation:|would you like|if you(?:'d| would) like|the (?:commit )?message (?:above|follows))"
)
_QUOTES = (('"', '"'), ("'", "'"), ("`", "`"), ("“", "”"), ("«", "»"), ("**", "**"))
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_HEADING = re.compile(r"#{1,6} +")
_SKIPS_CI = re.compile(r"\s*\[(?:skip[ -](?:ci|actions)|ci[ -]skip|no[ -]ci)\]|\s*\*{3}NO_CI\*{3}", re.IGNORECASE)
_CLOSES = re.compile(r"(?i)\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b:?\s+(?:[\w.\-]+/[\w.\-]+)?#\d+")


def _unquote(text: str) -> str:
    for opening, closing in _QUOTES:
        inner = text[len(opening) : -len(closing)]
        if text.startswith(opening) and text.endswith(closing) and len(text) > len(opening + closing):
            return text if closing in inner else inner.strip()
    return text


def _strip_fence(text: str) -> str:
    """What stands in the first fence, where the text is that fence or begins with words about it."""
    found = _FENCED.search(text)
    if found is None:
        return text
    before = text[: found.start()].strip()
    # A fence below a subject and words of a body belongs to the message.
    talk = "\n\n" not in before and (before.endswith(":") or _PREAMBLE.match(before) is not None)
    introduced = not before or talk
    return found["inner"].strip() if introduced and found["inner"].strip() else text


def _strip_talk(text: str) -> str:
    paragraphs = text.split("\n\n")
    while len(paragraphs) > 1 and _POSTAMBLE.match(paragraphs[-1].strip()):
        paragraphs.pop()
    lines = "\n\n".join(paragraphs).split("\n")
    while len(lines) > 1 and (not lines[0].strip() or _PREAMBLE.match(lines[0].strip())):
        lines.pop(0)
    if lines:
        lines[0] = _LABEL.sub("", lines[0].strip())
    return "\n".join(lines).strip()


def strip_answer(text: str) -> str:
    """The message in an unwrapped answer: without fences, quotes, labels, and words before and after it."""
    stripped = text.strip()
    for _ in range(3):
        before = stripped
        stripped = _unquote(_strip_talk(_strip_fence(stripped)))
        if stripped == before:
            break
    return stripped


def strip_partial(text: str) -> str:
    """What can be shown of an answer that still comes in: without the fence that may open it."""
    if "<think>" in text:
        if "</think>" not in text:
            return ""
        text = text.rpartition("</think>")[2]
    return re.sub(r"\A\s*(?:```+[\w\-]*\n?)?", "", text)


def _clean_subject(line: str, form: Form, said: str) -> str:
    subject = _HEADING.sub("", _unquote(line.strip()))
    subject = re.sub(r"\s+", " ", _open_issues(subject, said) or subject).strip()
    if subject.endswith(".") and not subject.endswith("..."):
        subject = subject.rstrip(".").rstrip()
    if form.style is Style.CONVENTIONAL and "`" not in subject:
        subject = re.sub(r"^(\w+)(\([^()]*\))?(!?) ?: ?(?=\S)", r"\1\2\3: ", subject)
    return subject


def _drop_invented(lines: list[str], said: str) -> list[str]:
    """Trailers on people, and numbers of issues that would be closed, stay only where the person or git wrote them."""
    kept: list[str] = []
    for line in lines:
        token = trailer_token(line)
        if token is not None and is_identity_token(token) and line not in said:
            continue
        opened = _open_issues(line, said)
        if opened == line or re.search(r"\w", opened):
            kept.append(opened)
    return kept


def _open_issues(line: str, said: str) -> str:
    """The line without words that would close an issue that nobody named; `fixes #12` alone leaves nothing."""
    return _CLOSES.sub(lambda found: found.group() if found.group() in said else "", line)


def _clean_body(body: str, form: Form, said: str) -> str:
    lines = [_HEADING.sub("", line) if form.comment_char == "#" else line for line in body.split("\n")]
    kept = "\n".join(_drop_invented(lines, said))
    kept = re.sub(r"\n{3,}", "\n\n", kept).strip("\n")
    return wrap_body(kept, form.body_width, form.comment_char)


def shape_message(text: str, form: Form, said: str) -> str:
    """A message in its form: subject, blank line, wrapped body, trailers as they are.

    `said` is all that the person and git have written: what only they may add is looked up in it.
    """
    plain = _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", "    "))
    if not _SKIPS_CI.search(said):
        plain = _SKIPS_CI.sub("", plain)
    head, trailers = split_trailers(plain.strip("\n"))
    first, _, rest = head.strip("\n").partition("\n")
    subject = _clean_subject(first, form, said)
    body = _clean_body(rest.strip("\n"), form, said)
    message = f"{subject}\n\n{body}".rstrip()
    return join_trailers(message, _drop_invented(trailers, said)).rstrip()


def said_by_people(facts: Facts) -> str:
    """All text of the facts that the person or git wrote about this commit."""
    return "\n".join((facts.current, facts.instructions, facts.start.text, facts.form.template, facts.branch or ""))


def keep_trailers(message: str, facts: Facts) -> str:
    """The message with the trailers of the text that it starts from: a change id must survive an amend."""
    _, trailers = split_trailers(facts.start.text)
    return join_trailers(message, trailers) if trailers else message
