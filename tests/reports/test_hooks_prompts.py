"""Reports: hooks are not heard, not run or not believed; editors and prompts wait for nobody."""

import time
from typing import Any

import pytest

from tests.reports.conftest import Opener
from tests.reports.oracle import at, hook, names, paths, program, staged_names, state, told
from tests.support.scratch import Scratch, ScratchRepo

BOUND_S = 20.0


def stage_change(repo: ScratchRepo) -> None:
    """One commit, and one staged change."""
    repo.commit(**{"f.txt": "base\n"})
    repo.write("f.txt", "base\nSECRET=1\n")
    repo.git("add", "-A")


@pytest.mark.parametrize("stream", ["1", "2"], ids=["stdout", "stderr"])
def test_a_hook_that_rejects_is_quoted(repo: ScratchRepo, open_agreeing: Opener, stream: str) -> None:
    stage_change(repo)
    before = state(repo)
    editor = open_agreeing(repo.root)
    for name in ("pre-commit", "commit-msg", "prepare-commit-msg"):
        script = hook(repo, name, f"echo '{name}: f.txt line 2 is bad — ü' >&{stream}\nexit 1")
        for tool, arguments in (
            ("git_commit", {"workdir": str(repo.root)}),
            ("git", {"subcommand": "commit", "repo": str(repo.root)}),
        ):
            error = editor.error(tool, message="x", **arguments)
            assert f"{name}: f.txt line 2 is bad — ü" in told(error)
            assert error["code"] == "hook_rejected"
            assert state(repo) == before
        script.unlink()


@pytest.mark.parametrize("where", ["hooksPath", "relative hooksPath"])
def test_hooks_are_not_bypassed(scratch: Scratch, repo: ScratchRepo, open_agreeing: Opener, where: str) -> None:
    stage_change(repo)
    script = program(
        (repo.root / "hooks" if "relative" in where else scratch.base / "hooks") / "pre-commit",
        'git diff --cached | grep -q SECRET && { echo "secret found" >&2; exit 1; }\nexit 0',
    )
    repo.git("config", "core.hooksPath", "hooks" if "relative" in where else str(script.parent))
    before = state(repo)
    editor = open_agreeing(repo.root)
    assert "secret found" in told(editor.error("git_commit", workdir=str(repo.root), message="x"))
    tiered = {"subcommand": "commit", "message": "x", "repo": str(repo.root)}
    assert "secret found" in told(editor.error("git", **tiered))
    # `args` of a commit are left out, with a warning; none of them may get it past the hook.
    for option in ("--no-verify", "-n", "-nm x"):
        assert not editor.call("git", args=[option], **tiered)["ok"]
    assert state(repo) == before


def test_a_message_that_a_hook_rewrites_is_reported_as_it_is_stored(repo: ScratchRepo, open_agreeing: Opener) -> None:
    stage_change(repo)
    hook(repo, "commit-msg", 'sed -i "1s/^/[ABC-1] /" "$1"')
    made = open_agreeing(repo.root).value("git_commit", workdir=str(repo.root), message="fix it")
    assert made["subject"] == repo.text("log", "-1", "--format=%s") == "[ABC-1] fix it"
    assert made["hash"] == repo.text("rev-parse", "HEAD")


def test_files_that_a_hook_adds_are_reported(repo: ScratchRepo, open_agreeing: Opener) -> None:
    stage_change(repo)
    hook(repo, "pre-commit", "echo gen > gen.lock\ngit add gen.lock")
    editor = open_agreeing(repo.root)
    made = editor.value("git_commit", workdir=str(repo.root), message="with hook")
    committed = names(repo, "diff-tree", "--no-commit-id", "-r", "-z", "--name-only", "HEAD")
    assert paths(made["files"]) == committed == ["f.txt", "gen.lock"]
    assert editor.value("git_status", workdir=str(repo.root))["clean"]


def test_a_signature_that_fails_is_no_unsigned_commit(
    scratch: Scratch, repo: ScratchRepo, open_agreeing: Opener
) -> None:
    stage_change(repo)
    before = state(repo)
    editor = open_agreeing(repo.root)
    for kind, program_key in (("openpgp", "gpg.program"), ("x509", "gpg.x509.program"), ("ssh", "gpg.ssh.program")):
        key = "key::ssh-ed25519 AAAA" if kind == "ssh" else "ABCD"
        values = {"commit.gpgSign": "true", "gpg.format": kind, "user.signingKey": key, program_key: "/bin/false"}
        for name, value in values.items():
            scratch.run(scratch.base, "config", "--global", name, value)
        started = time.monotonic()
        error = editor.error("git_commit", workdir=str(repo.root), message="x")
        assert time.monotonic() - started < BOUND_S
        assert error["code"] == "signing_failed", kind
        assert state(repo) == before
    assert staged_names(repo) == ["f.txt"]


