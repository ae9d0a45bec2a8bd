"""One identity at one server, across reconnections.

A session sends requests and returns their replies, follows rooms, and sends pings. When its socket is lost, it opens
another, proves the same identity, resumes every followed room, and repeats every unanswered request. Commands keep
their keys, so that the server executes each of them only once.
"""

import asyncio
import random
import secrets
from collections.abc import AsyncIterator, Callable
from itertools import count
from typing import Final, Self

from msgspec import UNSET
from msgspec.structs import replace

from fourfold.clients.errors import ConnectionFault, RequestError, Unreachable
from fourfold.clients.following import FollowedRooms, Following
from fourfold.clients.streams import Stream
from fourfold.clients.websocket import Lost, Observer, Socket, address
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as told
from fourfold.protocol.codec import MAX_FRAME, MSGPACK, Codec

IDLE: Final = 2.5
"""Seconds without a request before the client sends a ping."""

SILENCE: Final = 9.0
"""Seconds without a message from the server after which the socket counts as dead."""

ENDED: Final = ("no_such_room", "damaged", "newer")
"""Error codes of rooms that can no longer be followed."""

LEAVING: Final = 1.0
"""The most seconds that leaving a game or study takes."""

SHORTEST_WAIT: Final = 0.1
LONGEST_WAIT: Final = 3.0
"""The shortest and longest pause between two attempts to connect, in seconds and before jitter."""


