"""Where a repository's parts lie, as git says it, and which `.git` must not be followed."""

from pathlib import Path

import pytest

from git_sidecar.model.location import Location
from git_sidecar.model.refusal import Refusal
from git_sidecar.workspace.location import locate, upper_drive
from tests.support.scratch import Scratch, ScratchRepo


def asked(scratch: Scratch, root: Path) -> Location:
    """The places as git itself gives them."""
    out = scratch.run(root, "rev-parse", "--is-bare-repository", "--absolute-git-dir", "--git-common-dir").decode()
    bare, git_dir, common = out.removesuffix("\n").split("\n")
    top = git_dir if bare == "true" else scratch.run(root, "rev-parse", "--show-toplevel").decode().rstrip("\n")
    return Location(Path(top), Path(git_dir), (root / common).resolve(), bare == "true")


def code(answer: Location | Refusal) -> str:
    """The refusal's code."""
    assert isinstance(answer, Refusal), answer
    assert answer.message
    assert answer.hint
    return answer.code.value


def make_super(scratch: Scratch) -> ScratchRepo:
    """A repository with a submodule at vendor/lib."""
    scratch.repo("lib").commit(a="1")
    top = scratch.repo("super")
    top.git("submodule", "--quiet", "add", str(scratch.base / "lib"), "vendor/lib")
    top.commit()
    return top


def test_plain_linked_and_bare(scratch: Scratch) -> None:
    repo = scratch.repo("main")
    repo.commit(a="1")
    repo.git("worktree", "add", "-q", "../wt")
    repo.git("clone", "-q", "--bare", ".", "../b.git")
    scratch.run(scratch.base / "b.git", "worktree", "add", "-q", "../bwt")
    for name in ("main", "wt", "b.git", "bwt"):
        assert locate(scratch.base / name) == asked(scratch, scratch.base / name)


def test_submodules_and_their_worktrees(scratch: Scratch) -> None:
    top = make_super(scratch)
    sub = top.root / "vendor" / "lib"
    scratch.run(sub, "worktree", "add", "-q", str(scratch.base / "subwt"))
    top.git("worktree", "add", "-q", "../superwt")
    scratch.run(scratch.base / "superwt", "submodule", "--quiet", "update", "--init")
    for root in (top.root, sub, scratch.base / "subwt", scratch.base / "superwt", scratch.base / "superwt/vendor/lib"):
        assert locate(root) == asked(scratch, root)


def test_separate_git_directories(scratch: Scratch) -> None:
    for name in ("plain", "named"):
        scratch.run(scratch.base, "init", "-q", f"--separate-git-dir={name}.git", name)
    scratch.run(scratch.base / "named", "config", "core.worktree", str(scratch.base / "named"))
    for name in ("plain", "named"):
        assert locate(scratch.base / name) == asked(scratch, scratch.base / name)


def test_a_separate_git_directory_inside_another_repository_must_name_its_root(scratch: Scratch) -> None:
    outer = scratch.repo("outer")
    root = outer.root / "inner"
    scratch.run(outer.root, "init", "-q", f"--separate-git-dir={scratch.base / 'inner.git'}", "inner")
    assert code(locate(root)) == "unsafe_repository"
    assert locate(root, opened=[root]) == asked(scratch, root)
    scratch.run(root, "config", "core.worktree", "../outer/inner")
    assert locate(root) == asked(scratch, root)


def test_links_to_the_root_are_resolved(scratch: Scratch) -> None:
    repo = scratch.repo("main")
    (scratch.base / "link").symlink_to("main")
    assert locate(scratch.base / "link") == locate(repo.root) == asked(scratch, repo.root)


def test_a_git_directory_beside_the_work_tree_through_a_link_or_file_within(scratch: Scratch) -> None:
    for name, as_link in (("one", True), ("two", False)):
        repo = scratch.repo(name)
        (repo.root / ".git").rename(repo.root / ".bare")
        if as_link:
            (repo.root / ".git").symlink_to(".bare")
        else:
            (repo.root / ".git").write_text("gitdir: ./.bare\n")
        answer = locate(repo.root)
        assert isinstance(answer, Location)
        assert (answer.root, answer.git_dir, answer.bare) == (repo.root, repo.root / ".bare", False)


def test_a_bare_git_directory_with_worktrees_beside_it(scratch: Scratch) -> None:
    scratch.repo("seed").commit(a="1")
    project = scratch.base / "project"
    scratch.run(scratch.base, "clone", "-q", "--bare", "seed", "project/.bare")
    (project / ".git").write_text("gitdir: ./.bare\n")
    scratch.run(project, "worktree", "add", "-q", "topic")
    assert locate(project) == asked(scratch, project) == Location(*[project / ".bare"] * 3, bare=True)
    assert locate(project / "topic") == asked(scratch, project / "topic")


def test_core_bare_in_a_git_directory(repo: ScratchRepo) -> None:
    repo.git("config", "core.bare", "true")
    answer = locate(repo.root)
    assert isinstance(answer, Location)
    assert answer.bare


# What must not be followed.


def point(root: Path, git_dir: Path | str, *, link: bool = False) -> Path:
    """A directory whose `.git` leads to `git_dir`."""
    root.mkdir(parents=True)
    if link:
        (root / ".git").symlink_to(git_dir)
    else:
        (root / ".git").write_text(f"gitdir: {git_dir}\n")
    return root


