"""Reports: the protocol itself (stray output, unanswered requests, left-over processes, questions)."""

import time
from collections.abc import Generator
from typing import Any

import pytest

from tests.reports.conftest import PERMISSIVE, Opener
from tests.reports.oracle import at, hook, staged_diff, state
from tests.support.editor import Editor, ServerError, always
from tests.support.processes import Reports, has_ended
from tests.support.scratch import Scratch, ScratchRepo


@pytest.fixture
def changed(repo: ScratchRepo) -> ScratchRepo:
    """One commit, and one staged change."""
    repo.commit(**{"f.txt": "base\n"})
    repo.write("f.txt", "base\n2\n")
    repo.git("add", "-A")
    return repo


@pytest.fixture
def reports(scratch: Scratch) -> Generator[Reports]:
    """The FIFO into which hooks write their process ids."""
    made = Reports(scratch.base / "reports")
    yield made
    made.close()


NOISE = {"warnings": {"PYTHONWARNINGS": "always", "PYTHONDEVMODE": "1"}, "verbose": {"PYTHONVERBOSE": "1"}}


@pytest.mark.parametrize("noise", NOISE)
def test_what_hooks_and_python_print_never_gets_into_the_stream(
    changed: ScratchRepo, open_agreeing: Opener, noise: str
) -> None:
    frame = "Content-Length: 5\\r\\n\\r\\nxxxxx"
    for name in ("pre-commit", "commit-msg", "post-commit"):
        hook(changed, name, f"printf '{frame}'\nprintf '{frame}' >&2")
    # The editor reads every byte up to the end of the stream and fails on one that is in no frame.
    editor = open_agreeing(changed.root, environment=NOISE[noise])
    editor.value("git_commit", workdir=str(changed.root), message="x")
    assert editor.value("git_status", workdir=str(changed.root))["head"] == changed.text("rev-parse", "HEAD")


MALFORMED: tuple[tuple[str, Any, int], ...] = (
    ("git/stagedDiff", [1, 2], -32602),
    ("git/stagedDiff", {"repository": {"a": 1}}, -32602),
    ("git/stagedDiff", {"repository": 7}, -32602),
    ("git/stagedDiff", {"repositry": "r"}, -32602),
    ("git/stagedDiff", {"fileBudget": "many"}, -32602),
    ("git/stagedDiff", {"repository": {"jsonrpc": "2.0"}}, -32602),
    ("tools/call", None, -32602),
    ("tools/call", {"name": 3}, -32602),
    ("git/noSuchMethod", {}, -32601),
)


def test_every_malformed_request_is_answered(changed: ScratchRepo, open_editor: Opener) -> None:
    editor = open_editor(changed.root)
    for method, params, code in MALFORMED:
        with pytest.raises(ServerError) as caught:
            editor.request(method, params, timeout_s=10)
        assert caught.value.code == code, (method, params)
        assert "Traceback" not in str(caught.value)
    # All params are optional, so leaving them out asks for the selected repository.
    assert editor.request("git/stagedDiff", None)["diff"] == staged_diff(changed)


@pytest.mark.parametrize("how", ["shutdown", "stdin closed", "terminated"])
def test_nothing_outlives_the_server(changed: ScratchRepo, open_agreeing: Opener, reports: Reports, how: str) -> None:
    before = state(changed)
    hook(changed, "pre-commit", f"echo $$ > {reports.path}\nexec sleep 300")
    editor = open_agreeing(changed.root)
    arguments = {"workdir": str(changed.root), "message": "x"}
    editor.begin("tools/call", {"name": "git_commit", "arguments": arguments})
    pid = int(reports.next()[0])
    started = time.monotonic()
    if how == "shutdown":
        editor.request("shutdown")
        editor.notify("exit", None)
    elif how == "stdin closed":
        assert editor.process.stdin is not None
        editor.process.stdin.close()
    else:
        editor.process.terminate()
    editor.process.wait(timeout=10)
    assert has_ended(pid, bound_s=5)
    assert time.monotonic() - started < 10
    assert not (changed.root / ".git/index.lock").exists()
    assert state(changed) == before


