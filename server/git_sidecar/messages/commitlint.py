"""commitlint's configuration as data: which rules hold, with which values. Pure.

Source: commitlint.js.org, "Configuration" and "Rules". Only what is data is taken: presets by name from the two that
most projects extend, and `rules`. Nothing is run, and no other file is read.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from git_sidecar.messages.conventional import TYPES
from git_sidecar.messages.js_data import parse_js_export

WARNING, ERROR = 1, 2
_LONGEST_VALUE = 60


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: its level (1 warning, 2 error), whether it is negated, and its values (a number, or names)."""

    name: str
    level: int
    never: bool = False
    number: int | None = None
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Commitlint:
    """The rules that hold, and what of the configuration could not be read without running it."""

    rules: tuple[Rule, ...]
    unread: tuple[str, ...] = ()

    def find(self, name: str) -> Rule | None:
        """The rule of that name, if it is switched on."""
        return next((rule for rule in self.rules if rule.name == name), None)


_SENTENCES = ("sentence-case", "start-case", "pascal-case", "upper-case")
CONVENTIONAL: tuple[Rule, ...] = (
    Rule("body-leading-blank", WARNING),
    Rule("body-max-line-length", ERROR, number=100),
    Rule("footer-leading-blank", WARNING),
    Rule("footer-max-line-length", ERROR, number=100),
    Rule("header-max-length", ERROR, number=100),
    Rule("header-trim", ERROR),
    Rule("subject-case", ERROR, never=True, names=_SENTENCES),
    Rule("subject-empty", ERROR, never=True),
    Rule("subject-full-stop", ERROR, never=True, names=(".",)),
    Rule("type-case", ERROR, names=("lower-case",)),
    Rule("type-empty", ERROR, never=True),
    Rule("type-enum", ERROR, names=TYPES),
)
_ANGULAR: tuple[Rule, ...] = (
    Rule("body-leading-blank", WARNING),
    Rule("footer-leading-blank", WARNING),
    Rule("header-max-length", ERROR, number=72),
    Rule("scope-case", ERROR, names=("lower-case",)),
    Rule("subject-case", ERROR, never=True, names=_SENTENCES),
    Rule("subject-empty", ERROR, never=True),
    Rule("subject-full-stop", ERROR, never=True, names=(".",)),
    Rule("type-case", ERROR, names=("lower-case",)),
    Rule("type-empty", ERROR, never=True),
    Rule("type-enum", ERROR, names=tuple(name for name in TYPES if name != "chore")),
)
_PRESETS: dict[str, tuple[Rule, ...]] = {
    "@commitlint/config-conventional": CONVENTIONAL,
    "@commitlint/conventional": CONVENTIONAL,
    "conventional": CONVENTIONAL,
    "@commitlint/config-angular": _ANGULAR,
    "@commitlint/angular": _ANGULAR,
    "angular": _ANGULAR,
}
_KNOWN = frozenset(
    {
        *(rule.name for rule in (*CONVENTIONAL, *_ANGULAR)),
        *(f"{part}-{what}" for part in ("header", "subject", "type", "scope", "body", "footer")
          for what in ("case", "empty", "enum", "full-stop", "max-length", "min-length", "max-line-length")),
        "signed-off-by", "trailer-exists", "subject-exclamation-mark", "references-empty",
    }
)  # fmt: skip


def _names_of(value: object) -> tuple[str, ...]:
    """The names in a rule's value; a name that could smuggle a sentence into a prompt is left out."""
    if isinstance(value, Mapping):
        options = cast("Mapping[str, object]", value)
        value = options.get("scopes", options.get("cases", ()))
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, Sequence):
        return ()
    return tuple(
        item
        for item in cast("Sequence[object]", items)
        if isinstance(item, str) and 0 < len(item) <= _LONGEST_VALUE and item.isprintable() and item.count(" ") < 3
    )


def _load_rule(name: str, setting: object) -> Rule | None:
    parts = cast("Sequence[object]", setting) if isinstance(setting, list | tuple) else [setting]
    level = parts[0] if parts else None
    if isinstance(level, bool) or not isinstance(level, int | float) or not 0 <= level <= 2:
        return None
    value = parts[2] if len(parts) > 2 else None
    number = int(value) if isinstance(value, int | float) and not isinstance(value, bool) and value < 1e9 else None
    return Rule(name, int(level), len(parts) > 1 and parts[1] == "never", number, _names_of(value))


def load_commitlint(data: object) -> Commitlint | None:
    """The rules that a configuration's data stands for; None where it is no configuration."""
    if not isinstance(data, Mapping):
        return None
    config = cast("Mapping[str, object]", data)
    unread: list[str] = []
    rules: dict[str, Rule] = {}
    for preset in _names_of(config.get("extends", ())):
        if preset in _PRESETS:
            rules |= {rule.name: rule for rule in _PRESETS[preset]}
        else:
            unread.append(f"extends {preset}")
    own = config.get("rules")
    for name, setting in cast("Mapping[str, object]", own).items() if isinstance(own, Mapping) else ():
        rule = _load_rule(name, setting) if name in _KNOWN else None
        if rule is None:
            unread.append(f"rule {name[:_LONGEST_VALUE]}")
        else:
            rules[name] = rule
    if not rules and not unread:
        return None
    return Commitlint(tuple(rule for rule in rules.values() if rule.level), tuple(unread))


# In commitlint's own order of search; each with how it is written.
CONFIG_FILES: tuple[str, ...] = (
    "package.json",
    ".commitlintrc",
    ".commitlintrc.json",
    ".commitlintrc.yaml",
    ".commitlintrc.yml",
    *(f".commitlintrc.{suffix}" for suffix in ("js", "cjs", "mjs", "ts", "cts", "mts")),
    *(f"commitlint.config.{suffix}" for suffix in ("js", "cjs", "mjs", "ts", "cts", "mts")),
)


def parse_commitlint(name: str, text: str) -> Commitlint | None:
    """The rules in the text of one of CONFIG_FILES; None where it holds none that can be read."""
    if name.endswith(("js", "ts")):
        return load_commitlint(parse_js_export(text))
    if name.endswith(".json"):
        try:
            data: object = json.loads(text)
        except ValueError:
            return None
        if name == "package.json":
            data = cast("Mapping[str, object]", data).get("commitlint") if isinstance(data, dict) else None
        return load_commitlint(data)
    return load_commitlint(_parse_yaml(text))


def _parse_yaml(text: str) -> object:
    """YAML, of which JSON is a part; None where it is neither. Aliases are refused: they can grow without bound."""
    import yaml

    if "&" in text and "*" in text:
        return None
    try:
        return cast("object", yaml.safe_load(text))
    except yaml.YAMLError:
        return None
