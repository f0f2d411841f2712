"""Paths as arguments: as text, or as the bytes that a result gave for a name that is not UTF-8."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, cast

from pydantic import Field, PlainSerializer, PlainValidator, WithJsonSchema

from git_sidecar.model.refs import RepoPath
from git_sidecar.model.refusal import Refusal
from git_sidecar.tools.contract import ToolContext
from git_sidecar.workspace.containment import contain, decode_path_bytes


def _read_path(value: object) -> str:
    """A path as git's bytes with surrogate escapes, from text or from `{"pathBytes": base64}`."""
    path: object = value
    if isinstance(value, Mapping):
        raw = cast("Mapping[str, object]", value).get("pathBytes")
        path = decode_path_bytes(raw) if isinstance(raw, str) else None
    problem = path.message if isinstance(path, Refusal) else None
    if not isinstance(path, str):
        raise ValueError(problem or "must be a path")  # noqa: TRY004 - pydantic passes only a ValueError on
    if not path or "\0" in path:
        raise ValueError("must not be empty or hold a NUL character")
    return path


def _write_path(path: str) -> Any:
    if any("\udc80" <= char <= "\udcff" for char in path):
        return path.encode("utf-8", "surrogateescape").hex()
    return path


PathText = Annotated[
    str,
    PlainValidator(_read_path),
    PlainSerializer(_write_path, when_used="json"),
    WithJsonSchema({"type": "string"}),
]
"""One path argument; it must not be empty. In JSON, one that is not UTF-8 becomes its bytes in hexadecimal."""

Paths = Annotated[list[PathText], Field(min_length=1)]
"""Several path arguments, at least one."""


def contain_paths(paths: Sequence[str] | None, ctx: ToolContext) -> tuple[RepoPath, ...] | Refusal:
    """The root-relative paths of a call's path arguments, or the refusal of the first that leads elsewhere."""
    contained: list[RepoPath] = []
    for path in paths or ():
        found = contain_path(path, ctx)
        if isinstance(found, Refusal):
            return found
        contained.append(found)
    return tuple(contained)


def contain_path(path: str, ctx: ToolContext) -> RepoPath | Refusal:
    """The root-relative path of one path argument, which starts at the call's directory."""
    root = ctx.repository.location.root
    return contain(path, root=root, directory=ctx.directory, allowed=ctx.allowed_roots)
