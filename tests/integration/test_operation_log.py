"""Operations from begin to undo, joined as the service joins them, on a real repository."""

from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from git_sidecar.git.errors import GitRefused
from git_sidecar.git.process import Spawner
from git_sidecar.git.repository import Repository
from git_sidecar.git.staged_diff import read_fingerprint
from git_sidecar.model.plan import Plan, Scope, Undo
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.model.tier import Tier
from git_sidecar.service.operation_log import Begun, Caller, OperationLog
from git_sidecar.settings.schema import UndoSettings
from git_sidecar.store.database import Database
from git_sidecar.store.liveness import Liveness
from git_sidecar.store.operations import Operations
from git_sidecar.store.sessions import Sessions
from git_sidecar.store.snapshots import Snapshots
from tests.support.scratch import ScratchRepo
from tests.support.worlds import WHOLE, locate, read_everything

KEEP = UndoSettings.model_validate({})
RESET = Plan(Tier.DESTRUCTIVE, ("git", "reset", "--hard", "HEAD~1"), scope=WHOLE)
COMMIT = Plan(Tier.WRITE, ("git", "commit", "-m", "x"), scope=Scope())


class Desk:
    """One process's log over a repository."""

    def __init__(self, repo: ScratchRepo, directory: Path) -> None:
        self.repo = repo
        self.now_ms = 1_700_000_000_000
        self.spawner = Spawner(repo.scratch.env)
        self.repository = Repository(locate(repo), self.spawner, trusted=True)
        self.database = Database(directory / "sidecar.db")
        self.liveness = Liveness(directory / "processes")
        self.sessions = Sessions(self.database, self.clock_ms)
        self.snapshots = Snapshots(directory / "snapshots")
        self.log = OperationLog(Operations(self.database, self.liveness), self.snapshots, self.clock_ms)

    def clock_ms(self) -> int:
        self.now_ms += 1_000
        return self.now_ms

    async def stand(self) -> Any:
        return await self.sessions.look(self.repository.location, partial(read_fingerprint, self.repository))

    async def begin(self, plan: Plan, *, session: str = "a", undo: UndoSettings = KEEP) -> Begun:
        caller = Caller(session, "test", "r", str(self.repo.root))
        arguments = {"remote": "https://user:pw@host/x"}
        return await self.log.begin(
            self.repository, plan, caller, tool="git", arguments=arguments, before=await self.stand(), undo=undo
        )

    async def finish(self, begun: Begun, *, failed: bool = False, **how: Any) -> dict[str, Any] | None:
        return await self.log.finish(self.repository, begun, after=await self.stand(), failed=failed, **how)

    async def operate(self, plan: Plan, run: Callable[[], object] | None = None, **how: Any) -> dict[str, Any] | None:
        begun = await self.begin(plan)
        if run is None:
            self.repo.git(*plan.command[1:])
        else:
            run()
        return await self.finish(begun, **how)

    async def undo(self, operation_id: str | None = None, session: str = "a") -> dict[str, Any]:
        """As the road does it: planned, kept, put back, recorded; the undo's own operation."""
        plan = await self.log.plan_undo(self.repository, session, operation_id)
        assert isinstance(plan, Plan), plan
        begun = await self.begin(plan, session=session)
        done = await self.log.undo(self.repository, plan)
        assert isinstance(done, dict), done
        own = await self.finish(begun)
        assert own is not None
        return {"own": own, "done": done, "plan": plan}

    async def close(self) -> None:
        await self.spawner.close()
        self.database.close()
        self.liveness.close()


Open = Callable[[], Desk]


@pytest.fixture
async def open_desk(repo: ScratchRepo, tmp_path: Path) -> AsyncIterator[Open]:
    repo.commit("one", a="1")
    repo.commit("two", a="2")
    desks: list[Desk] = []

    def open_one() -> Desk:
        desks.append(Desk(repo, tmp_path / "state"))
        return desks[-1]

    yield open_one
    for desk in desks:
        await desk.close()


@pytest.fixture
def desk(open_desk: Open) -> Desk:
    return open_desk()


