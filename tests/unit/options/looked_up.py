"""Looking a repository's facts up with git itself, as the service has to before it classifies a call."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from git_sidecar.options.call import Call, Facts
from git_sidecar.options.classify import operands_of


def read_facts(cwd: Path, call: Call, env: Mapping[str, str]) -> Facts:
    """The facts for `call`, run in `cwd`; the empty facts where git does not answer there."""
    toplevel = _git(cwd, env, "rev-parse", "--show-toplevel")
    if toplevel is None:
        return Facts()
    config = _read_config(cwd, env)
    prefix = (_git(cwd, env, "rev-parse", "--show-prefix") or "").strip().rstrip("/")
    root = toplevel.rstrip("\n")
    operands = operands_of(call, Facts(root=root, prefix=prefix))
    branch = _git(cwd, env, "symbolic-ref", "--short", "-q", "HEAD")
    return Facts(
        root=root,
        prefix=prefix,
        work_tree_elsewhere=not cwd.resolve().is_relative_to(Path(root).resolve()),
        remotes=frozenset(
            key.removeprefix("remote.").removesuffix(".url")
            for key in config
            if key.startswith("remote.") and key.endswith(".url")
        ),
        head_known=True,
        current_branch=None if branch is None else branch.strip(),
        config=config,
        staged_matches_head=_matches_head(cwd, env, operands) if call.subcommand == "rm" else None,
        existing_paths=frozenset(name for name in operands if os.path.lexists(cwd / name)),
        revisions=frozenset(name for name in operands if _is_revision(cwd, env, name)),
        branches=_read_names(cwd, env, "refs/heads/"),
        tags=_read_names(cwd, env, "refs/tags/"),
    )


def _read_config(cwd: Path, env: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    config: dict[str, tuple[str, ...]] = {}
    for entry in (_git(cwd, env, "config", "--list", "-z", "--includes") or "").split("\0"):
        if entry:
            key, newline, value = entry.partition("\n")
            config[key] = (*config.get(key, ()), value if newline else "true")
    return config


def _is_revision(cwd: Path, env: Mapping[str, str], name: str) -> bool:
    if name.startswith("-"):
        return False
    if _git(cwd, env, "rev-parse", "-q", "--verify", "--end-of-options", name) is not None:
        return True
    # Ranges name no single object.
    return _git(cwd, env, "rev-list", "--max-count=0", "--end-of-options", name, "--") is not None


def _read_names(cwd: Path, env: Mapping[str, str], below: str) -> frozenset[str]:
    listed = _git(cwd, env, "for-each-ref", "--format=%(refname)", below) or ""
    return frozenset(name.removeprefix(below) for name in listed.split("\n") if name)


def _matches_head(cwd: Path, env: Mapping[str, str], paths: tuple[str, ...]) -> bool:
    staged = _git(cwd, env, "diff", "--cached", "--quiet", "HEAD", "--", *paths)
    return staged is not None and _git(cwd, env, "diff", "--quiet", "--", *paths) is not None


def _git(cwd: Path, env: Mapping[str, str], *args: str) -> str | None:
    done = subprocess.run(
        ["git", *args], cwd=cwd, env=dict(env), capture_output=True, check=False, timeout=30, stdin=subprocess.DEVNULL
    )
    return None if done.returncode else done.stdout.decode("utf-8", "surrogateescape")
