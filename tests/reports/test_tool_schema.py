"""Reports: tool lists that model providers refuse, and calls that do not fit them."""

import json
from collections.abc import Iterator
from typing import Any, cast

import pytest

from tests.reports.conftest import Opener
from tests.reports.oracle import state
from tests.support.editor import Editor
from tests.support.scratch import ScratchRepo

# Each of them is refused, or silently dropped, by some provider's function calling.
FORBIDDEN = frozenset(
    {"$ref", "$defs", "anyOf", "oneOf", "allOf", "not", "const", "patternProperties"}
    | {"exclusiveMinimum", "exclusiveMaximum"}
)


@pytest.fixture
def editor(repo: ScratchRepo, open_editor: Opener) -> Editor:
    """An editor with a repository that has one commit and one staged change."""
    repo.commit(**{"f.txt": "base\n"})
    repo.write("f.txt", "2\n")
    repo.git("add", "-A")
    return open_editor(repo.root)


def schemas_within(schema: Any) -> Iterator[dict[str, Any]]:
    """A schema and every schema in it."""
    if not isinstance(schema, dict):
        return
    own = cast("dict[str, Any]", schema)
    yield own
    for part in (*own.get("properties", {}).values(), own.get("items"), own.get("additionalProperties")):
        yield from schemas_within(part)


def test_names_fit_every_provider_and_every_clients_prefix(editor: Editor) -> None:
    names = [tool["name"] for tool in editor.request("tools/list")["tools"]]
    assert names
    for name in names:
        assert name.isascii()
        assert name.replace("_", "").isalnum()
        assert name[0].isalpha()
        assert len(f"mcp__some_client__x_{name}") <= 64
    assert len({name.lower() for name in names}) == len(names)


def test_the_whole_list_is_small_and_every_tool_is_described(editor: Editor) -> None:
    tools = editor.request("tools/list")["tools"]
    assert len(json.dumps(tools)) < 64_000
    for tool in tools:
        assert 0 < len(tool["description"].strip()) < 1024
        assert tool["annotations"]["readOnlyHint"] == (tool["tier"] == "read")


def test_input_schemas_use_only_what_every_provider_reads(editor: Editor) -> None:
    for tool in editor.request("tools/list")["tools"]:
        top = tool["inputSchema"]
        assert top["type"] == "object", tool["name"]
        assert set(top.get("required", [])) <= set(top["properties"])
        for schema in schemas_within(top):
            assert FORBIDDEN.isdisjoint(schema), (tool["name"], schema)
            assert isinstance(schema["type"], str), (tool["name"], schema)
            assert (schema["type"] == "array") == ("items" in schema), (tool["name"], schema)


def test_calls_that_do_not_fit_are_refused_by_the_arguments_name(repo: ScratchRepo, editor: Editor) -> None:
    where = str(repo.root)
    before = state(repo)
    # An unknown argument is refused rather than ignored: it may have been meant as a limit on what is done.
    wrong: tuple[tuple[str, dict[str, Any], str], ...] = (
        ("git_add", {"workdir": where, "paths": ["f.txt"], "bogus": 1}, "bogus"),
        ("git_add", {"workdir": where, "paths": [3]}, "paths"),
        ("git_add", {"workdir": where, "paths": "f.txt"}, "paths"),
        ("git_add", {"workdir": where, "paths": []}, "paths"),
        ("git_commit", {"workdir": where}, "message"),
        ("git_commit", {"workdir": where, "message": 7}, "message"),
        ("git_commit", {"workdir": where, "message": "x", "amend": "yes"}, "amend"),
        ("git_commit", {"workdir": where, "message": "x\0y"}, "message"),
        ("git_status", {"workdir": "r\0x"}, "workdir"),
        ("git_status", {"workdir": 1}, "workdir"),
        ("git_show", {"workdir": where}, "rev"),
        ("git_show", {"workdir": where, "rev": None}, "rev"),
    )
    for tool, arguments, named in wrong:
        error = editor.error(tool, **arguments)
        assert error["code"] == "invalid_arguments", (tool, arguments, error)
        assert named in error["message"], (tool, arguments, error)
        assert "Traceback" not in str(error)
    unknown = editor.error("git_nope")
    assert (unknown["code"], "git_nope" in unknown["message"]) == ("unknown_tool", True)
    assert state(repo) == before
    assert editor.value("git_status", workdir=where)["head"] == repo.text("rev-parse", "HEAD")


def test_null_means_absent(repo: ScratchRepo, editor: Editor) -> None:
    nothing: dict[str, None] = dict.fromkeys(("repository", "untracked"))
    assert editor.value("git_status", **nothing) == editor.value("git_status")
    assert editor.error("git_commit", message="x", amend="null")["code"] == "invalid_arguments"
