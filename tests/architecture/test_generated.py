"""Pages that are written from the code are what the code would write now, and links between pages lead somewhere."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from git_sidecar.settings.load import narrow
from git_sidecar.settings.schema import Settings
from scripts.generate_settings import NARROWED

TOP = Path(__file__).parents[2]
PAGES = sorted([*TOP.glob("*.md"), *(TOP / "docs").rglob("*.md"), *(TOP / "client-vscode").glob("*.md")])


def test_the_settings_page_is_fresh() -> None:
    script = TOP / "scripts" / "generate_settings.py"
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout.decode()


@pytest.mark.parametrize("name", ["gitPath", "timeoutMs", "undo.enabled", "commitMessage.baseUrl", "limits.bytes"])
def test_what_the_page_says_of_workspaces_is_so(name: str) -> None:
    group, _, key = name.rpartition(".")
    wish: dict[str, object] = {key: 100_000_000}
    wish = {group: wish} if group else wish
    ignored = narrow(Settings.model_validate({}), wish).ignored
    assert [problem.setting for problem in ignored] == [name]
    assert NARROWED.get(name, "no") in ("no", "only lower")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(TOP).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if "://" not in target and not target.startswith(("#", "command:")):
            assert (page.parent / target.split("#")[0]).exists(), f"{page.name} links to {target}"
