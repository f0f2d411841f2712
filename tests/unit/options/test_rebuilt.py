"""What git is given: canonical spellings, our options behind the caller's, operands where the subcommand wants them."""

import shlex
import subprocess

import pytest

from git_sidecar.model.tier import Tier
from git_sidecar.options.call import Call, Classified, RefSpec
from git_sidecar.options.classify import classify
from tests.support.scratch import Scratch
from tests.unit.options.cases import FACTS

_DIFF = "--submodule=short --no-color --no-ext-diff --no-textconv"
_LOG = f"{_DIFF} --no-show-signature"


def _passed(written: str, facts: str = "plain") -> Classified:
    subcommand, *args = shlex.split(written)
    found = classify(Call(subcommand, tuple(args)), FACTS[facts])
    assert isinstance(found, Classified), found
    return found


@pytest.mark.parametrize(
    ("written", "rebuilt"),
    [
        ("diff -U5 HEAD~1 app.py", f"diff --unified=5 {_DIFF} HEAD~1 -- app.py"),
        ("diff app.py src", f"diff {_DIFF} -- app.py src"),
        ("diff --color", "diff --color --submodule=short --no-ext-diff --no-textconv"),
        ("diff --color-words", "diff --color-words --submodule=short --no-ext-diff --no-textconv"),
        ("diff --submodule", "diff --submodule --no-color --no-ext-diff --no-textconv"),
        ("log", f"log --pretty=medium {_LOG}"),
        ("log -3", f"log --max-count=3 --pretty=medium {_LOG}"),
        ("log -n3 --oneline main", f"log --max-count=3 --oneline {_LOG} main --"),
        ("log --format=%h --not main --all", f"log --pretty=%h {_LOG} --not main --all --"),
        ("log -S ''", f"log -S '' --pretty=medium {_LOG}"),
        ("show v1", f"show --pretty=medium {_LOG} v1 --"),
        ("reflog main", f"reflog show --pretty=oneline {_LOG} main --"),
        ("stash list -2", f"stash list --max-count=2 {_LOG}"),
        ("stash show", f"stash show --stat {_DIFF}"),
        ("stash show -p", f"stash show --patch {_DIFF}"),
        ("stash -um x", "stash push --include-untracked --message=x"),
        ("blame -wL1,2 app.py", "blame -w -L1,2 --no-textconv -- app.py"),
        ("blame app.py HEAD~1", "blame --no-textconv HEAD~1 -- app.py"),
        ("grep -in needle HEAD", ("grep --ignore-case --line-number -eneedle --no-color --no-textconv "
         "--no-recurse-submodules HEAD --")),
        ("grep -2 -- -x", "grep --context=2 -e-x --no-color --no-textconv --no-recurse-submodules"),
        ("grep -e a --and ( -e b )", "grep -ea --and ( -eb ) --no-color --no-textconv --no-recurse-submodules"),
        ("status -sb src", "status --short --branch -- src"),
        ("branch", "branch --no-color --no-column"),
        ("branch --merged", "branch --merged=HEAD --no-color --no-column"),
        ("branch -Dq topic", "branch -D --quiet topic"),
        ("branch topic -- HEAD~1", "branch topic HEAD~1"),
        ("tag -afm text v1", "tag --annotate --force --message=text v1"),
        ("switch -", "switch --no-overwrite-ignore @{-1}"),
        ("switch -C x", "switch --force-create=x"),
        ("checkout topic", "checkout topic --"),
        ("checkout app.py", "checkout -- app.py"),
        ("checkout -b x main", "checkout -bx main"),
        ("reset app.py", "reset -- app.py"),
        ("reset --har HEAD~1", "reset --hard HEAD~1 --"),
        ("merge topic", "merge --no-edit topic"),
        ("merge --abort", "merge --abort"),
        ("revert HEAD", "revert --no-edit HEAD"),
        ("cherry-pick --continue", "cherry-pick --continue"),
        ("commit -am x app.py", "commit --all --message=x -- app.py"),
        ("commit -m ''", "commit --message="),
        ("rm -r src", "rm -r -- src"),
        ("worktree list", "worktree list"),
        ("remote -v show -n origin", "remote --verbose show -n origin"),
        ("notes", "notes list"),
        ("notes --ref=x show HEAD", "notes --ref=x show HEAD"),
    ],
)  # fmt: skip
def test_a_call_is_rebuilt(written: str, rebuilt: str) -> None:
    """In a trusted workspace, with everything looked up."""
    assert _passed(written).argv(trusted=True) == tuple(shlex.split(rebuilt))


@pytest.mark.parametrize(
    ("written", "rebuilt"),
    [
        ("diff", "diff --no-color --no-ext-diff --no-textconv --ignore-submodules=dirty --submodule=short"),
        ("diff --ignore-submodules=none --submodule=log",
         ("diff --ignore-submodules=none --submodule=log --no-color --no-ext-diff --no-textconv "
         "--ignore-submodules=dirty --submodule=short")),
        ("status --ignore-submodules=none", "status --ignore-submodules=none --ignore-submodules=dirty"),
        ("stash show", ("stash show --stat --no-color --no-ext-diff --no-textconv --ignore-submodules=dirty "
         "--submodule=short")),
    ],
)  # fmt: skip
def test_without_trust_submodules_stay_closed(written: str, rebuilt: str) -> None:
    """Our options come last, so that the caller's cannot undo them."""
    assert _passed(written).argv(trusted=False) == tuple(shlex.split(rebuilt))


