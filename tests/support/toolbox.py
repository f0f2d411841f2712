"""Calling a tool directly on a scratch repository, without service or wire, and checking every value on the way."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jsonschema

from git_sidecar.git.errors import GitRefused
from git_sidecar.git.process import Spawner
from git_sidecar.git.repository import Repository
from git_sidecar.model.plan import Plan
from git_sidecar.model.refusal import Refusal
from git_sidecar.model.tier import Tier
from git_sidecar.settings.schema import Settings
from git_sidecar.tools.catalogue import find_tool
from git_sidecar.tools.contract import AnyTool, Card, ToolContext
from git_sidecar.tools.schema import closed, output_schema, wire_output_schema
from git_sidecar.tools.validate import validate_arguments
from git_sidecar.workspace.location import locate
from tests.support.scratch import ScratchRepo


class NoProgress:
    """Progress that nobody watches."""

    def report(self, message: str, percentage: int | None = None) -> None:
        """Say nothing."""


@dataclass
class FakeOperations:
    """An operation log with given operations."""

    operations: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    asked: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    async def read_page(
        self,
        repository: Repository,  # noqa: ARG002 - one log for all repositories
        *,
        count: int,
        session: str | None,
        cursor: str | None,
    ) -> tuple[list[dict[str, Any]], str | None]:
        """A page of the given operations; the cursor is a number."""
        self.asked.append({"count": count, "session": session, "cursor": cursor})
        start = int(cursor or 0)
        found = [one for one in self.operations if session in (None, one["session"])]
        after = start + count
        return found[start:after], str(after) if after < len(found) else None

    async def plan_undo(self, repository: Repository, operation_id: str | None) -> Plan | Refusal:
        """Not used by the tools that are tested with this log."""
        raise NotImplementedError

    async def undo(self, repository: Repository, plan: Plan) -> dict[str, Any] | Refusal:
        """Not used by the tools that are tested with this log."""
        raise NotImplementedError


@dataclass(frozen=True)
class Answer:
    """What a call gave: a value in wire form with its text and cards, or a refusal."""

    value: dict[str, Any]
    text: str
    cards: tuple[Card, ...]
    refusal: Refusal | None
    plan: Plan | None = None

    @property
    def code(self) -> str | None:
        """The refusal's code; None where the call succeeded."""
        return self.refusal.code.value if self.refusal else None


def check_value(tool: AnyTool, output: Any) -> dict[str, Any]:
    """The wire form of a value, checked.

    It is what outputSchema says and nothing besides; read back from JSON it renders to the same text and cards.
    """
    value: dict[str, Any] = output.model_dump(mode="json", by_alias=True)
    stored = json.loads(json.dumps(value))
    for schema in (closed(output_schema(tool.output)), wire_output_schema(tool.output)):
        jsonschema.validate(stored, schema)  # pyright: ignore[reportUnknownMemberType]
    again = tool.output.model_validate(stored)
    assert again.model_dump(mode="json", by_alias=True) == value
    assert tool.render(again) == tool.render(output)
    assert tool.cards(again) == tool.cards(output)
    return value


class Toolbox:
    """Calls tools in one repository."""

    def __init__(
        self,
        repo: ScratchRepo,
        *,
        trusted: bool = True,
        settings: Mapping[str, Any] | None = None,
        root: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Open the repository at `root`, else the scratch repository's own."""
        location = locate(root or repo.root)
        assert not isinstance(location, Refusal)
        self.spawner = Spawner({**repo.scratch.env, **(environment or {})})
        self.repository = Repository(location, self.spawner, trusted)
        self.settings = Settings.model_validate(settings or {})
        self.operations = FakeOperations()
        self._allowed = (location.root,)

    def context(self, directory: str = "") -> ToolContext:
        """The context of a call that starts in `directory`."""
        return ToolContext(
            repository=self.repository,
            directory=directory,
            settings=self.settings,
            allowed_roots=self._allowed,
            progress=NoProgress(),
            operations=self.operations,
            session="test",
        )

    async def call(self, name: str, /, *, directory: Any = "", **arguments: Any) -> Answer:
        """Call a tool as the road does: validate, plan, run; the value is checked on the way."""
        tool = find_tool(name)
        assert tool is not None, name
        args = validate_arguments(tool, arguments)
        if isinstance(args, Refusal):
            return Answer({}, "", (), args)
        ctx = self.context(directory)
        try:
            plan = await tool.plan(args, ctx) if tool.plan is not None else None
            if isinstance(plan, Refusal):
                return Answer({}, "", (), plan)
            assert plan is not None or tool.tier is Tier.READ
            output = await tool.run(args, ctx, plan)
        except GitRefused as error:
            return Answer({}, "", (), error.refusal)
        if isinstance(output, Refusal):
            return Answer({}, "", (), output, plan)
        return Answer(check_value(tool, output), tool.render(output), tool.cards(output), None, plan)

    async def close(self) -> None:
        """End what is running."""
        await self.spawner.close()
