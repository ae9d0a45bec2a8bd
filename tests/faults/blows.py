"""The faults of a plan, caused in real processes and links. Each repairs its damage, unless it is permanent."""

import asyncio
import math
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, get_args

from redis.exceptions import RedisError

from fourfold.server.archive.database import PATIENCE
from tests.faults.archive import ServedArchive
from tests.faults.cluster import Cluster, Node
from tests.faults.guests import Guest, World
from tests.faults.history import Entry, Fork
from tests.faults.link import Link
from tests.faults.orphans import Orphan, Spoil, leave
from tests.faults.plan import CUT_OFF, OUTAGE, Blow, Plan
from tests.faults.players import Player
from tests.faults.process import until
from tests.faults.store import Spoiled, Store

LOSS = 1.0
"""Seconds after which a store goes back at the latest, even if it then loses little."""

ANSWER = 2.0
"""Seconds that a node may take to report whether it is ready."""

LOCKED = 6.0
"""Seconds for which a long lock of the archive lasts."""

SOON = 3.0
"""Seconds within which a game may be handed over."""

LATE = 1.0
"""Seconds by which some guests come back later than others."""


@dataclass
class Stage:
    """The stage of a schedule.

    `orphans` are games that everybody has left. `spoiled` are games that can't be read, by room, with the first such
    version. `wrong` are observed faults. `dealt` counts the blows by kind. `before` are the rooms that existed before,
    and `opening` the tasks that open others. `fork` is when the store went back. `remembered` are outages that the
    store may have lost besides.
    """

    cluster: Cluster
    world: World
    plan: Plan
    locks: dict[Any, asyncio.Lock] = field(default_factory=dict)
    orphans: list[Orphan] = field(default_factory=list)
    spoiled: dict[str, int] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    dealt: Counter[str] = field(default_factory=Counter)
    before: set[str] = field(default_factory=set)
    opening: list[asyncio.Task[Any]] = field(default_factory=list)
    fork: Fork | None = None
    remembered: list[tuple[int, int]] = field(default_factory=list)

    async def logs(self) -> dict[str, list[Entry]]:
        """The logs of this schedule's rooms, as far as they can be read."""
        store = self.cluster.store
        rooms = sorted(await store.rooms() - self.before)
        return {room: await store.log(room, self.spoiled.get(room)) for room in rooms}

    async def look_for_spoiled(self) -> None:
        """Drop spoiled games that are whole again: a store that went back may have lost the bad entry."""
        store = self.cluster.store
        self.spoiled = {room: seq for room, seq in self.spoiled.items() if await store.is_spoiled(room, seq)}

    def alone(self, what: Any) -> asyncio.Lock:
        """One process fault at a time."""
        return self.locks.setdefault(what, asyncio.Lock())

    def guests(self, blow: Blow) -> list[Guest]:
        """The guests that a blow to guests hits: one, or each of them with the same chance."""
        guests = self.world.guests
        chance = random.Random(blow.detail)
        if not guests or blow.detail < 0.5:
            return guests[:1] and [chance.choice(guests)]
        return [guest for guest in guests if chance.random() < blow.detail]


WHOLE = 0.3
"""The chance that a blow to a server with workers hits its supervisor, not a worker."""


async def _kill(stage: Stage, blow: Blow, node: Node) -> None:
    async with stage.alone(node):
        if blow.detail >= WHOLE and node.strike(blow.node, signal.SIGKILL):
            await asyncio.sleep(blow.seconds)
            return  # the supervisor restarts it
        await (node.kill() if node.workers == 1 or blow.detail < WHOLE / 3 else node.behead())
        await asyncio.sleep(blow.seconds)
        await node.start()


async def _freeze(stage: Stage, blow: Blow, node: Node) -> None:
    async with stage.alone(node):
        worker = node.worker(blow.node) if blow.detail >= WHOLE else None
        (node.signal if worker is None else partial(_send, worker))(signal.SIGSTOP)
        await asyncio.sleep(blow.seconds)
        (node.signal if worker is None else partial(_send, worker))(signal.SIGCONT)


def _send(pid: int, what: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, what)


async def _drain(stage: Stage, blow: Blow, node: Node) -> None:
    async with stage.alone(node):
        if node.workers > 1 and blow.detail >= 2 * WHOLE:
            await node.reload()
        elif not (blow.detail >= WHOLE and node.strike(blow.node, signal.SIGTERM)):
            await node.drain(at_once=blow.detail < 0.3)
            await node.start()


