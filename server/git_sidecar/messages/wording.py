"""Says in English what a change does, from its files and definitions alone: candidates for a subject, lines for a body.

Nothing is claimed that the diff does not show: files and symbols are named as they stand there, and why something was
changed is never guessed. Pure.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from posixpath import basename, dirname

from git_sidecar.messages.category import Category
from git_sidecar.messages.dependencies import DependencyChange
from git_sidecar.messages.facts import ChangedFile, Treatment
from git_sidecar.messages.file_title import submodule_range
from git_sidecar.messages.symbols import Symbols
from git_sidecar.model.changes import ABSENT_MODE, ChangeStatus

_VERBS = {
    ChangeStatus.ADDED: "add",
    ChangeStatus.MODIFIED: "update",
    ChangeStatus.DELETED: "remove",
    ChangeStatus.RENAMED: "rename",
    ChangeStatus.COPIED: "copy",
    ChangeStatus.TYPE_CHANGED: "change the type of",
    ChangeStatus.UNMERGED: "update",
}
# Base names that say nothing without their directory.
_VAGUE = frozenset(
    [
        "__init__.py",
        "__main__.py",
        "index.js",
        "index.ts",
        "index.tsx",
        "index.jsx",
        "index.html",
        "mod.rs",
        "lib.rs",
        "main.rs",
        "main.go",
        "main.py",
        "package.json",
        "Cargo.toml",
        "README.md",
        "Makefile",
        "Dockerfile",
        "BUILD",
        "CMakeLists.txt",
        "setup.py",
        "page.tsx",
        "route.ts",
    ]
)
_NOUNS = {
    Category.SOURCE: "files",
    Category.TEST: "test files",
    Category.DOCUMENTATION: "documentation files",
    Category.PIPELINE: "workflow files",
    Category.BUILD: "build files",
    Category.DEPENDENCIES: "manifests",
    Category.LOCK: "lock files",
    Category.CONFIGURATION: "configuration files",
    Category.ASSET: "assets",
}
_ENOUGH = 3
# Edits that a rename brings with it.
_FEW_LINES = 10
_EXECUTABLE = "100755"


@dataclass(frozen=True, slots=True)
class Change:
    """A change as the offline writer sees it; `symbols` and `dependencies` go with `files`, by position and by path."""

    files: tuple[ChangedFile, ...]
    symbols: tuple[Symbols, ...]
    dependencies: tuple[DependencyChange, ...] = ()
    version: str | None = None
    replaced: tuple[str, str] | None = None

    def main(self) -> list[int]:
        """The positions of the files that the change is about: source before tests before the rest."""
        for category in (Category.SOURCE, Category.TEST, Category.PIPELINE, Category.BUILD, Category.DEPENDENCIES,
                         Category.CONFIGURATION, Category.DOCUMENTATION, Category.ASSET, Category.LOCK):  # fmt: skip
            found = [number for number, file in enumerate(self.files) if file.category is category]
            if found:
                return found
        return []


def short_name(path: str) -> str:
    """A file's base name, with its directory where the base name alone says nothing."""
    name = basename(path)
    parent = basename(dirname(path))
    return f"{parent}/{name}" if name in _VAGUE and parent else name