async def test_an_operation_in_wire_form(desk: Desk) -> None:
    old = desk.repo.text("rev-parse", "HEAD")
    operation = await desk.operate(RESET)
    assert operation is not None
    assert operation["operationId"].startswith("op-")
    assert {name: operation[name] for name in ("session", "client", "tool", "commits", "undo")} == {
        "session": "a",
        "client": "test",
        "tool": "git",
        "commits": [],
        "undo": "snapshot",
    }
    assert operation["arguments"] == {"remote": "https://user:***@host/x"}
    assert operation["repository"] == {"label": "r", "root": str(desk.repo.root)}
    assert operation["before"]["head"] == old
    assert operation["after"]["head"] == desk.repo.text("rev-parse", "HEAD")
    assert operation["after"]["branch"] == "main"
    assert "undone" not in operation
    assert await desk.log.read_page(desk.repository, count=5) == ([operation], None)


async def test_a_call_that_changed_nothing_is_no_operation(desk: Desk) -> None:
    assert await desk.operate(Plan(Tier.WRITE, ("git", "status"), scope=WHOLE)) is None
    assert desk.snapshots.list_names() == ()
    assert await desk.log.read_page(desk.repository, count=5) == ([], None)


async def test_commits_are_attributed_to_the_call_that_made_them(desk: Desk) -> None:
    made: list[str] = []

    def commit_twice() -> None:
        made.extend(desk.repo.commit(text, a=text) for text in ("three", "four"))

    operation = await desk.operate(COMMIT, commit_twice)
    assert operation is not None
    assert operation["commits"] == made
    back = await desk.operate(RESET)
    assert back is not None
    assert back["commits"] == []
    undone = await desk.undo()
    assert undone["own"]["commits"] == []
    told = await desk.operate(COMMIT, lambda: desk.repo.commit("five", a="five"), commits=["1" * 40])
    assert told is not None
    assert told["commits"] == ["1" * 40]


async def test_undo_and_undo_of_undo_through_the_log(desk: Desk) -> None:
    desk.repo.write("a", "dirty")
    before = read_everything(desk.repo)
    operation = await desk.operate(RESET)
    assert operation is not None
    after = read_everything(desk.repo)
    undone = await desk.undo()
    assert read_everything(desk.repo) == before
    assert undone["plan"].tier is Tier.DESTRUCTIVE
    assert undone["done"]["operationId"] == operation["operationId"]
    assert undone["done"]["files"] == [{"path": "a"}]
    assert undone["done"]["refs"] == [
        {"name": "refs/heads/main", "old": operation["after"]["head"], "new": operation["before"]["head"]}
    ]
    (newest, first), _ = await desk.log.read_page(desk.repository, count=5)
    assert newest["operationId"] == undone["own"]["operationId"]
    assert first["undone"] == newest["operationId"]
    assert isinstance(await desk.log.plan_undo(desk.repository, "a", None), Refusal)
    await desk.undo(newest["operationId"])
    assert read_everything(desk.repo) == after
    (_, _, first), _ = await desk.log.read_page(desk.repository, count=5)
    assert "undone" not in first
    await desk.undo()
    assert read_everything(desk.repo) == before


async def test_only_this_sessions_last_is_undone_by_default(desk: Desk) -> None:
    await desk.operate(RESET)
    refusal = await desk.log.plan_undo(desk.repository, "b", None)
    assert isinstance(refusal, Refusal)
    assert refusal.code is RefusalCode.NOTHING_TO_DO
    (operation,), _ = await desk.log.read_page(desk.repository, count=1)
    await desk.undo(operation["operationId"], session="b")


async def test_a_process_that_died_leaves_an_operation_that_can_be_undone(desk: Desk, open_desk: Open) -> None:
    desk.repo.write("a", "dirty")
    before = read_everything(desk.repo)
    dying = open_desk()
    await dying.begin(RESET)
    desk.repo.git("reset", "-q", "--hard", "HEAD~1")
    assert await desk.log.read_page(desk.repository, count=5) == ([], None)
    dying.liveness.close()
    (interrupted,), _ = await desk.log.read_page(desk.repository, count=5)
    assert interrupted["interrupted"] is True
    assert interrupted["after"] is None
    desk.repo.git("reflog", "expire", "--expire=now", "HEAD", "refs/heads/main")
    desk.repo.git("gc", "-q", "--prune=now")
    await desk.undo()
    assert read_everything(desk.repo) == before


