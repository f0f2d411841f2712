"""What git_fetch, git_pull and git_push share: the remote that is meant, their value, what a person is told."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field

from git_sidecar.git.configuration import Configuration, read_configuration
from git_sidecar.git.head_state import read_head
from git_sidecar.git.redact import redact
from git_sidecar.git.remotes import Remote, pick_remote, read_remote, tracking_ref
from git_sidecar.git.repository import Repository
from git_sidecar.git.revisions import look_up_names
from git_sidecar.git.transfer import MovedRef
from git_sidecar.model.refs import BranchName
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.tools.cards import list_card
from git_sidecar.tools.contract import Card, ChangingInput, ListItem, Text, ToolContext, ToolOutput
from git_sidecar.tools.printable import clipped, counted, indented, printable_line

_SHOWN = 100


class TransferInput(ChangingInput):
    """Arguments of a network tool."""

    remote: Text | None = Field(default=None, description="Name of a configured remote; never a URL.")
    branch: Text | None = Field(default=None, description="Short branch name; default: the current branch.")


class RefValue(ToolOutput):
    """A ref that moved, or did not: object ids before and after, null where it does not exist."""

    name: str
    old: str | None
    new: str | None
    result: str


class TransferOutput(ToolOutput):
    """The value of a network tool."""

    remote: str
    url: str
    refs: list[RefValue]


@dataclass(frozen=True, slots=True)
class Route:
    """Where a transfer goes: the remote, the branch, and this repository's word on both."""

    remote: Remote
    branch: str
    configuration: Configuration
    local: str | None
    """The branch's commit here; None where it does not exist."""
    tracking: str | None
    """What the remote's branch was last seen at; None where it was not."""

    @property
    def shown_url(self) -> str:
        """The URL with its password hidden."""
        return redact(self.remote.url)

    def basis(self) -> dict[str, str]:
        """What a yes is bound to: source id, tracking id, resolved URL (wire contract, section 4)."""
        return {"source": self.local or "", "tracking": self.tracking or "", "url": self.remote.url}


async def find_route(args: TransferInput, ctx: ToolContext, *, push: bool) -> Route | Refusal:
    """The remote and branch of a call, by its arguments and the configuration; contacts nobody. Raises GitRefused."""
    head = await read_head(ctx.repository)
    branch = args.branch or head.branch
    if branch is None:
        return Refusal(
            RefusalCode.INVALID_ARGUMENTS, "HEAD is detached, so there is no current branch", "Name the `branch`."
        )
    problem = _check_branch(branch)
    if problem is not None:
        return problem
    configuration = await read_configuration(ctx.repository)
    name = pick_remote(configuration, args.remote, branch, push=push)
    remote = await read_remote(ctx.repository, configuration, name, push=push)
    local, tracking = await look_up_names(ctx.repository, [f"refs/heads/{branch}", tracking_ref(remote, branch)])
    return Route(remote, branch, configuration, local.oid if local else None, tracking.oid if tracking else None)


def _check_branch(name: str) -> Refusal | None:
    if name.startswith("refs/") or not BranchName.accepts(name):
        return Refusal(RefusalCode.INVALID_ARGUMENTS, f"`branch` takes a branch's short name, which {name!r} is not")
    return None


def ref_values(moved: Sequence[MovedRef]) -> list[RefValue]:
    """The refs of a value."""
    return [RefValue(name=ref.name, old=ref.old, new=ref.new, result=ref.result) for ref in moved]


async def count_commits(repository: Repository, *argv: str) -> int:
    """How many commits `git rev-list` finds."""
    done = await repository.run(("rev-list", "--count", *argv))
    return int(done.stdout.decode("ascii").strip() or 0)


def render_transfer(out: TransferOutput, done: str) -> str:
    """What a model reads of a transfer."""
    where = f"{printable_line(out.remote)} ({printable_line(out.url)})"
    if not out.refs:
        return f"{done} {where}: everything was up to date."
    lines = clipped([f"{ref.result} {printable_line(ref.name)} {_move(ref)}" for ref in out.refs], _SHOWN, "ref")
    return "\n".join([f"{done} {where}, {counted(len(out.refs), 'ref')}:", *indented(lines)])


def _move(ref: RefValue) -> str:
    return f"{(ref.old or 'nothing')[:10]} → {(ref.new or 'nothing')[:10]}"


def transfer_cards(out: TransferOutput) -> tuple[Card, ...]:
    """The refs as a list."""
    return (list_card([ListItem(ref.name, ref.result, _move(ref)) for ref in out.refs]),)
