"""One schedule: games, and what befalls the servers, the store, and the links while they are played; all from a seed.

The seed decides which rooms there are, what everybody tends to do, and which faults come in which order and for
how long. Real processes in real time do the rest, so that a seed repeats the schedule, not the very
interleaving: to meet a rare one again, play the seed many times.
"""

import asyncio
import random
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from protocol import from_client as ask
from protocol.from_server import Room
from tests.faults.checker import Fault, Report, check
from tests.faults.cluster import Cluster, Node
from tests.faults.guests import Guest, Player, Watcher, World
from tests.faults.history import History, Recorder
from tests.faults.link import Address

NODES = 3
"""How many nodes a cluster has; a schedule plays on two or three of them."""

LIMIT = 30.0
"""Seconds in which, once all is well again, every game must go on, every request be answered, and all be told."""

PROGRESS = 0.5
"""Seconds that the next fault waits at most for the commands that are to be acknowledged before it."""

OPENINGS: dict[str, tuple[str | None, ...]] = {
    "standard": (
        None,
        None,
        "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 4 8",
        "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
        "7k/5Q2/8/8/8/8/R7/K7 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w K - 90 60",
    ),
    "survivor": (None, "classic"),
    "ffa": (None, "classic"),
    "teams": (None,),
}
"""Where games begin."""

CLOCKS = (
    None,
    None,
    ask.Clock(60_000, 1_000),
    ask.Clock(20_000, 0, 2_000),
    ask.Clock(1_500, 100),
    ask.Clock(900, 0, 50),
)


@dataclass(frozen=True)
class Game:
    """A room that is to be opened."""

    variant: str
    position: str | None
    clock: ask.Clock | None
    delay: int
    watchers: int
    pace: float


@dataclass(frozen=True)
class Blow:
    """A fault: what, on which node (or guest), for how long, and after how many more acknowledged commands.

    `wait`: whether the next one comes only when this is over.
    """

    what: str
    node: int
    seconds: float
    after: int
    wait: bool
    detail: float


@dataclass(frozen=True)
class Plan:
    """What a seed stands for. `early`: the faults begin before the rooms are opened."""

    seed: int
    nodes: int
    early: bool
    games: list[Game]
    blows: list[Blow]

    @property
    def slack(self) -> float:
        """How far nodes' clocks may be off, in milliseconds: by half of the longest time an answer was under way."""
        held = [blow.seconds for blow in self.blows if blow.what in _STRETCHES]
        return 100 + 500 * max(held, default=0)


def plan(seed: int) -> Plan:
    """The schedule of a seed."""
    chance = random.Random(seed)
    nodes = chance.choice([2, 3, 3])
    games = []
    for _ in range(chance.choice([3, 4, 4, 5])):
        variant = chance.choice(["standard", "standard", "survivor", "ffa", "teams"])
        games.append(
            Game(
                variant, chance.choice(OPENINGS[variant]), chance.choice(CLOCKS), chance.choice([0, 0, 0, 200]),
                chance.choice([0, 1, 2]), chance.choice([0.01, 0.03, 0.06]),
            )
        )  # fmt: skip
    names, weights = list(_BLOWS), [weight for _, weight in _BLOWS.values()]
    blows = []
    for _ in range(chance.choice([2, 3, 4, 5])):
        what = chance.choices(names, weights)[0]
        long = chance.random()
        seconds = chance.uniform(0.02, 0.7)
        if long < 0.06:
            seconds = chance.uniform(2.1, 3.2)  # an outage, if nobody else reaches the store
        elif long < 0.08:
            seconds = chance.uniform(5.2, 6.5)  # longer than a node waits for an answer of the store
        elif long < 0.085:
            seconds = chance.uniform(10.5, 12)  # longer than an append is tried
        blows.append(
            Blow(
                what, chance.randrange(nodes), seconds, chance.choice([0, 5, 20, 60]), chance.random() < 0.6,
                chance.random(),
            )
        )  # fmt: skip
    return Plan(seed, nodes, chance.random() < 0.3, games, blows)


# -- what befalls --------------------------------------------------------------------------------


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


def _on_link(do: Callable[[Any, Blow], None]) -> Callable[[Stage, Blow, Node], Awaitable[None]]:
    async def strike(stage: Stage, blow: Blow, node: Node) -> None:
        async with stage.alone(node.link):
            do(node.link, blow)
            await asyncio.sleep(blow.seconds)
            node.link.heal()

    return strike


def _on_guests(do: Callable[[Any, Blow], None]) -> Callable[[Stage, Blow, Node], Awaitable[None]]:
    async def strike(stage: Stage, blow: Blow, node: Node) -> None:
        guests = stage.guests(blow)
        for guest in guests:
            do(guest.link, blow)
        await asyncio.sleep(blow.seconds)
        for guest in guests:
            guest.link.heal()

    return strike


