"""A process is alive for as long as it holds its lock, however it ends."""

import os
import subprocess
import sys
from pathlib import Path

from git_sidecar.store.liveness import Liveness

CHILD = """
import sys
from pathlib import Path
from git_sidecar.store.liveness import Liveness
liveness = Liveness(Path(sys.argv[1]))
sys.stdout.write(liveness.token + "\\n")
sys.stdout.flush()
sys.stdin.read()
"""


def test_another_process_is_alive_until_it_is_killed(tmp_path: Path) -> None:
    mine = Liveness(tmp_path)
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ},
    )
    assert child.stdin is not None
    assert child.stdout is not None
    token = child.stdout.readline().decode().strip()
    assert mine.is_alive(token)
    assert mine.is_alive(token)
    child.kill()
    child.wait(30)
    child.stdin.close()
    child.stdout.close()
    assert not mine.is_alive(token)
    assert list(tmp_path.iterdir()) == []
    assert not mine.is_alive(token)


def test_this_process_is_alive_to_itself_and_to_others_until_it_closes(tmp_path: Path) -> None:
    mine, other = Liveness(tmp_path), Liveness(tmp_path)
    token = mine.token
    assert mine.is_alive(token)
    assert other.is_alive(token)
    mine.close()
    assert not other.is_alive(token)
