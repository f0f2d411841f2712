"""File URIs and paths: decoded exactly once, for both families of systems."""

import pytest

from git_sidecar.workspace.uri import InvalidUri, path_from_uri, uri_from_path


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///w/my%20repo%231%2050%25%20%C3%BC", "/w/my repo#1 50% ü"),
        ("file:///w/a%2520b", "/w/a%20b"),
        ("file:///w/100%25", "/w/100%"),
        ("FILE:///w/app", "/w/app"),
        ("file://localhost/w/app", "/w/app"),
        ("file:/w/app", "/w/app"),
        ("file:///w/c#1?x", "/w/c#1?x"),
        ("file:///w/caf%E9", "/w/caf\udce9"),
        ("file:///w/50%zz", "/w/50%zz"),
        ("file://server/share/r", "//server/share/r"),
    ],
)
def test_posix_paths_are_decoded_once(uri: str, path: str) -> None:
    assert path_from_uri(uri, windows=False) == path


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///c%3A/code/r", "c:\\code\\r"),
        ("file:///C:/code/r", "C:\\code\\r"),
        ("file://C:/code/r", "C:\\code\\r"),
        ("file:///c%3A", "c:\\"),
        ("file:///c:/100%25%20x", "c:\\100% x"),
        ("file://server/share/r", "\\\\server\\share\\r"),
        ("file:////server/share/r", "\\\\server\\share\\r"),
        ("file:///C:\\code\\r", "C:\\code\\r"),
    ],
)
def test_windows_paths_keep_drives_and_shares(uri: str, path: str) -> None:
    assert path_from_uri(uri, windows=True) == path


@pytest.mark.parametrize("uri", ["https://x/y", "vscode-remote://h/w", "file://", "file:w/app", "/w/app", ""])
def test_what_names_no_file_is_refused(uri: str) -> None:
    with pytest.raises(InvalidUri):
        path_from_uri(uri, windows=False)


def test_windows_needs_a_drive_or_a_share() -> None:
    with pytest.raises(InvalidUri):
        path_from_uri("file:///code/r", windows=True)


@pytest.mark.parametrize(
    ("path", "windows", "uri"),
    [
        ("/w/my repo#1 50% ü", False, "file:///w/my%20repo%231%2050%25%20%C3%BC"),
        ("/w/caf\udce9", False, "file:///w/caf%E9"),
        ("/w/a\\b", False, "file:///w/a%5Cb"),
        ("C:\\code\\r", True, "file:///C:/code/r"),
        ("\\\\server\\share\\r", True, "file://server/share/r"),
    ],
)
def test_a_path_becomes_a_uri_and_comes_back(path: str, windows: bool, uri: str) -> None:
    assert uri_from_path(path, windows=windows) == uri
    assert path_from_uri(uri, windows=windows) == path
