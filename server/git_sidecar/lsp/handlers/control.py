"""Notifications that act on the wire itself. A malformed one is ignored, as LSP asks of notifications."""

from typing import cast

from git_sidecar.lsp.session import Session


def ignore(session: Session, params: object) -> None:
    """Nothing depends on it."""
    del session, params


def leave(session: Session, params: object) -> None:
    """`exit`: end the process."""
    del params
    session.controls.leave()


def cancel_request(session: Session, params: object) -> None:
    """`$/cancelRequest`: an id that has ended or never was is ignored."""
    if isinstance(params, dict):
        session.controls.cancel_call(cast("dict[str, object]", params).get("id"))


def cancel_progress(session: Session, params: object) -> None:
    """`window/workDoneProgress/cancel`: the person closed a progress bar."""
    if isinstance(params, dict):
        session.controls.cancel_progress(cast("dict[str, object]", params).get("token"))
