"""Holds a message to the rules of the project, of git and of honesty, before anybody sees it. Pure."""

import re
from collections.abc import Sequence

from git_sidecar.messages.category import Category
from git_sidecar.messages.clean import said_by_people
from git_sidecar.messages.commitlint import CONVENTIONAL, Commitlint
from git_sidecar.messages.conventional import is_gitmoji, parse_beginning, parse_header
from git_sidecar.messages.facts import ChangedFile, Facts, Form, StartKind
from git_sidecar.messages.history import Style
from git_sidecar.messages.lint import lint_message
from git_sidecar.messages.names import find_addresses, find_missing
from git_sidecar.messages.result import CheckResult
from git_sidecar.messages.start import strip_comments
from git_sidecar.messages.trailers import is_identity_token, split_trailers, trailer_token
from git_sidecar.messages.wrap import width_of

_CLAIMS_TESTS = re.compile(
    r"(?i)\b(?:add(?:s|ed|ing)?|includ(?:e|es|ed|ing)|with|write|wrote|introduc(?:e|es|ed)|cover(?:s|ed|ing)? by"
    r"|new|more|extend(?:s|ed)?|updat(?:e|es|ed))\s+(?:\w+[ -]){0,3}tests?\b"
)
# Tests that stand in the source itself (Rust, D, Zig, doctest).
_INLINE_TEST = re.compile(r"#\[(?:\w+::)?test\b|#\[cfg\(test\)\]|\bunittest\b|^\s*test \"|>>> |\bTEST_CASE\(|\bTEST\(")
_SHOWN = 5
# git's own forms, which commitlint passes over as well.
_GIT_SUBJECT = re.compile(
    r"Merge (?:branch|tag|remote-tracking branch|commit|pull request|.* into )|Revert |Reapply |(?:fixup|squash|amend)!"
)
_OWN_KINDS = (StartKind.MERGE, StartKind.REVERT, StartKind.CHERRY_PICK, StartKind.REBASE)


def rules_of(form: Form) -> Commitlint | None:
    """The commitlint rules that a form is held to: the project's, else the conventional ones for that style."""
    if form.style is not Style.CONVENTIONAL:
        return None
    return form.commitlint or Commitlint(CONVENTIONAL)


def _result(rule: str, problem: str | None) -> CheckResult:
    return CheckResult(rule, ok=problem is None, detail=problem)


def _check_subject(message: str, form: Form) -> str | None:
    subject = message.split("\n", 1)[0]
    if len(subject) > form.header_length:
        return f"the subject has {len(subject)} characters, {form.header_length} are allowed"
    return None


def _check_width(message: str, form: Form) -> str | None:
    body, _ = split_trailers(message)
    for line in body.split("\n")[1:]:
        if width_of(line) > form.body_width and " " in line.strip(" -*") and "://" not in line:
            return f"a line of the body has {width_of(line)} characters, {form.body_width} are allowed"
    return None


def _check_comments(message: str, comment_char: str | None) -> str | None:
    if comment_char and any(line.startswith(comment_char) for line in message.split("\n")):
        return f"a line begins with {comment_char!r}: git would take it for a comment and drop it"
    return None


def _check_template(message: str, form: Form) -> str | None:
    """The headings and trailer names of a template have to stay."""
    wanted = [
        line.strip()
        for line in strip_comments(form.template, form.comment_char or "#").split("\n")
        if re.fullmatch(r"\s*[A-Za-z][\w \-]{0,30}:\s*", line)
    ]
    missing = [line for line in wanted if line not in message]
    return f"parts of the template are missing: {', '.join(missing[:_SHOWN])}" if missing else None


def known_text(facts: Facts) -> str:
    """All that a message may name: paths, patches, and what people and git said of this commit."""
    parts = [said_by_people(facts), facts.form.ticket or ""]
    for file in facts.files:
        parts += [file.path, file.patch.old_path or "", *file.patch.header]
        parts += [line for hunk in file.patch.hunks for line in (hunk.context, *hunk.lines)]
    return "\n".join(parts)


