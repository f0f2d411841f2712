"""Scores the offline writer against people: on a repository given by path, or on generated ones.

python -m tests.benchmarks.score_messages [PATH …] [--last N] [--generated] [--verbose]

Each of the last N non-merge commits is staged again in a scratch clone, on its own parent, and the product writes the
message. Measured: how often the type agrees with the person's, where theirs is conventional (goal: 60 %), whether every
message keeps commitlint's conventional rules (100 %), and whether all that is named is in git's own diff (100 %).
"""

import argparse
import asyncio
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from git_sidecar.git.process import Spawner
from git_sidecar.messages.commitlint import CONVENTIONAL, Commitlint
from git_sidecar.messages.conventional import is_conventional, parse_header
from git_sidecar.messages.generate import generate
from git_sidecar.messages.lint import lint_message
from git_sidecar.messages.result import CommitMessage, MessageRequest
from git_sidecar.settings.schema import Settings
from tests.benchmarks.histories import HISTORIES
from tests.support.opened import open_repository
from tests.support.scratch import Scratch, ScratchRepo

_GOAL = 0.6
_SETTINGS = Settings.model_validate({"commitMessage": {"style": "conventional", "provider": "offline"}})
# Every word that the writer can say by itself; whatever else stands in a message has to stand in git's diff.
_OWN_WORDS = frozenset(
    [
        "add",
        "remove",
        "update",
        "rename",
        "move",
        "copy",
        "change",
        "make",
        "bump",
        "set",
        "release",
        "executable",
        "non-executable",
        "submodule",
        "at",
        "from",
        "to",
        "in",
        "and",
        "with",
        "more",
        "others",
        "other",
        "the",
        "root",
        "type",
        "of",
        "files",
        "file",
        "test",
        "documentation",
        "workflow",
        "build",
        "manifests",
        "lock",
        "configuration",
        "assets",
        "dependencies",
        "bytes",
        "version",
        "initial",
        "commit",
    ]
)
_WORD = re.compile(r"[^\s,;:()]+")


@dataclass(slots=True)
class Score:
    """What was counted for one repository."""

    name: str
    commits: int = 0
    typed: int = 0
    agreed: int = 0
    linted: int = 0
    honest: int = 0
    confused: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    faults: list[str] = field(default_factory=list[str])

    def print(self, *, verbose: bool) -> None:
        """One line, and with `verbose` what went wrong."""
        total = max(1, self.commits)
        agreement = f"{self.agreed / self.typed:.0%} of {self.typed}" if self.typed else "not comparable"
        print(
            f"{self.name}: {self.commits} commits, type agrees {agreement}, "
            f"rules kept {self.linted / total:.0%}, names in the change {self.honest / total:.0%}"
        )
        for fault in self.faults:
            print(f"  fault: {fault}")
        for (human, ours), count in self.confused.most_common() if verbose else ():
            print(f"  {count:4} × {human} written as {ours}")

    @property
    def good(self) -> bool:
        """Whether all goals are met; a repository without a conventional commit has no types to miss."""
        return self.agreed >= _GOAL * self.typed and self.linted == self.commits and self.honest == self.commits


def find_unknown(message: str, diff: str) -> list[str]:
    """The words of a message that are neither the writer's own nor in git's diff."""
    body = message.split(": ", 1)[1]
    words = [word.strip("`'\"") for word in _WORD.findall(body)]
    return [
        word
        for word in words
        if word.lower() not in _OWN_WORDS and not re.fullmatch(r"[+\-*]?\d*", word) and word not in diff
    ]


def list_commits(clone: ScratchRepo, last: int) -> list[tuple[str, str]]:
    """The newest commits that are no merges and have a parent: (hash, subject)."""
    log = clone.git("log", "--no-merges", "--min-parents=1", "-z", "--format=%H%x09%s", "HEAD").decode(errors="replace")
    pairs = [record.split("\t", 1) for record in log.split("\0") if "\t" in record]
    return [(commit, subject) for commit, subject in pairs][:last]


async def score_commit(score: Score, clone: ScratchRepo, spawner: Spawner, commit: str, subject: str) -> None:
    """Stage one commit's change on its parent and compare."""
    parent = f"{commit}^"
    clone.git("update-ref", "--no-deref", "HEAD", parent)
    clone.git("read-tree", commit)
    made = await generate(MessageRequest(), open_repository(clone.root, spawner), _SETTINGS, None)
    if not isinstance(made, CommitMessage):
        # A commit that changes nothing.
        return
    diff = clone.git("-c", "core.quotePath=false", "diff", "--raw", "--no-abbrev", "-p", parent, commit)
    human, ours = parse_header(subject).type or "", parse_header(made.subject).type or ""
    score.commits += 1
    if is_conventional(subject):
        score.typed += 1
        score.agreed += human == ours
    if is_conventional(subject) and human != ours:
        score.confused[human, ours] += 1
    broken = [check.rule for check in lint_message(made.message, Commitlint(CONVENTIONAL)) if not check.ok]
    unknown = find_unknown(made.message, diff.decode(errors="replace"))
    score.linted += not broken
    score.honest += not unknown
    if broken or unknown:
        score.faults.append(f"{commit[:9]} {made.subject!r}: {', '.join([*broken, *unknown])}")


async def score_repository(source: Path, name: str, last: int, base: Path) -> Score:
    """Score the repository at `source` in a clone under `base`; the repository itself is only read."""
    scratch = Scratch(base)
    root = base / "clone"
    scratch.run(base, "clone", "-q", "--no-checkout", "--shared", str(source), str(root))
    clone = ScratchRepo(scratch, root)
    score = Score(name)
    spawner = Spawner(scratch.env)
    try:
        for commit, subject in list_commits(clone, last):
            await score_commit(score, clone, spawner, commit, subject)
    finally:
        await spawner.close()
    return score


def build_history(name: str, base: Path) -> Path:
    """A generated repository, made by real commits."""
    repo = Scratch(base).repo(name)
    for step in HISTORIES[name]:
        for path, content in step.files.items():
            if content is None:
                (repo.root / path).unlink()
            else:
                repo.write(path, content)
        repo.git("add", "-A")
        repo.git("commit", "-q", "--allow-empty", "-m", step.subject)
    return repo.root


async def run(paths: Sequence[Path], last: int, *, generated: bool, verbose: bool) -> bool:
    """Score all that is asked for; whether every goal was met."""
    good = True
    with tempfile.TemporaryDirectory() as directory:
        base = Path(directory)
        sources = [(path, path.resolve().name) for path in paths]
        if generated:
            sources += [(build_history(name, base / f"made-{name}"), name) for name in HISTORIES]
        for number, (source, name) in enumerate(sources):
            score = await score_repository(source.resolve(), name, last, base / f"clone-{number}")
            score.print(verbose=verbose)
            good = good and score.good
    return good


def main(arguments: Sequence[str]) -> int:
    """The command; 1 where a goal was missed."""
    parser = argparse.ArgumentParser(prog="score_messages", description=__doc__.split("\n", 1)[0] if __doc__ else "")
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="repositories to score")
    parser.add_argument("--last", type=int, default=200, metavar="N", help="commits to look at (default: 200)")
    parser.add_argument("--generated", action="store_true", help="also score the generated repositories")
    parser.add_argument("--verbose", action="store_true", help="list the types that differ")
    given = parser.parse_args(arguments)
    try:
        good = asyncio.run(run(given.paths, given.last, generated=given.generated, verbose=given.verbose))
    except subprocess.SubprocessError as error:
        print(error, file=sys.stderr)
        return 2
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
