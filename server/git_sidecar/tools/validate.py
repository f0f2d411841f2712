"""Raw arguments to a tool's input, or the refusal that names the argument.

`null` means absent, types are strict (`"3"` is no number), nothing unknown passes. A whole number written with a
fraction (`2.0`) is taken as that number, as JSON Schema does.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from pydantic import ValidationError

from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.tools.contract import AnyTool, ToolInput

_SHOWN_CHARACTERS = 80
_SHOWN_PROBLEMS = 5
_LONGEST_TEXT = 1 << 20


def validate_arguments(tool: AnyTool, raw: object) -> ToolInput | Refusal:
    """The tool's input, defaults filled in; else `invalid_arguments`, which names each argument at fault."""
    if raw is None:
        raw = {}
    if not isinstance(raw, Mapping):
        return _refuse(tool, "the arguments must be an object")
    arguments = _clean(cast("Mapping[str, Any]", raw))
    problem = _find_bad_text(arguments, "")
    if problem is not None:
        return _refuse(tool, problem)
    # `pathBytes` of a result can be handed back as it is (wire contract, "Paths").
    if "pathBytes" in arguments and "path" in tool.input.model_fields:
        arguments["path"] = {"pathBytes": arguments.pop("pathBytes")}
    try:
        # Only the names of the wire: the models also know their Python names.
        return cast("ToolInput", tool.input.model_validate(arguments, by_alias=True, by_name=False))
    except ValidationError as error:
        problems = error.errors(include_url=False, include_context=False)[:_SHOWN_PROBLEMS]
        texts = [_describe(problem["loc"], problem["msg"], problem["type"], problem["input"]) for problem in problems]
        return _refuse(tool, "; ".join(texts))


def _refuse(tool: AnyTool, message: str) -> Refusal:
    names = ", ".join(_argument_names(tool))
    return Refusal(
        RefusalCode.INVALID_ARGUMENTS,
        f"{tool.name}: {message}",
        hint=f"{tool.name} takes: {names}.",
    )


def _argument_names(tool: AnyTool) -> list[str]:
    return [info.alias or name for name, info in tool.input.model_fields.items()]


def _clean(value: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _clean_item(item) for name, item in value.items() if item is not None}


def _clean_item(value: Any) -> Any:
    if isinstance(value, Mapping):
        return _clean(cast("Mapping[str, Any]", value))
    if isinstance(value, list):
        return [_clean_item(item) for item in cast("Sequence[Any]", value)]
    if isinstance(value, float) and value.is_integer() and abs(value) < 1 << 53:
        return int(value)
    return value


def _find_bad_text(value: Any, place: str) -> str | None:
    """What is wrong with a text that no process could be given: half a character, or an absurd length."""
    if isinstance(value, str):
        if len(value) > _LONGEST_TEXT:
            return f"`{place}` is longer than {_LONGEST_TEXT} characters"
        if any("\ud800" <= char <= "\udfff" for char in value):
            return f"`{place}` holds half a character (a lone surrogate)"
        return None
    if isinstance(value, Mapping):
        items = [(f"{place}.{name}" if place else str(name), item) for name, item in cast("Any", value).items()]
    elif isinstance(value, list):
        items = [(f"{place}[{number}]", item) for number, item in enumerate(cast("list[Any]", value))]
    else:
        return None
    return next((problem for name, item in items if (problem := _find_bad_text(item, name)) is not None), None)


def _describe(location: Sequence[int | str], message: str, kind: str, given: object) -> str:
    place = ""
    for step in location:
        place += f"[{step}]" if isinstance(step, int) else f".{step}" if place else step
    if kind == "missing":
        return f"`{place}` is required"
    if kind == "extra_forbidden":
        return f"there is no argument `{place}`"
    if not place:
        return message.removeprefix("Value error, ")
    shown = repr(given)
    if len(shown) > _SHOWN_CHARACTERS:
        shown = shown[:_SHOWN_CHARACTERS] + "…"
    text = message.removeprefix("Value error, ")
    return f"`{place}`: {text[:1].lower()}{text[1:]} (got {shown})"
