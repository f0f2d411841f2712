"""A patch's text to files and hunks, and back (git-diff(1), "generating patch text").

What is inside a hunk is told by the counts of its header, so lines that look like headers do no harm. A text that was
cut is parsed as far as it goes: its last hunk then has fewer lines than its header says.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from git_sidecar.git.parse.names import unquote_name
from git_sidecar.model.patch import FilePatch, Hunk
from git_sidecar.model.refs import InvalidName, RepoPath

_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)", re.DOTALL)
_COMBINED = (b"diff --cc ", b"diff --combined ")
_UNMERGED = b"* Unmerged path "
_OPENINGS = (b"diff --git ", *_COMBINED, _UNMERGED)
_NO_FILE = b"/dev/null"


def parse_patch(patch: bytes) -> list[FilePatch]:
    """The files of a patch with the prefixes a/ and b/; what comes before the first file's header is left out."""
    lines = patch.split(b"\n")
    if lines and not lines[-1]:
        lines.pop()
    return [_parse_file(lines[start:end]) for start, end in _file_ranges(lines)]


def _file_ranges(lines: Sequence[bytes]) -> list[tuple[int, int]]:
    starts = [at for at, line in enumerate(lines) if line.startswith(_OPENINGS)]
    return list(pairwise([*starts, len(lines)]))


def format_patch(files: Iterable[FilePatch]) -> bytes:
    """The text of a patch; each line ends in a line feed. Inverse of `parse_patch`."""
    lines: list[bytes] = []
    for file in files:
        lines += file.header
        for hunk in file.hunks:
            lines.append(format_hunk_header(hunk))
            lines += hunk.lines
    return b"".join(line + b"\n" for line in lines)


def format_hunk_header(hunk: Hunk) -> bytes:
    """The `@@` line of a hunk; git leaves out a count of one."""
    old = _format_range(hunk.old_start, hunk.old_count)
    new = _format_range(hunk.new_start, hunk.new_count)
    return b"@@ -%b +%b @@%b" % (old, new, hunk.heading)


def _format_range(start: int, count: int) -> bytes:
    return b"%d" % start if count == 1 else b"%d,%d" % (start, count)


def _parse_file(lines: Sequence[bytes]) -> FilePatch:
    if not lines[0].startswith(b"diff --git "):
        return _parse_unmerged(lines)
    first_hunk = next((at for at, line in enumerate(lines) if _HUNK.fullmatch(line)), len(lines))
    header = lines[:first_hunk]
    old_path, new_path = _parse_paths(header)
    return FilePatch(
        tuple(header),
        old_path,
        new_path,
        tuple(_parse_hunks(lines[first_hunk:])),
        binary=any(line.startswith((b"Binary files ", b"GIT binary patch")) for line in header),
    )


def _parse_unmerged(lines: Sequence[bytes]) -> FilePatch:
    name = next(lines[0].removeprefix(word) for word in (*_COMBINED, _UNMERGED) if lines[0].startswith(word))
    path = _make_path(unquote_name(name))
    return FilePatch(tuple(lines), path, path, combined=lines[0].startswith(_COMBINED))


def _parse_hunks(lines: Sequence[bytes]) -> list[Hunk]:
    hunks: list[Hunk] = []
    at = 0
    while at < len(lines):
        match = _HUNK.fullmatch(lines[at])
        if match is None:
            # Left over after a cut: it belongs to no hunk whose place is known.
            at += 1
            continue
        old_start, old_count, new_start, new_count = (
            int(match[1]),
            int(match[2] or 1),
            int(match[3]),
            int(match[4] or 1),
        )
        end = _hunk_end(lines, at + 1, old_count, new_count)
        hunks.append(Hunk(old_start, old_count, new_start, new_count, match[5], tuple(lines[at + 1 : end])))
        at = end
    return hunks


def _hunk_end(lines: Sequence[bytes], at: int, old: int, new: int) -> int:
    while at < len(lines) and (old > 0 or new > 0):
        kind = lines[at][:1]
        # An empty line is a context line under diff.suppressBlankEmpty.
        old -= kind in (b" ", b"-", b"")
        new -= kind in (b" ", b"+", b"")
        if kind == b"." and lines[at].startswith(b"... ["):
            # The note of a cut.
            return at
        at += 1
    if at < len(lines) and lines[at].startswith(b"\\"):
        at += 1
    return at


def _make_path(name: bytes) -> RepoPath | None:
    try:
        return RepoPath.from_bytes(name)
    except InvalidName:
        return None


def _parse_side(name: bytes) -> RepoPath | None:
    # git ends a name that holds a blank with a tab, so that patch(1) finds its end.
    name = unquote_name(name.removesuffix(b"\t"))
    return None if name == _NO_FILE else _make_path(name[2:])


def _parse_paths(header: Sequence[bytes]) -> tuple[RepoPath | None, RepoPath | None]:
    old_path = new_path = _same_path(header[0].removeprefix(b"diff --git "))
    for line in header[1:]:
        if line.startswith((b"rename from ", b"copy from ")):
            old_path = _make_path(unquote_name(line.split(b" from ", 1)[1]))
        elif line.startswith((b"rename to ", b"copy to ")):
            new_path = _make_path(unquote_name(line.split(b" to ", 1)[1]))
        elif line.startswith(b"--- "):
            old_path = _parse_side(line[4:])
        elif line.startswith(b"+++ "):
            new_path = _parse_side(line[4:])
        elif line.startswith(b"new file mode "):
            old_path = None
        elif line.startswith(b"deleted file mode "):
            new_path = None
    return old_path, new_path


def _same_path(names: bytes) -> RepoPath | None:
    """The path of `a/NAME b/NAME`: without other lines both names are one, so each is half of the text."""
    half, odd = divmod(len(names) - 1, 2)
    if odd or names[half : half + 1] != b" ":
        return None
    old, new = unquote_name(names[:half]), unquote_name(names[half + 1 :])
    return _make_path(new[2:]) if old[2:] == new[2:] else None
