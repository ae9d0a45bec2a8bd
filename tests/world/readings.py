"""Once all is quiet, players ask for the game as text, and for the list of their games: they get what they played."""

import json
import random
from typing import Any, Final

from fourfold.engine.notation.formats import READERS
from fourfold.engine.position import Position
from fourfold.engine.variants import opening
from fourfold.protocol import from_server as told
from tests.faults.blows import Stage
from tests.faults.players import Player
from tests.faults.process import until

OFTEN: Final = 0.15
"""The chance that somebody asks."""

LISTED: Final = 30.0
"""Seconds after which a game is in its players' lists: what failed is tried again."""


async def read_back(stage: Stage, rooms: list[str]) -> None:
    """One player of each game asks for its text, and for a position of it. All ask for their games."""
    chance = random.Random(f"readings {stage.plan.seed}")
    if chance.random() > OFTEN:
        return
    for room in rooms:
        players = [one for one in stage.world.guests if isinstance(one, Player) and one.room == room and not one.gone]
        if players and room not in stage.spoiled:
            stage.wrong += [f"{room} is written wrongly: {text}" for text in await _wrong(chance, players[0])]
            for player in players:
                if not player.bot:
                    await _find(stage, player)


async def _find(stage: Stage, player: Player) -> None:
    """A player's list of games has the current game, as it is. Earlier ones of the room may be filed when it leaves."""
    found: list[told.Game] = []

    async def right() -> bool:
        table = player.table
        assert table is not None  # all have seen their games
        found[:] = (await player.connection.games(player.connection.player)).games
        shown = [
            (game.status, game.ply, game.position, game.reason, game.winners)
            for game in found if (game.room, game.number) == (player.room, table.game)
        ]  # fmt: skip
        end = (None, []) if table.result is None else (table.result.reason, table.result.winners)
        return shown == [(table.status, len(table.moves), table.fen, *end)]

    try:
        await until(right, LISTED, pause=0.2)
    except TimeoutError:
        stage.wrong.append(f"{player.who} finds these games, which are not {player.table}: {found}")


async def _wrong(chance: random.Random, player: Player) -> list[str]:
    """What is wrong about the texts of a player's game."""
    table, room, export = player.table, player.room, player.connection.export
    assert table is not None  # all have seen their games
    wrong = []
    record: dict[str, Any] = json.loads(await export(room, "json"))
    versions = [update["seq"] for update in record["updates"]]
    if versions != list(range(1, table.seq + 1)) or record["room"]["position"] != table.fen:
        wrong.append(f"the JSON has the versions {versions} and {record['room']['position']}, not {table.fen}")
    format = "pgn" if table.variant == "standard" else "pgn4"
    [game] = READERS[format](await export(room, format))
    if game.plies != len(table.moves):
        wrong.append(f"the {format} has {game.plies} moves, not {len(table.moves)}")
    if table.variant == "standard":  # otherwise departures and walking kings are between the moves
        ply = chance.randint(0, len(table.moves))
        right, got = _position(table.start, table.moves[:ply]).fen(), await export(room, "fen", ply=ply)
        if got != right:
            wrong.append(f"after {ply} moves there is {got}, not {right}")
    return wrong if player.table is table else []  # a flag has fallen meanwhile


def _position(start: str, moves: Any) -> Position:
    position = opening("standard", position=start)
    for move in moves:
        position = position.play(position.find(move))
    return position
