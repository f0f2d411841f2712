"""Parts of what a person is shown before a call: names in markdown, and the very diff that is at stake."""

from collections.abc import Sequence

from git_sidecar.git.diff import Sides, read_diff
from git_sidecar.git.index_entries import pathspecs_of
from git_sidecar.model.refs import RepoPath
from git_sidecar.tools.cards import diff_card
from git_sidecar.tools.contract import DiffCard, ToolContext
from git_sidecar.tools.limits import window_limits
from git_sidecar.tools.printable import clipped, printable_line
from git_sidecar.tools.values import make_file

_SHOWN = 20


def quoted(text: str) -> str:
    """A name or a line of text as code in markdown, which nothing in it can end."""
    return f"`{printable_line(text).replace('`', '’')}`"


def quoted_path(path: RepoPath) -> str:
    """A path as code in markdown; bytes that are no text show as U+FFFD."""
    return quoted(path.raw.decode("utf-8", "replace"))


def name_list(paths: Sequence[RepoPath]) -> str:
    """The paths as a markdown list, the first twenty of them."""
    return "\n".join(clipped([f"- {quoted_path(path)}" for path in paths], _SHOWN, "path"))


def short(oid: str | None) -> str:
    """An object id as a person reads it."""
    return "nothing" if oid is None else f"`{oid[:10]}`"


async def read_diff_cards(ctx: ToolContext, sides: Sides, paths: Sequence[RepoPath] = ()) -> tuple[DiffCard, ...]:
    """The card of a diff, as much of it as one page holds; none where there is no difference. Raises GitRefused."""
    # More paths than a command line holds: the whole diff shows them too.
    named = paths if len(pathspecs_of(paths)) == len(paths) else ()
    page = await read_diff(ctx.repository, sides, limits=window_limits(ctx.settings.limits), paths=named)
    return (diff_card(page.text, [make_file(file) for file in page.files]),) if page.files else ()
