"""The entries of an index file, parsed (gitformat-index(5), versions 2 to 4). Pure.

Only undoing reads indexes this way, to find which paths differ; what is put back is always the file's own bytes, or
written by git.
"""

import struct
from dataclasses import dataclass, field

_STAT_BYTES = 40
_EXTENDED = 0x4000
_ASSUME_UNCHANGED = 0x8000
_SKIP_WORKTREE = 0x4000
_INTENT_TO_ADD = 0x2000
_PAD = 8


class UnreadableIndex(ValueError):
    """Bytes that are no index of a known version, or one whose entries lie elsewhere (a split index)."""


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """One entry: octal mode, object id, stage (0: merged), and git's flags that a person can set.

    `size` is the work-tree file's when git last looked (the low 32 bits; 0 where git is not sure), and no part of what
    is staged.
    """

    mode: int
    object_id: str
    stage: int
    assume_unchanged: bool = False
    skip_worktree: bool = False
    intent_to_add: bool = False
    size: int = field(default=0, compare=False)

    @property
    def is_flagged(self) -> bool:
        """Whether it carries a flag that no list of entries can give back (git-update-index(1), --index-info)."""
        return self.assume_unchanged or self.skip_worktree or self.intent_to_add


Entries = dict[bytes, tuple[IndexEntry, ...]]
"""By path, as git's bytes; an unmerged path has up to three entries, in the order of their stages."""


def parse_index(raw: bytes, object_format: str) -> Entries:
    """The entries of an index file's bytes; b"" is the index of a repository that has none.

    Raises UnreadableIndex.
    """
    if not raw:
        return {}
    try:
        return _parse(raw, 32 if object_format == "sha256" else 20)
    except (struct.error, IndexError, ValueError) as error:
        raise UnreadableIndex(str(error)) from error


def _parse(raw: bytes, id_bytes: int) -> Entries:
    signature, version, count = struct.unpack_from(">4sII", raw)
    if signature != b"DIRC" or version not in (2, 3, 4):
        raise UnreadableIndex("no index of version 2, 3 or 4")
    entries: Entries = {}
    at = 12
    path = b""
    for _ in range(count):
        start = at
        (mode,) = struct.unpack_from(">I", raw, at + 24)
        (size,) = struct.unpack_from(">I", raw, at + 36)
        object_id = raw[at + _STAT_BYTES : at + _STAT_BYTES + id_bytes].hex()
        at += _STAT_BYTES + id_bytes
        (flags,) = struct.unpack_from(">H", raw, at)
        at += 2
        extended = 0
        if flags & _EXTENDED:
            (extended,) = struct.unpack_from(">H", raw, at)
            at += 2
        if version == 4:
            cut, at = _read_offset(raw, at)
            end = raw.index(b"\0", at)
            path = path[: len(path) - cut] + raw[at:end]
            at = end + 1
        else:
            end = raw.index(b"\0", at)
            path = raw[at:end]
            at = start + (end - start + _PAD) // _PAD * _PAD
        entry = IndexEntry(
            mode,
            object_id,
            (flags >> 12) & 3,
            bool(flags & _ASSUME_UNCHANGED),
            bool(extended & _SKIP_WORKTREE),
            bool(extended & _INTENT_TO_ADD),
            size,
        )
        entries[path] = (*entries.get(path, ()), entry)
    if _has_extension(raw, at, id_bytes, b"link"):
        raise UnreadableIndex("a split index")
    return entries


def _read_offset(raw: bytes, at: int) -> tuple[int, int]:
    """The variable-width number of version 4 (gitformat-pack(5), OFS_DELTA) and where it ends."""
    byte = raw[at]
    value = byte & 0x7F
    while byte & 0x80:
        at += 1
        byte = raw[at]
        value = ((value + 1) << 7) | (byte & 0x7F)
    return value, at + 1


def _has_extension(raw: bytes, at: int, id_bytes: int, wanted: bytes) -> bool:
    while at + 8 <= len(raw) - id_bytes:
        name, size = struct.unpack_from(">4sI", raw, at)
        if name == wanted:
            return True
        at += 8 + size
    return False
