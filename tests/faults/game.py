"""The checker's copy of a game: its state at a version, and what the rules ask of it.

It is a second implementation of `fourfold.engine.match.state`, and does not use it. Positions are the engine's.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from fourfold.engine.position import Position
from tests.faults.history import Entry, Frame

ABSENCE = 2_000
"""Milliseconds after which, in a campaign, an away player of a fast game counts as absent: few, so that it happens
often."""

MINUTE = 60_000
"""Milliseconds."""

Kind: TypeAlias = Literal["lost", "doubled", "divergent", "illegal", "unlawful", "stuck"]
"""The kinds of faults in a history."""


class Broken(Exception):
    """The log breaks a rule: of the board (`illegal`), or of votes, clocks and the rest (`unlawful`)."""

    def __init__(self, kind: Kind, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


def law(holds: object, message: str) -> None:
    """A rule of the match."""
    if not holds:
        raise Broken("unlawful", message)


@dataclass
class Seat:
    """A seat: its player, its stand-in with the name, the number and last time of its refused proposals in this game,
    whether it has withdrawn one, and how often it has given time."""

    player: str | None = None
    name: str | None = None
    invited: int | None = None
    stand_in: str | None = None
    stand_in_name: str | None = None
    score: float = 0
    refusals: int = 0
    refused_at: int = 0
    withdrew: bool = False
    gifts: int = 0


@dataclass(frozen=True)
class Place:
    """A ply with everything that an undo restores: the position, the eliminated seats, and the remaining clocks."""

    position: Position
    out: dict[str, str]
    left: dict[str, int]


@dataclass(frozen=True)
class Step:
    """A move (by the log's entry `seq`), or a departure (None); and the resulting ply."""

    seq: int
    seat: str
    move: str | None
    after: Place


@dataclass
class Vote:
    """The open vote as it was proposed, and the answers so far."""

    frame: Frame
    votes: dict[str, bool]


@dataclass
class Game:
    """The fold. `sent` returns when the command of a player and key was first sent, if that was recorded. `heard`
    returns when the last frame reached a player who followed the room, before a moment.

    `since` is when the clock of the seat to move started; `credited` up to when outages were given back; `seen` when
    each player last did something; `paused` until when the game is paused; `berserk` the seats that have given up half
    of their time, with the rest; `moved` which seats have ever moved in this game; `kicked` the players whom the host
    has removed; `fill` the level of the computers that give their seats up to people, 0 if there are none;
    `position_seq` the version at which players last had to look at the board again. The fields after `entry` are about
    that entry alone: the reported and the due eliminations, the departures, the number of steps, the movers, the passed
    and still open decisions of votes, and the current event.
    """

    slack: float = 0
    outages: list[tuple[int, int]] = field(default_factory=list)
    returns: list[float] = field(default_factory=list)
    sent: Callable[[str, str], float | None] = lambda by, key: None
    heard: Callable[[str, float], float] = lambda player, at: 0
    remembered: list[tuple[int, int]] = field(default_factory=list)
    variant: str = ""
    host: str = ""
    clock: Frame | None = None
    rated: bool = True
    delay: int = 0
    fill: int = 0
    names: tuple[str, ...] = ()
    seats: dict[str, Seat] = field(default_factory=dict)
    set_up: dict[str, str] = field(default_factory=dict)
    start: Place = field(init=False)
    place: Place = field(init=False)
    seq: int = 0
    at: int = 0
    before: int = 0
    position_seq: int = 0
    status: str = "open"
    game: int = 1
    line: list[Step] = field(default_factory=list)
    undone: list[Step] = field(default_factory=list)
    vote: Vote | None = None
    votes: int = 0
    result: Frame | None = None
    since: int | None = None
    credited: int = 0
    archived: bool = False
    adjourned: float | None = None
    """The time at which the server closes the game, which is adjourned."""
    paused: int | None = None
    berserk: dict[str, int] = field(default_factory=dict)
    seen: dict[str, int] = field(default_factory=dict)
    moved: set[str] = field(default_factory=set)
    kicked: set[str] = field(default_factory=set)
    entry: Entry = field(init=False)
    told: list[Frame] = field(default_factory=list)
    due: list[Frame] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)
    steps: int = 0
    mover: str | None = None
    carried: Frame | None = None
    index: int = 0

    def begin(self, entry: Entry) -> list[Frame]:
        """Go to the next entry; returns its events."""
        self.before = self.at
        self.seq, self.at, self.entry = entry.seq, entry.at, entry
        self.told, self.due, self.gone = [], [], set()
        self.steps, self.mover, self.carried = 0, None, None
        return entry.events

    def view(self) -> Frame:
        """The contents of a snapshot, without presence."""
        position = self.place.position
        turn = self.names[position.turn] if self.status == "playing" else None
        clocks = None if self.clock is None else {**self.clock, "left": self.place.left, "since": self.since}
        seats = {
            name: {
                "player": s.player, "name": s.name, "invited": s.invited, "stand_in": s.stand_in_name, "score": s.score,
                "berserk": name in self.berserk,
            }
            for name, s in self.seats.items()
        }  # fmt: skip
        return {
            "variant": self.variant, "status": self.status, "game": self.game, "seats": seats,
            "out": self.set_up | self.place.out, "start": self.start.position.fen(), "position": position.fen(),
            "moves": [step.move for step in self.line if step.move], "redo": moves_in(self.undone), "clocks": clocks,
            "turn": turn, "proposal": None if self.vote is None else {**self.vote.frame, "votes": self.vote.votes},
            "result": self.result, "paused": self.paused,
        }  # fmt: skip

    def legal(self) -> list[str]:
        """The legal moves now."""
        return self.place.position.legal_texts() if self.status == "playing" else []

    def seat_of(self, player: str) -> str | None:
        """The seat of a player, or of a stand-in bot."""
        return next((name for name, seat in self.seats.items() if player in (seat.player, seat.stand_in)), None)

    def is_held(self, seat: Seat) -> bool:
        """Whether a seat has a player, or is kept for a computer player."""
        return seat.player is not None or seat.invited is not None

    # -- shared checks of the rules --

    def playing(self) -> None:
        """Raise `Broken` unless the game is running."""
        law(self.status == "playing", f"the game is {self.status}")

    def by(self, seat: str) -> None:
        """Raise `Broken` unless the seat's player, or its stand-in bot, does it."""
        known = self.seats.get(seat, Seat())
        law(self.entry.by and self.entry.by in (known.player, known.stand_in), f"{self.entry.by} is not {seat}")

    def player_only(self, what: str) -> None:
        """Raise `Broken` if a stand-in bot does it."""
        stand_ins = {seat.stand_in for seat in self.seats.values()} - {None}
        law(self.entry.by not in stand_ins, f"a stand-in may not {what}")

    @property
    def absence(self) -> int | None:
        """Milliseconds after which an away player is absent; None for never."""
        if self.clock is None:
            return 5 * ABSENCE
        most = max(self.clock["base"], self.clock["increment"], self.clock["delay"])
        return ABSENCE if most <= 10 * MINUTE else 2 * ABSENCE if most <= 60 * MINUTE else None

    def may_be_absent(self, seat: str) -> bool:
        """Whether the player may count as absent, as far as an observer can tell."""
        return self.seats[seat].stand_in is not None or self.may_be_deserted(seat)

    def may_be_deserted(self, seat: str) -> bool:
        """Whether the player may count as absent, and the stand-in too."""
        absence, known = self.absence, self.seats[seat]
        if absence is None:
            return False
        there = [one for one in (known.player, known.stand_in) if one is not None]
        here = [max(self.seen.get(one, 0), self.heard(one, self.at)) for one in there]
        now = min((start for start, end in self.outages if start < self.at < end), default=self.at)
        back = [time for time in (*(end for _, end in self.outages), *self.returns) if time <= now]
        return now - max(*here, *back, 0) >= absence - self.slack

    def take(self, kind: str) -> Frame:
        """The decision that a vote has just passed, and that this event carries out."""
        vote, self.carried = self.carried, None
        if vote is None or vote["kind"] != kind:
            raise Broken("unlawful", f"no {kind} was passed")
        return vote

    def next_is(self, what: str) -> bool:
        """Whether this type of event comes next in the entry."""
        return any(event["type"] == what for event in self._rest()[1:2])

    def coming(self, what: str) -> bool:
        """Whether this type of event is still to come in the entry."""
        return any(event["type"] == what for event in self._rest())

    def _rest(self) -> list[Frame]:
        return self.entry.events[self.index :]

    def step(self, seat: str, move: str | None, after: Position, left: dict[str, int]) -> None:
        """A move was made: undone moves can no longer be redone."""
        self.due += (
            {
                "seat": self.names[gone.seat],
                "reason": gone.reason.value,
                "by": None if gone.by is None else self.names[gone.by],
            }
            for gone in after.eliminated
        )
        out = {self.names[gone.seat]: gone.reason.value for gone in after.eliminated}
        self.gone |= out.keys()
        self.steps += 1
        self.place = Place(after, self.place.out | out, left)
        self.line.append(Step(self.seq, seat, move, self.place))
        self.undone = []


def moves_in(steps: Iterable[Step]) -> int:
    """How many of the steps are moves."""
    return sum(step.move is not None for step in steps)
