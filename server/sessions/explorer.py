"""Requests about positions: the moves played there in archived games."""

from fourfold.engine.errors import IllegalMove, InvalidNotation
from fourfold.engine.position import Position
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as wire
from fourfold.server.archive.facts import Played
from fourfold.server.archive.paths import key
from fourfold.server.sessions.positions import asked
from fourfold.server.sessions.session import Session


async def explore(session: Session, request: ask.Explore) -> None:
    """List the moves played from a position."""
    position = await asked(session, request)
    seats = len(position.seats)
    over = position.outcome is not None
    found = [] if over else await session.services.archive.ask(lambda database: database.explore(key(position), seats))
    moves = [move for played in found if (move := _move(position, played)) is not None]
    games = sum(move.games for move in moves)
    session.reply(wire.Explored(position.variant, position.fen(), games, moves), request.id)


def _move(position: Position, played: Played) -> wire.PlayedMove | None:
    """A move as a message. None if it is illegal here: two positions may share a key."""
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
