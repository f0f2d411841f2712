"""The service as a door sees it: one method a request, joined from the parts; no logic of its own."""

import asyncio
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from git_sidecar.git.errors import GitUnavailable
from git_sidecar.git.process import Spawner
from git_sidecar.policy.gate import narrowed_tiers
from git_sidecar.service.errors import SettingsRejected
from git_sidecar.service.gate_settings import gate_settings
from git_sidecar.service.ports import (
    Client,
    CommitMessageParams,
    Json,
    OperationsParams,
    Progress,
    Silence,
    StagedDiffParams,
    Started,
    Startup,
    ToolCallParams,
)
from git_sidecar.service.repositories import Repositories
from git_sidecar.service.staged import canceled_staged_diff, staged_diff
from git_sidecar.service.wire_form import repository_value
from git_sidecar.service.workspace_state import WorkspaceState
from git_sidecar.tools.names import TOOL_NAMES

if TYPE_CHECKING:
    from git_sidecar.service.messages import MessageDesk
    from git_sidecar.service.workshop import Workshop


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the composition root read of the process's surroundings; nothing below reads them again."""

    environment: Mapping[str, str]
    home: Path | None
    ceilings: tuple[Path, ...]
    state_directory: Path


class Application:
    """One server's service."""

    def __init__(self, client: Client, surroundings: Surroundings) -> None:
        """Serve `client`; nothing is started and no file is touched yet."""
        self._client = client
        self._surroundings = surroundings
        self._workspace = WorkspaceState(ceilings=surroundings.ceilings, home=surroundings.home)
        self._spawner = self._make_spawner()
        self._repositories = Repositories(self._workspace, self._spawner)
        # One per server process and unique, for calls that name no session.
        self._session = f"server-{secrets.token_hex(8)}"
        self._client_name = "unknown"
        self._made: Workshop | None = None
        self._desk: MessageDesk | None = None
        self._retired: set[asyncio.Task[None]] = set()

    def _make_spawner(self) -> Spawner:
        return Spawner(self._surroundings.environment, git_path=self._workspace.settings.user.git_path)

    def _workshop(self) -> "Workshop":
        """The parts that tool calls need, made when the first one comes: they must not slow the first staged diff."""
        if self._made is None:
            from git_sidecar.service.workshop import make_workshop

            self._made = make_workshop(
                self._client,
                self._workspace,
                self._repositories,
                state_directory=self._surroundings.state_directory,
                client_name=self._client_name,
            )
        return self._made

    def _messages(self) -> "MessageDesk":
        """What writes commit messages, made at the first wish."""
        if self._desk is None:
            from git_sidecar.service.messages import MessageDesk

            self._desk = MessageDesk(self._client, self._repositories, self._surroundings.environment)
        return self._desk

    async def configure(self, startup: Startup) -> Started:
        """Take what `initialize` told; raises SettingsRejected."""
        invalid = self._workspace.load_settings(startup.settings, startup.workspace_settings)
        if invalid is not None:
            raise SettingsRejected(invalid)
        self._workspace.set_trust(trusted=startup.trusted)
        self._workspace.set_folders(startup.folders)
        if startup.repositories is not None:
            self._workspace.set_repositories(startup.repositories)
        self._client_name = startup.client_name or "unknown"
        self._use_git_path()
        self._tell_ignored()
        try:
            version: str | None = ".".join(map(str, (await self._spawner.executable()).version))
        except GitUnavailable:
            version = None
        return Started(version, TOOL_NAMES)

    async def close(self) -> None:
        """End every process that was started."""
        await self._spawner.close()
        await asyncio.gather(*self._retired)
        if self._made is not None:
            await self._made.close()

    def abandon(self) -> None:
        """The same without an event loop and without waiting."""
        self._spawner.abandon()

    async def set_folders(self, folders: tuple[tuple[str, str | None], ...]) -> None:
        """Take the workspace folders, whole."""
        self._workspace.set_folders(folders)

    async def set_repositories(self, repositories: tuple[Json, ...]) -> None:
        """Take the editor's SCM list, whole."""
        self._workspace.set_repositories(repositories)

    async def set_settings(self, user: Json, workspace: Mapping[str, Json]) -> None:
        """Take new settings; those that are narrower take grants back, invalid ones close all tiers above read."""
        repositories = self._workspace.registry().repositories
        before = [gate_settings(self._workspace.settings_for(known)) for known in repositories]
        told = self._workspace.settings.invalid
        invalid = self._workspace.load_settings(user, workspace)
        if invalid is not None:
            if invalid != told:
                self._client.show_warning(
                    f"Git Sidecar: {invalid.describe()}. Until this is mended only reads run, with the last good "
                    "settings."
                )
            return
        if self._made is not None:
            for known, old in zip(repositories, before, strict=True):
                tiers = narrowed_tiers(old, gate_settings(self._workspace.settings_for(known)))
                self._made.consent.grants.narrow(tiers, repository=str(known.root))
        self._use_git_path()
        self._tell_ignored()
        self._client.notify("tools/didChange", {})

    async def set_trust(self, *, trusted: bool) -> None:
        """Take the editor's word on workspace trust."""
        self._workspace.set_trust(trusted=trusted)

    def _use_git_path(self) -> None:
        wanted = self._make_spawner()
        if wanted.git_path == self._spawner.git_path:
            return
        # Calls that run now end with the git that they began with.
        task = asyncio.get_running_loop().create_task(self._spawner.retire())
        self._retired.add(task)
        task.add_done_callback(self._retired.discard)
        self._spawner = wanted
        self._repositories.spawner = wanted

    def _tell_ignored(self) -> None:
        ignored = self._workspace.ignored_wishes()
        if ignored:
            rows = [
                {"folder": uri, "setting": f"gitSidecar.{problem.setting}", "reason": problem.message}
                for uri, problems in ignored.items()
                for problem in problems
            ]
            self._client.notify("git/settingsIgnored", {"ignored": rows})

    async def repositories(self) -> Json:
        """git/repositories."""
        registry = self._workspace.rediscover()
        return {"repositories": [repository_value(known) for known in registry.repositories]}

    async def staged_diff(self, params: StagedDiffParams) -> Json:
        """git/stagedDiff."""
        return await staged_diff(self._repositories, params.repository, params.file_budget)

    async def canceled_staged_diff(self, params: StagedDiffParams) -> Json:
        """The ordinary result of a canceled git/stagedDiff."""
        return canceled_staged_diff(self._repositories, params.repository)

    async def commit_message(self, params: CommitMessageParams, progress: Progress) -> Json:
        """git/commitMessage."""
        return await self._messages().write(params, progress)

    async def canceled_commit_message(self, params: CommitMessageParams) -> Json:
        """The ordinary result of a canceled git/commitMessage."""
        return self._messages().canceled(params)

    async def tools_list(self) -> Json:
        """tools/list."""
        return self._workshop().describe_tools()

    async def tools_prepare(self, call: ToolCallParams) -> Json:
        """tools/prepare."""
        return await self._workshop().road.prepare(call, call.session_id or self._session, Silence())

    async def tools_call(self, call: ToolCallParams, progress: Progress) -> Json:
        """tools/call."""
        return await self._workshop().road.call(call, call.session_id or self._session, progress)

    async def tools_cancel(self, tool_call_id: str) -> Json:
        """tools/cancel."""
        return {"canceled": self._workshop().road.cancel(tool_call_id)}

    async def operations(self, params: OperationsParams) -> Json:
        """git/operations."""
        return await self._workshop().road.read_operations(params)

    async def undo(self, operation_id: str) -> Json:
        """git/undo."""
        return await self._workshop().road.undo_for_person(operation_id, self._session)

    async def grants(self) -> Json:
        """git/grants."""
        return self._workshop().consent.list_grants()

    async def revoke_grant(self, grant_id: str) -> Json:
        """git/revokeGrant."""
        return self._workshop().consent.revoke_grant(grant_id)
