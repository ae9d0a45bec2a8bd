"""Faults that only a world can cause, beside those of `tests.faults.blows`."""

import asyncio
import math
import random
import time
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack, suppress
from typing import Any, Final

from fourfold.clients.errors import RequestError
from fourfold.protocol import from_client as ask
from tests.faults import plan
from tests.faults.blows import BLOWS, LATE, SOON, Stage
from tests.faults.cluster import Node
from tests.faults.game import ABSENCE
from tests.faults.guests import Guest
from tests.faults.history import Fork
from tests.faults.plan import OUTAGE, Blow
from tests.world.cluster import Store
from tests.world.loop import WorldLoop

GOES_BACK: Final = "put the store back at a hand-over, unnoticed"
ABSENT: Final = "keep everybody from the store while players go"
CLOCK: Final = "set the store's clock forward"
CLOCK_BACK: Final = "set the store's clock back"

WEIGHTS: Final = {GOES_BACK: 3, ABSENT: 3, CLOCK: 3, CLOCK_BACK: 3}
"""The kinds of faults, with their weights."""

TAKES_OVER: Final = "let the replica take over"

REPLICA_WEIGHTS: Final = {TAKES_OVER: 6, "freeze the replica": 3, "kill the replica": 2}
"""The kinds of faults of a replica that must have what nodes acknowledge, with their weights."""

FORKS: Final = {GOES_BACK, "put the store back", "let a lagging replica take over"}
"""The faults in which the store loses writes."""

AGAIN: Final = 0.001
"""Seconds between looks at the store for a game that is handed over."""

HANDED: Final = 0.012
"""Seconds after its beginning at which a hand-over is met at most."""

ARRIVED: Final = 0.03
"""Seconds after which what was on its way has arrived."""

AWAY: Final = 5 * ABSENCE / 1000 - 1.5
"""Seconds for which a player has been away when an outage begins, in a game without a clock: it is no absence yet."""

PROPOSALS: Final = 4
"""How many proposals of each of the others are under way at a time."""

BEHIND: Final = 0.4
"""The chance that a replica that takes over lacks the last writes: they were not acknowledged."""

APART: Final = 1.0
"""Seconds after its beginning at which another one goes."""


def _store(stage: Stage) -> Store:
    store = stage.cluster.store
    assert isinstance(store, Store)
    return store


async def _go_back(stage: Stage, blow: Blow, node: Node) -> None:
    """While a game is handed over to the archive, the store goes back to before. Connections to it stay open, as those
    to a proxy that fails over."""
    store = _store(stage)
    await asyncio.wait(stage.opening)
    async with AsyncExitStack() as locks:
        links = [one.link for one in stage.cluster.nodes]
        for what in [store, *links, stage.cluster.archive]:
            await locks.enter_async_context(stage.alone(what))
        until = asyncio.get_running_loop().time() + SOON
        shelf = store.shelve()
        while not (leaving := store.leaving()) and asyncio.get_running_loop().time() < until:
            shelf = store.shelve()
            await asyncio.sleep(AGAIN)  # paces the looks
        if stage.fork is not None or not leaving or not store.runs:
            return
        await asyncio.sleep(blow.detail * HANDED)
        for link in links:
            link.hold("to", "from")
        await asyncio.sleep(ARRIVED)
        logs, outages = await stage.logs(), await store.outages()
        store.swap(shelf)
        stage.fork = Fork(time.time() * 1000, math.inf, logs, outages)
        for link in links:
            link.heal()
        await asyncio.sleep(LATE)


async def _leave_before_outage(stage: Stage, blow: Blow, node: Node) -> None:
    """Two players of one game go, one before and one after the beginning of an outage. That is no absence yet, however
    often the others propose to remove the first."""
    store, loop = stage.cluster.store, asyncio.get_running_loop()
    async with stage.alone(node), stage.alone(store):
        guests = [Guest(stage.world, "forsaken", door=lambda _: node.address) for _ in range(4)]
        for guest in guests:
            await guest.reach()
        proposing: list[asyncio.Task[None]] = []
        try:
            room, seats = await _sit(guests)
            first, second, *rest = random.Random(blow.detail).sample(guests, 4)
            first.vanish()
            await asyncio.sleep(AWAY)
            await store.kill()
            loop.call_later(APART, second.vanish)
            proposing = [asyncio.create_task(_propose(guest, room, seats[first])) for guest in rest * PROPOSALS]
            await asyncio.sleep(blow.seconds)
            await store.start()
            await asyncio.sleep(APART)
        except RequestError:
            pass  # other faults keep them from it
        finally:
            for task in proposing:
                task.cancel()
            await asyncio.gather(*proposing, return_exceptions=True)
            await asyncio.gather(*(guest.go() for guest in guests))


