"""Generated repositories for undo: every kind of thing that a work tree, an index and refs can hold."""

import os
import random
import stat
from dataclasses import dataclass
from pathlib import Path

from git_sidecar.model.location import Location
from git_sidecar.model.plan import Scope
from git_sidecar.model.refs import RepoPath
from tests.support.scratch import Scratch, ScratchRepo

ODD_NAMES = ("tab\tname", 'quo"te\\', "line\nbreak", " lead and trail ", "-dash", "ünï", os.fsdecode(b"caf\xe9"))
NAMES = ("a.txt", "b.txt", "dir/c.txt", "dir/deep/d.txt", "crlf.txt", "run.sh", "bin.dat", "win.bat", *ODD_NAMES)
Step = tuple[tuple[str, ...], Scope]
WHOLE = Scope(None)
REFS = Scope(())


def locate(repo: ScratchRepo) -> Location:
    """Where the repository's parts lie, as git says."""
    git_dir = Path(repo.text("rev-parse", "--absolute-git-dir"))
    common = Path(repo.text("rev-parse", "--path-format=absolute", "--git-common-dir"))
    return Location(repo.root, git_dir, common, bare=repo.text("rev-parse", "--is-bare-repository") == "true")


def read_tree(root: Path) -> dict[str, tuple[str, int, bytes]]:
    """Every file and link of a work tree, git's own directory at the top left out: kind, permissions, bytes."""
    tree: dict[str, tuple[str, int, bytes]] = {}
    for place, directories, files in os.walk(root):
        if Path(place) == root and ".git" in directories:
            directories.remove(".git")
        for name in (*files, *(name for name in directories if Path(place, name).is_symlink())):
            path = Path(place, name)
            status = path.lstat()
            inner = path.relative_to(root).as_posix()
            if stat.S_ISLNK(status.st_mode):
                tree[inner] = ("link", 0, os.fsencode(path.readlink()))
            else:
                tree[inner] = ("file", status.st_mode & 0o777, path.read_bytes())
    return tree


def read_everything(repo: ScratchRepo) -> dict[str, object]:
    """What undoing must bring back, as the disk and git tell it; nothing here is read by our own code."""
    git_dir = Path(repo.text("rev-parse", "--absolute-git-dir"))
    marks = sorted(path.relative_to(git_dir).as_posix() for path in git_dir.glob("*_HEAD")) + [
        path.relative_to(git_dir).as_posix()
        for directory in ("rebase-merge", "rebase-apply", "sequencer")
        for path in sorted((git_dir / directory).rglob("*"))
    ]
    return {
        "tree": read_tree(repo.root),
        "entries": repo.git("ls-files", "-s", "-z"),
        "flags": repo.git("ls-files", "-v", "-z"),
        "refs": repo.git("for-each-ref", "--format=%(refname) %(objectname) %(symref)"),
        "head": (git_dir / "HEAD").read_bytes(),
        "stashes": repo.git("stash", "list", "--format=%gd %H %gs"),
        "operation": {name: (git_dir / name).read_bytes() for name in marks if (git_dir / name).is_file()},
        "config": (git_dir / "config").read_bytes(),
        "status": repo.git("status", "--porcelain=v2", "-z", "--untracked-files=all"),
    }


