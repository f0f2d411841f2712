"""What git itself says: the expected values of the report tests, and questions about a repository's state."""

import subprocess
from pathlib import Path
from typing import Any, NamedTuple

from tests.support.scratch import Scratch, ScratchRepo


def at(scratch: Scratch, root: Path) -> ScratchRepo:
    """The existing repository at `root`."""
    return ScratchRepo(scratch, root)


def say_without_configuration(repo: ScratchRepo, *args: str) -> str:
    """What git prints with an empty global configuration; the repository's own still counts."""
    done = subprocess.run(
        ["git", *args],
        cwd=repo.root,
        env={**repo.scratch.env, "GIT_CONFIG_GLOBAL": "/dev/null"},
        capture_output=True,
        check=True,
        timeout=60,
    )
    return done.stdout.decode("utf-8", "replace")


def staged_diff(repo: ScratchRepo) -> str:
    """`git diff --cached` with the global configuration empty and submodules shown whatever marks them ignored."""
    return say_without_configuration(repo, "diff", "--cached", "--ignore-submodules=dirty")


def names(repo: ScratchRepo, *args: str) -> list[str]:
    """The NUL-ended names that a git command prints (give it `-z`)."""
    return [name.decode() for name in repo.git(*args).split(b"\0")[:-1]]


def staged_names(repo: ScratchRepo) -> list[str]:
    """The paths whose index entry differs from HEAD, renames taken apart."""
    return names(repo, "diff", "--cached", "--name-only", "--no-renames", "--ignore-submodules=dirty", "-z")


def numstat(repo: ScratchRepo, *args: str) -> dict[str, tuple[int | None, int | None]]:
    """Additions and deletions by (new) path, as `git diff --numstat -z` counts them; None for binary."""
    found: dict[str, tuple[int | None, int | None]] = {}
    records = iter(repo.git("diff", "--numstat", "-z", *args).decode().split("\0")[:-1])
    for record in records:
        added, deleted, path = record.split("\t", 2)
        if not path:
            next(records)
            path = next(records)
        found[path] = (None, None) if added == "-" else (int(added), int(deleted))
    return found


def complaint(repo: ScratchRepo, *args: str) -> str:
    """The last line of what a git command that must fail says on either stream."""
    done = subprocess.run(
        ["git", *args],
        cwd=repo.root,
        env=repo.scratch.env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode, f"git {' '.join(args)} succeeded"
    return next(line for line in (done.stderr + done.stdout).decode().split("\n") if line)


class State(NamedTuple):
    """What no refused call may change."""

    head: str
    refs: str
    staged: str
    status: str
    merging: bool


def state(repo: ScratchRepo) -> State:
    """The state of a repository now."""
    return State(
        (repo.root / ".git" / "HEAD").read_text(),
        repo.text("for-each-ref"),
        repo.text("ls-files", "-s"),
        repo.text("status", "--porcelain"),
        (repo.root / ".git" / "MERGE_HEAD").exists(),
    )


def told(error: dict[str, Any]) -> str:
    """All texts of a refusal in one."""
    return "\n".join(str(error[key]) for key in ("message", "hint", "stderr", "stdout") if error.get(key))


def paths(entries: list[dict[str, Any]]) -> list[str]:
    """The paths of file entries, sorted."""
    return sorted(entry["path"] for entry in entries)


def hook(repo: ScratchRepo, name: str, body: str) -> Path:
    """Install a hook: a shell script with this body."""
    script = repo.root / ".git" / "hooks" / name
    script.parent.mkdir(exist_ok=True)
    script.write_text(f"#!/bin/sh\n{body}\n")
    script.chmod(0o755)
    return script


def program(path: Path, body: str) -> Path:
    """An executable shell script at `path`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def diverge(repo: ScratchRepo, *, path: str = "f.txt", other: str = "other") -> None:
    """Two branches that change one file in two ways; `main` is checked out, nothing is merged yet."""
    repo.commit("base", **{path: "base\n"})
    repo.git("checkout", "-q", "-b", other)
    repo.commit("theirs", **{path: "theirs\n"})
    repo.git("checkout", "-q", "main")
    repo.commit("ours", **{path: "ours\n"})
