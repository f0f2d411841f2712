"""From a model's answer to a message in form."""

import pytest

from git_sidecar.messages.answer import find_failure, unwrap_answer
from git_sidecar.messages.clean import keep_trailers, shape_message, strip_answer, strip_partial
from git_sidecar.messages.facts import Form, Start, StartKind
from git_sidecar.messages.history import Style
from git_sidecar.messages.trailers import join_trailers, split_trailers
from git_sidecar.messages.wrap import wrap_body
from tests.unit.messages.made import facts

FORM = Form(Style.CONVENTIONAL, 72, 72, "#", "auto")
SUBJECT = "fix(parser): accept empty input"
MESSAGE = f"{SUBJECT}\n\nReturn an empty tree instead of failing."


@pytest.mark.parametrize(
    "answer",
    [
        MESSAGE,
        f"```\n{MESSAGE}\n```",
        f"```text\n{MESSAGE}\n```\n",
        f"Here is the commit message:\n\n```\n{MESSAGE}\n```\n\nLet me know if you want changes.",
        f"Sure! Here's a commit message for your changes:\n\n{MESSAGE}",
        f"Commit message:\n{MESSAGE}",
        f"Commit message: {MESSAGE}",
        f'"{MESSAGE}"',
        f"{MESSAGE}\n\nThis message follows the conventional format.",
        f"<think>The diff\nchanges a parser.</think>\n{MESSAGE}",
        '{"subject": "fix(parser): accept empty input", "body": "Return an empty tree instead of failing."}',
        '{"message": "fix(parser): accept empty input\\n\\nReturn an empty tree instead of failing."}',
        f"**{SUBJECT}**\n\nReturn an empty tree instead of failing.",
        f"# {MESSAGE}",
        MESSAGE.replace("input\n", "input.\n"),
        MESSAGE.replace("\n\n", "\n"),
        MESSAGE.replace("\n", "\r\n"),
    ],
)
def test_what_stands_round_a_message_is_stripped(answer: str) -> None:
    assert shape_message(strip_answer(unwrap_answer(answer)), FORM, "") == MESSAGE


def test_a_message_that_holds_a_code_block_stays_whole() -> None:
    text = "docs: show the call\n\nCall it so:\n\n```\nrun()\n```"
    assert shape_message(strip_answer(text), FORM, "") == text


def test_trailers_are_kept_as_they_are() -> None:
    said = "Signed-off-by: Ada Lovelace <ada@example.invalid>"
    long = "Link: https://example.invalid/" + "x" * 100
    message = shape_message(f"fix: x\n\nBody.\n\n{long}\n{said}", FORM, said)
    assert message == f"fix: x\n\nBody.\n\n{long}\n{said}"


def test_people_and_closed_issues_that_nobody_named_are_dropped() -> None:
    message = shape_message(
        "fix: x [skip ci]\n\nBody.\nFixes #12\n\nCo-authored-by: Mallory <m@example.invalid>\nReviewed-by: X <x@y.z>",
        FORM,
        "",
    )
    assert message == "fix: x\n\nBody."
    kept = shape_message("fix: x\n\nBody.\n\nFixes #12", FORM, "please say Fixes #12")
    assert kept == "fix: x\n\nBody.\n\nFixes #12"


def test_a_change_id_survives_an_amend() -> None:
    start = Start(StartKind.AMEND, "old words\n\nChange-Id: I0123456789abcdef0123456789abcdef01234567")
    assert keep_trailers("fix: new words", facts([], start=start)).endswith(
        "\n\nChange-Id: I0123456789abcdef0123456789abcdef01234567"
    )


def test_trailers_are_found_as_git_finds_them() -> None:
    assert split_trailers("a\n\nb: c\nd: e") == ("a", ["b: c", "d: e"])
    assert split_trailers("a: b") == ("a: b", [])
    assert split_trailers("a\n\nsome words\nb: c") == ("a\n\nsome words\nb: c", [])
    assert split_trailers("a\n\nsome words\nSigned-off-by: X <x@y.z>")[1] == ["some words", "Signed-off-by: X <x@y.z>"]
    assert join_trailers("a\n\nb: c", ["b: c", "d: e"]) == "a\n\nb: c\nd: e"


def test_bodies_are_wrapped_and_lists_hang() -> None:
    body = "- " + "word " * 20 + "\n- two\n\n" + "text " * 20 + "\n\n    kept " + "as it is " * 12
    lines = wrap_body(body, 40).split("\n")
    assert all(len(line) <= 40 for line in lines if not line.startswith("    "))
    assert lines[1].startswith("  word")
    assert "- two" in lines
    assert lines[-1].startswith("    kept as it is")


def test_no_wrapped_line_opens_a_comment() -> None:
    lines = wrap_body("see issue number " + "x" * 20 + " #12 and more words that follow it", 38, "#").split("\n")
    assert not any(line.startswith("#") for line in lines)


def test_wide_characters_are_wrapped_by_columns() -> None:
    lines = wrap_body("修复解析器在空输入时崩溃的问题" * 4, 40).split("\n")
    assert all(len(line) <= 20 for line in lines)
    assert len(lines) == 3


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("", "nothing"),
        ("  \n```\n", "nothing"),
        ("...", "nothing"),
        ("I'm sorry, but I can't help with that.", "refused"),
        ("I cannot write a commit message for this.", "refused"),
        ("As an AI language model, I do not see a diff.", "refused"),
        ("diff --git a/x b/x\n--- a/x\n+++ b/x", "was sent"),
        ("<<<MATERIAL-abc the change: 1 files>>>", "was sent"),
        (
            "Write one message. Answer with the message alone: no preamble, no quotes, no code fence, please",
            "instructions",
        ),
        ("<!DOCTYPE html><html></html>", "something else"),
    ],
)
def test_what_is_no_message(answer: str, said: str) -> None:
    rules = "Answer with the message alone: no preamble, no quotes, no code fence, no remarks."
    failure = find_failure(unwrap_answer(answer), rules, "+some line of a diff", "MATERIAL-0123")
    assert failure is not None
    assert said in failure


def test_an_echo_of_the_material_line_by_line() -> None:
    material = "\n".join(f"+    value_{number} = compute({number})" for number in range(6))
    assert find_failure(material, "", material, "M") == "the model gave back what it was sent"


@pytest.mark.parametrize(
    "message",
    [
        MESSAGE,
        "fix: handle the case where I cannot be found",
        "docs: apologize for the delay",
        "feat: add an index to users",
    ],
)
def test_what_is_a_message(message: str) -> None:
    assert find_failure(message, "Answer with the message alone.", "+x", "MATERIAL-0") is None


def test_partial_text_hides_thinking_and_fences() -> None:
    assert strip_partial("<think>well") == ""
    assert strip_partial("<think>well</think>\nfix: x") == "fix: x"
    assert strip_partial("```text\nfix: x") == "fix: x"