class Session:
    """One identity at one server, as an async context manager.

    * `token`: the `token` of an earlier session, to be the same player again. Without it the server creates a new
      guest, or a new bot if `bot` is true.
    * `patience`: seconds to keep trying after a lost connection.
    * `observe`: called with every message.
    * `notice`: called with a sentence when the connection is lost, and when it is back.
    * `heard`: called with frames that are not about a followed room: challenges, changes of who is online, `Paired`,
      and announcements.
    * `room`: the room that the session is for, if any. Servers with several workers then bring the room's connections
      together, which makes them faster.
    * `plays`: the games that a bot plays, for other players to see.

    Entering raises `Unreachable` or `Dismissed`. The constructor raises ValueError for a bad URL. Every request raises
    `RequestError` if refused, and `ConnectionFault` once the session has ended.
    """

    def __init__(
        self,
        url: str,
        *,
        name: str | None = None,
        token: str | None = None,
        bot: bool = False,
        codec: Codec = MSGPACK,
        patience: float = 90.0,
        observe: Observer | None = None,
        notice: Callable[[str], None] | None = None,
        room: str | None = None,
        heard: Callable[[told.Frame], object] | None = None,
        plays: ask.Plays | None = None,
    ) -> None:
        address(url)
        self.url = url
        self.name = name
        self.token = token
        self.bot = bot
        self.player: str | None = None
        """The public id of the identity, known once the connection is open."""
        self.connected = False
        """Whether there is a socket now."""
        self.patience = patience
        self._codec = codec
        self._observe = observe
        self._notice = notice
        self._room = room
        self._heard = heard
        self._plays = plays
        self._ids = count(1)
        self._keys = count(1)
        self._key_prefix = secrets.token_hex(8)
        self._unanswered: dict[int, tuple[ask.Request, asyncio.Future[told.Reply]]] = {}
        self._outbox: asyncio.Queue[ask.Request] = asyncio.Queue()
        self._rooms = FollowedRooms(self._post)
        self._sought: str | None = None  # the room of the latest seek
        self._key: str | None = None  # the key of a host of bots
        self._summons = Stream[told.Summon]()
        self.consultations = Stream[told.Consult | told.Examine | told.Dismiss]()
        """The positions that a host of bots must analyse, and those to stop; for one reader. Raises `ConnectionFault`
        when the session ends."""
        self._analysis: tuple[str, Stream[told.Lines]] = ("", Stream())  # the key and the lines of the latest analysis
        self._registration: str | None = None  # the key of a registration without an answer
        self._return_after: float | None = None
        self._becoming = asyncio.Event()  # cleared while another socket opens for another player
        self._becoming.set()
        self._socket: Socket
        self._life: asyncio.Task[None] | None = None
        self._end: ConnectionFault | None = None

    async def __aenter__(self) -> Self:
        self._socket = await self._open()
        self.connected = True
        self._life = asyncio.create_task(self._live(), name=f"connection to {self.url}")
        return self

    async def __aexit__(self, *_: object) -> None:
        life = self._life
        assert life is not None  # set by `__aenter__`
        life.cancel()
        await asyncio.wait([life])
        await self._socket.close()
        self._finish(ConnectionFault("This connection has been closed."), None)
        if not life.cancelled():
            life.result()

    # -- requests ---------------------------------------------------------------------------------

    def new_key(self) -> str:
        """A new key, unique among all commands."""
        return f"{self._key_prefix}.{next(self._keys)}"

    async def request(self, request: ask.Request) -> told.Reply:
        """Send a request and return its reply, across reconnections.

        While the server's store is down, this repeats the request with the same key, for up to `patience` seconds.
        Raises `RequestError`, `ConnectionFault`, and ValueError for a request over the size limit. If you cancel the
        call, the server may still carry out the request.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + self.patience
        wait = SHORTEST_WAIT
        while True:
            id, future = self._post(request)
            try:
                reply = await future
            finally:
                self._unanswered.pop(id, None)
            if not isinstance(reply, told.Error):
                return reply
            if reply.code != "unavailable" or loop.time() > until:
                raise RequestError(reply)
            wait = await _pause(wait)

    def _post(self, request: ask.Request) -> tuple[int, asyncio.Future[told.Reply]]:
        if self._end is not None:
            raise self._end
        if self._life is None:
            raise ConnectionFault("This connection is not open yet; use it in `async with`.")
        id = next(self._ids)
        request = replace(request, id=id)
        size = len(self._codec.encode(request))
        if size > MAX_FRAME:
            raise ValueError(f"This request would take {size} bytes; a server reads up to {MAX_FRAME}.")
        future: asyncio.Future[told.Reply] = asyncio.get_running_loop().create_future()
        self._unanswered[id] = (request, future)
        self._outbox.put_nowait(request)
        return id, future

    async def become(self, token: str) -> None:
        """Become the player of a token. This opens another socket, and waits for it."""
        self.token, self.name = token, None
        self._becoming.clear()
        await self._socket.close()
        await self._becoming.wait()

    async def wait_ended(self) -> ConnectionFault | None:
        """Wait until the session has ended for good, and return why; None if it was closed from here."""
        assert self._life is not None  # set by `__aenter__`
        await asyncio.wait([self._life])
        return self._end

    # -- rooms and bots ----------------------------------------------------------------------------

    def follow(
        self,
        room: str,
        since: int | None = None,
        *,
        password: str | None = None,
        decided: int | None = None,
        preview: bool = False,
    ) -> Following:
        """The frames of a room: from its snapshot, or from the first update after version `since`, decided at time
        `decided`. With `preview`, this client does not count as a watcher, and its player does not appear online.

        Each followed or joined room has one stream, for one reader. Refusals, such as for a room that does not exist,
        are raised by the iteration as `RequestError`.
        """
        return self._rooms.follow(room, since, password, decided, preview)

    async def leave(self, room: str) -> None:
        """Stop following a room. Before the start this also gives up a seat."""
        await self.request(ask.Leave(room=room))
        self._rooms.drop(room)

    async def depart(self, room: str) -> None:
        """Stop following a room, as `leave` does, in at most a second: an unreachable server learns of it later."""
        leaving = asyncio.create_task(self.leave(room), name=f"leave {room}")
        leaving.add_done_callback(lambda done: done.cancelled() or done.exception())  # retrieve its error
        await asyncio.wait([leaving], timeout=LEAVING if self.connected else 0)

    async def serve(self, key: str) -> AsyncIterator[told.Summon]:
        """Host bots for this server, with the server's `key`. Returns the server's calls for bots, across
        reconnections.

        There is one reader at a time. The iteration raises the error that ends the session.
        """
        await self.request(ask.Serve(key=key))
        self._key = key
        return self._summons

    # -- the life of the connection -----------------------------------------------------------------

    async def _open(self) -> Socket:
        key = None if self.token is None else self._registration
        hello = ask.Hello(id=0, token=self.token, name=self.name, bot=self.bot, plays=self._plays, key=key)
        socket = await Socket.open(self.url, hello, self._codec, self._observe, self._room or self._rooms.only)
        self.token, self.player, self.name = socket.welcome.token, socket.welcome.player, socket.welcome.name
        return socket

    async def _live(self) -> None:
        try:
            while True:
                await self._converse(self._socket)
                self.connected = False
                self._analysis[1].end()
                await self._socket.close()
                lost = self._becoming.is_set()
                if lost:
                    self._say(f"Lost the connection to {self.url}; trying again...")
                self._socket = await self._come_back()
                self._resume()
                self.connected = True
                self._becoming.set()
                if lost:
                    self._say(f"Back at {self.url}.")
        except ConnectionFault as fault:
            self._finish(fault, fault)
        except Exception as error:
            failure = ConnectionFault(f"The connection failed: {error!r}")
            self._finish(failure, failure)
            raise

    async def _converse(self, socket: Socket) -> None:
        """Read and write until the socket is lost. Raises `Dismissed` if that is for good."""
        writer = asyncio.create_task(self._write(socket))
        try:
            while True:
                async with asyncio.timeout(SILENCE):
                    frame = await socket.receive()
                self._take(frame)
        except (TimeoutError, Lost):
            return
        finally:
            writer.cancel()
            await asyncio.wait([writer])

    async def _write(self, socket: Socket) -> None:
        try:
            while True:
                try:
                    async with asyncio.timeout(IDLE):
                        request = await self._outbox.get()
                except TimeoutError:
                    request = ask.Ping()
                if request.id is None or request.id in self._unanswered:  # otherwise its caller was cancelled
                    await socket.send(request)
        except Lost:
            return  # the reader sees the loss too, and ends the conversation

    def _take(self, frame: told.Frame | None) -> None:
        if isinstance(frame, told.Paired):
            self._sought = frame.room
        match frame:
            case told.Room() | told.Update() | told.Turn() | told.Presence() | told.Watchers() | told.Said():
                self._rooms.take(frame)
            case told.Reacted() | told.Study() | told.Cursors():
                self._rooms.take(frame)
            case told.Joined(room=room):
                self._rooms.add(room)
            case told.Challenge() | told.Online() | told.Announced() | told.Paired() if self._heard is not None:
                self._heard(frame)
            case told.Summon() as summon:
                self._summons.put(summon)
            case told.Consult() | told.Examine() | told.Dismiss():
                self.consultations.put(frame)
            case told.Lines(key=key, done=done) if key == self._analysis[0]:
                self._analysis[1].put(frame)
                if done:
                    self._analysis[1].end()
            case told.Closing(retry=retry):
                self._return_after = retry / 1000
            case told.Error(id=id, code=code, room=str(room)) as error if (
                id is UNSET and code in ENDED and room in self._rooms
            ):
                self._rooms.drop(room, RequestError(error))
            case told.Error(id=id, message=message) if id is UNSET:
                self._say(message)
        if isinstance(frame, told.Reply) and isinstance(frame.id, int):
            _, future = self._unanswered.pop(frame.id, (None, None))
            if future is not None and not future.done():
                future.set_result(frame)

    async def _come_back(self) -> Socket:
        loop = asyncio.get_running_loop()
        until = loop.time() + self.patience
        wait = self._return_after or SHORTEST_WAIT
        self._return_after = None
        while True:
            wait = await _pause(wait)
            try:
                return await self._open()
            except Unreachable as fault:
                if loop.time() > until:
                    raise Unreachable(f"{fault} Gave up after {self.patience:g} s.") from fault

    def _resume(self) -> None:
        """Queue what the new socket must send: first the followed rooms, then the unanswered requests."""
        for id in self._rooms.interrupt():
            self._unanswered.pop(id, None)
        unanswered = [request for request, _ in self._unanswered.values()]
        self._outbox = asyncio.Queue()
        self._rooms.resume()
        if self._key is not None:
            self._outbox.put_nowait(ask.Serve(key=self._key))
        for request in unanswered:
            self._outbox.put_nowait(request)

    def _say(self, sentence: str) -> None:
        if self._notice is not None:
            self._notice(sentence)

    def _finish(self, fault: ConnectionFault, for_readers: ConnectionFault | None) -> None:
        """End the session: every waiting and later caller gets the fault."""
        self._end = self._end or fault
        self._becoming.set()
        self._summons.end(self._end)
        self.consultations.end(self._end)
        self._analysis[1].end(self._end)
        for _, future in self._unanswered.values():
            if not future.done():
                future.set_exception(fault)
                future.exception()  # retrieve the error, since nobody may be waiting
        self._unanswered.clear()
        self._rooms.end(for_readers)


async def _pause(wait: float) -> float:
    """Wait between `wait` and 1.5 times `wait` seconds, and return the next value for `wait`.

    The jitter prevents that all clients of a restarted server return at the same moment.
    """
    await asyncio.sleep(wait * random.uniform(1.0, 1.5))
    return min(2 * wait, LONGEST_WAIT)
