"""Real git servers on the loopback: the git protocol (`git daemon`), smart HTTP (`git http-backend`), ssh's command.

Each listens on a port that the system chose and ends with its block. Sources: git-daemon(1), git-http-backend(1).
"""

import base64
import http.server
import socketserver
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from tests.support.scratch import Scratch, ScratchRepo

USER, PASSWORD = "me", "secret-word"


@contextmanager
def serve_git(scratch: Scratch) -> Generator[str]:
    """`git://…` of everything below the scratch base; pushes are taken."""
    argv = (
        *("git", "daemon", "--inetd", "--export-all", "--enable=receive-pack"),
        *(f"--base-path={scratch.base}", str(scratch.base)),
    )

    class Handler(socketserver.BaseRequestHandler):
        """One connection, one git daemon, as inetd does it."""

        def handle(self) -> None:
            """Let git speak on the socket."""
            descriptor = self.request.fileno()
            subprocess.run(
                argv, env=scratch.env, stdin=descriptor, stdout=descriptor, stderr=subprocess.DEVNULL, check=False,
                timeout=60,
            )  # fmt: skip

    with _serving(socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)) as port:
        yield f"git://127.0.0.1:{port}"


@contextmanager
def serve_http(scratch: Scratch, *, with_password: bool = False) -> Generator[str]:
    """`http://…` of everything below the scratch base; with a password, only for USER."""
    expected = "Basic " + base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()

    class Handler(http.server.BaseHTTPRequestHandler):
        """Runs git http-backend as CGI (RFC 3875)."""

        def do_GET(self) -> None:
            """Discovery."""
            self._answer(b"")

        def do_POST(self) -> None:
            """Fetching and pushing."""
            self._answer(self._read_body())

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the base class's
            """Say nothing."""

        def _read_body(self) -> bytes:
            if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
                return self.rfile.read(int(self.headers.get("Content-Length", 0)))
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            return body

        def _answer(self, body: bytes) -> None:
            if with_password and self.headers.get("Authorization") != expected:
                self.send_response(401)
                self.send_header("WWW-Authenticate", 'Basic realm="git"')
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            path, _, query = self.path.partition("?")
            environment = {
                **scratch.env,
                "GIT_PROJECT_ROOT": str(scratch.base),
                "GIT_HTTP_EXPORT_ALL": "1",
                "REQUEST_METHOD": self.command,
                "PATH_INFO": path,
                "QUERY_STRING": query,
                "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                "CONTENT_LENGTH": str(len(body)),
                "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
                "REMOTE_USER": USER,
                "REMOTE_ADDR": "127.0.0.1",
            }
            done = subprocess.run(
                ["git", "http-backend"], env=environment, input=body, capture_output=True, check=False, timeout=60
            )
            head, _, content = done.stdout.partition(b"\r\n\r\n")
            fields = dict(line.decode().split(": ", 1) for line in head.split(b"\r\n") if line)
            self.send_response(int(fields.pop("Status", "200 OK").split(" ")[0]))
            for name, value in fields.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    with _serving(http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as port:
        yield f"http://127.0.0.1:{port}"


@contextmanager
def _serving(server: socketserver.TCPServer) -> Generator[int]:
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield int(server.server_address[1])
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)


def use_ssh_command(repo: ScratchRepo, *, deny: bool = False) -> Path:
    """Let `core.sshCommand` of a repository stand in for ssh: it runs what ssh would run on the other machine.

    The file that is returned gets the variables that the command was started with.
    """
    seen = repo.scratch.base / "ssh.env"
    script = repo.scratch.base / "ssh.py"
    script.write_text(
        f"#!{sys.executable}\n"
        "import os, subprocess, sys\n"
        f"open({str(seen)!r}, 'w').write(repr(dict(os.environ)))\n"
        + (
            "sys.stderr.write('me@host: Permission denied (publickey).\\n'); sys.exit(255)\n"
            if deny
            else "sys.exit(subprocess.run(['/bin/sh', '-c', sys.argv[-1]]).returncode)\n"
        )
    )
    script.chmod(0o755)
    repo.git("config", "core.sshCommand", str(script))
    return seen
