"""The registry: labels, order, selection, what is skipped."""

from pathlib import Path

import pytest

from git_sidecar.model.repository import RepositoryKind, RepositorySource
from git_sidecar.workspace.discovery import FoundRepository
from git_sidecar.workspace.registry import folder_from_uri, registry_from_discovery, registry_from_editor
from git_sidecar.workspace.uri import InvalidUri
from tests.unit.workspace.fake_disk import folder, listed


def test_labels_are_the_way_from_the_workspace_folder() -> None:
    registry = listed("/w/app", "/w/app/vendor/lib", "/elsewhere/tool", "/w", folders=["/w/app"])
    assert [item.label for item in registry.repositories] == ["app", "app/vendor/lib", "tool", "w"]
    assert [item.relative_path for item in registry.repositories] == ["", "vendor/lib", None, None]
    assert [item.folder_name for item in registry.repositories] == ["app", "app", None, None]


def test_the_innermost_folder_labels() -> None:
    registry = listed("/w/app/vendor/lib", folders=["/w/app", "/w/app/vendor"])
    assert registry.repositories[0].label == "vendor/lib"


def test_a_sibling_with_a_common_prefix_is_not_inside() -> None:
    assert listed("/w/application", folders=["/w/app"]).repositories[0].relative_path is None


def test_the_folder_label_is_its_directory_and_folder_name_is_what_the_editor_shows() -> None:
    registry = registry_from_editor([folder("/w/app", "My App")], [{"rootUri": "file:///w/app/lib"}], windows=False)
    assert registry.repositories[0].label == "app/lib"
    assert registry.repositories[0].folder_name == "My App"


def test_a_sent_label_is_kept_and_a_blank_one_is_not() -> None:
    registry = listed(("/w/app", "core"), ("/w/lib", "  "), folders=["/w/app", "/w/lib"])
    assert [item.label for item in registry.repositories] == ["core", "lib"]


def test_order_kind_uri_and_selection_are_the_editors() -> None:
    registry = registry_from_editor(
        [],
        [
            {"rootUri": "file:///w/b%20b"},
            {"rootUri": "file:///w/a", "selected": True, "kind": "worktree"},
            {"rootUri": "file:///w/a", "kind": "worktree"},
        ],
        windows=False,
    )
    assert [str(item.root) for item in registry.repositories] == ["/w/b b", "/w/a"]
    assert registry.repositories[0].root_uri == "file:///w/b%20b"
    assert [item.selected for item in registry.repositories] == [False, True]
    assert registry.repositories[1].kind is RepositoryKind.WORKTREE
    assert registry.repositories[1].source is RepositorySource.EDITOR


def test_selection_of_the_second_of_two_equal_roots_counts() -> None:
    items = [{"rootUri": "file:///w/a/"}, {"rootUri": "file:///w/./a", "selected": True}]
    registry = registry_from_editor([], items, windows=False)
    assert [item.selected for item in registry.repositories] == [True]


def test_roots_of_other_schemes_are_skipped_and_named() -> None:
    items = [{"rootUri": "vscode-vfs://host/w/a"}, {"rootUri": "file:///w/b"}, {"rootUri": "file:///w/%00"}]
    registry = registry_from_editor([], items, windows=False)
    assert [str(item.root) for item in registry.repositories] == ["/w/b"]
    assert registry.skipped == ("vscode-vfs://host/w/a", "file:///w/%00")


def test_windows_roots_are_placed_whatever_the_case_of_the_drive() -> None:
    registry = listed("c:\\Work\\App\\lib", folders=["C:\\work\\app"], windows=True)
    assert registry.repositories[0].label == "app/lib"
    assert registry.repositories[0].relative_path == "lib"


def test_a_disk_blind_to_case_places_roots_without_case_and_another_does_not() -> None:
    items = [{"rootUri": "file:///code/Vim/lib"}]
    blind = registry_from_editor([folder("/code/vim")], items, windows=False, case_insensitive=True)
    exact = registry_from_editor([folder("/code/vim")], items, windows=False, case_insensitive=False)
    assert blind.repositories[0].label == "vim/lib"
    assert exact.repositories[0].label == "lib"


def test_discovered_repositories_are_never_selected() -> None:
    found = [FoundRepository(Path("/w/app"), RepositoryKind.SUBMODULE, bare=False)]
    (item,) = registry_from_discovery([folder("/w")], found, windows=False).repositories
    assert (item.label, item.selected, item.kind, item.source, item.root_uri) == (
        "w/app",
        False,
        RepositoryKind.SUBMODULE,
        RepositorySource.DISCOVERED,
        "file:///w/app",
    )


def test_a_folder_is_named_by_its_directory_unless_told() -> None:
    assert folder_from_uri("file:///w/./my%20app/", windows=False).name == "my app"
    assert folder_from_uri("file:///w/app", "Shown", windows=False).name == "Shown"
    assert folder_from_uri("file:///", windows=False).name == "/"
    with pytest.raises(InvalidUri):
        folder_from_uri("untitled:x", windows=False)
