"""The state of a match at one version of its log."""

from dataclasses import field
from enum import StrEnum
from typing import Final

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

YOUNG: Final = 5
"""Rounds for which people may take seats over from the computers that fill a table, and players may change their names.
"""


class Status(StrEnum):
    """The stages of a match."""

    OPEN = "open"
    PLAYING = "playing"
    FINISHED = "finished"


@value
class Seat:
    """A seat: the player's identity and displayed name, both None while the seat is free.

    `invited` is the level of a bot that may take the free seat, or stand in for the absent player. `stand_in` and
    `stand_in_name` are that bot once it has come. `score` is the player's score in the series, in half points.
    `refusals` counts this seat's refused proposals in this game, and `refused_at` is the time of the last. `withdrew`
    tells whether it has taken a proposal back: the next one that it takes back counts as refused. `gifts` counts how
    often it has given time in this game. `mark` is a token for the player's address.
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
    gifts: int = 0
    mark: str = field(default="", repr=False)


@value
class Proposal:
    """The open vote. `votes` has the votes so far, including the proposer's yes.

    `seq` and `ply` are the version and ply at which it was opened. `target` is the ply that an undo or redo leads to,
    and `position` the board there. `absentee` is the absent player's seat in a stand-in or removal, and `level` the
    bot's level.
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
        """A seat's vote; None if it has not voted yet."""
        return dict(self.votes).get(seat)


@value
class State:
    """The whole state of a match.

    `game` counts the games of the series. All later fields are about the current game.

    `line` has the steps from `start` to `position`, and `undone` the undone steps in the order of a redo. `ply` counts
    the moves of the line. `position_seq` is the version of the last change of the position: a command that saw an older
    version is stale. `proposals` counts the votes so far. `out` has the eliminated seats in order. Outages up to
    `credited` have been given back to the clocks. `moved` has the seats that have made a move in this game, undone or
    not. `adjourned` is the time at which the server closes an adjourned game. `kicked` has the players whom the host
    removed before the start, and their marks. `unrated` is the reason why a finished game cannot be rated. `archived`
    means that no further events can follow. `paused` is the time at which a paused game goes on; None if it is not
    paused. `casual` is the reason why a game can no longer be rated, whatever its end (empty: it can). It began from a
    `position` or with `moves` of the host's choice, a vote has `undone` or redone moves, or there was a `stand_in`.
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
    paused: int | None = None
    casual: str = ""

    @property
    def young(self) -> bool:
        """Whether people may take seats over from the computers that fill this table: in the first game of the series,
        for the first `YOUNG` rounds."""
        begun = self.status is Status.PLAYING and self.game == 1
        return begun and self.terms.fill > 0 and self.begins

    @property
    def begins(self) -> bool:
        """Whether fewer than `YOUNG` rounds have been played."""
        return self.ply < YOUNG * len(self.seats)

    @property
    def complete(self) -> bool:
        """Whether the match can be archived: it started, it has ended, and no vote is open."""
        ended = self.status is Status.FINISHED and self.proposal is None
        return ended and all(seat.player is not None for seat in self.seats)

    def lateness(self) -> int | None:
        """Milliseconds by which watchers see the match late: 0 while seats are free, None without a delay."""
        if not self.terms.delay:
            return None
        return 0 if any(seat.player is None for seat in self.seats) else self.terms.delay

    def seat_of(self, player: str) -> int | None:
        """The seat of a player or stand-in, the first if there are several; None for others."""
        for index, seat in enumerate(self.seats):
            if player == seat.player or player == seat.stand_in:
                return index
        return None

    def together(self, seat: int) -> tuple[int, ...]:
        """The seats of the player who has a seat: see `Rules.together`. The first one votes, for all of them."""
        return self.position.rules.together(seat)

    def seat_name(self, seat: int) -> str:
        """The name of a seat's colour, such as `white` or `red`."""
        return self.position.seats[seat]

    def claim(self, seat: int) -> Termination | None:
        """The seat's claim now, or None: a draw, or a game that it has won on points."""
        return self.position.may_claim(seat) if self.status is Status.PLAYING else None

    def deadline(self) -> int | None:
        """When the match next needs the command `Expire`, in milliseconds since 1970; None if never."""
        vote = None if self.proposal is None else self.proposal.deadline
        return min((time for time in (self.flag(), vote, self.paused) if time is not None), default=None)

    def flag(self) -> int | None:
        """When the flag of the seat to move falls; None while no clock runs."""
        return None if self.clocks is None else self.clocks.flag(self.position.turn)


def start_position(variant: str, position: str | None, seed: int, options: str | None = None) -> Position:
    """The starting position of a match.

    `position` is a FEN or FEN4 (these contain slashes), the name of a starting array, or None for the variant's own
    start. `seed` decides the moves of walking kings. They move first, so that the match starts with a player to move.
    `options` are rule options as in PGN4; None stands for the variant's own. Raises `InvalidNotation` or
    `InvalidSetup`.
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
    """Every reason why no match can start there: the faults of an impossible setup, or `position_over` if the game is
    over already. The arguments are those of `start_position`. Raises `InvalidNotation`."""
    try:
        outcome = start_position(variant, position, seed).outcome
    except InvalidSetup as error:
        return error.faults
    if outcome is None:
        return ()
    return (Fault("position_over", f"The game is already over in this position: {outcome.termination}."),)