async def test_a_cancelled_push_says_that_the_remote_is_not_known(desk: Desk) -> None:
    plan = Plan(Tier.NETWORK, ("git", "push"), scope=Scope(), undo=Undo.NONE)
    operation = await desk.operate(plan, lambda: None, interrupted=True)
    assert operation is not None
    assert operation["remoteUnknown"] is True
    refusal = await desk.log.plan_undo(desk.repository, "a", operation["operationId"])
    assert isinstance(refusal, Refusal)
    assert refusal.code is RefusalCode.CANNOT_UNDO


async def test_what_cannot_be_kept_is_told_before_anything_runs(desk: Desk) -> None:
    desk.repo.write("a", "more than four bytes")
    begun = await desk.begin(RESET, undo=UndoSettings.model_validate({"maxBytes": 4}))
    assert begun.failed is not None
    assert "undo.maxBytes" in begun.failed.reason
    await desk.log.abandon(begun)
    assert await desk.log.read_page(desk.repository, count=5) == ([], None)
    off = await desk.begin(RESET, undo=UndoSettings.model_validate({"enabled": False}))
    assert off.failed is None
    desk.repo.git("reset", "-q", "--hard", "HEAD~1")
    operation = await desk.finish(off)
    assert operation is not None
    assert operation["undo"] == "none"


async def test_pruned_snapshots_are_gone_and_said_to_be(desk: Desk) -> None:
    operation = await desk.operate(RESET)
    assert operation is not None
    assert await desk.log.prune(KEEP) == 0
    desk.now_ms += 15 * 24 * 60 * 60 * 1000
    assert await desk.log.prune(KEEP) == 1
    assert desk.snapshots.list_names() == ()
    (listed,), _ = await desk.log.read_page(desk.repository, count=1)
    assert listed["undo"] == "none"
    refusal = await desk.log.plan_undo(desk.repository, "a", operation["operationId"])
    assert isinstance(refusal, Refusal)
    assert "pruned" in refusal.message


async def test_a_failing_call_that_changed_something_is_recorded_as_no_undo(desk: Desk) -> None:
    await desk.operate(RESET)
    plan = await desk.log.plan_undo(desk.repository, "a", None)
    assert isinstance(plan, Plan)
    begun = await desk.begin(plan)
    desk.repo.commit("something else happened", a="x")
    failed = await desk.finish(begun, failed=True)
    assert failed is not None
    (_, first), _ = await desk.log.read_page(desk.repository, count=5)
    assert "undone" not in first


async def test_a_bad_cursor_is_refused(desk: Desk) -> None:
    with pytest.raises(GitRefused) as caught:
        await desk.log.read_page(desk.repository, count=1, cursor="x")
    assert caught.value.refusal.code is RefusalCode.INVALID_ARGUMENTS


async def test_a_callers_view_is_the_log_with_its_session(desk: Desk) -> None:
    await desk.operate(RESET)
    view = desk.log.for_caller(Caller("a", "test", "r", str(desk.repo.root)))
    other = desk.log.for_caller(Caller("b", "test", "r", str(desk.repo.root)))
    page = await view.read_page(desk.repository, count=5, session="a", cursor=None)
    assert [operation["session"] for operation in page[0]] == ["a"]
    assert await view.read_page(desk.repository, count=5, session="b", cursor=None) == ([], None)
    plans: list[Awaitable[Plan | Refusal]] = [
        view.plan_undo(desk.repository, None),
        other.plan_undo(desk.repository, None),
    ]
    mine, theirs = [await plan for plan in plans]
    assert isinstance(mine, Plan)
    assert isinstance(theirs, Refusal)
    assert isinstance(await view.undo(desk.repository, mine), dict)
