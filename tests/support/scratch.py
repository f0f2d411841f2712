"""Scratch repositories: real git, empty HOME, fixed identity and dates, so that object ids are stable."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

DATE = "2024-03-01T10:00:00 +0000"


def hermetic_environment(home: Path, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of every process that a test starts: PATH and nothing else of the caller's."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_STATE_HOME": str(home / ".local" / "state"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "LC_ALL": "C.UTF-8",
        "GIT_AUTHOR_DATE": DATE,
        "GIT_COMMITTER_DATE": DATE,
        **(extra or {}),
    }


class Scratch:
    """A directory with a HOME of its own, in which repositories are made."""

    def __init__(self, base: Path) -> None:
        """Make the HOME under `base`, with an identity and `main` as the first branch."""
        self.base = base
        self.home = base / "home"
        (self.home / ".config").mkdir(parents=True)
        self.env = hermetic_environment(self.home)
        for key, value in (
            ("user.name", "Case Author"),
            ("user.email", "case@example.invalid"),
            ("init.defaultBranch", "main"),
            ("protocol.file.allow", "always"),
        ):
            self.run(base, "config", "--global", key, value)

    def run(self, cwd: Path, *args: str, check: bool = True, stdin: bytes | None = None) -> bytes:
        """What git prints on stdout, run in `cwd`."""
        done = subprocess.run(
            ["git", *args], cwd=cwd, env=self.env, input=stdin, capture_output=True, check=False, timeout=60
        )
        if check and done.returncode:
            raise AssertionError(f"git {' '.join(args)} failed: {done.stderr.decode(errors='replace')}")
        return done.stdout

    def repo(self, name: str = "r", *, object_format: str = "sha1") -> "ScratchRepo":
        """A new, empty repository under the base."""
        root = self.base / name
        root.mkdir(parents=True)
        self.run(root, "init", "-q", f"--object-format={object_format}")
        return ScratchRepo(self, root)


class ScratchRepo:
    """One scratch repository."""

    def __init__(self, scratch: Scratch, root: Path) -> None:
        """Wrap the repository at `root`."""
        self.scratch = scratch
        self.root = root

    def git(self, *args: str, check: bool = True, stdin: bytes | None = None) -> bytes:
        """What git prints on stdout, run at the root."""
        return self.scratch.run(self.root, *args, check=check, stdin=stdin)

    def text(self, *args: str) -> str:
        """What git prints, decoded, without its last line end."""
        return self.git(*args).decode().removesuffix("\n")

    def write(self, path: str, content: str | bytes) -> Path:
        """Write a file of the work tree, with its directories."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
        return target

    def commit(self, message: str = "commit", **files: str) -> str:
        """Write the given files (name=content), add everything, commit; the new commit's id."""
        for path, content in files.items():
            self.write(path, content)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.text("rev-parse", "HEAD")
