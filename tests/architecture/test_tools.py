"""A tool is one file and one test: what each must have, and that nothing else has to be told of it."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import git_sidecar.tools
from git_sidecar.model.tier import Tier
from git_sidecar.tools.catalogue import TOOLS, find_tool, tool_names
from git_sidecar.tools.contract import ChangingInput, Tool, ToolInput, ToolOutput
from git_sidecar.tools.names import TOOL_NAMES

TESTS = Path(__file__).parent.parent
FILES = sorted(Path(git_sidecar.tools.__file__).parent.glob("git*.py"))
each_file = pytest.mark.parametrize("name", [path.stem for path in FILES])


@each_file
def test_a_file_exports_one_tool_of_its_name(name: str) -> None:
    module = importlib.import_module(f"git_sidecar.tools.{name}")
    exported = [key for key, value in vars(module).items() if isinstance(value, Tool) and not key.startswith("_")]
    assert exported == ["TOOL"]
    assert module.TOOL.name == name
    assert module.__doc__
    assert module.__doc__.startswith(f"{name}: ")


@each_file
def test_a_tool_is_in_the_table(name: str) -> None:
    assert find_tool(name) is importlib.import_module(f"git_sidecar.tools.{name}").TOOL


@each_file
def test_a_tool_has_a_test_and_golden_files(name: str) -> None:
    for path in (
        f"tools/test_{name}.py",
        f"golden/schemas/{name}.json",
        f"golden/values/{name}.json",
        f"golden/renders/{name}.txt",
    ):
        assert (TESTS / path).is_file(), path


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_what_can_change_something_plans_and_presents(tool: Tool[ToolInput, ToolOutput]) -> None:
    reads = tool.tier is Tier.READ
    assert (tool.plan is None) == reads
    assert (tool.present is None) == reads
    # The tiered tool states its own `confirm` and `expected_head`, with the names that callers know it by.
    assert issubclass(tool.input, ChangingInput) == (not reads) or tool.name == "git"


def test_the_table_holds_the_files_in_the_order_of_the_names() -> None:
    assert sorted(tool_names()) == [path.stem for path in FILES]
    assert list(tool_names()) == [name for name in TOOL_NAMES if name in tool_names()]


def test_golden_files_belong_to_tools() -> None:
    found = {path.stem for kind in ("schemas", "values", "renders") for path in (TESTS / "golden" / kind).iterdir()}
    assert found == set(tool_names())


def test_the_generated_page_is_fresh() -> None:
    script = TESTS.parent / "scripts" / "generate_docs.py"
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout.decode()
