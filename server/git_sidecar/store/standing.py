"""Where a worktree stands, read from its files without a git process: HEAD, its ref, the index, the reflog's tail.

The cross-session guard looks before and after every call, so a look must cost microseconds. Sources:
gitrepository-layout(5), gitformat-index(5) (the trailing checksum; zeros under index.skipHash), git-pack-refs(1).
"""

import mmap
import os
import re
from pathlib import Path

from git_sidecar.model.fingerprint import HeadState
from git_sidecar.model.location import Location
from git_sidecar.model.standing import ReflogEntry, Standing

_OBJECT_ID = re.compile(rb"(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")
_SMALL_BYTES = 16_384
_MOST_STAMPS = 1_000
_SYMBOLIC_DEPTH = 5  # refs.c, SYMREF_MAXDEPTH
_BRANCHES = "refs/heads/"
# A SHA-256 checksum is 32 bytes; of a SHA-1 index the 12 bytes before the checksum come along and do no harm.
_TRAILER_BYTES = 32
_SHA1_BYTES = 20
_REFLOG_TAIL_BYTES = 8_192
_REFLOG_LINE = re.compile(
    rb"([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [^\n]*> (-?\d{1,12}) ([+-])(\d\d)(\d\d)(?:\t([^\n]*))?"
)


