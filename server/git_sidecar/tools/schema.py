"""Input and output models to plain JSON Schema (wire contract, section 4).

Model providers take a common subset only: in an input schema one `type` string everywhere, no references, no unions.
What a tool's own validation says more exactly than that is said by a refusal.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from pydantic import BaseModel

Schema = dict[str, Any]

_NOISE = ("title", "default", "$defs", "format", "contentEncoding")


class UnsupportedSchema(TypeError):
    """A model uses something that the common subset has no word for."""


def input_schema(model: type[BaseModel]) -> Schema:
    """The schema of a tool's arguments: the common subset, descriptions of fields kept. `null` is not mentioned.

    `additionalProperties` is left out, which some providers refuse; unknown arguments are refused when called.
    """
    schema = model.model_json_schema(by_alias=True, mode="validation")
    simple = _Simplifier(schema.get("$defs", {}), output=False).simplify(schema)
    simple.pop("description", None)
    return simple


def output_schema(model: type[BaseModel]) -> Schema:
    """The schema of a tool's value, exact: what docs/tools.md shows and the tests hold every value to."""
    schema = model.model_json_schema(by_alias=True, mode="validation")
    definitions: Mapping[str, Any] = schema.get("$defs", {})
    text = json.dumps(schema)
    shared = [name for name in definitions if text.count(f'"#/$defs/{name}"') > 1]
    simplifier = _Simplifier(definitions, output=True, shared=shared)
    simple = simplifier.simplify(schema)
    if shared:
        simple["$defs"] = {name: simplifier.simplify(definitions[name]) for name in shared}
    return simple


def wire_output_schema(model: type[BaseModel]) -> Schema:
    """The schema of a tool's value for tools/list: as true as the exact one, but smaller, since the whole list is sent.

    Within the value's parts it leaves out which fields are always there, types that `properties` and `items` imply, and
    the `…Bytes` fields, which may stand beside every path (wire contract, head).
    """
    schema = output_schema(model)
    return {**_shrink(schema), "type": schema["type"], "required": schema.get("required", [])}


def _shrink(schema: Schema) -> Schema:
    small = {name: part for name, part in schema.items() if name != "required"}
    if small.get("type") in ("object", "array") and ("properties" in small or "items" in small):
        del small["type"]
    for name in ("properties", "$defs"):
        if name in small:
            parts = cast("dict[str, Schema]", small[name])
            small[name] = {key: _shrink(part) for key, part in parts.items() if not key.endswith("Bytes")}
    if "items" in small:
        small["items"] = _shrink(small["items"])
    return small


def closed(schema: Schema) -> Schema:
    """The schema with every object that has properties closed against others."""
    closed_schema = {name: _close_part(part) for name, part in schema.items()}
    if schema.get("type") == "object" and "properties" in schema:
        closed_schema["additionalProperties"] = False
    return closed_schema


def _close_part(part: Any) -> Any:
    if isinstance(part, dict):
        return closed(cast("Schema", part))
    return [_close_part(item) for item in cast("list[Any]", part)] if isinstance(part, list) else part


class _Simplifier:
    """Rewrites one schema; `shared` definitions stay references."""

    def __init__(self, definitions: Mapping[str, Any], *, output: bool, shared: Sequence[str] = ()) -> None:
        self._definitions = definitions
        self._output = output
        self._shared = shared

    def simplify(self, schema: Mapping[str, Any]) -> Schema:
        if "$ref" in schema:
            name = str(schema["$ref"]).rsplit("/", 1)[-1]
            if name in self._shared:
                return {"$ref": f"#/$defs/{name}"}
            schema = {**self._definitions[name], **{key: value for key, value in schema.items() if key != "$ref"}}
        if "anyOf" in schema:
            return self._drop_null(schema)
        noise = (*_NOISE, "description") if self._output else _NOISE
        simple = {key: value for key, value in schema.items() if key not in noise}
        if simple.get("additionalProperties") is False:
            del simple["additionalProperties"]
        if "const" in simple:
            simple["enum"] = [simple.pop("const")]
        for key, value in simple.items():
            if key == "properties":
                fields = cast("Mapping[str, Any]", value)
                simple[key] = {name: self.simplify(field) for name, field in fields.items()}
            elif key in ("items", "additionalProperties") and isinstance(value, Mapping):
                simple[key] = self.simplify(cast("Mapping[str, Any]", value))
        if not isinstance(simple.get("type"), str):
            raise UnsupportedSchema(f"no single type: {simple}")
        return simple

    def _drop_null(self, schema: Mapping[str, Any]) -> Schema:
        choices = [choice for choice in schema["anyOf"] if choice.get("type") != "null"]
        if len(choices) != 1:
            raise UnsupportedSchema(f"a union: {schema['anyOf']}")
        rest = {key: value for key, value in schema.items() if key != "anyOf"}
        plain = self.simplify({**choices[0], **rest})
        # An optional field of a value is left out where there is nothing to say, so its null never shows.
        if self._output and len(choices) < len(schema["anyOf"]) and "default" not in schema:
            plain["type"] = [plain["type"], "null"]
        return plain
