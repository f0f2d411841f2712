"""The VS Code client: generated parts are fresh, its own checks pass, and it works in a real VS Code."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
CLIENT = ROOT / "client-vscode"
INSTALL_WITHIN_S = 600
RUN_WITHIN_S = 900


def run(arguments: list[str], *, cwd: Path, within_s: int) -> None:
    done = subprocess.run(
        arguments, cwd=cwd, timeout=within_s, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert done.returncode == 0, done.stdout.decode(errors="replace")


@pytest.fixture(scope="module", autouse=True)
def node_modules() -> None:
    """What npm's lock file names, installed once."""
    if shutil.which("npm") is None:
        pytest.fail("Node 20 with npm is needed to test the VS Code client")
    installed = CLIENT / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < (CLIENT / "package-lock.json").stat().st_mtime:
        run(["npm", "ci"], cwd=CLIENT, within_s=INSTALL_WITHIN_S)


@pytest.mark.timeout(120)
def test_generated_parts_are_fresh() -> None:
    run([sys.executable, "scripts/generate_client.py", "--check"], cwd=ROOT, within_s=100)


@pytest.mark.timeout(INSTALL_WITHIN_S + 300)
def test_types_style_and_units() -> None:
    run(["npm", "run", "--silent", "check"], cwd=CLIENT, within_s=300)
    run(["npm", "run", "--silent", "test:unit"], cwd=CLIENT, within_s=300)


@pytest.mark.editor
@pytest.mark.timeout(INSTALL_WITHIN_S + RUN_WITHIN_S)
def test_in_a_real_editor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_SIDECAR_TEST_PYTHON", os.environ.get("GIT_SIDECAR_TEST_PYTHON", sys.executable))
    run(["npm", "run", "--silent", "test:editor"], cwd=CLIENT, within_s=RUN_WITHIN_S)