_BLOWS: dict[str, tuple[Callable[[Stage, Blow, Node], Awaitable[None]], int]] = {
    "kill a node": (_kill, 12),
    "freeze a node": (_freeze, 7),
    "drain a node": (_drain, 6),
    "kill the store": (_kill_store, 8),
    "freeze the store": (_freeze_store, 5),
    "kill a node and the store": (_kill_both, 3),
    "kill every node": (_kill_all, 1),
    "cut a node from the store": (_on_link(lambda link, _: link.cut()), 6),
    "break a node from the store": (_on_link(lambda link, _: link.break_off()), 4),
    "hold a node from the store": (_on_link(lambda link, _: link.hold("to", "from")), 4),
    "hold the store's answers": (_on_link(lambda link, _: link.hold("from")), 5),
    "hold a node's commands": (_on_link(lambda link, _: link.hold("to")), 4),
    "lose the store's answers": (_on_link(lambda link, _: link.rob("from")), 6),
    "slow a node's link": (_on_link(lambda link, blow: link.slow(0.002 + blow.detail * 0.1)), 4),
    "break guests' lines": (_on_guests(lambda link, _: link.break_off()), 4),
    "cut guests off": (_on_guests(lambda link, _: link.cut()), 5),
    "hold guests' lines": (_on_guests(lambda link, _: link.hold("to", "from")), 3),
    "lose answers to guests": (_on_guests(lambda link, _: link.rob("from")), 5),
    "lose what guests say": (_on_guests(lambda link, _: link.rob("to")), 3),
    "slow guests' lines": (_on_guests(lambda link, blow: link.slow(0.002 + blow.detail * 0.1)), 4),
}  # fmt: skip
"""What may befall, and how often."""

_STRETCHES = {name for name in _BLOWS if name.startswith(("freeze", "hold", "slow"))}


# -- playing it ----------------------------------------------------------------------------------


@dataclass
class Played:
    """What came of a schedule."""

    plan: Plan
    history: History
    report: Report
    seconds: float


async def play(cluster: Cluster, plan: Plan) -> Played:
    """Play a schedule on a cluster that is well, leave it well, and judge what happened."""
    begun = time.monotonic()
    nodes = cluster.nodes[: plan.nodes]

    def door(chance: random.Random) -> Address:
        awake = [node.address for node in nodes if node.address is not None]
        return chance.choice(awake) if awake else None

    chance = random.Random(-1 - plan.seed)
    world = World(chance, Recorder(), door)
    stage = Stage(cluster, world, plan)
    before = await cluster.store.rooms()
    stuck: list[str] = []
    rooms: list[str] = []
    ends: dict[str, int] = {}
    try:
        tables = [await _gather(world, game) for game in plan.games]
        opening = [asyncio.create_task(_open(*table)) for table in zip(plan.games, tables, strict=True)]
        if not plan.early:
            await asyncio.wait(opening, timeout=LIMIT)
        await _strike(stage)
        await cluster.mend()
        for guest in world.guests:
            guest.link.heal()
        async with _limit("rooms are opened"):
            rooms = list(await asyncio.gather(*opening))
        async with _limit("all games go on"):
            await _go_on(stage, rooms)
        world.stopped = True
        async with _limit("all is answered"):
            await _answered(world)
        async with _limit("all is told"):
            await _told(stage, rooms)
        async with _limit("all is the same to whoever looks again"):
            await _look_again(stage, rooms)
            ends = await _told(stage, rooms)
    except Late as late:
        stuck.append(f"not within {LIMIT:.0f} s: {late}; {await _whereabouts(stage)}")
    except Exception as error:  # noqa: BLE001 - a client or the harness itself: told with the seed, and with what led to it
        stuck.append(f"{error!r} at {_line_of(error)}; {await _whereabouts(stage)}")
    for guest in world.guests:
        if guest.room:
            guest.report(ends[guest.room] if ends else await cluster.store.length(guest.room))
    await asyncio.gather(*(guest.go() for guest in world.guests))
    await cluster.mend()
    rooms = sorted(await cluster.store.rooms() - before)
    logs = {room: await cluster.store.log(room) for room in rooms}
    history = History(plan.slack, await cluster.store.outages(), logs, world.recorder.records())
    report = check(history)
    report.faults += [Fault("stuck", "", None, text) for text in stuck]
    for node in cluster.nodes:
        if node.deaths:
            report.faults.append(Fault("stuck", "", None, f"a node that was told to stop ended with {node.deaths}"))
        node.deaths.clear()
    return Played(plan, history, report, time.monotonic() - begun)


