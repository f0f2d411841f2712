"""The params of our own methods: unknown fields and wrong types are refused, by name (wire contract)."""

from types import MappingProxyType
from typing import Any

from git_sidecar.lsp.boundary import InvalidParams
from git_sidecar.lsp.fields import (
    read_choice,
    read_count,
    read_fields,
    read_flag,
    read_integer,
    read_list,
    read_object,
    read_object_map,
    read_text,
    read_token,
    require,
)
from git_sidecar.service.ports import (
    ClientCapabilities,
    CommitMessageParams,
    OperationsParams,
    StagedDiffParams,
    ToolCallParams,
)

_ROW = MappingProxyType(
    {
        "rootUri": read_text,
        "label": read_text,
        "selected": read_flag,
        "kind": read_choice("repository", "submodule", "worktree"),
    }
)


def _read_row(name: str, value: object) -> dict[str, Any]:
    row = read_fields(value, _ROW, at=name)
    if "rootUri" not in row:
        raise InvalidParams(f"{name}.rootUri is missing")
    return row


_CLIENT = MappingProxyType({"confirm": read_flag, "languageModel": read_flag, "canAsk": read_flag})


def _read_client(name: str, value: object) -> ClientCapabilities:
    fields = read_fields(value, _CLIENT, at=name)
    return ClientCapabilities(
        confirm=fields.get("confirm", False),
        language_model=fields.get("languageModel", False),
        can_ask=fields.get("canAsk", True),
    )


_STAGED_DIFF = MappingProxyType({"repository": read_text, "fileBudget": read_count})
_REPOSITORIES = MappingProxyType({"repositories": read_list(_read_row)})
_TRUST = MappingProxyType({"trusted": read_flag})
_TOOL_PREPARE = MappingProxyType(
    {"name": read_text, "arguments": read_object, "sessionId": read_text, "toolCallId": read_text}
)
_TOOL_CALL = MappingProxyType({**_TOOL_PREPARE, "ticket": read_text, "workDoneToken": read_token})
_TOOL_CANCEL = MappingProxyType({"toolCallId": read_text})
_GRANT = MappingProxyType({"grantId": read_text})
_OPERATIONS = MappingProxyType({"repository": read_text, "count": read_count, "cursor": read_text})
_UNDO = MappingProxyType({"operationId": read_text})
_COMMIT_MESSAGE = MappingProxyType(
    {
        "repository": read_text,
        "current": read_text,
        "amend": read_flag,
        "instructions": read_text,
        "attempt": read_integer,
        "workDoneToken": read_token,
        "partialResultToken": read_token,
    }
)
_OPTIONS = MappingProxyType(
    {
        "protocolVersion": read_integer,
        "trusted": read_flag,
        "client": _read_client,
        "repositories": read_list(_read_row),
        "settings": read_object,
        "workspaceSettings": read_object_map,
    }
)


def read_staged_diff(params: object) -> StagedDiffParams:
    """Params of git/stagedDiff."""
    fields = read_fields(params, _STAGED_DIFF)
    return StagedDiffParams(fields.get("repository"), fields.get("fileBudget"))


def read_repositories(params: object) -> tuple[dict[str, Any], ...]:
    """Params of git/didChangeRepositories: the rows."""
    fields = read_fields(params, _REPOSITORIES)
    require(fields, "repositories")
    return fields["repositories"]


def read_trust(params: object) -> bool:
    """Params of git/didChangeTrust."""
    fields = read_fields(params, _TRUST)
    require(fields, "trusted")
    return fields["trusted"]


def read_tool_prepare(params: object) -> ToolCallParams:
    """Params of tools/prepare."""
    return _tool_call(read_fields(params, _TOOL_PREPARE))


def read_tool_call(params: object) -> ToolCallParams:
    """Params of tools/call; the token is the wire's."""
    return _tool_call(read_fields(params, _TOOL_CALL))


def _tool_call(fields: dict[str, Any]) -> ToolCallParams:
    require(fields, "name")
    return ToolCallParams(
        fields["name"],
        fields.get("arguments", {}),
        fields.get("sessionId"),
        fields.get("toolCallId"),
        fields.get("ticket"),
    )


def read_tool_cancel(params: object) -> str:
    """Params of tools/cancel: the tool call's id."""
    fields = read_fields(params, _TOOL_CANCEL)
    require(fields, "toolCallId")
    return fields["toolCallId"]


def read_revoke_grant(params: object) -> str:
    """Params of git/revokeGrant: the grant's id, as git/grants lists it."""
    fields = read_fields(params, _GRANT)
    require(fields, "grantId")
    return fields["grantId"]


def read_operations(params: object) -> OperationsParams:
    """Params of git/operations."""
    fields = read_fields(params, _OPERATIONS)
    return OperationsParams(fields.get("repository"), fields.get("count"), fields.get("cursor"))


def read_undo(params: object) -> str:
    """Params of git/undo: the operation's id."""
    fields = read_fields(params, _UNDO)
    require(fields, "operationId")
    return fields["operationId"]


def read_commit_message(params: object) -> CommitMessageParams:
    """Params of git/commitMessage; the tokens are the wire's."""
    fields = read_fields(params, _COMMIT_MESSAGE)
    return CommitMessageParams(
        repository=fields.get("repository"),
        current=fields.get("current"),
        amend=fields.get("amend", False),
        instructions=fields.get("instructions"),
        attempt=fields.get("attempt"),
    )


def read_options(options: object) -> dict[str, Any]:
    """The checked fields of `initializationOptions` that were sent; `null` is none at all."""
    return {} if options is None else read_fields(options, _OPTIONS, at="initializationOptions")
