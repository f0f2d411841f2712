"""Raw settings to Settings, or the list of what is wrong; a workspace's settings may only narrow the user's."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from pydantic import ValidationError

from git_sidecar.settings.schema import Settings

Raw = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Problem:
    """One setting that is wrong: its dotted name and what is wrong with it."""

    setting: str
    message: str


@dataclass(frozen=True, slots=True)
class InvalidSettings:
    """Why raw settings were not taken."""

    problems: tuple[Problem, ...]

    def describe(self) -> str:
        """One line a person can act on."""
        return "; ".join(f"gitSidecar.{problem.setting}: {problem.message}" for problem in self.problems)


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The settings that hold in one workspace folder, and the workspace's wishes that were ignored."""

    settings: Settings
    ignored: tuple[Problem, ...]


def load_settings(raw: Raw | None) -> Settings | InvalidSettings:
    """The user's settings from section `gitSidecar`; nothing guessed, nothing converted."""
    try:
        return Settings.model_validate(dict(raw or {}))
    except ValidationError as error:
        return InvalidSettings(
            tuple(
                Problem(".".join(str(part) for part in item["loc"]) or "(all)", item["msg"])
                for item in error.errors(include_url=False, include_input=False)
            )
        )


# What a workspace may set, and how the user's value and the wish become one (wire contract, section 7).
_ONLY_FALSE = ("allowWrites", "allowDestructive", "allowPush")
_ONLY_LOWER = ("limits.headLines", "limits.tailLines", "limits.lineLength", "limits.bytes")
_FREE = tuple(
    f"commitMessage.{name}"
    for name in ("style", "language", "subjectLength", "bodyWidth", "exclude", "instructions", "ticketPattern")
)


def _flatten(raw: Raw, prefix: str = "") -> dict[str, object]:
    """Nested groups as dotted names."""
    flat: dict[str, object] = {}
    for name, value in raw.items():
        if isinstance(value, Mapping):
            flat.update(_flatten(cast("Raw", value), f"{prefix}{name}."))
        else:
            flat[prefix + name] = value
    return flat


def _lookup(tree: Raw, dotted: str) -> object:
    """The value at a dotted name; raises KeyError where there is none."""
    group, _, rest = dotted.partition(".")
    value = tree[group]
    if not rest:
        return value
    if not isinstance(value, Mapping):
        raise KeyError(dotted)
    return _lookup(cast("Raw", value), rest)


def _assign(tree: dict[str, object], dotted: str, value: object) -> None:
    *groups, name = dotted.split(".")
    for group in groups:
        tree = cast("dict[str, object]", tree[group])
    tree[name] = value


def _why_not(name: str, wish: object, current: object) -> str | None:
    """Why a workspace may not set `name` to `wish`; None when it may."""
    if name in _ONLY_FALSE:
        return None if wish is False else "a workspace may only set this to false"
    if name == "confirmation.write":
        return None if wish == "ask" else 'a workspace may only set this to "ask"'
    if name in _ONLY_LOWER:
        lower = isinstance(wish, int) and not isinstance(wish, bool) and wish <= cast("int", current)
        return None if lower else "a workspace may only lower this"
    if name == "protectedBranches" or name in _FREE:
        return None
    return "a workspace may not set this"


def narrow(user: Settings, workspace: Raw | None) -> Narrowed:
    """The user's settings as the workspace narrows them; each wish that widens or is invalid is ignored and named."""
    if not workspace:
        return Narrowed(user, ())
    tree = user.model_dump(by_alias=True)
    settings = user
    ignored: list[Problem] = []
    for name, wish in _flatten(workspace).items():
        try:
            current = _lookup(tree, name)
        except (KeyError, TypeError):
            ignored.append(Problem(name, "there is no such setting"))
            continue
        reason = _why_not(name, wish, current)
        if reason:
            ignored.append(Problem(name, reason))
            continue
        value = wish
        if name == "protectedBranches" and isinstance(wish, list):
            value = [*user.protected_branches, *(branch for branch in cast("list[object]", wish))]
        _assign(tree, name, value)
        loaded = load_settings(tree)
        if isinstance(loaded, InvalidSettings):
            ignored.append(Problem(name, loaded.problems[0].message))
            _assign(tree, name, current)
        else:
            settings = loaded
    return Narrowed(settings, tuple(ignored))
