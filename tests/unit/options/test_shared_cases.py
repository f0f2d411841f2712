"""The shared calls with the tier that each must fall in, where the case files lie beside the checkout."""

import json
import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from git_sidecar.model.refusal import Refusal
from git_sidecar.options.call import Call, Classified, Facts
from git_sidecar.options.classify import classify
from tests.support.scratch import hermetic_environment
from tests.unit.options.looked_up import read_facts

_FILE = "options_dev.jsonl"
_CHECKOUT = Path(__file__).resolve().parents[3]
_REFUSED = "refuse"
_HARM = ("read", "write", "destructive", "network", _REFUSED)


@dataclass(frozen=True)
class Case:
    """One line of the case file."""

    id: str
    setup: str
    call: Call
    cwd: str
    right: frozenset[str]


def _folder() -> Path | None:
    named = os.environ.get("GIT_SIDECAR_CASES")
    folder = Path(named) if named else _CHECKOUT.parent / "shared" / "cases"
    return folder if named or folder.is_dir() else None


def _read_cases() -> list[Case]:
    folder = _folder()
    if folder is None:
        return []
    lines = (folder / _FILE).read_text(encoding="utf-8").split("\n")
    cases = [_read_case(json.loads(line)) for line in lines if line]
    assert cases, f"{folder / _FILE} holds no case"
    return cases


def _read_case(line: dict[str, Any]) -> Case:
    right = frozenset((line["expected"], *line.get("accept", [])))
    assert right <= frozenset(_HARM), line["id"]
    return Case(
        line["id"], line["setup"], Call(line["subcommand"], tuple(line["args"])), line.get("cwd", "repo"), right
    )


@dataclass
class Repositories:
    """The repositories of the cases, each made once: classifying changes none of them."""

    base: Path
    made: dict[str, Path] = field(default_factory=dict[str, Path])

    def make(self, setup: str) -> Path:
        """The directory in which this set-up was run."""
        if setup not in self.made:
            where = self.base / str(len(self.made))
            where.mkdir()
            env = {**hermetic_environment(where / "home"), "W": str(where)}
            subprocess.run(["bash", "-c", setup], cwd=where, env=env, check=True, capture_output=True, timeout=60)
            self.made[setup] = where
        return self.made[setup]


@pytest.fixture(scope="module")
def repositories(tmp_path_factory: pytest.TempPathFactory) -> Repositories:
    """Where the cases' repositories are made."""
    return Repositories(tmp_path_factory.mktemp("cases"))


@pytest.mark.parametrize("case", _read_cases(), ids=lambda case: case.id)
def test_the_call_falls_in_its_class(case: Case, repositories: Repositories) -> None:
    """With the repository's facts, each call lands in its class or in one that is accepted."""
    where = repositories.make(case.setup)
    call = Call(case.call.subcommand, tuple(arg.replace("$W", str(where)) for arg in case.call.args))
    env = hermetic_environment(where / "home")
    found = classify(call, read_facts(where / case.cwd, call, env))
    assert _class_of(found) in case.right, found


@pytest.mark.parametrize("case", _read_cases(), ids=lambda case: case.id)
def test_without_facts_no_call_falls_lower(case: Case) -> None:
    """Where nothing was looked up, a call may land higher than its class, never lower.

    That a work tree lies elsewhere is the one thing which no argument shows, and which must be looked up.
    """
    found = _class_of(classify(case.call, Facts(work_tree_elsewhere="core.worktree" in case.setup)))
    lowest = min(map(_HARM.index, case.right))
    assert _HARM.index(found) >= lowest


def _class_of(found: Classified | Refusal) -> str:
    if isinstance(found, Refusal):
        return _REFUSED
    return found.tier.value
