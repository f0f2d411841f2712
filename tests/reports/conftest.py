"""Editors for the report tests: one server process each, ended and checked when the test ends."""

from collections.abc import Callable, Generator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.support.editor import Editor, always, refuse_to_answer
from tests.support.scratch import Scratch

Opener = Callable[..., Editor]

# Everything that a person can allow; each call is still asked for where the contract says so.
PERMISSIVE: dict[str, Any] = {"allowDestructive": True, "allowPush": True}


def _opener(scratch: Scratch, stack: ExitStack, **defaults: Any) -> Opener:
    def open_one(
        *roots: Path,
        folders: tuple[Path, ...] | None = None,
        listed: bool = True,
        selected: int | None = 0,
        labels: tuple[str | None, ...] = (),
        environment: dict[str, str] | None = None,
        settings: dict[str, Any] | None = None,
        answer: Callable[[dict[str, Any]], str] = defaults["answer"],
        **options: Any,
    ) -> Editor:
        editor = stack.enter_context(Editor({**scratch.env, **(environment or {})}, answer=answer))
        editor.initialize(
            roots if folders is None else folders, settings={**defaults["settings"], **(settings or {})}, **options
        )
        if listed:
            editor.scm(*roots, selected=selected, labels=labels)
        return editor

    return open_one


@pytest.fixture
def open_editor(scratch: Scratch) -> Generator[Opener]:
    """Starts editors on which every question is a failure: `open_editor(root, …, selected=…, labels=…)`.

    The roots are workspace folders (`folders` for others) and the SCM list (`listed=False` for none, so that the
    server discovers); `environment` is added to the server's, the rest goes to `initialize`.
    """
    with ExitStack() as stack:
        yield _opener(scratch, stack, answer=refuse_to_answer, settings={})


@pytest.fixture
def open_agreeing(scratch: Scratch) -> Generator[Opener]:
    """The same with a person who allows every call once, and settings that allow every tier."""
    with ExitStack() as stack:
        yield _opener(scratch, stack, answer=always("allowOnce"), settings=PERMISSIVE)