@pytest.mark.parametrize("listed", [True, False], ids=["listed", "discovered"])
def test_folders_come_and_go(scratch: Scratch, open_editor: Opener, listed: bool) -> None:
    a, b = scratch.repo("a"), scratch.repo("b")
    for repo in (a, b):
        repo.commit(**{"f.txt": "base\n"})
        repo.write("f.txt", f"{repo.root.name} change\n")
        repo.git("add", "-A")
    editor = open_editor(a.root, listed=listed)
    assert refused_names(editor, "b") == ["a"]
    added, removed = ([{"uri": repo.root.as_uri(), "name": repo.root.name}] for repo in (b, a))
    editor.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": added, "removed": removed}})
    if listed:
        editor.scm(b.root)
    assert editor.staged("b")["diff"] == staged_diff(at(scratch, b.root))
    assert refused_names(editor, "a") == ["b"]


def refused_names(editor: Editor, repository: str) -> list[str]:
    """The labels of the candidates of an unknown name."""
    with pytest.raises(ServerError) as caught:
        editor.staged(repository)
    assert caught.value.data["code"] == "unknown_repository"
    return [item["label"] for item in caught.value.data["candidates"]]


def test_unknown_notifications_disturb_nothing(changed: ScratchRepo, scratch: Scratch) -> None:
    document = {"uri": "untitled:Untitled-1", "languageId": "plaintext", "version": 1, "text": ""}
    strange: tuple[tuple[str, Any], ...] = (
        ("$/setTrace", {"value": "verbose"}),
        ("$/cancelRequest", {"id": "never-sent"}),
        ("$/unknown", {"a": [1]}),
        ("textDocument/didOpen", {"textDocument": document}),
        ("x/unknown", {}),
        ("x/unknown", None),
    )
    # An error that the server shows, or an answer to what was no request, fails the editor.
    with Editor(scratch.env) as editor:
        for method, params in strange:
            editor.notify(method, params)
        editor.initialize([changed.root])
        for method, params in strange:
            editor.notify(method, params)
        editor.notify("workspace/didChangeConfiguration", {"settings": {"git": {}}})
        editor.scm(changed.root)
        status = editor.value("git_status", workdir=str(changed.root))
        assert [entry["path"] for entry in status["staged"]] == ["f.txt"]


def test_characters_outside_the_basic_plane(repo: ScratchRepo, open_editor: Opener) -> None:
    # No answer holds a column (wire contract, sections 3 to 5), so no unit can be wrong; the text must be whole.
    repo.commit(**{"f.txt": 'a𐐀b = "😋" # end\n'})
    repo.write("f.txt", 'a𐐀b = "😋" # END\n')
    repo.git("add", "-A")
    editor = open_editor(repo.root)
    assert editor.staged("r")["diff"] == staged_diff(repo)
    blamed = editor.value("git_blame", workdir=str(repo.root), path="f.txt", rev="HEAD")
    assert blamed["lines"][0]["text"] == repo.text("show", "HEAD:f.txt")


def test_the_generator_never_asks(changed: ScratchRepo, open_editor: Opener) -> None:
    editor = open_editor(changed.root, settings={"confirmation": {"write": "ask"}})
    assert editor.staged("r")["diff"] == staged_diff(changed)
    assert editor.staged("r", fileBudget=1000)["diff"] == staged_diff(changed)
    assert editor.questions == []


def test_a_question_names_what_will_run_and_a_refusal_changes_nothing(
    changed: ScratchRepo, open_editor: Opener
) -> None:
    before = state(changed)
    editor = open_editor(changed.root, settings=PERMISSIVE, answer=always("deny"))
    error = editor.error("git_commit", workdir=str(changed.root), message="the message")
    assert error["code"] == "denied_by_user"
    (question,) = editor.questions
    asked = str(question)
    for part in ("r", changed.text("symbolic-ref", "--short", "HEAD"), "the message", "f.txt"):
        assert part in asked
    assert question["command"][:2] == ["git", "commit"]
    assert state(changed) == before
    # Without the model's own `confirm` the tiered tool does not even ask.
    refused = editor.error("git", subcommand="reset", args=["--hard"], repo=str(changed.root), confirm=False)
    assert refused["code"] == "confirm_required"
    assert len(editor.questions) == 1
    assert state(changed) == before


def test_an_answer_serves_one_call_only(changed: ScratchRepo, open_agreeing: Opener) -> None:
    editor = open_agreeing(changed.root)
    where = str(changed.root)
    editor.value("git_commit", workdir=where, message="one")
    changed.write("f.txt", "3\n")
    changed.git("add", "-A")
    editor.value("git_commit", workdir=where, message="two")
    assert [question["name"] for question in editor.questions] == ["git_commit", "git_commit"]
    assert changed.text("log", "-2", "--format=%s") == "two\none"
