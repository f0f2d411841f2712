"""Neovim 0.11, a client that nobody here wrote: it gets a staged diff, and its person is asked before a commit."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from tests.support.scratch import Scratch, ScratchRepo

SCRIPT = Path(__file__).with_name("neovim_client.lua")


def nvim() -> str:
    """The Neovim that the development environment brings."""
    found = shutil.which("nvim", path=str(Path(sys.executable).parent)) or shutil.which("nvim")
    assert found is not None, "Neovim is missing: make test installs it (requirements/dev.txt)"
    return found


def test_neovim_gets_the_staged_diff_and_commits_with_its_persons_leave(scratch: Scratch, repo: ScratchRepo) -> None:
    repo.commit(**{"a.txt": "one\n"})
    repo.write("a.txt", "two\n")
    repo.git("add", "-A")
    expected = repo.git("diff", "--cached").decode()
    done = subprocess.run(
        [nvim(), "--headless", "-u", "NONE", "-i", "NONE", "-n", "-l", str(SCRIPT)],
        env={
            **scratch.env,
            "SIDECAR_ROOT": str(repo.root),
            "SIDECAR_COMMAND": json.dumps([sys.executable, "-m", "git_sidecar", "serve"]),
        },
        cwd=scratch.base,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    answer = json.loads(done.stdout)
    assert answer["staged"]["diff"] == expected
    assert answer["staged"]["repository"]["root"] == str(repo.root)
    assert answer["committed"]["value"]["hash"] == repo.text("rev-parse", "HEAD")
    (question,) = answer["questions"]
    assert [action["title"] for action in question["actions"]] == ["Allow", "Allow in This Session", "Deny"]
    assert "git commit" in question["message"]
    assert repo.text("log", "-1", "--format=%s") == "from Neovim"
