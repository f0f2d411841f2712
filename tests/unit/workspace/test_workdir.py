"""Which repository and directory a call works in, from `repository` and `workdir` together."""

from pathlib import Path

import pytest

from git_sidecar.model.refusal import Refusal
from git_sidecar.workspace.registry import Registry
from git_sidecar.workspace.workdir import Workplace, choose_repository, resolve_workdir
from tests.unit.workspace.fake_disk import FakeDisk, disk_of, folder, listed, marks, windows_disk

HOME = Path("/home/u")
DISK = disk_of(
    "/w/mono/pkg/src",
    "/w/mono/vendor/lib/src",
    "/w/mono/.git/hooks",
    "/w/mono/stray/.git",
    "/w/mono/stray/deep",
    "/w/notes/src",
    "/outside",
    "/home/u/w/x",
    files=["/w/mono/pkg/a.txt", "/w/notes/n.txt", "/w/mono/vendor/lib/.git", "/etc/passwd"],
    links={"/w/mono/away": "/outside", "/w/link": "/w/mono/pkg"},
)
REGISTRY = listed("/w/mono", "/w/mono/vendor/lib", folders=["/w/mono", "/w/notes"], selected="/w/mono")


def told(answer: Workplace | Refusal) -> tuple[str, str]:
    """(root, directory), or (code, "") of a refusal."""
    if isinstance(answer, Refusal):
        return answer.code.value, ""
    repository, directory = answer
    return str(repository.root), directory


def resolved(
    workdir: str, *, registry: Registry = REGISTRY, allow_file: bool = False, disk: FakeDisk = DISK
) -> tuple[str, str]:
    """The outcome of `resolve_workdir`, flat."""
    return told(resolve_workdir(workdir, registry, home=HOME, allow_file=allow_file, disk=disk))


def chosen(repository: str | None, workdir: str | None, registry: Registry = REGISTRY) -> tuple[str, str]:
    """The outcome of `choose_repository`, flat."""
    return told(choose_repository(repository, workdir, registry, home=HOME, disk=DISK))


@pytest.mark.parametrize(
    ("workdir", "expected"),
    [
        ("/w/mono", ("/w/mono", "")),
        ("/w/mono/", ("/w/mono", "")),
        ("/w/mono/pkg", ("/w/mono", "pkg")),
        ("/w/mono/pkg/src/..", ("/w/mono", "pkg")),
        ("/w/link/src", ("/w/mono", "pkg/src")),
        ("file:///w/mono/pkg", ("/w/mono", "pkg")),
        ("pkg", ("/w/mono", "pkg")),
        ("./pkg/src/", ("/w/mono", "pkg/src")),
        ("pkg\\src", ("/w/mono", "pkg/src")),
        ("mono/pkg", ("/w/mono", "pkg")),
        ("mono", ("/w/mono", "")),
        ("vendor/lib", ("/w/mono/vendor/lib", "")),
        ("/w/mono/vendor/lib/src", ("/w/mono/vendor/lib", "src")),
        ("/w/notes", ("unknown_repository", "")),
        ("/w/notes/src", ("unknown_repository", "")),
        ("notes", ("unknown_repository", "")),
        ("/outside", ("outside_workspace", "")),
        ("/w/mono/away", ("outside_workspace", "")),
        ("/w/mono/../../outside", ("outside_workspace", "")),
        ("~/w/x", ("outside_workspace", "")),
        ("/w/mono/missing", ("path_not_found", "")),
        ("missing", ("path_not_found", "")),
        ("/w/mono/.git", ("invalid_arguments", "")),
        ("/w/mono/.git/hooks", ("invalid_arguments", "")),
        ("/w/mono/pkg/a.txt", ("invalid_arguments", "")),
        ("a\0b", ("invalid_arguments", "")),
        ("", ("invalid_arguments", "")),
        ("/w/mono/stray", ("unknown_repository", "")),
        ("/w/mono/stray/deep", ("unknown_repository", "")),
    ],
)
def test_a_workdir_is_a_directory_of_its_innermost_repository(workdir: str, expected: tuple[str, str]) -> None:
    assert resolved(workdir) == expected


def test_a_relative_directory_outside_every_repository_does_not_compete() -> None:
    assert resolved("src", registry=listed("/w/mono/pkg", folders=["/w/mono/pkg", "/w/notes"])) == (
        "/w/mono/pkg",
        "src",
    )


