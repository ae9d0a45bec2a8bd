"""Errors that end a request, as the exceptions that `inbound` answers with `error`."""

import contextlib
from collections.abc import Iterator
from typing import TypeVar

from fourfold.engine.decisions import Rejection, refused
from fourfold.engine.errors import IllegalMove, InvalidNotation, InvalidSetup
from fourfold.server.limits.refused import RequestRefused, RequestRejected
from fourfold.server.players.accounts import AccountRefused

_T = TypeVar("_T")


def accepted(answer: _T | Rejection) -> _T:
    """The answer. Raises `RequestRejected` for a rejection."""
    if isinstance(answer, Rejection):
        raise RequestRejected(answer)
    return answer


@contextlib.contextmanager
def refusing() -> Iterator[None]:
    """Turns an account error into the refusal of the request."""
    try:
        yield
    except AccountRefused as error:
        raise RequestRefused(error.code, error.message, error.retry) from error


@contextlib.contextmanager
def rejecting() -> Iterator[None]:
    """Turns the engine's errors about a player's variant, position or move into the rejection of the request."""
    try:
        yield
    except InvalidNotation as error:
        raise RequestRejected(Rejection("unreadable", error.code, error.message)) from error
    except InvalidSetup as error:
        raise RequestRejected(
            refused("invalid_setup", " ".join(fault.message for fault in error.faults))
        ) from error
    except IllegalMove as error:
        raise RequestRejected(Rejection("illegal", error.code, error.message)) from error
