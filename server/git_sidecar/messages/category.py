"""What kind of file a path names: source, test, documentation, pipeline, build, dependencies … Pure."""

import re
from enum import StrEnum
from posixpath import basename, splitext

from git_sidecar.messages.generated import is_lock_file


class Category(StrEnum):
    """What a file is for, as far as its path tells."""

    SOURCE = "source"
    TEST = "test"
    DOCUMENTATION = "documentation"
    PIPELINE = "pipeline"
    BUILD = "build"
    DEPENDENCIES = "dependencies"
    LOCK = "lock"
    CONFIGURATION = "configuration"
    ASSET = "asset"


_PIPELINE = re.compile(
    r"^\.github/(?:workflows|actions)/|^\.(?:circleci|gitlab|buildkite|drone|woodpecker)/|^\.gitlab-ci\.ya?ml$"
    r"|^\.travis\.yml$|^\.drone\.yml$|^\.appveyor\.yml$|^appveyor\.yml$|^azure-pipelines[^/]*\.ya?ml$|^Jenkinsfile$"
    r"|^bitbucket-pipelines\.yml$|^\.cirrus\.yml$|^\.github/dependabot\.yml$|^codecov\.yml$|^\.codecov\.yml$"
)
_TEST = re.compile(
    r"(?:^|/)(?:tests?|specs?|__tests__|__mocks__|__snapshots__|testdata|test-data|fixtures|e2e|testing|cypress)/"
    r"|(?:^|/)(?:test_[^/]*|conftest)\.py$|_test\.(?:py|go|rb|rs|exs?|c|cc|cpp|dart|ts|js)$|_spec\.rb$"
    r"|[.\-](?:test|spec|e2e|cy|stories)\.[cm]?[jt]sx?$|(?:^|/)[^/]*Tests?\.(?:java|kt|cs|swift|php|scala)$"
    r"|(?:^|/)[^/]*Spec\.(?:scala|groovy|kt|hs)$|(?:^|/)Test[^/]*\.java$|\.snap$|(?:^|/)(?:tests?|spec)\.[a-z]+$"
)
_DOC_NAMES = re.compile(
    r"(?i)(?:readme|changelog|changes|history|news|authors|contributors|contributing|license|licence|copying|notice"
    r"|code_of_conduct|security|support|governance|maintainers|upgrading|migrating|install|todo)(?:[.\-_][^/]*)?"
)
_DOC_SUFFIXES = frozenset(
    {".md", ".mdx", ".markdown", ".rst", ".adoc", ".asciidoc", ".txt", ".org", ".tex", ".1", ".5"}
)
_DOC_DIRECTORIES = re.compile(r"^(?:docs?|documentation|website|site/content)/")
_MANIFESTS = frozenset(
    {
        "package.json",
        "go.mod",
        "Cargo.toml",
        "pyproject.toml",
        "setup.py",
        "setup.cfg",
        "Pipfile",
        "Gemfile",
        "composer.json",
        "pom.xml",
        "build.gradle",
        "build.gradle.kts",
        "Podfile",
        "pubspec.yaml",
        "mix.exs",
        "environment.yml",
        "libs.versions.toml",
        "Package.swift",
        "packages.config",
        "Directory.Packages.props",
    }
)
_REQUIREMENTS = re.compile(r"(?:^|/)(?:requirements[^/]*\.(?:txt|in)|requirements/[^/]+\.(?:txt|in)|constraints\.txt)$")
_BUILD = re.compile(
    r"(?i)^(?:makefile|gnumakefile|cmakelists\.txt|dockerfile|containerfile|justfile|rakefile|gulpfile\.[cm]?[jt]s"
    r"|gruntfile\.js|meson\.build|meson_options\.txt|build\.(?:bazel|zig|rs|sh|sbt|xml)|workspace(?:\.bazel)?"
    r"|module\.bazel|settings\.gradle(?:\.kts)?|gradlew(?:\.bat)?|tsup\.config\.\w+|docker-compose[^/]*\.ya?ml"
    r"|compose\.ya?ml|(?:webpack|rollup|vite|esbuild|babel|metro|next|nuxt|tsdown)\.config\.[cm]?[jt]s|build\.mjs"
    r"|configure\.ac|goreleaser\.ya?ml|\.goreleaser\.ya?ml|lerna\.json|nx\.json|turbo\.json|\.npmignore|manifest\.in"
    r"|\.dockerignore|vcpkg\.json|conanfile\.\w+)$|\.(?:cmake|mk|gradle|bzl|csproj|vcxproj|sln|nix|spec|bat)$"
)
_CONFIGURATION = re.compile(
    r"(?i)^(?:\.[\w.\-]+|[\w\-]+\.env|tsconfig[^/]*\.json|jsconfig\.json|renovate\.json5?|tox\.ini|mypy\.ini|pytest\.ini|noxfile\.py"
    r"|pyrightconfig\.json|ruff\.toml|rustfmt\.toml|clippy\.toml|deny\.toml|biome\.jsonc?|jest\.config\.\w+"
    r"|vitest\.config\.\w+|eslint\.config\.\w+|prettier\.config\.\w+|commitlint\.config\.\w+|release\.config\.\w+"
    r"|codeowners|netlify\.toml|vercel\.json|rust-toolchain(?:\.toml)?|release-please-config\.json|lefthook\.yml)$"
)
_ASSETS = frozenset(
    {
        ".png",
        ".jpg",
        ".jpeg",
        ".gif",
        ".svg",
        ".ico",
        ".webp",
        ".bmp",
        ".woff",
        ".woff2",
        ".ttf",
        ".otf",
        ".eot",
        ".mp3",
        ".mp4",
        ".wav",
        ".ogg",
        ".webm",
        ".pdf",
        ".zip",
        ".gz",
        ".psd",
    }
)


def categorize(path: str) -> Category:
    """What the file at a root-relative path is for."""
    name = basename(path)
    suffix = splitext(name)[1].lower()
    if is_lock_file(path):
        return Category.LOCK
    if _PIPELINE.search(path):
        return Category.PIPELINE
    if name in _MANIFESTS or _REQUIREMENTS.search(path):
        return Category.DEPENDENCIES
    if _TEST.search(path):
        return Category.TEST
    if _BUILD.search(name):
        return Category.BUILD
    if _DOC_NAMES.fullmatch(name) and suffix in ("", *_DOC_SUFFIXES):
        return Category.DOCUMENTATION
    if suffix in _ASSETS:
        return Category.ASSET
    if suffix in _DOC_SUFFIXES or _DOC_DIRECTORIES.search(path):
        return Category.DOCUMENTATION
    if _CONFIGURATION.search(name) or path.startswith(
        (".vscode/", ".github/", ".husky/", ".changeset/", ".devcontainer/")
    ):
        return Category.CONFIGURATION
    return Category.SOURCE
