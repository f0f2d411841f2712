"""Hostile repositories: every way we know in which a repository names a program, one vector at a time.

A program that a vector names writes the vector's name into a log and then behaves well enough for git to go on. Nothing
here is harmful. A base repository is built once and copied for each vector.
"""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from tests.support.scratch import hermetic_environment

_ATTRIBUTES = """\
*.command diff=commanded
*.textconv diff=converted
*.equals diff=a=b
*.empty diff=
*.clean filter=cleaned
*.smudge filter=smudged
*.process filter=processed
*.odd filter=c=d
*.merge merge=merged
"""
_FILES = ("command", "textconv", "equals", "empty", "info", "clean", "smudge", "process", "odd", "plain")
_HOOKS = ("post-index-change", "reference-transaction", "post-checkout", "pre-commit", "post-commit", "pre-push")
_SIGNATURES = ("PGP SIGNATURE", "SSH SIGNATURE", "SIGNED MESSAGE")


class Hostile:
    """One copy of the base repository, to be armed with a vector."""

    def __init__(self, base: Path, directory: Path) -> None:
        """Copy `base` (see `build_base`) to `directory`; times are kept, so that git has to look again."""
        shutil.copytree(base, directory, symlinks=True)
        self.directory = directory
        self.root = directory / "repo"
        self.log = directory / "log"
        self.environment = hermetic_environment(directory / "home")

    def program(self, name: str, then: str = "exit 0") -> str:
        """A program that logs `name`; its path."""
        path = self.directory / "programs" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\necho '{name}' >> '{self.log}'\n{then}\n")
        path.chmod(0o755)
        return str(path)

    def configure(self, key: str, value: str, *, where: str = "repo/.git/config") -> None:
        """Write one configuration value, as git itself would."""
        file = self.directory / where
        run_git(self.directory, "config", "--file", str(file), key, value, environment=self.environment)

    def append(self, where: str, text: str) -> None:
        """Add text to a file below the directory, making both as needed."""
        path = self.directory / where
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a") as file:
            file.write(text)

    def hooks(self, where: str, name: str) -> None:
        """Fill a directory with hooks."""
        for hook in _HOOKS:
            path = self.directory / where / hook
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)
            path.symlink_to(self.program(name))

    def git(self, *argv: str, cwd: str = "repo", stdin: bytes = b"") -> None:
        """Run plain git, undefended, whatever it answers."""
        run_git(self.directory / cwd, *argv, environment=self.environment, stdin=stdin, check=False)

    def read(self, *argv: str) -> str:
        """What plain git prints at the root, without its last line end."""
        return self.read_exactly(*argv).strip()

    def read_exactly(self, *argv: str) -> str:
        """What plain git prints at the root."""
        return run_git(self.root, *argv, environment=self.environment).decode()

    def take_log(self) -> set[str]:
        """The names of the programs that ran since the last time."""
        ran = set(self.log.read_text().split()) if self.log.exists() else set[str]()
        self.log.unlink(missing_ok=True)
        return ran


def run_git(cwd: Path, *argv: str, environment: Mapping[str, str], stdin: bytes = b"", check: bool = True) -> bytes:
    """What git prints."""
    done = subprocess.run(
        ("git", *argv), cwd=cwd, env=environment, input=stdin, capture_output=True, check=False, timeout=60
    )
    assert done.returncode == 0 or not check, done.stderr
    return done.stdout


def build_base(base: Path) -> None:
    """A repository in which every read has something to do: merges, signatures, a stash, a submodule, dirty files."""
    (base / "home").mkdir(parents=True)
    environment = hermetic_environment(base / "home")
    root = base / "repo"

    def git(*argv: str, cwd: Path = root, stdin: bytes = b"") -> str:
        return run_git(cwd, *argv, environment=environment, stdin=stdin).decode().strip()

    def write(line: str, *names: str, cwd: Path = root) -> None:
        for name in names:
            with (cwd / name).open("a") as file:
                file.write(line + "\n")

    for key, value in (("user.name", "A"), ("user.email", "a@b.invalid"), ("init.defaultBranch", "main")):
        git("config", "--global", key, value, cwd=base)
    git("init", "-q", "--bare", "remote.git", cwd=base)
    git("init", "-q", "repo", cwd=base)
    git("init", "-q", "sub")
    sub, files, same = root / "sub", [f"f.{kind}" for kind in _FILES], [f"same.{kind}" for kind in _FILES]
    (root / ".gitattributes").write_text(_ATTRIBUTES)
    (sub / ".gitattributes").write_text(_ATTRIBUTES)
    write("one", *files, *same, "m.merge")
    write("one", *files, "same.clean", cwd=sub)
    git("add", ".", cwd=sub)
    git("commit", "-q", "-m", "sub", cwd=sub)
    (root / ".gitmodules").write_text('[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n')
    git("-c", "advice.addEmbeddedRepo=false", "add", ".")
    git("commit", "-q", "-m", "one")
    git("branch", "conflicting")
    git("switch", "-q", "-c", "side")
    write("side", "m.merge")
    git("commit", "-q", "-a", "-m", "side")
    git("switch", "-q", "main")
    write("main", "m.merge")
    git("commit", "-q", "-a", "-m", "main")
    run_git(root, "merge", "-q", "side", environment=environment, check=False)
    (root / "m.merge").write_text("one\nboth\n")
    git("commit", "-q", "-a", "-m", "merged")
    git("switch", "-q", "conflicting")
    write("conflicting", "m.merge", *files)
    git("commit", "-q", "-a", "-m", "conflicting")
    git("switch", "-q", "main")
    write("two", *files)
    git("add", ".")
    for kind in _SIGNATURES:
        commit = _signed_commit(kind, tree=git("write-tree"), parent=git("rev-parse", "HEAD"))
        git("update-ref", "refs/heads/main", git("hash-object", "-t", "commit", "-w", "--stdin", stdin=commit))
    git("remote", "add", "origin", "../remote.git")
    git("push", "-q", "origin", "main", "conflicting")
    write("stashed", *files)
    git("stash", "-q")
    write("staged", *files)
    git("add", *files)
    write("dirty", *files)
    write("dirty", *files, cwd=sub)
    for path in (*(root / name for name in same), sub / "same.clean"):
        # Same content, another time: git must read the file, by way of its filter, to know.
        os.utime(path, (1_000_000_000, 1_000_000_000))


def _signed_commit(kind: str, *, tree: str, parent: str) -> bytes:
    """A commit object that claims to be signed."""
    person = "A <a@b.invalid> 1700000000 +0000"
    signature = f"-----BEGIN {kind}-----\n \n AAAA\n -----END {kind}-----"
    header = f"tree {tree}\nparent {parent}\nauthor {person}\ncommitter {person}\ngpgsig {signature}"
    return f"{header}\n\nclaims a {kind}\n".encode()
