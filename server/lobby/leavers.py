"""Players who leave paired games get a warning, and after several such games a cooldown before the next one.

A player leaves a game if they are voted out, or run out of time, while away. A game that is aborted before everybody
has moved counts less, and not at all if an opponent was away. Resigning is not leaving. After an outage of this service
nothing counts in that game, because absent players may not have known that the service was back. The cooldown depends
on how many of the last games a player has left. It grows from one to the next, and shrinks with time.
"""

from collections.abc import Collection, Sequence
from typing import Final

import structlog

from fourfold.engine.match import State
from fourfold.engine.match.events import Event, Finished, Flagged, Removed
from fourfold.engine.outcome import Termination
from fourfold.server.archive.acts import CALLED_OFF, LEFT, Departure
from fourfold.server.archive.archive import Archive
from fourfold.server.clock import DAY, Clock
from fourfold.server.ratings.levels import level_of
from fourfold.server.rooms.room import Departed
from fourfold.server.storage.event_log import EventLog, LogUnavailable, unless_unavailable
from fourfold.server.supervision import Tasks, end

AWAY: Final = 10_000
"""Milliseconds for which a player must be away when their time runs out, for it to count as leaving."""

WEIGHTS: Final = {LEFT: 10, CALLED_OFF: 7}
"""The weight of each kind of departure, in tenths."""

HISTORY: Final = 20
"""How many of a player's last games count."""

SHARE: Final = 4
"""How many tenths of the last games a player may leave before a cooldown."""

LEAST: Final = (40, 40, 30, 20)
"""The least weight of departures for a cooldown, in tenths, by the number of cooldowns among the last departures."""

FIRST: Final = 10 * 60_000
LONGEST: Final = 3 * DAY
"""The shortest and the longest cooldown, in milliseconds."""

CALMED: Final = 3 * DAY
"""Milliseconds after a cooldown for which the next one is longer: at first three times as long, at the end no
longer."""


_log = structlog.get_logger(__name__)


def wait_after(departures: Sequence[Departure], games: Collection[tuple[str, int, int]]) -> int:
    """A player's cooldown in milliseconds; 0 for none. `departures` are the latest ones, newest first, up to the judged
    one. `games` are the latest finished games, by room and number, with the times of their ends."""
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
    """Counts departures, until `close`."""

    def __init__(self, archive: Archive, log: EventLog, clock: Clock) -> None:
        self._archive = archive
        self._log = log
        self._clock = clock
        self._tasks = Tasks()

    async def close(self) -> None:
        """Stop."""
        await end(self._tasks)

    def departed(self, departed: Departed) -> None:
        """This server has made a decision that ended a game or a player's part in it."""
        state, at = departed.after, departed.decision.at
        if not state.terms.seek or _plays_alone(state):
            return
        for event in departed.decision.events:
            seat = _left(departed, event)
            player = None if seat is None else state.seats[seat].player
            if player is not None:
                kind = CALLED_OFF if isinstance(event, Finished) else LEFT
                departure = Departure(player, departed.room, state.game, at, kind, 0)
                self._tasks.start(self._keep(departure, state.created))

    async def _keep(self, departure: Departure, created: int) -> None:
        await self._log.steady()  # otherwise the latest outage may not be known yet
        if any(outage.end > created for outage in self._log.outages()):
            _log.info("left a game with an outage", player=departure.player, room=departure.room, kind=departure.kind)
            return
        with unless_unavailable(_log, "departure not kept"):  # when in doubt, decide for the player
            wait = await self._archive.orders(lambda tables: tables.leave(departure, HISTORY, wait_after))
            _log.info("left a game", player=departure.player, room=departure.room, kind=departure.kind, wait=wait)

    async def latest(self, player: str) -> Departure | None:
        """A player's latest departure; None if they have none, or if the database is away."""
        try:
            found = await self._archive.orders(lambda tables: tables.departures(player, 1))
        except LogUnavailable as error:
            _log.debug("departures not known", error=str(error))
            return None
        return found[0] if found else None

    def rest(self, departure: Departure) -> int:
        """The rest of the player's cooldown, in milliseconds."""
        return max(departure.at + departure.wait - self._clock(), 0)

    def recent(self, departure: Departure) -> bool:
        """Whether the player should get a warning about it."""
        return not departure.wait and self._clock() - departure.at < DAY


def _plays_alone(state: State) -> bool:
    """Whether a player has nobody to leave: all others are computer players of the service."""
    return len({seat.player for seat in state.seats if level_of(seat.player or "") is None}) < 2


def _left(departed: Departed, event: Event) -> int | None:
    """The seat that has left a game by an event; None if none has."""
    _, state, decision, away = departed
    match event:
        case Removed(seat=seat):
            return seat
        case Flagged(seat=seat) if seat in away and decision.at - away[seat] >= AWAY:
            return seat
        case Finished(outcome=outcome) if outcome.termination is Termination.ABORTED:
            own = state.seat_of(decision.by)
            seats = () if own is None else state.together(own)
            return None if any(seat not in seats for seat in away) else own
        case _:
            return None


def sentence(rest: int) -> str:
    """The message about a cooldown with `rest` milliseconds left."""
    minutes = -(-rest // 60_000)
    span = f"{minutes} min" if minutes < 120 else f"{-(-minutes // 60)} hours"
    return f"You have left several games before their end. You can seek another game in {span}."


TOLD: Final = (
    "You left your last game before its end. Players who leave several games must wait before they can seek another."
)
"""The warning for a player without a cooldown."""
