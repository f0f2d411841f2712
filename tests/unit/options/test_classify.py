"""The classifier against our own cases, and what its answers carry."""

import pytest

from git_sidecar.model.refusal import Refusal, RefusalCode, Retry
from git_sidecar.model.tier import Tier
from git_sidecar.options.call import Call, Classified, Facts
from git_sidecar.options.classify import classify, operands_of
from tests.unit.options.cases import FACTS, Case, read_cases


@pytest.mark.parametrize("case", tuple(read_cases()), ids=str)
def test_the_call_falls_in_its_class(case: Case) -> None:
    """Tier or refusal code, as the table says."""
    found = classify(case.call, FACTS[case.facts])
    assert (found.code if isinstance(found, Refusal) else found.tier) == case.right, found


def test_the_cases_cover_every_class() -> None:
    """No class is left without a case."""
    codes = {
        RefusalCode.OPTION_NOT_ALLOWED,
        RefusalCode.SUBCOMMAND_NOT_ALLOWED,
        RefusalCode.INVALID_ARGUMENTS,
        RefusalCode.OUTSIDE_WORKSPACE,
        RefusalCode.UNSAFE_REPOSITORY,
        RefusalCode.PROTECTED_BRANCH,
        RefusalCode.AD_HOC_REMOTE,
    }
    assert {case.right for case in read_cases()} == {*Tier, *codes}
    assert {case.facts for case in read_cases()} == set(FACTS)


def _refusal(subcommand: str, *args: str, facts: str = "plain") -> Refusal:
    found = classify(Call(subcommand, args), FACTS[facts])
    assert isinstance(found, Refusal)
    return found


def _passed(subcommand: str, *args: str, facts: str = "plain") -> Classified:
    found = classify(Call(subcommand, args), FACTS[facts])
    assert isinstance(found, Classified), found
    return found


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (("rebase", "-qx", "make"), "--exec (written '-qx')"),
        (("grep", "--open=vi", "x"), "--open-files-in-pager (written '--open=vi')"),
        (("log", "--output=x"), "--output (written '--output=x')"),
        (("commit", "-nm", "x"), "--no-verify (written '-nm')"),
        (("diff", "--submodule=diff"), "--submodule=diff"),
        (("log", "--no-such-thing"), "--no-such-thing"),
    ],
)
def test_a_refused_option_is_named_in_full(call: tuple[str, ...], named: str) -> None:
    """As it is spelled, and as it was written."""
    assert named in _refusal(*call).message


def test_an_ambiguous_beginning_names_what_it_could_be() -> None:
    """So that the next call can write the option out."""
    refusal = _refusal("push", "--fo")
    assert "it could be --follow-tags or --force or --force-if-includes or --force-with-lease" in refusal.message
    assert refusal.hint == "write the option in full"


def test_the_list_of_subcommands_is_in_the_hint() -> None:
    """Of a subcommand that is in no tier, and what does the same."""
    refusal = _refusal("rev-list", "HEAD")
    assert refusal.hint is not None
    assert refusal.hint.startswith("log lists commits. These pass: diff, log, ")
    assert refusal.hint.endswith("push, fetch, pull.")


def test_what_configuration_does_is_for_a_person_to_mend() -> None:
    """The model cannot change it by other arguments."""
    assert _refusal("push", "origin", "main", facts="mirror").effective_retry is Retry.ASK_USER
    assert _refusal("push", "-f", "origin", "main").effective_retry is Retry.NEVER
    assert _refusal("log", "--output=x").effective_retry is Retry.FIX_ARGUMENTS


@pytest.mark.parametrize(
    ("call", "codes"),
    [
        (("diff",), (0,)),
        (("diff", "--exit-code"), (0, 1)),
        (("diff", "--quiet"), (0, 1)),
        (("diff", "--check"), (0, 1, 2, 3)),
        (("log", "--exit-code"), (0, 1)),
        (("grep", "x"), (0, 1)),
        (("check-ignore", "x"), (0, 1)),
        (("ls-files", "--error-unmatch", "x"), (0, 1)),
        (("reflog", "exists", "x"), (0, 1)),
        (("rev-parse", "-q", "--verify", "x"), (0, 1)),
        (("cat-file", "-e", "HEAD"), (0, 1)),
        (("status",), (0,)),
        (("commit", "-m", "x"), (0,)),
    ],
)
def test_exit_codes_that_are_answers(call: tuple[str, ...], codes: tuple[int, ...]) -> None:
    """Exit 1 is no failure where the manual page gives it a meaning."""
    assert _passed(*call).ok_exit_codes == codes


@pytest.mark.parametrize("call", [("merge", "topic"), ("merge", "--continue"), ("revert", "HEAD"), ("pull",)])
def test_the_prepared_message_is_taken(call: tuple[str, ...]) -> None:
    """The editor must accept where git opens one only to show its text."""
    assert _passed(*call).editor_accept
    assert not _passed("commit", "-m", "x").editor_accept


def test_patterns_need_pathspecs_that_are_read() -> None:
    """A name is literal as long as it is one; a file with a wildcard in its name stays that file."""
    assert _passed("add", "app.py").pathspecs_literal
    assert _passed("add", "a[1].py").pathspecs_literal
    assert not _passed("add", "*.py").pathspecs_literal
    both = _passed("add", "*.py", "a[1].py")
    assert both.tail == ("--", "*.py", ":(literal)a[1].py")
    # git check-ignore dies where pathspecs are made literal.
    assert not _passed("check-ignore", "app.py").pathspecs_literal


def test_the_switches_are_those_that_are_on_in_the_end() -> None:
    """The scope of a snapshot hangs on them."""
    found = _passed("stash", "push", "-ua", "--no-all", "-m", "x")
    assert found.switches == {"include-untracked", "message"}
    assert found.options == ("--include-untracked", "--no-all", "--message=x")


def test_operands_are_found_behind_the_options() -> None:
    """Values of options are not looked up."""
    assert operands_of(Call("log", ("-n", "3", "main", "--author", "x", "app.py"))) == ("main", "app.py")
    assert operands_of(Call("log", ("--output=x", "main"))) == ()
    assert operands_of(Call("add", ("/home/u/app/x",)), Facts(root="/home/u/app")) == ("/home/u/app/x",)


@pytest.mark.parametrize("text", ["a\0b", "a\ud800b"])
def test_text_that_no_process_can_be_given_is_refused(text: str) -> None:
    """A NUL ends an argument; half of a surrogate pair has no bytes."""
    assert _refusal("log", text).code is RefusalCode.INVALID_ARGUMENTS
    assert _passed("add", "caf\udce9").paths == ("caf\udce9",)
