"""The spawner: the only place of this server that starts a process.

Arguments only, never a shell; git by its absolute path, in a session of its own; output bounded; a deadline; and
nothing left running when a call is cancelled, times out, or the server ends in whatever way. Decision record 0002 has
the measurements behind it.
"""

import asyncio
import contextlib
import errno
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import partial
from pathlib import Path

from git_sidecar.git import hardening
from git_sidecar.git.child_directory import find_ceiling, refuse_if_removed
from git_sidecar.git.child_guard import GUARD_ARGV, GUARD_ENVIRONMENT, Guard
from git_sidecar.git.child_output import Output
from git_sidecar.git.environment import admit_variables, build_environment
from git_sidecar.git.errors import GitRefused, GitTimedOut
from git_sidecar.git.executable import GitExecutable, check_version, find_git, unusable
from git_sidecar.git.invocation import Completed, Effect, Invocation, Limits, Sink
from git_sidecar.model.refusal import Refusal, RefusalCode, Retry

if sys.platform == "win32":
    import subprocess

    from git_sidecar.git.child_windows import Job, WindowsChild

    Child = WindowsChild
else:
    import fcntl

    from git_sidecar.git.child_posix import PosixChild, seal_inherited_descriptors

    Child = PosixChild

GRACE_S = 2.0
"""What a process group gets between SIGTERM and SIGKILL, in seconds: git uses it to remove its lock files."""

_READ_UNGUARDED_S = 0.03
_PIPE_BYTES = 1024 * 1024
_FATAL = 128
_KILLED = -9
_VERSION = Invocation(argv=("version",), limits=Limits(timeout_s=10.0, stdout_bytes=4096))


