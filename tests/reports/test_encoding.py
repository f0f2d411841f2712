"""Reports: text that is not ASCII, or whose line ends are not LF, is mangled, split or taken for a failure."""

import pytest

from tests.reports.conftest import Opener
from tests.reports.oracle import complaint, names, numstat, paths, staged_diff, staged_names, state, told
from tests.support.scratch import Scratch, ScratchRepo


def configure(scratch: Scratch, **values: str) -> None:
    """Set keys of the user's configuration; `__` stands for the dot."""
    for key, value in values.items():
        scratch.run(scratch.base, "config", "--global", key.replace("__", "."), value)


@pytest.mark.parametrize(("autocrlf", "content"), [("true", b"a\nb\n"), ("input", b"a\r\nb\r\n")], ids=["lf", "crlf"])
def test_a_warning_about_line_ends_is_no_failure(
    scratch: Scratch, repo: ScratchRepo, open_agreeing: Opener, autocrlf: str, content: bytes
) -> None:
    repo.commit(**{"f.txt": "base\n"})
    configure(scratch, core__autocrlf=autocrlf, core__safecrlf="warn")
    repo.write("ends.txt", content)
    editor = open_agreeing(repo.root)
    added = editor.call("git_add", workdir=str(repo.root), paths=["ends.txt"])
    assert added["ok"], added
    assert paths(added["value"]["stagedFiles"]) == staged_names(repo) == ["ends.txt"]
    status = editor.value("git_status", workdir=str(repo.root))
    assert (paths(status["staged"]), status["unstaged"], status["untracked"]) == (["ends.txt"], [], [])


def test_a_refusal_about_line_ends_is_told_and_stages_nothing(
    scratch: Scratch, repo: ScratchRepo, open_agreeing: Opener
) -> None:
    repo.commit(**{"f.txt": "base\n"})
    configure(scratch, core__autocrlf="input", core__safecrlf="true")
    repo.write("crlf.txt", "a\r\nb\r\n")
    said = complaint(repo, "add", "crlf.txt")
    assert "CRLF would be replaced by LF" in said
    before = state(repo)
    assert said in told(open_agreeing(repo.root).error("git_add", workdir=str(repo.root), paths=["crlf.txt"]))
    assert state(repo) == before


@pytest.mark.parametrize("quote_path", ["true", "false"])
def test_names_come_back_as_they_can_be_sent_again(
    scratch: Scratch, repo: ScratchRepo, open_agreeing: Opener, quote_path: str
) -> None:
    files = ("café ü.txt", "日本.md", "\U0001f600.txt", "e\u0301 decomposed.txt")
    repo.commit(**dict.fromkeys(files, "1\n"))
    for name in files:
        repo.write(name, "1\n2\n")
    repo.git("add", "-A")
    expected = staged_diff(repo)
    configure(scratch, core__quotePath=quote_path)
    editor = open_agreeing(repo.root)
    status = editor.value("git_status", workdir=str(repo.root))
    assert paths(status["staged"]) == sorted(files)
    # The text of the diff is git's own at its defaults, so it quotes; `files` has the names as they are.
    staged = editor.staged("r")
    assert staged["diff"] == expected
    assert paths(staged["files"]) == sorted(files)
    for number, name in enumerate(files):
        assert editor.value("git_restore", workdir=str(repo.root), paths=[name], staged=True)["restored"] == [name]
        assert sorted(staged_names(repo)) == sorted(files[number + 1 :])


SUBJECTS = {"ISO-8859-1": "Café ouvert", "EUC-JP": "日本語", "CP1251": "Привет", "UTF-8": "🚀"}


