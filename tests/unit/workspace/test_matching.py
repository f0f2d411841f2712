"""The rules by which a `repository` argument finds its repository, each kind of spelling and each kind of refusal."""

from pathlib import Path

import pytest

from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.workspace.matching import match
from git_sidecar.workspace.registry import Registry
from tests.unit.workspace.fake_disk import FakeDisk, disk_of, listed, marks, root_of, windows_disk

HOME = Path("/home/u")
NOTHING = disk_of()


def found(argument: str | None, registry: Registry, disk: FakeDisk = NOTHING) -> str:
    """The root, or the refusal's code."""
    return root_of(match(argument, registry, home=HOME, disk=disk))


# Rule 0: nothing said.


@pytest.mark.parametrize("argument", [None, "", "  \t\n"])
def test_absent_or_blank_means_the_selected_one(argument: str | None) -> None:
    registry = listed("/w/front", "/w/back", "/w/infra", selected="/w/back")
    assert found(argument, registry) == "/w/back"


def test_absent_means_the_only_one_where_none_is_selected() -> None:
    assert found(None, listed("/w/front")) == "/w/front"


def test_absent_among_several_is_refused_with_all_of_them() -> None:
    answer = match(None, listed("/w/front", "/w/back"), home=HOME, disk=NOTHING)
    assert root_of(answer) == "no_repository_selected"
    assert marks(answer) == [("/w/front", False), ("/w/back", False)]


def test_absent_in_an_empty_workspace_is_refused() -> None:
    answer = match(None, Registry(), home=HOME, disk=NOTHING)
    assert root_of(answer) == "no_repository_selected"
    assert marks(answer) == []


def test_two_selected_ones_are_ambiguous() -> None:
    items = listed("/w/a", selected="/w/a").repositories + listed("/w/b", selected="/w/b").repositories
    answer = match(None, Registry((), (*items, *listed("/w/c").repositories)), home=HOME, disk=NOTHING)
    assert root_of(answer) == "ambiguous_repository"
    assert marks(answer) == [("/w/a", True), ("/w/b", True), ("/w/c", False)]


# Rule 1: label, root path, root URI.


@pytest.mark.parametrize(
    "argument",
    [
        "packages/core",
        "packages\\core",
        "packages//core/",
        "./packages/core",
        "packages/x/../core",
        "  packages/core\n",
        "PACKAGES/Core",
        "/w/packages/core",
        "/w/packages/core/",
        "/w/../w/packages/core/.",
        "\\w\\packages\\core",
        "/W/Packages/CORE",
        "file:///w/packages/core",
        "file:///w/packages/core/",
        "FILE:///w/packages/%63ore",
    ],
)
def test_every_spelling_of_label_and_root(argument: str) -> None:
    registry = listed(("/w/other", "other"), ("/w/packages/core", "packages/core"), folders=["/w"])
    assert found(argument, registry) == "/w/packages/core"


def test_a_uri_is_decoded_exactly_once() -> None:
    registry = listed("/w/a b", "/w/a%20b")
    assert found("file:///w/a%20b", registry) == "/w/a b"
    assert found("file:///w/a%2520b", registry) == "/w/a%20b"
    assert found("/w/a%20b", registry) == "/w/a%20b"


def test_names_with_percent_and_hash_survive() -> None:
    registry = listed("/w/my repo#1 50% ü", "/w/my repo")
    for argument in ("file:///w/my%20repo%231%2050%25%20%C3%BC", "file:///w/my repo#1 50% ü", "my repo#1 50% ü"):
        assert found(argument, registry) == "/w/my repo#1 50% ü"


def test_a_composed_name_finds_a_decomposed_one() -> None:
    assert found("caf\u00e9", listed("/w/cafe\u0301", "/w/x")) == "/w/cafe\u0301"


def test_home_is_expanded_and_only_the_callers_own() -> None:
    registry = listed("/home/u/src/app", "/home/v/src/app")
    assert found("~/src/app", registry) == "/home/u/src/app"
    assert found("~v/src/app", registry) == "unknown_repository"
    assert root_of(match("~/src/app", registry, home=None, disk=NOTHING)) == "unknown_repository"


def test_exact_case_wins_and_folding_alone_is_ambiguous() -> None:
    registry = listed("/w/App", "/w/app", "/w/z", folders=["/w/App", "/w/app"])
    assert found("app", registry) == "/w/app"
    assert found("App", registry) == "/w/App"
    answer = match("APP", registry, home=HOME, disk=NOTHING)
    assert root_of(answer) == "ambiguous_repository"
    assert marks(answer) == [("/w/App", True), ("/w/app", True), ("/w/z", False)]


