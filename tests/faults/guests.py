"""The clients of a schedule: each has a recorded connection over its own link."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Literal

import msgspec

from fourfold.clients.connection import Connection
from fourfold.clients.errors import ConnectionFault, RequestError, Unreachable
from fourfold.clients.following import Following, RoomFrame
from fourfold.clients.table import Table
from fourfold.protocol import from_client as ask
from fourfold.protocol.codec import CODECS
from fourfold.protocol.from_server import Presence, Room, Said, Turn, Update, Watchers
from tests.faults.history import Recorder
from tests.faults.link import Address, Link

PATIENCE = 240.0
"""Seconds for which a connection keeps retrying: longer than any fault lasts."""

PREVIEWS = 0.3
"""The share of watchers who have a preview only."""

_HELD = (
    "variant", "status", "game", "out", "start", "redo", "clocks", "proposal", "result", "turn", "seq", "paused",
)  # fmt: skip
"""The fields that a client's table and a snapshot share."""


Door = Callable[[random.Random], Address]
"""Chooses a node that is awake."""


class World:
    """The state that all guests share: the addresses, the recording, and whether to go on."""

    def __init__(self, chance: random.Random, recorder: Recorder, door: Door) -> None:
        self.chance = chance
        self.recorder = recorder
        self.door = door
        self.stopped = False
        self.leisure = False
        """Whether guests wait longer, because a link is slow now."""
        self.guests: list[Guest] = []
        self.errands: list[asyncio.Task[Any]] = []
        self._names = iter(range(1_000_000))
        self.invited: set[tuple[str, int]] = set()
        """Rooms, with the versions at which bots were invited to stand in, and came."""

    def name(self, kind: str) -> str:
        """A name that no guest has yet."""
        return f"{kind}{next(self._names)}"

    def run(self, errand: Any) -> None:
        """Start a background task, to be awaited at the end."""
        task = asyncio.ensure_future(errand)
        self.errands.append(task)

    async def settle(self) -> None:
        """Wait for all background tasks."""
        while self.errands:
            done, self.errands = self.errands, []
            await asyncio.gather(*done)