def join_words(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else ""


def _common_directory(files: Sequence[ChangedFile]) -> str:
    parts = [dirname(file.path).split("/") for file in files]
    common: list[str] = []
    for names in zip(*parts, strict=False):
        if len(set(names)) != 1 or not names[0]:
            break
        common.append(names[0])
    return "/".join(common)


def _mode_words(file: ChangedFile, name: str) -> str | None:
    change = file.patch.file.change
    if file.patch.hunks or change.old_mode == change.new_mode or ABSENT_MODE in (change.old_mode, change.new_mode):
        return None
    if change.status is not ChangeStatus.MODIFIED or file.treatment is Treatment.SUBMODULE:
        return None
    return f"make {name} executable" if change.new_mode == _EXECUTABLE else f"make {name} non-executable"


def _rename_words(file: ChangedFile, *, full: bool) -> str:
    old, new = file.patch.old_path or "", file.path
    verb = "copy" if file.patch.status is ChangeStatus.COPIED else "rename"
    if full:
        return f"{verb if dirname(old) == dirname(new) or verb == 'copy' else 'move'} {old} to {new}"
    if basename(old) == basename(new):
        return f"{'copy' if verb == 'copy' else 'move'} {basename(new)} to {dirname(new) or 'the root'}"
    return f"{verb} {short_name(old)} to {short_name(new)}"


def _submodule_words(file: ChangedFile) -> str:
    commits = submodule_range(file.patch)
    if file.patch.status is ChangeStatus.ADDED:
        return f"add submodule {file.path} at {commits}"
    if file.patch.status is ChangeStatus.DELETED:
        return f"remove submodule {file.path}"
    return f"update submodule {file.path} {commits}"


def _symbol_words(found: Symbols, name: str) -> Iterator[str]:
    """Subjects that name the definitions of one file, those that say most first."""
    groups = (("add", found.added, "to"), ("remove", found.removed, "from"), ("change", found.changed, "in"))
    if found.renamed and not found.added and not found.removed:
        old, new = found.renamed[0]
        if len(found.renamed) == 1:
            yield f"rename {old} to {new} in {name}"
            yield f"rename {old} to {new}"
    for verb, names, word in groups:
        if not names:
            continue
        if len(names) <= _ENOUGH:
            yield f"{verb} {join_words(names)} {word} {name}"
        if len(names) <= 2:
            yield f"{verb} {join_words(names)}"
        if len(names) > 1:
            yield f"{verb} {names[0]} and others {word} {name}"
            yield f"{verb} {names[0]} and others"
        break


def _file_words(file: ChangedFile, found: Symbols) -> Iterator[str]:
    name = short_name(file.path)
    mode = _mode_words(file, name)
    if file.treatment is Treatment.SUBMODULE:
        yield _submodule_words(file)
    elif mode is not None:
        yield mode
    elif file.patch.status in (ChangeStatus.RENAMED, ChangeStatus.COPIED):
        yield _rename_words(file, full=False)
    elif file.patch.status is ChangeStatus.ADDED:
        if 0 < len(found.added) <= 2:
            yield f"add {join_words(found.added)} in {name}"
        yield f"add {file.path}"
    elif file.patch.status is ChangeStatus.MODIFIED:
        yield from _symbol_words(found, name)
    yield f"{_VERBS[file.patch.status]} {file.path}"
    yield f"{_VERBS[file.patch.status]} {name}"


def _dependency_words(changes: Sequence[DependencyChange]) -> Iterator[str]:
    first = changes[0]
    if len(changes) > 1:
        verbs = {("update" if change.old and change.new else "add" if change.new else "remove") for change in changes}
        verb = verbs.pop() if len(verbs) == 1 else "update"
        yield f"{verb} {join_words([change.name for change in changes])}"
        yield f"{verb} {first.name} and {len(changes) - 1} other dependencies"
        yield f"{verb} {len(changes)} dependencies"
    elif first.old and first.new:
        yield f"bump {first.name} from {first.old} to {first.new}"
        yield f"bump {first.name} to {first.new}"
    else:
        yield f"add {first.name} {first.new}" if first.new else f"remove {first.name}"
        yield f"{'add' if first.new else 'remove'} {first.name}"


def _join_by_verb(files: Sequence[ChangedFile]) -> str:
    """`add a.py and update b.py`: each file's short name after what happened to it."""
    named: dict[str, list[str]] = {}
    for file in sorted(files, key=lambda file: file.patch.status is ChangeStatus.MODIFIED):
        if file.patch.status is ChangeStatus.RENAMED:
            named[_rename_words(file, full=False)] = []
        else:
            named.setdefault(_VERBS[file.patch.status], []).append(short_name(file.path))
    return join_words([f"{verb} {join_words(names)}".rstrip() for verb, names in named.items()])


def _many_words(change: Change, numbers: Sequence[int]) -> Iterator[str]:
    """Subjects for a change of several files of one kind."""
    files = [change.files[number] for number in numbers]
    verbs = {_VERBS[file.patch.status] for file in files}
    verb = verbs.pop() if len(verbs) == 1 else "update"
    directory = _common_directory(files)
    moves = {(dirname(file.patch.old_path or ""), dirname(file.path)) for file in files}
    if verb == "rename" and len(moves) == 1 and all(a != b for a, b in moves):
        old, new = next(iter(moves))
        yield f"move {len(files)} files from {old or 'the root'} to {new or 'the root'}"
    renamed = [file for file in files if file.patch.status is ChangeStatus.RENAMED]
    edited = sum((file.patch.file.additions or 0) for file in files if file not in renamed)
    if len(renamed) == 1 and edited <= _FEW_LINES:
        yield _rename_words(renamed[0], full=False)
    modes = [_mode_words(file, "{}") for file in files]
    if all(modes) and len(set(modes)) == 1:
        yield str(modes[0]).format(f"{len(files)} files")
    added = [name for number in numbers for name in change.symbols[number].added]
    if verb == "update" and added and len(added) <= 2:
        yield f"add {join_words(added)}" + (f" in {directory}" if directory else "")
        yield f"add {join_words(added)}"
    if len(files) <= _ENOUGH:
        yield _join_by_verb(files)
    noun = _NOUNS[files[0].category]
    if directory:
        yield f"{verb} {len(files)} {noun} in {directory}"
        yield f"{verb} {len(files)} {noun} in {basename(directory)}"
    yield f"{verb} {short_name(files[0].path)} and {len(files) - 1} other {noun}"
    yield f"{verb} {len(files)} {noun}"


def propose_subjects(change: Change) -> Iterator[str]:
    """Subjects without type and full stop, in lower case, the most telling first; the last is always short."""
    if change.version is not None:
        yield f"release {change.version}"
        yield f"set version {change.version}"
    if change.dependencies:
        yield from _dependency_words(change.dependencies)
    if change.replaced is not None:
        old, new = change.replaced
        yield f"rename {old} to {new}"
    numbers = change.main()
    if len(numbers) == 1:
        yield from _file_words(change.files[numbers[0]], change.symbols[numbers[0]])
    elif numbers:
        yield from _many_words(change, numbers)
    yield "update 1 file" if len(change.files) == 1 else f"update {len(change.files)} files"


def _symbol_list(found: Symbols) -> str:
    parts: list[str] = []
    for verb, names in (("add", found.added), ("remove", found.removed), ("change", found.changed)):
        if names:
            more = f" and {len(names) - 6} more" if len(names) > 6 else ""
            parts.append(f"{verb} {', '.join(names[:6])}{more}")
    parts += [f"rename {old} to {new}" for old, new in found.renamed[:4]]
    return "; ".join(parts)


def _counts(file: ChangedFile) -> str:
    counted = file.patch.file
    if counted.additions is None or counted.deletions is None:
        return "" if file.size_bytes is None else f" ({file.size_bytes} bytes)"
    return f" (+{counted.additions} -{counted.deletions})"


def describe_change(file: ChangedFile, found: Symbols) -> str:
    """One line on one file for a body: its path in full, what happened, which definitions."""
    mode = _mode_words(file, file.path)
    if file.treatment is Treatment.SUBMODULE:
        return _submodule_words(file)
    if mode is not None:
        return mode
    if file.patch.status in (ChangeStatus.RENAMED, ChangeStatus.COPIED):
        words = _rename_words(file, full=True)
        inside = _symbol_list(found)
        return f"{words}: {inside}" if inside else words
    if file.patch.status is ChangeStatus.MODIFIED:
        inside = _symbol_list(found)
        return f"{file.path}: {inside}" if inside else f"{file.path}: update{_counts(file)}"
    inside = f" with {', '.join(found.added[:6])}" if file.patch.status is ChangeStatus.ADDED and found.added else ""
    return f"{_VERBS[file.patch.status]} {file.path}{inside}" + ("" if inside else _counts(file))


def describe_dependency(change: DependencyChange) -> str:
    """One line on one dependency."""
    if change.old and change.new:
        return f"{change.name}: {change.old} to {change.new}"
    return f"add {change.name} {change.new}" if change.new else f"remove {change.name}"


def order_for_body(files: Sequence[ChangedFile]) -> list[int]:
    """The positions of files in the order in which a reader wants them: source, tests, the rest; git's within each."""
    ranks: Mapping[Category, int] = {Category.SOURCE: 0, Category.TEST: 1, Category.DOCUMENTATION: 3, Category.LOCK: 4}
    return sorted(range(len(files)), key=lambda number: ranks.get(files[number].category, 2))
