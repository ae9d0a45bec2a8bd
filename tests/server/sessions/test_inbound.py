"""The requests of one connection: handled in order, no faster than its buckets allow, each of them answered.

The connection and the session are fakes. The codec, the buckets and most handlers are the real ones.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from itertools import count
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from fourfold.engine.decisions import Rejection
from fourfold.engine.match import Status
from fourfold.protocol import from_client as ask
from fourfold.protocol.codec import JSON
from fourfold.protocol.errors import CloseCode
from fourfold.protocol.from_client import Legal, Ping, Say, Variants
from fourfold.server.limits import turns as budgets
from fourfold.server.limits.prices import LEAST, REQUESTS
from fourfold.server.limits.refused import RequestRefused
from fourfold.server.limits.turns import COMMANDS_AT_ONCE, AddressBudget, Flow, TokenBucket
from fourfold.server.replication.holding import NoSuchRoom
from fourfold.server.replication.rejections import DAMAGED, NEWER
from fourfold.server.sessions.inbound import HANDLERS, HELLO, Inbound, InFlight
from fourfold.server.storage.event_log import DamagedEntry, LogUnavailable, NewerEntry

pytestmark = pytest.mark.interpreted  # compiled modules accept no fakes


def say(type: str, id: int, **fields: Any) -> str:
    """A frame of a client."""
    return msgspec.json.encode({"type": type, "id": id, **fields}).decode()


class Client:
    """A connection with its session: it records the calls."""

    address = "192.0.2.1"
    name = "1"
    close_code, close_reason = 1000, ""
    paused = False

    def __init__(self, *, player: str = "ann") -> None:
        self.inbox: list[str] = []
        self.reader: Callable[[], None] | None = None
        self.gone = False
        self.closed: list[CloseCode] = []
        self.late: tuple[float, Callable[[], None]] | None = None
        self.replies: list[Any] = []
        self.refusals: list[tuple[int, str]] = []
        self.strikes = self.ends = 0
        # The session's.
        self.codec = JSON
        self.player: Any = SimpleNamespace(id=player) if player else None
        self.player_id = player
        self.due = 0.0
        self.followed: dict[str, Any] = {}
        self.services: Any = SimpleNamespace(clock=lambda: 5, metrics=SimpleNamespace(errors=Counter()))

    def expect(self, seconds: float, late: Callable[[], None]) -> None:
        self.late = seconds, late

    def close(self, code: CloseCode, reason: str) -> None:
        self.closed.append(code)

    def reply(self, frame: Any, id: int | None) -> None:
        self.replies.append((id, getattr(frame, "code", None)))

    def refuse(self, rejection: Rejection, request: Any) -> None:
        self.refusals.append((request.id, rejection.code))

    def strike(self) -> None:
        self.strikes += 1

    def end(self) -> None:
        self.ends += 1

    def comes(self, *frames: str) -> None:
        """Frames arrive."""
        self.inbox += frames
        assert self.reader is not None
        self.reader()

    def goes(self) -> None:
        """The connection ends."""
        self.gone = True
        assert self.reader is not None
        self.reader()


class Bucket(TokenBucket):
    """A bucket that records what is spent, and makes everybody wait for `seconds`."""

    def __init__(self, seconds: float = 0.0) -> None:
        super().__init__(1, 1)
        self.seconds = seconds
        self.spent: list[float] = []

    def wait(self, now: float) -> float:
        return self.seconds

    def spend(self, now: float, tokens: float) -> None:
        self.spent.append(tokens)


def begun(
    client: Any,
    bucket: TokenBucket | None = None,
    share: AddressBudget | None = None,
    *,
    in_flight: InFlight | None = None,
) -> list[bool]:
    """Start reading a client's frames; the list gets an entry when the session has ended."""
    ended: list[bool] = []
    flow = Flow(bucket, None) if share is None else share.connect(bucket or Bucket())
    Inbound(client, client, flow, in_flight or InFlight(), lambda: ended.append(True)).begin()
    return ended


async def turns(number: int = 5) -> None:
    for _ in range(number):
        await asyncio.sleep(0)


class Slow:
    """A handler that waits until it may continue, and records its requests."""

    def __init__(self, error: Exception | None = None) -> None:
        self.begun: list[int] = []
        self.go = asyncio.Event()
        self._error = error

    async def __call__(self, session: Any, request: Any) -> None:
        self.begun.append(request.id)
        await self.go.wait()
        if self._error is not None:
            raise self._error


