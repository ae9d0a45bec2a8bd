"""The searches of players for opponents. A search goes on over a new connection."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from fourfold.engine.match.clock import Control
from fourfold.protocol import from_server as wire
from fourfold.server.lobby.matchmaking import Seek, waits
from fourfold.server.replication.fanout import Encoded
from fourfold.server.rooms.liveness import WITHIN
from fourfold.server.rooms.room import Room
from fourfold.server.sessions.session import Session


@dataclass(frozen=True, slots=True)
class Seeking:
    """A session whose player waits for opponents: see `lobby.widening.Waiting`."""

    session: Session

    def waits(self, room: Room) -> bool:
        """See `Waiting`."""
        sought = self.session.sought
        return not self.session.gone and sought is not None and sought[1] is room

    async def answers(self) -> bool:
        """See `Waiting`."""
        return await self.session.answers(WITHIN)

    def goes(self, room: Room) -> None:
        """See `Waiting`. The client does not see that the player leaves the seat."""
        self.session.unfollow(room.id)

    def comes(self, room: Room) -> None:
        """See `Waiting`. The client gets `paired`, and follows the room."""
        session = self.session
        assert session.sought is not None and room.state is not None  # they wait
        session.sought = session.sought[0], room
        seat = room.state.seat_of(session.player_id)
        if seat is not None:
            session.send(Encoded(wire.Paired(room.id, room.state.seat_name(seat))))
        session.enter(room)


def seek_of(session: Session, variant: str, control: Control | None, **terms: Any) -> Seek:
    """The seek of a session's player. `terms` are further fields of `Seek`."""
    may_open = partial(session.services.room_limits.claim, session.address)
    return Seek(session.greeted, session.origin, variant, control, may_open, lambda: session.peer.gone, **terms)


def begin(session: Session, seek: Seek, room: Room) -> None:
    """The player has a seat in this room by a seek."""
    session.sought = seek.name, room
    session.services.widening.begin(seek, room, Seeking(session))


def resume(session: Session, room: Room) -> None:
    """If the player has waited for opponents in this room on an earlier connection, go on with the search on this
    one."""
    state = room.state
    if session.sought is not None or state is None or not waits(room) or state.seat_of(session.player_id) is None:
        return
    control, terms = None if state.clocks is None else state.clocks.control, state.terms
    seek = seek_of(session, state.variant, control, rated=terms.rated, pool=terms.pool, fill=terms.fill)
    session.sought = "", room  # only the store knows the range
    session.services.widening.resume(seek, room, Seeking(session))