def test_commits_in_another_encoding_are_read_as_unicode(
    scratch: Scratch, repo: ScratchRepo, open_editor: Opener
) -> None:
    for encoding, subject in SUBJECTS.items():
        repo.git("config", "i18n.commitEncoding", encoding)
        repo.git("commit", "-q", "--allow-empty", "-F", "-", stdin=f"{subject}\n".encode(encoding))
    expected = list(reversed(SUBJECTS.values()))
    assert repo.git("log", "--encoding=UTF-8", "--format=%s").decode().split("\n")[:-1] == expected
    editor = open_editor(repo.root)
    for output in ("ISO-8859-1", "UTF-16", "UTF-8"):
        configure(scratch, i18n__logOutputEncoding=output)
        commits = editor.value("git_log", workdir=str(repo.root))["commits"]
        assert [commit["subject"] for commit in commits] == expected, output
        shown = [
            editor.value("git_show", workdir=str(repo.root), rev=commit["hash"])["commit"]["subject"]
            for commit in commits
        ]
        assert shown == expected, output


RENAMES = {"🚀_old.rs": "🚀 new.rs", "日.txt": "本 語.txt", "a b": "é\u0301 ü", "🇩🇪": "x -> 🇫🇷"}


def test_a_renamed_file_keeps_both_names_whole(repo: ScratchRepo, open_editor: Opener) -> None:
    for old in RENAMES:
        repo.write(old, f"{old}\n" * 30)
    repo.commit()
    for old, new in RENAMES.items():
        repo.git("mv", old, new)
    records = iter(names(repo, "diff", "--cached", "-M", "--name-status", "-z"))
    assert {(code, old): new for code, old, new in zip(records, records, records, strict=True)} == {
        ("R100", old): new for old, new in RENAMES.items()
    }
    status = open_editor(repo.root).value("git_status", workdir=str(repo.root))
    assert {entry["oldPath"]: entry["path"] for entry in status["staged"]} == RENAMES
    assert (len(status["staged"]), status["unstaged"], status["untracked"]) == (len(RENAMES), [], [])


LOCALES = {
    "C": {"LC_ALL": "C"},
    "POSIX": {"LC_ALL": "POSIX", "LANG": "POSIX"},
    "missing": {"LC_ALL": "xx_YY.ISO-8859-15"},
    "german": {"LC_ALL": "", "LANG": "de_DE.UTF-8", "LANGUAGE": "de"},
    "ascii": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"},
    "cp1252": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "cp1252:strict"},
}


@pytest.mark.parametrize("locale", LOCALES)
def test_the_servers_locale_changes_nothing(repo: ScratchRepo, open_editor: Opener, locale: str) -> None:
    repo.commit(**{"f.txt": "base\n"})
    repo.write("f.txt", "naïve — “quoted” ✓ 🚀\n")
    repo.write("ñ.txt", "ñ\n")
    repo.git("add", "-A")
    editor = open_editor(repo.root, environment=LOCALES[locale])
    staged = editor.staged("r")
    assert staged["diff"] == staged_diff(repo)
    assert paths(staged["files"]) == ["f.txt", "ñ.txt"]
    assert paths(editor.value("git_status", workdir=str(repo.root))["staged"]) == ["f.txt", "ñ.txt"]


def test_only_a_line_feed_ends_a_line(repo: ScratchRepo, open_editor: Opener) -> None:
    repo.commit(**{"f.txt": "base\n"})
    look_alikes = ["\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029", "\r"]
    repo.write("f.txt", f"base\n{'text'.join(look_alikes)}end\nCRLF\r\n")
    repo.git("add", "-A")
    editor = open_editor(repo.root)
    staged = editor.staged("r")
    assert staged["diff"] == staged_diff(repo)
    stat = editor.value("git_diff", workdir=str(repo.root), staged=True, stat=True)["stat"]
    counted = [(file["additions"], file["deletions"]) for file in (*staged["files"], *stat)]
    assert counted == [numstat(repo, "--cached")["f.txt"]] * 2 == [(2, 0)] * 2
    repo.git("commit", "-q", "-m", "x")
    # The text of one line with a look-alike in it is one line of a blamed file too.
    blamed = editor.value("git_blame", workdir=str(repo.root), path="f.txt")["lines"]
    assert len(blamed) == len(repo.git("show", "HEAD:f.txt").split(b"\n")) - 1
