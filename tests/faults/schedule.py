"""Plays one schedule: games, and the faults of servers, store and links meanwhile, all from a seed.

The seed decides the rooms, everybody's habits, and the faults with their order and duration. Real processes in real
time do the rest. So a seed repeats the schedule, not the exact interleaving: to meet a rare one again, play the seed
many times.
"""

import asyncio
import math
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

from fourfold.clients.errors import RequestError
from fourfold.protocol import from_client as ask
from tests.faults.blows import BLOWS, Stage
from tests.faults.checker import Fault, Report, check
from tests.faults.cluster import Cluster, Node
from tests.faults.guests import Guest, Watcher, World
from tests.faults.history import Entry, History, Recorder
from tests.faults.link import Address
from tests.faults.orphans import REFUSED
from tests.faults.plan import Game, Plan
from tests.faults.players import Player
from tests.faults.presence import mistake, mistakes
from tests.faults.process import until

NODES = 3
"""The number of nodes in a cluster; a schedule plays on two or three of them."""

# The limits are those of an idle machine. `Cluster.patience` makes them longer.

LIMIT = 30.0
"""Seconds within which, once all faults are over, every game must go on, and every request and frame must arrive."""

KNOWN = 20.0
"""Seconds after which, once all faults are over, all know who is here. A node counts as dead after ten."""

ARCHIVED = 45.0
"""Seconds after which, once all faults are over, every finished game has been archived. A node that failed tries again
after some ten, and others take its rooms over before that."""

DEADLINE = 22.0
"""Seconds after which, once all faults are over, flags have fallen and votes have ended even if their node is dead: the
lead of its reminders, and some seconds for the search, and for a busy machine."""

QUIET = 90.0
"""Seconds after which, after the last commands, all is quiet, and all lists are right: nodes compare their lists with
the logs every half a minute."""

RECOVERED = 3.0
"""Seconds after which, once all faults are over, nodes have tried again whatever failed."""

UNANSWERED = 6.0
"""The same if answers of the store were lost: a node waits for one for five seconds."""

LOOK = 5.0
"""Seconds that such an event has at least to be found, if what was looked at before took long."""

AGREED = 5.0
"""Seconds after which, once all faults are over, nobody gets data any more that the store lost by going back."""

PROGRESS = 0.5
"""Seconds that the next fault waits at most for the acknowledged commands before it."""


@dataclass
class Played:
    """The result of a schedule."""

    plan: Plan
    history: History
    report: Report
    dealt: Counter[str]
    seconds: float
    spoiled: set[str]
    """The rooms with an entry that can't be read."""


