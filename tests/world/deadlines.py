"""Once all faults are mended: flags fall in time, and votes and pauses end in time."""

import asyncio
import random
from typing import Final

from fourfold.protocol import events
from fourfold.protocol import from_client as ask
from fourfold.protocol.from_server import Update
from tests.faults.blows import Stage
from tests.faults.guests import World
from tests.world.passers import Passer

OFTEN: Final = 0.1
"""The chance that a world has such a game."""

KINDS: Final = "flag", "vote", "pause"
"""What ends in time."""

BASE: Final = 4.0
"""Seconds on a clock whose flag falls."""

LEFT: Final = 0.5
"""Seconds that one of the players leaves on it. Then the other moves later than the flag would have fallen."""

LATE: Final = 250
"""Milliseconds after a deadline in which the server must have decided. A flag falls 100 after it, for moves that were
sent before."""

UNTIL: Final = 60.0
"""Seconds in which everything has ended."""


class Timed(Passer):
    """Knows when each kind of event came last, in milliseconds since 1970."""

    def __init__(self, world: World, kind: str) -> None:
        super().__init__(world, kind)
        self.times: dict[type[events.Event], int] = {}

    def saw(self, update: Update) -> None:
        """See `Guest`."""
        self.times |= {type(event): update.time for event in update.events}

    async def move(self) -> None:
        """Wait for the turn, and make any move."""
        while self.turn is None:
            await self.changed(1)
        turn, self.turn = self.turn, None
        await self.connection.move(self.room, turn.legal[0], turn.seq)


async def keep_deadlines(stage: Stage) -> None:
    """Two let a deadline pass, at times."""
    chance = random.Random(f"deadlines {stage.plan.seed}")
    if chance.random() > OFTEN:
        return
    kind = chance.choice(KINDS)
    one, other = pair = Timed(stage.world, "timed"), Timed(stage.world, "timed")
    await asyncio.gather(*(player.reach() for player in pair))
    try:
        clock = ask.Clock(int(1000 * BASE) if kind == "flag" else 600_000)
        room = await one.open(ask.Create(visibility="private", clock=clock, key=one.connection.new_key()))
        for player, seat in zip(pair, ("white", "black"), strict=True):
            await player.connection.join(room, seat)
            player.start(room)
        await asyncio.gather(*(player.begun() for player in pair))
        for player in pair:
            await player.move()
        async with asyncio.timeout(UNTIL):
            end, deadline = await _flag(one, other) if kind == "flag" else await _vote(one, other, kind)
            while end not in one.times:
                await one.changed(1)
        late = one.times[end] - deadline
        if late > LATE:
            stage.wrong.append(f"the {kind} in {room} ends {late} ms late")
        if kind != "flag":
            await one.connection.resign(room)
    except TimeoutError:
        stage.wrong.append(f"the {kind} in {one.room} does not end")
    finally:
        await asyncio.gather(*(player.go() for player in pair))


async def _flag(one: Timed, other: Timed) -> tuple[type[events.Event], int]:
    """Let the second player's flag fall. Returns the event that must come, and when."""
    await one.move()
    await asyncio.sleep(BASE - LEFT)  # this is the thinking
    await other.move()
    await asyncio.sleep(2 * LEFT)  # of virtual time: the deadline that the server knew passes
    await one.move()
    while other.turn is None:
        await other.changed(1)
    assert other.table is not None and other.table.clocks is not None and other.table.clocks.since is not None
    clocks = other.table.clocks
    return events.Flagged, clocks.since + clocks.left["black"]


async def _vote(one: Timed, other: Timed, kind: str) -> tuple[type[events.Event], int]:
    """Propose a draw to which nobody answers, or agree on a pause. Returns the event that must come, and when."""
    while one.table is None or one.turn is None:
        await one.changed(1)
    await one.connection.propose(one.room, "draw" if kind == "vote" else "pause", one.table.seq)
    while other.table is None or other.table.proposal is None:
        await other.changed(1)
    if kind == "vote":
        return events.Closed, other.table.proposal.deadline
    await other.connection.vote(other.room, other.table.proposal.proposal, accept=True)
    while other.table.paused is None:
        await other.changed(1)
    return events.Resumed, other.table.paused
