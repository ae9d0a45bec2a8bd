"""A pause after the faults of a seed: two players think for minutes about each move, and meanwhile a node dies.

Virtual time in which hardly anything happens costs little processor time, and is most of the time of real games.
"""

import asyncio
import random
from typing import Any, Final

from fourfold.clients.errors import RequestError
from fourfold.protocol import from_client as ask
from tests.faults.guests import World
from tests.faults.history import Recorder
from tests.world.beside import Passer
from tests.world.cluster import Cluster

THOUGHT: Final = 20.0, 300.0
"""The least and the most seconds that a player thinks about a move."""

DEAD: Final = 20.0
"""Seconds for which the node is dead at most: longer than others wait before they take its games over."""

SOON: Final = 30.0
"""Seconds in which a move must be made and seen, even if a node has just died."""


async def think(cluster: Cluster, seed: int, seconds: float) -> list[str]:
    """Let two players play for this long. Returns what is wrong."""
    chance = random.Random(f"pause {seed}")

    def door(chance: random.Random) -> Any:
        awake = [node.address for node in cluster.nodes if node.address is not None]
        return chance.choice(awake) if awake else None

    world = World(chance, Recorder(), door)
    pair = [Passer(world, "thinker") for _ in range(2)]
    dying = asyncio.create_task(_die(cluster, chance, seconds))
    moves = 0
    try:
        await asyncio.gather(*(one.reach() for one in pair))
        room = await pair[0].open(ask.Create(key=pair[0].connection.new_key()))
        for one in pair:
            await one.connection.join(room)
            one.start(room)
        async with asyncio.timeout(seconds):
            while await _move(pair, chance):
                moves += 1
    except TimeoutError:
        pass
    except _Late as late:
        return [f"after {moves} moves of thinkers: {late}"]
    finally:
        await dying
        await asyncio.gather(*(one.go() for one in pair))
    return [] if moves or seconds < THOUGHT[1] + SOON else ["thinkers have made no move"]


class _Late(Exception):
    """A player does not get the turn, or does not see a move."""


async def _move(pair: list[Passer], chance: random.Random) -> bool:
    """Make the next move, and let both see it; False once the game is over."""
    mover = await _turn(pair)
    if mover is None or mover.turn is None:
        return False
    turn = mover.turn
    await asyncio.sleep(chance.uniform(*THOUGHT))  # this is the thinking
    mover.turn = None
    try:
        async with asyncio.timeout(SOON):
            seq = await mover.connection.move(mover.room, chance.choice(turn.legal), turn.seq)
            for one in pair:
                while one.table is None or one.table.seq < seq:
                    await one.changed(1)
    except (TimeoutError, RequestError) as error:
        held = [one.table and one.table.seq for one in pair]
        raise _Late(f"{mover.who} moves at {turn.seq}: {error!r}; they have {held}") from error
    return True


async def _turn(pair: list[Passer]) -> Passer | None:
    """The player who has the turn; None if the game is over."""
    try:
        async with asyncio.timeout(SOON):
            while True:
                for one in pair:
                    if one.table is not None and one.table.status == "finished":
                        return None
                    if one.turn is not None:
                        return one
                await pair[0].changed(0.1)
    except TimeoutError as error:
        raise _Late("nobody gets the turn") from error


async def _die(cluster: Cluster, chance: random.Random, seconds: float) -> None:
    """A node dies in the middle, and is started again."""
    node = chance.choice(cluster.nodes)
    await asyncio.sleep(seconds * chance.uniform(0.1, 0.6))
    await node.kill()
    await asyncio.sleep(min(DEAD * chance.random(), seconds / 4))
    await node.start()
