"""What a snapshot holds of a repository, as data, and as the JSON that lies beside the kept bytes."""

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from git_sidecar.model.plan import Scope
from git_sidecar.model.refs import RepoPath


class FileKind(StrEnum):
    """What lies at a path of the work tree."""

    ABSENT = "absent"
    FILE = "file"
    LINK = "link"
    DIRECTORY = "directory"
    """Only told for empty directories inside an untracked nested repository, which git would miss."""


@dataclass(frozen=True, slots=True)
class FileState:
    """One path of the work tree: kind, permission bits, and for files and links the id and number of their bytes."""

    kind: FileKind
    mode: int = 0
    object_id: str = ""
    size: int = field(default=0, compare=False)


ABSENT = FileState(FileKind.ABSENT)


@dataclass(frozen=True, slots=True)
class RefState:
    """What a ref holds: an object id, and for a symbolic ref the name that it points to."""

    object_id: str
    target: str | None = None


@dataclass(frozen=True, slots=True)
class Submodule:
    """A populated submodule: its path, its `.git` file's content, its git directory and that directory's config.

    `object_id` of the config is among the kept objects. A submodule whose git directory lies in its own work tree is
    not listed: git removes none of those.
    """

    path: str
    pointer: str
    git_dir: str
    config_id: str


@dataclass(frozen=True, slots=True)
class State:
    """A repository at one moment, as far as a scope reaches.

    `head` is HEAD's own content: `ref: refs/heads/x` or an object id. `refs` are all refs by full name. `stash` is the
    id of the stash's whole reflog (None: no stash). `marks` are the files of an operation in progress and a few of
    git's own notes, by path in the git directory; `config` the id of the repository's configuration. `index` is the
    stamp of the index, whose bytes lie beside; `files` holds every path in scope whose content is not what the index
    says, or may not come back exactly from it.
    """

    object_format: str
    head: str
    commit: str | None
    refs: dict[str, RefState]
    stash: str | None
    marks: dict[str, FileState]
    config: str | None
    index: str
    files: dict[str, FileState]
    submodules: tuple[Submodule, ...]
    scope: Scope
    staged_ids: tuple[str, ...] = field(default=(), compare=False)

    def to_json(self) -> dict[str, Any]:
        """As JSON values; paths as surrogateescaped text."""
        return {
            "object_format": self.object_format,
            "head": self.head,
            "commit": self.commit,
            "refs": {name: {"object_id": ref.object_id, "target": ref.target} for name, ref in self.refs.items()},
            "stash": self.stash,
            "marks": _files_value(self.marks),
            "config": self.config,
            "index": self.index,
            "files": _files_value(self.files),
            "submodules": [asdict(submodule) for submodule in self.submodules],
            "scope": {
                "paths": None if self.scope.paths is None else [path.text for path in self.scope.paths],
                "ignored": self.scope.ignored,
                "targets": list(self.scope.targets),
            },
        }

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> "State":
        """What to_json gave; KeyError, TypeError or ValueError for anything else."""
        paths = value["scope"]["paths"]
        return cls(
            object_format=value["object_format"],
            head=value["head"],
            commit=value["commit"],
            refs={name: RefState(**ref) for name, ref in value["refs"].items()},
            stash=value["stash"],
            marks=_files(value["marks"]),
            config=value["config"],
            index=value["index"],
            files=_files(value["files"]),
            submodules=tuple(Submodule(**submodule) for submodule in value["submodules"]),
            scope=Scope(
                None if paths is None else tuple(RepoPath(path) for path in paths),
                value["scope"]["ignored"],
                tuple(value["scope"]["targets"]),
            ),
        )


def _files_value(files: dict[str, FileState]) -> dict[str, Any]:
    return {
        path: {"kind": state.kind.value, "mode": state.mode, "object_id": state.object_id, "size": state.size}
        for path, state in files.items()
    }


def _files(value: dict[str, dict[str, Any]]) -> dict[str, FileState]:
    return {
        path: FileState(FileKind(state["kind"]), state["mode"], state["object_id"], state["size"])
        for path, state in value.items()
    }
