"""Model values as plain JSON values: camelCase, absent rather than null where the contract marks a field optional."""

import base64
from collections.abc import Sequence
from typing import Any

from git_sidecar.model.changes import Conflict, FileChange
from git_sidecar.model.diff import StagedDiff
from git_sidecar.model.fingerprint import Fingerprint
from git_sidecar.model.refs import RepoPath
from git_sidecar.model.repository import KnownRepository

Json = dict[str, Any]


def path_fields(path: RepoPath, name: str = "path") -> Json:
    """A path as text; one that is not UTF-8 also as base64, which is accepted wherever a path is."""
    if path.is_utf8:
        return {name: path.text}
    return {name: path.raw.decode("utf-8", "replace"), f"{name}Bytes": base64.b64encode(path.raw).decode("ascii")}


def conflict_value(conflict: Conflict) -> Json:
    """A conflict: `{path, code}`."""
    return {**path_fields(conflict.path), "code": conflict.code}


def repository_identity(known: KnownRepository) -> Json:
    """Which repository answered: `{label, root, rootUri}`."""
    return {"label": known.label, "root": str(known.root), "rootUri": known.root_uri}


def fingerprint_value(fingerprint: Fingerprint) -> Json:
    """Where a repository stands: `{head, branch, index}`."""
    return {"head": fingerprint.head.commit, "branch": fingerprint.head.branch, "index": fingerprint.index}


def file_value(file: FileChange) -> Json:
    """A file of a diff."""
    change = file.change
    value: Json = {
        **path_fields(change.path),
        "status": change.status.value,
        "additions": file.additions,
        "deletions": file.deletions,
        "binary": file.binary,
        "coverage": file.coverage.value,
    }
    if change.old_path is not None:
        value.update(path_fields(change.old_path, "oldPath"))
    if change.submodule:
        value["submodule"] = True
    if file.reason is not None:
        value["reason"] = file.reason.value
    if change.old_mode != change.new_mode:
        value.update({"oldMode": change.old_mode, "newMode": change.new_mode})
    return value


def diff_fields(staged: StagedDiff, *, duration_ms: int, warnings: Sequence[str] = ()) -> Json:
    """The result of git/stagedDiff (wire contract, section 3) without the repository."""
    diff = staged.diff
    return {
        "diff": diff.text,
        "files": [file_value(file) for file in diff.files],
        "fingerprint": fingerprint_value(staged.fingerprint),
        "operation": staged.operation.value if staged.operation else None,
        "truncated": diff.truncated,
        "omittedLines": diff.omitted_lines,
        "omittedBytes": diff.omitted_bytes,
        "canceled": False,
        "durationMs": duration_ms,
        "warnings": [*warnings, *diff.warnings],
    }


def staged_diff_value(known: KnownRepository, staged: StagedDiff, *, duration_ms: int, warnings: Sequence[str]) -> Json:
    """The result of git/stagedDiff (wire contract, section 3)."""
    fields = diff_fields(staged, duration_ms=duration_ms, warnings=warnings)
    return {"repository": repository_identity(known), **fields}
