"""Reports: names that look like options, patterns or syntax are read as such, and other files are hit."""

from tests.reports.conftest import Opener
from tests.reports.oracle import names, paths, staged_diff, staged_names
from tests.support.scratch import ScratchRepo

DASHED = ("-test.txt", "--all", "-A", "--", "-", "--force", "-p", "--pathspec-from-file=x")


def test_a_leading_dash_makes_no_option(repo: ScratchRepo, open_agreeing: Opener) -> None:
    repo.commit(**{"f.txt": "base\n"})
    for name in (*DASHED, "other.txt"):
        repo.write(name, "1\n")
    editor = open_agreeing(repo.root)
    where = str(repo.root)
    for number, name in enumerate(DASHED, 1):
        added = editor.value("git_add", workdir=where, paths=[name])
        assert paths(added["stagedFiles"]) == [name]
        assert staged_names(repo) == sorted(DASHED[:number])
        shown = editor.value("git_diff", workdir=where, staged=True, paths=[name])
        assert shown["diff"] == repo.git("diff", "--cached", "--", f":(literal){name}").decode() != ""
        assert paths(shown["files"]) == [name]
    assert names(repo, "ls-files", "-oz") == ["other.txt"]
    restored = editor.value("git_restore", workdir=where, paths=list(DASHED), staged=True)
    assert sorted(restored["restored"]) == sorted(DASHED)
    assert staged_names(repo) == []


SPECIAL = (
    *('a\nb".txt', "tab\there.txt", "back\\slash.txt", " leading and trailing ", "a -> b.txt", "{x => y}"),
    *("quote'd", "\\303\\251", '"quoted"', "cr\r.txt", "\x1b[31mred", "$(touch x)", "`touch x`", "a;b", "#x", "\\"),
)


def test_special_characters_in_names(repo: ScratchRepo, open_agreeing: Opener) -> None:
    repo.commit(**{"f.txt": "base\n"})
    for name in SPECIAL:
        repo.write(name, "x\n")
    repo.git("add", "-A")
    editor = open_agreeing(repo.root)
    where = str(repo.root)
    status = editor.value("git_status", workdir=where)
    assert paths(status["staged"]) == sorted(staged_names(repo)) == sorted(SPECIAL)
    assert {entry["status"] for entry in status["staged"]} == {"added"}
    staged = editor.staged("r")
    assert staged["diff"] == staged_diff(repo)
    assert paths(staged["files"]) == sorted(SPECIAL)
    left = set(SPECIAL)
    for name in SPECIAL[:4]:
        assert editor.value("git_restore", workdir=where, paths=[name], staged=True)["restored"] == [name]
        left.discard(name)
        assert set(staged_names(repo)) == left


PATTERNS = ("*.md", "?otes.md", "[n]otes.md", "**", "**.md", "n*", ":(glob)**", ":!x", ":(top)notes.md", ":^x")


def test_discarding_a_name_that_looks_like_a_pattern_spares_the_others(
    repo: ScratchRepo, open_agreeing: Opener
) -> None:
    files = (*PATTERNS, "notes.md", "x", "sub/notes.md")
    repo.commit(**dict.fromkeys(files, "1\n"))
    for name in files:
        repo.write(name, "precious\n")
    editor = open_agreeing(repo.root)
    left = set(files)
    for pattern in PATTERNS:
        assert editor.value("git_restore", workdir=str(repo.root), paths=[pattern])["restored"] == [pattern]
        assert (repo.root / pattern).read_text() == "1\n"
        left.discard(pattern)
        assert set(names(repo, "diff", "--name-only", "-z")) == left, pattern


def test_staging_a_name_that_looks_like_a_pattern_stages_it_alone(repo: ScratchRepo, open_agreeing: Opener) -> None:
    repo.commit(**{"ordinary.txt": "1\n", "sub/notes.md": "1\n"})
    repo.write("ordinary.txt", "2\n")
    repo.write("sub/notes.md", "2\n")
    for pattern in PATTERNS:
        repo.write(pattern, "t\n")
    editor = open_agreeing(repo.root)
    for pattern in PATTERNS:
        editor.value("git_add", workdir=str(repo.root), paths=[pattern])
        assert staged_names(repo) == [pattern]
        repo.git("reset", "-q")


def test_pathspec_magic_names_no_file(repo: ScratchRepo, open_agreeing: Opener) -> None:
    repo.commit(**{"ordinary.txt": "1\n"})
    repo.write("ordinary.txt", "2\n")
    editor = open_agreeing(repo.root)
    for magic in (":/", ":(top)", ":", ":(exclude)f.txt", "*.none", ":/ordinary.txt"):
        assert editor.error("git_add", workdir=str(repo.root), paths=[magic])["code"] == "path_not_found", magic
        assert editor.error("git_restore", workdir=str(repo.root), paths=[magic])["code"] == "path_not_found", magic
    assert staged_names(repo) == []
    assert names(repo, "diff", "--name-only", "-z") == ["ordinary.txt"]
