"""The two answers to a command: a decision, which its log keeps, or a rejection. Matches and studies share them."""

from dataclasses import field
from typing import Any, Literal

from fourfold.engine.values import value


@value
class Decision:
    """One entry of a log: all the events of one command.

    `events` are those of a match, or of a study. `seq` counts the entries from 1. `at` is the time at which the log
    took the entry, in milliseconds since 1970. `by` and `key` are the player and the key of the command; both are empty
    for a command of the server. `lineage` is the log's own mark of the entries before this one. It is never compared.
    """

    seq: int
    at: int
    by: str
    key: str
    events: tuple[Any, ...]
    lineage: bytes = field(default=b"", compare=False, repr=False)


@value
class Rejection:
    """The answer to a command that failed: a stable `code`, and a `message` for people.

    `kind` is `unreadable` (the text does not follow its notation), `refused` (not now, or not by you) or `illegal`
    (against the rules of chess). `retry` is the number of milliseconds after which the command can succeed, if it only
    came too early.
    """

    kind: Literal["unreadable", "refused", "illegal"]
    code: str
    message: str
    retry: int | None = None


def refused(code: str, message: str, retry: int | None = None) -> Rejection:
    """A rejection of the kind `refused`."""
    return Rejection("refused", code, message, retry)
