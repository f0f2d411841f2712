"""A message held to commitlint's rules (commitlint.js.org, "Rules"). Pure."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from git_sidecar.messages.commitlint import Commitlint, Rule
from git_sidecar.messages.conventional import Header, parse_header
from git_sidecar.messages.result import CheckResult
from git_sidecar.messages.word_case import has_case

_URL = re.compile(r"\bhttps?://\S+")
_FOOTER = re.compile(r"(?i)(?:BREAKING CHANGE|[\w\-]+)(?::\s+|\s+#).+|(?:\*\s+)?BREAKING[ \-]CHANGE:")
_LETTER_FIRST = re.compile(r"[^\W\d_]")
_SCOPE_BREAK = re.compile(r"/|\\|, ?")


@dataclass(frozen=True, slots=True)
class _Parts:
    """A message as the rules see it."""

    lines: tuple[str, ...]
    header: Header
    body: str
    footer: str

    def part(self, name: str) -> str | None:
        """The part that a rule's name begins with; None where the message has none."""
        named: dict[str, str | None] = {
            "header": self.lines[0],
            "type": self.header.type,
            "scope": self.header.scope,
            "subject": self.header.subject,
            "body": self.body or None,
            "footer": self.footer or None,
        }
        return named[name]


def _split_parts(message: str) -> _Parts:
    """The parts as conventional-commits-parser finds them: the footer begins at the first line like `Token: value`."""
    lines = tuple(message.strip("\n").split("\n"))
    at = next((number for number, line in enumerate(lines) if number and _FOOTER.match(line)), len(lines))
    return _Parts(lines, parse_header(lines[0]), "\n".join(lines[1:at]).strip("\n"), "\n".join(lines[at:]).strip("\n"))


def _length(text: str) -> int:
    """The length as JavaScript counts it, in UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _is_wide(text: str, width: int) -> bool:
    return any(_length(line) > width and not _URL.search(line) for line in text.split("\n"))


def _has_scopes(scope: str, names: tuple[str, ...]) -> bool:
    return scope in names or all(part in names for part in _SCOPE_BREAK.split(scope))


def _check_case(rule: Rule, text: str) -> bool:
    kind = rule.name.partition("-")[0]
    if kind == "subject" and not _LETTER_FIRST.match(text):
        return True
    pieces = _SCOPE_BREAK.split(text) if kind == "scope" else [text]
    return rule.never != any(all(has_case(piece, case) for piece in pieces) for case in rule.names)


def _check_enum(rule: Rule, text: str) -> bool:
    if not rule.names:
        return True
    listed = _has_scopes(text, rule.names) if rule.name == "scope-enum" else text in rule.names
    return rule.never != listed


def _check_stop(rule: Rule, text: str) -> bool:
    stop = rule.names[0] if rule.names else "."
    return rule.never != (text.endswith(stop) and not text.endswith("..."))


def _check_length(rule: Rule, text: str) -> bool:
    limit = rule.number
    if limit is None:
        return True
    if rule.name.endswith("max-line-length"):
        return not _is_wide(text, limit)
    length = _length(text)
    return length <= limit if rule.name.endswith("max-length") else length >= limit


_BY_END: tuple[tuple[str, Callable[[Rule, str], bool]], ...] = (
    ("-case", _check_case),
    ("-enum", _check_enum),
    ("-full-stop", _check_stop),
    ("-length", _check_length),
)


def _check_blank(rule: Rule, parts: _Parts) -> bool:
    if rule.name == "body-leading-blank":
        return not parts.body or len(parts.lines) < 2 or rule.never != (parts.lines[1] == "")
    if not parts.footer:
        return True
    first = parts.footer.split("\n")[0]
    at = parts.lines.index(first)
    return rule.never != (parts.lines[at - 1] == "")


def _check_whole(rule: Rule, parts: _Parts) -> bool | None:
    """The rules that look at more than one part; None for the others."""
    value = rule.names[0] if rule.names else ""
    if rule.name == "header-trim":
        return parts.lines[0] == parts.lines[0].strip()
    if rule.name.endswith("-leading-blank"):
        return _check_blank(rule, parts)
    if rule.name == "signed-off-by":
        last = next((line for line in reversed(parts.lines) if line), "")
        return rule.never != last.startswith(value or "Signed-off-by:")
    if rule.name == "trailer-exists":
        return rule.never != any(line.startswith(value) for line in parts.footer.split("\n"))
    if rule.name == "subject-exclamation-mark":
        return rule.never != parts.header.breaking
    if rule.name == "references-empty":
        return rule.never == (re.search(r"#\d+", "\n".join(parts.lines)) is not None)
    return None


def _passes(rule: Rule, parts: _Parts) -> bool:
    whole = _check_whole(rule, parts)
    if whole is not None:
        return whole
    text = parts.part(rule.name.partition("-")[0])
    if rule.name.endswith("-empty"):
        return rule.never == bool(text)
    if rule.name == "subject-full-stop":
        # commitlint looks at the whole header here, so that a header without a type is held to it too.
        text = parts.lines[0]
    if text is None:
        return True
    check = next((found for end, found in _BY_END if rule.name.endswith(end)), None)
    return check is None or check(rule, text)


def describe_rule(rule: Rule) -> str:
    """The rule in words, for a prompt and for a person."""
    part, _, what = rule.name.partition("-")
    value = ", ".join(rule.names) if rule.names else "" if rule.number is None else str(rule.number)
    verb = "must not" if rule.never else "must"
    words = {
        "max-length": f"{part}: at most {value} characters",
        "min-length": f"{part}: at least {value} characters",
        "max-line-length": f"{part}: lines of at most {value} characters",
        "case": f"{part} {verb} be in {value}",
        "enum": f"{part} {verb} be one of: {value}",
        "empty": f"{part} {verb} be empty",
        "full-stop": f"{part} {verb} end with {value or '.'}",
        "leading-blank": f"{part} {verb} have a blank line before it",
        "trim": f"{part} must have no blanks at its ends",
    }
    return words.get(what, f"{rule.name} {'never' if rule.never else 'always'} {value}".strip())


def lint_message(message: str, commitlint: Commitlint) -> list[CheckResult]:
    """Each rule that is switched on, and whether the message keeps it."""
    parts = _split_parts(message)
    return [
        CheckResult(rule.name, True) if _passes(rule, parts) else CheckResult(rule.name, False, describe_rule(rule))  # noqa: FBT003
        for rule in commitlint.rules
    ]
