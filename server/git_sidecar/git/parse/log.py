"""Our own log format: NUL-ended fields, a fixed number for each commit (git-log(1), "pretty formats").

A commit object's message ends at its first NUL for git, so no field can hold one.
"""

from git_sidecar.git.parse.dates import parse_iso_date
from git_sidecar.git.parse.raw_diff import UnexpectedOutput
from git_sidecar.model.commit import Commit

_FIELDS = ("%H", "%h", "%P", "%an", "%ae", "%aI", "%D", "%s", "%b")

# With -z and the terminator form of --format, the last field's NUL is the one that ends the commit.
FORMAT = "--format=tformat:" + "%x00".join(_FIELDS)


class LogParser:
    """Takes the output of `git log -z` with FORMAT in any chunks; stops git once it holds enough.

    `limit_bytes` bounds what is kept: the commit that passes it is still taken, the next ones are left to a later page.
    """

    def __init__(self, *, limit_bytes: int | None = None) -> None:
        """Start with nothing read."""
        self.commits: list[Commit] = []
        self.full = False
        """Whether `limit_bytes` was reached, so that there may be more."""
        self.invalid_utf8 = False
        self._limit = limit_bytes
        self._taken = 0
        self._pending: list[bytes] = []

    def feed(self, chunk: bytes, /) -> bool:
        """Take the next bytes of git's output; False once there is enough."""
        tokens = chunk.split(b"\0")
        if self._pending:
            tokens[0] = self._pending.pop() + tokens[0]
        fields = self._pending + tokens
        whole = (len(fields) - 1) // len(_FIELDS) * len(_FIELDS)
        for at in range(0, whole, len(_FIELDS)):
            record = fields[at : at + len(_FIELDS)]
            self.commits.append(self._parse(record))
            self._taken += sum(map(len, record))
            if self._limit is not None and self._taken >= self._limit:
                self.full = True
                return False
        self._pending = fields[whole:]
        return True

    def finish(self) -> tuple[Commit, ...]:
        """The commits, once git has ended; UnexpectedOutput where one is incomplete."""
        if not self.full and any(self._pending):
            raise UnexpectedOutput("a log record is incomplete")
        return tuple(self.commits)

    def _decode(self, field: bytes) -> str:
        try:
            return field.decode("utf-8")
        except UnicodeDecodeError:
            self.invalid_utf8 = True
            return field.decode("utf-8", "replace")

    def _parse(self, record: list[bytes]) -> Commit:
        oid, short_oid, parents, author, email, date, refs, subject, body = map(self._decode, record)
        return Commit(
            oid=oid,
            short_oid=short_oid,
            parents=tuple(parents.split(" ")) if parents else (),
            author=author,
            email=email,
            date=parse_iso_date(date),
            refs=tuple(refs.split(", ")) if refs else (),
            subject=subject,
            body=body.removesuffix("\n"),
        )


def parse_log(output: bytes) -> tuple[Commit, ...]:
    """The commits in git's whole output."""
    parser = LogParser()
    parser.feed(output)
    return parser.finish()