@pytest.fixture
def time_hardly_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A spent budget stays spent, even if this process gets no processor time for a second."""
    microseconds = count(10**9)
    monkeypatch.setattr(budgets, "monotonic", lambda: next(microseconds) / 10**6)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Slow:
    """The handler of `legal`."""
    handler = Slow()
    monkeypatch.setitem(HANDLERS, Legal, handler)
    return handler


def test_every_request_has_a_handler() -> None:
    assert set(HANDLERS) == set(ask.REQUESTS.values())


async def test_what_has_come_before_the_beginning_is_read_at_once() -> None:
    client = Client()
    client.inbox = [say("ping", 1), say("ping", 2)]
    begun(client)
    assert [id for id, _ in client.replies] == [1, 2]


async def test_a_request_that_waits_keeps_the_next_ones_waiting_and_others_not(slow: Slow) -> None:
    client, other = Client(), Client()
    for one in (client, other):
        begun(one)
    client.comes(say("legal", 1, room="r"), say("ping", 2), say("legal", 3, room="r"))
    other.comes(say("ping", 1))
    await turns()
    assert (slow.begun, client.replies, len(other.replies)) == ([1], [], 1)
    slow.go.set()
    await turns(9)
    assert (slow.begun, [id for id, _ in client.replies]) == ([1, 3], [2])


async def test_nothing_but_hello_and_ping_before_hello() -> None:
    client = Client(player="")
    begun(client)
    client.comes(say("ping", 1), say("rooms", 2))
    assert ([id for id, _ in client.replies], client.refusals) == ([1], [(2, "hello_first")])


@pytest.mark.parametrize(("player", "closed"), [("", [CloseCode.POLICY]), ("ann", [])])
async def test_who_does_not_say_hello_in_time_is_closed(player: str, closed: list[CloseCode]) -> None:
    client = Client(player=player)
    begun(client)
    assert client.late is not None
    seconds, late = client.late
    late()
    assert (seconds, client.closed) == (HELLO, closed)


async def test_a_frame_that_is_no_request_is_answered_and_counted() -> None:
    client = Client()
    begun(client)
    client.comes("hello?", say("fly", 7), say("ping", 8))
    assert client.replies == [(None, "not_a_message"), (7, "unknown_type"), (8, None)]
    assert (client.strikes, client.services.metrics.errors) == (2, {"not_a_message": 1, "unknown_type": 1})


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (RequestRefused("too_fast", "Slowly."), "too_fast"),
        (NoSuchRoom("r"), "no_such_room"),
        (DamagedEntry(1, "it is missing"), DAMAGED.code),
        (NewerEntry(1, "it is newer"), NEWER.code),
        (LogUnavailable("The store is away."), "unavailable"),
    ],
)
@pytest.mark.parametrize("waits", [False, True], ids=["at once", "later"])
async def test_what_a_handler_raises_is_the_answer(
    error: Exception, code: str, waits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(session: Any, request: Any) -> None:
        raise error

    slow = Slow(error)
    slow.go.set()
    monkeypatch.setitem(HANDLERS, Say, slow if waits else fails)
    client = Client()
    begun(client)
    client.comes(say("say", 3, room="r", text="Hi"))
    await turns()
    assert (client.refusals, client.closed) == ([(3, code)], [])


@pytest.mark.parametrize("waits", [False, True], ids=["at once", "later"])
async def test_a_fault_of_the_server_closes_this_connection(waits: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(session: Any, request: Any) -> None:
        raise ZeroDivisionError

    slow = Slow(ZeroDivisionError())
    slow.go.set()
    monkeypatch.setitem(HANDLERS, Say, slow if waits else fails)
    client = Client()
    begun(client)
    client.comes(say("say", 3, room="r", text="Hi"))
    await turns()
    assert client.closed == [CloseCode.INTERNAL]


# -- rates --


async def test_a_request_pays_its_price() -> None:
    client, bucket = Client(player=""), Bucket()
    begun(client, bucket)
    client.comes(say("ping", 1), say("variants", 2), "?")
    assert bucket.spent == [*(REQUESTS[one].of(None) for one in (Ping, Variants)), LEAST]


async def test_what_a_handler_finds_it_costs_is_charged_when_it_has_ended(slow: Slow) -> None:
    client, bucket = Client(), Bucket()
    begun(client, bucket)
    client.comes(say("legal", 1, room="r"))
    await turns()
    client.due += 20
    spent = list(bucket.spent)
    slow.go.set()
    await turns()
    assert (bucket.spent, client.due) == ([*spent, 20], 0)


async def test_connections_of_an_address_take_turns() -> None:
    """A client that has sent many requests waits for its turn; one that has sent few is next."""
    share, order = AddressBudget(1e6, 1e6), list[tuple[str, int]]()
    ann, bob = Client(), Client()
    for name, client in (("ann", ann), ("bob", bob)):
        client.reply = lambda frame, id, name=name: order.append((name, id))  # type: ignore[method-assign]
        begun(client, share=share)
    ann.comes(*(say("ping", id) for id in range(1, 9)))
    bob.comes(say("ping", 1), say("ping", 2))
    assert order == [("ann", 1)], "others get their turn in between"
    await turns(20)
    assert order[:5] == [("ann", 1), ("bob", 1), ("ann", 2), ("bob", 2), ("ann", 3)]
    assert len(order) == 10


class Seated:
    """Ann's running game: the handlers record their requests."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.done: list[int] = []
        self.live = SimpleNamespace(status=Status.PLAYING, seat_of=lambda player: 0 if player == "ann" else None)
        for command in (ask.Move, ask.Resign, ask.Propose):
            monkeypatch.setitem(HANDLERS, command, self._note)

    def _note(self, session: Any, request: Any) -> None:
        self.done.append(request.id)

    def client(self, player: str = "ann") -> Client:
        client = Client(player=player)
        client.followed["r"] = self
        return client


