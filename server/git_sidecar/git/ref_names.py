"""Short names to full ref names, so that a tag never stands in for the branch that was meant (gitrevisions(7))."""

from collections.abc import Sequence

from git_sidecar.git.repository import Repository

HEADS = "refs/heads/"
TAGS = "refs/tags/"
REMOTES = "refs/remotes/"

# A branch first: git itself would take a tag of the same name.
_PLACES = ("", HEADS, TAGS, REMOTES, "refs/")


async def read_refs(repository: Repository, names: Sequence[str]) -> dict[str, str | None]:
    """The object id that each full ref name holds; None where there is no such ref. Raises GitRefused."""
    if not names:
        return {}
    # for-each-ref takes patterns: a full name is one, and also means what lies below it.
    done = await repository.run(("for-each-ref", "--format=%(refname)%00%(objectname)", *names))
    found: dict[str, str] = {}
    for line in done.stdout.split(b"\n"):
        name, _, oid = line.decode("utf-8", "surrogateescape").partition("\0")
        found[name] = oid
    return {name: found.get(name) for name in names}


async def find_ref(repository: Repository, text: str) -> str | None:
    """The full name of the ref that a revision names, a branch before a tag; None where it names no ref as it is."""
    candidates = [place + text for place in _PLACES if (place + text).startswith("refs/")]
    found = await read_refs(repository, candidates)
    return next((name for name in candidates if found[name] is not None), None)
