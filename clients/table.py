"""What a client knows of a game: the fold of a `room` snapshot and the `update`s after it.

Pure. However a client came by a log (from a snapshot at any version, by all its updates, or back from
an outage), the tables of one version are equal. It refuses to know presence and watchers, which are
no part of the log, and connections.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self

from msgspec.structs import replace as with_fields

from engine.outcome import Termination
from engine.position import Position
from engine.variants import opening
from protocol import from_server as told
from protocol.from_server import Proposal, Result, Room, Update


class Gap(Exception):
    """An update that does not follow: something before it is missing."""

    def __init__(self, held: int, got: int) -> None:
        super().__init__(f"After version {held} came {got}.")
        self.held = held
        self.got = got


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits there; both None while the seat is free."""

    player: str | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A game as known at version `seq`.

    `seats` goes by name, in turn order; `moves` is the line from the position `start`, `redo` how many
    undone moves could come back.
    """

    room: str
    variant: str
    start: str
    seq: int
    status: Literal["open", "playing", "finished"]
    seats: dict[str, Seat]
    fen: str
    position: Position = field(compare=False, repr=False)  # compared as `fen`: what it was reached by is nobody's fact
    moves: tuple[str, ...] = ()
    redo: int = 0
    proposal: Proposal | None = None
    result: Result | None = None

    @classmethod
    def of(cls, room: Room) -> Self:
        """The table of a snapshot."""
        return cls(
            room=room.room,
            variant=room.variant,
            start=room.start,
            seq=room.seq,
            status=room.status,
            seats={seat.seat: Seat(seat.player, seat.name) for seat in room.seats},
            fen=room.position,
            position=opening(room.variant, position=room.position),
            moves=tuple(room.moves),
            redo=room.redo,
            proposal=room.proposal,
            result=room.result,
        )

    @property
    def turn(self) -> str | None:
        """The seat to move; None unless the game is being played."""
        return self.position.seats[self.position.turn] if self.status == "playing" else None

    @property
    def out(self) -> tuple[str, ...]:
        """The seats that are out of the game, in turn order."""
        seats = self.position.seats
        return tuple(name for seat, name in enumerate(seats) if seat not in self.position.alive)

    @property
    def votes_on_line(self) -> bool:
        """Whether an undo or redo is being voted on: a move now would cut the vote short."""
        return self.proposal is not None and self.proposal.kind != "draw"

    def after(self, update: Update) -> "Table":
        """The table after an update; this one if it contains the update already.

        Raises `Gap` for an update that is not the next.
        """
        if update.seq <= self.seq:
            return self
        if update.seq != self.seq + 1:
            raise Gap(self.seq, update.seq)
        table = self
        for event in update.events:
            table = _APPLY[type(event)](table, event)
        return replace(table, seq=update.seq)

    def _at(self, position: Position) -> "Table":
        return replace(self, position=position, fen=position.fen())

    def _seating(self, name: str, seat: Seat) -> "Table":
        return replace(self, seats=self.seats | {name: seat})


def _moved(table: Table, event: told.Moved) -> Table:
    position = table.position.play(table.position.find(event.move))
    return replace(table._at(position), moves=(*table.moves, event.move), redo=0)


def _left(table: Table, event: told.Resigned | told.Flagged) -> Table:
    reason = Termination.RESIGNATION if isinstance(event, told.Resigned) else Termination.TIME
    position = table.position
    return replace(table._at(position.eliminate(position.seats.index(event.seat), reason)), redo=0)


def _undone(table: Table, event: told.Undone) -> Table:
    moves = table.moves[: len(table.moves) - event.plies]
    position = opening(table.variant, position=event.position)
    return replace(table._at(position), moves=moves, redo=table.redo + event.plies)


def _redone(table: Table, event: told.Redone) -> Table:
    position = opening(table.variant, position=event.position)
    return replace(table._at(position), moves=(*table.moves, *event.moves), redo=table.redo - event.plies)


def _proposed(table: Table, event: told.Proposed) -> Table:
    return replace(
        table,
        proposal=Proposal(
            proposal=event.proposal,
            kind=event.kind,
            seat=event.seat,
            plies=event.plies,
            ply=event.ply,
            position=event.position,
            electorate=event.electorate,
            votes={event.seat: True},
            deadline=event.deadline,
        ),
    )


def _voted(table: Table, event: told.Voted) -> Table:
    assert table.proposal is not None  # votes are cast on the open proposal
    votes = table.proposal.votes | {event.seat: event.accept}
    return replace(table, proposal=with_fields(table.proposal, votes=votes))


_APPLY: dict[type[told.AnyEvent], Callable[[Table, Any], Table]] = {
    told.Seated: lambda table, event: table._seating(event.seat, Seat(event.player, event.name)),
    told.Unseated: lambda table, event: table._seating(event.seat, Seat()),
    told.Started: lambda table, _: replace(table, status="playing"),
    told.Moved: _moved,
    told.Eliminated: lambda table, _: table,  # the move or departure before it put the seat out
    told.Resigned: _left,
    told.Flagged: _left,
    told.Proposed: _proposed,
    told.Voted: _voted,
    told.Closed: lambda table, _: replace(table, proposal=None),
    told.Undone: _undone,
    told.Redone: _redone,
    told.Finished: lambda table, event: replace(table, status="finished", result=event.result),
}
