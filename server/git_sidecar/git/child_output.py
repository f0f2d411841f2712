"""What is kept of a process's output: the head of stdout or a sink that takes it all, and the tail of stderr."""

from collections.abc import Callable

from git_sidecar.git.invocation import Limits, Sink


class Output:
    """Collects both streams within their limits, in bytes; what is over is counted as cut and dropped."""

    __slots__ = ("_hear", "_sink", "_stderr", "_stderr_bytes", "_stdout", "_stdout_room", "truncated")

    def __init__(self, limits: Limits, sink: Sink | None, hear: Callable[[bytes], None] | None = None) -> None:
        """Keep at most `limits`; with a sink, stdout goes there and is not kept; `hear` is told stderr as it comes."""
        self._sink = sink
        self._hear = hear
        self._stdout: list[bytes] = []
        self._stdout_room = limits.stdout_bytes
        self._stderr = bytearray()
        self._stderr_bytes = limits.stderr_bytes
        self.truncated = False

    def take_stdout(self, chunk: bytes) -> bool:
        """Take the next bytes of stdout; False once the sink has had enough."""
        if self._sink is not None:
            if self._sink.feed(chunk):
                return True
            self.drop_stdout()
            return False
        if len(chunk) > self._stdout_room:
            self.truncated = True
            chunk = chunk[: self._stdout_room]
        if chunk:
            self._stdout.append(chunk)
            self._stdout_room -= len(chunk)
        return True

    def drop_stdout(self) -> None:
        """Keep nothing more of stdout: the rest is cut."""
        self._sink = None
        self._stdout_room = 0
        self.truncated = True

    def take_stderr(self, chunk: bytes) -> None:
        """Take the next bytes of stderr; only the last ones are kept."""
        if self._hear is not None:
            self._hear(chunk)
        self._stderr += chunk
        # Trimmed at twice the limit, so that each byte is moved at most twice however small the chunks are.
        if len(self._stderr) > 2 * self._stderr_bytes + len(chunk):
            del self._stderr[: len(self._stderr) - self._stderr_bytes]

    @property
    def stdout(self) -> bytes:
        """The head of stdout; empty if a sink took it."""
        return b"".join(self._stdout)

    @property
    def stderr(self) -> bytes:
        """The tail of stderr."""
        return bytes(self._stderr[max(0, len(self._stderr) - self._stderr_bytes) :])
