"""Dependencies that a patch of a manifest adds, removes or moves to another version, as its lines show them. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from posixpath import basename

from git_sidecar.messages.patch import FilePatch

_VERSION = r"(?P<version>[~^<>=!]*\s*v?\d[\w.\-+*]*)"
_NAME = r"(?P<name>@?[A-Za-z0-9][\w.\-/]*)"
_JSON = re.compile(rf'\s*"{_NAME}"\s*:\s*"{_VERSION}[^"]*"\s*,?\s*')
_TOML = re.compile(rf"\s*\"?{_NAME}\"?\s*=\s*(?:\{{.*?version\s*=\s*)?\"{_VERSION}[^\"]*\".*")
_REQUIREMENT = re.compile(rf"\s*[\"']?{_NAME}(?:\[[^\]]*\])?\s*{_VERSION}[^\"']*[\"']?\s*,?\s*(?:\\|#.*|;.*)?\s*")
_GO = re.compile(rf"\s*(?:require\s+)?{_NAME}\s+{_VERSION}(?:\s*//.*)?\s*")
_GEM = re.compile(rf"\s*gem\s+[\"']{_NAME}[\"']\s*,\s*[\"']{_VERSION}[^\"']*[\"'].*")
_ACTION = re.compile(rf"\s*-?\s*uses:\s*{_NAME}@(?P<version>[\w.\-]+).*")
_BY_NAME = {
    "package.json": _JSON,
    "composer.json": _JSON,
    "Cargo.toml": _TOML,
    "Pipfile": _TOML,
    "libs.versions.toml": _TOML,
    "go.mod": _GO,
    "Gemfile": _GEM,
}
# Keys of manifests that hold a version but name no dependency.
_OWN_KEYS = frozenset({"version", "node", "npm", "name", "edition", "rust-version", "python", "requires-python", "go"})


@dataclass(frozen=True, slots=True)
class DependencyChange:
    """One dependency: its version before and after; None where it is not there."""

    name: str
    old: str | None
    new: str | None


def _pattern(path: str) -> re.Pattern[str] | None:
    name = basename(path)
    if path.startswith(".github/workflows/"):
        return _ACTION
    if name == "pyproject.toml" or re.search(r"requirements|constraints", path):
        return _REQUIREMENT
    return _BY_NAME.get(name)


def _versions(lines: Iterable[str], pattern: re.Pattern[str]) -> dict[str, str] | None:
    """The versions by name; None where a line is something else than a dependency."""
    versions: dict[str, str] = {}
    for line in lines:
        if not line.strip() or line.strip() in "{}[](),":
            continue
        found = pattern.fullmatch(line)
        if found is None or found["name"] in _OWN_KEYS:
            return None
        versions[found["name"]] = found["version"].strip().lstrip("~^<>=! ")
    return versions


def find_dependencies(patch: FilePatch) -> tuple[DependencyChange, ...]:
    """What a manifest's patch does to dependencies; empty where it does anything else as well."""
    pattern = _pattern(patch.path)
    if pattern is None or not patch.hunks:
        return ()
    old = _versions(patch.changed_lines("-"), pattern)
    new = _versions(patch.changed_lines("+"), pattern)
    if old is None or new is None:
        return ()
    return tuple(
        DependencyChange(name, old.get(name), new.get(name))
        for name in dict.fromkeys([*old, *new])
        if old.get(name) != new.get(name)
    )


def find_own_version(patch: FilePatch) -> str | None:
    """The version that a manifest gives the project itself, where that is what its patch changes."""
    pattern = re.compile(
        r"\s*\"?version\"?\s*[:=]\s*[\"'](\d[\w.\-+]*)[\"']\s*,?\s*|\s*__version__\s*=\s*[\"'](\d[\w.\-+]*)[\"']"
    )
    added = [line for line in patch.changed_lines("+") if line.strip()]
    removed = [line for line in patch.changed_lines("-") if line.strip()]
    if len(added) != 1 or len(removed) != 1 or not pattern.fullmatch(removed[0]):
        return None
    found = pattern.fullmatch(added[0])
    return next(group for group in found.groups() if group) if found else None
