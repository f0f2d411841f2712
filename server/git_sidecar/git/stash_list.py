"""The stash (git-stash(1))."""

from git_sidecar.git.errors import GitRefused
from git_sidecar.git.parse.stash import FORMAT, parse_stashes
from git_sidecar.git.repository import Repository
from git_sidecar.model.refs_list import Stash
from git_sidecar.model.refusal import Refusal, RefusalCode

_SHORTEST_OID = 4


async def read_stashes(repository: Repository) -> tuple[Stash, ...]:
    """All stash entries, newest first; none where nothing was stashed. Raises GitRefused."""
    done = await repository.run(("stash", "list", "-z", FORMAT, "--encoding=UTF-8", "--no-show-signature"))
    return parse_stashes(done.stdout)


def find_stash(stashes: tuple[Stash, ...], wanted: str) -> Stash | Refusal:
    """The entry that `wanted` names: an object id or its beginning, an index, or `stash@{n}`."""
    text = wanted.strip().removeprefix("stash@{").removesuffix("}")
    if text.isascii() and text.isdecimal() and len(text) < _SHORTEST_OID:
        matches = [stash for stash in stashes if stash.index == int(text)]
    else:
        matches = [stash for stash in stashes if len(text) >= _SHORTEST_OID and stash.oid.startswith(text.lower())]
    if len(matches) == 1:
        return matches[0]
    return Refusal(
        RefusalCode.REF_NOT_FOUND,
        f"there is no stash entry {wanted!r}; the list has {len(stashes)}",
        "Name it by the object id or index that git_stash lists.",
    )


async def resolve_stash(repository: Repository, wanted: str | None) -> Stash:
    """The entry that is named, the newest for None. Raises GitRefused: `nothing_to_do` (no stash), `ref_not_found`."""
    stashes = await read_stashes(repository)
    if not stashes:
        raise GitRefused(Refusal(RefusalCode.NOTHING_TO_DO, "nothing is stashed"))
    found = stashes[0] if wanted is None else find_stash(stashes, wanted)
    if isinstance(found, Refusal):
        raise GitRefused(found)
    return found
