"""The guard: a tiny process that ends our git processes if this server dies without doing so itself.

It reads, from a pipe that only the server holds, which process groups are alive (`+group`, `-group`, one a line).
When the pipe ends, whatever ended the server (SIGKILL too), it sends SIGTERM to the groups that are left, and SIGKILL
to those that are still there after the grace. POSIX sh and kill(1) only: it starts in a millisecond.
"""

import asyncio
import contextlib
import os
from collections.abc import Mapping
from types import MappingProxyType

# `kill -0` before each step: a group that is gone may have given its number to somebody else.
_SCRIPT = """
trap '' HUP INT QUIT TERM PIPE
live=' '
while read -r line; do
  group=${line#?}
  case $line in
    +*) live="$live$group " ;;
    -*) case $live in *" $group "*) live="${live%%" $group "*} ${live#*" $group "}" ;; esac ;;
  esac
done
for group in $live; do kill -TERM "-$group"; done
step=0
while [ $step -lt 10 ]; do
  left=
  for group in $live; do if kill -0 "-$group"; then left="$left $group"; fi; done
  live=$left
  if [ -z "$live" ]; then exit 0; fi
  sleep 0.2 || sleep 1
  step=$((step + 1))
done
for group in $live; do kill -KILL "-$group"; done
"""

GUARD_ARGV = ("/bin/sh", "-c", _SCRIPT)
GUARD_ENVIRONMENT: Mapping[str, str] = MappingProxyType({"PATH": "/usr/bin:/bin"})

_FORGET_WITHIN_S = 0.1


class Guard:
    """The server's end of the pipe to the guard; telling it is one write that never blocks."""

    def __init__(self, pid: int, pipe: int) -> None:
        """Hold the guard `pid` by the write end `pipe`."""
        self._pid = pid
        self._pipe: int | None = pipe
        self._ended: list[int] = []
        self._flush: asyncio.TimerHandle | None = None
        os.set_blocking(pipe, False)

    def remember(self, group: int) -> bool:
        """Tell that `group` is alive; False if the guard is gone."""
        return self._tell(f"+{group}\n")

    def forget(self, group: int) -> None:
        """Tell that `group` has ended, with the next message or soon.

        A write of its own would wake the guard once more for every call: 0.1 ms of a warm 3 ms one.
        """
        self._ended.append(group)
        if self._flush is None:
            self._flush = asyncio.get_running_loop().call_later(_FORGET_WITHIN_S, self._tell, "")

    def release(self) -> None:
        """Close the pipe: the guard ends what it still knows as alive, then itself."""
        self._tell("")
        if self._pipe is not None:
            os.close(self._pipe)
            self._pipe = None

    def reap(self) -> bool:
        """Whether the guard has ended by now; never waits."""
        with contextlib.suppress(ChildProcessError):
            return os.waitpid(self._pid, os.WNOHANG)[0] != 0
        return True

    def _tell(self, line: str) -> bool:
        if self._flush is not None:
            self._flush.cancel()
            self._flush = None
        if self._pipe is None:
            return False
        message = "".join(f"-{group}\n" for group in self._ended) + line
        self._ended.clear()
        try:
            os.write(self._pipe, message.encode())
        except BlockingIOError:
            # A full pipe means that the guard is stopped, not gone; it reads on when it is continued.
            return True
        except OSError:
            os.close(self._pipe)
            self._pipe = None
            return False
        return True
