"""Which commits would be lost or gained when a name moves (git-rev-list(1), git-merge-base(1))."""

from collections.abc import Sequence

from git_sidecar.git.repository import Repository


async def count_only_held(repository: Repository, oid: str, *, ref: str, kept: Sequence[str] = ()) -> int:
    """How many commits only `ref` (a full name that holds `oid`) keeps: no other ref, HEAD or `kept` reaches them."""
    argv = ("rev-list", "--count", oid, "--not", f"--exclude={ref}", "--all", *kept, "--")
    done = await repository.run(argv)
    return int(done.stdout)


async def count_commits(repository: Repository, old: str | None, new: str) -> int:
    """How many commits `new` has that `old` has not; all of them where there is no `old`."""
    argv = ("rev-list", "--count", new, *((f"^{old}",) if old is not None else ()), "--")
    done = await repository.run(argv)
    return int(done.stdout)


async def is_ancestor(repository: Repository, old: str, new: str) -> bool:
    """Whether `new` contains `old`, both by object id."""
    done = await repository.run(("merge-base", "--is-ancestor", old, new), ok=(0, 1))
    return done.code == 0
