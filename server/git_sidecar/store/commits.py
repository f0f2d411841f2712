"""The commits that a call made, found by comparing the refs before and after it."""

from git_sidecar.store.port import Git
from git_sidecar.store.state import State

_MOST_COMMITS = 1_000
_BRANCHES = "refs/heads/"
_REMOTES = "refs/remotes/"


async def list_made_commits(git: Git, before: State, after: State) -> tuple[str, ...]:
    """Object ids of the commits that HEAD and branches reach now and no ref reached before, oldest first.

    What came from a remote was made elsewhere and is left out. At most _MOST_COMMITS. Raises GitFailed.
    """
    new = {
        ref.object_id for name, ref in after.refs.items() if name.startswith(_BRANCHES) and before.refs.get(name) != ref
    }
    if after.commit is not None and after.commit != before.commit:
        new.add(after.commit)
    known = {ref.object_id for ref in before.refs.values()}
    known |= {ref.object_id for name, ref in after.refs.items() if name.startswith(_REMOTES)}
    known |= {before.commit} if before.commit is not None else set()
    new -= known
    if not new:
        return ()
    revisions = [*sorted(new), *(f"^{object_id}" for object_id in sorted(known))]
    argv = ("rev-list", "--reverse", "--topo-order", f"--max-count={_MOST_COMMITS}", "--stdin")
    listed = await git.read(argv, stdin="\n".join(revisions).encode() + b"\n")
    return tuple(line.decode() for line in listed.split(b"\n") if line)