async def _sit(guests: list[Guest]) -> tuple[str, dict[Guest, str]]:
    """Four guests begin a game; returns the room and their seats. Raises `RequestError`."""
    key = guests[0].connection.new_key()
    create = ask.Create(variant="survivor", visibility="private", key=key)  # with a clock, outages are always known
    room = await guests[0].open(create)
    seats = {}
    for guest in guests:
        seats[guest] = await guest.connection.join(room)
        guest.start(room)
    return room, seats


async def _propose(guest: Guest, room: str, seat: str) -> None:
    """Propose, again and again, to go on without a player."""
    while True:
        with suppress(RequestError):
            seq = 0 if guest.table is None else guest.table.seq
            await guest.connection.propose(room, "remove", seq, seat=seat)
        await asyncio.sleep(guest.chance.uniform(0.02, 0.2))  # paces the attempts


async def _set_clock(stage: Stage, blow: Blow, node: Node) -> None:
    """The store's clock is set forward. What measures durations goes on as before."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, WorldLoop)
    loop.set_date(blow.seconds / 2)


async def _set_clock_back(stage: Stage, blow: Blow, node: Node) -> None:
    """The store's clock is set back, and later right again."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, WorldLoop)
    back = blow.seconds / 2
    loop.store_behind += back
    await asyncio.sleep(blow.seconds)
    loop.store_behind -= back


async def _promote(stage: Stage, blow: Blow, node: Node) -> None:
    """The store dies, and its replica takes over. It may lack the last writes: then it was frozen before."""
    store = _store(stage)
    async with stage.alone(store):
        if store.replica is not None and blow.detail < BEHIND:
            store.replica.frozen = True
            await asyncio.sleep(blow.seconds)
        stage.remembered += await store.outages()  # nobody waits for the replica to have them
        await store.promote()


async def _freeze_replica(stage: Stage, blow: Blow, node: Node) -> None:
    store = _store(stage)
    async with stage.alone(store):
        replica = store.replica
        if replica is not None:
            replica.frozen = True
            await asyncio.sleep(blow.seconds)
            replica.frozen = False


async def _kill_replica(stage: Stage, blow: Blow, node: Node) -> None:
    store = _store(stage)
    async with stage.alone(store):
        store.lose_replica()
        await asyncio.sleep(blow.seconds)


OWN: Final[dict[str, Callable[[Stage, Blow, Node], Coroutine[Any, Any, None]]]] = {
    GOES_BACK: _go_back, ABSENT: _leave_before_outage, CLOCK: _set_clock, CLOCK_BACK: _set_clock_back,
    TAKES_OVER: _promote, "freeze the replica": _freeze_replica, "kill the replica": _kill_replica,
}  # fmt: skip
"""The implementation of each kind of blow."""


def lasts(what: str, seconds: float) -> float:
    """How long a blow of this kind lasts that would last `seconds` if it were another. An outage is long enough to be
    one, and too short for nodes to send their players away. A clock that is set by two seconds would make an outage."""
    return OUTAGE + min(seconds, 1) / 2 if what == ABSENT else min(seconds, 1.4)


BLOWS.update(OWN)
plan.STRETCHES.update({GOES_BACK, CLOCK_BACK, *REPLICA_WEIGHTS})
plan.SET_BACK.add(CLOCK_BACK)
plan.SET_FORWARD.add(CLOCK)
plan.SEVERED.update({GOES_BACK, ABSENT, *REPLICA_WEIGHTS})


def loses(stage: Stage) -> bool:
    """Whether the store loses what it had written, in this schedule. Nodes wait for a replica only before they
    acknowledge a decision: when it takes over, it may lack what others have written, such as seeks."""
    return any(blow.what in FORKS | {TAKES_OVER} for blow in stage.plan.blows)
