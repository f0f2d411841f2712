"""The main job, as an editor does it: start the server, name a repository, get its staged diff.

Makes a workspace of two folders in a temporary directory (one repository with another one nested in it, one with a
submodule), starts the real server over stdio and prints what an editor would show.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any


class Client:
    """A client of a few lines: framed JSON-RPC over stdin and stdout (LSP specification, base protocol)."""

    def __init__(self, server: "subprocess.Popen[bytes]") -> None:
        """Talk to a started server."""
        assert server.stdin is not None
        assert server.stdout is not None
        self._to: IO[bytes] = server.stdin
        self._from: IO[bytes] = server.stdout
        self._last = 0

    def notify(self, method: str, params: Mapping[str, Any]) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def request(self, method: str, params: Mapping[str, Any]) -> Any:
        """Send a request and wait for its result."""
        self._last += 1
        self._send({"id": self._last, "method": method, "params": params})
        while True:
            message = self._receive()
            if message.get("id") == self._last and "method" not in message:
                if "error" in message:
                    raise SystemExit(f"{method}: {json.dumps(message['error'], indent=2)}")
                return message["result"]

    def _send(self, message: Mapping[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._to.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._to.flush()

    def _receive(self) -> dict[str, Any]:
        length = 0
        while line := self._from.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return json.loads(self._from.read(length))


def make_workspace(base: Path) -> dict[str, str]:
    """Two workspace folders with staged changes; the environment that git and the server get."""
    home = base / "home"
    home.mkdir()
    env = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(home),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_DATE": "2024-03-01T10:00:00 +0000",
        "GIT_COMMITTER_DATE": "2024-03-01T10:00:00 +0000",
    }

    def git(cwd: Path, *args: str) -> None:
        subprocess.run(["git", *args], cwd=cwd, env=env, check=True, stdin=subprocess.DEVNULL)

    def new(root: Path, name: str, content: str) -> None:
        root.mkdir(parents=True)
        git(root, "init", "-q")
        (root / name).write_text(content)
        git(root, "add", "-A")
        git(root, "commit", "-qm", "first")

    for key, value in (
        ("user.name", "Demo"),
        ("user.email", "demo@example.invalid"),
        ("init.defaultBranch", "main"),
        ("protocol.file.allow", "always"),
    ):
        git(base, "config", "--global", key, value)
    shop, tools, library = base / "w" / "shop", base / "w" / "tools", base / "library"
    new(shop, "price.py", "def price(item):\n    return item.cost\n")
    new(shop / "plugins" / "tax", "tax.py", "RATE = 0.19\n")
    (shop / ".gitignore").write_text("plugins/\n")
    (shop / "price.py").write_text("def price(item, rate):\n    return item.cost * (1 + rate)\n")
    git(shop, "add", "-A")
    (shop / "plugins" / "tax" / "tax.py").write_text("RATE = 0.07\n")
    git(shop / "plugins" / "tax", "add", "-A")
    new(library, "lib.txt", "one\n")
    new(tools, "README", "Tools\n")
    git(tools, "submodule", "--quiet", "add", str(library), "lib")
    (tools / "lib" / "lib.txt").write_text("two\n")
    git(tools / "lib", "add", "-A")
    return env


def show(title: str, lines: list[str]) -> None:
    """Print a titled block."""
    print(f"\n\N{BOX DRAWINGS LIGHT HORIZONTAL}\N{BOX DRAWINGS LIGHT HORIZONTAL} {title}")
    print("\n".join(f"   {line}" for line in lines) or "   (nothing)")


def show_staged(client: Client, name: str | None) -> None:
    """Ask for one staged diff and print it as an editor would show it."""
    result = client.request("git/stagedDiff", {} if name is None else {"repository": name})
    asked = "the selected repository" if name is None else repr(name)
    show(
        f"git/stagedDiff of {asked} \N{RIGHTWARDS ARROW} {result['repository']['label']} ({result['durationMs']} ms)",
        [
            f"{file['status']:>12}  +{file['additions']} -{file['deletions']}  {file['path']}"
            for file in result["files"]
        ],
    )
    print()
    print("\n".join(f"   {line}" for line in result["diff"].split("\n")))


def main() -> None:
    """Run the demo."""
    with tempfile.TemporaryDirectory(prefix="git-sidecar-demo-") as directory:
        base = Path(directory).resolve()
        env = make_workspace(base)
        roots = [base / "w" / "shop", base / "w" / "shop" / "plugins" / "tax", base / "w" / "tools"]
        roots.append(roots[2] / "lib")
        server = subprocess.Popen(
            [sys.executable, "-m", "git_sidecar", "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env
        )
        client = Client(server)
        folders = [{"uri": root.as_uri(), "name": root.name} for root in (roots[0], roots[2])]
        answer = client.request(
            "initialize", {"processId": os.getpid(), "capabilities": {}, "workspaceFolders": folders}
        )
        client.notify("initialized", {})
        sidecar = answer["capabilities"]["experimental"]["gitSidecar"]
        print(
            f"git-sidecar {sidecar['version']} with git {sidecar['gitVersion']}, protocol {sidecar['protocolVersion']}"
        )
        kinds = ("repository", "repository", "repository", "submodule")
        client.notify(
            "git/didChangeRepositories",
            {
                "repositories": [
                    {"rootUri": root.as_uri(), "kind": kind, "selected": root == roots[0]}
                    for root, kind in zip(roots, kinds, strict=True)
                ]
            },
        )
        known = client.request("git/repositories", {})["repositories"]
        show(
            "Repositories",
            [
                f"{'*' if item['selected'] else ' '} {item['label']:<18} {item['kind']:<11} {item['root']}"
                for item in known
            ],
        )
        for name in (None, "shop/plugins/tax", "tools", "tools/lib"):
            show_staged(client, name)
        client.request("shutdown", {})
        client.notify("exit", {})
        if server.wait(timeout=10):
            raise SystemExit(f"the server ended with {server.returncode}")


if __name__ == "__main__":
    main()
