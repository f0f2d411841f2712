"""Cards from values: what an editor shows beside the text, replayable from the stored value alone."""

from collections.abc import Sequence
from pathlib import PurePosixPath

from git_sidecar.git.parse.patch import parse_patch
from git_sidecar.model.patch import FilePatch, Hunk
from git_sidecar.tools.contract import Diff, DiffCard, ListCard, ListItem, NumberedLine, ReadCard
from git_sidecar.tools.values import CommitValue, FileValue

DEFAULT_CONTEXT_LINES = 3
_OPENINGS = ("diff --git ", "diff --cc ", "* Unmerged path ")

# Names as editors know them (the language identifiers of LSP, "TextDocumentItem").
_LANGUAGES = {
    "c": "c",
    "cc": "cpp",
    "cpp": "cpp",
    "cs": "csharp",
    "css": "css",
    "go": "go",
    "h": "c",
    "hpp": "cpp",
    "html": "html",
    "java": "java",
    "js": "javascript",
    "json": "json",
    "jsx": "javascriptreact",
    "kt": "kotlin",
    "lua": "lua",
    "md": "markdown",
    "php": "php",
    "pl": "perl",
    "ps1": "powershell",
    "py": "python",
    "rb": "ruby",
    "rs": "rust",
    "scss": "scss",
    "sh": "shellscript",
    "sql": "sql",
    "swift": "swift",
    "toml": "toml",
    "ts": "typescript",
    "tsx": "typescriptreact",
    "xml": "xml",
    "yaml": "yaml",
    "yml": "yaml",
}
_LANGUAGES_BY_NAME = {"dockerfile": "dockerfile", "makefile": "makefile", "gnumakefile": "makefile"}


def find_language(path: str) -> str | None:
    """The language identifier for a file's name; None where it tells nothing."""
    name = PurePosixPath(path).name.lower()
    return _LANGUAGES_BY_NAME.get(name) or _LANGUAGES.get(name.rpartition(".")[2] if "." in name else "")


def diff_card(diff: str, files: Sequence[FileValue], context_lines: int = DEFAULT_CONTEXT_LINES) -> DiffCard:
    """The card of a diff's text and its files, a patch for each file of which something is in the text.

    A side's whole text is given where the patch proves that it holds all of it, else None; the side that an added or
    deleted file does not have is empty.
    """
    sections = _split_sections(diff)
    counts = [2 if file.status == "typeChanged" else 1 for file in files]
    if sum(counts) != len(sections):
        return DiffCard(tuple(_make_diff_by_header(section, context_lines) for section in sections))
    diffs: list[Diff] = []
    at = 0
    for file, count in zip(files, counts, strict=True):
        patch = "".join(sections[at : at + count])
        at += count
        whole = file.coverage == "full" and count == 1
        old_text, new_text = _find_texts(patch, context_lines) if whole else (None, None)
        diffs.append(Diff(file.path, file.old_path, old_text, new_text, patch))
    return DiffCard(tuple(diffs))


def _split_sections(diff: str) -> list[str]:
    """The text file by file; what a page begins with in the middle of a file is a section too."""
    sections: list[list[str]] = []
    for line in diff.split("\n"):
        if not sections or line.startswith(_OPENINGS):
            sections.append([])
        sections[-1].append(line)
    texts = ["\n".join(lines) for lines in sections]
    return [text + "\n" if number < len(texts) - 1 else text for number, text in enumerate(texts) if text]


def _make_diff_by_header(section: str, context_lines: int) -> Diff:
    files = parse_patch(section.encode())
    path = files[0].path if files else None
    old = files[0].old_path if files else None
    shown = path.text if path else ""
    old_text, new_text = _find_texts(section, context_lines) if "lines omitted] ..." not in section else (None, None)
    return Diff(shown, old.text if old and old != path else None, old_text, new_text, section)


def _find_texts(patch: str, context_lines: int) -> tuple[str | None, str | None]:
    files = parse_patch(patch.encode())
    if len(files) != 1 or files[0].combined or files[0].binary:
        return None, None
    file = files[0]
    added = any(line.startswith(b"new file mode ") for line in file.header)
    deleted = any(line.startswith(b"deleted file mode ") for line in file.header)
    if not file.hunks:
        # A new or deleted file without hunks is empty; anything else without hunks kept its content.
        return ("", "") if added or deleted else (None, None)
    if len(file.hunks) != 1 or not _is_complete(file.hunks[0]):
        return None, None
    hunk = file.hunks[0]
    if not (added or deleted or _is_whole_file(hunk, context_lines)):
        return None, None
    return _join_side(file, b"-"), _join_side(file, b"+")


def _is_complete(hunk: Hunk) -> bool:
    kinds = [line[:1] for line in hunk.lines]
    old = sum(kind in (b" ", b"-", b"") for kind in kinds)
    new = sum(kind in (b" ", b"+", b"") for kind in kinds)
    return (old, new) == (hunk.old_count, hunk.new_count)


def _is_whole_file(hunk: Hunk, context_lines: int) -> bool:
    """Whether nothing can stand before or after the hunk: git would have shown it as context."""
    if max(hunk.old_start, hunk.new_start) > 1 or not hunk.lines:
        return False
    ends = [at for at, line in enumerate(reversed(hunk.lines)) if line[:1] in (b"+", b"-", b"\\")]
    trailing = min(ends, default=context_lines)
    return trailing < context_lines


def _join_side(file: FilePatch, sign: bytes) -> str:
    lines: list[bytes] = []
    previous = b""
    for line in file.hunks[0].lines:
        kind = line[:1]
        if kind == b"\\":
            # "No newline at end of file" speaks of the line before it.
            if previous in (sign, b" "):
                lines[-1] = lines[-1].removesuffix(b"\n")
        elif kind in (sign, b" ", b""):
            lines.append(line[1:] + b"\n")
        previous = kind
    return b"".join(lines).decode("utf-8", "replace")


def read_card(path: str, first_line: int, lines: Sequence[str], total_lines: int) -> ReadCard:
    """The card of part of a file; `first_line` counts from 1."""
    numbered = tuple(NumberedLine(first_line + at, line) for at, line in enumerate(lines))
    return ReadCard(path, first_line - 1, numbered, total_lines, find_language(path))


def list_card(items: Sequence[ListItem]) -> ListCard:
    """The card of a list."""
    return ListCard(tuple(items))


def commit_item(commit: CommitValue) -> ListItem:
    """A row for a commit."""
    return ListItem(commit.subject, f"{commit.short_hash} {commit.author}", commit.date)


def stat_item(stat: FileValue) -> ListItem:
    """A row for a file's numbers."""
    return ListItem(stat.path, describe_counts(stat), f"from {stat.old_path}" if stat.old_path else None)


def describe_counts(file: FileValue) -> str:
    """`+3 -1`, or what stands in its place."""
    if file.binary:
        return "binary"
    return "" if file.additions is None else f"+{file.additions} -{file.deletions}"
