"""The table of failures: what git says, and the code that a caller gets."""

import pytest

from git_sidecar.git.failures import refusal_for, tail_text
from git_sidecar.git.invocation import Completed
from git_sidecar.model.refusal import Retry

# (subcommand, exit status, stderr, stdout, code); the texts are git 2.39.5's own.
SAID = (
    ("add", 128, "fatal: Unable to create '/r/.git/index.lock': File exists.", "", "repository_locked"),
    ("add", 128, "fatal: LF would be replaced by CRLF in f", "", "command_failed"),
    ("add", 128, "fatal: Pathspec 'sub/f' is in submodule 'sub'", "", "path_not_found"),
    ("status", 128, "fatal: detected dubious ownership in repository at '/r'", "", "unsafe_repository"),
    ("commit", 128, "Author identity unknown\n\n*** Please tell me who you are.", "", "identity_missing"),
    (
        "commit",
        128,
        "error: gpg failed to sign the data\nfatal: failed to write commit object",
        "",
        "signing_failed",
    ),
    ("commit", 1, "", "On branch main\nnothing to commit, working tree clean", "nothing_to_commit"),
    ("commit", 1, "", 'no changes added to commit (use "git add" and/or "git commit -a")', "nothing_to_commit"),
    ("commit", 1, "Aborting commit due to empty commit message.", "", "invalid_arguments"),
    ("commit", 1, "error: pathspec 'x' did not match any file(s) known to git", "", "path_not_found"),
    ("commit", 128, "error: Committing is not possible because you have unmerged files.", "", "operation_in_progress"),
    ("commit", 128, "fatal: cannot do a partial commit during a merge.", "", "operation_in_progress"),
    ("commit", 128, "fatal: You have nothing to amend.", "", "nothing_to_do"),
    ("merge", 1, "", "CONFLICT (content): Merge conflict in f\nAutomatic merge failed; fix", "conflict"),
    ("merge", 128, "fatal: Not possible to fast-forward, aborting.", "", "not_fast_forward"),
    ("merge", 128, "fatal: refusing to merge unrelated histories", "", "command_failed"),
    (
        "merge",
        128,
        "fatal: You have not concluded your merge (MERGE_HEAD exists).",
        "",
        "operation_in_progress",
    ),
    (
        "switch",
        1,
        "error: Your local changes to the following files would be overwritten by checkout:\n\tf\nAborting",
        "",
        "dirty_worktree",
    ),
    ("switch", 128, "fatal: invalid reference: nope", "", "ref_not_found"),
    ("switch", 128, "fatal: 'x' is already checked out at '/w'", "", "command_failed"),
    ("branch", 128, "fatal: a branch named 'x' already exists", "", "ref_exists"),
    ("branch", 1, "error: The branch 'x' is not fully merged.", "", "invalid_arguments"),
    ("tag", 128, "fatal: tag 'v1' already exists", "", "ref_exists"),
    ("stash", 1, "", "No local changes to save", "nothing_to_do"),
    (
        "stash",
        1,
        "u already exists, no checkout\nerror: could not restore untracked files from stash",
        "",
        "dirty_worktree",
    ),
    ("restore", 1, "error: pathspec 'x' did not match any file(s) known to git", "", "path_not_found"),
    ("restore", 1, "error: path 'f' is unmerged", "", "operation_in_progress"),
    ("push", 1, "", "!\trefs/heads/a:refs/heads/a\t[rejected] (non-fast-forward)", "not_fast_forward"),
    ("push", 1, "", "!\trefs/heads/a:refs/heads/a\t[rejected] (stale info)", "not_fast_forward"),
    ("push", 1, "remote: no", "!\trefs/heads/a:refs/heads/a\t[remote rejected] (hook declined)", "remote_rejected"),
    ("push", 1, "error: failed to push some refs to '/o.git'", "Push rejected: change both", "hook_rejected"),
    ("fetch", 128, "fatal: could not read Username for 'https://h': terminal prompts disabled", "", "auth_required"),
    ("fetch", 128, "git@h: Permission denied (publickey).", "", "auth_required"),
    ("fetch", 128, "fatal: couldn't find remote ref refs/heads/x", "", "ref_not_found"),
    ("fetch", 128, "ssh: no route\nfatal: Could not read from remote repository.", "", "command_failed"),
    ("pull", 128, "fatal: Need to specify how to reconcile divergent branches.", "", "not_fast_forward"),
)  # fmt: skip


@pytest.mark.parametrize(("subcommand", "code", "stderr", "stdout", "expected"), SAID)
def test_what_git_says(subcommand: str, code: int, stderr: str, stdout: str, expected: str) -> None:
    refusal = refusal_for(subcommand, Completed(code, stdout.encode(), stderr.encode()))
    assert refusal.code.value == expected
    assert (refusal.exit_code, refusal.stderr or "", refusal.stdout or "") == (code, stderr, stdout)
    assert refusal.message


@pytest.mark.parametrize(
    "said",
    [
        "lint: f.txt line 2 is bad",
        "error: lint failed",
        "fatal: not a git repository",
        "Authentication failed",
        "nothing to commit",
        "Unable to create '/r/.git/index.lock': File exists",
        "CONFLICT in your logic",
        "",
    ],
)
def test_a_commit_that_ends_with_one_was_refused_by_a_hook_whatever_it_says(said: str) -> None:
    refusal = refusal_for("commit", Completed(1, b"", said.encode()))
    assert refusal.code.value == "hook_rejected"
    assert (refusal.stderr or "") == said


def test_a_merge_hook_that_fails_without_a_word_of_git() -> None:
    refusal = refusal_for("merge", Completed(1, b"", b"checks failed\n"))
    assert (refusal.code.value, refusal.stderr) == ("hook_rejected", "checks failed")


def test_words_of_the_network_mean_nothing_elsewhere() -> None:
    refusal = refusal_for("tag", Completed(1, b"", b"error: Authentication failed"))
    assert refusal.code.value == "command_failed"


def test_an_unreachable_remote_can_be_tried_again_later() -> None:
    refusal = refusal_for(
        "fetch", Completed(128, b"", b"fatal: unable to access 'https://h/': Could not resolve host: h")
    )
    assert (refusal.code.value, refusal.retry) == ("command_failed", Retry.LATER)


def test_passwords_never_leave_in_a_refusal() -> None:
    said = b"fatal: unable to access 'https://me:secret-word@host/r.git/': refused"
    refusal = refusal_for("push", Completed(128, b"", said))
    assert "secret-word" not in (refusal.stderr or "") + refusal.message
    assert "host/r.git" in (refusal.stderr or "")


def test_the_tail_is_kept_and_decoded() -> None:
    text = tail_text(b"x" * 20_000 + b"\xff end\n")
    assert text is not None
    assert len(text) == 8_000
    assert text.endswith("� end")
    assert tail_text(b"\n\n") is None
