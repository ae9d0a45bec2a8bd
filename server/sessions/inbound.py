"""From the wire to the match: a request becomes a command. Pure; the player is added elsewhere, from the session."""

from collections.abc import Callable
from typing import Any

from fourfold.engine.match import commands as c
from fourfold.engine.match.events import ProposalKind
from fourfold.protocol import from_client as wire

COMMANDS: dict[type[wire.Request], Callable[[Any, int], c.Command]] = {
    wire.Move: lambda request, lag: c.Move(request.move, request.seq, lag),
    wire.Propose: lambda request, _: c.Propose(
        ProposalKind(request.kind), request.seq, request.plies, request.seat, request.level
    ),
    wire.Vote: lambda request, _: c.Vote(request.proposal, request.accept),
    wire.Withdraw: lambda request, _: c.Withdraw(request.proposal),
    wire.Claim: lambda request, _: c.Claim(),
    wire.Resign: lambda request, _: c.Resign(),
    wire.Abort: lambda request, _: c.Abort(),
    wire.Kick: lambda request, _: c.Kick(request.seat),
    wire.Close: lambda request, _: c.Close(),
}
"""The requests that carry a key and change a room, each answered by `ok` or `error`. Besides the request its
connection's round trip is given, in milliseconds."""
