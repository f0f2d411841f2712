"""From what a person or a model writes to an object id (gitrevisions(7), git-rev-parse(1) --verify)."""

from git_sidecar.git.errors import GitRefused
from git_sidecar.git.repository import Repository
from git_sidecar.model.refs import InvalidName, Rev
from git_sidecar.model.refusal import Refusal, RefusalCode

_FAILED = 128


async def resolve_object(repository: Repository, rev: Rev, peel: str = "commit") -> str | None:
    """The object id that a revision names, peeled to a type (`commit`, `tree`, `object`); None where it names none."""
    done = await repository.run(
        ("rev-parse", "--verify", "--quiet", f"{rev.text}^{{{peel}}}"), ok=(0, 1, _FAILED)
    )
    return done.stdout.decode("ascii").strip() if done.code == 0 else None


async def resolve_commit(repository: Repository, text: str) -> str:
    """The commit that a revision names; raises GitRefused where it is no revision or names no commit."""
    try:
        rev = Rev(text)
    except InvalidName as error:
        raise GitRefused(Refusal(RefusalCode.INVALID_ARGUMENTS, str(error))) from error
    commit = await resolve_object(repository, rev)
    if commit is None:
        raise GitRefused(
            Refusal(
                RefusalCode.REF_NOT_FOUND,
                f"{text!r} names no commit in this repository",
                "List what exists with git_branch, git_tag or git_log.",
            )
        )
    return commit


async def names_commit(repository: Repository, text: str, commit: str) -> bool:
    """Whether a revision (full or short id, branch, tag) names this very commit; never raises for a bad one."""
    if text == commit:
        return True
    try:
        rev = Rev(text)
    except InvalidName:
        return False
    return await resolve_object(repository, rev) == commit