async def play(
    cluster: Cluster,
    plan: Plan,
    recorder: Recorder | None = None,
    beside: Callable[[Stage], Coroutine[Any, Any, None]] | None = None,
    prompt: float = math.inf,
    after: Callable[[Stage, list[str]], Coroutine[Any, Any, None]] | None = None,
) -> Played:
    """Play a schedule on a healthy cluster, repair the cluster, and check the history, which a `recorder` may record.
    `beside` runs while games are played and faults strike. Decisions after the last fault reach all within `prompt`
    milliseconds. `after` runs once the players have stopped, with the rooms."""
    begun = time.monotonic()
    nodes = cluster.nodes[: plan.nodes]

    def door(chance: random.Random) -> Address:
        awake = [node.address for node in nodes if node.address is not None]
        return chance.choice(awake) if awake else None

    chance = random.Random(-1 - plan.seed)
    world = World(chance, recorder or Recorder(), door)
    stage = Stage(cluster, world, plan)
    stage.before = await cluster.store.rooms()
    stuck: list[str] = []
    rooms: list[str] = []
    others: asyncio.Task[None] | None = None
    ends: dict[str, int] = {}
    calm = math.inf
    try:
        tables = [await _gather(world, game) for game in plan.games]
        opening = stage.opening = [asyncio.create_task(_open(*table)) for table in zip(plan.games, tables, strict=True)]
        if not plan.early:
            await asyncio.wait(opening, timeout=LIMIT)
        if beside is not None:
            others = asyncio.create_task(beside(stage))
        await _strike(stage)
        await cluster.mend()
        mended = time.time() * 1000
        for guest in world.guests:
            guest.heal()
        if stage.fork is not None:
            await asyncio.sleep(AGREED)
            stage.fork = stage.fork._replace(until=time.time() * 1000)
            stage.orphans.clear()  # the answers they wait for may have been lost
            await stage.look_for_spoiled()
        async with _limit(stage, "rooms are opened"):
            rooms = list(await asyncio.gather(*opening))
        async with _limit(stage, "all know who is here", KNOWN) as seconds:
            await _known(stage, seconds)
        calm = max(time.time(), mended / 1000 + (UNANSWERED if plan.loses_answers else RECOVERED)) * 1000
        for guest in world.guests:
            if guest.gone:
                guest.come_back()
        async with _limit(stage, "all games go on"):
            await _go_on(stage, rooms)
        if others is not None:
            world.leisure = True
            await others
            world.leisure = False
        world.stopped = True
        async with _limit(stage, "all requests are answered"):
            await _answered(world)
        if after is not None:
            await asyncio.sleep(max(0, calm / 1000 - time.time()))  # until clients have tried again too
            async with _limit(stage, "all is quiet after the last commands", QUIET):
                await after(stage, rooms)
        async with _limit(stage, "all have the last version"):
            await _told(stage, rooms)
        async with _limit(stage, "all know who has come back", KNOWN) as seconds:
            await _known(stage, seconds)
        async with _limit(stage, "a second look shows the same") as seconds:
            await _look_again(stage, rooms, seconds)
            ends = await _told(stage, rooms)
        if cluster.archives and stage.fork is None:  # otherwise the store may have a game again that the archive has
            async with _limit(stage, "all finished games are archived", ARCHIVED) as seconds:
                await _archived(stage, seconds)
        for orphan in stage.orphans:
            wait = max(max(mended, orphan.due) / 1000 + DEADLINE - time.time(), LOOK)
            what = f"the deadline of {orphan.room} has passed and its event happened"
            async with _limit(stage, what, wait) as seconds:
                await until(lambda orphan=orphan: orphan.has_ended(cluster.store), seconds, pause=0.1)
    except Late as late:
        stuck.append(f"not in time: {late}; {await _whereabouts(stage)}")
    except Exception as error:  # noqa: BLE001 - a client or the harness itself: told with the seed, and with what led to it
        stuck.append(f"{error!r} at {_line_of(error)}; {await _whereabouts(stage)}")
    finally:
        for guest in world.guests:
            if guest.room and not guest.gone:
                guest.report(ends[guest.room] if ends else await cluster.store.length(guest.room))
        if others is not None:
            stage.opening.append(others)
        for task in stage.opening:
            task.cancel()
        await asyncio.gather(*stage.opening, return_exceptions=True)
        await asyncio.gather(*(guest.go() for guest in world.guests))
    await cluster.mend()
    outages, logs, records = await cluster.store.outages(), await stage.logs(), world.recorder.records()
    history = History(
        plan.slack, plan.late, cluster.returns, outages, logs, records, stage.fork, plan.behind, stage.remembered,
        calm=calm, prompt=prompt, back=plan.back,
    )  # fmt: skip
    report = check(history)
    report.faults += [Fault("stuck", "", None, text) for text in [*stuck, *stage.wrong]]
    report.faults += [fault for room, log in logs.items() for fault in await _look_in_archive(stage, room, log)]
    for node in cluster.nodes:
        if node.deaths:
            report.faults.append(Fault("stuck", "", None, f"a node that was told to stop ended with {node.deaths}"))
        node.deaths.clear()
    return Played(plan, history, report, stage.dealt, time.monotonic() - begun, set(stage.spoiled))


