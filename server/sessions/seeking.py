"""Players who wait for opponents: a range widens on each of their connections, and may move them to another room."""

from dataclasses import dataclass
from functools import partial

from fourfold.protocol import from_server as wire
from fourfold.server.lobby.matchmaking import Seek, waits
from fourfold.server.replication.fanout import Encoded
from fourfold.server.rooms.room import Room
from fourfold.server.sessions.session import Session


@dataclass(frozen=True, slots=True)
class Seeking:
    """A session whose player waits with a rating range."""

    session: Session

    def waits(self, room: Room) -> bool:
        """Whether they wait in this room."""
        sought = self.session.sought
        return not self.session.gone and sought is not None and sought[1] is room

    def goes(self, room: Room) -> None:
        """The player is about to leave a room for another. The client doesn't see them stand up."""
        self.session.unfollow(room.id)

    def comes(self, room: Room) -> None:
        """The player waits, or plays, in this room from now on."""
        session = self.session
        assert session.sought is not None and room.state is not None  # they wait
        session.sought = session.sought[0], room
        seat = room.state.seat_of(session.player_id)
        if seat is not None:
            session.send(Encoded(wire.Paired(room.id, room.state.seat_name(seat))))
        session.enter(room)


def wait(session: Session, seek: Seek, room: Room) -> None:
    """The player waits for opponents in this room."""
    session.sought = seek.name, room
    session.services.widening.widen(seek, room, Seeking(session))


def wait_on(session: Session, room: Room) -> None:
    """If the player waits for opponents in this room, since an earlier connection, let them wait on this one."""
    state, services = room.state, session.services
    if session.sought is not None or state is None or not waits(room) or state.seat_of(session.player_id) is None:
        return
    seek = Seek(
        session.greeted,
        session.origin,
        state.variant,
        None if state.clocks is None else state.clocks.control,
        partial(services.room_limits.claim, session.address),
        lambda: session.peer.gone,
        rated=state.terms.rated,
        pool=state.terms.pool,
        fill=state.terms.fill,
    )
    session.sought = "", room  # only the store knows the range
    services.widening.widen_on(seek, room, Seeking(session))
