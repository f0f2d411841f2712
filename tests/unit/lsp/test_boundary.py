"""What an exception tells the client, and what it tells the log."""

import asyncio
import logging
from typing import Any

import pytest
from cattrs import Converter

from git_sidecar.lsp.boundary import InvalidParams, describe_failure
from git_sidecar.lsp.routes import OWN_METHODS, ROUTES, Asked
from git_sidecar.lsp.wire import Wire


def test_a_chain_of_exceptions_is_logged_without_its_words(caplog: pytest.LogCaptureFixture) -> None:
    error = ValueError("secret two")
    error.__cause__ = KeyError("secret one")

    failure = describe_failure(error)

    assert failure.code == -32603
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert failure.message.rpartition(" ")[2] in record.getMessage()
    assert "builtins.ValueError" in record.getMessage()
    assert "builtins.KeyError" in record.getMessage()
    assert "secret" not in caplog.text


def test_cancellation_and_wrong_params_have_codes_of_their_own(caplog: pytest.LogCaptureFixture) -> None:
    assert describe_failure(asyncio.CancelledError("secret")).value() == {
        "code": -32800,
        "message": "the request was canceled",
    }
    assert describe_failure(InvalidParams("count must be an integer")).value() == {
        "code": -32602,
        "message": "count must be an integer",
    }
    assert not caplog.records


def test_only_two_requests_have_a_result_when_canceled() -> None:
    with_result = {name for name, route in ROUTES.items() if isinstance(route, Asked) and route.answer_canceled}

    assert with_result == {"git/stagedDiff", "git/commitMessage"}
    assert set(OWN_METHODS) < set(ROUTES)


def test_nothing_is_registered_with_pygls() -> None:
    # Its registry hands the server to a handler by the name or the annotation of a parameter.
    registry: Any = Wire(None, Converter()).fm

    assert (registry.features, registry.builtin_features, registry.commands) == ({}, {}, {})
