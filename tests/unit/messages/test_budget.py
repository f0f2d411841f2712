"""Fair shares: every file is named, instructions never yield, cuts fall on borders."""

import re

import pytest

from git_sidecar.messages.budget import fit_files, share_out
from git_sidecar.messages.excerpt import Seen, cut_patch
from git_sidecar.messages.facts import ChangedFile, Treatment
from git_sidecar.messages.prompt import build_prompt
from git_sidecar.messages.tokens import estimate_tokens
from git_sidecar.model.changes import ChangeStatus
from tests.unit.messages.made import changed_file, facts, hunk, recent


def many_files(count: int) -> list[ChangedFile]:
    return [
        changed_file(
            f"src/module_{number // 17:02}/component_{number:03}.py",
            hunk(
                " def render(self):",
                f"-    return old_value_{number}",
                f"+    return compute_{number}(self.state, previous)",
                " ",
                *(f"+    extra_{line} = load({line})" for line in range(number % 40)),
            ),
        )
        for number in range(count)
    ]


def test_300_files_are_all_named_and_nine_in_ten_are_seen_with_8000_tokens() -> None:
    files = many_files(290) + [
        changed_file(f"pkg{number}/yarn.lock", hunk("+x"), treatment=Treatment.LOCK) for number in range(10)
    ]
    prompt = build_prompt(facts(files, instructions="Mention the migration."), 8_000)
    text = prompt.messages[1].content
    assert prompt.tokens <= 8_000
    named = [file for file in files if re.search(rf"(?m)^[AMDR] .*{re.escape(file.path.rsplit('/', 1)[1])}\b", text)]
    assert len(named) == 300
    assert prompt.coverage.files == 300
    assert prompt.coverage.full + prompt.coverage.partial >= 0.9 * 290
    shown = sum(f"compute_{number}(" in text or f"old_value_{number}" in text for number in range(290))
    assert shown >= 0.9 * 290
    assert "Mention the migration." in text


def test_shares_are_whole_for_small_needs_and_equal_for_the_rest() -> None:
    assert share_out([10, 500, 500], 210) == [10, 100, 100]
    assert share_out([5, 5], 100) == [5, 5]
    assert share_out([], 100) == []
    assert sum(share_out([7, 9, 11, 400], 30)) <= 30


def test_instructions_never_yield() -> None:
    wish = "Keep the word 'zebra' in the subject. " * 40
    prompt = build_prompt(facts(many_files(200), instructions=wish, recent=recent(*["feat: x"] * 10)), 1_500)
    assert prompt.messages[1].content.count("zebra") == 40
    assert "at most 72 characters" in prompt.messages[0].content


def test_a_big_deleted_file_leaves_room_for_a_real_edit() -> None:
    gone = changed_file(
        "aaa_old.txt",
        hunk(*(f"-line {number}" for number in range(15_000))),
        status=ChangeStatus.DELETED,
        modes=("100644", "000000"),
    )
    fitted = fit_files([gone, changed_file("b.txt", hunk("+real edit"))], 2_000)
    assert "+real edit" in fitted.text
    assert "D aaa_old.txt +0 -15000 (deleted file mode 100644)" in fitted.text
    assert fitted.text.count("-line") < 100


def test_names_that_only_look_like_lock_files_are_shown_in_full() -> None:
    edits = [
        changed_file(path, hunk(f"+edit in {path}"))
        for path in ("src/dead-lock.ts", "src/mutex.lock.ts", "src/blocklist.json")
    ]
    lock = changed_file("yarn.lock", hunk("+left-pad@^1.0.0:"), treatment=Treatment.LOCK)
    text = fit_files([*edits, lock], 4_000).text
    for file in edits:
        assert f"+edit in {file.path}" in text
    assert "M yarn.lock +1 -0 (lock file)" in text
    assert "left-pad" not in text


def test_a_lock_file_alone_is_shown() -> None:
    lock = changed_file("package-lock.json", hunk("-{}", '+{"left-pad":"1.3.0"}'), treatment=Treatment.LOCK)
    fitted = fit_files([lock], 4_000)
    assert '-{}\n+{"left-pad":"1.3.0"}' in fitted.text
    assert fitted.coverage.full == 1


def test_a_binary_is_named_with_its_size_and_an_excluded_file_without_content() -> None:
    picture = changed_file("logo.png", treatment=Treatment.BINARY)
    private = changed_file("private.txt", hunk("+personal"), treatment=Treatment.EXCLUDED)
    fitted = fit_files([picture, private], 1_000)
    assert "M logo.png (binary)" in fitted.text
    assert "M private.txt +1 -0 (content left out)" in fitted.text
    assert "personal" not in fitted.text
    assert (fitted.coverage.full, fitted.coverage.omitted) == (0, 2)


def test_hunks_stay_whole_until_one_does_not_fit() -> None:
    file = changed_file(
        "a.py",
        hunk("+first = 1", start=1),
        hunk(*(f"+second_{number} = {number}" for number in range(50)), start=90),
    )
    excerpt = cut_patch(file, 60)
    assert excerpt.seen is Seen.PARTIAL
    assert excerpt.text.startswith("@@ -1 +1 @@\n+first = 1\n@@ -90 +90 @@\n+second_0 = 0\n")
    assert excerpt.text.endswith("…")
    assert excerpt.tokens <= 60
    assert all(line in file.patch.hunks[1].lines for line in excerpt.text.split("\n")[3:-1])


def test_context_goes_before_changes_do() -> None:
    file = changed_file("a.py", hunk(*(f" context line number {n}" for n in range(40)), "-old", "+new"))
    excerpt = cut_patch(file, 40)
    assert excerpt.text == "@@ -1 +1 @@\n-old\n+new"
    assert excerpt.seen is Seen.FULL


def test_names_that_do_not_fit_are_counted() -> None:
    fitted = fit_files(many_files(500), 400)
    assert fitted.named < 500
    assert f"… and {500 - fitted.named} more files" in fitted.text
    assert estimate_tokens(fitted.text) <= 420


@pytest.mark.parametrize(
    ("text", "real"),
    [
        # Counted with the larger of two public vocabularies (o200k_base, cl100k_base).
        ("def parse_header(line: str) -> Header | None:\n    return None\n", 16),
        ("token 3f1a2b49c8d7e6", 15),
        ("修复解析器在空输入时崩溃的问题", 16),
        ("M src/module_012/component_299.py +299 -2", 13),
    ],
)
def test_the_estimate_is_not_below_what_tokenizers_count(text: str, real: int) -> None:
    assert estimate_tokens(text) >= real
