"""How the package is put together: which wheels go where, for which platform."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def build_vsix() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_vsix", ROOT / "scripts" / "build_vsix.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_every_locked_package_is_bundled_once(build_vsix: ModuleType) -> None:
    text = (ROOT / "requirements" / "runtime.txt").read_text("utf-8")
    pure, compiled = build_vsix.split_requirements(text)
    locked = sorted(line.split("==")[0] for line in text.split("\n") if "==" in line)
    bundled = sorted(line.split("==")[0] for line in (pure + compiled).split("\n") if "==" in line)
    assert bundled == locked
    assert [line.split("==")[0] for line in compiled.split("\n") if "==" in line] == ["pydantic-core", "pyyaml"]
    assert (pure + compiled).count("--hash=sha256:") == text.count("--hash=sha256:")


@pytest.mark.parametrize(
    ("system", "machine", "target"),
    [
        ("win32", "AMD64", "win32-x64"),
        ("win32", "ARM64", "win32-arm64"),
        ("darwin", "arm64", "darwin-arm64"),
        ("darwin", "x86_64", "darwin-x64"),
    ],
)
def test_the_target_is_named_as_the_editor_names_it(
    build_vsix: ModuleType, monkeypatch: pytest.MonkeyPatch, system: str, machine: str, target: str
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(build_vsix.platform, "machine", lambda: machine)
    assert build_vsix.detect_target() == target
    assert target in build_vsix.TARGETS


def test_a_stand_in_that_does_not_start_is_no_python(
    build_vsix: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    stand_in = tmp_path / "python3.99"
    stand_in.write_text("#!/bin/sh\nexit 127\n", "utf-8")
    stand_in.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert build_vsix.find_python("3.99") is None
    assert build_vsix.find_python(f"3.{sys.version_info.minor}") == sys.executable
