"""The repositories that are measured on: the same content in every run."""

import random

from tests.support.scratch import Scratch, ScratchRepo


def small(scratch: Scratch) -> ScratchRepo:
    """One changed file: a staged diff of about 450 bytes."""
    repo = scratch.repo("small")
    body = [f"line {number} of a small file\n" for number in range(20)]
    repo.commit(**{"a.txt": "".join(body)})
    body[3:5] = ["changed once\n", "changed twice\n", "and added\n"]
    body[15] = "changed further down\n"
    repo.write("a.txt", "".join(body))
    repo.git("add", "-A")
    return repo


def large(scratch: Scratch) -> ScratchRepo:
    """Ten files, every third line changed: a staged diff of about 1.4 MB."""
    repo = scratch.repo("large")
    dice = random.Random(1)
    bodies = {
        f"f{name}.txt": [f"line {number} {dice.random()} text\n" for number in range(2_800)] for name in range(10)
    }
    repo.commit(**{name: "".join(body) for name, body in bodies.items()})
    for name, body in bodies.items():
        body[::3] = [f"changed {dice.random()} hello world\n" for _ in body[::3]]
        repo.write(name, "".join(body))
    repo.git("add", "-A")
    return repo


def huge(scratch: Scratch) -> ScratchRepo:
    """Forty new text files of 25 MB: a staged diff of 1 GB."""
    repo = scratch.repo("huge")
    repo.commit(README="huge\n")
    line = "".join(f"{number:06d} forty files of twenty-five megabytes each\n" for number in range(10_000))
    block = line * (25_000_000 // len(line))
    for number in range(40):
        repo.write(f"big{number:02d}.txt", f"{number}\n{block}")
    repo.git("-c", "core.compression=0", "add", "-A")
    return repo


def wide(scratch: Scratch, files: int = 100_000) -> ScratchRepo:
    """A clean repository of many files, 100 to a directory."""
    repo = scratch.repo("wide")
    for number in range(files):
        directory = repo.root / f"d{number // 10_000}" / f"e{number // 100 % 100}"
        if number % 100 == 0:
            directory.mkdir(parents=True)
        (directory / f"f{number % 100}.txt").write_bytes(b"%d\n" % number)
    repo.git("add", "-A")
    repo.git("commit", "-qm", "many files")
    repo.git("status")
    return repo


def deep(scratch: Scratch, commits: int = 300) -> ScratchRepo:
    """A history of many commits, made by fast-import."""
    repo = scratch.repo("deep")
    stream: list[str] = []
    for number in range(commits):
        message = f"Change number {number}\n\nWith a body of one line.\n"
        stream += [
            "commit refs/heads/main",
            f"author A U Thor <author@example.invalid> {1_700_000_000 + number} +0000",
            f"committer A U Thor <author@example.invalid> {1_700_000_000 + number} +0000",
            f"data {len(message)}\n{message}M 644 inline file.txt",
            f"data {len(str(number)) + 1}\n{number}\n",
        ]
    repo.git("fast-import", "--quiet", stdin="\n".join(stream).encode())
    repo.git("reset", "-q", "--hard")
    return repo
