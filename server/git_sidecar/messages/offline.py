"""The offline writer: a message from the change alone, the same for the same change, without an account. Pure."""

from collections.abc import Sequence

from git_sidecar.messages.category import Category
from git_sidecar.messages.check import begun, rules_of
from git_sidecar.messages.clean import keep_trailers
from git_sidecar.messages.conventional import Header, format_prefix, parse_beginning
from git_sidecar.messages.dependencies import DependencyChange, find_dependencies, find_own_version
from git_sidecar.messages.facts import ChangedFile, Facts, StartKind
from git_sidecar.messages.history import Style
from git_sidecar.messages.kind import Guess, guess_type
from git_sidecar.messages.line_shape import find_replaced_name
from git_sidecar.messages.lint import lint_message
from git_sidecar.messages.symbols import find_symbols
from git_sidecar.messages.ticket import place_ticket
from git_sidecar.messages.trailers import split_trailers
from git_sidecar.messages.wording import (
    Change,
    describe_change,
    describe_dependency,
    order_for_body,
    propose_subjects,
)
from git_sidecar.messages.wrap import wrap_body
from git_sidecar.model.changes import ChangeStatus

# gitmoji.dev, for the types that the writer uses.
_GITMOJI = {
    "feat": "✨", "fix": "🐛", "docs": "📝", "style": "🎨", "refactor": "♻️", "perf": "⚡️", "test": "✅",
    "build": "📦️", "ci": "👷", "chore": "🔧", "revert": "⏪️",
}  # fmt: skip
_ITEMS = 12
_SQUASH_ITEMS = 20


def look_at_change(files: Sequence[ChangedFile]) -> Change:
    """The definitions, dependencies and replaced names of a change."""
    dependencies = _only_dependencies(files)
    source = [file for file in files if file.category is Category.SOURCE]
    return Change(
        tuple(files),
        tuple(find_symbols(file.patch) for file in files),
        dependencies,
        _released_version(files),
        find_replaced_name(source) if source and len(source) == len(files) else None,
    )


def _only_dependencies(files: Sequence[ChangedFile]) -> tuple[DependencyChange, ...]:
    """The dependencies of a change that touches nothing but manifests (or workflow steps) and locks; else none."""
    found: dict[str, DependencyChange] = {}
    for file in files:
        if file.category is Category.LOCK:
            continue
        changes = find_dependencies(file.patch)
        if not changes:
            return ()
        found |= {change.name: change for change in changes}
    return tuple(found.values())


def _released_version(files: Sequence[ChangedFile]) -> str | None:
    """The new version of the project, where a commit does nothing but set it, log it and lock it."""
    versions: set[str] = set()
    for file in files:
        version = find_own_version(file.patch)
        if version is not None:
            versions.add(version)
        elif file.category not in (Category.LOCK, Category.DOCUMENTATION):
            return None
    return versions.pop() if len(versions) == 1 else None


def _pick_scope(facts: Facts, guess: Guess, change: Change) -> str | None:
    """A scope that the project uses and that a directory or file of every main file is named by."""
    if guess.scope:
        return guess.scope
    rule = facts.form.commitlint.find("scope-enum") if facts.form.commitlint else None
    listed = rule.names if rule is not None and not rule.never else ()
    main = [change.files[number].path for number in change.main()]
    for scope in (*facts.form.scopes, *listed):
        if (not listed or scope in listed) and all(_is_named_by(path, scope) for path in main):
            return scope
    return None


def _is_named_by(path: str, scope: str) -> bool:
    *directories, name = path.lower().split("/")
    return scope.lower() in (*directories, name.split(".")[0])


def _prefix(facts: Facts, change: Change, guess: Guess) -> str:
    if facts.form.style is Style.GITMOJI:
        return f"{_GITMOJI[guess.type]} "
    if facts.form.style is Style.PLAIN:
        return ""
    rules = rules_of(facts.form)
    enum = rules.find("type-enum") if rules is not None else None
    listed = enum.names if enum is not None and not enum.never else ()
    name = (
        guess.type
        if not listed or guess.type in listed
        else next((t for t in ("chore", "fix") if t in listed), listed[0])
    )
    return format_prefix(Header(name, _pick_scope(facts, guess, change), None))


def _fit_subject(facts: Facts, prefix: str, change: Change) -> str:
    """The first proposal that fits and keeps the rules; a later attempt takes a later one."""
    form = facts.form
    rules = rules_of(form)
    fitting: list[str] = []
    for words in dict.fromkeys(propose_subjects(change)):
        subject = prefix + (words if form.style is Style.CONVENTIONAL else words[:1].upper() + words[1:])
        kept = rules is None or all(check.ok for check in lint_message(subject, rules))
        if len(subject) <= form.header_length and kept:
            fitting.append(subject)
    if not fitting:
        short = f"{prefix}{'update' if form.style is Style.CONVENTIONAL else 'Update'} files"
        return short[: form.header_length].rstrip()
    return fitting[(facts.attempt - 1) % min(len(fitting), 3)]


