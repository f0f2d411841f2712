"""JavaScript read only as far as it is data: the object literal that a configuration file exports. Pure.

Nothing is run. What is not a literal (a call, a spread, a function) becomes NotData; the rest can be used.
"""

import re
from typing import Final, TypeAlias

_EXPORT = re.compile(r"(?:module\.exports\s*=|exports\.default\s*=|export\s+default)\s*")
_BINDING = r"(?:const|let|var)\s+{name}\s*(?::[^=]+)?=\s*"
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_NUMBER = re.compile(r"-?(?:0x[0-9a-fA-F]+|\d+(?:\.\d+)?)")
_SPACE = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
# TypeScript's `as const` and `satisfies T` do not change a value.
_ASSERTION = re.compile(r"(?:as|satisfies)\s")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_DEEPEST = 12
# RuleConfigSeverity of @commitlint/types.
_SEVERITY = {"Disabled": 0, "Warning": 1, "Error": 2}


class NotData:
    """Stands for a value that only running the file could tell."""

    def __repr__(self) -> str:
        """A name for messages."""
        return "NotData"


NOT_DATA: Final = NotData()

JsValue: TypeAlias = "dict[str, JsValue] | list[JsValue] | str | float | bool | NotData | None"


class _Unreadable(Exception):
    """The text ends or breaks off inside a value."""


class _Reader:
    def __init__(self, text: str, at: int) -> None:
        self._text = text
        self._at = at

    def value(self, depth: int = 0) -> JsValue:
        """The value that begins here."""
        if depth > _DEEPEST:
            raise _Unreadable
        self._skip_space()
        char = self._peek()
        read: JsValue
        if char == "{":
            read = self._object(depth)
        elif char == "[":
            read = self._array(depth)
        elif char in "\"'`":
            read = self._string(char)
        elif found := _NUMBER.match(self._text, self._at):
            self._at = found.end()
            read = float(int(found.group(), 16)) if "0x" in found.group() else float(found.group())
        else:
            read = self._word()
        if depth == 0:
            return read
        self._skip_space()
        if self._peek() in ",]}":
            return read
        asserted = _ASSERTION.match(self._text, self._at) is not None
        self._skip_expression()
        return read if asserted else NOT_DATA

    def _peek(self) -> str:
        if self._at >= len(self._text):
            raise _Unreadable
        return self._text[self._at]

    def _skip_space(self) -> None:
        found = _SPACE.match(self._text, self._at)
        self._at = found.end() if found else self._at

    def _skip_expression(self) -> None:
        depth = 0
        while self._at < len(self._text):
            char = self._text[self._at]
            if char in "\"'`":
                self._string(char)
                continue
            if self._text.startswith(("//", "/*"), self._at):
                self._skip_space()
                continue
            if char in "([{":
                depth += 1
            elif char in ")]}":
                if depth == 0:
                    return
                depth -= 1
            elif char in ",;" and depth == 0:
                return
            self._at += 1

    def _word(self) -> JsValue:
        found = _NAME.match(self._text, self._at)
        if found is None:
            return NOT_DATA
        start, self._at = self._at, found.end()
        words: dict[str, JsValue] = {"true": True, "false": False, "null": None, "undefined": None}
        if found.group() in words:
            return words[found.group()]
        severity = re.compile(r"RuleConfigSeverity\s*\.\s*(\w+)").match(self._text, start)
        if severity and severity.group(1) in _SEVERITY:
            self._at = severity.end()
            return float(_SEVERITY[severity.group(1)])
        return NOT_DATA

    def _string(self, quote: str) -> JsValue:
        self._at += 1
        parts: list[str] = []
        computed = False
        while (char := self._peek()) != quote:
            self._at += 1
            if char == "\\":
                escaped = self._peek()
                self._at += 1
                parts.append(_ESCAPES.get(escaped, escaped))
                continue
            computed = computed or (quote == "`" and char == "$" and self._peek() == "{")
            parts.append(char)
        self._at += 1
        return NOT_DATA if computed else "".join(parts)

    def _array(self, depth: int) -> JsValue:
        self._at += 1
        items: list[JsValue] = []
        while True:
            self._skip_space()
            if self._peek() == "]":
                self._at += 1
                return items
            before = self._at
            items.append(self.value(depth + 1))
            self._skip_comma(before)

    def _object(self, depth: int) -> JsValue:
        self._at += 1
        members: dict[str, JsValue] = {}
        while True:
            self._skip_space()
            char = self._peek()
            if char == "}":
                self._at += 1
                return members
            before = self._at
            key: JsValue = self._string(char) if char in "\"'" else self._key()
            self._skip_space()
            if isinstance(key, str) and self._peek() == ":":
                self._at += 1
                members[key] = self.value(depth + 1)
            else:
                self._skip_expression()
            self._skip_comma(before)

    def _key(self) -> JsValue:
        found = _NAME.match(self._text, self._at)
        if found is None:
            return NOT_DATA
        self._at = found.end()
        return found.group()

    def _skip_comma(self, before: int) -> None:
        self._skip_space()
        if self._peek() == ",":
            self._at += 1
        elif self._at == before:
            raise _Unreadable


def parse_js_export(text: str) -> dict[str, JsValue] | None:
    """The object that the file exports, in place or by the name of a constant; None where it is no literal."""
    found = _EXPORT.search(text)
    if found is None:
        return None
    at = found.end()
    name = _NAME.match(text, at)
    if name is not None:
        bound = re.search(_BINDING.format(name=re.escape(name.group())), text)
        if bound is None:
            return None
        at = bound.end()
    try:
        value = _Reader(text, at).value()
    except _Unreadable:
        return None
    return value if isinstance(value, dict) else None