def move(id: int, room: str = "r") -> str:
    return say("move", id, room=room, move="e2e4", seq=1, key=str(id))


@pytest.mark.usefixtures("time_hardly_passes")
async def test_a_players_command_waits_for_no_budget(monkeypatch: pytest.MonkeyPatch, slow: Slow) -> None:
    game, share = Seated(monkeypatch), AddressBudget(1, 1)
    ann, bob, zoe = game.client(), game.client("bob"), game.client()
    await share.http_turn(1_000)  # the address has spent its whole budget
    for client in (ann, bob, zoe):
        begun(client, share=share)
    ann.comes(say("ping", 1), say("legal", 2, room="r"), move(3), say("resign", 4, room="r", key="4"), say("ping", 5))
    bob.comes(move(6))  # has no seat
    zoe.comes(move(7, "s"))  # in another room
    await turns()
    assert (game.done, ann.replies, slow.begun) == ([3, 4], [], [])


async def test_a_players_command_does_not_wait_for_a_request_that_is_carried_out(
    monkeypatch: pytest.MonkeyPatch, slow: Slow
) -> None:
    game = Seated(monkeypatch)
    ann = game.client()
    begun(ann, Bucket())
    ann.comes(say("legal", 1, room="r"), say("ping", 2), move(3))
    await turns()
    assert (slow.begun, game.done, ann.replies) == ([1], [3], [])


async def test_a_players_command_that_waits_for_something_goes_before_later_ones_in_its_room(
    monkeypatch: pytest.MonkeyPatch, slow: Slow
) -> None:
    game, compared = Seated(monkeypatch), Slow()
    monkeypatch.setitem(HANDLERS, ask.Move, compared)
    ann = game.client()
    ended = begun(ann, Bucket())
    ann.comes(say("legal", 1, room="r"), move(2), say("resign", 3, room="r", key="3"))
    await turns()
    assert (slow.begun, compared.begun, game.done) == ([1], [2], [])
    slow.go.set()
    await turns()
    assert game.done == []
    ann.gone = True
    compared.go.set()
    await turns(9)
    assert (game.done, ended) == ([3], [True])


@pytest.mark.usefixtures("time_hardly_passes")
async def test_too_many_commands_wait_as_other_requests_do(monkeypatch: pytest.MonkeyPatch) -> None:
    game, bucket = Seated(monkeypatch), Bucket(3600)
    ann = game.client()
    begun(ann, bucket)
    ann.comes(*(move(id) for id in range(15)))
    assert game.done == list(range(int(COMMANDS_AT_ONCE) + 1)), "the last one by overdrawing the budget"
    assert bucket.spent == []


