"""`git-sidecar message`, by hand and as a real prepare-commit-msg hook's work."""

import argparse
from pathlib import Path

import pytest

from git_sidecar.cli.message import Wish, WriteMessage, Written, add_arguments, merge_into, run
from git_sidecar.git.process import Spawner
from git_sidecar.messages.generate import generate
from git_sidecar.messages.result import MessageRequest
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.settings.schema import Settings
from tests.support.opened import open_repository
from tests.support.scratch import ScratchRepo


def parse(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return parser.parse_args(arguments)


def offline(repo: ScratchRepo) -> WriteMessage:
    """The offline generator in a scratch repository, as the composition root puts it together."""

    async def write(wish: Wish) -> Written | Refusal:
        spawner = Spawner(repo.scratch.env)
        try:
            made = await generate(
                MessageRequest(amend=wish.amend, index_file=wish.index_file),
                open_repository(wish.place, spawner),
                Settings.model_validate({}),
                None,
            )
        finally:
            await spawner.close()
        return made if isinstance(made, Refusal) else Written(made.message, made.warnings)

    return write


async def fail(wish: Wish) -> Written | Refusal:
    raise RuntimeError("no such thing")


async def refuse(wish: Wish) -> Written | Refusal:
    return Refusal(RefusalCode.NOTHING_TO_COMMIT, "Nothing is staged.")


@pytest.fixture
def staged(repo: ScratchRepo) -> ScratchRepo:
    repo.commit("feat: begin", **{"a.py": "x = 1\n"})
    repo.write("README.md", "# r\n")
    repo.git("add", "-A")
    return repo


def test_the_message_is_printed(staged: ScratchRepo, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run(parse("--repo", str(staged.root)), offline(staged)) == 0
    assert capfdbinary.readouterr().out == b"docs: add README.md\n"


def test_a_refusal_is_told_and_fails(staged: ScratchRepo, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run(parse("--repo", str(staged.root)), refuse) == 1
    printed = capfdbinary.readouterr()
    assert printed.out == b""
    assert printed.err == b"git-sidecar: Nothing is staged.\n"


def test_the_hook_puts_the_message_above_what_git_wrote(staged: ScratchRepo) -> None:
    file = staged.root / ".git" / "COMMIT_EDITMSG"
    file.write_bytes(b"\n# Please enter the commit message\n#\tcaf\xe9\n")
    assert run(parse("--repo", str(staged.root), "--hook", str(file)), offline(staged)) == 0
    assert file.read_bytes() == b"docs: add README.md\n\n# Please enter the commit message\n#\tcaf\xe9\n"


@pytest.mark.parametrize("source", ["message", "commit", "merge", "squash"])
def test_the_hook_leaves_given_messages_alone(staged: ScratchRepo, source: str) -> None:
    file = staged.root / "m.txt"
    file.write_text("mine\n")
    assert run(parse("--repo", str(staged.root), "--hook", str(file), source), offline(staged)) == 0
    assert file.read_text() == "mine\n"


@pytest.mark.parametrize("write", [fail, refuse])
def test_the_hook_never_keeps_a_commit_from_being_made(
    staged: ScratchRepo, write: WriteMessage, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    file = staged.root / "m.txt"
    file.write_text("# comment\n")
    assert run(parse("--repo", str(staged.root), "--hook", str(file), "template"), write) == 0
    assert file.read_text() == "# comment\n"
    assert capfdbinary.readouterr().err.startswith(b"git-sidecar: ")
    assert run(parse("--repo", str(staged.root), "--hook", str(staged.root / "gone")), offline(staged)) == 0


def test_the_index_that_git_gives_a_hook_is_read(staged: ScratchRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Wish] = []

    async def note(wish: Wish) -> Written | Refusal:
        seen.append(wish)
        return Written("fix: x")

    monkeypatch.chdir(staged.root)
    Path("m.txt").write_text("")
    assert run(parse("--hook", "m.txt"), note, index_file=".git/next-index-1.lock") == 0
    assert seen == [Wish(staged.root, False, staged.root / ".git" / "next-index-1.lock")]
    assert Path("m.txt").read_text() == "fix: x\n"
    assert run(parse(), note, index_file=".git/index") == 0
    assert seen[1].index_file is None


def test_texts_are_merged() -> None:
    assert merge_into("fix: x", "") == "fix: x\n"
    assert merge_into("fix: x", "\n\n# c\n") == "fix: x\n\n# c\n"
