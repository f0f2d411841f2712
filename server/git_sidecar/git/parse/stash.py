"""Our own `git stash list -z` format; entries are numbered as they come, newest first.

`%gd` is not used for that: with log.date set it holds a date instead of a number.
"""

from git_sidecar.git.parse.dates import parse_iso_date
from git_sidecar.git.parse.raw_diff import UnexpectedOutput
from git_sidecar.model.refs_list import Stash

_FIELDS = ("%H", "%P", "%gs", "%cI")
FORMAT = "--format=tformat:" + "%x00".join(_FIELDS)


def parse_stashes(output: bytes) -> tuple[Stash, ...]:
    """The stash entries in git's whole output."""
    fields = output.decode("utf-8", "replace").split("\0")
    if fields.pop() or len(fields) % len(_FIELDS):
        raise UnexpectedOutput("a stash record is incomplete")
    stashes: list[Stash] = []
    for at in range(0, len(fields), len(_FIELDS)):
        oid, parents, message, date = fields[at : at + len(_FIELDS)]
        stashes.append(
            Stash(
                index=at // len(_FIELDS),
                oid=oid,
                parents=tuple(parents.split(" ")) if parents else (),
                message=message,
                date=parse_iso_date(date),
            )
        )
    return tuple(stashes)
