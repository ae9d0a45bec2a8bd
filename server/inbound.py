"""From the wire to the match: a request becomes a command. Pure; the player is added elsewhere, from the session."""

from collections.abc import Callable
from typing import Any

from engine.match import commands as c
from engine.match.events import Kind
from protocol import from_client as wire

COMMANDS: dict[type[wire.Request], Callable[[Any], c.Command]] = {
    wire.Move: lambda request: c.Move(request.move, request.seq),
    wire.Propose: lambda request: c.Propose(
        Kind(request.kind), request.seq, request.plies, request.seat, request.level
    ),
    wire.Vote: lambda request: c.Vote(request.proposal, request.accept),
    wire.Resign: lambda request: c.Resign(),
    wire.Abort: lambda request: c.Abort(),
}
"""The requests that carry a key and change a room, each answered by `ok` or `error`."""
