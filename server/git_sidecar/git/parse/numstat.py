"""`git diff --numstat -z`: counts per file (git-diff(1)); also after raw records, as `--raw --numstat -z` prints it."""

from dataclasses import dataclass

from git_sidecar.git.parse.raw_diff import UnexpectedOutput
from git_sidecar.model.refs import RepoPath


@dataclass(frozen=True, slots=True)
class FileCounts:
    """Added and deleted lines of one file; None for a binary file, of which git counts none."""

    path: RepoPath
    old_path: RepoPath | None
    additions: int | None
    deletions: int | None


def parse_numstat(output: bytes) -> list[FileCounts]:
    """All records, in git's order; a renamed file's record has an empty path, then old and new path."""
    tokens = output.split(b"\0")
    if tokens.pop():
        raise UnexpectedOutput("a numstat record is incomplete")
    at = 0
    counts: list[FileCounts] = []
    while at < len(tokens):
        fields = tokens[at].split(b"\t", 2)
        if len(fields) != 3:
            raise UnexpectedOutput(f"not a numstat record: {tokens[at][:80]!r}")
        paths = [fields[2]]
        if not fields[2]:
            paths = tokens[at + 1 : at + 3]
            if len(paths) != 2:
                raise UnexpectedOutput("a numstat record lacks its paths")
            at += 2
        counts.append(
            FileCounts(
                RepoPath.from_bytes(paths[-1]),
                RepoPath.from_bytes(paths[0]) if len(paths) == 2 else None,
                _parse_count(fields[0]),
                _parse_count(fields[1]),
            )
        )
        at += 1
    return counts


def _parse_count(field: bytes) -> int | None:
    return None if field == b"-" else int(field)