class Guest:
    """A connection in one room, and its copy of the room."""

    def __init__(
        self, world: World, kind: str, *, token: str | None = None, bot: bool = False, door: Door | None = None
    ) -> None:
        """`door` says where the line leads, by default to the common address."""
        self.world = world
        self.who = world.name(kind)
        self.chance = random.Random(world.chance.random())
        self.link = Link(self._enter)
        self.address: Address = None
        """The node of the line's last connection."""
        self.gone = False
        """Whether this guest stays away until `come_back`."""
        self._door = door or world.door
        self.room = ""
        self.table: Table | None = None
        self.turn: Turn | None = None
        self.away: set[str] = set()
        self.preview = False
        """Whether this guest only looks at the room, and does not count as a watcher."""
        self.watchers = 0
        """How many watch, as far as this guest knows."""
        self.decided = 0
        """The time at which the table's version was decided."""
        self.lines: list[str] = []
        """The lines of chat that this guest has received."""
        self.speakers: dict[str, str | None] = {}
        """The seat that each of them came from."""
        self._token = token
        self.bot = bot
        self._changed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self.connection: Connection

    def _enter(self) -> Address:
        self.address = self._door(self.chance)
        return self.address

    def vanish(self) -> None:
        """Drop the connection, and stay away until `come_back`."""
        self.gone = True
        self.link.cut()

    def come_back(self) -> None:
        """Connect again."""
        self.gone = False
        self.link.heal()

    def heal(self) -> None:
        """End the faults of the line, unless the guest stays away."""
        if not self.gone:
            self.link.heal()

    async def come(self) -> None:
        """Connect as soon as a node accepts it, and be a target of blows from then on."""
        await self.reach()
        self.world.guests.append(self)

    async def reach(self) -> None:
        """Connect as soon as a node accepts it."""
        await self.link.start()
        self.connection = await self._reach(self.who, f"http://127.0.0.1:{self.link.port}", self._token)

    @asynccontextmanager
    async def visit(self, who: str, url: str, token: str | None) -> AsyncIterator[Connection]:
        """A recorded connection to a node, made as soon as the node accepts it."""
        connection = await self._reach(who, url, token)
        try:
            yield connection
        finally:
            await connection.__aexit__(None, None, None)

    async def _reach(self, who: str, url: str, token: str | None) -> Connection:
        connection = self.connect(who, url, token)
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    return await connection.__aenter__()
                except Unreachable:
                    await asyncio.sleep(0.1)

    def connect(self, who: str, url: str, token: str | None) -> Connection:
        """A connection that is recorded as `who`."""
        codec = self.chance.choice(list(CODECS.values()))
        record = self.world.recorder.observer(who)

        def observe(way: Literal["in", "out"], message: Any) -> None:
            record(way, message)
            if way == "in":
                self.receive(message)

        return Connection(url, name=who, token=token, bot=self.bot, codec=codec, patience=PATIENCE, observe=observe)

    def receive(self, message: Any) -> None:
        """A message has come by any connection of this guest."""

    async def open(self, request: ask.Create) -> str:
        """Open a room, as soon as the store has space for it."""
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    reply: Any = await self.connection.request(request)
                    room: str = reply.room
                    return room
                except RequestError as error:
                    if error.code != "store_full":
                        raise
                    await asyncio.sleep(0.1)

    async def ask_elsewhere(self, request: ask.Request, later: float) -> None:
        """The same request by a second connection of the same player, on any node."""
        await asyncio.sleep(later)
        link = await Link(lambda: self.world.door(self.chance)).start()
        try:
            url = f"http://127.0.0.1:{link.port}"
            async with self.connect(f"{self.who}+{self.world.name('')}", url, self.connection.token) as second:
                await second.request(request)
        except (ConnectionFault, RequestError):
            pass  # that node was away, too; or the game has gone on
        finally:
            await link.close()

    def start(self, room: str) -> None:
        """Follow a room, and act there as this guest does."""
        self.room = room
        frames = self.connection.follow(room, preview=self.preview)
        self._tasks = [asyncio.create_task(self._read(frames)), asyncio.create_task(self.act())]

    async def _read(self, frames: Following) -> None:
        async for frame in frames:
            self.take(frame)
            self._changed.set()

    def take(self, frame: RoomFrame) -> None:
        """Receive the frames of the room."""
        match frame:
            case Room():
                self.table = Table.of(frame)
                self.decided = frame.decided
                self.turn = None
                self.away = {seat.seat for seat in frame.seats if not seat.online}
                self.watchers = frame.watchers
            case Update():
                assert self.table is not None  # a snapshot comes first
                before, self.table = self.table, self.table.after(frame)
                self.decided = frame.time
                if self.table.position is not before.position or self.table.status != "playing":
                    self.turn = None
                self.saw(frame)
            case Turn():
                self.turn = frame
            case Presence():
                (self.away.discard if frame.online else self.away.add)(frame.seat)
            case Watchers():
                self.watchers = frame.count
            case Said():
                self.lines.append(frame.text)
                self.speakers[frame.text] = frame.seat

    def saw(self, update: Update) -> None:
        """There was a decision."""

    async def act(self) -> None:
        """The guest's actions until the world stops."""

    async def changed(self, seconds: float) -> None:
        """Wait until something happens, for `seconds` at most."""
        self._changed.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._changed.wait()

    def failed(self) -> BaseException | None:
        """The exception with which this guest failed, if any."""
        ended = (task for task in self._tasks if task.done() and not task.cancelled())
        return next((task.exception() for task in ended if task.exception() is not None), None)

    @property
    def acts(self) -> bool:
        """Whether the guest still acts."""
        return any(not task.done() for task in self._tasks[1:])

    async def finish(self) -> None:
        """Wait until the guest has stopped acting. Raises the exception that it failed with."""
        await asyncio.gather(*self._tasks[1:])

    def report(self, end: int) -> None:
        """Record the guest's final state, when the log is at version `end`."""
        table = self.table
        if table is not None:
            plain = {name: getattr(table, name) for name in _HELD}
            seats = {name: msgspec.to_builtins(seat) for name, seat in table.seats.items()}
            frame = msgspec.to_builtins({**plain, "moves": list(table.moves), "seats": seats, "position": table.fen})
            self.world.recorder.holds(self.who, {"room": self.room, "end": end, "table": frame})

    async def go(self) -> None:
        """Close the connection."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.link.heal()
        await self.connection.__aexit__(None, None, None)
        await self.link.close()


class Watcher(Guest):
    """Watches; goes away and comes back; sometimes asks for the legal moves. Some have a preview only."""

    def __init__(self, world: World, kind: str) -> None:
        super().__init__(world, kind)
        self.preview = self.chance.random() < PREVIEWS

    async def act(self) -> None:
        """See `Guest`."""
        chance = self.chance
        while not self.world.stopped:
            await asyncio.sleep(chance.uniform(0.05, 0.6))
            what = chance.random()
            if self.table is None:
                continue
            if what < 0.3:
                self.link.break_off()
            elif what < 0.5:
                with suppress(RequestError):
                    await self.connection.legal(self.room)
            elif what < 0.7:
                await self._look_away()

    async def _look_away(self) -> None:
        """Leave the room, and come back: to the same version, or to a new snapshot."""
        reading = self._tasks[0]
        with suppress(RequestError):
            await self.connection.leave(self.room)
        await asyncio.wait([reading])
        await asyncio.sleep(self.chance.uniform(0, 0.3))
        since, decided = None, None
        if self.table is not None and self.chance.random() < 0.7:
            since, decided = self.table.seq, self.decided
        frames = self.connection.follow(self.room, since, decided=decided, preview=self.preview)
        self._tasks[0] = asyncio.create_task(self._read(frames))
