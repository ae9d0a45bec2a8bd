"""The commands to a match. `decide` gets the player's identity separately; it is never part of a command."""

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from fourfold.engine.decisions import Rejection
from fourfold.engine.match.clock import Control
from fourfold.engine.match.events import Event, ProposalKind
from fourfold.engine.match.terms import USUAL, Terms
from fourfold.engine.values import value


@value
class Create:
    """Open a match of a variant.

    `position` is a FEN, a FEN4 or the name of a starting array; the default is the variant's own start. `moves`, in
    coordinate notation, have been played from there already. `played` is the result of `rehearse`, if the caller has
    rehearsed the moves.
    """

    variant: str
    position: str | None = None
    moves: tuple[str, ...] = ()
    visibility: Literal["public", "private"] = "public"
    control: Control | None = None
    terms: Terms = USUAL
    seed: int = 0
    played: tuple[Event, ...] | Rejection | None = field(default=None, compare=False, repr=False)


@value
class Sit:
    """Take a seat by its name, or the first free one. The game starts when the last seat is taken. A player who has the
    seat already goes by `name` from now on, if that is another name and the game is young.

    `mark` is an opaque token for the player's address; empty if it does not matter. With `apart`, the match rejects the
    player if another player has the same mark. Once the host has removed a player, no `guest` with the same mark can
    sit down. `level` is the level of a bot that the server called, and None for all other players. Only such a bot can
    stand in for a player, at a seat to which a bot of this level is invited.
    `computers` are the ids of the bots at this table that the server called: while the game is young, a person may take
    a seat over from one of them.
    """

    name: str
    seat: str | None = None
    bot: bool = False
    mark: str = ""
    level: int | None = None
    apart: bool = False
    guest: bool = False
    computers: frozenset[str] = frozenset()


@value
class Stand:
    """Leave a seat before the start."""


@value
class Invite:
    """Invite a bot of a level to a free seat, by its name or the first free one. Only the host can do this."""

    level: int
    seat: str | None = None


@value
class Kick:
    """Remove the player, or the invited bot, from a seat before the start. The seat goes by name. Only the host can do
    this, and the server for a moderator.

    A removed player cannot sit down in this match again.
    """

    seat: str


@value
class Close:
    """Close a match that has not started. Only the host can do this, and the server when everybody has left. The server
    also closes an adjourned match after its deadline."""


@value
class Move:
    """Play a move, in coordinate notation.

    `seq` is the version that the player saw. `lag` is the connection's round trip in milliseconds, measured by the
    server.
    """

    move: str
    seq: int
    lag: int = 0


@value
class Propose:
    """Open a vote, by its `kind`: an undo or redo of `plies` moves, a draw, a rematch, a pause or its end, a stand-in
    or a removal. A stand-in is a bot of `level` for the absent player at `seat`. A removal takes that player out of the
    game.

    `seq` is the version that the player saw. `absent` has the seats without a connection, each with the time from which
    its player counts as absent, in milliseconds since 1970. `absence` is the time after which a player counts as
    absent, in milliseconds; None if players of this game never do.
    """

    kind: ProposalKind
    seq: int
    plies: int | None = None
    seat: str | None = None
    level: int | None = None
    absent: Mapping[int, int] = field(default_factory=dict)
    absence: int | None = None


@value
class Vote:
    """Vote on the open proposal."""

    proposal: int
    accept: bool


@value
class Withdraw:
    """Take back your own open proposal."""

    proposal: int


@value
class Claim:
    """End the game by a claim that the rules allow this seat: a draw, or a game that it has won on points."""


@value
class Resign:
    """Resign."""


@value
class Abort:
    """Abort the game, while some player has not moved yet. Nobody scores."""


@value
class Give:
    """Give the opponent at a seat 15 seconds more. The seat goes by name."""

    seat: str


@value
class Berserk:
    """Before your first move, give up half of your time, and the increment."""


@value
class Return:
    """Report that an absent player is back: a bot holds the seat, or a vote about it is open. The server sends this."""


@value
class Expire:
    """Close a vote that is past its deadline, and end the game of a player whose flag has fallen. The server's timer
    sends this."""


@value
class Credit:
    """Give a running clock the time back during which the service was down. The server sends this."""

    since: int
    until: int


@value
class Adjourn:
    """Adjourn an untimed game without connected players. The server closes it at `deadline` (milliseconds since 1970)
    unless a player comes back before. The server sends this."""

    deadline: int


@value
class Archive:
    """End a finished match for good, so that its log can move to the archive. The server sends this.

    `seq` is the version that the server saw. Nothing happens if there has been another decision since.
    """

    seq: int


Command = (
    Create | Sit | Stand | Invite | Kick | Close | Move | Propose | Vote | Withdraw | Claim | Resign | Abort | Give
    | Berserk | Return | Expire | Credit | Adjourn | Archive
)  # fmt: skip