def test_an_existing_path_matches_only_the_same_file() -> None:
    disk = disk_of("/w/App", "/w/app")
    assert found("/w/app", listed("/w/App"), disk) == "unknown_repository"
    assert found("/w/App", listed("/w/App"), disk) == "/w/App"
    assert found("/w/APP", listed("/w/App"), disk) == "/w/App"


def test_an_existing_path_matches_through_links_and_a_disk_blind_to_case() -> None:
    linked = disk_of("/real/app", links={"/w/link": "/real/app"})
    assert found("/w/link", listed("/real/app"), linked) == "/real/app"
    assert found("/real/app", listed("/w/link"), linked) == "/w/link"
    blind = FakeDisk(frozenset({"/code/Vim"}), case_insensitive=True)
    assert found("/code/vim", listed("/code/Vim"), blind) == "/code/Vim"


def test_two_names_of_one_directory_are_one_repository() -> None:
    disk = disk_of("/real/app", files=["/real/app/f"], links={"/w/app": "/real/app"})
    registry = listed("/real/app", "/w/app")
    assert found("/w/app", registry, disk) == "/w/app"
    assert found("app", registry, disk) == "/real/app"
    assert found("/w/app/f", registry, disk) == "/real/app"


def test_an_existing_root_is_nameable_though_its_path_is_anothers_label() -> None:
    registry = listed(("/w/a", "/w/b"), "/w/b")
    assert found("/w/b", registry, disk_of("/w/a", "/w/b")) == "/w/b"


def test_the_full_path_singles_out_one_of_two_equal_labels() -> None:
    registry = listed(("/uirouter/angular", "angular"), ("/ng/angular", "angular"), ("/x", "x"))
    assert found("/ng/angular", registry) == "/ng/angular"
    answer = match("angular", registry, home=HOME, disk=NOTHING)
    assert root_of(answer) == "ambiguous_repository"
    assert marks(answer) == [("/uirouter/angular", True), ("/ng/angular", True), ("/x", False)]


def test_dot_segments_lead_to_what_they_name_and_to_nothing_else() -> None:
    disk = disk_of("/w/beta", "/outside")
    registry = listed("/w/beta", folders=["/w/beta"])
    assert found("/w/../w/beta/.", registry, disk) == "/w/beta"
    assert found("/w/beta/../../outside", registry, disk) == "unknown_repository"


# Rule 2: folder name, and the workspace folder's name with the rest.


def test_a_label_beats_a_folder_name() -> None:
    registry = listed(("/x/engine", "core"), ("/y/core", "engine"))
    assert found("core", registry) == "/x/engine"
    assert found("engine", registry) == "/y/core"
    assert found("Engine", registry) == "/y/core"


def test_a_folder_name_alone_exact_then_folded() -> None:
    registry = listed(("/x/Engine", "one"), ("/y/engine", "two"), ("/z/Tools", "three"))
    assert found("engine", registry) == "/y/engine"
    assert found("tools", registry) == "/z/Tools"
    assert found("ENGINE", registry) == "ambiguous_repository"


def test_a_workspace_folder_name_with_the_rest() -> None:
    registry = listed(("/w/mono/pkg/a", "a"), ("/w/mono/pkg/b", "b"), folders=["/w/mono"])
    assert found("mono/pkg/b", registry) == "/w/mono/pkg/b"
    assert found("Mono\\PKG\\b", registry) == "/w/mono/pkg/b"
    assert found("mono/pkg/c", registry) == "unknown_repository"


# Rule 3: an existing file or directory inside a known repository.

NESTED = disk_of(
    "/w/top/docs", "/w/notes", files=["/w/top/t.txt", "/w/top/sub/s.txt", "/w/top/sub/deep/d.txt", "/etc/passwd"]
)


@pytest.mark.parametrize(
    ("argument", "root"),
    [
        ("/w/top/t.txt", "/w/top"),
        ("/w/top/sub/s.txt", "/w/top/sub"),
        ("/w/top/sub/deep", "/w/top/sub"),
        ("file:///w/top/sub/deep/d.txt", "/w/top/sub"),
        ("t.txt", "/w/top"),
        ("sub/deep/d.txt", "/w/top/sub"),
        ("sub\\deep\\d.txt", "/w/top/sub"),
        ("top/sub/deep", "/w/top/sub"),
        (".", "/w/top"),
        ("..", "unknown_repository"),
        ("../notes", "unknown_repository"),
        ("missing.txt", "unknown_repository"),
        ("/w/top/missing.txt", "unknown_repository"),
        ("/etc/passwd", "unknown_repository"),
        ("/w/notes", "unknown_repository"),
    ],
)
def test_the_innermost_repository_of_what_exists(argument: str, root: str) -> None:
    registry = listed(("/w/top", "one"), ("/w/top/sub", "two"), folders=["/w/top"])
    assert found(argument, registry, NESTED) == root