@dataclass
class World:
    """A repository, and the chance that shapes it."""

    repo: ScratchRepo
    chance: random.Random
    counter: int = 0

    def text(self) -> bytes:
        """New content: text with either line end, binary, or nothing."""
        self.counter += 1
        lines = [f"line {number} {self.counter if self.chance.random() < 0.3 else ''}" for number in range(12)]
        ending = self.chance.choice(["\n", "\n", "\r\n"])
        return self.chance.choice(
            [(ending.join(lines) + ending).encode(), (ending.join(lines)).encode(), bytes(range(256)) * 3, b""]
        )

    def mutate(self) -> None:
        """What a person does between calls: edits, new files, deletions, modes, links, staging, flags."""
        for _ in range(self.chance.randrange(4)):
            self.chance.choice(
                [self._edit, self._edit, self._add_untracked, self._delete, self._link, self._mode, self._stage]
            )()

    def _path(self) -> Path:
        return self.repo.root / self.chance.choice(NAMES)

    def _edit(self) -> None:
        path = self._path()
        if _has_way(self.repo.root, path) and not path.is_dir():
            path.unlink(missing_ok=True)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(self.text())

    def _add_untracked(self) -> None:
        name = self.chance.choice(["new.txt", "newdir/x.txt", "newdir/deep/y", "x.log", "build/out.bin", "dir/new"])
        path = self.repo.root / name
        if _has_way(self.repo.root, path) and not path.is_dir():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)
            path.write_bytes(self.text())
            path.chmod(self.chance.choice([0o644, 0o600, 0o755]))

    def _delete(self) -> None:
        path = self._path()
        if _has_way(self.repo.root, path) and not path.is_dir():
            path.unlink(missing_ok=True)

    def _link(self) -> None:
        path = self._path()
        if _has_way(self.repo.root, path) and not path.is_dir() and path.parent.is_dir():
            path.unlink(missing_ok=True)
            path.symlink_to(self.chance.choice(["a.txt", "/nowhere", "dir", "..", "loop\nlink"]))

    def _mode(self) -> None:
        path = self._path()
        if _has_way(self.repo.root, path) and path.is_file() and not path.is_symlink():
            path.chmod(path.stat().st_mode ^ 0o111)

    def _stage(self) -> None:
        git = self.repo.git
        tracked = [name for name in NAMES if git("ls-files", "--", f":(literal){name}")]
        name = self.chance.choice(tracked or ["a.txt"])
        self.chance.choice(
            [
                lambda: git("add", "-A", check=False),
                lambda: git("add", "-u", check=False),
                lambda: git("add", "-N", ".", check=False),
                lambda: git("update-index", "--assume-unchanged", "--", name, check=False),
                lambda: git("update-index", "--no-assume-unchanged", "--", name, check=False),
            ]
        )()

    def _resolve(self, rev: str) -> tuple[str, ...]:
        found = self.repo.git("rev-parse", "-q", "--verify", f"{rev}^{{commit}}", check=False).decode().strip()
        return (found,) if found else ()

    def commands(self) -> list[Step]:
        """Every write and destructive command, with the scope that a tool would give it."""
        paths = [name for name in NAMES if self.chance.random() < 0.3] or ["a.txt"]
        some = Scope(tuple(RepoPath(path) for path in paths))
        directory = Scope((RepoPath("dir"),))
        rev = self.chance.choice(["HEAD", "HEAD~1", "topic", "other", "v1", "HEAD@{1}"])
        there = Scope(None, targets=self._resolve(rev))
        stashed = Scope(None, targets=(*self._resolve("stash@{0}"), *self._resolve("stash@{0}^3")))
        branch = self.chance.choice(["topic", "other", "main", "fresh", "topic/sub"])
        return [
            *((("reset", mode, rev), there) for mode in ("--hard", "--hard", "--merge", "--keep")),
            *((("reset", mode, rev), REFS) for mode in ("--soft", "--mixed")),
            (("reset", "--", *paths), REFS),
            (("checkout", "-f", rev), there),
            (("checkout", rev, "--", *paths), some),
            (("checkout", "--", "dir"), directory),
            (("checkout", "-B", branch, rev), there),
            (("checkout", "-m", branch), WHOLE),
            (("checkout", "--ours", "--", *paths), some),
            (("switch", "--discard-changes", branch), WHOLE),
            (("switch", "-C", branch), WHOLE),
            (("switch", "--orphan", "empty"), WHOLE),
            (("switch", "--detach"), WHOLE),
            (("restore", "--", *paths), some),
            (("restore", "--staged", "--worktree", "--", "."), WHOLE),
            (("restore", "--source", rev, "--staged", "--worktree", "--", "dir"), directory),
            (("restore", "--staged", "--", *paths), REFS),
            (("clean", "-fd"), WHOLE),
            (("clean", "-fdx"), Scope(None, ignored=True)),
            (("clean", "-f", "--", "dir", "newdir"), Scope((RepoPath("dir"), RepoPath("newdir")))),
            (("rm", "-q", "-f", "-r", "--ignore-unmatch", "--", *paths), some),
            (("rm", "-q", "-r", "--cached", "--", "dir"), REFS),
            (("rm", "-q", "-f", "--ignore-unmatch", "--", "sub"), WHOLE),
            (("mv", "-f", "a.txt", "moved.txt"), WHOLE),
            (("mv", "dir", "dir2"), WHOLE),
            (("mv", "sub", "sub2"), WHOLE),
            (("mv", "-f", "b.txt", "a.txt"), WHOLE),
            (("add", "-A"), REFS),
            (("add", "--", *paths), REFS),
            (("add", "-N", "."), REFS),
            (("commit", "-q", "-a", "-m", "all"), REFS),
            (("commit", "-q", "--allow-empty", "-m", "index"), REFS),
            (("commit", "-q", "--amend", "-m", "amended"), REFS),
            (("merge", "-q", "topic"), WHOLE),
            (("merge", "-q", "--no-ff", "-s", "ours", "other"), WHOLE),
            (("merge", "--abort"), WHOLE),
            (("merge", "--continue"), WHOLE),
            (("rebase", "-q", "topic"), WHOLE),
            (("rebase", "-q", "--autostash", "other"), WHOLE),
            (("rebase", "--abort"), WHOLE),
            (("rebase", "--skip"), WHOLE),
            (("cherry-pick", "topic"), WHOLE),
            (("cherry-pick", "--abort"), WHOLE),
            (("revert", "--no-edit", "HEAD"), WHOLE),
            (("revert", "--abort"), WHOLE),
            (("stash", "push", "-q"), WHOLE),
            (("stash", "push", "-q", "-u", "-m", "untracked"), WHOLE),
            (("stash", "push", "-q", "-a"), Scope(None, ignored=True)),
            (("stash", "push", "-q", "--", *paths), some),
            (("stash", "pop", "-q"), stashed),
            (("stash", "apply", "-q", "--index"), stashed),
            (("stash", "drop", "-q", f"stash@{{{self.chance.randrange(3)}}}"), REFS),
            (("stash", "clear"), REFS),
            (("branch", "-D", branch), REFS),
            (("branch", "-M", branch, "renamed"), REFS),
            (("branch", "-M", branch, f"{branch}/below"), REFS),
            (("branch", "-f", branch, rev), REFS),
            (("branch", "-C", branch, "copied"), REFS),
            (("tag", "-d", "v1"), REFS),
            (("tag", "-f", "-a", "-m", "moved", "v1", rev), REFS),
            (("bisect", "start"), WHOLE),
            (("bisect", "reset"), WHOLE),
        ]