def test_a_remote_that_wants_a_password_does_not_wait_for_one(
    scratch: Scratch, repo: ScratchRepo, open_agreeing: Opener
) -> None:
    repo.commit(**{"f.txt": "base\n"})
    seen = scratch.base / "ssh"
    ssh = program(scratch.base / "bin/fakessh", f'env > {seen}.env\necho "$@" > {seen}.args\nexit 255')
    repo.git("config", "core.sshCommand", str(ssh))
    repo.git("remote", "add", "origin", "ssh://case@host.invalid/x.git")
    editor = open_agreeing(repo.root)
    calls: tuple[tuple[str, dict[str, Any]], ...] = (
        ("git", {"subcommand": "fetch", "args": ["origin"], "repo": str(repo.root)}),
        ("git_fetch", {"remote": "origin"}),
        ("git_push", {"remote": "origin", "branch": "main"}),
    )
    for tool, arguments in calls:
        started = time.monotonic()
        assert not editor.call(tool, confirm=True, **arguments)["ok"], tool
        assert time.monotonic() - started < BOUND_S
        # The person's own program was run, and no prompt could have been shown to nobody.
        arguments_seen, environment_seen = seen.with_suffix(".args"), seen.with_suffix(".env")
        assert "host.invalid" in arguments_seen.read_text(), tool
        environment = environment_seen.read_text().split("\n")
        assert "GIT_TERMINAL_PROMPT=0" in environment
        assert [line for line in environment if line.startswith("SSH_ASKPASS=")] == []
        arguments_seen.unlink()
        environment_seen.unlink()


EDITORS = ("GIT_EDITOR", "EDITOR", "VISUAL", "GIT_SEQUENCE_EDITOR")


@pytest.mark.parametrize("configured", [True, False], ids=["configuration", "environment"])
def test_a_merge_opens_no_editor(scratch: Scratch, repo: ScratchRepo, open_agreeing: Opener, configured: bool) -> None:
    repo.commit(**{"f.txt": "base\n"})
    repo.git("checkout", "-q", "-b", "side")
    side = repo.commit("side", **{"s.txt": "s\n"})
    repo.git("checkout", "-q", "main")
    main = repo.commit("mainline", **{"m.txt": "m\n"})
    mark = scratch.base / "EDITOR_RAN"
    script = program(scratch.base / "bin/ed", f"touch {mark}\nexec sleep 300")
    environment = {"GIT_MERGE_AUTOEDIT": "yes"}
    if configured:
        for key in ("core.editor", "sequence.editor"):
            scratch.run(scratch.base, "config", "--global", key, str(script))
    else:
        environment |= dict.fromkeys(EDITORS, str(script))
    editor = open_agreeing(repo.root, environment=environment)
    started = time.monotonic()
    merged = editor.value("git_merge", workdir=str(repo.root), rev="side")
    assert time.monotonic() - started < BOUND_S
    assert merged["head"] == repo.text("rev-parse", "HEAD")
    assert repo.text("log", "-1", "--format=%P") == f"{main} {side}"
    assert not mark.exists()


def test_a_push_that_a_hook_rejects_is_quoted(scratch: Scratch, repo: ScratchRepo, open_agreeing: Opener) -> None:
    origin = at(scratch, scratch.base / "origin.git")
    scratch.run(scratch.base, "init", "-q", "--bare", str(origin.root))
    repo.commit(**{"f.txt": "base\n"})
    repo.git("remote", "add", "origin", str(origin.root))
    repo.git("push", "-q", "-u", "origin", "main")
    repo.commit("second", **{"f.txt": "2\n"})
    before = origin.text("for-each-ref")
    editor = open_agreeing(repo.root)
    calls: tuple[tuple[str, dict[str, Any]], ...] = (
        ("git", {"subcommand": "push", "args": ["origin", "main"], "repo": str(repo.root)}),
        ("git_push", {"remote": "origin", "branch": "main"}),
    )
    # git passes this hook's own streams through, unlike those of the commit hooks.
    for stream in (1, 2):
        hook(repo, "pre-push", f'echo "Push rejected: requirements must change together" >&{stream}\nexit 1')
        for tool, arguments in calls:
            error = editor.error(tool, confirm=True, **arguments)
            assert "Push rejected: requirements must change together" in told(error), (tool, stream)
            assert origin.text("for-each-ref") == before
