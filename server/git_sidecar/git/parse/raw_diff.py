"""`git diff --raw -z --no-abbrev`: bytes to RawChange records (git-diff(1), "raw output format")."""

from git_sidecar.model.changes import STATUS_LETTERS, ChangeStatus, RawChange
from git_sidecar.model.refs import RepoPath


class UnexpectedOutput(ValueError):
    """git printed something that its documentation does not describe."""


class RawRecords:
    """Takes the records as they come; ends at the empty token that separates them from a patch."""

    def __init__(self) -> None:
        """Start with nothing read."""
        self.changes: list[RawChange] = []
        self.raw = bytearray()
        """The very bytes of all records, whose SHA-256 identifies what is staged."""
        self._pending = b""
        self._done = False

    def feed(self, data: bytes) -> bytes | None:
        """Take more output; None while records may follow, else what comes after their end."""
        data = self._pending + data
        at = 0
        while True:
            if data[at : at + 1] == b"\0":
                self._keep(data[:at])
                self._pending = b""
                self._done = True
                return data[at + 1 :]
            end = _record_end(data, at)
            if end < 0:
                self._keep(data[:at])
                self._pending = data[at:]
                return None
            self.changes.append(_parse_record(data[at:end]))
            at = end

    def _keep(self, raw: bytes) -> None:
        self.raw += raw

    def finish(self) -> None:
        """Check that no record was left half read."""
        if self._pending:
            raise UnexpectedOutput("a raw diff record is incomplete")


def _record_end(data: bytes, start: int) -> int:
    """The index after the record that begins at `start`; -1 where it is not complete yet."""
    meta_end = data.find(b"\0", start)
    if meta_end < 0:
        return -1
    path_end = data.find(b"\0", meta_end + 1)
    two_paths = data[start:meta_end].rsplit(b" ", 1)[-1][:1] in (b"R", b"C")
    if path_end >= 0 and two_paths:
        path_end = data.find(b"\0", path_end + 1)
    return path_end + 1 if path_end >= 0 else -1


def _parse_record(record: bytes) -> RawChange:
    meta, *paths = record[:-1].split(b"\0")
    fields = meta.decode("ascii").split(" ")
    if fields[0].startswith("::"):
        return _parse_combined(fields, paths)
    if len(fields) != 5 or not fields[0].startswith(":"):
        raise UnexpectedOutput(f"not a raw diff record: {meta[:80]!r}")
    old_mode, new_mode, old_oid, new_oid, status = fields
    letter = STATUS_LETTERS.get(status[0], ChangeStatus.MODIFIED)
    return RawChange(
        status=letter,
        path=RepoPath.from_bytes(paths[-1]),
        old_path=RepoPath.from_bytes(paths[0]) if len(paths) == 2 else None,
        old_mode=old_mode.removeprefix(":"),
        new_mode=new_mode,
        old_oid=old_oid,
        new_oid=new_oid,
    )


def _parse_combined(fields: list[str], paths: list[bytes]) -> RawChange:
    """A record of an unmerged path, one side a colon: their modes and object ids, then those of the result."""
    sides = len(fields[0]) - len(fields[0].lstrip(":"))
    if len(fields) != 2 * sides + 3:
        raise UnexpectedOutput(f"not a combined raw diff record: {fields!r}")
    return RawChange(
        status=ChangeStatus.UNMERGED,
        path=RepoPath.from_bytes(paths[-1]),
        old_path=None,
        old_mode=fields[0].lstrip(":"),
        new_mode=fields[sides],
        old_oid=fields[sides + 1],
        new_oid=fields[2 * sides + 1],
    )


def parse_raw_records(output: bytes) -> list[RawChange]:
    """All records of a raw diff that is followed by nothing."""
    records = RawRecords()
    if records.feed(output) is not None:
        raise UnexpectedOutput("something follows the raw diff records")
    records.finish()
    return records.changes