async def _kill_store(stage: Stage, blow: Blow, node: Node) -> None:
    store = stage.cluster.store
    async with stage.alone(store):
        await store.kill()
        await asyncio.sleep(blow.seconds * (blow.detail < 0.6))
        await store.start()


async def _freeze_store(stage: Stage, blow: Blow, node: Node) -> None:
    store = stage.cluster.store
    async with stage.alone(store):
        store.signal(signal.SIGSTOP)
        await asyncio.sleep(blow.seconds)
        store.signal(signal.SIGCONT)


async def _starve_store(stage: Stage, blow: Blow, node: Node) -> None:
    store = stage.cluster.store
    async with stage.alone(store):
        await store.starve()
        await _refuses(stage, blow)
        await store.feed()


async def _fill_disk(stage: Stage, blow: Blow, node: Node) -> None:
    store = stage.cluster.store
    async with stage.alone(store):
        await store.fill(int(blow.detail * 3000), blow.seconds)


async def _seal_store(stage: Stage, blow: Blow, node: Node) -> None:
    store = stage.cluster.store
    async with stage.alone(store):
        await store.seal(as_replica=blow.detail < 0.5)
        await _refuses(stage, blow)
        await store.unseal()


async def _refuses(stage: Stage, blow: Blow) -> None:
    """While the store takes no writes, no node reports ready, unless another fault hits it."""
    await asyncio.sleep(blow.seconds)
    for node in stage.cluster.nodes:
        with suppress(OSError, ValueError, TimeoutError):
            if not stage.alone(node).locked() and await asyncio.wait_for(node.is_ready(), ANSWER):
                stage.wrong.append(f"{node.url} reports ready while the store takes no writes")


async def _keep_out(stage: Stage, blow: Blow, node: Node) -> None:
    """One node is cut off from the store, perhaps in one direction only. The fault lasts so long that the node must
    send its players away."""
    ways: list[Callable[[], None]] = [
        node.link.cut,
        lambda: node.link.hold("to"),
        lambda: node.link.hold("from"),
        lambda: node.link.rob("to"),
        lambda: node.link.rob("from"),
    ]
    async with stage.alone(node), stage.alone(node.link):
        ways[int(blow.detail * len(ways))]()
        await asyncio.sleep(CUT_OFF)
        for guest in stage.world.guests:
            there = guest.connection.connected and guest.address == node.address
            if there and not (guest.link.holds("from") or guest.link.robs("from")):
                stage.wrong.append(f"{guest.who} is still at {node.url}, which was cut off for {CUT_OFF} s")
        node.link.heal()


async def _outage(stage: Stage, blow: Blow, node: Node) -> None:
    """Nobody reaches the store. The outage is so long that clocks must get the time back."""
    how = _freeze_store if not blow.refuses else _kill_store if blow.detail < 0.6 else None
    longer = replace(blow, seconds=OUTAGE + blow.seconds)
    if how is not None:
        await how(stage, longer, node)
        return
    async with AsyncExitStack() as locks:
        links = [one.link for one in stage.cluster.nodes]
        for link in links:
            await locks.enter_async_context(stage.alone(link))
        for link in links:
            link.cut()
        await asyncio.sleep(longer.seconds)
        for link in links:
            link.heal()


async def _put_back(stage: Stage, blow: Blow, node: Node) -> None:
    """The store returns to its state of some commands ago."""

    async def shelve(store: Store) -> Callable[[], Awaitable[None]]:
        shelf = store.shelve()
        return lambda: store.go_back(shelf)

    await _lose(stage, blow, shelve)


async def _take_over(stage: Stage, blow: Blow, node: Node) -> None:
    """The store dies, and a lagging replica of it takes over."""

    async def follow(store: Store) -> Callable[[], Awaitable[None]]:
        replica = await store.replicate()
        return lambda: store.give_way(replica)

    await _lose(stage, blow, follow)


