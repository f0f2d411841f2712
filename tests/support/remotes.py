"""A repository with a bare remote beside it, and a second clone that moves the remote."""

from dataclasses import dataclass
from pathlib import Path

from tests.support.scratch import Scratch, ScratchRepo


@dataclass(frozen=True)
class Pair:
    """`mine` and `theirs` share the bare repository `origin`; both stand on main with one commit."""

    origin: Path
    mine: ScratchRepo
    theirs: ScratchRepo

    def remote(self, ref: str = "refs/heads/main") -> str:
        """Where the remote's ref is; empty where it does not exist."""
        return self.mine.scratch.run(self.origin, "for-each-ref", "--format=%(objectname)", ref).decode().strip()


def make_pair(scratch: Scratch) -> Pair:
    """The three repositories."""
    origin = scratch.base / "origin.git"
    scratch.run(scratch.base, "init", "-q", "--bare", str(origin))
    mine = scratch.repo("mine")
    mine.commit("first", **{"a.txt": "one\n"})
    mine.git("remote", "add", "origin", str(origin))
    mine.git("push", "-q", "-u", "origin", "main")
    scratch.run(scratch.base, "clone", "-q", str(origin), "theirs")
    return Pair(origin, mine, ScratchRepo(scratch, scratch.base / "theirs"))
