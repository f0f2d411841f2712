"""A started process on POSIX: its group, its pipes and its end, all driven by the event loop, without a thread.

waitpid(2), pidfd_open(2), killpg(3). Where there is no pidfd (macOS, Linux before 5.3) a thread waits for the process.
"""

import asyncio
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from git_sidecar.git.child_output import Output

_READ_BYTES = 256 * 1024
_READS_A_TURN = 8
_PAUSE_S = 0.001
_FIRST_STEP_S = 0.005
_LAST_STEP_S = 0.1
_STDERR = 2
_DEAD_STATES = (b"Z", b"X", b"x")
_SILENCE_S = 0.1
_LAST_OUTPUT_S = 1.0
_UNKNOWN_STATUS = 0xFF00  # exit code 255: somebody else has reaped the process


class PosixChild:
    """One process group led by git; made on the event loop that will drive it."""

    def __init__(self, pid: int, pipes: tuple[int | None, int, int], stdin: bytes, output: Output) -> None:
        """Take over `pid` (a group leader) and our ends of its pipes (stdin or None, stdout, stderr)."""
        self._loop = asyncio.get_running_loop()
        self.group = pid
        self.output = output
        self.ended: asyncio.Future[None] = self._loop.create_future()
        """Done when the process has ended and its output is read, or when the sink has had enough."""
        self.code: int | None = None
        self.when_exited: Callable[[], None] = _nothing
        """Called once, when the process has ended."""
        self.is_left_running = True
        """Whether the group is still to be ended: until the process has ended by itself and its output is read."""
        self.is_expired = False
        self._exited = asyncio.Event()
        self._idle: asyncio.TimerHandle | None = None
        self._is_paused = False
        self._grace_ends_s = 0.0
        self._unfed = memoryview(stdin)
        self._stdin = pipes[0]
        self._stdout: int | None = pipes[1]
        self._stderr: int | None = pipes[2]
        for descriptor in pipes:
            if descriptor is not None:
                os.set_blocking(descriptor, False)
        self._loop.add_reader(pipes[1], self._read_stdout)
        self._loop.add_reader(pipes[2], self._read_stderr)
        if self._stdin is not None:
            self._loop.add_writer(self._stdin, self._feed_stdin)
        self._pidfd = _open_pidfd(pid)
        if self._pidfd is None:
            threading.Thread(target=self._wait_in_thread, name=f"wait for {pid}", daemon=True).start()
        else:
            self._loop.add_reader(self._pidfd, self._on_exit)

    def expire(self) -> None:
        """Let the deadline pass: `ended` is done and `is_expired` set, unless the process has ended before."""
        if self.code is None and not self.ended.done():
            self.is_expired = True
            self.ended.set_result(None)

    def interrupt(self) -> None:
        """Ask the whole group to end (SIGTERM), and wait for nothing."""
        self._signal_group(signal.SIGTERM)

    async def end(self, grace_s: float) -> None:
        """End the whole group: SIGTERM, `grace_s` to clean up (git removes its lock files), SIGKILL; reap; close.

        Returns when the group is gone, or a second after SIGKILL (a process in uninterruptible sleep cannot be
        waited for).
        """
        self._signal_group(signal.SIGTERM)
        if not await self._is_gone_within(grace_s):
            self._signal_group(signal.SIGKILL)
            await self._is_gone_within(1.0)
        self._close()
        # A daemon in a session of its own may hold the pipes still; whoever awaits the call is not to wait for that.
        if not self.ended.done():
            self.ended.set_result(None)

    def _signal_group(self, number: int) -> bool:
        try:
            os.killpg(self.group, number)
        except (ProcessLookupError, PermissionError):
            # macOS answers EPERM for a group of which only zombies are left.
            return False
        return True

    def _read_stdout(self) -> None:
        self._stdout = self._drain(self._stdout, self._take_stdout)
        self._settle()
        self._pause_stdout()

    def _pause_stdout(self) -> None:
        if self._stdout is None or self.code is not None or self._is_paused:
            return
        # git writes 4 KiB at a time; waking up for each costs more than reading them (on a diff of 1.8 MB: 20 ms of
        # 25). The pipe holds what comes meanwhile, and the end of the process is told by its pidfd at once.
        self._is_paused = True
        self._loop.remove_reader(self._stdout)
        self._loop.call_later(_PAUSE_S, self._resume_stdout)

    def _resume_stdout(self) -> None:
        if self._is_paused and self._stdout is not None:
            self._loop.add_reader(self._stdout, self._read_stdout)
        self._is_paused = False

    def _read_stderr(self) -> None:
        self._stderr = self._drain(self._stderr, self._take_stderr)
        self._settle()

    def _take_stdout(self, chunk: bytes) -> bool:
        try:
            more = self.output.take_stdout(chunk)
        except Exception as error:  # noqa: BLE001 - a sink's failure belongs to whoever awaits the run, not to the loop
            self.output.drop_stdout()
            if not self.ended.done():
                self.ended.set_exception(error)
            return False
        if not more and not self.ended.done():
            self.ended.set_result(None)
        return more

    def _take_stderr(self, chunk: bytes) -> bool:
        self.output.take_stderr(chunk)
        return True

    def _drain(self, descriptor: int | None, take: Callable[[bytes], bool]) -> int | None:
        if descriptor is None:
            return None
        for _ in range(_READS_A_TURN):
            try:
                chunk = os.read(descriptor, _READ_BYTES)
            except BlockingIOError:
                return descriptor
            except OSError:
                chunk = b""
            if not chunk or not take(chunk):
                self._loop.remove_reader(descriptor)
                os.close(descriptor)
                return None
            if len(chunk) < _READ_BYTES and self.code is None:
                return descriptor
        return descriptor

    def _feed_stdin(self) -> None:
        try:
            while self._unfed and self._stdin is not None:
                self._unfed = self._unfed[os.write(self._stdin, self._unfed) :]
        except BlockingIOError:
            return
        except OSError:
            # The process does not want the rest; its exit code tells whether that matters.
            pass
        self._close_stdin()

    def _wait_in_thread(self) -> None:
        try:
            status = os.waitpid(self.group, 0)[1]
        except ChildProcessError:
            status = _UNKNOWN_STATUS
        # A loop that is closed has nobody left to tell.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._on_exit, status)

    def _on_exit(self, status: int | None = None) -> None:
        if self.code is not None:
            return
        if status is None:
            try:
                status = os.waitpid(self.group, 0)[1]
            except ChildProcessError:
                status = _UNKNOWN_STATUS
        if self._pidfd is not None:
            self._loop.remove_reader(self._pidfd)
            os.close(self._pidfd)
            self._pidfd = None
        self.code = os.waitstatus_to_exitcode(status)
        self._exited.set()
        self.when_exited()
        self._close_stdin()
        self._grace_ends_s = self._loop.time() + _LAST_OUTPUT_S
        self._resume_stdout()
        self._read_stdout()
        self._read_stderr()

    def _settle(self) -> None:
        if self.code is None or self.ended.done():
            return
        if self._stdout is None and self._stderr is None:
            self._finish()
            return
        # A hook's background child still holds a pipe: what git itself wrote is there already, so wait for silence.
        if self._idle is not None:
            self._idle.cancel()
        self._idle = self._loop.call_at(min(self._loop.time() + _SILENCE_S, self._grace_ends_s), self._finish)

    def _finish(self) -> None:
        self._close()
        self.is_left_running = False
        if not self.ended.done():
            self.ended.set_result(None)

    async def _is_gone_within(self, bound_s: float) -> bool:
        until_s = self._loop.time() + bound_s
        try:
            async with asyncio.timeout(bound_s):
                await self._exited.wait()
        except TimeoutError:
            return False
        # Nothing tells when the last of a group is gone, so it is asked, less and less often.
        step_s = _FIRST_STEP_S
        while self._signal_group(0) and _has_living_member(self.group):
            if self._loop.time() >= until_s:
                return False
            await asyncio.sleep(step_s)
            step_s = min(2 * step_s, _LAST_STEP_S)
        return True

    def _close_stdin(self) -> None:
        if self._stdin is not None:
            self._loop.remove_writer(self._stdin)
            os.close(self._stdin)
            self._stdin = None

    def _close(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        self._close_stdin()
        # The pidfd stays as long as the process is not reaped: one that even SIGKILL cannot end yet is reaped later.
        for descriptor in (self._stdout, self._stderr):
            if descriptor is not None:
                self._loop.remove_reader(descriptor)
                os.close(descriptor)
        self._stdout = self._stderr = None


def seal_inherited_descriptors() -> None:
    """Keep what this server inherited (an editor's sockets, a build's job server) from being inherited by git.

    posix_spawn passes on every descriptor that is not marked; Python marks its own, so once is enough.
    """
    with contextlib.suppress(OSError):
        for descriptor in [int(entry.name) for entry in Path("/dev/fd").iterdir()]:
            # The listing's own descriptor is closed by now.
            with contextlib.suppress(OSError):
                if descriptor > _STDERR:
                    os.set_inheritable(descriptor, False)  # noqa: FBT003 - os.set_inheritable takes no keyword


def _has_living_member(group: int) -> bool:
    """Whether a process of the group is more than a zombie (proc(5), `stat`); True where the system does not tell.

    Orphans are reaped by init, and many a container's init is in no hurry: measured, 2 s for a killed hook's child.
    """
    try:
        processes = [entry for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    except OSError:
        return True
    for process in processes:
        with contextlib.suppress(OSError):
            # The name in brackets may hold anything; state, parent and group follow the last bracket.
            state, _, member_of = (process / "stat").read_bytes().rpartition(b")")[2].split()[:3]
            if int(member_of) == group and state not in _DEAD_STATES:
                return True
    return not processes


def _nothing() -> None:
    pass


def _open_pidfd(pid: int) -> int | None:
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            return os.pidfd_open(pid)
    return None
