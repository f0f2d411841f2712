"""Schemas: plain enough for every model provider, and true."""

import json
import re
from collections.abc import Iterator
from typing import Any, Literal

import jsonschema
import pytest
from pydantic import BaseModel

from git_sidecar.tools.catalogue import TOOLS, describe, describe_tools
from git_sidecar.tools.contract import AnyTool
from git_sidecar.tools.schema import UnsupportedSchema, closed, input_schema

FORBIDDEN = {
    *("$ref", "$defs", "anyOf", "oneOf", "allOf", "not", "const", "patternProperties"),
    *("exclusiveMinimum", "exclusiveMaximum", "title", "default"),
}
LIST_BYTES = 24_000
each_tool = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)


def parts_of(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The schema and all schemas within it."""
    yield schema
    for field in schema.get("properties", {}).values():
        yield from parts_of(field)
    if "items" in schema:
        yield from parts_of(schema["items"])


@each_tool
def test_input_schemas_are_the_common_subset(tool: AnyTool) -> None:
    schema = describe(tool)["inputSchema"]
    assert schema["type"] == "object"
    for part in parts_of(schema):
        assert not FORBIDDEN & set(part)
        assert isinstance(part["type"], str)
        assert part["type"] != "array" or "items" in part
    assert set(schema.get("required", ())) <= set(schema["properties"])
    assert json.loads(json.dumps(schema)) == schema


@each_tool
def test_descriptions_hints_and_names(tool: AnyTool) -> None:
    value = describe(tool)
    jsonschema.Draft202012Validator.check_schema(value["inputSchema"])
    jsonschema.Draft202012Validator.check_schema(value["outputSchema"])
    assert re.fullmatch(r"[a-z][a-z0-9_]{0,43}", value["name"])
    assert 0 < len(value["description"]) < 1_024
    assert value["tier"] in ("read", "write", "destructive", "network", "varies")
    hints = value["annotations"]
    assert set(hints) == {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
    assert hints["readOnlyHint"] == (value["tier"] == "read")
    assert hints["openWorldHint"] == (value["tier"] == "network" or value["name"] == "git")


def test_the_list_is_small_enough_and_its_names_differ() -> None:
    tools = describe_tools()
    names = [tool["name"] for tool in tools]
    assert len({name.lower() for name in names}) == len(names)
    size = len(json.dumps(tools, separators=(",", ":"), ensure_ascii=False).encode())
    assert size < LIST_BYTES


class Odd(BaseModel):
    """A model that no common schema can say."""

    value: int | str


class Plain(BaseModel):
    """A model with a literal and a map."""

    one: Literal["only"]
    many: dict[str, int] | None = None


def test_unions_are_refused_and_literals_are_enumerations() -> None:
    with pytest.raises(UnsupportedSchema):
        input_schema(Odd)
    schema = input_schema(Plain)
    assert schema["properties"]["one"] == {"enum": ["only"], "type": "string"}
    assert schema["properties"]["many"] == {"type": "object", "additionalProperties": {"type": "integer"}}


def test_closed_schemas_refuse_what_is_not_named() -> None:
    schema = closed(
        {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "object", "properties": {}}}}}
    )
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"a": [{"b": 1}]}, schema)  # pyright: ignore[reportUnknownMemberType]