def _has_way(root: Path, path: Path) -> bool:
    parents = [parent for parent in path.parents if root in parent.parents]
    return all(not parent.is_symlink() and (parent.is_dir() or not parent.exists()) for parent in parents)


def build_world(scratch: Scratch, chance: random.Random) -> World:
    """A repository with history, branches that conflict, tags, stashes, a submodule, attributes and odd names; or,
    one time in eight, one that has no commit yet.
    """
    repo = scratch.repo(object_format="sha256" if chance.random() < 0.15 else "sha1")
    world = World(repo, chance)
    _configure(repo, chance)
    for name in NAMES:
        repo.write(name, world.text())
    (repo.root / "run.sh").chmod(0o755)
    (repo.root / "link").symlink_to("a.txt")
    if chance.random() < 0.12:
        repo.git("add", "-A", "-f")
        return world
    if chance.random() < 0.5:
        _add_submodule(scratch, repo)
    _make_history(world)
    world.mutate()
    return world


def _configure(repo: ScratchRepo, chance: random.Random) -> None:
    for key, value in (("gc.auto", "0"), ("maintenance.auto", "false"), ("rebase.autoStash", "false")):
        repo.git("config", key, value)
    repo.write(".gitignore", "*.log\nbuild/\n")
    if chance.random() < 0.6:
        rule = chance.choice(["* text=auto\n", "*.txt text eol=crlf\n", "*.txt text eol=lf\n*.bat -text\n"])
        repo.write(".gitattributes", rule)
    if chance.random() < 0.25:
        repo.git("config", "core.autocrlf", chance.choice(["true", "input"]))
    if chance.random() < 0.2:
        repo.git("config", "core.splitIndex", "true")
    if chance.random() < 0.3:
        repo.git("update-index", "--index-version", "4")


def _make_history(world: World) -> None:
    repo = world.repo
    repo.commit("one")
    for number, branch in enumerate(("topic", "other")):
        repo.git("switch", "-q", "-c", branch)
        repo.write("a.txt", world.text() + b"%d" % number)
        repo.write("dir/c.txt", world.text())
        repo.commit(branch)
        repo.git("switch", "-q", "-f", "main")
    repo.git("tag", "-a", "-m", "annotated", "v1")
    repo.git("config", "branch.topic.description", "kept with the branch")
    repo.write("a.txt", world.text() + b"main")
    repo.commit("two")
    repo.write("b.txt", world.text())
    repo.commit("three")
    for number in range(3):
        repo.write("b.txt", b"stash %d" % number)
        repo.git("stash", "push", "-q", "-m", f"number {number}")


def _add_submodule(scratch: Scratch, repo: ScratchRepo) -> None:
    inner = scratch.repo("inner", object_format=repo.text("rev-parse", "--show-object-format"))
    inner.commit("inner", x="1", y="2")
    repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.root), "sub")
