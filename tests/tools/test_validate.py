"""Arguments: strict, and every refusal names what is wrong."""

import base64
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_sidecar.model.refusal import Refusal
from git_sidecar.tools.catalogue import TOOLS, find_tool
from git_sidecar.tools.contract import AnyTool, ToolInput
from git_sidecar.tools.validate import validate_arguments


def tool(name: str) -> AnyTool:
    """The tool of this name."""
    found = find_tool(name)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "arguments", "named"),
    [
        ("git_log", {"count": "3"}, "`count`"),
        ("git_log", {"count": True}, "`count`"),
        ("git_log", {"count": 2.5}, "`count`"),
        ("git_log", {"count": 1e400}, "`count`"),
        ("git_log", {"paths": [3]}, "`paths[0]`"),
        ("git_log", {"paths": ["a", "b\0"]}, "`paths[1]`"),
        ("git_log", {"paths": [None]}, "`paths[0]`"),
        ("git_log", {"paths": {}}, "`paths`"),
        ("git_log", {"author": ["x"]}, "`author`"),
        ("git_log", {"author": ""}, "`author`"),
        ("git_log", {"bogus": 1}, "`bogus`"),
        ("git_log", {"rev": "-x"}, "`rev`"),
        ("git_status", {"workdir": "r\0x"}, "`workdir`"),
        ("git_status", {"workdir": 7}, "`workdir`"),
        ("git_status", {"untracked": "some"}, "`untracked`"),
        ("git_status", {"repository": "\ud800"}, "`repository`"),
        ("git_diff", {"staged": "true"}, "`staged`"),
        ("git_diff", {"staged": 1}, "`staged`"),
        ("git_diff", {"from_": "HEAD"}, "`from_`"),
        ("git_diff", {"context_lines": 1}, "`context_lines`"),
        ("git_diff", {"paths": [{"pathBytes": "???"}]}, "`paths[0]`"),
        ("git_diff", {"paths": ["\udce9"]}, "`paths[0]`"),
        ("git_show", {}, "`rev` is required"),
        ("git_show", {"rev": "x" * (1 << 21)}, "`rev`"),
        ("git_blame", {"path": ""}, "`path`"),
        ("git_blame", {"path": {"name": "f"}}, "`path`"),
    ],
)
def test_refused_and_named(name: str, arguments: dict[str, Any], named: str) -> None:
    refusal = validate_arguments(tool(name), arguments)
    assert isinstance(refusal, Refusal)
    assert refusal.code == "invalid_arguments"
    assert refusal.message.startswith(f"{name}: ")
    assert named in refusal.message
    assert len(refusal.message) < 600
    assert refusal.hint is not None
    assert "repository" in refusal.hint


@pytest.mark.parametrize("raw", ["x", 3, [], [["count", 1]], True])
def test_arguments_are_an_object(raw: object) -> None:
    refusal = validate_arguments(tool("git_log"), raw)
    assert isinstance(refusal, Refusal)
    assert "must be an object" in refusal.message


def test_null_is_absent_and_whole_numbers_are_taken() -> None:
    absent = validate_arguments(tool("git_log"), None)
    assert absent == validate_arguments(tool("git_log"), {"count": None, "paths": None, "rev": None})
    two = validate_arguments(tool("git_log"), {"count": 2.0})
    assert two == validate_arguments(tool("git_log"), {"count": 2})
    assert two != absent


def test_path_bytes_of_a_result_go_back_in() -> None:
    raw = base64.b64encode(b"caf\xe9").decode()
    for arguments in (
        {"pathBytes": raw},
        {"path": {"pathBytes": raw}},
        {"path": {"path": "caf\ufffd", "pathBytes": raw}},
    ):
        args = validate_arguments(tool("git_blame"), arguments)
        assert isinstance(args, ToolInput)
        assert args.model_dump()["path"] == "caf\udce9"
        # The form that consent compares is plain JSON text.
        assert args.model_dump(mode="json")["path"].encode()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(TOOLS), st.data())
def test_whatever_is_sent_is_taken_or_refused(one: AnyTool, data: st.DataObject) -> None:
    names = [info.alias or name for name, info in one.input.model_fields.items()]
    arguments = data.draw(st.dictionaries(st.sampled_from([*names, "bogus"]), json_values, max_size=4))
    found = validate_arguments(one, arguments)
    assert isinstance(found, ToolInput | Refusal)
    if isinstance(found, ToolInput):
        again = found.model_dump(mode="json", by_alias=True, exclude_none=True)
        assert validate_arguments(one, again) == found
