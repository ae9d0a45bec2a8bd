"""The order of requests: the connections of an address share a budget, and take turns.

A request costs its price (see `prices`). Among the waiting requests of an address, the next is that of the connection
that has used least: weighted fair queueing, by virtual finish times. Each turn of the event loop serves one request per
address, so requests of other addresses never wait longer than that. HTTP counts as one connection of its address.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from typing import Final

from fourfold.server.clock import monotonic

DEBT: Final = 1.0
"""Seconds for which a bucket makes its owner wait at most, however much was spent at once."""

COMMANDS: Final = 3.0
"""Commands per second that a connection may send beyond its budget, for a game that its player plays."""

COMMANDS_AT_ONCE: Final = 10.0
"""How many of them it may send at once. Faster ones count as other requests do."""

REST: Final = 0.001
"""Seconds that a spent budget rests at least. Timers of the event loop are no finer: a shorter one would fire again and
again until the budget has grown."""

HTTP_WAITING: Final = 200
"""How many HTTP requests of an address may wait for their turn. A page loads some 80 files, on six connections."""

Go = Callable[[], None]


class TokenBucket:
    """A token bucket: `rate` tokens per second in the long run, after a burst. Times are in seconds.

    It stores one number: the moment at which the bucket is full again. Each spent token moves it later. The burst is
    how far in the future it may be before the next token waits.
    """

    __slots__ = ("_burst", "_cost", "_full_at")

    def __init__(self, rate: float, burst: float) -> None:
        self._cost = 1 / rate
        self._burst = burst / rate
        self._full_at = 0.0

    def wait(self, now: float) -> float:
        """Seconds until something may be spent; 0 for now."""
        return max(self._full_at - now - self._burst, 0.0)

    def spend(self, now: float, tokens: float) -> None:
        """Spend tokens, even more than there are. The next ones then wait, but never longer than `DEBT` seconds."""
        self._full_at = min(max(self._full_at, now) + tokens * self._cost, now + self._burst + DEBT)

    def full(self, now: float) -> bool:
        """Whether the bucket is full."""
        return self._full_at <= now


@dataclass(slots=True)
class _Waiting:
    """A waiting request: its start in virtual time, and the function that handles it (None: cancelled)."""

    began: float
    price: float
    go: Go | None


class AddressBudget:
    """The budget of an address, and its waiting requests."""

    def __init__(self, rate: float, burst: float) -> None:
        """`rate` is in milliseconds of processor time a second, `burst` in milliseconds."""
        self.virtual = 0.0
        """The virtual time at which the last served request began."""
        self._bucket = TokenBucket(rate, burst)
        self._http = Flow(None, self)
        self._http_waiting = 0
        self._connections = 0
        self._first: deque[Go] = deque()
        self._waiting: list[tuple[float, int, _Waiting]] = []
        self._numbers = count()
        self._taken = False  # whether a request was served in this turn of the event loop
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        """The number of waiting requests."""
        return len(self._waiting)

    def dry(self) -> bool:
        """Whether the budget is spent."""
        return self._bucket.wait(monotonic()) > 0

    def connect(self, own: TokenBucket) -> "Flow":
        """The flow of a new connection, which also has a budget of its own. Call `disconnect` when it has ended."""
        self._connections += 1
        return Flow(own, self)

    def disconnect(self) -> None:
        """Uncount a connection."""
        self._connections -= 1

    async def http_turn(self, price: float) -> bool:
        """Wait until an HTTP request may be served, and charge it. False: too many of them wait."""
        if self._http_waiting >= HTTP_WAITING:
            return False
        turn = asyncio.Event()
        if not self._http.ask(price, turn.set):
            self._http_waiting += 1
            try:
                await turn.wait()
            finally:
                self._http_waiting -= 1
        return True

    def idle(self) -> bool:
        """Whether the share can be dropped, because a new one would be the same."""
        return not self._connections and not self._waiting and self._bucket.full(monotonic())

    def spend(self, price: float) -> None:
        """Charge the budget."""
        self._bucket.spend(monotonic(), price)

    def enter(self, began: float, price: float, go: Go) -> _Waiting | None:
        """Call `go` when it is the request's turn. None: it is its turn now, and the caller handles it.

        `began` is the virtual time at which its flow starts to pay for it.
        """
        if not (self._taken or self._waiting or self.dry()):
            self._take(began, price)
            return None
        waiting = _Waiting(began, price, go)
        heappush(self._waiting, (began + price, next(self._numbers), waiting))
        if not self._taken and self._timer is None:
            self._arm()
        return waiting

    def enter_first(self, go: Go) -> bool:
        """Call `go` before all requests that wait for the budget. True: now, and the caller handles it."""
        if self._taken:
            self._first.append(go)
            return False
        self._take(self.virtual, 0.0)
        return True

    def _take(self, began: float, price: float) -> None:
        self.virtual = began
        self._taken = True
        self._bucket.spend(monotonic(), price)
        asyncio.get_running_loop().call_soon(self._turn)

    def _turn(self) -> None:
        """Serve the request whose turn it is."""
        self._taken = False
        if self._first:
            first = self._first.popleft()
            self._take(self.virtual, 0.0)
            first()
            return
        while self._waiting and self._waiting[0][2].go is None:
            heappop(self._waiting)
        if not self._waiting:
            return
        if self.dry():
            self._arm()
            return
        _, _, waiting = heappop(self._waiting)
        go = waiting.go
        assert go is not None
        self._take(waiting.began, waiting.price)
        go()

    def _arm(self) -> None:
        """Continue when the budget has recovered."""
        if self._timer is None:
            wait = self._bucket.wait(monotonic())
            self._timer = asyncio.get_running_loop().call_later(max(wait, REST), self._rested)

    def _rested(self) -> None:
        self._timer = None
        if not self._taken:  # otherwise its turn comes anyway
            self._turn()


class Flow:
    """The requests of one connection: limited by its own bucket, and in turn with others of its address."""

    def __init__(self, own: TokenBucket | None, share: AddressBudget | None) -> None:
        self._share = share
        self._own = own
        self._commands = TokenBucket(COMMANDS, COMMANDS_AT_ONCE)
        self._paid = 0.0  # the virtual time up to which this flow has paid
        self._pause: asyncio.TimerHandle | None = None
        self._waiting: _Waiting | None = None

    @property
    def shared(self) -> bool:
        """Whether other connections of its address pay from the same budget."""
        return self._share is not None

    def ask(self, price: float, go: Go) -> bool:
        """Charge a request and return True, if it may be handled now; else `go` is called once it is charged."""
        wait = 0.0 if self._own is None else self._own.wait(monotonic())
        if wait:
            self._pause = asyncio.get_running_loop().call_later(wait, self._rested, price, go)
            return False
        return self._enter(price, go)

    def ask_first(self, go: Go) -> bool | None:
        """The same for a command that needs no budget. None: there were too many; use `ask` as for other requests."""
        now = monotonic()
        if self._own is None:
            return True
        if self._commands.wait(now):
            return None
        self._commands.spend(now, 1)
        return self._share is None or self._share.enter_first(go)

    def pay(self, price: float) -> None:
        """Charge for the cost of a request beyond its price."""
        if self._own is not None:
            self._own.spend(monotonic(), price)
        if self._share is not None:
            self._share.spend(price)
            self._paid += price

    def dry(self) -> bool:
        """Whether the next request waits for the budget, not only for its turn."""
        own = self._own is not None and self._own.wait(monotonic()) > 0
        return own or (self._share is not None and self._share.dry())

    def cancel(self) -> None:
        """Cancel the waiting request: its `go` is not called."""
        if self._pause is not None:
            self._pause.cancel()
            self._pause = None
        if self._waiting is not None:
            self._waiting.go = None
            self._waiting = None

    def end(self) -> None:
        """The connection has ended."""
        self.cancel()
        if self._share is not None:
            self._share.disconnect()

    def _rested(self, price: float, go: Go) -> None:
        self._pause = None
        if self._enter(price, go):
            go()

    def _enter(self, price: float, go: Go) -> bool:
        if self._own is not None:
            self._own.spend(monotonic(), price)
        share = self._share
        if share is None:
            return True
        began = max(self._paid, share.virtual)
        self._paid = began + price
        self._waiting = share.enter(began, price, go)
        return self._waiting is None
