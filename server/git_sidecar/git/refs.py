"""Branches and tags, by one `git for-each-ref` each (git-for-each-ref(1))."""

from git_sidecar.git.parse.refs import BRANCH_FORMAT, TAG_FORMAT, parse_branches, parse_tags
from git_sidecar.git.repository import Repository
from git_sidecar.model.refs_list import Branch, Tag

_LIST_BYTES = 64 * 1024 * 1024


async def read_branches(repository: Repository) -> tuple[Branch, ...]:
    """All local branches by name, each with its upstream and whether that is gone. Raises GitRefused."""
    argv = ("for-each-ref", BRANCH_FORMAT, "--sort=refname", "refs/heads/", "refs/remotes/")
    done = await repository.run(argv, stdout_bytes=_LIST_BYTES)
    return parse_branches(done.stdout)


async def read_tags(repository: Repository) -> tuple[Tag, ...]:
    """All tags by name. Raises GitRefused."""
    argv = ("for-each-ref", TAG_FORMAT, "--sort=refname", "refs/tags/")
    done = await repository.run(argv, stdout_bytes=_LIST_BYTES)
    return parse_tags(done.stdout)
