"""Where git is looked for and what is made of its version."""

import subprocess
from pathlib import Path

import pytest

from git_sidecar.git.errors import GitUnavailable
from git_sidecar.git.executable import candidate_paths, check_version, find_git, parse_version
from tests.support.processes import fake_git


@pytest.mark.parametrize(
    ("git_path", "environment", "expected"),
    [
        ("git", {"PATH": "/a:/b:/a"}, ["/a/git", "/b/git"]),
        ("git", {"PATH": ":.:bin:./x:/a:"}, ["/a/git"]),
        ("git", {}, []),
        ("git-2.50", {"PATH": "/a"}, ["/a/git-2.50"]),
        ("/opt/git/bin/git", {"PATH": "/a"}, ["/opt/git/bin/git"]),
        ("~/bin/git", {"HOME": "/home/p"}, ["/home/p/bin/git"]),
        ("~/bin/git", {}, []),
        ("./git", {"PATH": "/a"}, []),
        ("tools/git", {"PATH": "/a"}, []),
    ],
)
def test_candidates(git_path: str, environment: dict[str, str], expected: list[str]) -> None:
    assert [str(path) for path in candidate_paths(git_path, environment, windows=False)] == expected


def test_the_first_that_can_be_run_is_taken(tmp_path: Path) -> None:
    for name in ("directory", "plain", "good", "later"):
        (tmp_path / name).mkdir()
    (tmp_path / "directory" / "git").mkdir()
    (tmp_path / "plain" / "git").write_text("x")
    good = fake_git(tmp_path / "good", "")
    fake_git(tmp_path / "later", "")
    search = ":".join(str(tmp_path / name) for name in ("missing", "directory", "plain", "good", "later"))
    assert find_git("git", {"PATH": search}) == good
    with pytest.raises(GitUnavailable) as caught:
        find_git("git", {"PATH": f"{tmp_path / 'missing'}:{tmp_path / 'plain'}"})
    assert caught.value.details.tried == (str(tmp_path / "missing" / "git"), str(tmp_path / "plain" / "git"))
    with pytest.raises(GitUnavailable) as caught:
        find_git("./git", {"PATH": str(tmp_path / "good")})
    assert caught.value.details.tried == ("./git",)


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("git version 2.39.5", (2, 39, 5)),
        ("git version 2.39.5 (Apple Git-154)", (2, 39, 5)),
        ("git version 2.50.1.windows.1", (2, 50, 1)),
        ("git version 2.53.0-rc0", (2, 53, 0)),
        ("git version 2.40.GIT", (2, 40, 0)),
        ("hub version 2.14.2", None),
        ("", None),
    ],
)
def test_versions(text: str, version: tuple[int, int, int] | None) -> None:
    assert parse_version(text) == version


def test_the_version_of_the_real_git_is_what_it_says() -> None:
    said = subprocess.run(("git", "version"), capture_output=True, check=True).stdout
    major, minor = (int(part) for part in said.split()[2].split(b".")[:2])
    found = check_version(Path("/x/git"), 0, said, b"")
    assert found.version[:2] == (major, minor)
    assert found.text == said.decode().strip()


@pytest.mark.parametrize(("version", "is_enough"), [("2.23.0", True), ("2.22.9", False), ("3.0.0", True)])
def test_the_minimum(version: str, is_enough: bool) -> None:
    said = f"git version {version}\n".encode()
    if is_enough:
        assert check_version(Path("/x/git"), 0, said, b"").text == f"git version {version}"
    else:
        with pytest.raises(GitUnavailable, match=r"/x/git.*2\.22\.9.*2\.23") as caught:
            check_version(Path("/x/git"), 0, said, b"")
        assert caught.value.details.found == "git version 2.22.9"