async def _lose(stage: Stage, blow: Blow, prepare: Callable[[Store], Awaitable[Callable[[], Awaitable[None]]]]) -> None:
    """The store loses the writes between the preparation of this blow and its execution."""
    store, recorder = stage.cluster.store, stage.world.recorder
    await asyncio.wait(stage.opening)
    async with AsyncExitStack() as locks:
        for what in [store, *(one.link for one in stage.cluster.nodes), stage.cluster.archive]:
            await locks.enter_async_context(stage.alone(what))
        if stage.fork is not None:
            return  # once is enough for a schedule
        change = await prepare(store)
        with suppress(TimeoutError):
            async with asyncio.timeout(LOSS):
                await recorder.reach(recorder.acknowledged + 1 + int(blow.detail * 30))
        for one in stage.cluster.nodes:
            one.link.cut()
        late = stage.guests(blow)
        for guest in late:
            guest.link.cut()
        logs = await stage.logs()
        outages = await store.outages()
        await change()
        await asyncio.sleep(blow.seconds)
        stage.fork = Fork(time.time() * 1000, math.inf, logs, outages)
        for one in stage.cluster.nodes:
            one.link.heal()
        await asyncio.sleep(LATE)
        for guest in late:
            guest.heal()


async def _vanish(stage: Stage, blow: Blow, node: Node) -> None:
    """A node dies, and one of its players stays away until all know who is here.

    Only a seated player: others wait at the table for players who are still to sit down.
    """
    guests = stage.world.guests
    here = [one for one in guests if isinstance(one, Player) and one.room and one.address == node.address]
    async with stage.alone(node):
        node.signal(signal.SIGKILL)  # first, so that it does not see the player go
        if here and node.address is not None:
            random.Random(blow.detail).choice(here).vanish()
        await node.kill()
        await asyncio.sleep(blow.seconds)
        await node.start()


async def _orphan(stage: Stage, blow: Blow, node: Node) -> None:
    """A node dies, and nobody comes back to one of its games."""
    async with stage.alone(node):
        await _leave(stage, node, voting=blow.detail < 0.1)
        await asyncio.sleep(blow.seconds)
        await node.start()


async def _spoil(stage: Stage, blow: Blow, node: Node) -> None:
    """A game is spoiled in the store, and its node dies; nobody comes back to it, nor to another game there."""
    how = random.Random(blow.detail).choice(get_args(Spoiled))
    async with stage.alone(node), stage.alone(stage.cluster.store):
        await _leave(stage, node, voting=False, spoil=Spoil(how, stage.spoiled))
        await asyncio.sleep(blow.seconds)
        await node.start()


async def _leave(stage: Stage, node: Node, **how: Any) -> None:
    orphan, wrong = await leave(stage.world, stage.cluster.store, node, **how)
    if orphan is not None:
        stage.orphans.append(orphan)
    if wrong:
        stage.wrong.append(wrong)


async def _kill_both(stage: Stage, blow: Blow, node: Node) -> None:
    await asyncio.gather(_kill_store(stage, blow, node), _kill(stage, blow, node))


async def _kill_all(stage: Stage, blow: Blow, node: Node) -> None:
    """Every node dies. When they are back, some guests come later than others."""
    late = stage.guests(blow)
    for guest in late:
        guest.link.cut()
    await asyncio.gather(*(_kill(stage, blow, node) for node in stage.cluster.nodes))
    await asyncio.sleep(LATE)
    for guest in late:
        guest.heal()


async def _lock_archive(stage: Stage, blow: Blow, node: Node) -> None:
    """Nobody can write to the archive, perhaps for longer than a node waits for it."""
    archive = stage.cluster.archive
    async with stage.alone(archive), archive.locked():
        await asyncio.sleep(blow.seconds if blow.detail < 0.7 else LOCKED)


async def _kill_archive(stage: Stage, blow: Blow, node: Node) -> None:
    archive = _served(stage)
    async with stage.alone(archive):
        await archive.kill()
        await asyncio.sleep(blow.seconds)
        await archive.revive()


def _served(stage: Stage) -> ServedArchive:
    archive = stage.cluster.archive
    assert isinstance(archive, ServedArchive)  # otherwise no plan has such a blow
    return archive


def _on_archive(do: Callable[[Link], None]) -> Callable[[Stage, Blow, Node], Coroutine[Any, Any, None]]:
    """A fault of the link to the archive, perhaps for longer than a node waits for an answer."""

    async def strike(stage: Stage, blow: Blow, node: Node) -> None:
        archive = _served(stage)
        async with stage.alone(archive):
            do(archive.link)
            await asyncio.sleep(blow.seconds if blow.detail < 0.8 else PATIENCE + blow.seconds)
            archive.link.heal()

    return strike


