"""Params checked by hand: a table of fields gives what was sent, or InvalidParams naming the field that is wrong.

Written out rather than left to pydantic: its models would add 6 ms to every start (decision record 0004), and the words
are ours.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

from git_sidecar.lsp.boundary import InvalidParams
from git_sidecar.lsp.envelope import Absent

T = TypeVar("T")
Check = Callable[[str, object], T]
"""Gives the value of the field of that name as it is meant; raises InvalidParams."""


def read_fields(params: object, checks: Mapping[str, Check[Any]], *, at: str = "") -> dict[str, Any]:
    """The checked fields of `params` that were sent and are not null; no other field may be there.

    `at` is the dotted place of a nested object. Params left out are an empty object, `null` ones are none.
    """
    if isinstance(params, Absent):
        return {}
    given = read_object(at or "params", params)
    unknown = given.keys() - checks.keys()
    if unknown:
        raise InvalidParams(f"unknown field {_show(at, min(unknown))}")
    return {name: checks[name](_show(at, name), value) for name, value in given.items() if value is not None}


def require(fields: Mapping[str, Any], *names: str) -> None:
    """Raise InvalidParams unless all of these fields were sent."""
    for name in names:
        if name not in fields:
            raise InvalidParams(f"{name} is missing")


def refuse_params(params: object) -> None:
    """Raise InvalidParams if a method without params was sent some; the empty forms of all clients pass."""
    if isinstance(params, Absent) or params in (None, {}, [], [None]):
        return
    read_fields(params, {})


def read_object(name: str, value: object) -> dict[str, Any]:
    """An object."""
    if not isinstance(value, dict):
        raise InvalidParams(f"{name} must be an object")
    return cast("dict[str, Any]", value)


def read_text(name: str, value: object) -> str:
    """A string."""
    if not isinstance(value, str):
        raise InvalidParams(f"{name} must be a string")
    return value


def read_flag(name: str, value: object) -> bool:
    """A boolean."""
    if not isinstance(value, bool):
        raise InvalidParams(f"{name} must be true or false")
    return value


def read_integer(name: str, value: object) -> int:
    """An integer; LSP clients in languages without integers may write it as 2.0."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidParams(f"{name} must be an integer")
    return value


def read_count(name: str, value: object) -> int:
    """An integer of one or more."""
    count = read_integer(name, value)
    if count < 1:
        raise InvalidParams(f"{name} must be at least 1")
    return count


def read_token(name: str, value: object) -> int | str:
    """A progress token (LSP: integer or string)."""
    return value if isinstance(value, str) else read_integer(name, value)


def read_object_map(name: str, value: object) -> dict[str, dict[str, Any]]:
    """An object whose values are objects."""
    return {key: read_object(f"{name}.{key}", item) for key, item in read_object(name, value).items()}


def read_list(item: Check[T]) -> Check[tuple[T, ...]]:
    """A check for an array whose items pass `item`."""

    def read(name: str, value: object) -> tuple[T, ...]:
        if not isinstance(value, list):
            raise InvalidParams(f"{name} must be an array")
        entries = cast("list[object]", value)
        return tuple(item(f"{name}[{number}]", entry) for number, entry in enumerate(entries))

    return read


def read_choice(*choices: str) -> Check[str]:
    """A check for one of these strings."""

    def read(name: str, value: object) -> str:
        if value not in choices:
            raise InvalidParams(f"{name} must be one of {', '.join(choices)}")
        return cast("str", value)

    return read


def _show(at: str, name: str) -> str:
    return f"{at}.{name}"[:200] if at else name[:200]
