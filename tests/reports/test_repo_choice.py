"""Reports: the wrong repository is read (nested ones, submodules, worktrees, equal names, no argument)."""

from typing import Any

import pytest

from tests.reports.conftest import Opener
from tests.reports.oracle import at, complaint, names, staged_diff, staged_names, told
from tests.support.editor import Editor, ServerError
from tests.support.scratch import Scratch, ScratchRepo


def make(scratch: Scratch, name: str, change: str | None = None) -> ScratchRepo:
    """A repository with one commit and, if told, one staged change that its name can be read from."""
    repo = scratch.repo(name)
    repo.commit(**{"f.txt": f"{name} base\n"})
    if change:
        stage(repo, change)
    return repo


def stage(repo: ScratchRepo, text: str) -> None:
    """Append a line to f.txt and stage it."""
    with (repo.root / "f.txt").open("a") as file:
        file.write(f"{text}\n")
    repo.git("add", "f.txt")


def refused(editor: Editor, **params: Any) -> dict[str, Any]:
    """The refusal with which git/stagedDiff answers."""
    with pytest.raises(ServerError) as caught:
        editor.request("git/stagedDiff", params)
    assert caught.value.code == 1010
    return caught.value.data


@pytest.mark.parametrize("listed", [True, False], ids=["listed", "discovered"])
def test_each_of_several_nested_repositories_is_read_by_its_name(
    scratch: Scratch, open_editor: Opener, listed: bool
) -> None:
    nested = ("top", "top/sub1", "top/sub2", "top/sub2/deep")
    repos = {name: make(scratch, name) for name in nested}
    for name in ("top", "top/sub2", "top/sub2/deep"):
        stage(repos[name], f"change of {name}")
    editor = open_editor(
        *(repo.root for repo in repos.values()), folders=(repos["top"].root,), listed=listed, labels=nested
    )
    assert {name: editor.staged(name)["diff"] for name in nested} == {
        name: staged_diff(repo) for name, repo in repos.items()
    }
    assert editor.staged("top/sub1")["diff"] == ""


@pytest.mark.parametrize("listed", [True, False], ids=["listed", "discovered"])
def test_a_submodule_and_its_superproject_are_two_repositories(
    scratch: Scratch, open_editor: Opener, listed: bool
) -> None:
    inner = make(scratch, "inner")
    middle = make(scratch, "middle")
    middle.git("submodule", "--quiet", "add", str(inner.root), "dep")
    middle.commit("with dep")
    top = scratch.repo("super")
    top.git("submodule", "--quiet", "add", str(middle.root), "vendor/lib")
    top.commit("with vendor/lib")
    top.git("submodule", "--quiet", "update", "--init", "--recursive")
    lib, dep = at(scratch, top.root / "vendor/lib"), at(scratch, top.root / "vendor/lib/dep")
    stage(lib, "inside the submodule")
    stage(dep, "inside its submodule")
    editor = open_editor(
        *(top.root, lib.root, dep.root), folders=(top.root,), listed=listed, settings={"discovery": {"depth": 3}}
    )
    for repo in (lib, dep):
        expected = staged_diff(repo)
        assert "inside" in expected
        for name in (f"super/{repo.root.relative_to(top.root)}", str(repo.root), repo.root.as_uri()):
            assert editor.staged(name)["diff"] == expected, name
    # The superproject's index does not know of it yet.
    assert editor.staged("super")["diff"] == staged_diff(top) == ""


def test_a_repository_that_is_not_listed_is_not_taken_for_the_one_around_it(
    scratch: Scratch, open_editor: Opener
) -> None:
    outer, inner = make(scratch, "outer", "outer change"), make(scratch, "outer/vendor/inner", "inner change")
    editor = open_editor(outer.root, folders=(outer.root,))
    for name in ("outer/vendor/inner", "vendor/inner", "vendor/inner/f.txt", str(inner.root)):
        assert refused(editor, repository=name)["code"] == "unknown_repository", name
    assert editor.error("git_status", workdir=str(inner.root))["code"] == "unknown_repository"
    assert editor.staged("vendor")["diff"] == staged_diff(outer)


@pytest.mark.parametrize("place", ["beside", "main/.worktrees/inside"])
def test_a_linked_worktree_is_read_and_not_the_main_checkout(scratch: Scratch, open_editor: Opener, place: str) -> None:
    main = make(scratch, "main")
    root = scratch.base / place
    main.git("worktree", "add", "-q", "-b", "feature", str(root))
    worktree = at(scratch, root)
    stage(worktree, "worktree change")
    editor = open_editor(main.root, root)
    for name in (root.name, str(root)):
        assert editor.staged(name)["diff"] == staged_diff(worktree) != ""
    assert editor.staged("main")["diff"] == staged_diff(main) == ""
    assert editor.staged(root.name)["fingerprint"]["branch"] == worktree.text("branch", "--show-current")
    status = editor.value("git_status", workdir=str(root))
    assert (status["branch"], [entry["path"] for entry in status["staged"]]) == ("feature", ["f.txt"])


def test_without_an_argument_the_selected_repository_is_read(scratch: Scratch, open_editor: Opener) -> None:
    repos = [make(scratch, name, f"{name} change") for name in ("frontend", "backend", "infra")]
    roots = [repo.root for repo in repos]
    editor = open_editor(*roots)
    for selected, repo in enumerate(repos):
        editor.scm(*roots, selected=selected)
        expected = staged_diff(repo)
        assert f"{repo.root.name} change" in expected
        for params in ({}, {"repository": None}, {"repository": ""}, {"repository": " \t"}):
            assert editor.request("git/stagedDiff", params)["diff"] == expected, (selected, params)


