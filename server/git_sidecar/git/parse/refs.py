"""Our own `git for-each-ref` formats: a line a ref, fields separated by NUL, which neither names nor subjects hold."""

from git_sidecar.git.parse.dates import parse_iso_date
from git_sidecar.git.parse.raw_diff import UnexpectedOutput
from git_sidecar.model.refs_list import Branch, Tag

_HEADS = "refs/heads/"
_TAGS = "refs/tags/"

BRANCH_FORMAT = (
    "--format=%(refname)%00%(objectname)%00%(HEAD)%00%(upstream)%00%(upstream:short)%00%(contents:subject)%00"
)
TAG_FORMAT = (
    "--format=%(refname)%00%(objectname)%00%(objecttype)%00%(*objectname)%00%(creatordate:iso8601-strict)%00"
    "%(contents:subject)%00"
)


def _split_records(output: bytes, count: int) -> list[list[str]]:
    """The fields of each line; the last NUL of a line guards against a subject that is cut."""
    records: list[list[str]] = []
    for line in output.split(b"\n"):
        if not line:
            continue
        fields = line.decode("utf-8", "surrogateescape").split("\0")
        if len(fields) != count + 1:
            raise UnexpectedOutput(f"not a ref record: {line[:80]!r}")
        records.append(fields[:-1])
    return records


def parse_branches(output: bytes) -> tuple[Branch, ...]:
    """The local branches in the output of BRANCH_FORMAT over refs/heads and refs/remotes.

    An upstream that is configured but not among the refs is gone; that way no ahead/behind has to be counted for it.
    """
    records = _split_records(output, 6)
    names = {record[0] for record in records}
    return tuple(
        Branch(
            name=name.removeprefix(_HEADS),
            head=oid,
            current=current == "*",
            upstream=_shorten(upstream, short) or None,
            gone=upstream.startswith((_HEADS, "refs/remotes/")) and upstream not in names,
            subject=_clean(subject),
        )
        for name, oid, current, upstream, short, subject in records
        if name.startswith(_HEADS)
    )


def _shorten(upstream: str, short: str) -> str:
    # git shortens no further than it can while names stay unambiguous; for one that is gone it prints nothing.
    return short or upstream.removeprefix("refs/remotes/").removeprefix(_HEADS)


def _clean(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def parse_tags(output: bytes) -> tuple[Tag, ...]:
    """The tags in the output of TAG_FORMAT over refs/tags."""
    tags: list[Tag] = []
    for name, oid, kind, peeled, date, subject in _split_records(output, 6):
        annotated = kind == "tag"
        tags.append(
            Tag(
                name=name.removeprefix(_TAGS),
                oid=oid,
                target=peeled if annotated else oid,
                annotated=annotated,
                date=parse_iso_date(date) or None,
                subject=_clean(subject) if annotated else None,
            )
        )
    return tuple(tags)
