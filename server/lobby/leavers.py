"""Who leaves games that matchmaking made is told so, and after some more has to wait before seeking the next one.

A game is left by a player who is voted out, or who runs out of time, while away. A game that is called off before
everybody has moved counts less, and not at all if an opponent was away. Who resigns has not left. In a game that has
suffered by an outage of this service nobody has: who was away may not have known that it was back. What counts is how
many of the last games were left; the wait grows from one to the next, and shrinks with time.
"""

import asyncio
from collections.abc import Collection, Sequence
from typing import Final

import structlog

from fourfold.engine.match.events import Decision, Event, Finished, Flagged, Removed
from fourfold.engine.outcome import Termination
from fourfold.server.archive.acts import CALLED_OFF, LEFT, Departure
from fourfold.server.archive.archive import Archive
from fourfold.server.clock import Clock
from fourfold.server.rooms.room import Room
from fourfold.server.storage.event_log import EventLog, LogUnavailable
from fourfold.server.supervision import end

AWAY: Final = 10_000
"""For how many milliseconds a player has been away, at least, whose time runs out because they left."""

WEIGHTS: Final = {LEFT: 10, CALLED_OFF: 7}
"""How bad each kind of departure is, in tenths."""

HISTORY: Final = 20
"""How many of a player's last games count."""

SHARE: Final = 4
"""How many tenths of the last games may be left before there is a wait."""

LEAST: Final = (40, 40, 30, 20)
"""How much must have been left at least, in tenths: by the number of waits there were among the last departures."""

FIRST: Final = 10 * 60_000
LONGEST: Final = 3 * 86_400_000
"""The shortest wait and the longest one, in milliseconds."""

CALMED: Final = 3 * 86_400_000
"""For how many milliseconds after a wait the next one is longer: three times as long at once, no longer at the end."""

DAY: Final = 86_400_000

_log = structlog.get_logger(__name__)


def wait_after(departures: Sequence[Departure], games: Collection[tuple[str, int, int]]) -> int:
    """For how many milliseconds a player has to wait; 0: not yet. `departures` are the latest ones, newest first, up to
    the one that is judged; `games` the latest games that are over, by room and number, with when they ended."""
    left = {(one.room, one.game): one for one in departures}
    ends = {(room, number): ended for room, number, ended in games} | {key: one.at for key, one in left.items()}
    last = sorted(ends, key=ends.__getitem__, reverse=True)[:HISTORY]
    bad = sum(WEIGHTS[left[key].kind] for key in last if key in left)
    waits = [one for one in departures if one.wait]
    if bad < max(SHARE * len(last), LEAST[min(len(waits), len(LEAST) - 1)]):
        return 0
    if not waits:
        return FIRST
    before = waits[0]
    calm = max(departures[0].at - before.at - before.wait, 0)
    longer = before.wait * max(3 - 2 * calm / CALMED, 0)
    return min(max(round(longer), FIRST), LONGEST)


class Leavers:
    """Counts who leaves, until `close`."""

    def __init__(self, archive: Archive, log: EventLog, clock: Clock) -> None:
        self._archive = archive
        self._log = log
        self._clock = clock
        self._tasks: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Stop."""
        await end(list(self._tasks))

    def departed(self, room: Room, decision: Decision) -> None:
        """This server has made a decision by which a game ended, or somebody's part in it."""
        state = room.state
        assert state is not None  # something was decided
        if not state.terms.seek:
            return
        for event in decision.events:
            seat = _left(room, event, decision)
            player = None if seat is None else state.seats[seat].player
            if player is not None and seat is not None:
                kind = CALLED_OFF if isinstance(event, Finished) else LEFT
                departure = Departure(player, room.id, state.game, decision.at, kind, 0)
                task = asyncio.create_task(self._keep(departure, state.created))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _keep(self, departure: Departure, created: int) -> None:
        await self._log.steady()  # or the latest outage may not be known yet
        if any(outage.end > created for outage in self._log.outages()):
            _log.info("left a game with an outage", player=departure.player, room=departure.room, kind=departure.kind)
            return
        try:
            wait = await self._archive.orders(lambda tables: tables.leave(departure, HISTORY, wait_after))
            _log.info("left a game", player=departure.player, room=departure.room, kind=departure.kind, wait=wait)
        except LogUnavailable as error:
            _log.debug("departure not kept", error=str(error))  # in doubt for the player

    async def latest(self, player: str) -> Departure | None:
        """The game that a player has left last; None if they left none, or if the database is away."""
        try:
            found = await self._archive.orders(lambda tables: tables.departures(player, 1))
        except LogUnavailable as error:
            _log.debug("departures not known", error=str(error))
            return None
        return found[0] if found else None

    def rest(self, departure: Departure) -> int:
        """For how many milliseconds the player still has to wait."""
        return max(departure.at + departure.wait - self._clock(), 0)

    def recent(self, departure: Departure) -> bool:
        """Whether the player is to be told of it."""
        return not departure.wait and self._clock() - departure.at < DAY


def _left(room: Room, event: Event, decision: Decision) -> int | None:
    """The seat that has left a game by an event; None if nobody has."""
    away = room.away()
    match event:
        case Removed(seat=seat):
            return seat
        case Flagged(seat=seat) if seat in away and decision.at - away[seat] >= AWAY:
            return seat
        case Finished(outcome=outcome) if outcome.termination is Termination.ABORTED and room.state is not None:
            own = room.state.seat_of(decision.by)
            return None if any(seat != own for seat in away) else own
        case _:
            return None


def sentence(rest: int) -> str:
    """What somebody is told who has to wait so many milliseconds."""
    minutes = -(-rest // 60_000)
    span = f"{minutes} min" if minutes < 120 else f"{-(-minutes // 60)} hours"
    return f"You have left several games before their end: you can seek another in {span}. Play your games to the end."


TOLD: Final = (
    "You have left your last game before its end. Who leaves several games has to wait before seeking the next one."
)
"""What somebody is told who need not wait."""
