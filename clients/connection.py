"""A client's connection to a Fourfold server, which outlives its sockets.

It knows requests and their replies, the token that brings an identity back, signs of life, and what
to say again after an outage. It refuses to know bytes, the rules of chess, and what a game looks like.

    async with Connection("http://127.0.0.1:8080", name="Ada") as connection:
        room = await connection.create("standard")
        seat = await connection.join(room)
        async for frame in connection.follow(room):
            match frame:
                case Turn(seq=seq, legal=legal):
                    await connection.move(room, legal[0], seq)

When a socket is lost, the connection opens another by itself, proves the same identity, resumes
every followed room where it was, and says every unanswered request again, commands with the key they
had, so that the server does none of them twice.
"""

import asyncio
import random
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from itertools import count
from types import TracebackType
from typing import Final, Literal, Self, TypeAlias

from msgspec import UNSET
from msgspec.structs import replace

from fourfold.clients.errors import ConnectionFault, RequestError, Unreachable
from fourfold.clients.following import Following
from fourfold.clients.websocket import Lost, Observer, Socket, address
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as told
from fourfold.protocol.codec import MAX_FRAME, MSGPACK, Codec

ProposalKind: TypeAlias = Literal["undo", "redo", "draw", "stand_in", "remove", "rematch"]
"""What can be put to the vote."""

IDLE: Final = 2.5
"""Seconds without a request after which a ping is sent."""

SILENCE: Final = 9.0
"""Seconds without a message from the server after which the socket counts as dead."""

ENDED: Final = ("no_such_room", "damaged", "newer")
"""What the server says of a room that can be followed no more."""

SHORTEST_WAIT: Final = 0.1
LONGEST_WAIT: Final = 3.0
"""Bounds, in seconds and before jitter, of the pause between two attempts."""


