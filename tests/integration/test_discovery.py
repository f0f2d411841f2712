"""Discovery on real repositories of every kind, and from there to matching, location and the place of work."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from git_sidecar.model.location import Location
from git_sidecar.model.refusal import Refusal
from git_sidecar.model.repository import KnownRepository, RepositoryKind
from git_sidecar.workspace.discovery import discover, search
from git_sidecar.workspace.location import locate
from git_sidecar.workspace.matching import match
from git_sidecar.workspace.registry import Registry, folder_from_uri, registry_from_discovery
from git_sidecar.workspace.uri import uri_from_path
from git_sidecar.workspace.workdir import choose_repository
from tests.support.scratch import Scratch


def names(scratch: Scratch, *folders: str, depth: int = 2, ceiling: tuple[Path, ...] = ()) -> list[str]:
    """The roots found, relative to the scratch directory."""
    found = discover([scratch.base / folder for folder in folders], depth=depth, ceiling=ceiling)
    return [str(item.root.relative_to(scratch.base)) for item in found]


def open_folders(scratch: Scratch, *folders: str, depth: int = 2) -> Registry:
    """The registry of an editor that sends no list."""
    opened = [folder_from_uri(uri_from_path(scratch.base / folder)) for folder in folders]
    return registry_from_discovery(opened, discover([folder.path for folder in opened], depth=depth))


def make_everything(scratch: Scratch) -> None:
    """In `w`: a superproject with a submodule, worktrees, bare, separate, nested and plain directories."""
    scratch.repo("lib").commit(a="1")
    (scratch.base / "w").mkdir()
    top = scratch.repo("w/super")
    top.git("submodule", "--quiet", "add", str(scratch.base / "lib"), "vendor/lib")
    top.commit()
    top.git("worktree", "add", "-q", "../super-wt")
    scratch.run(top.root / "vendor/lib", "worktree", "add", "-q", str(scratch.base / "w/lib-wt"))
    top.git("clone", "-q", "--bare", ".", str(scratch.base / "w/bare.git"))
    scratch.run(scratch.base / "w", "init", "-q", "--separate-git-dir=sep.git", "sep")
    scratch.run(top.root, "init", "-q", "inner")
    scratch.run(top.root, "init", "-q", "--bare", "fixture.git")
    scratch.run(scratch.base, "init", "-q", "w/node_modules/pkg")
    (scratch.base / "w/plain/.git").mkdir(parents=True)
    (scratch.base / "w/link").symlink_to("../lib")
    (scratch.base / "w/deep").mkdir()
    scratch.run(scratch.base, "init", "-q", "w/deep/a/b")


def test_every_kind_is_found_and_nothing_else(scratch: Scratch) -> None:
    make_everything(scratch)
    found = discover([scratch.base / "w"], depth=3)
    assert [(str(item.root.relative_to(scratch.base)), item.kind.value, item.bare) for item in found] == [
        ("w/bare.git", "repository", True),
        ("w/deep/a/b", "repository", False),
        ("w/lib-wt", "worktree", False),
        ("w/sep", "repository", False),
        ("w/super", "repository", False),
        ("w/super/inner", "repository", False),
        ("w/super/vendor/lib", "submodule", False),
        ("w/super-wt", "worktree", False),
    ]


def test_git_agrees_with_every_root(scratch: Scratch) -> None:
    make_everything(scratch)
    for item in discover([scratch.base / "w"], depth=3):
        answer = locate(item.root)
        assert isinstance(answer, Location)
        assert answer.bare is item.bare
        out = scratch.run(item.root, "rev-parse", "--absolute-git-dir", "--is-bare-repository").decode()
        assert out == f"{answer.git_dir}\n{str(item.bare).lower()}\n"


def test_depth_counts_levels_below_the_folder(scratch: Scratch) -> None:
    for name in ("w/a", "w/x/b", "w/x/y/c"):
        scratch.repo(name)
    assert names(scratch, "w", depth=0) == []
    assert names(scratch, "w", depth=1) == ["w/a"]
    assert names(scratch, "w") == ["w/a", "w/x/b"]
    assert names(scratch, "w", depth=3) == ["w/a", "w/x/b", "w/x/y/c"]


def test_a_repository_above_is_found_as_git_finds_it(scratch: Scratch) -> None:
    repo = scratch.repo("mono")
    repo.write("pkg/src/f", "x")
    assert scratch.run(repo.root / "pkg/src", "rev-parse", "--show-toplevel").decode().strip() == str(repo.root)
    assert names(scratch, "mono/pkg/src") == ["mono"]


def test_above_stops_at_a_ceiling_as_git_does(scratch: Scratch) -> None:
    repo = scratch.repo("mono")
    repo.write("pkg/src/f", "x")
    for ceiling, expected in (("mono", []), ("mono/pkg", []), ("mono/pkg/src", ["mono"]), ("home", ["mono"])):
        scratch.env["GIT_CEILING_DIRECTORIES"] = str(scratch.base / ceiling)
        said = scratch.run(repo.root / "pkg/src", "rev-parse", "--show-toplevel", check=False).decode().strip()
        assert [Path(said).name] * bool(said) == expected
        assert names(scratch, "mono/pkg/src", ceiling=(scratch.base / ceiling,)) == expected


def test_a_ceiling_does_not_hide_the_folder_itself(scratch: Scratch) -> None:
    scratch.repo("mono")
    assert names(scratch, "mono", ceiling=(scratch.base / "mono", scratch.base)) == ["mono"]


def test_above_stops_at_another_file_system(scratch: Scratch, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = scratch.repo("mono")
    repo.write("pkg/f", "x")
    stat = Path.stat

    def mounted(self: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        """The real answer, but `pkg` on a device of its own."""
        info = stat(self, follow_symlinks=follow_symlinks)
        if self.name != "pkg":
            return info
        return os.stat_result((*info[:2], info.st_dev + 1, *info[3:10]))

    assert names(scratch, "mono/pkg") == ["mono"]
    monkeypatch.setattr(Path, "stat", mounted)
    assert names(scratch, "mono/pkg") == []


def test_a_git_directory_that_is_none_does_not_hide_the_one_above(scratch: Scratch) -> None:
    repo = scratch.repo("mono")
    (repo.root / "pkg" / ".git").mkdir(parents=True)
    assert scratch.run(repo.root / "pkg", "rev-parse", "--show-toplevel").decode().strip() == str(repo.root)
    assert names(scratch, "mono/pkg") == ["mono"]


def test_links_below_are_not_followed_and_the_folder_itself_may_be_one(scratch: Scratch) -> None:
    scratch.repo("real/app")
    (scratch.base / "w").mkdir()
    (scratch.base / "w" / "link").symlink_to("../real/app")
    (scratch.base / "loop").symlink_to(".")
    (scratch.base / "alias").symlink_to("real")
    assert names(scratch, "w") == []
    assert names(scratch, "alias") == ["alias/app"]


def test_overlapping_folders_count_a_repository_once(scratch: Scratch) -> None:
    scratch.repo("w/app")
    (scratch.base / "alias").symlink_to("w")
    assert names(scratch, "w", "w/app", "alias") == ["w/app"]


def test_a_folder_that_is_missing_or_unreadable_is_no_error(scratch: Scratch) -> None:
    scratch.repo("w/app")
    (scratch.base / "file").write_text("x")
    assert names(scratch, "missing", "file", "w") == ["w/app"]


def test_a_search_that_is_cut_short_says_so(scratch: Scratch) -> None:
    for name in ("a", "b", "c"):
        scratch.repo(f"w/{name}")
    full = search([scratch.base / "w"], depth=2)
    assert (len(full.found), full.warnings) == (3, ())
    cut = search([scratch.base / "w"], depth=2, visit_limit=2)
    assert [item.root.name for item in cut.found] == ["a", "b"]
    assert len(cut.warnings) == 1
    assert "2 directories" in cut.warnings[0]


def test_a_name_that_is_not_utf8(scratch: Scratch) -> None:
    name = b"caf\xe9".decode("utf-8", "surrogateescape")
    scratch.repo(f"w/{name}")
    registry = open_folders(scratch, "w")
    assert registry.repositories[0].root_uri.endswith("/w/caf%E9")
    assert match(registry.repositories[0].root_uri, registry, home=None) == registry.repositories[0]


# From discovery to the repository that is meant.


@pytest.fixture
def registry(scratch: Scratch) -> Registry:
    """Everything, opened by its common folder."""
    make_everything(scratch)
    scratch.repo("other/inner")
    return open_folders(scratch, "w", "other", depth=3)


Ask = Callable[[str | None, str | None], tuple[str, str]]


@pytest.fixture
def ask(scratch: Scratch, registry: Registry) -> Ask:
    """Choose by `repository` and `workdir`; (label, directory), or the refusal's code."""

    def choose(repository: str | None, workdir: str | None) -> tuple[str, str]:
        texts = [text and text.replace("$W", str(scratch.base)) for text in (repository, workdir)]
        answer = choose_repository(texts[0], texts[1], registry, home=scratch.home)
        return (answer.code.value, "") if isinstance(answer, Refusal) else (answer[0].label, answer[1])

    return choose


