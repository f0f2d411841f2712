"""Letter cases as commitlint's rules name them (@commitlint/ensure, on es-toolkit's words). Pure."""

import re

_QUOTED = re.compile(r"`.*?`|\".*?\"|'.*?'")
_WORDS = re.compile(r"[A-Z]{2,}(?=[A-Z][a-z]+|\d|\b|_)|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_A-Za-z]+")


def _upper_first(text: str) -> str:
    return text[:1].upper() + text[1:]


def _camel(text: str) -> str:
    words = [word.lower() for word in _WORDS.findall(text)]
    return "".join(word if number == 0 else _upper_first(word) for number, word in enumerate(words))


def _transform(text: str, case: str) -> str | None:
    words = _WORDS.findall(text)
    if case in ("lower-case", "lowercase", "lowerCase"):
        return text.lower()
    if case in ("upper-case", "uppercase"):
        return text.upper()
    if case in ("sentence-case", "sentencecase"):
        return _upper_first(text)
    if case == "start-case":
        return " ".join(_upper_first(word) for word in words)
    if case == "camel-case":
        return _camel(text)
    if case == "pascal-case":
        return _upper_first(_camel(text))
    if case in ("kebab-case", "snake-case"):
        return ("-" if case == "kebab-case" else "_").join(word.lower() for word in words)
    return None


def has_case(text: str, case: str) -> bool:
    """Whether a text is written in a case, by commitlint's rule: what is quoted does not count, a digit passes."""
    plain = _QUOTED.sub("", text).strip()
    changed = _transform(plain, case)
    return changed is not None and (changed == "" or changed[0].isdigit() or changed == plain)