async def test_the_commands_in_a_room_keep_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Seated(monkeypatch)
    ann = game.client()
    begun(ann, Bucket(3600))
    ann.comes(move(1), say("propose", 2, room="r", kind="draw", seq=1, key="2"), move(3))
    assert game.done == [1], "the second waits, and the third for it"
    share = AddressBudget(1e6, 1e6)
    bob = game.client()
    begun(bob, share=share)
    assert await share.http_turn(1)
    bob.comes(move(4), say("propose", 5, room="r", kind="draw", seq=1, key="5"), move(6))
    await turns()
    assert game.done == [1, 4, 5, 6]


async def test_a_bucket_sets_the_pace_and_nothing_overtakes(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    loop = asyncio.get_running_loop()

    def call_later(delay: float, callback: Callable[..., Any], *args: Any) -> asyncio.Handle:
        waits.append(delay)
        return loop.call_soon(callback, *args)

    monkeypatch.setattr(loop, "call_later", call_later)
    client = Client()
    begun(client, Bucket(7))
    client.comes(say("ping", 1), say("ping", 2))
    client.comes(say("ping", 3))
    assert (waits, client.replies) == ([7], [])
    await turns(9)
    assert (waits, [id for id, _ in client.replies]) == ([7, 7, 7], [1, 2, 3])


# -- the end --


async def test_what_a_client_has_sent_before_it_went_is_carried_out_and_then_its_session_ends() -> None:
    client = Client()
    ended = begun(client)
    client.inbox = [say("ping", 1)]
    client.goes()
    assert ([id for id, _ in client.replies], client.ends, ended, client.reader) == ([1], 1, [True], None)


async def test_of_a_client_that_was_too_fast_and_has_gone_the_rest_is_dropped() -> None:
    client, bucket = Client(), Bucket(3600)
    ended = begun(client, bucket)
    client.comes(say("ping", 1), say("ping", 2))
    client.goes()
    assert (client.replies, client.inbox, client.ends, ended) == ([], [], 1, [True])
    gone = Client()
    ended = begun(gone, bucket)
    gone.inbox = [say("ping", 1), say("ping", 2)]
    gone.goes()
    assert (gone.replies, gone.inbox, gone.ends, ended) == ([], [], 1, [True])


async def test_a_session_ends_when_its_last_request_has(slow: Slow) -> None:
    client = Client()
    ended = begun(client)
    client.comes(say("legal", 1, room="r"))
    client.goes()
    await turns()
    assert (client.ends, ended) == (0, [])
    slow.go.set()
    await turns()
    assert (client.ends, ended) == (1, [True])


async def test_a_server_that_drains_takes_nothing_new_and_waits_for_what_it_has_taken(slow: Slow) -> None:
    client, in_flight = Client(), InFlight()
    begun(client, in_flight=in_flight)
    client.comes(say("legal", 1, room="r"))
    await turns()
    in_flight.draining = True
    draining = asyncio.create_task(in_flight.drain())
    client.comes(say("ping", 2))
    await turns()
    assert not draining.done()
    slow.go.set()
    await asyncio.wait_for(draining, 240)
    await turns()
    assert (client.replies, client.inbox) == ([], [])


async def test_what_has_ended_before_a_server_drains_does_not_count() -> None:
    in_flight = InFlight()
    await asyncio.wait_for(in_flight.drain(), 240)  # there is nothing to wait for
    in_flight.began()
    in_flight.ended()
    for _ in range(2):
        in_flight.began()
    in_flight.draining = True
    draining = asyncio.create_task(in_flight.drain())
    await turns()
    in_flight.ended()
    await turns()
    assert not draining.done(), "one is still in progress"
    in_flight.ended()
    await asyncio.wait_for(draining, 240)


async def test_a_request_that_was_paced_is_dropped_when_the_server_drains(monkeypatch: pytest.MonkeyPatch) -> None:
    later: list[Callable[[], Any]] = []

    class Timer:
        def cancel(self) -> None:
            """It waits for nothing."""

    def call_later(delay: float, callback: Callable[..., Any], *args: Any) -> Timer:
        later.append(lambda: callback(*args))
        return Timer()

    monkeypatch.setattr(asyncio.get_running_loop(), "call_later", call_later)
    client, in_flight = Client(), InFlight()
    begun(client, Bucket(1), in_flight=in_flight)
    client.comes(say("ping", 1))
    in_flight.draining = True
    later[0]()
    assert client.replies == []
