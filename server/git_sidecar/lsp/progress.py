"""Progress of one request by `$/progress` (LSP 3.17, work done and partial results)."""

from collections.abc import Callable
from typing import Any, cast

Send = Callable[[str, dict[str, Any]], None]


class WorkProgress:
    """Reports to the tokens that a request brought; without a token there is nobody to report to."""

    def __init__(self, send: Send, params: object) -> None:
        """Take `workDoneToken` and `partialResultToken` out of the request's params."""
        self._send = send
        self.work_token = _find_token(params, "workDoneToken")
        self._partial_token = _find_token(params, "partialResultToken")
        self._is_open = False

    def begin(self, title: str, message: str | None = None) -> None:
        """Start the progress bar; it can be cancelled (window/workDoneProgress/cancel)."""
        if not self._is_open and self.work_token is not None:
            self._is_open = True
            self._report({"kind": "begin", "title": title, "cancellable": True}, message)

    def report(self, message: str, percentage: int | None = None) -> None:
        """Say what is being done, and how far it is in percent; starts the bar where nobody did."""
        if not self._is_open:
            self.begin(message)
            return
        self._report({"kind": "report", **({} if percentage is None else {"percentage": percentage})}, message)

    def end(self, message: str | None = None) -> None:
        """End the progress bar, if it was started."""
        if self._is_open:
            self._is_open = False
            self._report({"kind": "end"}, message)

    def partial(self, value: dict[str, Any]) -> None:
        """Send a partial result."""
        if self._partial_token is not None:
            self._send("$/progress", {"token": self._partial_token, "value": value})

    def _report(self, value: dict[str, Any], message: str | None) -> None:
        if message is not None:
            value["message"] = message
        self._send("$/progress", {"token": self.work_token, "value": value})


def _find_token(params: object, name: str) -> int | str | None:
    token = cast("dict[str, object]", params).get(name) if isinstance(params, dict) else None
    return token if isinstance(token, int | str) and not isinstance(token, bool) else None