def _at_hand_over(
    do: Callable[[Stage, Blow, Node], Coroutine[Any, Any, None]],
) -> Callable[[Stage, Blow, Node], Coroutine[Any, Any, None]]:
    """During the hand-over of a game to the archive, if there is one soon."""

    async def strike(stage: Stage, blow: Blow, node: Node) -> None:
        async def handed_over() -> bool:
            store = stage.cluster.store
            with suppress(RedisError, OSError):
                return await store.hands_over(stage.before)
            return False

        with suppress(TimeoutError):
            await until(handed_over, SOON, pause=0.002)
        await asyncio.sleep(blow.detail * 0.05)
        await do(stage, blow, node)

    return strike


def _on_link(do: Callable[[Any, Blow], None]) -> Callable[[Stage, Blow, Node], Coroutine[Any, Any, None]]:
    async def strike(stage: Stage, blow: Blow, node: Node) -> None:
        async with stage.alone(node.link):
            do(node.link, blow)
            await asyncio.sleep(blow.seconds)
            node.link.heal()

    return strike


def _on_guests(do: Callable[[Any, Blow], None]) -> Callable[[Stage, Blow, Node], Coroutine[Any, Any, None]]:
    async def strike(stage: Stage, blow: Blow, node: Node) -> None:
        guests = stage.guests(blow)
        for guest in guests:
            do(guest.link, blow)
        await asyncio.sleep(blow.seconds)
        for guest in guests:
            guest.heal()

    return strike


BLOWS: dict[str, Callable[[Stage, Blow, Node], Coroutine[Any, Any, None]]] = {
    "kill a node": _kill,
    "freeze a node": _freeze,
    "drain a node": _drain,
    "kill the store": _kill_store,
    "freeze the store": _freeze_store,
    "put the store back": _put_back,
    "let a lagging replica take over": _take_over,
    "run the store out of memory": _starve_store,
    "fill the store's disk": _fill_disk,
    "turn the store read-only": _seal_store,
    "keep everybody from the store": _outage,
    "kill a node and the store": _kill_both,
    "kill every node": _kill_all,
    "lock the archive": _lock_archive,
    "kill a node at a hand-over": _at_hand_over(_kill),
    "kill every node at a hand-over": _at_hand_over(_kill_all),
    "kill the store at a hand-over": _at_hand_over(_kill_store),
    "kill the archive": _kill_archive,
    "kill the archive at a hand-over": _at_hand_over(_kill_archive),
    "cut the archive off": _on_archive(lambda link: link.cut()),
    "cut the archive off at a hand-over": _at_hand_over(_on_archive(lambda link: link.cut())),
    "hold the archive's answers": _on_archive(lambda link: link.hold("from")),
    "lose the archive's answers": _at_hand_over(_on_archive(lambda link: link.rob("from"))),
    "lose data to the archive": _at_hand_over(_on_archive(lambda link: link.rob("to"))),
    "cut a node from the store": _on_link(lambda link, _: link.cut()),
    "keep a node from the store": _keep_out,
    "break a node from the store": _on_link(lambda link, _: link.break_off()),
    "hold a node from the store": _on_link(lambda link, _: link.hold("to", "from")),
    "hold the store's answers": _on_link(lambda link, _: link.hold("from")),
    "hold a node's commands": _on_link(lambda link, _: link.hold("to")),
    "lose a node's commands": _on_link(lambda link, _: link.rob("to")),
    "lose the store's answers": _on_link(lambda link, _: link.rob("from")),
    "slow a node's link": _on_link(lambda link, blow: link.slow(0.002 + blow.detail * 0.1)),
    "take a player along with a node": _vanish,
    "leave a game to a dead node": _orphan,
    "spoil a game": _spoil,
    "break guests' lines": _on_guests(lambda link, _: link.break_off()),
    "cut guests off": _on_guests(lambda link, _: link.cut()),
    "hold guests' lines": _on_guests(lambda link, _: link.hold("to", "from")),
    "lose answers to guests": _on_guests(lambda link, _: link.rob("from")),
    "lose messages of guests": _on_guests(lambda link, _: link.rob("to")),
    "slow guests' lines": _on_guests(lambda link, blow: link.slow(0.002 + blow.detail * 0.1)),
}
"""The implementation of each kind of blow in a plan."""
