"""What clients and models see of each tool, kept as files; `GIT_SIDECAR_UPDATE_GOLDEN=1` writes them anew.

`values/` holds stored values, written once by hand or from a run; schemas and renders follow from the code.
"""

import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from git_sidecar.service.card_form import card_value
from git_sidecar.tools.catalogue import TOOLS, describe
from git_sidecar.tools.contract import AnyTool
from git_sidecar.tools.schema import closed, output_schema

HERE = Path(__file__).parent
UPDATE = os.environ.get("GIT_SIDECAR_UPDATE_GOLDEN") == "1"
each_tool = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)


def compare(kind: str, name: str, text: str) -> None:
    """The file holds this text; or does from now on."""
    path = HERE / kind / name
    if UPDATE:
        path.write_text(text, encoding="utf-8", newline="")
    assert path.read_bytes().decode() == text


def render(tool: AnyTool, stored: dict[str, Any]) -> str:
    """A stored value's text and cards, without a repository."""
    value = stored["value"]
    jsonschema.validate(value, closed(output_schema(tool.output)))  # pyright: ignore[reportUnknownMemberType]
    output = tool.output.model_validate(value)
    assert output.model_dump(mode="json", by_alias=True) == value
    cards = [card_value(card) for card in tool.cards(output)]
    shown = json.dumps(cards, indent=1, ensure_ascii=False)
    return f"=== {stored['case']}\n{tool.render(output)}\n--- cards\n{shown}\n"


@each_tool
def test_schema(tool: AnyTool) -> None:
    compare("schemas", f"{tool.name}.json", json.dumps(describe(tool), indent=1, ensure_ascii=False) + "\n")


@each_tool
def test_render(tool: AnyTool) -> None:
    stored: list[dict[str, Any]] = json.loads((HERE / "values" / f"{tool.name}.json").read_bytes())
    assert stored
    compare("renders", f"{tool.name}.txt", "".join(render(tool, one) for one in stored))