def test_the_same_name_in_several_folders_is_ambiguous() -> None:
    registry = listed("/w/a", "/w/b", "/w/c", folders=["/w/a", "/w/b", "/w/c"])
    disk = disk_of("/w/a/src", "/w/b/src", "/w/c")
    answer = resolve_workdir("src", registry, disk=disk)
    assert told(answer) == ("ambiguous_repository", "")
    assert marks(answer) == [("/w/a", True), ("/w/b", True), ("/w/c", False)]
    named = choose_repository("b", "src", registry, home=HOME, disk=disk)
    assert told(named) == ("/w/b", "src")


def test_two_directories_of_one_repository_are_ambiguous_too() -> None:
    registry = listed("/w", folders=["/w/a", "/w/b"])
    assert resolved("src", registry=registry, disk=disk_of("/w/a/src", "/w/b/src"))[0] == "ambiguous_repository"


def test_a_file_stands_for_its_directory_where_files_are_allowed() -> None:
    assert resolved("/w/mono/pkg/a.txt", allow_file=True) == ("/w/mono", "pkg")
    assert resolved("pkg/a.txt", allow_file=True) == ("/w/mono", "pkg")
    assert resolved("/w/notes/n.txt", allow_file=True) == ("unknown_repository", "")
    assert resolved("/etc/passwd", allow_file=True) == ("outside_workspace", "")
    assert resolved("/w/mono/.git", allow_file=True) == ("invalid_arguments", "")


def test_what_is_missing_is_named_and_git_is_not_blamed() -> None:
    for workdir in ("/w/mono/missing", "missing"):
        answer = resolve_workdir(workdir, REGISTRY, disk=DISK)
        assert isinstance(answer, Refusal)
        assert workdir in answer.message
        assert "git" not in (answer.message + (answer.hint or "")).replace(".git", "")


def test_a_repository_above_the_folder_is_entered_from_within() -> None:
    registry = listed("/w/mono", folders=["/w/mono/pkg"])
    assert resolved("src", registry=registry) == ("/w/mono", "pkg/src")
    assert resolved(".", registry=registry) == ("/w/mono", "pkg")


def test_a_relative_workdir_without_folders_is_not_found() -> None:
    assert resolved("pkg", registry=listed("/w/mono")) == ("path_not_found", "")


@pytest.mark.parametrize(
    ("repository", "workdir", "expected"),
    [
        (None, None, ("/w/mono", "")),
        ("", "  ", ("/w/mono", "")),
        ("vendor/lib", None, ("/w/mono/vendor/lib", "")),
        (None, "/w/mono/vendor/lib/src", ("/w/mono/vendor/lib", "src")),
        ("mono", "/w/mono/pkg", ("/w/mono", "pkg")),
        ("/w/mono/vendor/lib", "vendor/lib/src", ("/w/mono/vendor/lib", "src")),
        ("mono", "/w/mono/vendor/lib", ("invalid_arguments", "")),
        ("vendor/lib", "/w/mono/pkg", ("invalid_arguments", "")),
        ("nowhere", "/w/mono/pkg", ("unknown_repository", "")),
        ("mono", "/w/mono/missing", ("path_not_found", "")),
        ("mono", "/outside", ("outside_workspace", "")),
        ("mono", "/w/notes", ("unknown_repository", "")),
    ],
)
def test_repository_and_workdir_together(
    repository: str | None, workdir: str | None, expected: tuple[str, str]
) -> None:
    assert chosen(repository, workdir) == expected


def test_nothing_said_and_nothing_selected_is_refused() -> None:
    assert chosen(None, None, listed("/w/mono", "/w/mono/vendor/lib")) == ("no_repository_selected", "")


def test_a_disagreement_names_both() -> None:
    answer = choose_repository("vendor/lib", "/w/mono/pkg", REGISTRY, home=HOME, disk=DISK)
    assert isinstance(answer, Refusal)
    assert "/w/mono/vendor/lib" in answer.message
    assert "(/w/mono)" in answer.message


def test_windows_directories_come_out_with_slashes() -> None:
    registry = Registry(
        (folder("C:\\w\\mono", windows=True),), listed("c:\\W\\mono", selected=None, windows=True).repositories
    )
    disk = windows_disk("C:\\w\\mono\\pkg\\src")
    for workdir in ("c:/w/mono/pkg/src", "pkg\\src", "pkg/src", "file:///c%3A/w/mono/pkg/src", "mono\\pkg\\src"):
        assert resolved(workdir, registry=registry, disk=disk) == ("c:\\W\\mono", "pkg/src")
