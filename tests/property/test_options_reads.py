"""No call that is classified as a read changes, runs or leaks anything, in a repository that is hostile all over."""

import asyncio
import hashlib
import os
import stat
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from git_sidecar.git.invocation import Completed, Editor, Invocation, Limits
from git_sidecar.git.process import Spawner
from git_sidecar.model.tier import Tier
from git_sidecar.options.call import Call, Classified, Facts
from git_sidecar.options.classify import classify
from tests.support.hostile import Hostile, build_base
from tests.support.hostile_vectors import VECTORS
from tests.unit.options.drawn_calls import OPERANDS, Usages, calls, read_usages, single_options
from tests.unit.options.looked_up import read_facts

_LONG = os.environ.get("GIT_SIDECAR_LONG") == "1"
_EXAMPLES = 2_000 if _LONG else 200
# What an option that takes a program would run, and one that takes a file overwrite.
_PROGRAM = "../programs/core.pager"
_SECRET = "secret-that-nothing-may-print"
# They hide the rest: the first takes an object away, the second the whole work tree.
_LEFT_OUT = ("promisor", "core.worktree")
# What a trusted workspace may run on a read, since the person set it up.
_TRUSTED_MAY_RUN = frozenset(
    {"filter.clean", "filter.clean-required", "filter.process", "filter.equals.clean", "includeIf", "submodule.clean"}
)


@dataclass
class Trap:
    """A hostile repository, the spawner that runs git in it, and what all its files were."""

    hostile: Hostile
    spawner: Spawner
    runner: asyncio.Runner
    usages: Usages
    facts: Facts
    before: dict[str, str]

    def run(self, found: Classified, *, trusted: bool) -> Completed:
        """Run a classified call as the service does."""
        invocation = Invocation(
            argv=found.argv(trusted=trusted),
            editor=Editor.ACCEPT if found.editor_accept else Editor.REFUSE,
            config=found.config,
            environment={
                "GIT_CONFIG_NOSYSTEM": "1",
                **({} if found.pathspecs_literal else {"GIT_LITERAL_PATHSPECS": "0"}),
            },
            limits=Limits(timeout_s=20),
        )
        return self.runner.run(self.spawner.run(self.hostile.root, invocation, trusted=trusted))

    def spring(self, call: Call, found: Classified) -> None:
        """Run the call both ways and look at everything."""
        for trusted in (False, True):
            done = self.run(found, trusted=trusted)
            said = f"{call} as {found.argv(trusted=trusted)}, trusted={trusted}: {done.stderr.decode(errors='replace')}"
            assert self.hostile.take_log() <= (_TRUSTED_MAY_RUN if trusted else set()), said
            assert _fingerprint(self.hostile.directory) == self.before, said
            assert _SECRET.encode() not in done.stdout + done.stderr, said


def _fingerprint(directory: Path) -> dict[str, str]:
    """Everything below a directory: refs, index, work tree, configuration, and what lies beside the repository."""
    found: dict[str, str] = {}
    for path in sorted(directory.rglob("*")):
        status = path.lstat()
        if stat.S_ISREG(status.st_mode):
            found[str(path)] = f"{status.st_mtime_ns} {hashlib.sha256(path.read_bytes()).hexdigest()}"
        else:
            found[str(path)] = str(path.readlink()) if path.is_symlink() else "directory"
    return found


@pytest.fixture(scope="module")
def trap(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trap]:
    """One hostile repository for all examples: the first read that changes it fails."""
    base = tmp_path_factory.mktemp("base")
    build_base(base / "base")
    hostile = Hostile(base / "base", base / "copy")
    hostile.git("tag", "v1", "HEAD~1")
    hostile.git("notes", "add", "-m", "note")
    hostile.append("outside/secret", _SECRET + "\n")
    (hostile.root / "link").symlink_to(hostile.directory / "outside")
    hostile.append("repo/untracked", "one\n")
    usages = read_usages(hostile.root, hostile.environment)
    for vector in VECTORS:
        if vector.cwd == "repo" and vector.name not in _LEFT_OUT:
            vector.arm(hostile, vector.name)
    hostile.configure("pretty.evil", "%h %G? %s")
    hostile.take_log()
    facts = read_facts(hostile.root, Call("log", OPERANDS), hostile.environment)
    hostile.take_log()
    with asyncio.Runner() as runner:
        spawner = Spawner(hostile.environment)
        yield Trap(hostile, spawner, runner, usages, facts, _fingerprint(hostile.directory))
        runner.run(spawner.close())


def test_the_trap_springs_for_plain_git(trap: Trap) -> None:
    """The control: plain git runs the programs, in a copy."""
    other = Hostile(trap.hostile.directory, trap.hostile.directory.parent / "control")
    for argv in (("diff",), ("log", "-p"), ("status",), ("blame", "f.textconv")):
        other.git(*argv)
    # The copy's programs write into the log that they were made with.
    assert len(trap.hostile.take_log()) > 3


@pytest.mark.timeout(900)
def test_no_read_changes_runs_or_leaks_anything(trap: Trap) -> None:
    """Whatever is classified as a read is run, by its rebuilt arguments, with and without trust."""
    tiers: Counter[str] = Counter()

    @settings(
        max_examples=_EXAMPLES,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.nested_given],
    )
    @given(calls(trap.usages), st.booleans())
    @example(Call("status"), True)
    @example(Call("diff", ("HEAD",)), True)
    @example(Call("log", ("-p", "-m", "--stat")), False)
    @example(Call("log", ("-1", "-L1,1:f.textconv")), False)
    @example(Call("grep", ("-n", "one", "side")), True)
    @example(Call("stash", ("show", "-p")), True)
    @example(Call("shortlog", ("-sn", "--all")), True)
    @example(Call("reflog", ("--stat",)), True)
    @example(Call("ls-files", ("-m", "-o", "--exclude-standard")), True)
    @example(Call("blame", ("-C", "-C", "-w", "f.clean")), True)
    @example(Call("cat-file", ("-p", "HEAD:f.textconv")), True)
    @example(Call("notes", ("show",)), True)
    @example(Call("clean", ("-ndx",)), True)
    @example(Call("rm", ("-n", "f.plain")), True)
    @example(Call("mv", ("-n", "f.plain", "sub")), True)
    @example(Call("describe", ("--all", "--long", "--contains", "HEAD~1")), True)
    def spring(call: Call, informed: bool) -> None:
        found = classify(call, trap.facts if informed else Facts())
        tier = found.tier if isinstance(found, Classified) else "refused"
        tiers[tier] += 1
        if isinstance(found, Classified) and found.tier is Tier.READ:
            trap.spring(call, found)

    spring()
    # Otherwise the calls that are drawn say nothing.
    assert tiers[Tier.READ] > _EXAMPLES // 8, tiers
    assert tiers["refused"] > _EXAMPLES // 8, tiers


@pytest.mark.timeout(900)
def test_no_option_by_itself_makes_a_read_of_what_is_none(trap: Trap) -> None:
    """Every option of every usage text, one at a time, with a program's name where it takes a value."""
    ran = 0
    for words in trap.usages.by_words:
        group = list(single_options(trap.usages, words, value=_PROGRAM, every_form=_LONG))
        for call in group:
            found = classify(call, trap.facts)
            if isinstance(found, Classified) and found.tier is Tier.READ:
                trap.run(found, trusted=False)
                ran += 1
        # Looked at once for all: where it fails, one of these calls did it.
        assert trap.hostile.take_log() == set(), group
        assert _fingerprint(trap.hostile.directory) == trap.before, group
    assert ran > 300
