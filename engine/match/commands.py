"""What may be asked of a match. The identity of the player who asks comes beside the command, never in it."""

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from fourfold.engine.match.clock import Control
from fourfold.engine.match.events import Event, ProposalKind, Rejection
from fourfold.engine.match.terms import USUAL, Terms
from fourfold.engine.values import value


@value
class Create:
    """Open a match of a variant, from a position (FEN, FEN4 or the name of a start array) or its usual start, with
    `moves` (coordinate notation) that have been played from there already.

    `played` is the result of `rehearse`, if the caller has rehearsed the moves already.
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
    """Take a seat by its name, or the first free one. The game starts when the last is taken.

    A `mark` stands for where the player comes from; it is empty if that does not matter. A player who sits `apart`
    shares the table with nobody of the same mark. Once the host has removed a player, no `guest` of the same mark sits
    down. `level` is that of a bot that the server has called, None for all other players: only such a bot may stand
    in for a player, at a seat to which a bot of this level is invited.
    """

    name: str
    seat: str | None = None
    bot: bool = False
    mark: str = ""
    level: int | None = None
    apart: bool = False
    guest: bool = False


@value
class Stand:
    """Give a seat back before the start."""


@value
class Invite:
    """Invite a bot of a level to a free seat, by its name or the first free one. The host's right."""

    level: int
    seat: str | None = None


@value
class Kick:
    """Free a seat before the start, of its player or of the bot invited to it, by its name. The right of the host, and
    of the server on a moderator's behalf.

    A player who is removed cannot sit down in this match again.
    """

    seat: str


@value
class Close:
    """End a match that has not begun. The right of the host, and of the server when everybody has left. The server also
    ends a match whose adjournment is past its deadline."""


@value
class Move:
    """Play a move (coordinate notation), seen from version `seq`.

    `lag` is the connection's round trip in milliseconds as the server measured it.
    """

    move: str
    seq: int
    lag: int = 0


@value
class Propose:
    """Put something to the vote, seen from version `seq`: an undo or redo of `plies` moves, a draw, a rematch,
    or that a bot of `level` stands in for the absent player at `seat`, or that this player is removed.

    `absent` says, for each seat that nobody is connected for, from when on (milliseconds since 1970) its player
    counts as absent; `absence` is for how many milliseconds a player must be away to count as absent (None: nobody
    ever does).
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
    """Answer the open proposal."""

    proposal: int
    accept: bool


@value
class Withdraw:
    """Withdraw one's own open proposal."""

    proposal: int


@value
class Claim:
    """End the game by what the rules let this seat claim: a draw, or a game by points that it has won."""


@value
class Resign:
    """Give up."""


@value
class Abort:
    """Call the game off while a player has never made a move. Nobody scores."""


@value
class Return:
    """A player whose seat a bot holds, or whose absence is being voted on, is back. Sent by the server."""


@value
class Expire:
    """Close what is past its deadline. Sent by the server's timer."""


@value
class Credit:
    """The service was down between two moments: the clock that ran then gets the time back. Sent by the server."""

    since: int
    until: int


@value
class Adjourn:
    """Adjourn an untimed game that nobody attends. The server closes it at `deadline` (milliseconds since 1970) unless
    a player comes back before. Sent by the server."""

    deadline: int


@value
class Archive:
    """End a match that is over for good, so that its log can leave for the archive. Sent by the server."""


Command = (
    Create | Sit | Stand | Invite | Kick | Close | Move | Propose | Vote | Withdraw | Claim | Resign | Abort | Return
    | Expire | Credit | Adjourn | Archive
)  # fmt: skip
