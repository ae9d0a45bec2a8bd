"""The position that a request names: directly, or as a position of a room's game."""

from fourfold.engine.match.state import start_position
from fourfold.engine.position import Position
from fourfold.protocol import from_client as ask
from fourfold.server.limits.refused import RequestRefused
from fourfold.server.rooms.past import AT_ONCE, position_at
from fourfold.server.sessions.refusals import rejecting
from fourfold.server.sessions.session import Session


async def asked(session: Session, request: ask.Explore | ask.Analyse) -> Position:
    """The position that a request names, after its moves. If a player ended the game there by leaving, the position
    before that. Raises `RequestRejected` and the errors of `Session.room`."""
    if request.room is None:
        with rejecting():
            async with session.services.long_work:
                start = start_position(request.variant, request.position, 0)
        return await _after(session, start, request.moves)
    state = (await session.room(request)).feed.shown_to(session.player_id)
    position = await position_at(state, request.ply, session.services.long_work)
    if position.outcome is not None:
        position = await position_at(state, request.ply, session.services.long_work, left=False)
    return await _after(session, position, request.moves)


async def _after(session: Session, position: Position, moves: list[str]) -> Position:
    """Applies the moves a few at a time, so that long lists don't delay others."""
    with rejecting():
        for first in range(0, len(moves), AT_ONCE):
            async with session.services.long_work:
                for text in moves[first : first + AT_ONCE]:
                    if position.outcome is not None:
                        raise RequestRefused("game_over", f"The game is over before the move {text}.")
                    position = position.play(position.find(text))
    return position
