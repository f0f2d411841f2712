"""Operations and what undoing put back, as plain JSON values (wire contract, section 9)."""

from git_sidecar.model.refs import RepoPath
from git_sidecar.model.undo import UndoDetails
from git_sidecar.store.operations import Operation, OperationState
from git_sidecar.store.undo import PutBack
from git_sidecar.tools.wire_values import Json, fingerprint_value, path_fields


def operation_value(operation: Operation) -> Json:
    """One operation.

    `interrupted` and `remoteUnknown` are there where a call was cut off: it may have done half of what it meant to do.
    """
    value: Json = {
        "operationId": operation.operation_id,
        "session": operation.session,
        "client": operation.client,
        "time": operation.time_ms,
        "tool": operation.tool,
        "arguments": operation.arguments,
        "repository": {"label": _printable(operation.label), "root": _printable(operation.root)},
        "before": None if operation.before is None else fingerprint_value(operation.before),
        "after": None if operation.after is None else fingerprint_value(operation.after),
        "commits": list(operation.commits),
        "undo": operation.undo.value,
    }
    if operation.undone is not None:
        value["undone"] = operation.undone
    if operation.state is OperationState.INTERRUPTED:
        value["interrupted"] = True
    if operation.remote_unknown:
        value["remoteUnknown"] = True
    return value


def put_back_value(operation: Operation, details: UndoDetails, done: PutBack) -> Json:
    """What was put back; ref names with what they held and hold, files as the wire has paths."""
    put_back = frozenset(done.refs)
    return {
        "operationId": operation.operation_id,
        "tool": operation.tool,
        "refs": [{"name": ref.name, "old": ref.old, "new": ref.new} for ref in details.refs if ref.name in put_back],
        "head": done.head,
        "files": [path_fields(RepoPath(path)) for path in done.files],
        "index": done.index,
        "stash": done.stash,
        "operation": done.operation,
    }


def _printable(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
