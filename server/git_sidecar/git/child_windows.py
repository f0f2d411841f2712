"""A started process on Windows: its job, its pipes and its end, each pipe read by a thread.

A pipe of Windows cannot be waited for by every event loop of asyncio, so threads read and hand over. The tree is held
by a job object (Job Objects, SetInformationJobObject): terminating the job ends the tree, and so does the end of this
server, since the job's last handle closes with it. After a normal end the job lets its processes go: a daemon that a
hook has started is the person's own.
"""

import asyncio
import contextlib
import ctypes
import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import IO, Protocol

from git_sidecar.git.child_output import Output

_READ_BYTES = 64 * 1024
_CHUNKS_AHEAD = 16
_SILENCE_S = 0.1
_LAST_OUTPUT_S = 1.0
_EXTENDED_LIMIT_INFORMATION = 9
_KILL_ON_JOB_CLOSE = 0x2000
_SET_QUOTA_AND_TERMINATE = 0x0101


class Started(Protocol):
    """What is needed of a started process."""

    pid: int
    stdin: IO[bytes] | None
    stdout: IO[bytes] | None
    stderr: IO[bytes] | None

    def wait(self) -> int:
        """Wait for its end; its exit code."""
        ...


class _BasicLimits(ctypes.Structure):
    _fields_ = (
        ("PerProcessUserTimeLimit", ctypes.c_int64),
        ("PerJobUserTimeLimit", ctypes.c_int64),
        ("LimitFlags", ctypes.c_uint32),
        ("MinimumWorkingSetSize", ctypes.c_size_t),
        ("MaximumWorkingSetSize", ctypes.c_size_t),
        ("ActiveProcessLimit", ctypes.c_uint32),
        ("Affinity", ctypes.c_size_t),
        ("PriorityClass", ctypes.c_uint32),
        ("SchedulingClass", ctypes.c_uint32),
    )


class _ExtendedLimits(ctypes.Structure):
    _fields_ = (
        ("BasicLimitInformation", _BasicLimits),
        ("IoInfo", ctypes.c_uint64 * 6),
        ("ProcessMemoryLimit", ctypes.c_size_t),
        ("JobMemoryLimit", ctypes.c_size_t),
        ("PeakProcessMemoryUsed", ctypes.c_size_t),
        ("PeakJobMemoryUsed", ctypes.c_size_t),
    )