class Spawner:
    """Runs git for one server; a changed `git_path` makes a new one."""

    def __init__(self, environment: Mapping[str, str], *, git_path: str = "git", user_fsmonitor: bool = False) -> None:
        """Take the user's environment, git's name or absolute path, and whether the user's own configuration says
        `core.fsmonitor=true`. Nothing is started yet.
        """
        self._user = dict(environment)
        self._admitted = {trusted: admit_variables(environment, trusted=trusted) for trusted in (True, False)}
        self._git_path = git_path
        self._user_fsmonitor = user_fsmonitor
        self._executable: GitExecutable | None = None
        self._finding = asyncio.Lock()
        self._children: set[Child] = set()
        self._guard: Guard | None = None
        self._closed = False

    @property
    def running(self) -> frozenset[int]:
        """The process groups (on Windows: processes) that are running now."""
        return frozenset(child.group for child in self._children)

    @property
    def git_path(self) -> str:
        """The name or path that git is looked for by."""
        return self._git_path

    async def executable(self) -> GitExecutable:
        """The git that is used, found at the first call and kept; GitUnavailable if there is none that will do."""
        async with self._finding:
            if self._executable is None:
                path = find_git(self._git_path, self._user)
                if sys.platform != "win32":
                    seal_inherited_descriptors()
                environment = build_environment(self._admitted[False], _VERSION, trusted=False)
                try:
                    done = await self._run(
                        [str(path), *_VERSION.argv], environment, _VERSION, path, Output(_VERSION.limits, None)
                    )
                except GitTimedOut as error:
                    raise unusable(path, f"no answer to `git version` within {error.timeout_s:g} s") from error
                self._executable = check_version(path, done.code, done.stdout, done.stderr)
            return self._executable

    async def run(
        self,
        cwd: Path,
        invocation: Invocation,
        *,
        trusted: bool,
        sink: Sink | None = None,
        hear: Callable[[bytes], None] | None = None,
    ) -> Completed:
        """Run git in the directory `cwd` (absolute) and give its exit code and output.

        With a `sink`, stdout goes there and the result's is empty; `hear` is told stderr as it
        comes. Untrusted: the drivers that the repository names
        are listed first, and switched off. Raises GitUnavailable, GitTimedOut, GitRefused (the directory is missing or
        no directory, the arguments are too long), and CancelledError once nothing of the call runs any more.
        """
        ceiling = find_ceiling(cwd)
        git = self._executable or await self.executable()
        overrides: tuple[tuple[str, str], ...] = ()
        if not trusted:
            listing = await self._list_configuration(git, cwd, ceiling, invocation)
            if listing.code != 0:
                # git would stop at the same broken configuration, with the same words; not knowing it is no defence.
                return listing
            overrides = hardening.parse_overrides(listing.stdout)
        environment = build_environment(
            self._admitted[trusted],
            invocation,
            trusted=trusted,
            ceiling=ceiling,
            overrides=overrides,
            user_fsmonitor=self._user_fsmonitor,
        )
        done = await self._run(
            _arguments(git, cwd, invocation), environment, invocation, git.path, Output(invocation.limits, sink, hear)
        )
        if done.code == _FATAL:
            refuse_if_removed(cwd)
        return done

    async def retire(self) -> None:
        """Close once the calls that run now have ended by themselves: another spawner takes the next ones."""
        while self._children:
            await asyncio.wait([child.ended for child in self._children])
            await asyncio.sleep(0)
        await self.close()

    async def close(self) -> None:
        """End everything that runs: SIGTERM, a grace of GRACE_S, SIGKILL; nothing can be started afterwards."""
        self._closed = True
        await asyncio.gather(*(child.end(GRACE_S) for child in tuple(self._children)))
        if self._guard is not None:
            self._guard.release()
            for _ in range(50):
                if self._guard.reap():
                    break
                await asyncio.sleep(0.01)
            self._guard = None

    def abandon(self) -> None:
        """End everything without an event loop, for abrupt ends: SIGTERM now; the guard sends SIGKILL after a grace."""
        self._closed = True
        for child in self._children:
            child.interrupt()
        if self._guard is not None:
            self._guard.release()

    async def _list_configuration(
        self, git: GitExecutable, cwd: Path, ceiling: str | None, invocation: Invocation
    ) -> Completed:
        listing = hardening.listing_for(invocation)
        environment = build_environment(self._admitted[False], listing, trusted=False, ceiling=ceiling)
        done = await self._run(
            _arguments(git, cwd, listing), environment, listing, git.path, Output(listing.limits, None)
        )
        if done.truncated:
            message = f"the configuration of {cwd} is too large to be checked"
            raise GitRefused(Refusal(RefusalCode.UNSAFE_REPOSITORY, message))
        return done

    async def _run(
        self,
        argv: list[str],
        environment: Mapping[str, str],
        call: Invocation,
        path: Path,
        output: Output,
    ) -> Completed:
        if self._closed:
            raise GitRefused(Refusal(RefusalCode.COMMAND_FAILED, "the server is ending"))
        try:
            child = _start(argv, environment, call.stdin, output)
        except OSError as error:
            self._executable = None
            raise _explain_start(error, path) from error
        self._children.add(child)
        # A read runs no hook, and is mostly over before the guard has woken up to hear of it, which costs a tenth of a
        # warm call. Only one that lasts is worth telling; what can run a hook is told at once.
        telling: asyncio.TimerHandle | None = None
        if call.effect is Effect.READ:
            telling = asyncio.get_running_loop().call_later(_READ_UNGUARDED_S, self._tell_guard, child)
        else:
            self._tell_guard(child)
        try:
            return await _await_end(child, call.limits.timeout_s)
        finally:
            if telling is not None:
                telling.cancel()
            self._children.discard(child)

    def _tell_guard(self, child: Child) -> None:
        if sys.platform == "win32":
            return
        # Started after the first git, so that it costs that call nothing; and anew if something has ended it.
        if self._guard is None or not self._guard.remember(child.group):
            if self._guard is not None:
                self._guard.reap()
            self._guard = _start_guard()
            if self._guard is not None:
                for group in self.running:
                    self._guard.remember(group)
        if self._guard is not None:
            child.when_exited = partial(self._guard.forget, child.group)


async def _await_end(child: Child, timeout_s: float) -> Completed:
    deadline = asyncio.get_running_loop().call_later(timeout_s, child.expire)
    try:
        await child.ended
    finally:
        deadline.cancel()
        if child.is_left_running:
            await _finish_regardless(child.end(GRACE_S))
    if child.is_expired:
        raise GitTimedOut(timeout_s, child.output.stderr)
    code = _KILLED if child.code is None else child.code
    return Completed(code, child.output.stdout, child.output.stderr, child.output.truncated)


