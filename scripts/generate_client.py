"""Generates what the VS Code client says about the server: its manifest's tools and settings, and protocol.gen.ts.

python scripts/generate_client.py            writes
python scripts/generate_client.py --check    exit 1 where a file is not what would be written

The tools come from the running server's `tools/list`, the settings from its schema, so that neither can drift.
"""

import argparse
import json
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from git_sidecar.settings.load import narrow
from git_sidecar.settings.schema import Settings

Json = dict[str, Any]

CLIENT = Path(__file__).resolve().parent.parent / "client-vscode"
ANSWER_WITHIN_S = 60

_ICONS = {
    "git_staged_diff": "diff",
    "git_status": "list-tree",
    "git_diff": "diff",
    "git_log": "history",
    "git_show": "eye",
    "git_blame": "person",
    "git_add": "add",
    "git_commit": "git-commit",
    "git_branch": "git-branch",
    "git_restore": "discard",
    "git_merge": "git-merge",
    "git_stash": "archive",
    "git_tag": "tag",
    "git_fetch": "cloud-download",
    "git_pull": "repo-pull",
    "git_push": "repo-push",
    "git_undo": "discard",
    "git_operations": "history",
    "git": "terminal",
}


def read_tools() -> list[Json]:
    """The answer to `tools/list` of a server started for this one question."""
    command = [sys.executable, "-I", "-m", "git_sidecar", "serve"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        # A server that hangs must not hang the build.
        deadline = threading.Timer(ANSWER_WITHIN_S, server.kill)
        deadline.start()
        try:
            ask(server, {"id": 1, "method": "initialize", "params": {"processId": None, "capabilities": {}}})
            send(server, {"method": "initialized", "params": {}})
            answer = ask(server, {"id": 2, "method": "tools/list", "params": {}})
            ask(server, {"id": 3, "method": "shutdown"})
            send(server, {"method": "exit"})
        finally:
            deadline.cancel()
    return cast("list[Json]", answer["tools"])


def send(server: subprocess.Popen[bytes], message: Json) -> None:
    """Send one message in LSP's base protocol."""
    if server.stdin is None:
        raise SystemExit("the server has no stdin")
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    server.stdin.flush()


def ask(server: subprocess.Popen[bytes], request: Json) -> Json:
    """Send a request and wait for its result; other messages are passed over."""
    send(server, request)
    while True:
        message = read_message(server)
        if message.get("id") == request["id"] and "method" not in message:
            if "error" in message:
                raise SystemExit(f"{request['method']}: {message['error']}")
            return cast("Json", message["result"] or {})


def read_message(server: subprocess.Popen[bytes]) -> Json:
    """The next message of the server."""
    if server.stdout is None:
        raise SystemExit("the server has no stdout")
    length = 0
    while line := server.stdout.readline():
        if line == b"\r\n":
            return json.loads(server.stdout.read(length))
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    raise SystemExit("the server ended before it answered")


def read_settings() -> dict[str, Json]:
    """Dotted setting names to their JSON Schema, defaults filled in, groups opened."""
    schema = Settings.model_json_schema(by_alias=True)
    defaults: Json = Settings.model_validate({}).model_dump(by_alias=True, mode="json")
    return flatten(schema, defaults, cast("Json", schema.get("$defs", {})))


def flatten(schema: Json, defaults: Mapping[str, Any], groups: Json, prefix: str = "") -> dict[str, Json]:
    """The leaves of a schema under their dotted names."""
    flat: dict[str, Json] = {}
    for name, raw in cast("dict[str, Json]", schema["properties"]).items():
        if "$ref" in raw:
            group = str(raw["$ref"]).rsplit("/", 1)[-1]
            flat |= flatten(groups[group], defaults[name], groups, f"{prefix}{name}.")
        else:
            kept = {key: raw[key] for key in ("type", "enum", "minimum", "maximum", "items") if key in raw}
            flat[prefix + name] = {**kept, "default": defaults[name], "description": raw.get("description", "")}
    return flat


def may_workspace_set(name: str) -> bool:
    """Whether a workspace may say anything about a setting, as the server decides it."""
    *groups, last = name.split(".")
    wish: Json = {last: False}
    for group in reversed(groups):
        wish = {group: wish}
    ignored = narrow(Settings.model_validate({}), wish).ignored
    return all(problem.message != "a workspace may not set this" for problem in ignored)


def render_configuration(settings: dict[str, Json]) -> dict[str, Json]:
    """The manifest's `configuration.properties` for the server's settings; descriptions by key."""
    properties: dict[str, Json] = {}
    for order, (name, schema) in enumerate(settings.items()):
        scope = "resource" if may_workspace_set(name) else "machine"
        properties[f"gitSidecar.{name}"] = {
            **{key: value for key, value in schema.items() if key != "description"},
            "markdownDescription": f"%setting.{name}%",
            "scope": scope,
            "order": order,
        }
    return properties


def render_tools(tools: list[Json]) -> list[Json]:
    """The manifest's `languageModelTools`."""
    return [
        {
            "name": tool["name"],
            "displayName": f"%tool.{tool['name']}.title%",
            "toolReferenceName": to_camel(tool["name"]),
            "canBeReferencedInPrompt": True,
            "icon": f"$({_ICONS.get(tool['name'], 'git-commit')})",
            "userDescription": f"%tool.{tool['name']}.summary%",
            "modelDescription": tool["description"],
            "tags": ["git", "git-sidecar", tool["tier"]],
            "when": "gitSidecar.running",
            "inputSchema": tool["inputSchema"],
        }
        for tool in tools
    ]


def render_strings(strings: Json, settings: dict[str, Json], tools: list[Json]) -> Json:
    """`package.nls.json`: what is written by hand stays, what is generated is replaced."""
    kept = {key: text for key, text in strings.items() if not key.startswith(("setting.", "tool."))}
    for name, schema in settings.items():
        kept[f"setting.{name}"] = schema["description"]
    for tool in tools:
        kept[f"tool.{tool['name']}.title"] = tool["title"]
        kept[f"tool.{tool['name']}.summary"] = tool["description"].split("\n")[0].split(". ")[0].rstrip(".") + "."
    return kept


def render_manifest(manifest: Json, settings: dict[str, Json], tools: list[Json]) -> Json:
    """`package.json` with its generated parts replaced; this client's own settings stay first."""
    contributes = manifest["contributes"]
    own = {
        name: schema
        for name, schema in contributes["configuration"]["properties"].items()
        if name.startswith("gitSidecar.client.")
    }
    contributes["configuration"]["properties"] = own | render_configuration(settings)
    contributes["languageModelTools"] = render_tools(tools)
    trust = manifest["capabilities"]["untrustedWorkspaces"]
    trust["restrictedConfigurations"] = [f"gitSidecar.{name}" for name in settings if may_workspace_set(name)]
    return manifest


def render_types(settings: dict[str, Json], tools: list[Json]) -> str:
    """`protocol.gen.ts`."""
    lines = ["// Generated by scripts/generate_client.py from the server. Do not edit.", ""]
    lines += ["/** Every setting of the server, dotted, without its section. */"]
    lines += ["export const SETTING_KEYS: readonly string[] = ["]
    lines += [f"  {json.dumps(name)}," for name in settings]
    lines += [
        "];",
        "",
        "/** Every tool that the manifest declares. */",
        "export const TOOL_NAMES: readonly string[] = [",
    ]
    lines += [f"  {json.dumps(tool['name'])}," for tool in tools]
    lines += ["];", "", "/** What each tool takes. */", "export interface ToolInputs {"]
    lines += [f"  {tool['name']}: {to_typescript(tool['inputSchema'], '  ')};" for tool in tools]
    return "\n".join([*lines, "}", ""])


def to_typescript(schema: Json, indent: str) -> str:
    """A JSON Schema of the narrow kind that tools use, as a TypeScript type."""
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    kind = schema.get("type")
    if kind == "object":
        required = set(schema.get("required", ()))
        members = [
            f"{indent}  {name}{'' if name in required else '?'}: {to_typescript(member, indent + '  ')};\n"
            for name, member in schema.get("properties", {}).items()
        ]
        return "{\n" + "".join(members) + indent + "}" if members else "Record<string, never>"
    if kind == "array":
        return f"readonly ({to_typescript(schema.get('items', {}), indent)})[]"
    return {"string": "string", "integer": "number", "number": "number", "boolean": "boolean"}.get(str(kind), "unknown")


def to_camel(name: str) -> str:
    """`git_staged_diff` as `gitStagedDiff`."""
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def main() -> int:
    """Write the files, or say which are stale."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file is stale")
    arguments = parser.parse_args()
    settings, tools = read_settings(), read_tools()
    manifest_path, strings_path = CLIENT / "package.json", CLIENT / "package.nls.json"
    manifest, strings = json.loads(manifest_path.read_text("utf-8")), json.loads(strings_path.read_text("utf-8"))
    wanted = {
        manifest_path: dump(render_manifest(manifest, settings, tools)),
        strings_path: dump(render_strings(strings, settings, tools)),
        CLIENT / "src" / "protocol.gen.ts": render_types(settings, tools),
    }
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text("utf-8") != text]
    for path in stale:
        if arguments.check:
            print(f"stale: {path.relative_to(CLIENT.parent)}")
        else:
            path.write_text(wanted[path], "utf-8", newline="\n")
            print(f"wrote {path.relative_to(CLIENT.parent)}")
    return 1 if arguments.check and stale else 0


def dump(value: Json) -> str:
    """JSON as npm writes it."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.exit(main())
