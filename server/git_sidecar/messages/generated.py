"""Which files a tool wrote: linguist's rules by path and by content (github-linguist, lib/linguist/generated.rb).

One difference: linguist tests most lock files' names without anchors, so that `my-poetry.lock.md` would be one. Here a
lock file is known by its whole base name. Those that linguist leaves to its content rules (`yarn.lock`, `Gemfile.lock`
and others whose very format is written by the package manager) are in the same table. Pure.
"""

import re
from dataclasses import dataclass
from posixpath import basename

from git_sidecar.messages import generated_content

LOCK_NAMES = frozenset(
    {
        "package-lock.json",
        "npm-shrinkwrap.json",
        "yarn.lock",
        "pnpm-lock.yaml",
        "bun.lock",
        "bun.lockb",
        "deno.lock",
        "composer.lock",
        "Cargo.lock",
        "Gemfile.lock",
        "gems.locked",
        "Gopkg.lock",
        "glide.lock",
        "go.sum",
        "go.work.sum",
        "poetry.lock",
        "pdm.lock",
        "uv.lock",
        "pylock.toml",
        "pixi.lock",
        "Pipfile.lock",
        "conda-lock.yml",
        "flake.lock",
        "Podfile.lock",
        "Package.resolved",
        "Cartfile.resolved",
        "packages.lock.json",
        "paket.lock",
        "mix.lock",
        "pubspec.lock",
        "rebar.lock",
        "stack.yaml.lock",
        "gradle.lockfile",
        "buildscript-gradle.lockfile",
        "Chart.lock",
        "MODULE.bazel.lock",
        ".terraform.lock.hcl",
    }
)
_ESY_LOCK = re.compile(r"(?:\w+\.)?esy\.lock")
_PYLOCK = re.compile(r"pylock\.[^.]+\.toml")

_PATHS = (
    re.compile(r"(?:^|/)\.idea/"),
    re.compile(r"(?:^|/)Pods/"),
    re.compile(r"(?:^|/)Carthage/Build/"),
    re.compile(r"(?:^|/)__generated__/"),
    re.compile(r"(?:^|/)node_modules/"),
    re.compile(r"(?:^|/)Godeps/"),
    # A Go package vendored under its host's name.
    re.compile(r"(?:^|/)vendor/(?:(?!-)[-0-9A-Za-z]+(?<!-)\.)+(?:com|edu|gov|in|me|net|org|fm|io)/"),
    re.compile(r"(?:^|/)\.pnp\.[^/]*$"),
    re.compile(r"\.designer\.(?:cs|vb)$", re.IGNORECASE),
    re.compile(r"\.feature\.cs$", re.IGNORECASE),
    re.compile(r"[^/]\.zep\.(?:c|h|php)$"),
    re.compile(r"_tlb\.pas$", re.IGNORECASE),
    re.compile(r"\.(?:js|css)\.map$", re.IGNORECASE),
    re.compile(r"\.(?:nib|xcworkspacedata|xcuserstate)$"),
)


@dataclass(frozen=True, slots=True)
class Attributes:
    """What .gitattributes says of a path (gitattributes(5)); None where it says nothing."""

    generated: bool | None = None
    diff: bool | None = None


def is_lock_file(path: str) -> bool:
    """Whether a package manager wrote the file to pin versions; `mutex.lock.ts` and `blocklist.json` are none."""
    name = basename(path)
    return name in LOCK_NAMES or _ESY_LOCK.fullmatch(name) is not None or _PYLOCK.fullmatch(name) is not None


def is_generated_path(path: str) -> bool:
    """Whether the path alone tells that a tool wrote the file."""
    return is_lock_file(path) or any(pattern.search(path) for pattern in _PATHS)


def is_generated(path: str, text: str | None, attributes: Attributes) -> bool:
    """Whether a tool wrote the file; an attribute overrules what path and content say. `text`: None where not read."""
    if attributes.generated is not None:
        return attributes.generated
    return is_generated_path(path) or (text is not None and generated_content.is_generated_text(path, text))
