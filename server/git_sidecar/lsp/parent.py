"""Watching the client's process: a server whose parent has died has nobody to serve (LSP 3.17, `processId`)."""

import os
import select
import sys
import threading
import time
from collections.abc import Callable

_POLL_S = 1.0


def watch_process(pid: int, when_gone: Callable[[], None]) -> None:
    """Call `when_gone` from a thread of its own once the process has ended; at once if there is none."""

    def watch() -> None:
        _wait_until_gone(pid)
        when_gone()

    threading.Thread(target=watch, name="parent-watch", daemon=True).start()


if sys.platform == "win32":
    import ctypes

    _SYNCHRONIZE = 0x0010_0000
    _ACCESS_DENIED = 5
    _FOREVER = 0xFFFF_FFFF

    def _wait_until_gone(pid: int) -> None:
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.OpenProcess.restype = ctypes.c_void_p
        kernel.WaitForSingleObject.argtypes = (ctypes.c_void_p, ctypes.c_uint32)
        handle = kernel.OpenProcess(_SYNCHRONIZE, 0, pid)
        if handle:
            kernel.WaitForSingleObject(handle, _FOREVER)
            return
        # A process that may not be opened is there; when it ends, its id can be opened no more for another reason.
        while ctypes.get_last_error() == _ACCESS_DENIED:
            time.sleep(_POLL_S)
            kernel.OpenProcess(_SYNCHRONIZE, 0, pid)

else:

    def _wait_until_gone(pid: int) -> None:
        if not _wait_for_event(pid):
            while _is_there(pid):
                time.sleep(_POLL_S)

    def _is_there(pid: int) -> bool:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return True

    if sys.platform == "linux":

        def _wait_for_event(pid: int) -> bool:
            """Whether the end was seen: a pidfd is readable once the process has ended, reaped or not."""
            try:
                descriptor = os.pidfd_open(pid)
            except ProcessLookupError:
                return True
            except OSError:
                # A kernel or a sandbox without the call.
                return False
            try:
                waiting = select.poll()
                waiting.register(descriptor, select.POLLIN)
                waiting.poll()
            finally:
                os.close(descriptor)
            return True

    else:

        def _wait_for_event(pid: int) -> bool:
            """Whether the end was seen, by the event queue of macOS and the BSDs."""
            try:
                queue = select.kqueue()
            except (AttributeError, OSError):
                return False
            try:
                watched = select.kevent(pid, select.KQ_FILTER_PROC, select.KQ_EV_ADD, select.KQ_NOTE_EXIT)
                queue.control([watched], 1, None)
            except OSError:
                return False
            finally:
                queue.close()
            return True