def test_a_file_in_two_workspace_folders_is_ambiguous() -> None:
    disk = disk_of(files=["/w/a/README", "/w/b/README"])
    registry = listed("/w/a", "/w/b", "/w/c", folders=["/w/a", "/w/b", "/w/c"])
    answer = match("README", registry, home=HOME, disk=disk)
    assert root_of(answer) == "ambiguous_repository"
    assert marks(answer) == [("/w/a", True), ("/w/b", True), ("/w/c", False)]


def test_a_link_to_a_file_belongs_where_it_lies_and_one_to_a_directory_where_it_leads() -> None:
    disk = disk_of("/w/b/dir", files=["/w/a/f", "/w/b/f"], links={"/w/a/link.txt": "/w/b/f", "/w/a/dlink": "/w/b/dir"})
    registry = listed("/w/a", "/w/b")
    assert found("/w/a/link.txt", registry, disk) == "/w/a"
    assert found("/w/a/dlink", registry, disk) == "/w/b"


def test_a_workspace_folder_that_is_no_repository_is_unknown_and_names_the_others() -> None:
    registry = listed("/w/code", folders=["/w/notes", "/w/code"], selected="/w/code")
    answer = match("notes", registry, home=HOME, disk=disk_of("/w/notes", "/w/code"))
    assert root_of(answer) == "unknown_repository"
    assert marks(answer) == [("/w/code", False)]


# Nonsense.


@pytest.mark.parametrize("argument", ["a\0b", "file:///w/a%00b", "file://", "file:relative", "\ud800", "~/\ud800"])
def test_nonsense_is_refused_clearly(argument: str) -> None:
    answer = match(argument, listed("/w/a"), home=HOME, disk=NOTHING)
    assert isinstance(answer, Refusal)
    expected = RefusalCode.UNKNOWN_REPOSITORY if argument == "file:relative" else RefusalCode.INVALID_ARGUMENTS
    assert answer.code is expected


def test_an_endless_argument_is_cut_in_the_message() -> None:
    answer = match("x" * 100_000, listed("/w/a", "/w/b"), home=HOME)
    assert isinstance(answer, Refusal)
    assert answer.code is RefusalCode.UNKNOWN_REPOSITORY
    assert len(answer.message) < 300


@pytest.mark.parametrize("argument", ["$(touch x)", "--upload-pack=x", "a; rm -rf /", "`id`", "*", "../../.."])
def test_a_command_in_a_name_is_just_an_unknown_name(argument: str) -> None:
    assert found(argument, listed("/w/a", folders=["/w/a"])) == "unknown_repository"


# Windows.


@pytest.mark.parametrize(
    "argument",
    [
        "c:\\Code\\R",
        "C:/code/r",
        "C:\\CODE\\R\\",
        "file:///c%3A/code/r",
        "file:///C:/code/R",
        "C:\\code\\x\\..\\r",
        "C:\\code\\r\\src\\main.c",
        "src/main.c",
        "R",
    ],
)
@pytest.mark.parametrize("exists", [True, False])
def test_windows_spellings_of_one_root(argument: str, exists: bool) -> None:
    if not exists and "main.c" in argument:
        argument = "c:/Code/r"
    disk = windows_disk("C:\\code\\other", files=["C:\\code\\r\\src\\main.c"]) if exists else windows_disk()
    registry = listed("C:\\code\\other", "c:\\code\\r", folders=["C:\\Code\\r"], windows=True)
    assert found(argument, registry, disk) == "c:\\code\\r"


@pytest.mark.parametrize(
    "argument", ["\\\\server\\share\\r", "//server/share/r", "file://server/share/r", "\\\\SERVER\\share\\r\\"]
)
@pytest.mark.parametrize("disk", [windows_disk(), windows_disk("\\\\server\\share\\r")])
def test_windows_shares(argument: str, disk: FakeDisk) -> None:
    registry = listed("\\\\server\\share\\r", "\\\\server\\share\\other", windows=True)
    assert found(argument, registry, disk) == "\\\\server\\share\\r"
    assert found("\\\\backup\\share\\missing", registry, disk) == "unknown_repository"


def test_the_two_slashes_of_a_share_are_not_one() -> None:
    registry = listed("\\\\server\\share\\r", windows=True)
    assert found("\\server\\share\\r", registry, windows_disk()) == "unknown_repository"
    assert found("/server/share/r", registry, windows_disk()) == "unknown_repository"


def test_a_system_blind_to_case_reads_missing_roots_so() -> None:
    registry = listed(("/w/Vim", "one"), ("/w/other", "/W/VIM/"))
    assert root_of(match("/w/vim", registry, home=HOME, case_insensitive=True, disk=NOTHING)) == "/w/Vim"
    assert root_of(match("/w/vim", registry, home=HOME, case_insensitive=False, disk=NOTHING)) == (
        "ambiguous_repository"
    )
