"""`git-sidecar message` as people use it: in a terminal, and as git's prepare-commit-msg hook."""

import subprocess
import sys
from pathlib import Path

from tests.support.planning import write_hook
from tests.support.scratch import ScratchRepo

COMMAND = f"{sys.executable} -m git_sidecar message"


def run(repo: ScratchRepo, *args: str, cwd: Path | None = None) -> "subprocess.CompletedProcess[str]":
    """The command's exit code and what it printed."""
    return subprocess.run(
        [sys.executable, "-m", "git_sidecar", "message", *args],
        cwd=cwd or repo.root,
        env=repo.scratch.env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_in_a_terminal(repo: ScratchRepo) -> None:
    repo.commit("first", **{"sub/a.py": "x = 1\n"})
    assert run(repo).returncode == 1
    repo.write("sub/a.py", "x = 1\n\n\ndef double(x):\n    return 2 * x\n")
    repo.git("add", "-A")
    from_root = run(repo)
    assert from_root.returncode == 0, from_root.stderr
    assert "a.py" in from_root.stdout
    assert run(repo, cwd=repo.root / "sub").stdout == from_root.stdout
    assert run(repo, "--repo", str(repo.root / "sub" / "a.py"), cwd=repo.scratch.base).stdout == from_root.stdout


def test_outside_of_a_repository_it_says_so(repo: ScratchRepo) -> None:
    done = run(repo, cwd=repo.scratch.base)
    assert done.returncode == 1
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_as_the_hook_of_a_real_commit(repo: ScratchRepo) -> None:
    repo.commit("first", **{"a.py": "x = 1\n"})
    write_hook(repo, "prepare-commit-msg", f'{COMMAND} --hook "$@"')
    repo.write("b.py", "y = 2\n")
    repo.git("add", "-A")
    repo.git("-c", "core.editor=true", "commit", "-q")
    assert "b.py" in repo.text("log", "-1", "--format=%s")
    repo.write("b.py", "y = 3\n")
    repo.git("commit", "-qam", "my own words")
    assert repo.text("log", "-1", "--format=%s") == "my own words"
