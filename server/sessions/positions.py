"""The position that a request names: directly, or as a position of a room's game."""

from fourfold.engine.decisions import Rejection, refused
from fourfold.engine.errors import IllegalMove, InvalidNotation, InvalidSetup
from fourfold.engine.match.state import start_position
from fourfold.engine.position import Position
from fourfold.protocol import from_client as ask
from fourfold.server.rooms.past import AT_ONCE, position_at
from fourfold.server.sessions.session import Session


async def asked(session: Session, request: ask.Explore | ask.Analyse) -> Position | Rejection:
    """The position that a request names, after its moves; or a rejection. If a player ended the game there by leaving,
    the position before that. Raises the errors of `Session.room`."""
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
    """Applies the moves a few at a time, so that long lists don't delay others."""
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
