"""The blows of a plan, dealt to real processes and links; each mends what it broke."""

import asyncio
import random
import signal
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from tests.faults.cluster import Cluster, Node
from tests.faults.guests import Guest, World
from tests.faults.plan import Blow, Plan


@dataclass
class Stage:
    """Where a schedule is played."""

    cluster: Cluster
    world: World
    plan: Plan
    locks: dict[Any, asyncio.Lock] = field(default_factory=dict)

    def alone(self, what: Any) -> asyncio.Lock:
        """One fault of a process at a time."""
        return self.locks.setdefault(what, asyncio.Lock())

    def guests(self, blow: Blow) -> list[Guest]:
        """Those whom a blow to guests meets: one, or each of them with the same chance."""
        guests = self.world.guests
        chance = random.Random(blow.detail)
        if not guests or blow.detail < 0.5:
            return guests[:1] and [chance.choice(guests)]
        return [guest for guest in guests if chance.random() < blow.detail]


async def _kill(stage: Stage, blow: Blow, node: Node) -> None:
    async with stage.alone(node):
        await node.kill()
        await asyncio.sleep(blow.seconds)
        await node.start()


async def _freeze(stage: Stage, blow: Blow, node: Node) -> None:
    async with stage.alone(node):
        node.signal(signal.SIGSTOP)
        await asyncio.sleep(blow.seconds)
        node.signal(signal.SIGCONT)


async def _drain(stage: Stage, blow: Blow, node: Node) -> None:
    async with stage.alone(node):
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


async def _kill_both(stage: Stage, blow: Blow, node: Node) -> None:
    await asyncio.gather(_kill_store(stage, blow, node), _kill(stage, blow, node))


async def _kill_all(stage: Stage, blow: Blow, node: Node) -> None:
    await asyncio.gather(*(_kill(stage, blow, node) for node in stage.cluster.nodes))


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
            guest.link.heal()

    return strike


BLOWS: dict[str, Callable[[Stage, Blow, Node], Coroutine[Any, Any, None]]] = {
    "kill a node": _kill,
    "freeze a node": _freeze,
    "drain a node": _drain,
    "kill the store": _kill_store,
    "freeze the store": _freeze_store,
    "kill a node and the store": _kill_both,
    "kill every node": _kill_all,
    "cut a node from the store": _on_link(lambda link, _: link.cut()),
    "break a node from the store": _on_link(lambda link, _: link.break_off()),
    "hold a node from the store": _on_link(lambda link, _: link.hold("to", "from")),
    "hold the store's answers": _on_link(lambda link, _: link.hold("from")),
    "hold a node's commands": _on_link(lambda link, _: link.hold("to")),
    "lose the store's answers": _on_link(lambda link, _: link.rob("from")),
    "slow a node's link": _on_link(lambda link, blow: link.slow(0.002 + blow.detail * 0.1)),
    "break guests' lines": _on_guests(lambda link, _: link.break_off()),
    "cut guests off": _on_guests(lambda link, _: link.cut()),
    "hold guests' lines": _on_guests(lambda link, _: link.hold("to", "from")),
    "lose answers to guests": _on_guests(lambda link, _: link.rob("from")),
    "lose what guests say": _on_guests(lambda link, _: link.rob("to")),
    "slow guests' lines": _on_guests(lambda link, blow: link.slow(0.002 + blow.detail * 0.1)),
}
"""How each blow of a plan is dealt."""
