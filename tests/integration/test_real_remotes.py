"""git_fetch, git_pull and git_push against real servers: git's own protocol, smart HTTP, ssh."""

import time
from collections.abc import AsyncIterator, Generator
from typing import Any

import pytest

from git_sidecar.tools.contract import ToolContext
from tests.support.remote_servers import PASSWORD, USER, serve_git, serve_http, use_ssh_command
from tests.support.remotes import Pair, make_pair
from tests.support.scratch import Scratch
from tests.support.toolbox import Answer, Toolbox

# No server here is slow; what takes this long hangs.
PATIENCE_S = 20.0


@pytest.fixture
def pair(scratch: Scratch) -> Pair:
    """Two repositories and their bare remote, which takes pushes by any door."""
    pair = make_pair(scratch)
    scratch.run(pair.origin, "config", "http.receivepack", "true")
    return pair


@pytest.fixture(params=["git", "http", "ssh"])
def url(request: pytest.FixtureRequest, scratch: Scratch, pair: Pair) -> Generator[str]:
    """The remote's URL by each protocol."""
    match request.param:
        case "git":
            with serve_git(scratch) as base:
                yield f"{base}/origin.git"
        case "http":
            with serve_http(scratch) as base:
                yield f"{base}/origin.git"
        case _:
            use_ssh_command(pair.mine)
            yield f"ssh://me@host.invalid{pair.origin}"


@pytest.fixture
async def toolbox(pair: Pair) -> AsyncIterator[Toolbox]:
    """The tools in `mine`."""
    box = Toolbox(pair.mine)
    yield box
    await box.close()


async def call_in_time(toolbox: Toolbox, name: str, **arguments: Any) -> Answer:
    """Call a tool; nothing may wait for somebody who is not there."""
    started = time.monotonic()
    answer = await toolbox.call(name, **arguments)
    assert time.monotonic() - started < PATIENCE_S
    return answer


async def test_push_fetch_and_pull(pair: Pair, toolbox: Toolbox, url: str) -> None:
    pair.mine.git("remote", "set-url", "origin", url)
    old = pair.remote()
    new = pair.mine.commit("mine", mine="1\n")
    pushed = await call_in_time(toolbox, "git_push")
    assert pushed.code is None, pushed.refusal
    assert [(ref["name"], ref["old"], ref["new"]) for ref in pushed.value["refs"]] == [("refs/heads/main", old, new)]
    assert pair.remote() == new
    pair.theirs.git("pull", "-q", "--ff-only")
    theirs = pair.theirs.commit("theirs", theirs="1\n")
    pair.theirs.git("push", "-q")
    fetched = await call_in_time(toolbox, "git_fetch")
    assert fetched.code is None, fetched.refusal
    assert pair.mine.text("rev-parse", "refs/remotes/origin/main") == theirs
    pulled = await call_in_time(toolbox, "git_pull")
    assert pulled.code is None, pulled.refusal
    assert pair.mine.text("rev-parse", "HEAD") == theirs


async def test_what_the_remote_refuses(scratch: Scratch, pair: Pair, toolbox: Toolbox, url: str) -> None:
    pair.mine.git("remote", "set-url", "origin", url)
    theirs = pair.theirs.commit("theirs", theirs="1\n")
    pair.theirs.git("push", "-q")
    pair.mine.commit("mine", mine="1\n")
    assert (await call_in_time(toolbox, "git_push")).code == "not_fast_forward"
    assert pair.remote() == theirs
    assert (await call_in_time(toolbox, "git_fetch", branch="nope")).code == "ref_not_found"
    diverged = await call_in_time(toolbox, "git_pull")
    assert diverged.code == "not_fast_forward"
    assert not (pair.mine.root / ".git/MERGE_HEAD").exists()
    pair.mine.git("reset", "-q", "--hard", theirs)
    pair.mine.commit("mine", mine="1\n")
    hook = pair.origin / "hooks" / "update"
    hook.write_text("#!/bin/sh\necho 'not on my watch' >&2\nexit 1\n")
    hook.chmod(0o755)
    refused = await call_in_time(toolbox, "git_push")
    assert refused.code == "remote_rejected"
    assert refused.refusal is not None
    assert "not on my watch" in (refused.refusal.stderr or "")
    assert pair.remote() == theirs


class Heard:
    """Progress that is written down."""

    def __init__(self) -> None:
        self.steps: list[tuple[str, int | None]] = []

    def report(self, message: str, percentage: int | None = None) -> None:
        """Note it."""
        self.steps.append((message, percentage))


