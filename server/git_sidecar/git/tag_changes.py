"""Creating and deleting tags (git-tag(1))."""

from git_sidecar.git.repository import Repository
from git_sidecar.git.writing import run_write
from git_sidecar.model.refs import BranchName

_CONFIG = (("i18n.commitEncoding", "UTF-8"),)


def create_argv(name: BranchName, oid: str, *, annotated: bool, force: bool) -> tuple[str, ...]:
    """The call that creates a tag at an object id; an annotated one takes its message from stdin."""
    forced = ("--force",) if force else ()
    message = ("--annotate", "--cleanup=verbatim", "--file", "-") if annotated else ()
    return ("tag", *forced, *message, "--", name.text, oid)


def delete_argv(name: BranchName) -> tuple[str, ...]:
    """The call that deletes a tag."""
    return ("tag", "--delete", "--", name.text)


async def change_tag(repository: Repository, argv: tuple[str, ...], message: str | None = None) -> None:
    """Run one of the calls above; tag.gpgSign and tag.forceSignAnnotated hold. Raises GitRefused."""
    stdin = message.encode("utf-8") if message is not None else None
    await run_write(repository, argv, stdin=stdin, config=_CONFIG)


async def signs_all_tags(repository: Repository) -> bool:
    """Whether tag.gpgSign is set: git then makes no tag without a message. Raises GitRefused."""
    done = await repository.run(("config", "--type=bool", "--get", "tag.gpgSign"), ok=(0, 1))
    return done.stdout.strip() == b"true"