async def _finish_regardless(ending: Coroutine[None, None, None]) -> None:
    """Await to the end, however often the caller is cancelled meanwhile; its cancellation is passed on afterwards."""
    task = asyncio.ensure_future(ending)
    cancellation: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError as error:
            cancellation = error
    if cancellation is not None:
        raise cancellation
    task.result()


def _arguments(git: GitExecutable, cwd: Path, invocation: Invocation) -> list[str]:
    # By -C, since posix_spawn has no directory of its own to give; a missing one was told apart before.
    return [str(git.path), "-C", str(cwd), *invocation.argv]


def _explain_start(error: OSError, path: Path) -> Exception:
    if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.EPERM, errno.ENOEXEC):
        return unusable(path, error.strerror or "it cannot be started")
    if error.errno == errno.E2BIG:
        return GitRefused(Refusal(RefusalCode.TOO_LARGE, "the arguments are longer than the system allows"))
    if error.errno in (errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM):
        message = f"the system has no room for another process: {error.strerror}"
        return GitRefused(Refusal(RefusalCode.COMMAND_FAILED, message, retry=Retry.LATER))
    return error


if sys.platform == "win32":

    def _start(argv: list[str], environment: Mapping[str, str], stdin: bytes | None, output: Output) -> Child:
        job = Job()
        process = subprocess.Popen(
            argv,
            env=environment,
            stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            creationflags=subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW,
        )
        job.assign(process.pid)
        return WindowsChild(process, job, stdin or b"", output)

else:
    _Action = tuple[int, int, int] | tuple[int, int, str, int, int]

    # Python ignores these, or a parent may have; a child would inherit that, and git counts on their defaults.
    _DEFAULT_SIGNALS = (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGTERM, signal.SIGCHLD)

    def _start(argv: list[str], environment: Mapping[str, str], stdin: bytes | None, output: Output) -> Child:
        theirs: list[int] = []
        ours: list[int] = []
        try:
            for _ in ("stdout", "stderr"):
                reading, writing = os.pipe()
                ours.append(reading)
                theirs.append(writing)
            _widen_pipe(ours[0])
            feed: int | None = None
            actions: list[_Action]
            if stdin is None:
                actions = [(os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0)]
            else:
                reading, feed = os.pipe()
                ours.append(feed)
                theirs.append(reading)
                actions = [(os.POSIX_SPAWN_DUP2, reading, 0)]
            actions += [(os.POSIX_SPAWN_DUP2, theirs[0], 1), (os.POSIX_SPAWN_DUP2, theirs[1], 2)]
            pid = _spawn(argv, environment, actions)
        except BaseException:
            for descriptor in ours:
                os.close(descriptor)
            raise
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        return PosixChild(pid, (feed, ours[0], ours[1]), stdin or b"", output)

    def _widen_pipe(descriptor: int) -> None:
        """Let a pipe hold as much as any user may have (fcntl(2), F_SETPIPE_SZ): fewer wake-ups for both ends."""
        if sys.platform == "linux":
            with contextlib.suppress(OSError):
                fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)

    def _start_guard() -> Guard | None:
        reading, writing = os.pipe()
        silent = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_WRONLY, 0) for number in (1, 2)]
        try:
            pid = _spawn(GUARD_ARGV, GUARD_ENVIRONMENT, [(os.POSIX_SPAWN_DUP2, reading, 0), *silent])
        except OSError:
            # A system without /bin/sh: everything works but for the ending of git when the server is killed.
            os.close(writing)
            return None
        finally:
            os.close(reading)
        return Guard(pid, writing)

    def _spawn(argv: Sequence[str], environment: Mapping[str, str], actions: Sequence[_Action]) -> int:
        return os.posix_spawn(
            argv[0], list(argv), environment, file_actions=actions, setsid=True, setsigdef=_DEFAULT_SIGNALS
        )
