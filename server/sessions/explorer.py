"""Requests about positions: what was played there in archived games."""

from fourfold.engine.errors import IllegalMove, InvalidNotation, InvalidSetup
from fourfold.engine.match.events import Rejection, refused
from fourfold.engine.match.state import start_position
from fourfold.engine.position import Position
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as wire
from fourfold.server.archive.facts import Played
from fourfold.server.archive.paths import key
from fourfold.server.rooms.past import AT_ONCE, position_at
from fourfold.server.sessions.session import Session


async def explore(session: Session, request: ask.Explore) -> None:
    """List what was played from a position."""
    position = await (_position if request.room is None else _of_room)(session, request)
    if isinstance(position, Rejection):
        session.refuse(position, request)
        return
    seats = len(position.seats)
    over = position.outcome is not None
    found = [] if over else await session.services.archive.explore(key(position), seats)
    moves = [move for played in found if (move := _move(position, played)) is not None]
    games = sum(move.games for move in moves)
    session.reply(wire.Explored(position.variant, position.fen(), games, moves), request.id)


async def _position(session: Session, request: ask.Explore) -> Position | Rejection:
    """The position that a request is about; the moves are made a few at a time, so that nobody waits for many."""
    try:
        async with session.services.long_work:
            position = start_position(request.variant, request.position, 0)
        for first in range(0, len(request.moves), AT_ONCE):
            async with session.services.long_work:
                for text in request.moves[first : first + AT_ONCE]:
                    if position.outcome is not None:
                        return refused("game_over", f"The game is over before the move {text}.")
                    position = position.play(position.find(text))
    except InvalidNotation as error:
        return Rejection("unreadable", error.code, error.message)
    except InvalidSetup as error:
        return refused("invalid_setup", " ".join(fault.message for fault in error.faults))
    except IllegalMove as error:
        return Rejection("illegal", error.code, error.message)
    return position


async def _of_room(session: Session, request: ask.Explore) -> Position:
    """The position of a room's game after some of its moves."""
    state = (await session.room(request)).shown_to(session.player_id)
    return await position_at(state, request.ply, session.services.long_work)


def _move(position: Position, played: Played) -> wire.PlayedMove | None:
    """A move as a message; None if it can't be made here, as when two positions had the same key."""
    try:
        move = position.find(played.move)
    except (InvalidNotation, IllegalMove):
        return None
    scored = position.points is not None
    seats = [
        wire.SeatResults(
            name, won, round(places / played.games, 3), round(points / played.games, 3) if scored else None
        )
        for name, won, places, points in zip(position.seats, played.won, played.places, played.points, strict=True)
    ]
    return wire.PlayedMove(played.move, position.san(move), played.games, played.drawn, seats)
