"""The parts that tool calls need, joined; made when the first tool is asked for, since they cost start-up time."""

import time
from dataclasses import dataclass
from pathlib import Path

from git_sidecar.policy.grants import Grants
from git_sidecar.policy.tickets import TicketBook
from git_sidecar.service.consent import Consent
from git_sidecar.service.journal import Journal
from git_sidecar.service.operation_log import OperationLog
from git_sidecar.service.ports import Client, Json
from git_sidecar.service.repositories import Repositories
from git_sidecar.service.road import Road
from git_sidecar.service.workspace_state import WorkspaceState
from git_sidecar.store.database import Database
from git_sidecar.store.liveness import Liveness
from git_sidecar.store.operations import Operations
from git_sidecar.store.sessions import Sessions
from git_sidecar.store.snapshots import Snapshots
from git_sidecar.tools.catalogue import describe_tools


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Workshop:
    """The road of tool calls and what it runs on."""

    road: Road
    consent: Consent
    journal: Journal
    database: Database

    def describe_tools(self) -> Json:
        """tools/list."""
        return {"tools": describe_tools()}

    async def close(self) -> None:
        """Finish what is being written."""
        self.database.close()


def make_workshop(
    client: Client,
    workspace: WorkspaceState,
    repositories: Repositories,
    *,
    state_directory: Path,
    client_name: str,
) -> Workshop:
    """Join the parts."""
    database = Database(state_directory / "git-sidecar.db")
    operations = Operations(database, Liveness(state_directory / "processes"))
    log = OperationLog(operations, Snapshots(state_directory / "snapshots"), _now_ms)
    journal = Journal(Sessions(database, _now_ms), log, client, client_name)
    consent = Consent(client, Grants(), TicketBook(time.monotonic))
    return Workshop(Road(workspace, repositories, consent, journal), consent, journal, database)
