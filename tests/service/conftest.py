"""A repository with work in it, and editors that look at it."""

from collections.abc import Callable, Generator
from contextlib import ExitStack
from typing import Any

import pytest

from tests.support.editor import Editor, refuse_to_answer
from tests.support.scratch import Scratch, ScratchRepo

OpenEditor = Callable[..., Editor]


@pytest.fixture
def work(repo: ScratchRepo) -> ScratchRepo:
    """Two commits, one staged change, one unstaged change, one untracked file."""
    repo.commit("first", **{"a.txt": "one\n", "b.txt": "b\n"})
    repo.commit("second", **{"a.txt": "one\ntwo\n"})
    repo.write("b.txt", "b\nstaged\n")
    repo.git("add", "b.txt")
    repo.write("a.txt", "one\ntwo\nthree\n")
    repo.write("new.txt", "untracked\n")
    return repo


@pytest.fixture
def open_editor(scratch: Scratch, work: ScratchRepo) -> Generator[OpenEditor]:
    """Start servers for the repository; each ends with the test."""
    with ExitStack() as stack:

        def start(
            answer: Callable[[dict[str, Any]], str] = refuse_to_answer,
            *,
            settings: dict[str, Any] | None = None,
            confirm: bool = True,
            **options: Any,
        ) -> Editor:
            editor = stack.enter_context(Editor(scratch.env, answer=answer, confirm=confirm))
            allowed = {"allowDestructive": True, "allowPush": True, **(settings or {})}
            editor.initialize([work.root], settings=allowed, **options)
            editor.scm(work.root)
            return editor

        yield start