def _check_names(message: str, known: str) -> str | None:
    header = parse_header(message.split("\n", 1)[0])
    # The scope is a word of the project, not of the change.
    text = message.replace(f"({header.scope})", "", 1) if header.scope else message
    body, trailers = split_trailers(text)
    missing = find_missing("\n".join([body, *(line for line in trailers if not trailer_token(line))]), known)
    return f"not in the change: {', '.join(missing[:_SHOWN])}" if missing else None


def _check_addresses(message: str, known: str) -> str | None:
    foreign = [address for address in find_addresses(message) if address not in known]
    return f"addresses that are not in the change: {', '.join(foreign[:_SHOWN])}" if foreign else None


def has_tests(files: Sequence[ChangedFile]) -> bool:
    """Whether a change holds tests: a test file, or tests in the added lines of a source file."""
    return any(
        file.category is Category.TEST or any(_INLINE_TEST.search(line) for line in file.patch.changed_lines("+"))
        for file in files
    )


def _check_tests(message: str, facts: Facts) -> str | None:
    header = parse_header(message.split("\n", 1)[0])
    claims = header.type == "test" or _CLAIMS_TESTS.search(message) is not None
    return "the message speaks of tests, the change holds none" if claims and not has_tests(facts.files) else None


def _check_people(message: str, facts: Facts) -> str | None:
    said = said_by_people(facts)
    for line in split_trailers(message)[1]:
        token = trailer_token(line)
        if token is not None and is_identity_token(token) and line not in said:
            return f"{token} was not written by a person"
    return None


def begun(current: str) -> str | None:
    """What the text in the box fixes of the subject: a conventional prefix, with words after it or none."""
    first = current.split("\n", 1)[0].strip()
    return first if parse_beginning(first if ": " in first or first.endswith(":") else first + " ") else None


def _check_current(message: str, facts: Facts) -> str | None:
    beginning = begun(facts.current)
    if beginning is not None and not message.startswith(beginning.rstrip()):
        return f"the message does not begin with what was typed: {beginning}"
    return None


def _check_style(message: str, form: Form) -> str | None:
    subject = message.split("\n", 1)[0]
    if form.style is Style.GITMOJI and not is_gitmoji(subject):
        return "the subject does not begin with a gitmoji"
    if form.style is Style.PLAIN and subject[:1].isalpha() and subject[:1] != subject[:1].upper():
        return "the subject does not begin with a capital letter"
    return None


def check_message(message: str, facts: Facts) -> tuple[CheckResult, ...]:
    """Every rule that applies, and whether the message keeps it."""
    form = facts.form
    subject = message.split("\n", 1)[0]
    known = known_text(facts)
    own = facts.start.kind in _OWN_KINDS and _GIT_SUBJECT.match(subject) is not None
    rules = rules_of(form)
    linted = lint_message(message, rules) if rules is not None and not own else []
    checks = [
        *linted,
        *([] if own else [_result("subject-length", _check_subject(message, form))]),
        _result("body-width", _check_width(message, form)),
        _result("comment-char", _check_comments(message, form.comment_char)),
        _result("names-in-change", _check_names(message, known)),
        _result("addresses-in-change", _check_addresses(message, known)),
        _result("tests-in-change", _check_tests(message, facts)),
        _result("people", _check_people(message, facts)),
    ]
    if not own and form.style is not Style.CONVENTIONAL:
        checks.append(_result("style", _check_style(message, form)))
    if form.ticket:
        checks.append(_result("ticket", None if form.ticket in message else f"{form.ticket} is not mentioned"))
    if form.template.strip():
        checks.append(_result("template", _check_template(message, form)))
    if facts.current:
        checks.append(_result("typed-text", _check_current(message, facts)))
    return tuple(checks)