if sys.platform == "win32":

    class Job:
        """A job object that ends its processes when it is terminated, or when its last handle closes."""

        def __init__(self) -> None:
            """Make the job; OSError if the system refuses."""
            self._kernel = ctypes.WinDLL("kernel32", use_last_error=True)
            self._kernel.CreateJobObjectW.restype = ctypes.c_void_p
            self._kernel.OpenProcess.restype = ctypes.c_void_p
            self._handle: ctypes.c_void_p | None = ctypes.c_void_p(self._kernel.CreateJobObjectW(None, None))
            if not self._handle.value:
                raise ctypes.WinError(ctypes.get_last_error())
            self._limit(_KILL_ON_JOB_CLOSE)

        def assign(self, pid: int) -> None:
            """Put a process into the job; what it starts from now on is in it too."""
            process = ctypes.c_void_p(self._kernel.OpenProcess(_SET_QUOTA_AND_TERMINATE, 0, pid))
            self._kernel.AssignProcessToJobObject(self._handle, process)
            self._kernel.CloseHandle(process)

        def terminate(self) -> None:
            """End every process of the job."""
            if self._handle is not None:
                self._kernel.TerminateJobObject(self._handle, 1)

        def release(self) -> None:
            """Let what still runs in the job go on, and close it."""
            if self._handle is not None:
                self._limit(0)
                self._kernel.CloseHandle(self._handle)
                self._handle = None

        def _limit(self, flags: int) -> None:
            limits = _ExtendedLimits()
            limits.BasicLimitInformation.LimitFlags = flags
            self._kernel.SetInformationJobObject(
                self._handle, _EXTENDED_LIMIT_INFORMATION, ctypes.byref(limits), ctypes.sizeof(limits)
            )

    class WindowsChild:
        """One process in its job; made on the event loop that will be told of its output."""

        def __init__(self, process: Started, job: Job, stdin: bytes, output: Output) -> None:
            """Take over a started process and the job that holds its tree."""
            self._loop = asyncio.get_running_loop()
            self._process = process
            self._job = job
            self.group = process.pid
            self.output = output
            self.ended: asyncio.Future[None] = self._loop.create_future()
            """Done when the process has ended and its output is read, or when the sink has had enough."""
            self.code: int | None = None
            self.is_left_running = True
            """Whether the tree is still to be ended: until the process has ended by itself and its output is read."""
            self.is_expired = False
            self._exited = asyncio.Event()
            self._open = 2
            self._idle: asyncio.TimerHandle | None = None
            self._grace_ends_s = 0.0
            self._start_thread(self._read, process.stdout, self._take_stdout)
            self._start_thread(self._read, process.stderr, self._take_stderr)
            if process.stdin is not None:
                self._start_thread(self._feed, process.stdin, stdin)
            self._start_thread(self._wait)

        def expire(self) -> None:
            """Let the deadline pass: `ended` is done and `is_expired` set, unless the process has ended before."""
            if self.code is None and not self.ended.done():
                self.is_expired = True
                self.ended.set_result(None)

        def interrupt(self) -> None:
            """End the whole tree at once: without a shared console there is no gentler way that is sure to arrive."""
            self._job.terminate()

        async def end(self, grace_s: float) -> None:
            """End the whole tree: CTRL_BREAK, `grace_s` to clean up, termination of the job; wait for the process."""
            with contextlib.suppress(OSError):
                os.kill(self.group, signal.CTRL_BREAK_EVENT)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(grace_s):
                        await self._exited.wait()
            self._job.terminate()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(grace_s):
                    await self._exited.wait()
            self._job.release()
            if not self.ended.done():
                self.ended.set_result(None)

        def _start_thread(self, target: Callable[..., None], *arguments: object) -> None:
            threading.Thread(target=target, args=arguments, name=f"git {self.group}", daemon=True).start()

        def _tell(self, callback: Callable[..., None], *arguments: object) -> bool:
            try:
                self._loop.call_soon_threadsafe(callback, *arguments)
            except RuntimeError:
                return False
            return True

        def _read(self, pipe: IO[bytes], take: Callable[[bytes], None]) -> None:
            room = threading.Semaphore(_CHUNKS_AHEAD)

            def taken(chunk: bytes) -> None:
                try:
                    take(chunk)
                finally:
                    room.release()

            with pipe, contextlib.suppress(OSError):
                while chunk := os.read(pipe.fileno(), _READ_BYTES):
                    room.acquire()
                    if not self._tell(taken, chunk):
                        return
            self._tell(self._on_end_of_pipe)

        def _feed(self, pipe: IO[bytes], stdin: bytes) -> None:
            with contextlib.suppress(OSError), pipe:
                pipe.write(stdin)

        def _wait(self) -> None:
            self._tell(self._on_exit, self._process.wait())

        def _take_stdout(self, chunk: bytes) -> None:
            try:
                more = self.output.take_stdout(chunk)
            except Exception as error:  # noqa: BLE001 - belongs to whoever awaits the run, not to the loop
                self.output.drop_stdout()
                if not self.ended.done():
                    self.ended.set_exception(error)
                return
            if not more and not self.ended.done():
                self.ended.set_result(None)
            self._settle()

        def _take_stderr(self, chunk: bytes) -> None:
            self.output.take_stderr(chunk)
            self._settle()

        def _on_end_of_pipe(self) -> None:
            self._open -= 1
            self._settle()

        def _on_exit(self, code: int) -> None:
            self.code = code
            self._exited.set()
            self._grace_ends_s = self._loop.time() + _LAST_OUTPUT_S
            self._settle()

        def _settle(self) -> None:
            if self.code is None or self.ended.done():
                return
            if self._idle is not None:
                self._idle.cancel()
            if self._open == 0:
                self._finish()
                return
            # What a hook has left in the background still holds a pipe; its thread goes on reading, for nobody.
            self._idle = self._loop.call_at(min(self._loop.time() + _SILENCE_S, self._grace_ends_s), self._finish)

        def _finish(self) -> None:
            self.is_left_running = False
            self._job.release()
            if not self.ended.done():
                self.ended.set_result(None)