async def _gather(world: World, game: Game) -> list[Guest]:
    """Connect everybody who will be at a table: the players, then the watchers."""
    seats = 2 if game.variant == "standard" else 4
    guests: list[Guest] = [Player(world, "player", game.pace) for _ in range(seats)]
    guests += [Watcher(world, "watcher") for _ in range(game.watchers)]
    await asyncio.gather(*(guest.come() for guest in guests))
    return guests


async def _open(game: Game, guests: list[Guest]) -> str:
    """Open the room, and let everybody in."""
    host = guests[0].connection
    request = ask.Create(
        variant=game.variant, position=game.position, clock=game.clock, delay=game.delay, key=host.new_key()
    )
    if guests[0].chance.random() < 0.3:
        guests[0].world.run(guests[0].ask_elsewhere(request, 0))
    reply: Any = await host.request(request)
    room: str = reply.room
    for guest in guests:
        if isinstance(guest, Watcher):
            guest.start(room)
    await asyncio.gather(*(guest.sit(room) for guest in guests if isinstance(guest, Player)))
    return room


async def _strike(stage: Stage) -> None:
    """One blow after the other, each after some progress."""
    recorder = stage.world.recorder
    striking = []
    for blow in stage.plan.blows:
        with suppress(TimeoutError):
            async with asyncio.timeout(PROGRESS):
                await recorder.reach(recorder.acknowledged + blow.after)
        strike, _ = _BLOWS[blow.what]
        task = asyncio.create_task(strike(stage, blow, stage.cluster.nodes[blow.node]))
        striking.append(task)
        if blow.wait:
            await asyncio.wait([task])
        else:
            await asyncio.sleep(0.02 + blow.detail / 5)
    await asyncio.gather(*striking)


async def _go_on(stage: Stage, rooms: list[str]) -> None:
    """Wait until every game that is not over has gone on."""
    store = stage.cluster.store
    lengths = {room: await store.length(room) for room in rooms}
    while True:
        still = {guest.room for guest in stage.world.guests if guest.table and guest.table.status == "playing"}
        now = {room: await store.length(room) for room in lengths.keys() & still}
        if all(length > lengths[room] for room, length in now.items()):
            return
        await asyncio.sleep(0.05)


async def _answered(world: World) -> None:
    """Wait until nobody does anything any more."""
    await world.settle()
    await asyncio.gather(*(guest.finish() for guest in world.guests))


async def _told(stage: Stage, rooms: list[str]) -> dict[str, int]:
    """Wait until everybody holds the log's last version, also of a game in which flags still fall; returns it."""
    store, guests = stage.cluster.store, stage.world.guests
    while True:
        ends = {room: await store.length(room) for room in rooms}
        held = all(guest.table is not None and guest.table.seq == ends[guest.room] for guest in guests if guest.room)
        if held:
            return ends
        await asyncio.sleep(0.02)


async def _look_again(stage: Stage, rooms: list[str]) -> None:
    """Old commands are said again, which must change nothing; and every node is asked what it knows."""
    world, nodes = stage.world, stage.cluster.nodes[: stage.plan.nodes]
    chance = world.chance
    players = [guest for guest in world.guests if isinstance(guest, Player)]
    await asyncio.gather(*(player.repeat(chance.choice(nodes).url, 2) for player in players))
    for node in nodes:
        await _look(world, node, rooms)


async def _look(world: World, node: Node, rooms: list[str]) -> None:
    stranger = Guest(world, "stranger")
    async with stranger.connect(stranger.who, node.url, None) as connection:
        for room in rooms:
            async for frame in connection.follow(room):
                if isinstance(frame, Room):
                    break


class Late(Exception):
    """Something is not done in time."""


@asynccontextmanager
async def _limit(what: str) -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(LIMIT):
            yield
    except TimeoutError as error:
        raise Late(what) from error


async def _whereabouts(stage: Stage) -> str:
    """Who is not where the log is, or still does something."""
    lines = []
    for guest in stage.world.guests:
        held = None if guest.table is None else guest.table.seq
        end = await stage.cluster.store.length(guest.room) if guest.room else None
        turn = isinstance(guest, Player) and guest.table is not None and guest.table.turn == guest.seat is not None
        if held != end or guest.acts or turn or guest.failed():
            what = f"{', acting' * guest.acts}{', to move' * turn}, failed of {guest.failed()!r}"
            lines.append(f"{guest.who} in {guest.room} holds {held} of {end}{what}")
    return "; ".join(lines)


def _line_of(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "" if trace is None else f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
