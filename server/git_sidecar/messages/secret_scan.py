"""Finds secrets in single lines by the detect-secrets package, which is imported at the first use.

Its own entry points keep settings for the whole process and read files; its detectors are used directly instead, so
that nothing is global, nothing is verified over a network, and a comment in a diff (`pragma: allowlist secret`) cannot
switch detection off.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from posixpath import basename
from typing import Any, cast

from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
from detect_secrets.filters import heuristic
from detect_secrets.plugins.base import BasePlugin, RegexBasedDetector
from detect_secrets.plugins.high_entropy_strings import Base64HighEntropyString, HighEntropyStringsPlugin
from detect_secrets.plugins.keyword import KeywordDetector

# An address is no secret; a private key is masked as a whole block by the caller.
_LEFT_OUT = frozenset({"IPPublicDetector", "PrivateKeyDetector"})
# KeywordDetector takes 20 times as long as all others; a line without one of its words cannot match it.
_KEYWORDS = re.compile(r"(?i)key|pass|pwd|secret|contrase")
_SHORTEST_SECRET = 4
# A shorter group of a pattern is a part of the value, such as its prefix.
_SHORTEST_VALUE = 8
_SHORTEST_LINE = 8
_AWS_LENGTH = 40
# Long lines are looked at in overlapping pieces: some patterns take quadratic time.
_PIECE, _OVERLAP = 1_000, 200
_BARE_BASE64 = re.compile(r"[A-Za-z0-9+/]{40,}={0,2}")
_BARE_TOKEN = re.compile(r"(?<![\w+\-/.])[A-Za-z0-9_\-]{20,}={0,2}(?![\w+\-/])")
# Standard base64 has slashes, but a token with many of them is a path.
_SLASHED_TOKEN = re.compile(
    r"(?<![\w+\-/.])(?=[A-Za-z0-9+]+/)(?:[A-Za-z0-9+]+/?){1,4}(?<=[A-Za-z0-9+/]{32})={0,2}(?![\w+\-/.])"
)
# Files in which values stand without quotes, whatever their suffix.
_UNQUOTED = re.compile(r"(?:^|\.)env(?:$|\.)|^\.(?:envrc|npmrc|pypirc|netrc)$|\.(?:env|sh|bash|zsh|properties|tfvars)$")
# Values that a person would not call a secret: they are masked like others, but nobody is warned.
_PLACEHOLDER = re.compile(
    r"(?i)(?:your|my|the|some|an?|example|sample|dummy|fake|mock|test|change|replace|insert|todo|placeholder|default)"
    r"(?:[\W_].*|me.*|ing)?|[x*.#?\-_]+|true|false|null|none|nil|undefined|string|str|text|number|required|optional"
    r"|(?:\w*[_\-])?(?:password|passwd|secret|token|api_?key|pass)(?:\d{0,4})|.*[ \t].*"
)

_Filter = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Secret:
    """A value that looks like a secret, what kind it is, and whether a person should hear of it."""

    value: str
    kind: str
    warn: bool


def _values(plugin: BasePlugin, piece: str) -> Iterator[str]:
    """The values that a detector of known shapes finds: the longest group of a match, or the match itself.

    The package's own method gives every group, and of a token such as `(ghp|gho)_…` the first three letters only.
    """
    if not isinstance(plugin, RegexBasedDetector) or "analyze_string" in vars(type(plugin)):
        yield from plugin.analyze_string(piece)
        return
    patterns: Iterable[re.Pattern[str]] = cast("Any", plugin).denylist
    for pattern in patterns:
        for found in pattern.finditer(piece):
            longest = max((group for group in found.groups() if group), key=len, default="")
            yield longest if len(longest) >= _SHORTEST_VALUE else found.group()


def _is_mixed(token: str) -> bool:
    """Whether a token holds small and capital letters and digits, as random ones do; names have one digit at most."""
    least = 1 if len(token) == _AWS_LENGTH else 2
    return sum(map(str.isdigit, token)) >= least and any(map(str.isupper, token)) and any(map(str.islower, token))


class SecretScanner:
    """The detectors, made once for one message."""

    def __init__(self) -> None:
        """Make one of each detector that applies to text."""
        classes = get_mapping_from_secret_type_to_class().values()
        plugins: list[BasePlugin] = [found() for found in classes if found.__name__ not in _LEFT_OUT]
        self._keyword = next(plugin for plugin in plugins if isinstance(plugin, KeywordDetector))
        self._entropy = [plugin for plugin in plugins if isinstance(plugin, HighEntropyStringsPlugin)]
        self._base64 = next(plugin for plugin in self._entropy if isinstance(plugin, Base64HighEntropyString))
        self._shaped = [
            plugin for plugin in plugins if not isinstance(plugin, KeywordDetector | HighEntropyStringsPlugin)
        ]
        self._doubts: tuple[_Filter, ...] = (
            heuristic.is_sequential_string,
            heuristic.is_potential_uuid,
            heuristic.is_templated_secret,
            heuristic.is_prefixed_with_dollar_sign,
            heuristic.is_not_alphanumeric_string,
        )

    def scan_line(self, line: str, path: str) -> list[Secret]:
        """The secrets in one line of the file at `path` ("" for text that is in no file), longest first."""
        if len(line) < _SHORTEST_LINE:
            return []
        found: dict[str, Secret] = {}
        for start in range(0, max(1, len(line) - _OVERLAP), _PIECE - _OVERLAP):
            for secret in self._scan_piece(line[start : start + _PIECE], path):
                found.setdefault(secret.value, secret)
        return sorted(found.values(), key=lambda secret: -len(secret.value))

    def _scan_piece(self, piece: str, path: str) -> Iterator[Secret]:
        for plugin in self._shaped:
            for value in _values(plugin, piece):
                if len(value) >= _SHORTEST_SECRET:
                    yield Secret(value, str(plugin.secret_type), warn=not heuristic.is_templated_secret(value))
        for plugin in self._entropy:
            for value in plugin.analyze_string(piece):
                if plugin.calculate_shannon_entropy(value) > plugin.entropy_limit and not self._is_doubtful(value):
                    warn = not heuristic.is_likely_id_string(value, piece, plugin)
                    yield Secret(value, str(plugin.secret_type), warn=warn)
        if _KEYWORDS.search(piece):
            yield from self._scan_keywords(piece, path)
        yield from self._scan_bare(piece)

    def _scan_bare(self, piece: str) -> Iterator[Secret]:
        """Random-looking strings without quotes, which the entropy detectors leave to their caller (eager search)."""
        whole = _BARE_BASE64.fullmatch(piece.strip())
        found = [whole.group()] if whole else [*_BARE_TOKEN.findall(piece), *_SLASHED_TOKEN.findall(piece)]
        tokens = [token for token in found if whole or _is_mixed(token)]
        for value in tokens:
            random = self._base64.calculate_shannon_entropy(value) > self._base64.entropy_limit
            if random and not self._is_doubtful(value):
                yield Secret(value, str(self._base64.secret_type), warn=True)

    def _scan_keywords(self, piece: str, path: str) -> Iterator[Secret]:
        name = "values.ini" if _UNQUOTED.search(basename(path)) else path
        for potential in self._keyword.analyze_line(filename=name, line=piece, line_number=1):
            value = (potential.secret_value or "").strip()
            if len(value) < _SHORTEST_SECRET or self._is_doubtful(value) or heuristic.is_indirect_reference(piece):
                continue
            yield Secret(value, str(self._keyword.secret_type), warn=_PLACEHOLDER.fullmatch(value) is None)

    def _is_doubtful(self, value: str) -> bool:
        return any(doubts(value) for doubts in self._doubts)
