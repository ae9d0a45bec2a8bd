"""Requests about puzzles: positions of reviewed games where a player missed a mate or a gain."""

from typing import Final

from fourfold.engine.errors import InvalidSetup
from fourfold.engine.match import Status
from fourfold.engine.position import Position
from fourfold.engine.variants import opening
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as wire
from fourfold.protocol.lines import Puzzle
from fourfold.server.bots.reviews import Review
from fourfold.server.limits.refused import RequestRefused
from fourfold.server.sessions import fair_play
from fourfold.server.sessions.refusals import rejecting
from fourfold.server.sessions.session import Session

MOST: Final = 60
"""Most puzzles in one reply."""


async def list_puzzles(session: Session, request: ask.Puzzles) -> None:
    """List the puzzles of a room's game, or the latest ones of the player's own games."""
    reviews, player = session.services.reviews, session.player_id
    found: list[wire.Posed] = []
    if request.room is not None:
        state = (await session.room(request)).feed.shown_to(player)
        review = await reviews.find(request.room, state.game) if state.status is Status.FINISHED else None
        seat = state.seat_of(player)
        own = None if seat is None else state.position.seats[seat]
        found = [] if review is None else _posed(request.room, state.game, own, review)
    else:
        for room, game, own, review in await reviews.of_player(player):
            found += _posed(room, game, own, review)
    session.reply(wire.Puzzles(found[:MOST]), request.id)


def _posed(room: str, game: int, own: str | None, review: Review) -> list[wire.Posed]:
    return [
        wire.Posed(
            room, game, one.ply, one.seat, one.goal, (len(one.line) + 1) // 2, review.variant, one.seat == own
        )
        for one in review.puzzles
    ]  # fmt: skip


async def solve(session: Session, request: ask.Solve) -> None:
    """Check the moves of a solution, or reveal the solution."""
    await session.room(request)  # without access to the game, the player gets nothing of it
    review = await session.services.reviews.find(request.room, request.game)
    puzzle = None if review is None else next((one for one in review.puzzles if one.ply == request.ply), None)
    if review is None or puzzle is None:
        raise RequestRefused("no_such_puzzle", "There is no such puzzle.")
    with rejecting():
        try:
            async with session.services.long_work:
                position = opening(review.variant, position=puzzle.position)
        except InvalidSetup:
            raise RequestRefused("no_such_puzzle", "This puzzle can't be read.") from None
        await fair_play.require_no_help(session, [position])
        async with session.services.long_work:
            session.reply(_judged(request, puzzle, position), request.id)


def _judged(request: ask.Solve, puzzle: Puzzle, position: Position) -> wire.Solved:
    """How far the moves of a request solve a puzzle. Raises `IllegalMove` and `InvalidNotation`."""
    played: list[str] = []
    texts: list[str] = []

    def play(text: str) -> None:
        nonlocal position
        move = position.find(text)
        after = position.play(move)
        played.append(move.text)
        texts.append(position.san(move, after))
        position = after

    right = True
    for number, text in enumerate(request.moves if not request.show else puzzle.line[::2]):
        at = 2 * number
        if at >= len(puzzle.line):
            break
        move = position.find(text)
        wanted = puzzle.last if at == len(puzzle.line) - 1 else puzzle.line[at : at + 1]
        if move.text not in wanted:
            right = False
            break
        play(move.text)
        if at + 1 < len(puzzle.line):
            play(puzzle.line[at + 1])
    done = len(played) == len(puzzle.line)
    seats = position.seats
    return wire.Solved(
        request.room, request.game, request.ply, position.variant, right, done, played, texts, position.fen(),
        seats[position.turn],
        [] if done else list(position.legal_texts()),
        [seats[seat] for seat in position.checked()],
        [name for seat, name in enumerate(seats) if seat not in position.alive],
    )  # fmt: skip
