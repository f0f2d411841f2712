"""The files, symbols and addresses that a message names, so that they can be looked up in the change. Pure."""

import re

_CODE_SPAN = re.compile(r"`([^`\n]+)`")
_ADDRESS = re.compile(r"(?:https?://|www\.)[^\s<>()\"'`]+")
_PATH = re.compile(
    r"(?<![\w./@\-])(?:\.{0,2}[\w\-][\w.\-]*/)+[\w.\-]*\w"
    r"|(?<![\w./@\-])[\w\-]+\.[A-Za-z][A-Za-z0-9]{0,4}(?![\w/])"
)
# `HTTPServer` may be prose; `parse_x`, `parseX` and `parse()` are not.
_SYMBOL = re.compile(
    r"(?<![\w.\-/])(?:_*[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+_*|[a-z]{2,}(?:[A-Z][a-z0-9]+)+|[A-Za-z_]\w*(?=\(\)))(?![\w/])"
)
_NOT_PATHS = re.compile(
    r"(?i)(?:and|or|his|her|w|read|write|input|output|client|server|either|on|off|yes|no|true|false|tcp|udp|i|n|a|add|"
    r"remove|key|value|pass|fail|start|stop|before|after|open|close|get|set|up|down|ci)(?:/[a-z]+)+"
)
_ABBREVIATIONS = frozenset({"e.g", "i.e", "etc.", "vs.", "node.js", "vue.js", "next.js", "asp.net", "three.js"})
_SPAN_PUNCTUATION = "()[]{}.,:;!?'\"*&$"


def _plain(name: str) -> str:
    # A leading full stop belongs to a name: `.gitignore`.
    return name.strip().removesuffix("()").rstrip(_SPAN_PUNCTUATION).lstrip(_SPAN_PUNCTUATION.replace(".", ""))


def find_addresses(message: str) -> list[str]:
    """The web addresses in a message, each once."""
    return list(dict.fromkeys(found.rstrip(".,;:") for found in _ADDRESS.findall(message)))


def find_names(message: str) -> list[str]:
    """The names of files and symbols in a message, each once; addresses and the conventional header do not count."""
    text = _ADDRESS.sub(" ", message)
    # A span that is a phrase or a command is no name.
    names = [_plain(span) for span in _CODE_SPAN.findall(text) if " " not in span.strip()]
    prose = _CODE_SPAN.sub(" ", text)
    names += [_plain(found) for found in _PATH.findall(prose) if _is_path(found)]
    names += [_plain(found) for found in _SYMBOL.findall(prose)]
    return [name for name in dict.fromkeys(names) if len(name) > 1]


def _is_path(text: str) -> bool:
    return text.lower() not in _ABBREVIATIONS and not _NOT_PATHS.fullmatch(text) and not _is_number(text)


def _is_number(text: str) -> bool:
    return re.fullmatch(r"v?\d[\d./\-]*\w{0,4}", text) is not None


def find_missing(message: str, known: str) -> list[str]:
    """The names in a message that do not occur in `known`; case does not count, nor does a leading slash."""
    folded = known.lower()
    return [name for name in find_names(message) if name.lower().strip("/") not in folded]
