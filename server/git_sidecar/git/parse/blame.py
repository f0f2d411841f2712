"""`git blame --porcelain` and `--line-porcelain`: bytes to lines, as they come (git-blame(1), "the porcelain format").

A commit's details are printed once (or before each line); its `filename` again where lines came from several files. A
file's own line stands behind a tab, so it can hold anything but a line feed.
"""

from git_sidecar.git.parse.names import unquote_name
from git_sidecar.git.parse.raw_diff import UnexpectedOutput
from git_sidecar.model.blame import BlamedLine


class BlameParser:
    """Takes the output in any chunks; stops git once it holds `limit_lines` lines or `limit_bytes` of their text."""

    def __init__(self, *, limit_lines: int | None = None, limit_bytes: int | None = None) -> None:
        """Start with nothing read."""
        self.lines: list[BlamedLine] = []
        self.full = False
        """Whether a limit was reached, so that there may be more."""
        self._limit_lines = limit_lines
        self._limit_bytes = limit_bytes
        self._taken_bytes = 0
        self._pending: list[bytes] = []
        self._commits: dict[bytes, dict[bytes, bytes]] = {}
        self._header: list[bytes] | None = None

    def feed(self, chunk: bytes, /) -> bool:
        """Take the next bytes of git's output; False once there is enough."""
        if self.full:
            return False
        first, *rest = chunk.split(b"\n")
        self._pending.append(first)
        if not rest:
            return True
        lines = [b"".join(self._pending), *rest]
        self._pending = [lines.pop()]
        return all(self._take(line) for line in lines)

    def finish(self) -> tuple[BlamedLine, ...]:
        """The lines, once git has ended; UnexpectedOutput where one is incomplete."""
        if not self.full and (any(self._pending) or self._header is not None):
            raise UnexpectedOutput("a blame record is incomplete")
        return tuple(self.lines)

    def _take(self, line: bytes) -> bool:
        if self._header is None:
            self._header = line.split(b" ")
            if len(self._header) not in (3, 4):
                raise UnexpectedOutput(f"not a blame record: {line[:80]!r}")
            self._commits.setdefault(self._header[0], {})
        elif line.startswith(b"\t"):
            self.lines.append(self._finish_line(self._header, line[1:]))
            self._header = None
            self._taken_bytes += len(line)
            self.full = self._limit_lines == len(self.lines) or (
                self._limit_bytes is not None and self._taken_bytes >= self._limit_bytes
            )
        else:
            name, _, value = line.partition(b" ")
            self._commits[self._header[0]][name] = value
        return not self.full

    def _finish_line(self, header: list[bytes], text: bytes) -> BlamedLine:
        oid, details = header[0], self._commits[header[0]]
        return BlamedLine(
            number=int(header[2]),
            text=text,
            commit=oid.decode("ascii") if oid.strip(b"0") else None,
            author=_decode(details.get(b"author", b"")),
            email=_decode(details.get(b"author-mail", b"").removeprefix(b"<").removesuffix(b">")),
            author_time_s=int(details.get(b"author-time", b"0")),
            author_zone=details.get(b"author-tz", b"+0000").decode("ascii", "replace"),
            summary=_decode(details.get(b"summary", b"")),
            boundary=b"boundary" in details,
            origin=unquote_name(details.get(b"filename", b"")),
        )


def parse_blame(output: bytes) -> tuple[BlamedLine, ...]:
    """The lines in git's whole output."""
    parser = BlameParser()
    parser.feed(output)
    return parser.finish()


def _decode(field: bytes) -> str:
    return field.decode("utf-8", "replace")
