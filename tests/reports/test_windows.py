"""Reports from Windows, as far as their rules are pure: drives, shares and the spelling that git is given.

What needs the system itself (pipes that a daemon inherits, console windows) is held elsewhere by its counterpart: a
hook that keeps the pipe open in test_locking.py, and messages that never pass a shell in test_commit.py.
"""

import pytest

from git_sidecar.workspace.location import upper_drive
from git_sidecar.workspace.matching import match
from git_sidecar.workspace.uri import path_from_uri, uri_from_path
from tests.unit.workspace.fake_disk import listed, root_of, windows_disk

ROOT = "C:\\Code\\R"
SHARE = "\\\\server\\share\\r"


@pytest.mark.parametrize("root", [ROOT, "c:\\code\\r"], ids=["upper", "lower"])
@pytest.mark.parametrize(
    "written",
    [
        *("C:\\Code\\R", "c:\\code\\r", "C:/code/r", "c:/Code/R/", "file:///c%3A/code/r", "file:///C:/Code/R"),
        *("FILE:///c:/Code/R", "C:\\Code\\.\\x\\..\\R", "r", "R"),
    ],
)
def test_one_directory_whatever_the_drive_letter_and_the_slashes(root: str, written: str) -> None:
    registry = listed(root, "C:\\Code\\Other", folders=["C:\\Code"], windows=True)
    disk = windows_disk(ROOT, "C:\\Code\\Other")
    assert root_of(match(written, registry, home=None, disk=disk)) == root


@pytest.mark.parametrize("written", ["D:\\Code\\R", "file:///d%3A/code/r", "C:Code\\R"])
def test_another_drive_is_another_directory(written: str) -> None:
    registry = listed(ROOT, "C:\\Code\\Other", windows=True)
    assert root_of(match(written, registry, home=None, disk=windows_disk(ROOT, "D:\\Code\\R"))) == "unknown_repository"


@pytest.mark.parametrize(
    "written",
    [
        *("\\\\server\\share\\r", "//server/share/r", "file://server/share/r", "\\\\SERVER\\Share\\R\\"),
        *("file:////server/share/r", "\\\\server\\share\\x\\..\\r"),
    ],
)
def test_a_share_has_one_name_in_every_spelling(written: str) -> None:
    registry = listed(SHARE, ROOT, windows=True)
    assert root_of(match(written, registry, home=None, disk=windows_disk(SHARE, ROOT))) == SHARE


def test_the_two_slashes_of_a_share_do_not_collapse() -> None:
    registry = listed(SHARE, ROOT, windows=True)
    disk = windows_disk(SHARE, ROOT)
    assert root_of(match("\\server\\share\\r", registry, home=None, disk=disk)) == "unknown_repository"
    assert path_from_uri(uri_from_path(SHARE, windows=True), windows=True) == SHARE


@pytest.mark.parametrize("uri", ["file:///c%3A/code/r", "file:///c:/code/r", "file:///C%3a/code/r"])
def test_git_is_given_an_upper_case_drive(uri: str) -> None:
    # includeIf "gitdir:C:/…" is compared letter by letter, and so is a path that `git add` is handed.
    assert upper_drive(path_from_uri(uri, windows=True), windows=True) == "C:\\code\\r"
