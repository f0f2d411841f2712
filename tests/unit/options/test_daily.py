"""Everyday calls pass in their tier, and what was rebuilt of them does its work when git runs it."""

import shutil
import subprocess
from pathlib import Path

import pytest

from git_sidecar.git.environment import config_variables
from git_sidecar.model.refusal import Refusal
from git_sidecar.model.tier import Tier
from git_sidecar.options.call import Call, Classified
from git_sidecar.options.classify import classify
from tests.support.scratch import Scratch, hermetic_environment
from tests.unit.options.daily import build_daily, daily_calls, wants_clean
from tests.unit.options.looked_up import read_facts

_CALLS = tuple(daily_calls())


def test_there_are_enough_of_them() -> None:
    """A hundred and fifty, no two alike."""
    assert len({call for _, call in _CALLS}) == len(_CALLS)
    assert len(_CALLS) >= 150


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the repository, its remote and HOME lie; every test that writes works on a copy."""
    where = tmp_path_factory.mktemp("daily") / "base"
    where.mkdir()
    build_daily(Scratch(where))
    return where


def _run(root: Path, home: Path, found: Classified) -> subprocess.CompletedProcess[bytes]:
    env = {
        **hermetic_environment(home),
        **config_variables(found.config),
        "GIT_EDITOR": ":" if found.editor_accept else "false",
        "GIT_LITERAL_PATHSPECS": "1" if found.pathspecs_literal else "0",
        "GIT_TERMINAL_PROMPT": "0",
    }
    return subprocess.run(
        ["git", *found.argv(trusted=True)],
        cwd=root,
        env=env,
        capture_output=True,
        check=False,
        stdin=subprocess.DEVNULL,
        timeout=60,
    )


@pytest.mark.parametrize(("tier", "call"), _CALLS, ids=lambda part: part if isinstance(part, str) else _line(part))
def test_the_call_passes_and_git_takes_it(tier: Tier, call: Call, base: Path, tmp_path: Path) -> None:
    """It lands in its tier, and git answers by an exit code that is no failure."""
    where = base
    if tier is not Tier.READ:
        where = tmp_path / "copy"
        shutil.copytree(base, where)
    root, env = where / "r", hermetic_environment(where / "home")
    if wants_clean(call):
        subprocess.run(["git", "reset", "-q", "--hard"], cwd=root, env=env, check=True)
    found = classify(call, read_facts(root, call, env))
    assert not isinstance(found, Refusal), found
    assert found.tier is tier
    done = _run(root, where / "home", found)
    assert done.returncode in found.ok_exit_codes, (found.argv(trusted=True), done.stderr)


def _line(call: object) -> str:
    return " ".join((call.subcommand, *call.args)) if isinstance(call, Call) else str(call)