class StandingReader:
    """Reads standings, and remembers each index's stamp for as long as the file is the same.

    git never writes an index in place: it renames a new file over it, so an equal inode, size and times are an equal
    file.
    """

    def __init__(self) -> None:
        """Remember nothing yet."""
        self._stamps: dict[Path, tuple[tuple[int, int, int, int], str]] = {}

    def read(self, location: Location) -> Standing | None:
        """As read_standing."""
        head = _read_head(location)
        return None if head is None else Standing(head, self.read_index_stamp(location))

    def read_index_stamp(self, location: Location) -> str:
        """As the function of that name, for one look at the file's status where it has not changed."""
        try:
            status = os.stat(f"{location.git_dir}/index")  # noqa: PTH116 - on the warm path of every call
        except (FileNotFoundError, NotADirectoryError):
            return ""
        identity = (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        known = self._stamps.get(location.git_dir)
        if known is not None and known[0] == identity:
            return known[1]
        stamp = read_index_stamp(location)
        if len(self._stamps) >= _MOST_STAMPS:
            self._stamps.clear()
        self._stamps[location.git_dir] = (identity, stamp)
        return stamp


def read_standing(location: Location) -> Standing | None:
    """HEAD and the index's stamp; None where the refs are not files (reftable) or HEAD is not to be made out.

    `staged` is never set: only git can say what is staged.
    """
    head = _read_head(location)
    return None if head is None else Standing(head, read_index_stamp(location))


def read_index_stamp(location: Location) -> str:
    """The index file's trailing checksum in hex, or "" without an index.

    Where git writes no checksum (index.skipHash) size, times and inode take its place: then a refresh looks like a
    change until what is staged has been compared.
    """
    try:
        with (location.git_dir / "index").open("rb", buffering=0) as index:
            status = os.fstat(index.fileno())
            if status.st_size < _TRAILER_BYTES:
                return f"short:{status.st_size:x}:{status.st_mtime_ns:x}"
            index.seek(-_TRAILER_BYTES, os.SEEK_END)
            trailer = index.read(_TRAILER_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        return ""
    if not any(trailer[-_SHA1_BYTES:]):
        return f"stat:{status.st_size:x}:{status.st_mtime_ns:x}:{status.st_ino:x}"
    return trailer.hex()


def read_reflog_tail(location: Location, *, most: int = 20) -> tuple[ReflogEntry, ...]:
    """The last entries of HEAD's reflog, oldest first; empty where there is no reflog or it is not a file."""
    try:
        with (location.git_dir / "logs" / "HEAD").open("rb", buffering=0) as log:
            size = os.fstat(log.fileno()).st_size
            log.seek(max(0, size - _REFLOG_TAIL_BYTES))
            tail = log.read(_REFLOG_TAIL_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        return ()
    lines = tail.split(b"\n")
    # The first line is cut, unless the file was read whole; the last is empty, or still being written.
    whole = lines[:-1] if size <= _REFLOG_TAIL_BYTES else lines[1:-1]
    return tuple(entry for line in whole[-most:] if (entry := parse_reflog_line(line)) is not None)


def parse_reflog_line(line: bytes) -> ReflogEntry | None:
    """One line of a reflog (`old new Name <mail> seconds +zone<TAB>message`); None for what is not one."""
    found = _REFLOG_LINE.fullmatch(line)
    if found is None:
        return None
    old, new, seconds, sign, hours, minutes, message = found.groups()
    offset = int(hours) * 60 + int(minutes)
    return ReflogEntry(
        old=old.decode(),
        new=new.decode(),
        time_s=int(seconds),
        offset_minutes=-offset if sign == b"-" else offset,
        message=(message or b"").decode("utf-8", "replace"),
    )


def _read_head(location: Location) -> HeadState | None:
    target = _read_small(f"{location.git_dir}/HEAD")
    if target is None:
        return None
    if _OBJECT_ID.match(target):
        head_file = location.git_dir / "HEAD"
        if not head_file.is_symlink():
            return HeadState(target.decode(), None)
        # The oldest layout has HEAD as a symbolic link to the branch's file; read through, it looks detached.
        target = f"ref: {head_file.readlink().as_posix()}".encode()
    name = _symbolic_target(target)
    if name is None or name == "refs/heads/.invalid":  # what a reftable repository writes into HEAD
        return None
    for _ in range(_SYMBOLIC_DEPTH):
        value = _read_loose(location, name)
        if value is None:
            return HeadState(_read_packed(f"{location.common_dir}/packed-refs", name), name.removeprefix(_BRANCHES))
        if _OBJECT_ID.match(value):
            return HeadState(value.decode(), name.removeprefix(_BRANCHES))
        next_name = _symbolic_target(value)
        if next_name is None:
            return None
        name = next_name
    return None


def _read_small(path: str) -> bytes | None:
    """A small file's content without its line end; None where it is missing or cannot be read as a file."""
    # Three system calls: a Path and a buffered file cost three times as much, on every call's warm path.
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except OSError:
        return None
    try:
        return os.read(descriptor, _SMALL_BYTES).strip()
    except OSError:
        return None
    finally:
        os.close(descriptor)


def _symbolic_target(value: bytes) -> str | None:
    if not value.startswith(b"ref:"):
        return None
    name = value.removeprefix(b"ref:").strip().decode("utf-8", "surrogateescape")
    # A damaged HEAD must not send us reading elsewhere.
    return name if name.startswith("refs/") and ".." not in name.split("/") else None


def _read_loose(location: Location, name: str) -> bytes | None:
    # These three are each worktree's own, all others are shared (gitrepository-layout(5)).
    own = name.startswith(("refs/bisect/", "refs/worktree/", "refs/rewritten/"))
    return _read_small(f"{location.git_dir if own else location.common_dir}/{name}")


def _read_packed(packed_refs: str, name: str) -> str | None:
    """The object id of a ref in packed-refs: by bisection where its header says that it is sorted."""
    wanted = name.encode("utf-8", "surrogateescape")
    try:
        with open(packed_refs, "rb", buffering=0) as file:  # noqa: PTH123 - on the warm path
            if os.fstat(file.fileno()).st_size <= _SMALL_BYTES:
                return _find_line(file.read(), wanted)
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as packed:
                header = packed.readline()
                if header.startswith(b"#") and b" sorted" in header:
                    return _bisect(packed, len(header), wanted)
                return _find_line(packed, wanted)
    except (FileNotFoundError, NotADirectoryError):
        return None


def _find_line(packed: bytes | mmap.mmap, wanted: bytes) -> str | None:
    at = packed.find(b" " + wanted + b"\n")
    return None if at < 0 else packed[packed.rfind(b"\n", 0, at) + 1 : at].decode()


def _bisect(packed: mmap.mmap, start: int, wanted: bytes) -> str | None:
    low, high = start, len(packed)
    while low < high:
        middle = (low + high) // 2
        line_start = max(packed.rfind(b"\n", start, middle) + 1, start)
        line_end = packed.find(b"\n", middle)
        line_end = high if line_end < 0 else line_end
        # A peeled value (`^…`) belongs to the ref in the line before.
        ref_start = line_start
        while packed[ref_start : ref_start + 1] == b"^":
            ref_start = max(packed.rfind(b"\n", start, ref_start - 1) + 1, start)
        ref_end = packed.find(b"\n", ref_start)
        object_id, _, name = packed[ref_start : ref_end if ref_end >= 0 else len(packed)].partition(b" ")
        if name == wanted:
            return object_id.decode()
        if name < wanted:
            low = line_end + 1
        else:
            high = ref_start
    return None