def test_without_an_argument_and_a_selection_nothing_is_guessed(scratch: Scratch, open_editor: Opener) -> None:
    repos = [make(scratch, name, "change") for name in ("b", "a")]
    refusal = refused(open_editor(*(repo.root for repo in repos), selected=None))
    assert refusal["code"] == "no_repository_selected"
    assert [item["root"] for item in refusal["candidates"]] == [str(repo.root) for repo in repos]


def test_equal_names_are_told_apart_by_path_and_never_guessed(scratch: Scratch, open_editor: Opener) -> None:
    first, second = (make(scratch, f"{owner}/angular", f"{owner} change") for owner in ("uirouter", "ng"))
    other = make(scratch, "other", "other change")
    editor = open_editor(first.root, second.root, other.root, labels=("angular", "angular"))
    for repo in (first, second):
        for name in (str(repo.root), repo.root.as_uri(), f"{repo.root}/"):
            assert editor.staged(name)["diff"] == staged_diff(repo), name
    refusal = refused(editor, repository="angular")
    assert refusal["code"] == "ambiguous_repository"
    assert [(item["root"], item["matches"]) for item in refusal["candidates"]] == [
        (str(first.root), True),
        (str(second.root), True),
        (str(other.root), False),
    ]


def test_a_label_beats_the_folder_name_of_another_repository(scratch: Scratch, open_editor: Opener) -> None:
    x, y = make(scratch, "x/engine", "x change"), make(scratch, "y/core", "y change")
    editor = open_editor(x.root, y.root, labels=("core", "engine"))
    assert editor.staged("core")["diff"] == staged_diff(x)
    assert editor.staged("engine")["diff"] == staged_diff(y)


def test_results_are_relative_to_the_root_and_arguments_to_the_workdir(
    scratch: Scratch, repo: ScratchRepo, open_editor: Opener
) -> None:
    repo.commit(**{"a.txt": "root\n", "pkg/a.txt": "a\n", "lib/b.txt": "b\n"})
    for path in ("pkg/a.txt", "lib/b.txt"):
        repo.write(path, "changed\n")
    repo.git("add", "-A")
    expected = staged_names(repo)
    for key in ("status.relativePaths", "diff.relative"):
        scratch.run(scratch.base, "config", "--global", key, "true")
    editor = open_editor(repo.root)
    pkg = str(repo.root / "pkg")
    assert [entry["path"] for entry in editor.value("git_status", workdir=pkg)["staged"]] == expected
    whole = editor.value("git_diff", workdir=pkg, staged=True)
    assert whole["diff"] == staged_diff(repo)
    assert [file["path"] for file in whole["files"]] == expected
    one = editor.value("git_diff", workdir=pkg, staged=True, paths=["a.txt"])
    assert [file["path"] for file in one["files"]] == ["pkg/a.txt"]
    assert one["diff"] == repo.git("-c", "diff.relative=false", "diff", "--cached", "--", "pkg/a.txt").decode()


def test_a_folder_that_is_no_repository_is_refused_and_nothing_else_is_read(
    scratch: Scratch, open_editor: Opener
) -> None:
    code = make(scratch, "code", "code change")
    notes = scratch.base / "notes"
    notes.mkdir()
    (notes / "n.txt").write_text("x")
    editor = open_editor(code.root, folders=(notes, code.root))
    for name in ("notes", "notes/n.txt", str(notes), "gone", f"{scratch.base}/gone"):
        refusal = refused(editor, repository=name)
        assert refusal["code"] == "unknown_repository", name
        assert [item["label"] for item in refusal["candidates"]] == ["code"]
        answer = editor.call("git_status", repository=name)
        assert answer["error"]["code"] == "unknown_repository", name
        assert "code change" not in str((refusal, answer))


def test_adding_all_of_a_repository_that_holds_another(scratch: Scratch, open_agreeing: Opener) -> None:
    outer, inner = make(scratch, "outer"), make(scratch, "outer/inner")
    outer.write("n.txt", "n\n")
    editor = open_agreeing(outer.root, folders=(outer.root,))
    added = editor.call("git_add", workdir=str(outer.root), all=True)
    assert added["ok"], added
    assert sorted(entry["path"] for entry in added["value"]["stagedFiles"]) == ["inner", "n.txt"]
    # git says on stderr only that another repository was put in as a link; that must reach the reader.
    assert "adding embedded git repository: inner" in added["text"]
    assert [entry["path"] for entry in added["value"]["stagedFiles"] if entry.get("submodule")] == ["inner"]
    entries = names(outer, "ls-files", "-s", "-z")
    assert [entry for entry in entries if "inner" in entry] == [f"160000 {inner.text('rev-parse', 'HEAD')} 0\tinner"]
    restored = editor.value("git_restore", workdir=str(outer.root), paths=["inner"], staged=True)
    assert restored["restored"] == ["inner"]
    assert staged_names(outer) == ["n.txt"]
    assert (inner.root / "f.txt").read_text() == "outer/inner base\n"


def test_adding_all_where_the_inner_repository_has_no_commit_yet(scratch: Scratch, open_agreeing: Opener) -> None:
    outer = make(scratch, "outer")
    scratch.repo("outer/inner")
    (outer.root / "inner/i.txt").write_text("i\n")
    before = outer.text("ls-files", "-s")
    said = complaint(outer, "add", "-A")
    assert "does not have a commit checked out" in said
    editor = open_agreeing(outer.root, folders=(outer.root,))
    assert said in told(editor.error("git_add", workdir=str(outer.root), all=True))
    assert outer.text("ls-files", "-s") == before


def test_the_process_directory_is_never_the_repository(scratch: Scratch, open_editor: Opener) -> None:
    make(scratch, "code", "code change")
    editor = open_editor(folders=(), listed=False)
    assert refused(editor)["code"] == "no_repository_selected"
