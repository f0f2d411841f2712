"""`git-sidecar message`: prints a commit message for what is staged, or writes it into a hook's file.

As prepare-commit-msg (githooks(5)) it never keeps a commit from being made: whatever fails is said on stderr, and the
file stays as git wrote it.
"""

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from git_sidecar.git.errors import GitUnavailable
from git_sidecar.model.refusal import Refusal

# Where git or the person has given a message already (githooks(5), prepare-commit-msg).
_GIVEN = frozenset({"message", "commit", "merge", "squash"})


@dataclass(frozen=True, slots=True)
class Wish:
    """Whose message is wanted: a path in the repository, whether it amends, and the index that git gave a hook."""

    place: Path
    amend: bool
    index_file: Path | None


@dataclass(frozen=True, slots=True)
class Written:
    """A message, and what a person should know of it."""

    message: str
    warnings: tuple[str, ...] = ()


WriteMessage = Callable[[Wish], Awaitable[Written | Refusal]]
"""Writes a message; handed down by the composition root. May raise GitUnavailable."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the subcommand."""
    parser.add_argument("--repo", type=Path, metavar="PATH", help="a path in the repository (default: here)")
    parser.add_argument("--amend", action="store_true", help="write for the amended commit as a whole")
    parser.add_argument(
        "--hook",
        nargs="+",
        metavar=("FILE", "SOURCE"),
        help="work as prepare-commit-msg: pass on what git passes to the hook",
    )


def merge_into(message: str, prepared: str) -> str:
    """The hook's file with the message above what git, or a template, has put there."""
    rest = prepared.lstrip("\n")
    return f"{message}\n" if not rest else f"{message}\n\n{rest}"


def _say(text: str) -> None:
    sys.stderr.write(f"git-sidecar: {text}\n")


async def _write(write: WriteMessage, wish: Wish) -> Written | Refusal:
    return await write(wish)


def _print_message(write: WriteMessage, wish: Wish) -> int:
    try:
        done = asyncio.run(_write(write, wish))
    except GitUnavailable as error:
        _say(str(error))
        return 1
    if isinstance(done, Refusal):
        _say(done.message + (f" {done.hint}" if done.hint else ""))
        return 1
    for warning in done.warnings:
        _say(warning)
    sys.stdout.buffer.write(f"{done.message}\n".encode())
    sys.stdout.buffer.flush()
    return 0


def _fill_file(write: WriteMessage, wish: Wish, file: Path) -> None:
    done = asyncio.run(_write(write, wish))
    if isinstance(done, Refusal):
        _say(done.message)
        return
    for warning in done.warnings:
        _say(warning)
    prepared = file.read_bytes().decode("utf-8", "surrogateescape")
    file.write_bytes(merge_into(done.message, prepared).encode("utf-8", "surrogateescape"))


def _run_hook(write: WriteMessage, wish: Wish, given: list[str]) -> int:
    """The hook's exit status, which is always that of success."""
    if len(given) > 1 and given[1] in _GIVEN:
        return 0
    try:
        _fill_file(write, wish, Path(given[0]))
    except Exception as error:  # noqa: BLE001 - a commit must not fail because a message could not be written
        _say(f"no message: {error}")
    return 0


def run(arguments: argparse.Namespace, write: WriteMessage, *, index_file: str | None = None) -> int:
    """Do what the arguments ask for and give the exit status. `index_file`: GIT_INDEX_FILE, which a hook is given."""
    hook: list[str] | None = arguments.hook
    place = (arguments.repo or Path.cwd()).absolute()
    index = (Path.cwd() / index_file).absolute() if hook and index_file else None
    wish = Wish(place, bool(arguments.amend), index)
    return _print_message(write, wish) if hook is None else _run_hook(write, wish, hook)