async def test_gits_own_percentage_is_reported(
    pair: Pair, toolbox: Toolbox, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair.mine.git("remote", "set-url", "origin", url)
    for number in range(30):
        pair.mine.write(f"f{number}", f"{number}\n" * 50)
    pair.mine.commit("many")
    heard = Heard()
    context = toolbox.context

    def with_progress(directory: str = "") -> ToolContext:
        made = context(directory)
        return ToolContext(
            made.repository,
            made.directory,
            made.settings,
            made.allowed_roots,
            heard,
            made.operations,
            made.session,
        )

    monkeypatch.setattr(toolbox, "context", with_progress)
    assert (await call_in_time(toolbox, "git_push")).code is None
    percentages = [percentage for _, percentage in heard.steps if percentage is not None]
    assert percentages
    assert all(0 <= percentage <= 100 for percentage in percentages)
    assert any("bjects" in message for message, _ in heard.steps)


# Signing in.


async def test_a_password_that_nobody_gives_is_not_waited_for(scratch: Scratch, pair: Pair, toolbox: Toolbox) -> None:
    pair.mine.commit("mine", mine="1\n")
    with serve_http(scratch, with_password=True) as base:
        pair.mine.git("remote", "set-url", "origin", f"{base}/origin.git")
        for name in ("git_fetch", "git_push", "git_pull"):
            answer = await call_in_time(toolbox, name)
            assert (name, answer.code) == (name, "auth_required")
            assert answer.refusal is not None
            assert answer.refusal.hint is not None


async def test_a_wrong_password_is_not_shown(scratch: Scratch, pair: Pair, toolbox: Toolbox) -> None:
    with serve_http(scratch, with_password=True) as base:
        host = base.removeprefix("http://")
        pair.mine.git("remote", "set-url", "origin", f"http://{USER}:wrong-word@{host}/origin.git")
        answer = await call_in_time(toolbox, "git_fetch")
    assert answer.code == "auth_required"
    assert "wrong-word" not in repr(answer.refusal)


async def test_a_credential_helper_signs_in(scratch: Scratch, pair: Pair, toolbox: Toolbox) -> None:
    new = pair.mine.commit("mine", mine="1\n")
    helper = scratch.base / "helper"
    helper.write_text(f"#!/bin/sh\necho username={USER}\necho password={PASSWORD}\n")
    helper.chmod(0o755)
    pair.mine.git("config", "credential.helper", str(helper))
    with serve_http(scratch, with_password=True) as base:
        pair.mine.git("remote", "set-url", "origin", f"{base}/origin.git")
        answer = await call_in_time(toolbox, "git_push")
    assert answer.code is None, answer.refusal
    assert pair.remote() == new


async def test_a_password_in_the_url_works_and_is_hidden(scratch: Scratch, pair: Pair, toolbox: Toolbox) -> None:
    new = pair.mine.commit("mine", mine="1\n")
    with serve_http(scratch, with_password=True) as base:
        host = base.removeprefix("http://")
        pair.mine.git("remote", "set-url", "origin", f"http://{USER}:{PASSWORD}@{host}/origin.git")
        answer = await call_in_time(toolbox, "git_push")
    assert answer.code is None, answer.refusal
    assert pair.remote() == new
    assert PASSWORD not in repr((answer.value, answer.text, answer.cards))


async def test_ssh_without_a_key(pair: Pair, toolbox: Toolbox) -> None:
    seen = use_ssh_command(pair.mine, deny=True)
    pair.mine.git("remote", "set-url", "origin", "me@host.invalid:r.git")
    answer = await call_in_time(toolbox, "git_fetch")
    assert answer.code == "auth_required"
    assert "'GIT_TERMINAL_PROMPT': '0'" in seen.read_text()


async def test_a_remote_that_is_not_there(scratch: Scratch, pair: Pair, toolbox: Toolbox) -> None:
    with serve_git(scratch) as base:
        gone = base
        pair.mine.git("remote", "set-url", "origin", f"{base}/nope.git")
        assert (await call_in_time(toolbox, "git_fetch")).code is not None
    pair.mine.git("remote", "set-url", "origin", f"{gone}/origin.git")
    answer = await call_in_time(toolbox, "git_fetch")
    assert answer.code == "command_failed"
    assert answer.refusal is not None
    assert answer.refusal.effective_retry == "later"