@pytest.mark.parametrize("link", [True, False])
def test_a_git_entry_that_leads_to_another_repository(scratch: Scratch, link: bool) -> None:
    secret = scratch.repo("secret")
    secret.commit(a="1")
    secret.git("worktree", "add", "-q", "../secret-wt")
    scratch.run(scratch.base, "clone", "-q", "--bare", "secret", "bare.git")
    targets = ("secret/.git", "secret/.git/worktrees/secret-wt", "bare.git")
    for number, target in enumerate(targets):
        evil = point(scratch.base / f"evil{number}", scratch.base / target, link=link)
        assert scratch.run(evil, "rev-parse", "--absolute-git-dir").decode().strip() == str(scratch.base / target)
        assert code(locate(evil)) == "unsafe_repository"
        assert code(locate(evil, opened=[evil])) == "unsafe_repository"


def test_a_git_file_inside_a_repository_that_leads_out_of_it(scratch: Scratch) -> None:
    outer = scratch.repo("outer")
    scratch.run(scratch.base, "clone", "-q", "--bare", "outer", "real.git")
    scratch.run(scratch.base / "real.git", "config", "core.bare", "false")
    assert code(locate(point(outer.root / "gf", "../../real.git"))) == "unsafe_repository"


def test_a_submodules_git_directory_used_by_another_root(scratch: Scratch) -> None:
    make_super(scratch)
    evil = point(scratch.base / "evil", "../super/.git/modules/vendor/lib")
    assert code(locate(evil)) == "unsafe_repository"


def test_a_git_directory_that_shares_anothers_objects_by_commondir(scratch: Scratch) -> None:
    scratch.repo("secret").commit(a="1")
    evil = scratch.repo("evil")
    (evil.root / ".git" / "commondir").write_text("../../secret/.git\n")
    assert evil.text("log", "--all", "--format=%s") == "commit"
    assert code(locate(evil.root)) == "unsafe_repository"


def test_a_moved_worktree_is_told_how_to_mend_it(scratch: Scratch) -> None:
    repo = scratch.repo("main")
    repo.commit(a="1")
    repo.git("worktree", "add", "-q", "../wt")
    (scratch.base / "wt").rename(scratch.base / "moved")
    answer = locate(scratch.base / "moved")
    assert code(answer) == "unsafe_repository"
    assert isinstance(answer, Refusal)
    assert "git worktree repair" in (answer.hint or "")
    scratch.run(scratch.base / "moved", "worktree", "repair")
    assert locate(scratch.base / "moved") == asked(scratch, scratch.base / "moved")


def test_a_work_tree_elsewhere(scratch: Scratch) -> None:
    repo = scratch.repo("main")
    repo.commit(a="1")
    (scratch.base / "elsewhere").mkdir()
    repo.git("config", "core.worktree", str(scratch.base / "elsewhere"))
    assert repo.text("rev-parse", "--show-toplevel") == str(scratch.base / "elsewhere")
    assert code(locate(repo.root)) == "unsafe_repository"
    repo.git("config", "core.worktree", "..")
    assert locate(repo.root) == asked(scratch, repo.root)


def test_a_work_tree_elsewhere_by_the_worktrees_own_configuration(scratch: Scratch) -> None:
    repo = scratch.repo("main")
    repo.commit(a="1")
    repo.git("worktree", "add", "-q", "../wt")
    (scratch.base / "elsewhere").mkdir()
    repo.git("config", "extensions.worktreeConfig", "true")
    scratch.run(scratch.base / "wt", "config", "--worktree", "core.worktree", str(scratch.base / "elsewhere"))
    assert scratch.run(scratch.base / "wt", "rev-parse", "--show-toplevel").decode().strip().endswith("/elsewhere")
    assert code(locate(scratch.base / "wt")) == "unsafe_repository"
    assert locate(repo.root) == asked(scratch, repo.root)


def test_a_bare_repository_inside_a_work_tree_counts_only_where_it_was_opened(scratch: Scratch) -> None:
    outer = scratch.repo("outer")
    inner = outer.root / "fixtures" / "evil"
    scratch.run(outer.root, "init", "-q", "--bare", str(inner))
    answer = locate(inner)
    assert code(answer) == "unsafe_repository"
    assert locate(inner, opened=[inner]) == asked(scratch, inner)
    scratch.run(inner, "config", "core.bare", "false")
    scratch.run(inner, "config", "core.worktree", str(outer.root))
    assert code(locate(inner, opened=[inner])) == "unsafe_repository"


def test_what_is_no_repository(scratch: Scratch) -> None:
    repo = scratch.repo("main")
    plain = scratch.base / "plain"
    (plain / ".git").mkdir(parents=True)
    (repo.root / "sub").mkdir()
    scratch.run(scratch.base, "init", "-q", "--separate-git-dir=sep.git", "sep")
    broken = point(scratch.base / "broken", "../nowhere")
    dangling = point(scratch.base / "dangling", "nowhere", link=True)
    file = repo.write("file", "x")
    roots = [scratch.base / "missing", file, plain, repo.root / "sub", broken, dangling]
    for root in (*roots, repo.root / ".git", scratch.base / "sep.git", Path("/a\0b")):
        assert code(locate(root)) == "not_a_repository"


def test_sha256_and_an_unborn_branch(scratch: Scratch) -> None:
    repo = scratch.repo("s", object_format="sha256")
    assert locate(repo.root) == asked(scratch, repo.root)
    repo.commit(a="1")
    repo.git("checkout", "-q", "--detach")
    assert len((repo.root / ".git/HEAD").read_text()) == 65
    assert locate(repo.root) == asked(scratch, repo.root)


def test_the_drive_letter_is_given_to_git_in_upper_case() -> None:
    assert upper_drive("c:\\work\\r", windows=True) == "C:\\work\\r"
    assert upper_drive("\\\\server\\share", windows=True) == "\\\\server\\share"
    assert upper_drive("/c:/x", windows=False) == "/c:/x"