@pytest.mark.parametrize(
    ("facts", "written", "rebuilt"),
    [
        ("plain", "push", "push origin refs/heads/main:refs/heads/main"),
        ("plain", "push origin HEAD", "push origin refs/heads/main:refs/heads/main"),
        ("plain", "push origin topic", "push origin refs/heads/topic:refs/heads/topic"),
        ("plain", "push origin v1", "push origin refs/tags/v1:refs/tags/v1"),
        ("plain", "push origin both", "push origin refs/heads/both:refs/heads/both"),
        ("plain", "push origin tag both", "push origin refs/tags/both:refs/tags/both"),
        ("plain", "push origin HEAD~1:review", "push origin HEAD~1:refs/heads/review"),
        ("plain", "push origin v1:old", "push origin refs/tags/v1:refs/tags/old"),
        ("plain", "push origin +topic", "push origin +refs/heads/topic:refs/heads/topic"),
        ("plain", "push origin -d topic v1", "push origin :refs/heads/topic :refs/tags/v1"),
        ("plain", "push origin unknown", "push origin unknown"),
        ("plain", "push backup", "push backup refs/heads/main:refs/heads/main"),
        ("plain", "push --all", "push --all origin"),
        ("plain", "push --branches", "push --all origin"),
        ("none", "push", "push"),
        ("none", "push origin", "push origin"),
        ("topic", "push -u", "push --set-upstream origin refs/heads/topic:refs/heads/topic"),
        ("detached", "push origin HEAD:x", "push origin HEAD:refs/heads/x"),
        ("mapped", "push", "push origin refs/heads/main:refs/heads/review"),
        ("matching", "push", "push origin :"),
        ("pushdefault", "push", "push backup refs/heads/main:refs/heads/main"),
        ("plain", "fetch", "fetch origin"),
        ("plain", "fetch --all", "fetch --all"),
        ("plain", "fetch origin tag v1", "fetch origin refs/tags/v1:refs/tags/v1"),
        ("plain", "pull --rebase", "pull --rebase --no-edit origin"),
    ],
)
def test_a_remote_is_named_and_refspecs_are_full(facts: str, written: str, rebuilt: str) -> None:
    """So that configuration adds nothing that a person did not see."""
    assert _passed(written, facts).argv(trusted=True) == tuple(shlex.split(rebuilt))


def test_what_a_push_does_is_told() -> None:
    """Remote, refspecs, and whether it overwrites or deletes."""
    found = _passed("push --force origin topic HEAD~1:x")
    assert (found.action, found.remote, found.forced_push, found.network) == ("forced-push", "origin", True, True)
    assert found.refspecs == (
        RefSpec("refs/heads/topic", "refs/heads/topic", forced=False),
        RefSpec("HEAD~1", "refs/heads/x", forced=False),
    )
    deleted = _passed("push origin :topic")
    assert (deleted.action, deleted.forced_push) == ("delete", True)
    assert deleted.refspecs == (RefSpec(None, "refs/heads/topic", forced=False),)
    plain = _passed("push")
    assert (plain.action, plain.forced_push) == ("push", False)


def test_configuration_that_adds_to_a_call_is_overridden() -> None:
    """Local tags are not deleted by a fetch, and status is not coloured."""
    assert _passed("fetch").config == (("fetch.pruneTags", "false"), ("remote.origin.pruneTags", "false"))
    assert _passed("status").config == (("color.status", "false"),)


def test_the_branch_switched_to_may_not_overwrite_an_ignored_file(scratch: Scratch) -> None:
    """Which plain git does without a word; that is why a switch can be a write."""
    repo = scratch.repo()
    repo.commit("one", **{".gitignore": "secret\n"})
    repo.git("switch", "-q", "-c", "topic")
    repo.write("secret", "theirs\n")
    repo.git("add", "-f", "secret")
    repo.git("commit", "-q", "-m", "tracked")
    repo.git("switch", "-q", "main")
    mine = repo.write("secret", "mine\n")
    found = _passed("switch topic")
    assert found.tier is Tier.WRITE
    repo.git(*found.argv(trusted=True), check=False)
    assert mine.read_text() == "mine\n"
    repo.git("switch", "-q", "topic")
    assert mine.read_text() == "theirs\n"


@pytest.mark.parametrize("subcommand", ["merge", "rebase", "cherry-pick", "revert"])
def test_what_stopped_half_way_goes_on(subcommand: str, scratch: Scratch) -> None:
    """After a conflict: the prepared message is taken, and nothing waits for an editor."""
    repo = scratch.repo()
    repo.commit("one", f="one\n")
    repo.git("switch", "-q", "-c", "topic")
    repo.commit("two", f="two\n")
    repo.git("switch", "-q", "main")
    repo.commit("three", f="three\n")
    repo.commit("four", f="four\n")
    target = {"revert": "HEAD~1", "rebase": "--onto topic HEAD~1"}.get(subcommand, "topic")
    begun = _passed(f"{subcommand} {target}")
    repo.git(*begun.argv(trusted=True), check=False)
    assert repo.text("ls-files", "-u")
    repo.write("f", "both\n")
    repo.git("add", "f")
    going = _passed(f"{subcommand} --continue")
    env = {**scratch.env, "GIT_EDITOR": ":" if going.editor_accept else "false"}
    command = ["git", *going.argv(trusted=True)]
    subprocess.run(command, cwd=repo.root, env=env, check=True, stdin=subprocess.DEVNULL, capture_output=True)
    assert repo.text("show", "HEAD:f") == "both"
    assert repo.text("status", "--porcelain") == ""