class Connection:
    """One identity at one server, as an async context manager.

    `token` (an earlier connection's `token`) brings an identity back; without it a new guest is made, or
    a new `bot`.
    `patience` is how many seconds to go on trying once a connection is lost. `observe` sees every
    message; `notice` gets a sentence when the connection is lost and when it is back.

    Entering raises `Unreachable` or `Dismissed`, and a URL that is none ValueError. Every request
    raises `RequestError` if refused, and `ConnectionFault` once the connection is given up or closed.
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
        self._ids = count(1)
        self._keys = count(1)
        self._key_prefix = secrets.token_hex(8)
        self._unanswered: dict[int, tuple[ask.Request, asyncio.Future[told.Reply]]] = {}
        self._outbox: asyncio.Queue[ask.Request] = asyncio.Queue()
        self._rooms: dict[str, Following] = {}
        self._watches: dict[str, int] = {}  # the unanswered `watch` of a room
        self._key: str | None = None  # what this connection serves with, if it hosts bots
        self._summons: asyncio.Queue[told.Summon | ConnectionFault] = asyncio.Queue()
        self._return_after: float | None = None
        self._socket: Socket
        self._life: asyncio.Task[None] | None = None
        self._end: ConnectionFault | None = None

    async def __aenter__(self) -> Self:
        self._socket = await self._open()
        self.connected = True
        self._life = asyncio.create_task(self._live(), name=f"connection to {self.url}")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        life = self._life
        assert life is not None  # entered before
        life.cancel()
        await asyncio.wait([life])
        await self._socket.close()
        self._finish(ConnectionFault("This connection has been closed."), None)
        if not life.cancelled():
            life.result()

    # -- requests ---------------------------------------------------------------------------------

    async def create(
        self,
        variant: str = "standard",
        *,
        position: str | None = None,
        visibility: Literal["public", "private"] = "public",
        clock: ask.Clock | None = None,
        password: str | None = None,
        chat: bool = True,
        moves: Sequence[str] = (),
    ) -> str:
        """Open a room and return its id."""
        opening = ask.Create(
            variant=variant,
            position=position,
            visibility=visibility,
            clock=clock,
            password=password,
            chat=chat,
            moves=list(moves),
            key=self.new_key(),
        )
        reply = await self.request(opening)
        assert isinstance(reply, told.Created)
        return reply.room

    async def join(self, room: str, seat: str | None = None, *, password: str | None = None) -> str:
        """Take a seat, follow the room, and return the seat's name."""
        reply = await self.request(ask.Join(room=room, seat=seat, password=password))
        assert isinstance(reply, told.Joined)
        return reply.seat

    async def seek(self, variant: str = "standard", clock: ask.Clock | None = None) -> tuple[str, str]:
        """Sit down with whoever seeks the same game, follow that room, and return it and the seat's name.

        Whether the others have come yet, the room says.
        """
        reply = await self.request(ask.Seek(variant=variant, clock=clock))
        assert isinstance(reply, told.Joined)
        return reply.room, reply.seat

    async def unseek(self) -> None:
        """Give up what is sought, if nobody has come yet."""
        await self.request(ask.Unseek())

    async def rooms(
        self, variant: str | None = None, status: Literal["open", "playing"] | None = None, limit: int = 50
    ) -> list[told.Listing]:
        """The public rooms that are open or being played, newest first."""
        reply = await self.request(ask.Rooms(variant=variant, status=status, limit=limit))
        assert isinstance(reply, told.Rooms)
        return reply.rooms

    async def say(self, room: str, text: str, to: Literal["table", "all"] = "all") -> None:
        """Say something in a room that is followed."""
        await self.request(ask.Say(room=room, text=text, to=to))

    def follow(
        self, room: str, since: int | None = None, *, password: str | None = None, decided: int | None = None
    ) -> Following:
        """The frames of a room: from its snapshot, or from the update after `since` on, which was `decided` then.

        A room that is followed already (or joined) has one stream, for one reader. Refusals, such as a
        room that does not exist, come out of the iteration as `RequestError`.
        """
        following = self._rooms.get(room)
        if following is None:
            following = self._rooms[room] = Following(room, since, password, decided)
            self._watch(following)
        return following

    async def leave(self, room: str) -> None:
        """Stop following a room; before the start this also gives a seat back."""
        await self.request(ask.Leave(room=room))
        self._watches.pop(room, None)
        following = self._rooms.pop(room, None)
        if following is not None:
            following.end()

    async def move(self, room: str, move: str, seq: int, *, key: str | None = None) -> int:
        """Play a move on the position seen at `seq`; returns the version at which it was made.

        The same key again does not move twice, but gets the first answer.
        """
        return await self._command(ask.Move(room=room, move=move, seq=seq, key=key or self.new_key()))

    async def propose(
        self,
        room: str,
        kind: ProposalKind,
        seq: int,
        plies: int | None = None,
        *,
        seat: str | None = None,
        level: int | None = None,
    ) -> int:
        """Open a vote on the game as seen at `seq`; returns the version at which it was opened."""
        proposal = ask.Propose(room=room, kind=kind, seq=seq, plies=plies, seat=seat, level=level, key=self.new_key())
        return await self._command(proposal)

    async def vote(self, room: str, proposal: int, accept: bool) -> int:
        """Answer an open vote; returns the version at which the answer was counted."""
        return await self._command(ask.Vote(room=room, proposal=proposal, accept=accept, key=self.new_key()))

    async def withdraw(self, room: str, proposal: int) -> int:
        """Take back an open proposal of one's own; returns the version at which it was closed."""
        return await self._command(ask.Withdraw(room=room, proposal=proposal, key=self.new_key()))

    async def claim(self, room: str) -> int:
        """End the game by what the rules let this player claim; returns the version at which it ended."""
        return await self._command(ask.Claim(room=room, key=self.new_key()))

    async def resign(self, room: str) -> int:
        """Give up; returns the version at which it was done."""
        return await self._command(ask.Resign(room=room, key=self.new_key()))

    async def abort(self, room: str) -> int:
        """Call the game off before everybody has moved; returns the version at which it was done."""
        return await self._command(ask.Abort(room=room, key=self.new_key()))

    async def invite(self, room: str, level: int, seat: str | None = None) -> int:
        """Invite a computer player to a free seat; returns the version at which it was invited."""
        return await self._command(ask.Bot(room=room, level=level, seat=seat))

    async def kick(self, room: str, seat: str) -> int:
        """Free a seat before the start, for good of whoever sits there; returns the version at which it was done.

        The right of who opened the room, as `close_room` is.
        """
        return await self._command(ask.Kick(room=room, seat=seat, key=self.new_key()))

    async def close_room(self, room: str) -> int:
        """End a room whose game has not started; returns the version at which it was done."""
        return await self._command(ask.Close(room=room, key=self.new_key()))

    async def legal(self, room: str, square: str | None = None) -> list[str]:
        """The legal moves of the player to move, or of one of that player's pieces."""
        reply = await self.request(ask.Legal(room=room, square=square))
        assert isinstance(reply, told.Legal)
        return reply.moves

    async def export(self, room: str, format: str) -> str:
        """The game as text: `pgn` (two players), `pgn4` (four), `smith`, `fen` or `json`."""
        reply = await self.request(ask.Export(room=room, format=format))
        assert isinstance(reply, told.Exported)
        return reply.text

    async def serve(self, key: str) -> AsyncIterator[told.Summon]:
        """Run the bots of this server, by its key; returns the calls for them, also after every outage.

        One reader at a time. They end as the connection does, by what ended it.
        """
        await self.request(ask.Serve(key=key))
        self._key = key
        return self._called()

    async def _called(self) -> AsyncIterator[told.Summon]:
        while True:
            summon = await self._summons.get()
            if isinstance(summon, ConnectionFault):
                raise summon
            yield summon

    async def ping(self) -> int:
        """The server's time, in milliseconds since 1970."""
        reply = await self.request(ask.Ping())
        assert isinstance(reply, told.Pong)
        return reply.time

    def new_key(self) -> str:
        """A key that no other command shares."""
        return f"{self._key_prefix}.{next(self._keys)}"

    async def request(self, request: ask.Request) -> told.Reply:
        """Send any request and return its reply, however many sockets that takes.

        While the server's store is away, asks again, with the same key, for as long as `patience` lasts.
        Raises ValueError for a request over the size limit.
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

    async def _command(self, request: ask.Request) -> int:
        reply = await self.request(request)
        assert isinstance(reply, told.Ok)
        assert isinstance(reply.seq, int)
        return reply.seq

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

    # -- rooms ------------------------------------------------------------------------------------

    def _watch(self, following: Following) -> None:
        """Ask for a room: its snapshot, or what came after the last that this client has."""
        since, decided, password = following.seq, following.decided, following.password
        id, future = self._post(ask.Watch(room=following.room, since=since, password=password, decided=decided))
        self._watches[following.room] = id
        future.add_done_callback(lambda done: self._watched(following, id, done))

    def _watched(self, following: Following, id: int, done: "asyncio.Future[told.Reply]") -> None:
        if self._watches.get(following.room) != id:
            return  # asked again meanwhile, on another socket, or left
        del self._watches[following.room]
        if done.exception() is not None:
            return  # the end of the connection, which `following` is told as well
        match done.result():
            case told.Error(code="ahead"):
                following.forget()
                self._watch(following)
            case told.Error(code="unavailable"):
                asyncio.get_running_loop().call_later(LONGEST_WAIT, self._watch_again, following)
            case told.Error() as error:
                del self._rooms[following.room]
                following.end(RequestError(error))

    def _watch_again(self, following: Following) -> None:
        if self._rooms.get(following.room) is following and following.room not in self._watches:
            self._watch(following)

    # -- the life of the connection -----------------------------------------------------------------

    async def _open(self) -> Socket:
        hello = ask.Hello(id=0, token=self.token, name=self.name, bot=self.bot)
        socket = await Socket.open(self.url, hello, self._codec, self._observe)
        self.token, self.player, self.name = socket.welcome.token, socket.welcome.player, socket.welcome.name
        return socket

    async def _live(self) -> None:
        try:
            while True:
                await self._converse(self._socket)
                self.connected = False
                await self._socket.close()
                self._say(f"Lost the connection to {self.url}; trying again...")
                self._socket = await self._come_back()
                self._resume()
                self.connected = True
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
                if request.id is None or request.id in self._unanswered:  # else its sender waits no more
                    await socket.send(request)
        except Lost:
            return  # the reader sees the same, and decides

    def _take(self, frame: told.Frame | None) -> None:
        match frame:
            case told.Room() | told.Update() | told.Turn() | told.Presence() | told.Watchers() | told.Said():
                following = self._rooms.get(frame.room)
                if following is not None and not following.take(frame):
                    self._watch_again(following)
            case told.Joined(room=room):
                self._rooms.setdefault(room, Following(room))  # its snapshot comes right behind
            case told.Summon() as summon:
                self._summons.put_nowait(summon)
            case told.Closing(retry=retry):
                self._return_after = retry / 1000
            case told.Error(id=id, code=code, room=str(room)) as error if (
                id is UNSET and code in ENDED and room in self._rooms
            ):
                self._rooms.pop(room).end(RequestError(error))
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
        """Put all that the new socket has to hear into the outbox: first the rooms, then what is unanswered."""
        for id in self._watches.values():
            self._unanswered.pop(id, None)
        self._watches.clear()
        unanswered = [request for request, _ in self._unanswered.values()]
        self._outbox = asyncio.Queue()
        for following in self._rooms.values():
            self._watch(following)
        if self._key is not None:
            self._outbox.put_nowait(ask.Serve(key=self._key))
        for request in unanswered:
            self._outbox.put_nowait(request)

    def _say(self, sentence: str) -> None:
        if self._notice is not None:
            self._notice(sentence)

    def _finish(self, fault: ConnectionFault, for_readers: ConnectionFault | None) -> None:
        """The end: whoever waits, or asks later, is told why."""
        self._end = self._end or fault
        self._summons.put_nowait(self._end)
        for _, future in self._unanswered.values():
            if not future.done():
                future.set_exception(fault)
                future.exception()  # seen: some of these nobody awaits any more
        self._unanswered.clear()
        for following in self._rooms.values():
            following.end(for_readers)
        self._rooms.clear()


async def _pause(wait: float) -> float:
    """Wait so many seconds, up to half as many more, and return what to wait next time.

    The jitter keeps the clients of a server that restarts from all coming back in the same instant.
    """
    await asyncio.sleep(wait * random.uniform(1.0, 1.5))
    return min(2 * wait, LONGEST_WAIT)
