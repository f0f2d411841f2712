"""A service without git, run as a process of its own: the wire is tested against what a service may do to it."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from git_sidecar.cli.main import ServeOptions, parse_arguments
from git_sidecar.git.errors import GitUnavailable, Unavailable
from git_sidecar.lsp.transport.descriptors import claim_stdio
from git_sidecar.model.refusal import Candidate, Refusal, RefusalCode
from git_sidecar.service.errors import RefusedRequest, SettingsRejected
from git_sidecar.service.ports import (
    Client,
    CommitMessageParams,
    CompletionFailed,
    Json,
    OperationsParams,
    Progress,
    Question,
    StagedDiffParams,
    Started,
    Startup,
    ToolCallParams,
    Unanswerable,
)
from git_sidecar.settings.load import InvalidSettings, Problem

SECRET = "the-content-that-must-not-leak"


class FakeBackend:
    """Remembers what it was told; what it answers depends on the repository's or the tool's name."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.state: Json = {"folders": [], "repositories": None, "trusted": None, "settings": None, "workspace": None}
        self.calls: dict[str, asyncio.Task[Any]] = {}

    async def configure(self, startup: Startup) -> Started:
        if "wrong" in startup.settings:
            raise SettingsRejected(InvalidSettings((Problem("wrong", "there is no such setting"),)))
        self.state.update(
            folders=startup.folders,
            repositories=startup.repositories,
            trusted=startup.trusted,
            settings=startup.settings,
            workspace=dict(startup.workspace_settings),
            client=startup.client_name,
        )
        self.client.notify("git/settingsIgnored", {"ignored": []}) if "ignored" in startup.settings else None
        return Started(None, ("git_status",))

    async def close(self) -> None:
        if self.state["settings"] == {"slowClose": True}:
            await asyncio.Event().wait()

    def abandon(self) -> None:
        sys.stderr.write("abandoned\n")
        sys.stderr.flush()

    async def set_folders(self, folders: tuple[tuple[str, str | None], ...]) -> None:
        self.state["folders"] = folders

    async def set_repositories(self, repositories: tuple[Json, ...]) -> None:
        # Slower than the request that may come right behind.
        for _ in range(20):
            await asyncio.sleep(0)
        self.state["repositories"] = repositories

    async def set_settings(self, user: Json, workspace: Mapping[str, Json]) -> None:
        self.state.update(settings=user, workspace=dict(workspace))

    async def set_trust(self, *, trusted: bool) -> None:
        self.state["trusted"] = trusted

    async def repositories(self) -> Json:
        return self.state

    async def staged_diff(self, params: StagedDiffParams) -> Json:
        match params.repository:
            case "bug":
                raise KeyError(SECRET)
            case "refused":
                refusal = Refusal(
                    RefusalCode.UNKNOWN_REPOSITORY,
                    "no such repository",
                    candidates=(Candidate("a", "/a", matches=False),),
                )
                raise RefusedRequest(refusal)
            case "no git":
                raise GitUnavailable("git was not found", Unavailable(("/nowhere/git",), None, "git 2.23 or newer"))
            case "endless":
                await asyncio.Event().wait()
            case "unserializable":
                return {"diff": object()}
            case "not a number":
                return {"diff": float("nan")}
            case "big":
                return {"diff": SECRET + "x" * 4_000_000}
            case _:
                pass
        return {"diff": params.repository, "budget": params.file_budget, "canceled": False}

    async def canceled_staged_diff(self, params: StagedDiffParams) -> Json:
        return {"diff": "", "canceled": True, "repository": params.repository}

    async def commit_message(self, params: CommitMessageParams, progress: Progress) -> Json:
        progress.begin("Writing")
        progress.report("half", 50)
        progress.partial({"text": "fi"})
        if params.current == "endless":
            await asyncio.Event().wait()
        return {"message": "fix", "canceled": False}

    async def canceled_commit_message(self, params: CommitMessageParams) -> Json:
        return {"message": "", "canceled": True, "current": params.current}

    async def tools_list(self) -> Json:
        return {"tools": []}

    async def tools_prepare(self, call: ToolCallParams) -> Json:
        return {"name": call.name, "arguments": call.arguments}

    async def tools_call(self, call: ToolCallParams, progress: Progress) -> Json:
        del progress
        match call.name:
            case "confirm":
                return await self._confirm(call)
            case "complete":
                try:
                    done = await self.client.complete([], max_tokens=5, temperature=0.5, purpose="test")
                except CompletionFailed as error:
                    return {"failed": str(error), "unavailable": error.unavailable}
                return {"text": done.text, "model": done.model}
            case "print":
                print("printed by Python")  # noqa: T201 - what a library might do
                sys.stdout.flush()
                os.write(1, b"Content-Length: 5\r\n\r\nxxxxx")
                await asyncio.to_thread(subprocess.run, ["sh", "-c", "echo by a child; cat"], check=True)
                return {"printed": True}
            case "endless":
                task = asyncio.ensure_future(asyncio.Event().wait())
                self.calls[str(call.tool_call_id)] = task
                await task
                return {}
            case "stuck":
                # The event loop itself is held up, as by a dead network disk.
                report_here(Path(call.arguments["path"]))
                select_forever()
                return {}
            case "hog":
                # Every thread of the shared pool is taken, as by calls to a dead network disk.
                loop = asyncio.get_running_loop()
                for _ in range(64):
                    loop.run_in_executor(None, select_forever)
                return {}
            case "report":
                report_here(Path(call.arguments["path"]))
                return {}
            case _:
                return {"arguments": call.arguments, "session": call.session_id, "ticket": call.ticket}

    async def _confirm(self, call: ToolCallParams) -> Json:
        question = Question(
            name="git_reset",
            session_id="s",
            tool_call_id=call.tool_call_id,
            title="Reset?",
            message="1 line lost",
            command=("git", "reset"),
            effects={"undo": "snapshot"},
            cards=[],
            tier="destructive",
        )
        timeout_s = call.arguments.get("timeout")
        try:
            async with asyncio.timeout(timeout_s):
                return {"choice": await self.client.confirm(question)}
        except Unanswerable:
            return {"choice": "nobody"}
        except TimeoutError:
            return {"choice": "timeout"}

    async def tools_cancel(self, tool_call_id: str) -> Json:
        task = self.calls.pop(tool_call_id, None)
        return {"canceled": task is not None and task.cancel()}

    async def operations(self, params: OperationsParams) -> Json:
        return {"operations": [], "count": params.count}

    async def undo(self, operation_id: str) -> Json:
        return {"undone": operation_id}

    async def grants(self) -> Json:
        return {"grants": []}

    async def revoke_grant(self, grant_id: str) -> Json:
        return {"revoked": grant_id}


def report_here(reports: Path) -> None:
    """Write a line to a FIFO that somebody reads."""
    with reports.open("w") as stream:
        stream.write("here\n")


def select_forever() -> None:
    """Block the thread."""
    reading, _writing = os.pipe()
    os.read(reading, 1)


async def serve(options: ServeOptions) -> int:
    """Serve over whatever the options say."""
    from git_sidecar.app import make_transport
    from git_sidecar.lsp.server import Server

    descriptors = claim_stdio() if options.address is None else None
    return await Server(FakeBackend, make_transport(options, descriptors)).serve()


if __name__ == "__main__":
    from git_sidecar.app import start_log

    given = parse_arguments(sys.argv[1:])
    assert isinstance(given, ServeOptions)
    start_log(given)
    sys.exit(asyncio.run(serve(given)))