def _items(facts: Facts, change: Change) -> list[str]:
    if facts.start.kind is StartKind.SQUASH:
        return _squashed_subjects(facts.start.text)
    if len(change.dependencies) > 1:
        return [describe_dependency(dependency) for dependency in change.dependencies]
    if change.dependencies or change.version is not None:
        return []
    order = order_for_body(change.files)
    return [describe_change(change.files[number], change.symbols[number]) for number in order]


def _squashed_subjects(text: str) -> list[str]:
    """The subjects in SQUASH_MSG: the first line of each indented message (git-merge(1), --squash)."""
    subjects: list[str] = []
    waiting = False
    for line in text.split("\n"):
        if line.startswith("commit "):
            waiting = True
        elif waiting and line.startswith("    ") and line.strip():
            subjects.append(line.strip())
            waiting = False
    return subjects[:_SQUASH_ITEMS]


def _is_told_by_subject(change: Change) -> bool:
    """Whether a body would only repeat the subject."""
    if len(change.files) != 1:
        return False
    found = change.symbols[0]
    groups = sum(bool(names) for names in (found.added, found.removed, found.changed, found.renamed))
    many = max(len(found.added), len(found.removed), len(found.changed), len(found.renamed)) > 2
    return (groups <= 1 and not many) or change.files[0].patch.status is ChangeStatus.DELETED


def _write_body(facts: Facts, change: Change) -> str:
    if facts.start.kind is not StartKind.SQUASH and _is_told_by_subject(change):
        return ""
    width = facts.form.body_width
    mark = "*" if facts.form.comment_char == "-" else "-"
    # A name that is longer than a line cannot be wrapped; the line is left out and counted.
    items = _items(facts, change)
    fitting = [item for item in items if all(len(word) <= width - 2 for word in item.split(" "))]
    shown = fitting[:_ITEMS] if facts.start.kind is not StartKind.SQUASH else fitting
    lines = [f"{mark} {item}" for item in shown]
    rest = len(items) - len(shown)
    if rest:
        lines.append(f"{mark} and {rest} more")
    return wrap_body("\n".join(lines), width, facts.form.comment_char)


def _begin(facts: Facts, guess: Guess, change: Change) -> tuple[str, str | None]:
    """The prefix, and the whole subject where the person has typed it already."""
    first = facts.current.split("\n", 1)[0].strip()
    if begun(facts.current) is None:
        if first and facts.form.style is not Style.CONVENTIONAL and "\n" not in facts.current:
            return "", first
        return _prefix(facts, change, guess), None
    header = parse_beginning(first)
    if header is None or header.subject is None:
        return f"{first} ", None
    return "", first


def _amended(facts: Facts) -> str | None:
    """The old message of an amended commit, which a person wrote; none when another attempt is wished."""
    if facts.start.kind is not StartKind.AMEND or facts.attempt > 1 or facts.current or not facts.start.text.strip():
        return None
    return facts.start.text.strip()


def _plain_body(old: str) -> str:
    return split_trailers(old)[0].partition("\n")[2].strip()


def write_offline(facts: Facts) -> str:
    """A message for the facts; every file and symbol that it names occurs in the change."""
    change = look_at_change(facts.files)
    old = _amended(facts)
    if old is not None and _plain_body(old):
        return old
    guess = guess_type(
        facts, change.symbols, dependencies=bool(change.dependencies), release=change.version is not None
    )
    if old is not None:
        subject = old.split("\n", 1)[0]
    elif facts.start.kind is StartKind.FIRST and not facts.current:
        subject = _prefix(facts, change, guess) + (
            "initial commit" if facts.form.style is Style.CONVENTIONAL else "Initial commit"
        )
    else:
        prefix, whole = _begin(facts, guess, change)
        subject = whole or _fit_subject(facts, prefix, change)
    body = _write_body(facts, change)
    message = f"{subject}\n\n{body}".rstrip()
    if facts.form.ticket:
        message = place_ticket(message, facts.form.ticket, facts.form.ticket_place, facts.form.header_length)
    return keep_trailers(message, facts)


def is_guessed(facts: Facts) -> bool:
    """Whether the type in the offline writer's subject is a guess from the shape of the lines."""
    if (
        facts.form.style is Style.PLAIN
        or begun(facts.current)
        or facts.start.kind in (StartKind.AMEND, StartKind.FIRST)
    ):
        return False
    change = look_at_change(facts.files)
    return not guess_type(
        facts, change.symbols, dependencies=bool(change.dependencies), release=change.version is not None
    ).sure
