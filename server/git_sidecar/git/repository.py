"""One repository: how every reader and writer of the git floor runs git in it."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from git_sidecar.git.errors import GitRefused, GitTimedOut
from git_sidecar.git.failures import refusal_for, tail_text
from git_sidecar.git.invocation import Completed, Editor, Effect, Invocation, Limits, Sink
from git_sidecar.git.process import Spawner
from git_sidecar.model.location import Location
from git_sidecar.model.refusal import Refusal, RefusalCode

# How long a lock that someone else holds is waited for, in seconds between tries: two seconds and a half in all.
_LOCK_WAITS_S = (0.02, 0.04, 0.08, 0.16, 0.3, 0.4, 0.5, 0.5, 0.5)

# Far more than any answer of a reader needs; what is larger is streamed into a sink.
_MOST_STDOUT_BYTES = 16 * 1024 * 1024

_NO_ENVIRONMENT: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Deadlines:
    """How long local and network calls may take, in seconds."""

    local_s: float = 30.0
    network_s: float = 120.0


@dataclass(frozen=True, slots=True)
class Repository:
    """A located repository, and how far it is trusted.

    Readers and writers are functions of the modules beside this one (`status.py`, `staged_diff.py` …); they all run git
    through here, so that the root, the environment, the deadline and the meaning of a failure are decided once.
    """

    location: Location
    spawner: Spawner
    trusted: bool
    deadlines: Deadlines = Deadlines()

    async def run(
        self,
        argv: Sequence[str],
        *,
        effect: Effect = Effect.READ,
        editor: Editor = Editor.REFUSE,
        ok: tuple[int, ...] = (0,),
        stdin: bytes | None = None,
        config: tuple[tuple[str, str], ...] = (),
        environment: Mapping[str, str] = _NO_ENVIRONMENT,
        stdout_bytes: int = _MOST_STDOUT_BYTES,
        sink: Sink | None = None,
        hear: Callable[[bytes], None] | None = None,
        directory: str = "",
    ) -> Completed:
        """Run `git <argv>` at the root, or in a `directory` below it; `hear` is told stderr as it comes.

        Raises GitRefused where the exit status is not in `ok` or the deadline passes, GitUnavailable without a git.
        """
        timeout_s = self.deadlines.network_s if effect is Effect.NETWORK else self.deadlines.local_s
        invocation = Invocation(
            tuple(argv),
            effect=effect,
            editor=editor,
            stdin=stdin,
            limits=Limits(timeout_s=timeout_s, stdout_bytes=stdout_bytes),
            config=self._own_config() + config,
            environment={**environment, **self._ceiling(directory)},
        )
        cwd = self.location.root / directory if directory else self.location.root
        for wait_s in (*_LOCK_WAITS_S, None):
            try:
                completed = await self.spawner.run(cwd, invocation, trusted=self.trusted, sink=sink, hear=hear)
            except GitTimedOut as error:
                raise GitRefused(_timed_out(argv[0], error)) from error
            if completed.code in ok or (sink is not None and completed.truncated):
                return completed
            refusal = refusal_for(argv[0], completed)
            if refusal.code is not RefusalCode.REPOSITORY_LOCKED or wait_s is None:
                raise GitRefused(refusal)
            await asyncio.sleep(wait_s)
        raise AssertionError("the last round returns or raises")

    def _ceiling(self, directory: str) -> Mapping[str, str]:
        # From a directory below, git may climb to this root and no further; the spawner's own ceiling is the parent.
        return {"GIT_CEILING_DIRECTORIES": str(self.location.root.parent)} if directory else _NO_ENVIRONMENT

    def _own_config(self) -> tuple[tuple[str, str], ...]:
        # A bare repository that was located as one is meant, not an embedded one found by chance.
        return (("safe.bareRepository", "all"),) if self.location.bare else ()


def _timed_out(subcommand: str, error: GitTimedOut) -> Refusal:
    return Refusal(
        RefusalCode.TIMED_OUT,
        f"git {subcommand} did not finish within {error.timeout_s:g} s and was ended",
        "A hook or a slow disk may hold it up; raise gitSidecar.timeoutMs if it needs longer.",
        stderr=tail_text(error.stderr),
    )
