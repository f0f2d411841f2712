"""Public bug reports of the class `lsp`, and of `binary-env` where git/stagedDiff meets them, on the real server."""

from pathlib import Path
from typing import Any

import pytest

from tests.protocol.conftest import REAL, Start
from tests.protocol.raw_client import RawClient
from tests.support.scratch import Scratch, ScratchRepo


def staged(scratch: Scratch, name: str, content: str = "base\n", change: str = "2\n") -> ScratchRepo:
    """A repository with a commit and a staged change."""
    repo = scratch.repo(name)
    repo.commit("first commit", **{"f.txt": content})
    repo.write("f.txt", content + change)
    repo.git("add", "-A")
    return repo


def folder(repo: ScratchRepo) -> dict[str, str]:
    """The workspace folder of a repository's root."""
    return {"uri": repo.root.as_uri(), "name": repo.root.name}


def row(repo: ScratchRepo) -> dict[str, Any]:
    """The repository in the editor's list, selected."""
    return {"rootUri": repo.root.as_uri(), "label": repo.root.name, "selected": True}


def diff_of(client: RawClient, name: str) -> str:
    """The staged diff that the server gives."""
    return client.result("git/stagedDiff", {"repository": name})["diff"]


@pytest.mark.parametrize("environment", [{}, {"PYTHONWARNINGS": "always", "PYTHONDEVMODE": "1"}])
def test_ls01_stdout_holds_frames_only(start: Start, scratch: Scratch, environment: dict[str, str]) -> None:
    repo = staged(scratch, "r")
    client = start(REAL, cwd=scratch.base, **environment)
    client.initialize({"repositories": [row(repo)]})

    assert diff_of(client, "r") == repo.git("diff", "--cached").decode()
    assert client.end() == 0


def test_ls02_malformed_requests_are_answered_and_the_next_one_works(real: RawClient, scratch: Scratch) -> None:
    repo = staged(scratch, "r")
    real.initialize({"repositories": [row(repo)]})
    for identifier, params in ((1, None), (2, [1, 2]), (3, {"repository": {"a": 1}})):
        real.send({"jsonrpc": "2.0", "id": identifier, "method": "git/stagedDiff", "params": params})
        assert real.answer(identifier, bound_s=2)["error"]["code"] == -32602

    assert real.request("git/noSuchMethod", {})["error"]["code"] == -32601
    assert diff_of(real, "r") == repo.git("diff", "--cached").decode()


def test_ls06_folders_and_lists_change_while_running(real: RawClient, scratch: Scratch) -> None:
    first, second = staged(scratch, "a", change="a change\n"), staged(scratch, "b", change="b change\n")
    real.initialize({"repositories": [row(first)]}, workspaceFolders=[folder(first)])
    refusal = real.request("git/stagedDiff", {"repository": "b"})["error"]
    assert (refusal["code"], refusal["data"]["code"]) == (1010, "unknown_repository")

    change = {"added": [folder(second)], "removed": [folder(first)]}
    real.notify("workspace/didChangeWorkspaceFolders", {"event": change})
    real.notify("git/didChangeRepositories", {"repositories": [row(second)]})
    assert diff_of(real, "b") == second.git("diff", "--cached").decode()
    refusal = real.request("git/stagedDiff", {"repository": "a"})["error"]["data"]
    assert refusal["code"] == "unknown_repository"
    assert [candidate["label"] for candidate in refusal["candidates"]] == ["b"]


def test_ls06_discovery_follows_the_folders(real: RawClient, scratch: Scratch) -> None:
    first, second = staged(scratch, "a"), staged(scratch, "b")
    real.initialize(workspaceFolders=[folder(first)])
    change = {"added": [folder(second)], "removed": [folder(first)]}
    real.notify("workspace/didChangeWorkspaceFolders", {"event": change})

    (known,) = real.result("git/repositories")["repositories"]
    assert (known["label"], known["source"]) == ("b", "discovered")
    assert diff_of(real, "b") == second.git("diff", "--cached").decode()


def test_ls07_foreign_notifications_raise_no_message(real: RawClient, scratch: Scratch) -> None:
    repo = staged(scratch, "r")
    document = {"uri": "untitled:Untitled-1", "languageId": "plaintext", "version": 1, "text": ""}
    notifications: tuple[tuple[str, Any], ...] = (
        ("workspace/didChangeConfiguration", {"settings": {"git": {}}}),
        ("$/setTrace", {"value": "verbose"}),
        ("$/cancelRequest", {"id": "never-sent"}),
        ("textDocument/didOpen", {"textDocument": document}),
        ("x/unknown", {}),
    )
    for method, params in notifications:
        real.notify(method, params)
    real.initialize({"repositories": [row(repo)]})
    for method, params in notifications:
        real.notify(method, params)

    assert diff_of(real, "r") == repo.git("diff", "--cached").decode()


def test_ls10_text_beyond_the_basic_plane_survives(real: RawClient, scratch: Scratch) -> None:
    repo = staged(scratch, "r", content='a\U00010400b = "\U0001f60b" # end\n', change="é # END\n")
    real.initialize({"repositories": [row(repo)]})

    assert diff_of(real, "r") == repo.git("diff", "--cached").decode()


def test_ls11_the_staged_diff_asks_nobody(real: RawClient, scratch: Scratch) -> None:
    repo = staged(scratch, "r")
    real.initialize({"repositories": [row(repo)], "client": {"confirm": True}})

    assert diff_of(real, "r") == repo.git("diff", "--cached").decode()
    assert real.end() == 0
    assert real.unread() == []


@pytest.mark.parametrize("by_setting", [True, False])
def test_be01_a_missing_git_is_named_and_the_server_lives(start: Start, scratch: Scratch, by_setting: bool) -> None:
    repo = staged(scratch, "r")
    empty = scratch.base / "emptybin"
    empty.mkdir()
    settings = {"settings": {"gitPath": str(empty / "git")}} if by_setting else {}
    client = start(REAL, cwd=scratch.base, **({} if by_setting else {"PATH": str(empty)}))
    result = client.initialize({"repositories": [row(repo)], **settings})

    assert result["capabilities"]["experimental"]["gitSidecar"]["gitVersion"] is None
    for _ in range(2):
        error = client.request("git/stagedDiff", {"repository": "r"})["error"]
        assert error["code"] == 1001
        assert error["data"]["tried"] == [str(empty / "git")]
    assert "Traceback" not in client.stderr_text


def test_be02_a_git_that_is_too_old_is_named(real: RawClient, scratch: Scratch) -> None:
    repo = staged(scratch, "r")
    old = scratch.base / "bin" / "git"
    old.parent.mkdir()
    old.write_text("#!/bin/sh\necho git version 2.17.1\n")
    old.chmod(0o755)
    real.initialize({"repositories": [row(repo)], "settings": {"gitPath": str(old)}})

    error = real.request("git/stagedDiff", {"repository": "r"})["error"]
    assert error["code"] == 1001
    assert "2.17.1" in error["data"]["found"]
    assert "2.23" in error["data"]["needed"]


def test_be08_a_directory_that_is_gone_is_not_a_missing_git(real: RawClient, scratch: Scratch) -> None:
    repo = staged(scratch, "r")
    real.initialize({"repositories": [row(repo)]})
    assert diff_of(real, "r") != ""
    repo.root.rename(scratch.base / "moved")

    error = real.request("git/stagedDiff", {"repository": "r"})["error"]
    assert error["code"] == 1010
    assert str(repo.root) in error["message"]
    Path(scratch.base / "moved").rename(repo.root)
    assert diff_of(real, "r") == repo.git("diff", "--cached").decode()
