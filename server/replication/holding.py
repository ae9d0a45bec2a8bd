"""The logs in this node's memory: loaded on demand, kept up to date, dropped when unused.

Subclasses say what a log becomes: a room, or a study. This module calls either a room.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Coroutine
from typing import Any, Final, Generic, TypeVar

import structlog

from fourfold.engine.decisions import Rejection
from fourfold.server.replication.fanout import FanoutScheduler
from fourfold.server.replication.hosted import Hosted
from fourfold.server.storage.event_log import Callbacks, EventLog, LogUnavailable, UnreadableEntry
from fourfold.server.supervision import Tasks, end, supervise

SWEEP: Final = 30.0
"""Seconds between sweeps. A room that is idle at two sweeps in a row is dropped, unless it was asked for meanwhile."""

QUARANTINE: Final = 10.0
"""Seconds for which a room with an unreadable log is refused without reading it again."""

_log = structlog.get_logger(__name__)


class NoSuchRoom(LookupError):
    """No room has this id."""


class NotOpened(NoSuchRoom):
    """The room can't be opened; `rejection` says why."""

    def __init__(self, rejection: Rejection) -> None:
        super().__init__(rejection.message)
        self.rejection = rejection


_H = TypeVar("_H", bound=Hosted[Any, Any])


class Holding(ABC, Generic[_H]):
    """Holds rooms or studies on demand."""

    def __init__(self, log: EventLog, make: Callable[[str], _H], is_id: Callable[[str], bool]) -> None:
        """`make` makes a room or study for an id, before anything of its log is read. `is_id` says whether a text has
        the form of an id."""
        self._log = log
        self._make = make
        self._is_id = is_id
        self._scheduler = FanoutScheduler()
        self._rooms: dict[str, _H] = {}
        self._loading: dict[str, asyncio.Task[_H]] = {}
        self._idle: set[str] = set()
        self._quarantined: dict[str, tuple[float, UnreadableEntry]] = {}  # until when, and why
        self._doubted = 0
        self._checking = Tasks()
        self._sweeper = supervise("sweeper", self._sweep)
        log.watch(Callbacks(lost=self.lost, back=self.back, loss=self.loss, replaced=self.replaced))

    # -- for subclasses --

    @abstractmethod
    async def _loaded(self, room: _H) -> None:
        """The whole log has been read: finish the room before others get it."""

    async def _let_go(self, id: str) -> None:
        """A room has been dropped."""

    # -- lookup --

    async def find(self, id: str) -> _H:
        """The room, loaded from the log if this node does not hold it yet.

        Raises `NoSuchRoom`, `UnreadableEntry` or `LogUnavailable`.
        """
        if not self._is_id(id):  # other texts from clients never reach the store, where they might name other keys
            raise NoSuchRoom(id)
        until, error = self._quarantined.get(id, (0.0, None))
        if error is not None and until > asyncio.get_running_loop().time():
            raise error.with_traceback(None)
        while True:
            try:
                return await self._once(id, lambda: self._load(id))
            except NotOpened:
                # another caller tried to open it at the same time and could not: that says nothing about the log
                continue

    async def _opened(self, id: str, get: Callable[[], Coroutine[Any, Any, _H]]) -> _H | Rejection:
        """The room that `get` opens. If it can't be opened, `get` raises `NotOpened` with the reason, which is
        returned.

        Others may be opening it at the same time: all get the same room. Raises `LogUnavailable`.
        """
        while True:
            try:
                return await self._once(id, get)
            except NotOpened as error:
                return error.rejection
            except NoSuchRoom:
                continue  # another caller looked the room up at the same time and found it first

    async def _once(self, id: str, get: Callable[[], Coroutine[Any, Any, _H]]) -> _H:
        """The room if it is here, else the result of `get`, which runs once for all concurrent callers."""
        room = self._rooms.get(id)
        if room is not None and not room.gone:
            self._idle.discard(id)  # the caller may need a while before it follows the room
            return room
        loading = self._loading.get(id)
        if loading is None:
            loading = self._loading[id] = asyncio.create_task(get())
            loading.add_done_callback(lambda _: self._loading.pop(id))
        try:
            return await asyncio.shield(loading)
        finally:
            del loading  # the exception refers to this frame, and would keep itself alive

    async def _follow(self, id: str) -> _H:
        room = self._make(id)
        await self._log.follow(id, room)
        return room

    async def _load(self, id: str) -> _H:
        room = await self._follow(id)
        try:
            await room.writer.load()
        except LogUnavailable:
            await self._drop(room)
            raise
        except UnreadableEntry as error:
            await self._drop(room)
            self._quarantined[id] = asyncio.get_running_loop().time() + QUARANTINE, error
            raise
        if room.writer.state is None or room.gone:
            await self._drop(room)
            raise NoSuchRoom(id)
        await self._loaded(room)
        return room

    def holding(self, id: str) -> _H | None:
        """The room with an id, if this node keeps it up to date."""
        return self._rooms.get(id)

    def holds(self, room: _H) -> bool:
        """Whether this node still keeps a room up to date."""
        return self._rooms.get(room.id) is room

    def _hold(self, room: _H) -> None:
        self._rooms[room.id] = room

    async def _drop(self, room: _H) -> None:
        self._rooms.pop(room.id, None)
        room.close()
        await self._let_go(room.id)
        await self._log.unfollow(room.id, room)
        await room.writer.wait_closed()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP)
            idle = {id for id, room in self._rooms.items() if room.idle}
            for id in sorted(idle & self._idle):
                if id in self._idle and self._rooms[id].idle:  # dropping the previous room let other tasks run
                    await self._drop(self._rooms[id])
            self._idle = idle
            now = asyncio.get_running_loop().time()
            self._quarantined = {id: entry for id, entry in self._quarantined.items() if entry[0] > now}
            _log.debug("swept", rooms=len(self._rooms), idle=len(idle))

    # -- all rooms --

    @property
    def doubted(self) -> int:
        """How many rooms have not been compared with the log since the store lost data."""
        return self._doubted

    async def settled(self) -> None:
        """Wait until all submitted commands have been answered."""
        await asyncio.gather(*(room.writer.settled() for room in self._rooms.values()))

    async def close(self) -> None:
        """Drop everything; the logs remain."""
        self._scheduler.stop()
        self._sweeper.cancel()
        await end(self._checking)
        await end(self._loading.values())  # nobody waits for it any more
        for room in list(self._rooms.values()):
            room.close()
            await room.writer.wait_closed()

    def lost(self, nodes: Collection[str]) -> None:
        """Some nodes have died."""
        self._each(lambda room: room.lose(nodes))

    def back(self) -> None:
        """The other nodes have declared this one dead, and dropped its players from their rooms."""
        self._each(lambda room: room.missed())

    def loss(self) -> None:
        """The store has lost data. Each room is rereading its log now, and finds out whether it is affected."""
        for room in list(self._rooms.values()):
            self._doubted += 1
            self._checking.start(self._check(room))

    async def _check(self, room: _H) -> None:
        try:
            await room.writer.settled()
        finally:
            self._doubted -= 1
        alone(room, self._tell_again)

    def replaced(self) -> None:
        """A replica of the store has taken over."""
        self._each(self._tell_again)

    def _tell_again(self, room: _H) -> None:
        if room.state is not None and not room.writer.closed:
            room.tell_again()

    def _each(self, do: Callable[[_H], object]) -> None:
        """Run `do` for every room held here. A failure in one room does not stop the others."""
        for room in list(self._rooms.values()):
            alone(room, do)


def alone(room: _H, do: Callable[[_H], object]) -> None:
    """Run `do` for one room. A failure is logged."""
    try:
        do(room)
    except Exception:  # noqa: BLE001 - told in the log, and others go on
        _log.exception("a room failed", room=room.id)
