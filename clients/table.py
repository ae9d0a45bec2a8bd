"""A game on the client: its state after a `room` snapshot and the `update`s since.

Pure. Tables of the same version are equal, whether they come from a snapshot, from all updates, or from a resumption.
Presence and watchers are not part of the log, and not part of a table.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, Self

from msgspec.structs import replace as with_fields

from fourfold.engine.outcome import Termination
from fourfold.engine.position import Position
from fourfold.engine.variants import opening
from fourfold.protocol import events as happened
from fourfold.protocol.events import Result
from fourfold.protocol.from_server import Clocks, Proposal, Room, Update


class Gap(Exception):
    """An update that does not directly follow: an earlier one is missing."""


@dataclass(frozen=True, slots=True)
class TableSeat:
    """A seat: its player's id and name (None while it is free), the level of an invited bot, the name of a stand-in,
    the player's score in the series, and whether the player has given up half of the time."""

    player: str | None = None
    name: str | None = None
    invited: int | None = None
    stand_in: str | None = None
    score: float = 0
    berserk: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A game at version `seq`.

    `seats` are by name, in turn order. `moves` are the moves played from the position `start`. `redo` is the number of
    undone moves that can be played again. `out` has the reason for each eliminated seat. `clocks.since` is the start of
    the running clock. `archived` means that the room accepts no more changes. `rated` is False if the game changes no
    ratings. A room with the `visibility` `private` is in no list. `paused` is the time at which a paused game goes on;
    None if it is not paused.
    """

    room: str
    variant: str
    start: str
    seq: int
    status: Literal["open", "playing", "finished"]
    seats: dict[str, TableSeat]
    position: Position
    moves: tuple[str, ...] = ()
    redo: int = 0
    proposal: Proposal | None = None
    result: Result | None = None
    out: dict[str, str] = field(default_factory=dict)
    clocks: Clocks | None = None
    game: int = 1
    archived: bool = False
    rated: bool = True
    visibility: str = "public"
    paused: int | None = None

    @classmethod
    def of(cls, room: Room) -> Self:
        """The table of a snapshot."""
        return cls(
            room=room.room,
            variant=room.variant,
            start=room.start,
            seq=room.seq,
            status=room.status,
            seats={
                seat.seat: TableSeat(
                    seat.player, seat.name, seat.invited, seat.stand_in, seat.score, seat.berserk is True
                )
                for seat in room.seats
            },
            position=opening(room.variant, position=room.position),
            moves=tuple(room.moves),
            redo=room.redo,
            proposal=room.proposal,
            result=room.result,
            out={seat.seat: seat.out for seat in room.seats if seat.out is not None},
            clocks=room.clocks,
            game=room.game,
            archived=room.archived,
            rated=room.rated,
            visibility=room.visibility,
            paused=room.paused if isinstance(room.paused, int) else None,
        )

    def __eq__(self, other: object) -> bool:
        """Whether everything shown is the same. Earlier positions make no difference."""
        if not isinstance(other, Table):
            return NotImplemented
        names = (field.name for field in fields(Table) if field.name != "position")
        return self.fen == other.fen and all(getattr(self, name) == getattr(other, name) for name in names)

    __hash__ = None  # type: ignore[assignment]  # it holds dicts

    @property
    def fen(self) -> str:
        """The position as FEN or FEN4."""
        return self.position.fen()

    @property
    def turn(self) -> str | None:
        """The seat to move; None unless the game is being played."""
        return self.position.seats[self.position.turn] if self.status == "playing" else None

    def seat_of(self, player: str | None) -> str | None:
        """The first seat of a player; None without one."""
        return next((name for name, seat in self.seats.items() if seat.player == player), None)

    def is_to_move(self, seat: str) -> bool:
        """Whether the player who has a seat is to move: there, or at another seat of theirs."""
        turn, player = self.turn, self.seats[seat].player
        return turn == seat or (turn is not None and player is not None and self.seats[turn].player == player)

    def left(self, seat: str, now: int) -> int | None:
        """A seat's remaining milliseconds at a time (milliseconds since 1970); None in an untimed game. The delay of a
        move does not count, unless there is no other time."""
        clocks = self.clocks
        if clocks is None:
            return None
        free, limit = (clocks.delay, 0) if clocks.base else (0, clocks.delay)
        left = clocks.left[seat] + limit
        if clocks.since is None or seat != self.turn:
            return left
        return max(0, left - max(0, now - clocks.since - free))

    @property
    def votes_on_line(self) -> bool:
        """Whether a vote on an undo or redo is open. A move would end it."""
        return self.proposal is not None and self.proposal.kind in ("undo", "redo")

    def after(self, update: Update) -> "Table":
        """The table after an update. If it already contains the update, the table itself.

        Raises `Gap` if an earlier update is missing.
        """
        if update.seq <= self.seq:
            return self
        if update.seq != self.seq + 1:
            raise Gap(f"After version {self.seq} came {update.seq}.")
        table = self
        for event in update.events:
            table = _APPLY[type(event)](table, event, update.time)
        return replace(table, seq=update.seq)

    def _seating(self, name: str, /, **changes: Any) -> "Table":
        return replace(self, seats=self.seats | {name: replace(self.seats[name], **changes)})

    def _timed(self, left: dict[str, int], since: int | None) -> "Table":
        """The table with new clock values for some seats, and the running clock started at `since`. In an untimed game,
        the table itself."""
        clocks = self.clocks
        if clocks is None:
            return self
        return replace(self, clocks=with_fields(clocks, left=clocks.left | left, since=since))


def _moved(table: Table, event: happened.Moved, time: int) -> Table:
    position = _scored(table.position.play(table.position.find(event.move)), event.sight)
    moved = replace(table, position=position, moves=(*table.moves, event.move), redo=0)
    if event.tick is None:  # a dead king walks, perhaps in a pause
        return moved
    return moved._timed({event.seat: event.tick.left}, time)


def _scored(position: Position, sight: happened.Sight | None) -> Position:
    """The position with the points that the server sent. A client may not be able to compute them: the points for a
    cornered king go to the player who cornered it, and a snapshot does not name that player."""
    points = None if sight is None or sight.points is None else tuple([sight.points[seat] for seat in position.seats])
    return position if points in (None, position.points) else position.replace(points=points)


_REASONS = {
    happened.Resigned: Termination.RESIGNATION,
    happened.Flagged: Termination.TIME,
    happened.Removed: Termination.ABANDONMENT,
}


def _departed(table: Table, event: happened.Resigned | happened.Flagged | happened.Removed, time: int) -> Table:
    position = table.position
    after = _scored(position.eliminate(position.seats.index(event.seat), _REASONS[type(event)]), event.sight)
    left = {event.seat: 0} if isinstance(event, happened.Flagged) else {}
    runs_on = table.clocks is not None and (event.seat != table.turn or table.paused is not None)
    since = table.clocks.since if runs_on and table.clocks is not None else time
    return replace(table, position=after, redo=0)._timed(left, since)


def _added(table: Table, seat: str, milliseconds: int) -> Table:
    """The table with more time for a seat."""
    clocks = table.clocks
    assert clocks is not None  # only a clock gets time
    return table._timed({seat: clocks.left[seat] + milliseconds}, clocks.since)


def _berserked(table: Table, event: happened.Berserked, _: int) -> Table:
    assert table.clocks is not None  # only a clock is halved
    return table._seating(event.seat, berserk=True)._timed({event.seat: event.left}, table.clocks.since)


def _undone(table: Table, event: happened.Undone, time: int) -> Table:
    moves = table.moves[: len(table.moves) - event.plies]
    return _restored(replace(table, moves=moves, redo=table.redo + event.plies), event, time)


def _redone(table: Table, event: happened.Redone, time: int) -> Table:
    moves = (*table.moves, *event.moves)
    return _restored(replace(table, moves=moves, redo=table.redo - event.plies), event, time)


def _restored(table: Table, event: happened.Undone | happened.Redone, time: int) -> Table:
    """The table after an undo or redo: its board, eliminations and clocks."""
    position = opening(table.variant, position=event.position)
    from_the_start = {seat: reason for seat, reason in table.out.items() if reason == "set_up"}
    since = time if table.paused is None else None
    return replace(table, position=position, out=from_the_start | event.out)._timed(event.left or {}, since)


def _proposed(table: Table, event: happened.Proposed, _: int) -> Table:
    fields = {name: getattr(event, name) for name in event.__struct_fields__}
    return replace(table, proposal=Proposal(**fields, votes={event.seat: True}))


def _voted(table: Table, event: happened.Voted, _: int) -> Table:
    assert table.proposal is not None  # votes are cast on the open proposal
    votes = table.proposal.votes | {event.seat: event.accept}
    return replace(table, proposal=with_fields(table.proposal, votes=votes))


def _finished(table: Table, event: happened.Finished, _: int) -> Table:
    ended = replace(table, status="finished", result=event.result, paused=None)
    for name, score in event.scores.items():
        ended = ended._seating(name, score=score)
    return ended._timed({}, None)


def _rematched(table: Table, event: happened.Rematched, _: int) -> Table:
    """The table of the next game, with the same players and scores."""
    clocks = table.clocks
    if clocks is not None:
        clocks = with_fields(clocks, left=dict.fromkeys(clocks.left, clocks.base), since=None)
    start = opening(table.variant, position=table.start)
    return Table(
        room=table.room,
        variant=table.variant,
        start=table.start,
        seq=table.seq,
        status="open",
        seats={one.seat: TableSeat(one.player, one.name, score=one.score) for one in event.seats},
        position=start,
        out={name: "set_up" for seat, name in enumerate(start.seats) if seat not in start.alive},
        clocks=clocks,
        game=event.game,
    )


_APPLY: dict[type[happened.AnyEvent], Callable[[Table, Any, int], Table]] = {
    happened.Seated: lambda table, event, _: table._seating(
        event.seat, player=event.player, name=event.name, invited=None
    ),
    happened.Renamed: lambda table, event, _: table._seating(event.seat, name=event.name),
    happened.Unseated: lambda table, event, _: table._seating(event.seat, player=None, name=None),
    happened.Invited: lambda table, event, _: table._seating(event.seat, invited=event.level, stand_in=None),
    happened.StoodIn: lambda table, event, _: table._seating(event.seat, stand_in=event.name),
    happened.Returned: lambda table, event, _: table._seating(event.seat, invited=None, stand_in=None),
    happened.Started: lambda table, _, time: replace(table, status="playing")._timed({}, time),
    happened.Moved: _moved,
    happened.Eliminated: lambda table, event, _: replace(table, out=table.out | {event.seat: event.reason}),
    happened.Resigned: _departed,
    happened.Flagged: _departed,
    happened.Removed: _departed,
    happened.Credited: lambda table, event, _: _added(table, event.seat, event.milliseconds),
    happened.Adjourned: lambda table, _event, _time: table,  # the game goes on when somebody comes
    happened.Paused: lambda table, event, _: replace(table, paused=event.until)._timed(event.left, None),
    happened.Resumed: lambda table, _, time: replace(table, paused=None)._timed({}, time),
    happened.Gave: lambda table, event, _: _added(table, event.to, event.milliseconds),
    happened.Berserked: _berserked,
    happened.Proposed: _proposed,
    happened.Voted: _voted,
    happened.Closed: lambda table, _event, _time: replace(table, proposal=None),
    happened.Undone: _undone,
    happened.Redone: _redone,
    happened.Finished: _finished,
    happened.Archived: lambda table, _event, _time: replace(table, archived=True),
    happened.Rematched: _rematched,
}
