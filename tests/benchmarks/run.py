"""`make bench`: every measurement of the project, as ratios within this one run, as a table and as JSON.

python -m tests.benchmarks.run [NAME …]     names: staged huge start tools
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.benchmarks import samples
from tests.benchmarks.client import LeanClient
from tests.support.scratch import Scratch, ScratchRepo

TRIVIAL = [sys.executable, str(Path(__file__).with_name("trivial_server.py"))]
OUTPUT = Path(__file__).parents[2] / "build" / "bench.json"


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement: ours and the yardstick in milliseconds (or MiB), their ratio, and the ratio aimed for."""

    name: str
    ours: float
    yardstick: float
    ratio: float
    aim: str
    unit: str = "ms"


def alternate(rounds: int, ours: Callable[[], object], theirs: Callable[[], object]) -> tuple[float, float]:
    """Medians in milliseconds, measured in turns, so that a busy machine slows both alike."""
    ours()
    theirs()
    own: list[float] = []
    other: list[float] = []
    for _ in range(rounds):
        for measured, times in ((ours, own), (theirs, other)):
            start = time.perf_counter()
            measured()
            times.append((time.perf_counter() - start) * 1_000)
    return statistics.median(own), statistics.median(other)


def raw_git(repo: ScratchRepo, *args: str) -> Callable[[], object]:
    """git itself, its output read and dropped."""
    return lambda: subprocess.run(
        ["git", *args], cwd=repo.root, env=repo.scratch.env, stdin=subprocess.DEVNULL, capture_output=True, check=True
    )


def compare(name: str, aim: str, rounds: int, ours: Callable[[], object], theirs: Callable[[], object]) -> Row:
    """One row."""
    own, other = alternate(rounds, ours, theirs)
    return Row(name, own, other, own / other, aim)


def bench_staged(scratch: Scratch) -> list[Row]:
    """Warm git/stagedDiff against raw `git diff --cached`."""
    rows: list[Row] = []
    for repo, rounds, aim in ((samples.small(scratch), 300, "≤ 1.5"), (samples.large(scratch), 60, "≤ 1.05")):
        with LeanClient(scratch.env) as client:
            client.initialize(repo.root)
            client.scm(repo.root)
            rows.append(
                compare(
                    f"git/stagedDiff {repo.root.name} ÷ git diff --cached",
                    aim,
                    rounds,
                    lambda client=client: client.request("git/stagedDiff", {}),
                    raw_git(repo, "diff", "--cached"),
                )
            )
    return rows


def bench_huge(scratch: Scratch) -> list[Row]:
    """The 1 GB diff: time against raw git, and the server's peak memory against that on a small diff."""
    little, big = samples.small(scratch), samples.huge(scratch)
    peaks: list[int] = []
    for repo in (little, big):
        with LeanClient(scratch.env) as client:
            client.initialize(repo.root)
            client.scm(repo.root)
            client.request("git/stagedDiff", {})
            if repo is little:
                client.request("git/stagedDiff", {})
            peaks.append(client.peak_kib())
    with LeanClient(scratch.env) as client:
        client.initialize(big.root)
        client.scm(big.root)
        own, other = alternate(
            1,
            lambda: client.request("git/stagedDiff", {}),
            lambda: subprocess.run(
                ["git", "diff", "--cached"],
                cwd=big.root,
                env=scratch.env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                check=True,
            ),
        )
    return [
        Row("git/stagedDiff huge ÷ git diff --cached >/dev/null", own, other, own / other, "—"),
        Row(
            "peak memory: huge − small",
            peaks[1] / 1_024,
            peaks[0] / 1_024,
            (peaks[1] - peaks[0]) / 1_024,
            "≤ 16",
            "MiB",
        ),
    ]


def bench_start(scratch: Scratch) -> list[Row]:
    """From start to the first staged diff, against a trivial pygls server that runs git through asyncio."""
    repo = samples.small(scratch)

    def first_answer(command: Sequence[str], method: str, params: object) -> None:
        with LeanClient(scratch.env, command) as client:
            client.initialize(repo.root)
            client.request(method, params)

    return [
        compare(
            "start to first git/stagedDiff ÷ trivial pygls server",
            "≤ 1.35",
            11,
            lambda: first_answer((), "git/stagedDiff", {}),
            lambda: first_answer(TRIVIAL, "git/stagedDiff", {"root": str(repo.root)}),
        )
    ]


def bench_tools(scratch: Scratch) -> list[Row]:
    """Warm tools against the git command that they stand for."""
    wide, deep = samples.wide(scratch), samples.deep(scratch)
    rows: list[Row] = []
    plans: tuple[tuple[ScratchRepo, str, dict[str, object], tuple[str, ...], str, int], ...] = (
        (wide, "git_status", {}, ("status", "--porcelain=v2", "-z", "--branch"), "≤ 1.1", 15),
        (deep, "git_log", {"count": 50}, ("log", "-50"), "≤ 1.3", 100),
    )
    for repo, tool, arguments, command, aim, rounds in plans:
        with LeanClient(scratch.env) as client:
            client.initialize(repo.root)
            client.scm(repo.root)
            rows.append(
                compare(
                    f"{tool} ÷ git {' '.join(command)}",
                    aim,
                    rounds,
                    lambda client=client, tool=tool, arguments=arguments: client.request(
                        "tools/call", {"name": tool, "arguments": arguments}
                    ),
                    raw_git(repo, *command),
                )
            )
    return rows


GROUPS: dict[str, Callable[[Scratch], list[Row]]] = {
    "staged": bench_staged,
    "start": bench_start,
    "tools": bench_tools,
    "huge": bench_huge,
}


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=[], choices=[[], *GROUPS])
    names = parser.parse_args().names or list(GROUPS)
    rows: list[Row] = []
    print(f"{'what':<62} {'ours':>10} {'yardstick':>10} {'ratio':>7}  aim", flush=True)
    for name in names:
        with tempfile.TemporaryDirectory(prefix="git-sidecar-bench-") as directory:
            for row in GROUPS[name](Scratch(Path(directory).resolve())):
                rows.append(row)
                print(
                    f"{row.name:<62} {row.ours:>7.2f} {row.unit} {row.yardstick:>7.2f} {row.unit} {row.ratio:>7.3f}"
                    f"  {row.aim}",
                    flush=True,
                )
    OUTPUT.parent.mkdir(exist_ok=True)
    OUTPUT.write_text(json.dumps([asdict(row) for row in rows], indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
