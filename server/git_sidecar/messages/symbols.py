"""Functions, classes and types that a patch adds, removes or touches, as its own lines show them. Pure.

Nothing is parsed: a definition is a line that looks like one in the language that the file's suffix stands for. A
changed line belongs to the last definition above it that it is indented under; above the hunk's first line that is the
one in the hunk's header, which git's diff drivers found (gitattributes(5), "Defining a custom hunk-header").
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from posixpath import splitext

from git_sidecar.messages.patch import FilePatch, Hunk

_WORD = r"(?P<name>[A-Za-z_$][\w$]*[?!]?)"
_LONGEST_LINE = 300
_MODIFIERS = (
    r"(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|pub(?:\([^)]*\))?|unsafe"
    r"|extern(?: \"[^\"]*\")?|const|inline|virtual|override|open|sealed|data|partial|declare|suspend|local)\s+)*"
)
_AFTER = r"(?=\s*(?:[(:<{=;\[!]|$)|\s+(?:extends|implements|where|struct|interface|func|map|for|with|of)\b)"

_PYTHON = re.compile(rf"\s*(?:async\s+)?(?:def|class)\s+{_WORD}\s*(?=[(:\[])")
_SCRIPT = re.compile(
    rf"\s*{_MODIFIERS}(?:function\*?|class|interface|enum|type|namespace)\s+{_WORD}{_AFTER}"
    rf"|\s*(?:export\s+)?(?:const|let|var)\s+(?P<bound>[A-Za-z_$][\w$]*)\s*(?::[^=]*)?="
    rf"\s*(?:async\s*)?(?:function\b|\([^()]*\)\s*(?::[^=]*)?=>|[\w$]+\s*=>)"
    rf"|\s+(?:(?:async|static|get|set|public|private|protected|readonly|override)\s+)*"
    rf"(?P<method>[A-Za-z_$#][\w$]*)\s*\([^()]*\)\s*(?::[^{{]+)?\{{\s*$"
)
_GO = re.compile(rf"func\s+(?:\([^)]*\)\s*)?{_WORD}\s*[(\[]|type\s+(?P<bound>\w+)\s+\S")
_RUST = re.compile(rf"\s*{_MODIFIERS}(?:fn|struct|enum|trait|type|mod|union|macro_rules!)\s+{_WORD}")
_RUBY = re.compile(r"\s*(?:def\s+(?:self\.)?|class\s+|module\s+)(?P<name>[A-Za-z_][\w]*[?!=]?)")
_ELIXIR = re.compile(r"\s*(?:defp?|defmodule|defmacrop?)\s+(?P<name>[A-Za-z_][\w.]*[?!]?)")
_PHP = re.compile(rf"\s*{_MODIFIERS}(?:function|class|interface|trait|enum)\s+&?{_WORD}")
_SWIFT = re.compile(rf"\s*(?:@\w+\s+)*{_MODIFIERS}(?:func|class|struct|enum|protocol|extension|actor)\s+{_WORD}")
_KOTLIN = re.compile(
    rf"\s*{_MODIFIERS}(?:fun\s+(?:<[^>]*>\s*)?(?:[\w.]+\.)?|(?:enum\s+)?class\s+|interface\s+|object\s+|def\s+|trait\s+)"
    rf"{_WORD}"
)
_SHELL = re.compile(
    r"\s*(?:function\s+)?(?P<name>[A-Za-z_][\w\-]*)\s*\(\)\s*\{?\s*$|\s*function\s+(?P<bound>[\w\-]+)\s*\{"
)
_TYPED = re.compile(
    rf"\s*{_MODIFIERS}(?:typedef\s+)?(?:class|struct|enum|interface|record|namespace|union)\s+{_WORD}{_AFTER}"
    r"|\s*(?:[\w:<>\[\],.*&~@]+\s+)+[*&]*(?:\w+::)*(?P<method>~?[A-Za-z_]\w*)\s*\([^;{]*\)?[^;]*\{?\s*$"
)
_NOT_NAMES = frozenset(
    [
        "if",
        "for",
        "while",
        "switch",
        "catch",
        "return",
        "else",
        "new",
        "throw",
        "do",
        "try",
        "with",
        "function",
        "await",
        "case",
        "default",
        "sizeof",
        "elif",
        "delete",
        "in",
        "of",
        "and",
        "or",
        "not",
        "constructor",
        "super",
        "using",
        "lock",
        "foreach",
        "synchronized",
        "assert",
        "import",
        "from",
        "print",
    ]
)
_NOT_STARTS = re.compile(r"\s*(?:(?:return|else|throw|new|delete|await|case|goto|using|import|package)\b|#|//|\*|/\*)")

_LANGUAGES: dict[str, re.Pattern[str]] = {
    **dict.fromkeys((".py", ".pyi", ".pyx"), _PYTHON),
    **dict.fromkeys((".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte"), _SCRIPT),
    ".go": _GO,
    ".rs": _RUST,
    **dict.fromkeys((".rb", ".rake"), _RUBY),
    **dict.fromkeys((".ex", ".exs"), _ELIXIR),
    ".php": _PHP,
    ".swift": _SWIFT,
    **dict.fromkeys((".kt", ".kts", ".scala", ".groovy"), _KOTLIN),
    **dict.fromkeys((".sh", ".bash", ".zsh"), _SHELL),
    **dict.fromkeys((".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh", ".java", ".cs", ".m", ".mm"), _TYPED),
}


@dataclass(frozen=True, slots=True)
class Symbols:
    """Names in one file: defined by added lines only, by removed lines only, touched; renames as (old, new)."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()


