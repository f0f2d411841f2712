"""Staging by hunks and lines, against git itself: parts add up to the whole, and a part is exactly what was chosen."""

import asyncio
import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from git_sidecar.git.parse.selection import LineRange, Selection, select_part, split_lines
from git_sidecar.model.patch import Hunk
from tests.support.scratch import Scratch, ScratchRepo
from tests.support.toolbox import Toolbox

LONG = bool(os.environ.get("GIT_SIDECAR_LONG"))
EXAMPLES = 300 if LONG else 12
PURE_EXAMPLES = 2_000 if LONG else 200

# Line ends of both kinds, look-alikes of line ends, bytes that are no UTF-8.
_LINES = st.sampled_from(
    [b"a", b"b", b"c", b"", b"x\r", b"\xff\xfe", b"f\x0cg", "\u2028".encode(), b"+", b"-- ", b"\\ No"]
)


@st.composite
def contents(draw: st.DrawFn, most: int = 30) -> bytes:
    """A file of few different lines, so that diffs have many hunks; its last line end may be missing."""
    lines = draw(st.lists(_LINES, max_size=most))
    end = b"\n" if not lines or draw(st.booleans()) else b""
    return b"\n".join(lines) + (end if lines else b"")


@st.composite
def edits(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """A file and an edited version of it, with room between the edits."""
    old = draw(contents(60))
    lines = split_lines(old)
    for _ in range(draw(st.integers(1, 5))):
        at = draw(st.integers(0, len(lines)))
        gone = draw(st.integers(0, 4))
        come = [line + b"\n" for line in draw(st.lists(_LINES, max_size=4))]
        lines[at : at + gone] = come
    new = b"".join(line if line.endswith(b"\n") else line + b"\n" for line in lines)
    return old, new.removesuffix(b"\n") if draw(st.booleans()) else new


class World:
    """A scratch repository and its tools, made anew for each example."""

    def __init__(self, directory: str) -> None:
        self.repo: ScratchRepo = Scratch(Path(directory)).repo()
        self.toolbox = Toolbox(self.repo)

    def set_up(self, old: bytes, new: bytes) -> None:
        """The old content committed (none for a new file), the new one in the work tree."""
        self.repo.git("config", "core.autocrlf", "false")
        self.repo.commit("base", other="x\n")
        if old:
            self.repo.write("f", old)
            self.repo.commit("old")
        self.repo.write("f", new)

    def index(self) -> bytes | None:
        """The file's content in the index; None where it has no entry."""
        listed = self.repo.git("ls-files", "-s", "--", "f")
        return self.repo.git("cat-file", "blob", listed.split()[1].decode()) if listed else None

    def hunks(self) -> int:
        """How many hunks git itself shows."""
        patch = self.repo.git("diff", "--text", "--no-color", "--", "f")
        return sum(line.startswith(b"@@ ") for line in patch.split(b"\n"))

    async def stage(self, **part: Any) -> None:
        """Stage a part of the file."""
        answer = await self.toolbox.call("git_add", patch=[{"path": "f", **part}])
        assert answer.refusal is None, answer.refusal


@settings(max_examples=EXAMPLES, deadline=None)
@given(edits())
def test_all_hunks_one_by_one_are_the_whole_file(edit: tuple[bytes, bytes]) -> None:
    old, new = edit
    if old == new or not old:
        return

    async def play(world: World) -> None:
        world.set_up(old, new)
        counted = 0
        while world.hunks():
            # What is left shrinks with every hunk, so this ends.
            await world.stage(hunks=[world.hunks() - 1 if counted % 2 else 0])
            counted += 1
            assert counted < 100
        assert world.index() == new
        assert world.repo.text("status", "--porcelain") == "M  f"
        await world.toolbox.close()

    _play(play)


@settings(max_examples=EXAMPLES, deadline=None)
@given(edits(), st.data())
def test_one_hunk_is_what_git_apply_makes_of_it(edit: tuple[bytes, bytes], data: st.DataObject) -> None:
    old, new = edit
    if old == new or not old:
        return

    async def play(world: World) -> None:
        world.set_up(old, new)
        count = world.hunks()
        if not count:
            return
        number = data.draw(st.integers(0, count - 1))
        expected = _apply_one_hunk(world.repo, number)
        await world.stage(hunks=[number])
        assert world.index() == expected
        await world.toolbox.call("git_add", paths=["f"])
        assert world.index() == new
        await world.toolbox.close()

    _play(play)


@settings(max_examples=EXAMPLES, deadline=None)
@given(contents(), st.data())
def test_lines_of_a_new_file_are_those_lines(content: bytes, data: st.DataObject) -> None:
    lines = split_lines(content)
    if not lines or b"\0" in content:
        return
    start = data.draw(st.integers(1, len(lines)))
    end = data.draw(st.integers(start, len(lines)))

    async def play(world: World) -> None:
        world.set_up(b"", content)
        await world.stage(lines=[{"start": start, "end": end}])
        assert world.index() == b"".join(lines[start - 1 : end])
        await world.toolbox.close()

    _play(play)


def _play(play: Any) -> None:
    with tempfile.TemporaryDirectory() as directory:
        asyncio.run(play(World(directory)))


def _apply_one_hunk(repo: ScratchRepo, number: int) -> bytes:
    """What `git apply` makes of the committed file and one hunk of git's own diff."""
    patch = repo.git("diff", "--text", "--no-color", "--", "f")
    head, *hunks = patch.split(b"\n@@ ")
    one = head + b"\n@@ " + hunks[number]
    one = one if one.endswith(b"\n") else one + b"\n"
    place = repo.scratch.base / "apply"
    place.mkdir()
    (place / "f").write_bytes(repo.git("cat-file", "blob", "HEAD:f"))
    done = subprocess.run(
        ["git", "apply", "--unsafe-paths", "--whitespace=nowarn", "-"],
        cwd=place,
        env=repo.scratch.env,
        input=one,
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return (place / "f").read_bytes()


@settings(max_examples=PURE_EXAMPLES, deadline=None)
@given(contents(), contents(), st.data())
def test_lines_of_a_rewritten_file_stay_in_order(old: bytes, new: bytes, data: st.DataObject) -> None:
    """One hunk that replaces all: line n of the new side takes the place of line n of the old one."""
    before, after = split_lines(old), split_lines(new)
    chosen = data.draw(st.sets(st.integers(1, max(1, len(after)))))
    chosen = {number for number in chosen if number <= len(after)}
    hunk = _whole_hunk(before, after)
    selection = Selection(lines=tuple(LineRange(number, number) for number in sorted(chosen)))
    if not before and not after:
        return
    part = select_part(old, [hunk], selection)
    expected: list[bytes] = []
    for at in range(max(len(before), len(after))):
        taken = at + 1 in chosen
        if at >= len(after):
            # Old lines that are over go with the gap they leave, which lies after the last new line.
            taken = len(after) in chosen
        line = (after[at] if at < len(after) else None) if taken else (before[at] if at < len(before) else None)
        if line is not None:
            expected.append(line)
    text = b"".join(line if line.endswith(b"\n") else line + b"\n" for line in expected[:-1]) + b"".join(expected[-1:])
    assert part.content == text


def _whole_hunk(before: Sequence[bytes], after: Sequence[bytes]) -> Hunk:
    lines: list[bytes] = []
    for sign, side in ((b"-", before), (b"+", after)):
        for line in side:
            lines.append(sign + line.removesuffix(b"\n"))
            if not line.endswith(b"\n"):
                lines.append(b"\\ No newline at end of file")
    return Hunk(
        old_start=1 if before else 0,
        old_count=len(before),
        new_start=1 if after else 0,
        new_count=len(after),
        heading=b"",
        lines=tuple(lines),
    )
