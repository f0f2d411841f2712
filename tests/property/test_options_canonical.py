"""What was rebuilt is read again as the same: the arguments that git gets mean to us what the call meant."""

import os
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from git_sidecar.model.refusal import Refusal
from git_sidecar.options.call import Call, Classified, Facts
from git_sidecar.options.classify import classify
from tests.support.scratch import Scratch
from tests.unit.options.drawn_calls import OPERANDS, Usages, calls, read_usages
from tests.unit.options.looked_up import read_facts

_EXAMPLES = 5_000 if os.environ.get("GIT_SIDECAR_LONG") == "1" else 300
_SETTINGS = settings(
    max_examples=_EXAMPLES,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.nested_given],
)


@dataclass
class Ground:
    """A plain repository's facts, and the usages of the git at hand."""

    usages: Usages
    facts: Facts


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    """A repository with a remote, an upstream, tags and a stash."""
    scratch = Scratch(tmp_path_factory.mktemp("ground"))
    repo = scratch.repo()
    repo.commit("one", **{"f.plain": "one\n", "f.clean": "one\n", "sub/f.one": "one\n"})
    repo.git("branch", "side")
    repo.commit("two", **{"f.plain": "two\n"})
    repo.git("tag", "v1")
    scratch.run(scratch.base, "clone", "-q", "--bare", "r", "remote.git")
    repo.git("remote", "add", "origin", "../remote.git")
    repo.git("push", "-q", "-u", "origin", "main")
    repo.write("f.plain", "three\n")
    repo.git("stash")
    facts = read_facts(repo.root, Call("log", OPERANDS), scratch.env)
    return Ground(read_usages(repo.root, scratch.env), facts)


def _again(found: Classified, facts: Facts, *, trusted: bool) -> Classified | Refusal:
    subcommand, *args = found.argv(trusted=trusted)
    return classify(Call(subcommand, tuple(args)), facts)


def test_rebuilt_arguments_are_read_as_the_call_was(ground: Ground) -> None:
    """Same tier, same action, same arguments again, whatever was looked up and whoever is trusted."""

    @_SETTINGS
    @given(calls(ground.usages), st.booleans(), st.booleans())
    @example(Call("push", ("-uf", "origin", "side")), True, True)
    @example(Call("push"), True, True)
    @example(Call("push", ("origin", "--delete", "side", "v1")), True, True)
    @example(Call("stash", ("-um", "x")), False, True)
    @example(Call("stash", ("show",)), True, False)
    @example(Call("grep", ("-C2", "--", "-x", "f.plain")), False, True)
    @example(Call("log", ("-5", "--not", "--all", "--exclude=x", "--tags", "--", "f.plain")), False, False)
    @example(Call("switch", ("-",)), False, True)
    @example(Call("add", (":(glob)**", "f[1]")), False, True)
    def check(call: Call, informed: bool, trusted: bool) -> None:
        facts = ground.facts if informed else Facts()
        found = classify(call, facts)
        if isinstance(found, Refusal):
            return
        again = _again(found, facts, trusted=trusted)
        assert isinstance(again, Classified), again
        assert again.argv(trusted=trusted) == found.argv(trusted=trusted)
        assert (again.tier, again.action, again.refspecs) == (found.tier, found.action, found.refspecs)
        assert again.ok_exit_codes == found.ok_exit_codes

    check()


def test_no_token_of_a_rebuilt_call_is_an_option_by_accident(ground: Ground) -> None:
    """What begins with a dash before `--` is an option or a pseudo-revision that the table knows."""

    @_SETTINGS
    @given(calls(ground.usages))
    @example(Call("log", ("--end-of-options", "--output=x")))
    @example(Call("branch", ("--", "-d")))
    def check(call: Call) -> None:
        found = classify(call, ground.facts)
        if isinstance(found, Refusal):
            return
        tail = found.tail[: found.tail.index("--")] if found.after_dashes else found.tail
        for token in tail:
            if token.startswith("-"):
                assert not isinstance(classify(Call(call.subcommand, (*found.words[1:], token, "HEAD"))), Refusal)
                assert token.startswith(("--all", "--not", "--branches", "--tags", "--remotes", "--glob", "--exclude",
                                         "--reflog", "--bisect", "--single-worktree"))  # fmt: skip

    check()