def defined_name(line: str, path: str) -> str | None:
    """The name that a line of a file with that path defines; None where it defines nothing."""
    language = _LANGUAGES.get(splitext(path)[1].lower())
    if language is None or len(line) > _LONGEST_LINE or not line.strip():
        return None
    if language is _TYPED and _NOT_STARTS.match(line):
        return None
    found = language.match(line)
    if found is None:
        return None
    name = next((value for value in found.groupdict().values() if value), None)
    # `__init__` and its like are known by their class.
    dunder = name is not None and name.startswith("__") and name.endswith("__")
    return None if name is None or dunder or name.lower() in _NOT_NAMES else name


def has_language(path: str) -> bool:
    """Whether definitions can be told in such a file."""
    return splitext(path)[1].lower() in _LANGUAGES


@dataclass(slots=True)
class _Scan:
    added: list[str]
    removed: list[str]
    touched: list[str]
    paired: list[tuple[str, str]]


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def _scan_hunk(hunk: Hunk, path: str, scan: _Scan) -> None:
    inside = defined_name(hunk.context, path)
    depth = -1
    last_removed: str | None = None
    for line in hunk.lines:
        sign, text = line[:1], line[1:]
        if sign == "\\" or not text.strip():
            continue
        name = defined_name(text, path)
        if name is not None:
            inside, depth = name, _indent(text)
            if sign == "-":
                scan.removed.append(name)
                last_removed = name
            elif sign == "+":
                scan.added.append(name)
                if last_removed is not None and last_removed != name:
                    scan.paired.append((last_removed, name))
                last_removed = None
            continue
        if _indent(text) <= max(depth, 0) and text.lstrip()[0] not in "{})]@":
            inside = None
        if sign in "+-" and inside is not None:
            scan.touched.append(inside)


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def find_symbols(patch: FilePatch) -> Symbols:
    """What the hunks of one file do to its definitions, each list in the order of the file."""
    if not has_language(patch.path):
        return Symbols()
    scan = _Scan([], [], [], [])
    for hunk in patch.hunks:
        _scan_hunk(hunk, patch.path, scan)
    added = [name for name in scan.added if name not in scan.removed]
    removed = [name for name in scan.removed if name not in scan.added]
    renamed = [pair for pair in dict.fromkeys(scan.paired) if pair[0] in removed and pair[1] in added]
    if len({old for old, _ in renamed}) != len(renamed) or len({new for _, new in renamed}) != len(renamed):
        renamed = []
    gone = {name for pair in renamed for name in pair}
    signature = [name for name in scan.added if name in scan.removed]
    changed = [name for name in (*signature, *scan.touched) if name not in added and name not in removed]
    return Symbols(
        _unique(name for name in added if name not in gone),
        _unique(name for name in removed if name not in gone),
        _unique(changed),
        tuple(renamed),
    )