async def _gather(world: World, game: Game) -> list[Guest]:
    """Connect everybody who will be at a table: the players, then the watchers."""
    seats = 2 if game.variant == "standard" else 4
    guests: list[Guest] = [Player(world, "player", game.pace, game.again) for _ in range(seats)]
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
    room = await guests[0].open(request)
    for guest in guests:
        if isinstance(guest, Watcher):
            guest.start(room)
    await asyncio.gather(*(guest.sit(room) for guest in guests if isinstance(guest, Player)))
    return room


async def _known(stage: Stage, seconds: float) -> None:
    """Wait until all know who is here."""

    async def known() -> bool:
        return not mistakes(stage.world.guests)

    stage.world.leisure = True
    await until(known, seconds, pause=0.02)
    stage.world.leisure = False


async def _strike(stage: Stage) -> None:
    """One blow after the other, each after some progress."""
    recorder, nodes = stage.world.recorder, stage.cluster.nodes
    striking = []
    for blow in stage.plan.blows:
        with suppress(TimeoutError):
            async with asyncio.timeout(PROGRESS):
                await recorder.reach(recorder.acknowledged + blow.after)
        strike = BLOWS[blow.what]
        stage.dealt[blow.what] += 1
        task = asyncio.create_task(strike(stage, blow, nodes[blow.node % len(nodes)]))
        striking.append(task)
        if blow.wait:
            await asyncio.wait([task])
        else:
            await asyncio.sleep(0.02 + blow.detail / 5)
    await asyncio.gather(*striking)


async def _go_on(stage: Stage, rooms: list[str]) -> None:
    """Wait until every unfinished game has gone on."""
    store = stage.cluster.store
    lengths = {room: await store.length(room) for room in rooms}
    while True:
        still = {guest.room for guest in stage.world.guests if guest.table and guest.table.status == "playing"}
        now = {room: await store.length(room) for room in lengths if room in still}
        if all(length > lengths[room] for room, length in now.items()):
            return
        await asyncio.sleep(0.05)


async def _answered(world: World) -> None:
    """Wait until nobody acts any more."""
    await world.settle()
    await asyncio.gather(*(guest.finish() for guest in world.guests))


async def _told(stage: Stage, rooms: list[str]) -> dict[str, int]:
    """Wait until everybody has the log's last version, also of a game in which flags still fall; returns it."""
    store, guests = stage.cluster.store, stage.world.guests
    while True:
        ends = {room: await store.length(room) for room in rooms}
        held = all(guest.table is not None and guest.table.seq == ends[guest.room] for guest in guests if guest.room)
        if held:
            return ends
        await asyncio.sleep(0.02)


async def _archived(stage: Stage, seconds: float) -> None:
    """Wait until every finished game without an open vote has left the store."""
    tables = {guest.room: guest.table for guest in stage.world.guests if guest.table is not None}
    over = [
        room
        for room, table in tables.items()
        if table.status == "finished" and table.proposal is None and all(s.player for s in table.seats.values())
    ]

    async def left() -> bool:
        return all([await stage.cluster.store.has_left(room) for room in over])

    await until(left, seconds, pause=0.1)


async def _look_in_archive(stage: Stage, room: str, log: list[Entry]) -> list[Fault]:
    """The faults of a room in the archive: games that left the store must be there whole, and every game listed."""
    store, archive = stage.cluster.store, stage.cluster.archive
    here, there = await store.entries(room, stage.spoiled.get(room)), await archive.entries(room)
    faults = []
    if here and here[0].seq > 1 and (there is None or there[-1] != here[0]):
        faults.append(Fault("lost", room, here[0].seq, "it has left the store, but is not the same in the archive"))
    # A game is copied when it ends. The room goes on in the store, so the copy is the beginning of its log.
    if there is not None and here[:1] == there[:1] and here[: len(there)] != there and stage.fork is None:
        faults.append(Fault("doubled", room, here[-1].seq, "the store and the archive have different logs of it"))
    if here and here[0].seq > 1:
        begun = [entry.seq for entry in log for event in entry.events if event["type"] == "started"]
        ended = [entry.seq for entry in log for event in entry.events if event["type"] == "finished"]
        listed, played = await archive.games(room), len(ended)
        if len(begun) != played or listed != list(range(1, played + 1)):
            faults.append(Fault("lost", room, None, f"of {played} games, {listed} are listed"))
    return faults


