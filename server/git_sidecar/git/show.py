"""Files and directories as they were at a revision (git-ls-tree(1), git-cat-file(1))."""

import re

from git_sidecar.git.parse.line_window import LineWindow, WindowLimits
from git_sidecar.git.parse.names import parse_names
from git_sidecar.git.repository import Repository
from git_sidecar.model.file_content import FileContent, TreeEntry
from git_sidecar.model.refs import RepoPath

# As git decides it (xdiff-interface.c, buffer_is_binary): a NUL among the first bytes.
_BINARY_PROBE_BYTES = 8_000

_TREE_ENTRY = re.compile(rb"(\d{6}) (\w+) ([0-9a-f]+) +(-|\d+)\t(.*)", re.DOTALL)
_INDEX_ENTRY = re.compile(rb"(\d{6}) ([0-9a-f]+) (\d)\t(.*)", re.DOTALL)
SUBMODULE_KIND = "commit"


async def read_tree_entry(repository: Repository, tree: str, path: RepoPath) -> TreeEntry | None:
    """The entry of `path` in a commit or tree given by object id; None where there is none. Raises GitRefused."""
    argv = ("ls-tree", "-z", "-l", "--full-tree", tree, "--", path.text)
    done = await repository.run(argv)
    for record in done.stdout.split(b"\0"):
        match = _TREE_ENTRY.fullmatch(record)
        if match and match[5] == path.raw:
            size = None if match[4] == b"-" else int(match[4])
            return TreeEntry(match[1].decode("ascii"), match[2].decode("ascii"), match[3].decode("ascii"), size)
    return None


async def read_index_entry(repository: Repository, path: RepoPath, stage: int) -> TreeEntry | None:
    """The entry of `path` in the index at a stage (0, or 1 to 3 of a conflict); None where there is none."""
    done = await repository.run(("ls-files", "-z", "--stage", "--", path.text))
    for record in done.stdout.split(b"\0"):
        match = _INDEX_ENTRY.fullmatch(record)
        if match and match[4] == path.raw and int(match[3]) == stage:
            mode = match[1].decode("ascii")
            return TreeEntry(mode, SUBMODULE_KIND if mode == "160000" else "blob", match[2].decode("ascii"), None)
    return None


async def read_names(repository: Repository, tree: str) -> list[RepoPath]:
    """The names in one tree, given by object id, not those below it."""
    done = await repository.run(("ls-tree", "-z", "--name-only", "--full-tree", tree))
    return parse_names(done.stdout)


class _BlobSink:
    """Keeps the head of a file in lines, and counts the rest."""

    def __init__(self, limits: WindowLimits) -> None:
        self.window = LineWindow(0, limits)
        self.line_feeds = 0
        self._probe = b""
        self._last = b"\n"

    def feed(self, chunk: bytes, /) -> bool:
        if chunk:
            self._probe += chunk[: _BINARY_PROBE_BYTES - len(self._probe)]
            self.line_feeds += chunk.count(b"\n")
            self._last = chunk[-1:]
            self.window.feed(chunk)
        return True

    @property
    def binary(self) -> bool:
        return b"\0" in self._probe

    @property
    def total_lines(self) -> int:
        return self.line_feeds + (self._last != b"\n")


async def read_content(repository: Repository, oid: str, limits: WindowLimits) -> FileContent:
    """The text of a blob, its head where it is longer than `limits`; the stored bytes, no filter or textconv run."""
    sink = _BlobSink(limits)
    await repository.run(("cat-file", "blob", oid), sink=sink)
    sink.window.finish()
    if sink.binary:
        return FileContent("", True, sink.window.total_bytes, 0, 0, 0, False)  # noqa: FBT003 - the fields have names
    lines = sink.window.lines
    return FileContent(
        "".join(line.text for line in lines),
        binary=False,
        size=sink.window.total_bytes,
        total_lines=sink.total_lines,
        shown_lines=len(lines),
        shortened_lines=sum(line.shortened for line in lines),
        invalid_utf8=any(line.invalid_utf8 for line in lines),
    )
