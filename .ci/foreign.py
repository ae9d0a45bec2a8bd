"""A program of somebody else's, for .ci/run: it passes mypy --strict on the installed package, without Any."""
# mypy: disallow-any-expr

import asyncio
import sys
from dataclasses import replace

from fourfold.clients.bots.bot import Bot
from fourfold.clients.bots.thinking import in_thread
from fourfold.clients.connection import Connection
from fourfold.engine import VARIANTS, BoardEditor, EngineError, Game, Position, Variant


def first(position: Position, budget: float) -> str:
    return next(move.text for move in position.legal_moves if position.play(move).fen())


def opened(moves: str) -> str:
    game = Game(Position.start())
    for text in moves.split():
        game.play(text)
    assert Game.from_pgn(str(game)).undo().plies == game.plies - 1
    checkers = [piece.kind.noun for piece in game.position.attackers("e1").values()]
    return f"{game.position} {checkers} {game.position.outcome} {game.position.svg()}"


def mine(base: str) -> Variant:
    rules = replace(VARIANTS[base], name="mine", title="Mine", promotion_depth=None)
    position = Position.start(rules)
    try:
        position = position.play("h2h4")
    except EngineError as error:
        print(error.code, error.message)
    board = BoardEditor.of(position)
    print([fault.message for fault in board.faults()], position.seats[position.turn], position.points)
    return position.rules


async def play(url: str, room: str) -> None:
    async with Connection(url, name="First") as connection:
        table = await Bot(connection, room, None, in_thread(first)).play()
        print(None if table is None else (table.moves, table.result, table.position.outcome))


asyncio.run(play(*sys.argv[1:]))
