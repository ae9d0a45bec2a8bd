"""What a match is at one version of its log."""

from dataclasses import field
from enum import StrEnum

from fourfold.engine.errors import Fault, InvalidSetup
from fourfold.engine.match.clock import Clocks
from fourfold.engine.match.events import ProposalKind
from fourfold.engine.match.history import PlayedStep, Steps
from fourfold.engine.match.terms import USUAL, Terms
from fourfold.engine.notation import options as named_options
from fourfold.engine.outcome import Elimination, Outcome, Termination
from fourfold.engine.position import Position
from fourfold.engine.values import value
from fourfold.engine.variants import opening_of, rules_of


class Status(StrEnum):
    """How far a match has come."""

    OPEN = "open"
    PLAYING = "playing"
    FINISHED = "finished"


@value
class Seat:
    """Who sits there: a player's identity and the name shown; both None while it is free.

    `invited` is the level of a bot that may come: to the free seat, or for its absent player; `stand_in` and
    `stand_in_name` are the bot that came. `score` is what the player has from the series, in half points.
    `refusals` counts the proposals of this seat that ended as a no in this game; `refused_at` is when
    the last did. `withdrew` says that it has taken one back: the next that it takes back counts as a no. `mark`
    stands for where the player comes from.
    """

    player: str | None = None
    name: str | None = None
    invited: int | None = None
    stand_in: str | None = None
    stand_in_name: str | None = None
    score: int = 0
    refusals: int = 0
    refused_at: int = 0
    withdrew: bool = False
    mark: str = field(default="", repr=False)


@value
class Proposal:
    """The open vote. `votes` holds the answers so far, the proposer's yes among them.

    `seq` and `ply` are the version and ply it was made at; `target` and `position` are the ply an undo
    or redo leads to and how the board then stands; `absentee` is the seat that a stand-in or removal is
    about, `level` that of the bot.
    """

    number: int
    kind: ProposalKind
    seat: int
    plies: int | None
    target: int | None
    position: str | None
    seq: int
    ply: int
    electorate: tuple[int, ...]
    votes: tuple[tuple[int, bool], ...]
    deadline: int
    absentee: int | None = None
    level: int | None = None

    def vote_of(self, seat: int) -> bool | None:
        """What a seat has answered; None if nothing yet."""
        return dict(self.votes).get(seat)


@value
class State:
    """Everything a match is.

    `game` counts the games of the series; all that follows is about the current one.

    `line` is what led from `start` to `position`; `undone` what a redo would bring back, next first.
    `ply` counts the moves of the line. `position_seq` is the version that last changed the position:
    a command that saw an older one is stale. `proposals` counts the votes there have been. `out` are
    the seats that have left a game that may go on without them, in order. `credited` is the moment up to
    which outages have been made good. `moved` are the seats that have ever made a move in this game, undone or not.
    `adjourned` is when the server closes a game that nobody attends. `kicked` are the players whom the host sent away
    before the start, and their marks. `unrated` says why the way the game was played keeps it from being rated.
    `archived` says that nothing more can happen.
    """

    variant: str
    visibility: str
    host: str
    seats: tuple[Seat, ...]
    start: Position
    position: Position
    seq: int
    at: int
    clocks: Clocks | None = None
    status: Status = Status.OPEN
    game: int = 1
    line: Steps = Steps()
    undone: tuple[PlayedStep, ...] = ()
    ply: int = 0
    position_seq: int = 0
    proposal: Proposal | None = None
    proposals: int = 0
    out: tuple[Elimination, ...] = ()
    outcome: Outcome | None = None
    credited: int = 0
    moved: frozenset[int] = frozenset()
    created: int = 0
    terms: Terms = USUAL
    kicked: tuple[str, ...] = ()
    archived: bool = False
    adjourned: int | None = None
    unrated: str = ""

    @property
    def complete(self) -> bool:
        """Whether the match has ended after it had begun, and nothing is put to the vote: it may be archived."""
        ended = self.status is Status.FINISHED and self.proposal is None
        return ended and all(seat.player is not None for seat in self.seats)

    def seat_of(self, player: str) -> int | None:
        """Where a player sits, or stands in; None for one who does neither."""
        for index, seat in enumerate(self.seats):
            if player == seat.player or player == seat.stand_in:
                return index
        return None

    def seat_name(self, seat: int) -> str:
        """`white`, `red`, ..."""
        return self.position.seats[seat]

    def claim(self, seat: int) -> Termination | None:
        """What a seat may claim now: a draw, or a game by points that it has won."""
        return self.position.may_claim(seat) if self.status is Status.PLAYING else None

    def deadline(self) -> int | None:
        """When the match next needs an `Expire`, if nothing happens before."""
        flag = self.flag()
        if self.proposal is None:
            return flag
        return self.proposal.deadline if flag is None else min(self.proposal.deadline, flag)

    def flag(self) -> int | None:
        """When the flag of the seat to move falls; None while no clock runs."""
        return None if self.clocks is None else self.clocks.flag(self.position.turn)


def start_position(variant: str, position: str | None, seed: int, options: str | None = None) -> Position:
    """Where a match begins: at a FEN or FEN4 (which have slashes), a start array's name, or the variant's usual start.
    The seed decides how dead kings will walk, where the variant has them walk; a match begins when they have, with a
    player to move. `options` are those of the rules, as PGN4 names them; None stands for the usual ones.

    Raises `InvalidNotation` or `InvalidSetup`.
    """
    rules = rules_of(variant)
    if options is not None:
        rules = named_options.read(options, rules)
    array = position is not None and "/" not in position
    start = opening_of(rules, setup=position, seed=seed) if array else opening_of(rules, position=position, seed=seed)
    while (walk := start.walk) is not None:
        start = start.play(walk)
    return start


def start_faults(variant: str, position: str | None, seed: int = 0) -> tuple[Fault, ...]:
    """Everything that keeps a match from beginning there, as `start_position` takes it: a setup that is no
    position, or one in which nothing is left to play (`position_over`). Raises `InvalidNotation`."""
    try:
        outcome = start_position(variant, position, seed).outcome
    except InvalidSetup as error:
        return error.faults
    if outcome is None:
        return ()
    return (Fault("position_over", f"Nothing is left to play in this position: {outcome.termination}."),)
