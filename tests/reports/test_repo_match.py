"""Reports: a repository's name matches nothing, or the wrong one (case, URIs, separators, dots, links)."""

from urllib.parse import quote

import pytest

from tests.reports.conftest import Opener
from tests.reports.oracle import staged_diff
from tests.support.editor import Editor, ServerError
from tests.support.scratch import Scratch, ScratchRepo


def make(scratch: Scratch, name: str) -> ScratchRepo:
    """A repository with one staged change that its name can be read from."""
    repo = scratch.repo(name)
    repo.commit(**{"f.txt": "base\n"})
    repo.write("f.txt", f"change in {name}\n")
    repo.git("add", "f.txt")
    return repo


def code_of(editor: Editor, repository: str) -> str:
    """The code with which git/stagedDiff refuses this name."""
    with pytest.raises(ServerError) as caught:
        editor.staged(repository)
    assert "change in" not in str(caught.value.data)
    return caught.value.data["code"]


def test_case_and_trailing_slashes_do_not_hide_the_only_match(scratch: Scratch, open_editor: Opener) -> None:
    repo = make(scratch, "code/Vim")
    editor = open_editor(repo.root, labels=("Vim",))
    expected = staged_diff(repo)
    spellings = ("vim", "VIM", "Vim/", "vim//", f"{scratch.base}/code/vim", f"{repo.root}/", " Vim ", "./Vim")
    assert {name: editor.staged(name)["diff"] for name in spellings} == dict.fromkeys(spellings, expected)


def test_a_file_uri_is_decoded_exactly_once(scratch: Scratch, open_editor: Opener) -> None:
    odd = ("my repo#1 50% ü", "a%20b", "a b", "semi;colon+plus", "question?mark", "日本", "🚀", "at@sign=&,", "100%25")
    repos = {name: make(scratch, name) for name in odd}
    editor = open_editor(*(repo.root for repo in repos.values()), selected=None)
    for name, repo in repos.items():
        path = str(repo.root)
        # Clients differ in what they escape: Python as little as it can, VS Code much, some everything.
        uris = (repo.root.as_uri(), f"file://{quote(path, safe='/')}", f"file://{_escape_all(path)}")
        for written in (*uris, path, name):
            assert editor.staged(written)["diff"] == staged_diff(repo), (name, written)


def _escape_all(path: str) -> str:
    return "".join("/" if byte == 0x2F else f"%{byte:02x}" for byte in path.encode())


def test_exact_case_wins_and_case_blind_matches_are_ambiguous(scratch: Scratch, open_editor: Opener) -> None:
    repos = [make(scratch, name) for name in ("App", "app", "tool/App")]
    editor = open_editor(*(repo.root for repo in repos), labels=("App", "app", "tool"))
    assert editor.staged("app")["diff"] == staged_diff(repos[1])
    assert editor.staged("App")["diff"] == staged_diff(repos[0])
    # Both existing paths mean the very directory, never its namesake.
    for repo in repos:
        assert editor.staged(str(repo.root))["diff"] == staged_diff(repo)
    with pytest.raises(ServerError) as caught:
        editor.staged("APP")
    assert caught.value.data["code"] == "ambiguous_repository"
    assert [(item["label"], item["matches"]) for item in caught.value.data["candidates"]] == [
        ("App", True),
        ("app", True),
        ("tool", False),
    ]


def test_backslashes_doubled_separators_and_leading_dots(scratch: Scratch, open_editor: Opener) -> None:
    core, other = make(scratch, "packages/core"), make(scratch, "packages/core2")
    editor = open_editor(core.root, other.root, folders=(scratch.base,), labels=("packages/core", "packages/core2"))
    expected = staged_diff(core)
    spellings = (
        *(r"packages\core", "packages//core/", "./packages/core", r".\packages\core\\", "packages/./core"),
        *("packages/core2/../core", r"PACKAGES\Core", f"{scratch.base.name}/packages/core"),
    )
    assert {name: editor.staged(name)["diff"] for name in spellings} == dict.fromkeys(spellings, expected)


def test_dots_and_links_lead_to_what_they_name_and_not_out_of_the_list(scratch: Scratch, open_editor: Opener) -> None:
    beta, outside = make(scratch, "w/beta"), make(scratch, "outside")
    (scratch.base / "w/to-beta").symlink_to(beta.root)
    (scratch.base / "w/to-outside").symlink_to(outside.root)
    base = scratch.base
    editor = open_editor(beta.root)
    for name in (f"{base}/w/../w/beta/.", f"{base}/outside/../w/beta", f"{base}/w/to-beta", f"{base}/w/to-beta/f.txt"):
        assert editor.staged(name)["diff"] == staged_diff(beta), name
    for name in (f"{base}/w/beta/../../outside", str(outside.root), f"{base}/w/to-outside", "../../outside", ".."):
        assert code_of(editor, name) == "unknown_repository", name
