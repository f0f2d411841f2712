"""`git status --porcelain=v2 --branch -z`: bytes to a Status, as they come (git-status(1), "porcelain format v2").

Records end in NUL and have a fixed number of fields, so a path may hold anything else. A rename's record is followed by
the old path, the new one comes first.
"""

from git_sidecar.git.parse.raw_diff import UnexpectedOutput
from git_sidecar.model.changes import STATUS_LETTERS, ChangeStatus, Conflict
from git_sidecar.model.fingerprint import HeadState
from git_sidecar.model.refs import RepoPath
from git_sidecar.model.status import Status, StatusEntry, SubmoduleState

_INITIAL = "(initial)"
_DETACHED = "(detached)"


class StatusParser:
    """Takes the output in any chunks; memory grows with the entries only."""

    def __init__(self) -> None:
        """Start with nothing read."""
        self._pending = b""
        self._headers: dict[str, str] = {}
        self._entries: list[StatusEntry] = []
        self._conflicts: list[Conflict] = []
        self._untracked: list[RepoPath] = []
        self._ignored: list[RepoPath] = []
        self._renamed: list[bytes] | None = None

    def feed(self, chunk: bytes, /) -> bool:
        """Take the next bytes of git's output; always wants more."""
        *records, self._pending = (self._pending + chunk).split(b"\0")
        for record in records:
            self._take(record)
        return True

    def finish(self) -> Status:
        """The status, once git has ended; UnexpectedOutput where a record is incomplete."""
        if self._pending or self._renamed is not None:
            raise UnexpectedOutput("a status record is incomplete")
        headers = self._headers
        oid = headers.get("branch.oid", _INITIAL)
        branch = headers.get("branch.head", _DETACHED)
        ahead, behind = _parse_distance(headers.get("branch.ab"))
        return Status(
            head=HeadState(None if oid == _INITIAL else oid, None if branch == _DETACHED else branch),
            upstream=headers.get("branch.upstream"),
            ahead=ahead,
            behind=behind,
            stashes=int(headers["stash"]) if "stash" in headers else None,
            entries=tuple(self._entries),
            conflicts=tuple(self._conflicts),
            untracked=tuple(self._untracked),
            ignored=tuple(self._ignored),
        )

    def _take(self, record: bytes) -> None:
        if self._renamed is not None:
            self._entries.append(_parse_entry(self._renamed, old_path=record))
            self._renamed = None
            return
        kind, _, rest = record.partition(b" ")
        match kind:
            case b"1":
                self._entries.append(_parse_entry(_split(rest, 8), old_path=None))
            case b"2":
                self._renamed = _split(rest, 9)
            case b"u":
                fields = _split(rest, 10)
                self._conflicts.append(Conflict(RepoPath.from_bytes(fields[9]), fields[0].decode("ascii")))
            case b"?":
                self._untracked.append(RepoPath.from_bytes(rest))
            case b"!":
                self._ignored.append(RepoPath.from_bytes(rest))
            case b"#":
                name, _, value = rest.decode("utf-8", "surrogateescape").partition(" ")
                self._headers[name] = value
            case _:
                raise UnexpectedOutput(f"not a status record: {record[:80]!r}")


def parse_status(output: bytes) -> Status:
    """The status in git's whole output."""
    parser = StatusParser()
    parser.feed(output)
    return parser.finish()


def _split(fields: bytes, count: int) -> list[bytes]:
    parts = fields.split(b" ", count - 1)
    if len(parts) != count:
        raise UnexpectedOutput(f"a status record lacks fields: {fields[:80]!r}")
    return parts


def _parse_entry(fields: list[bytes], *, old_path: bytes | None) -> StatusEntry:
    code, submodule, head_mode, index_mode, worktree_mode, head_oid, index_oid = (
        field.decode("ascii") for field in fields[:7]
    )
    return StatusEntry(
        path=RepoPath.from_bytes(fields[-1]),
        code=code,
        staged=_meaning(code[0]),
        unstaged=_meaning(code[1]),
        old_path=RepoPath.from_bytes(old_path) if old_path is not None else None,
        submodule=_parse_submodule(submodule),
        head_mode=head_mode,
        index_mode=index_mode,
        worktree_mode=worktree_mode,
        head_oid=head_oid,
        index_oid=index_oid,
    )


def _meaning(letter: str) -> ChangeStatus | None:
    if letter == ".":
        return None
    if letter not in STATUS_LETTERS:
        raise UnexpectedOutput(f"an unknown status letter: {letter!r}")
    return STATUS_LETTERS[letter]


def _parse_submodule(flags: str) -> SubmoduleState | None:
    if flags == "N...":
        return None
    return SubmoduleState(commit_changed="C" in flags, modified="M" in flags, untracked="U" in flags)


def _parse_distance(text: str | None) -> tuple[int | None, int | None]:
    # "+? -?" where the distance was not counted (status.aheadBehind=false).
    if text is None or "?" in text:
        return None, None
    ahead, behind = text.split(" ")
    return int(ahead.removeprefix("+")), int(behind.removeprefix("-"))
