"""Paths that stay inside, by their text, on every system."""

import pytest

from git_sidecar.options.call import Facts
from git_sidecar.options.containment import check_path, check_pathspec, check_worktree_path, has_magic
from git_sidecar.options.refusals import Refused

_POSIX = Facts(root="/w/app", prefix="src/deep", workspace=("/w",))
_WINDOWS = Facts(root="C:\\w\\app", workspace=("C:\\w",))
_SHARE = Facts(root="\\\\server\\share\\app", workspace=("\\\\server\\share",))


@pytest.mark.parametrize(
    ("path", "facts"),
    [
        ("a", Facts()),
        ("a/../b", Facts()),
        ("..a/b..", Facts()),
        (".gitignore", Facts()),
        ("a.git/x", Facts()),
        ("a\\b", Facts()),
        ("../../a", _POSIX),
        ("/w/app", _POSIX),
        ("/w/app/a", _POSIX),
        ("c:/W/APP/a", _WINDOWS),
        ("\\\\SERVER\\share\\app\\a", _SHARE),
    ],
)
def test_inside(path: str, facts: Facts) -> None:
    """These pass."""
    check_path(path, facts)


@pytest.mark.parametrize(
    ("path", "facts"),
    [
        ("..", Facts()),
        ("a/../../b", Facts()),
        ("a\\..\\..\\b", Facts()),
        ("/w/app/a", Facts()),
        ("C:\\w", Facts()),
        ("\\\\server\\share", Facts()),
        ("../../../a", _POSIX),
        ("/w/app/../x", _POSIX),
        ("/w/application", _POSIX),
        ("C:\\w\\other", _WINDOWS),
        (".git", Facts()),
        ("a/.GIT/hooks/x", Facts()),
        (".git./x", Facts()),
        (".git::$INDEX_ALLOCATION/x", Facts()),
        ("GIT~1/x", Facts()),
        ("a\\.git\\x", Facts()),
    ],
)
def test_outside(path: str, facts: Facts) -> None:
    """These do not: out of the work tree, or into a git directory by any of its names."""
    with pytest.raises(Refused):
        check_path(path, facts)


@pytest.mark.parametrize("path", [":(top,glob)**/x", ":/x", ":!x", ":^!x", ":(exclude,icase)X", ":(attr:a=b)x"])
def test_magic_that_passes(path: str) -> None:
    """As gitglossary(7) has it; all of it stays in the work tree."""
    check_pathspec(path, _POSIX)
    assert has_magic(path)


@pytest.mark.parametrize("path", [":(top)..", ":/../x", ":!../../../x", ":(prefix:1)x", ":(magic)x", ":x", ":", ""])
def test_magic_that_does_not(path: str) -> None:
    """It leads out, or is git's own."""
    with pytest.raises(Refused):
        check_pathspec(path, _POSIX)


@pytest.mark.parametrize(
    ("path", "facts"),
    [
        ("../../../beside", _POSIX),
        ("/w/beside", _POSIX),
        ("..\\beside", _WINDOWS),
        ("C:/w/beside", _WINDOWS),
        ("\\\\server\\share\\beside", _SHARE),
        ("beside", Facts()),
    ],
)
def test_a_worktree_may_lie_in_the_workspace(path: str, facts: Facts) -> None:
    """Beside the repository, if that is still in a folder of the workspace."""
    check_worktree_path(path, facts)


@pytest.mark.parametrize(
    ("path", "facts"),
    [
        ("../../../../beside", _POSIX),
        ("/x/beside", _POSIX),
        ("/../x", _POSIX),
        ("D:\\w\\beside", _WINDOWS),
        ("../beside", Facts()),
        ("/w/beside", Facts()),
        ("-x", _POSIX),
        ("", _POSIX),
        ("/w/app/.git/x", _POSIX),
    ],
)
def test_a_worktree_may_not_lie_elsewhere(path: str, facts: Facts) -> None:
    """Outside every folder, or in a git directory."""
    with pytest.raises(Refused):
        check_worktree_path(path, facts)
