"""The line that names a changed file: what happened to it, its counts, and what stands in for its content. Pure."""

from posixpath import basename

from git_sidecar.messages.facts import ChangedFile, Treatment
from git_sidecar.messages.patch import FilePatch
from git_sidecar.model.changes import ABSENT_MODE, ChangeStatus

_LETTERS = {
    ChangeStatus.ADDED: "A",
    ChangeStatus.MODIFIED: "M",
    ChangeStatus.DELETED: "D",
    ChangeStatus.RENAMED: "R",
    ChangeStatus.COPIED: "C",
    ChangeStatus.TYPE_CHANGED: "T",
    ChangeStatus.UNMERGED: "U",
}
_OID_SHOWN = 7


def submodule_range(patch: FilePatch) -> str:
    """The commits that a submodule moves between, as `old..new`, or the one that it begins or ended at."""
    change = patch.file.change
    sides = [
        oid[:_OID_SHOWN]
        for oid, mode in ((change.old_oid, change.old_mode), (change.new_oid, change.new_mode))
        if mode != ABSENT_MODE
    ]
    return "..".join(sides)


def _counts(file: ChangedFile) -> str:
    change = file.patch.file
    if change.additions is None or change.deletions is None:
        return ""
    return f" +{change.additions} -{change.deletions}"


def _note(file: ChangedFile) -> str:
    change = file.patch.file.change
    if file.treatment is Treatment.SUBMODULE:
        return f" (submodule {submodule_range(file.patch)})"
    if file.treatment is Treatment.BINARY:
        return " (binary)" if file.size_bytes is None else f" (binary, {file.size_bytes} bytes)"
    if file.treatment is Treatment.LOCK:
        return " (lock file)"
    if file.treatment is Treatment.GENERATED:
        return " (generated)"
    if file.treatment is Treatment.EXCLUDED:
        return " (content left out)"
    if change.status is ChangeStatus.DELETED:
        return f" (deleted file mode {change.old_mode})"
    if ABSENT_MODE not in (change.old_mode, change.new_mode) and change.old_mode != change.new_mode:
        return f" (mode {change.old_mode} → {change.new_mode})"
    return ""


def describe_file(file: ChangedFile) -> str:
    """One line on a changed file: `M src/a.py +3 -1`."""
    return f"{_name_file(file, file.path)}{_counts(file)}{_note(file)}"


def describe_briefly(file: ChangedFile, *, by_path: bool) -> str:
    """The same without counts where the patch itself is shown; by the base name alone unless `by_path`."""
    rest = "" if file.treatment is Treatment.SHOWN else _counts(file) + _note(file)
    return _name_file(file, file.path if by_path else basename(file.path)) + rest


def _name_file(file: ChangedFile, name: str) -> str:
    old = file.patch.old_path
    return f"{_LETTERS[file.patch.status]} {name if old is None else f'{old} → {name}'}"
