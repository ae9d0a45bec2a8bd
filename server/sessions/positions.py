"""The position that a request is about: one that is named, or one of a room's game."""

from fourfold.engine.errors import IllegalMove, InvalidNotation, InvalidSetup
from fourfold.engine.match.events import Rejection, refused
from fourfold.engine.match.state import start_position
from fourfold.engine.position import Position
from fourfold.protocol import from_client as ask
from fourfold.server.rooms.past import AT_ONCE, position_at
from fourfold.server.sessions.session import Session


async def asked(session: Session, request: ask.Explore | ask.Analyse) -> Position | Rejection:
    """The position that a request names, after its moves, or why there is none. If a player has ended the game there by
    leaving it, the position before that. Raises what `Session.room` does."""
    if request.room is None:
        return await _named(session, request)
    state = (await session.room(request)).shown_to(session.player_id)
    position = await position_at(state, request.ply, session.services.long_work)
    if position.outcome is not None:
        position = await position_at(state, request.ply, session.services.long_work, left=False)
    return await _after(session, position, request.moves)


async def _named(session: Session, request: ask.Explore | ask.Analyse) -> Position | Rejection:
    try:
        async with session.services.long_work:
            position = start_position(request.variant, request.position, 0)
    except InvalidNotation as error:
        return Rejection("unreadable", error.code, error.message)
    except InvalidSetup as error:
        return refused("invalid_setup", " ".join(fault.message for fault in error.faults))
    return await _after(session, position, request.moves)


async def _after(session: Session, position: Position, moves: list[str]) -> Position | Rejection:
    """The moves are made a few at a time, so that nobody waits for many."""
    try:
        for first in range(0, len(moves), AT_ONCE):
            async with session.services.long_work:
                for text in moves[first : first + AT_ONCE]:
                    if position.outcome is not None:
                        return refused("game_over", f"The game is over before the move {text}.")
                    position = position.play(position.find(text))
    except InvalidNotation as error:
        return Rejection("unreadable", error.code, error.message)
    except IllegalMove as error:
        return Rejection("illegal", error.code, error.message)
    return position