async def _look_again(stage: Stage, rooms: list[str], seconds: float) -> None:
    """Old commands are repeated, and must change nothing; and every node is asked for its state."""
    world, nodes = stage.world, stage.cluster.nodes[: stage.plan.nodes]
    chance = world.chance
    players = [guest for guest in world.guests if isinstance(guest, Player)]
    await asyncio.gather(*(player.repeat(chance.choice(nodes).url, 2) for player in players))
    for node in nodes:
        await until(node.is_ready, seconds, pause=0.1)
        await _look(world, node, rooms)
        await _look_at_spoiled(stage, node)


async def _look(world: World, node: Node, rooms: list[str]) -> None:
    stranger = Guest(world, "stranger")
    stranger.preview = True  # so as to change nothing
    async with stranger.visit(stranger.who, node.url, None) as connection:
        for stranger.room in rooms:
            async for frame in connection.follow(stranger.room, preview=True):
                stranger.take(frame)
                if not mistake(stranger, world.guests):
                    break


async def _look_at_spoiled(stage: Stage, node: Node) -> None:
    """Every node refuses a game that can't be read."""
    stranger = Guest(stage.world, "stranger")
    async with stranger.visit(stranger.who, node.url, None) as connection:
        for room in stage.spoiled:
            try:
                await connection.request(ask.Watch(room=room))
                stage.wrong.append(f"{room}, which is spoiled, is shown by {node.url}")
            except RequestError as error:
                if error.code not in REFUSED:
                    stage.wrong.append(f"{room}, which is spoiled, is refused by {error.code}")


class Late(Exception):
    """Something is not done in time."""


@asynccontextmanager
async def _limit(stage: Stage, what: str, seconds: float = LIMIT) -> AsyncIterator[float]:
    """Raises `Late` after `seconds` on an idle machine, or as soon as a guest has failed. Yields the seconds on this
    one."""
    seconds *= stage.cluster.patience
    try:
        async with asyncio.timeout(seconds) as limit:
            sentinel = asyncio.create_task(_give_up(stage.world, limit, seconds))
            try:
                yield seconds
            finally:
                sentinel.cancel()
    except TimeoutError as error:
        raise Late(what) from error


async def _give_up(world: World, limit: asyncio.Timeout, seconds: float) -> None:
    async def failed() -> bool:
        return any(guest.failed() for guest in world.guests)

    with suppress(TimeoutError):
        await until(failed, seconds, pause=0.2)
        limit.reschedule(0)


async def _whereabouts(stage: Stage) -> str:
    """The guests that are behind the log, or still act."""
    lines = []
    for guest in stage.world.guests:
        held = None if guest.table is None else guest.table.seq
        end = await stage.cluster.store.length(guest.room) if guest.room else None
        turn = isinstance(guest, Player) and guest.table is not None and guest.table.turn == guest.seat is not None
        wrong = mistake(guest, stage.world.guests) if guest.room and not guest.gone else ""
        if held != end or guest.acts or turn or guest.failed() or wrong:
            what = f"{', acting' * guest.acts}{', to move' * turn}, failed of {guest.failed()!r}"
            lines.append(f"{guest.who} in {guest.room} has {held} of {end}{what} {wrong}")
    return "; ".join(lines)


def _line_of(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "" if trace is None else f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