def test_labels_and_kinds_of_what_was_discovered(registry: Registry) -> None:
    assert [item.label for item in registry.repositories] == [
        "other/inner",
        "w/bare.git",
        "w/deep/a/b",
        "w/lib-wt",
        "w/sep",
        "w/super",
        "w/super/inner",
        "w/super/vendor/lib",
        "w/super-wt",
    ]
    assert registry.repositories[7].kind is RepositoryKind.SUBMODULE


@pytest.mark.parametrize(
    ("repository", "workdir", "expected"),
    [
        (None, None, ("no_repository_selected", "")),
        ("w/super", None, ("w/super", "")),
        ("super", None, ("w/super", "")),
        ("vendor/lib", None, ("unknown_repository", "")),
        ("super/vendor/lib", None, ("w/super/vendor/lib", "")),
        ("inner", None, ("ambiguous_repository", "")),
        ("W\\Super\\Inner", None, ("w/super/inner", "")),
        ("$W/other/inner", None, ("other/inner", "")),
        ("$W/w/super/vendor/lib/a", None, ("w/super/vendor/lib", "")),
        ("$W/w/super/.gitmodules", None, ("w/super", "")),
        ("$W/w/super-wt", None, ("w/super-wt", "")),
        ("$W/w/link", None, ("unknown_repository", "")),
        ("plain", None, ("unknown_repository", "")),
        (None, "$W/w/super/vendor", ("w/super", "vendor")),
        (None, "super/vendor/lib", ("w/super/vendor/lib", "")),
        (None, "$W/w/plain", ("unknown_repository", "")),
        (None, "$W/lib", ("outside_workspace", "")),
        (None, "$W/w/link", ("outside_workspace", "")),
        (None, "$W/w/nothing", ("path_not_found", "")),
        ("w/super", "$W/w/super/vendor", ("w/super", "vendor")),
        ("w/super", "$W/w/super/inner", ("invalid_arguments", "")),
    ],
)
def test_the_one_that_is_meant(
    ask: Ask, repository: str | None, workdir: str | None, expected: tuple[str, str]
) -> None:
    assert ask(repository, workdir) == expected


def test_the_innermost_root_is_gits_own_answer(scratch: Scratch, registry: Registry) -> None:
    for directory in (
        "w/super",
        "w/super/vendor",
        "w/super/vendor/lib",
        "w/super/inner",
        "w/super-wt",
        "w/lib-wt",
        "w/sep",
    ):
        top = scratch.run(scratch.base / directory, "rev-parse", "--show-toplevel", "--show-prefix").decode()
        answer = choose_repository(None, str(scratch.base / directory), registry, home=None)
        assert not isinstance(answer, Refusal)
        assert top.split("\n")[:2] == [str(answer[0].root), answer[1] + "/" if answer[1] else ""]


def test_a_discovered_root_that_vanished_is_named(scratch: Scratch) -> None:
    repo = scratch.repo("w/app")
    registry = open_folders(scratch, "w")
    repo.root.rename(scratch.base / "gone")
    answer = match("app", registry, home=None)
    assert isinstance(answer, KnownRepository)
    located = locate(answer.root)
    assert isinstance(located, Refusal)
    assert located.code.value == "not_a_repository"
    assert str(answer.root) in located.message
