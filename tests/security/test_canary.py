"""No program that a repository names runs during a read: every vector, with a control run that shows it can."""

import hashlib
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from git_sidecar.git.invocation import Invocation
from git_sidecar.git.process import Spawner
from tests.support.hostile import Hostile, build_base
from tests.support.hostile_vectors import VECTORS, Vector

STAGED_DIFF = (
    *("diff", "--cached", "--raw", "--no-abbrev", "--numstat", "-p", "-z", "--no-color", "--no-ext-diff"),
    *("--no-textconv", "--ignore-submodules=none", "--submodule=short"),
)
_PATCH = ("--no-color", "--no-ext-diff", "--no-textconv", "--submodule=short")
_LOG = (*_PATCH, "--no-show-signature", "--format=%H %s")
READS = (
    STAGED_DIFF,
    ("status", "--porcelain=v2", "--branch", "-z", "--untracked-files=normal", "--ignore-submodules=dirty"),
    ("diff", *_PATCH, "--ignore-submodules=dirty"),
    ("diff", *_PATCH, "--ignore-submodules=dirty", "HEAD"),
    ("log", "-p", *_LOG),
    ("log", "-p", "-m", *_LOG),
    ("show", *_LOG, "HEAD"),
    ("blame", "--porcelain", "--no-textconv", "--", "f.textconv"),
    ("stash", "show", "-p", "--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"),
    ("ls-files", "-z", "--stage"),
    ("ls-files", "-z", "--modified"),
    ("for-each-ref", "--format=%(refname) %(objectname)"),
)
# The same, as somebody types them who has read no advisory.
UNDEFENDED_READS = (
    ("diff", "--cached"),
    ("status",),
    ("diff",),
    ("diff", "HEAD"),
    ("log", "-p"),
    ("log", "-p", "-m"),
    ("show", "HEAD"),
    ("blame", "f.textconv"),
    ("blame", "f.clean"),
    ("stash", "show", "-p"),
    ("ls-files", "-m"),
    ("for-each-ref",),
)
# What a trusted workspace keeps on reads (the person set it up): the filters that say what a dirty file's content is.
TRUSTED_MAY_FIRE = frozenset(
    {"filter.clean", "filter.clean-required", "filter.process", "filter.equals.clean", "includeIf"}
)
NO_SYSTEM = {"GIT_CONFIG_NOSYSTEM": "1"}


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("hostile") / "base"
    build_base(directory)
    return directory


@pytest.fixture
def hostile(base: Path, tmp_path: Path) -> Iterator[Hostile]:
    made = Hostile(base, tmp_path / "copy")
    yield made
    shutil.rmtree(made.directory)


def by_name(vector: Vector) -> str:
    return vector.name


def contents(directory: Path) -> dict[str, tuple[int, str]]:
    """Each file below a directory: time of change and hash."""
    return {
        str(path): (path.stat().st_mtime_ns, hashlib.sha256(path.read_bytes()).hexdigest())
        for path in directory.rglob("*")
        if path.is_file()
    }


async def _run_reads(hostile: Hostile, vector: Vector, *, trusted: bool) -> dict[str, set[str]]:
    """Which programs ran, for each read that ran one."""
    spawner = Spawner(hostile.environment)
    fired: dict[str, set[str]] = {}
    for argv in READS:
        call = Invocation(argv=argv, environment=NO_SYSTEM)
        await spawner.run(hostile.directory / vector.cwd, call, trusted=trusted)
        if names := hostile.take_log():
            fired[" ".join(argv)] = names
    await spawner.close()
    return fired


@pytest.mark.parametrize("vector", VECTORS, ids=by_name)
async def test_no_read_runs_the_program_and_plain_git_does(hostile: Hostile, vector: Vector) -> None:
    vector.arm(hostile, vector.name)
    hostile.take_log()
    before = contents(hostile.directory)
    assert await _run_reads(hostile, vector, trusted=False) == {}
    # Nothing was written either: no index refreshed, no object fetched, no lock left.
    assert contents(hostile.directory) == before

    fired = await _run_reads(hostile, vector, trusted=True)
    assert " ".join(STAGED_DIFF) not in fired
    assert set().union(*fired.values()) <= TRUSTED_MAY_FIRE

    # The control, on the very same files: without the defence the vector works.
    for argv in UNDEFENDED_READS:
        hostile.git(*argv, cwd=vector.cwd)
    assert hostile.take_log() == ({vector.name} if vector.fires_on_reads else set())
    if vector.trigger is not None:
        hostile.git(*vector.trigger, cwd=vector.cwd, stdin=vector.stdin)
        assert hostile.take_log() == {vector.name}


async def test_all_vectors_at_once_run_nothing_untrusted(hostile: Hostile) -> None:
    everything = [vector for vector in VECTORS if vector.cwd == "repo" and vector.name != "core.worktree"]
    for vector in everything:
        vector.arm(hostile, vector.name)
    hostile.take_log()
    assert await _run_reads(hostile, everything[0], trusted=False) == {}
    for argv in UNDEFENDED_READS:
        hostile.git(*argv)
    assert len(hostile.take_log()) > 5


async def test_untrusted_reads_answer_as_plain_git_does_in_a_harmless_repository(hostile: Hostile) -> None:
    spawner = Spawner(hostile.environment)
    for argv in READS:
        done = await spawner.run(hostile.root, Invocation(argv=argv, environment=NO_SYSTEM), trusted=False)
        assert (done.code, done.stdout.decode()) == (0, hostile.read_exactly(*argv)), argv
    await spawner.close()
