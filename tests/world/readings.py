"""Once all is quiet, a player asks for the game as text: what comes back is the game that was played."""

import json
import random
from typing import Any, Final

from fourfold.engine.notation.formats import READERS
from fourfold.engine.position import Position
from fourfold.engine.variants import opening
from tests.faults.blows import Stage
from tests.faults.players import Player

OFTEN: Final = 0.15
"""The chance that somebody asks."""


async def read_back(stage: Stage, rooms: list[str]) -> None:
    """One player of each game asks for its text, and for a position of it."""
    chance = random.Random(f"readings {stage.plan.seed}")
    if chance.random() > OFTEN:
        return
    for room in rooms:
        players = [one for one in stage.world.guests if isinstance(one, Player) and one.room == room and not one.gone]
        if players and room not in stage.spoiled:
            stage.wrong += [f"{room} is written wrongly: {text}" for text in await _wrong(chance, players[0])]


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
    return wrong


def _position(start: str, moves: Any) -> Position:
    position = opening("standard", position=start)
    for move in moves:
        position = position.play(position.find(move))
    return position
