"""Which connections the server accepts, by address and by origin, and the quotas of an address.

An address is that of a connection's other end. Behind the operator's own proxies, it is the one that the outermost of
them reported in X-Forwarded-For. Connections from the server's own machine have no limits: they are the operator's, or
come through a proxy that `trust_proxy` does not count. A reported address never counts as the own machine.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final, NamedTuple

import structlog

from fourfold.server.clock import DAY, Clock
from fourfold.server.limits.prices import LEAST
from fourfold.server.limits.rate import Budget, SlidingWindow
from fourfold.server.limits.refused import RequestRefused, too_fast
from fourfold.server.limits.turns import AddressBudget, Flow, TokenBucket
from fourfold.server.settings import Settings, networks

_log = structlog.get_logger(__name__)

MINUTE: Final = 60_000
"""The window of all quotas, in milliseconds."""

SHARE: Final = 2
"""How many times the budget of one connection an address gets, for all its connections and HTTP together."""

BURST: Final = 2.0
"""Seconds of its budget that a connection or an address may use at once."""

ORIGIN: Final = 200
"""How many characters of a refused origin are shown."""

WARNED: Final = 20
"""How many refused origins the log names at most. Strangers may send any."""


class Quota(NamedTuple):
    """How many times per minute an address may do something; `what` names it in the refusal."""

    what: str
    most: int


SEAT: Final = Quota("seats taken", 120)
BOT: Final = Quota("bots invited", 60)
SPEECH: Final = Quota("things said", 120)
EXPORT: Final = Quota("exports", 120)
READ: Final = Quota("games read", 30)
KEY: Final = Quota("keys tried", 10)
ACCOUNT: Final = Quota("registrations or sign-ins", 10)
PICTURE: Final = Quota("pictures of positions", 240)
ANALYSIS: Final = Quota("positions analysed", 240)
REVIEW: Final = Quota("games reviewed", 20)
CHALLENGE: Final = Quota("challenges made", 30)
REPORT: Final = Quota("players reported", 10)
STUDY: Final = Quota("studies opened", 20)
IMPORT: Final = Quota("games added to the archive", 10)
EDIT: Final = Quota("edits of studies", 1200)
QR: Final = Quota("QR codes", 120)
QUOTAS: Final = (
    SEAT, BOT, SPEECH, EXPORT, READ, KEY, ACCOUNT, PICTURE, ANALYSIS, REVIEW, CHALLENGE, REPORT, STUDY, IMPORT, EDIT, QR
)  # fmt: skip
"""All quotas except that of opening rooms, which is a setting. A group behind one address needs less."""


WRITTEN: Final = 10_000_000
"""Bytes that an address may write into studies per day. The store keeps all of them. Thirty pupils who each record a
hundred games need less."""

WRITTEN_BY_GUEST: Final = 2_000_000
"""Bytes that a guest may write into studies per day."""


@dataclass(frozen=True, slots=True)
class AdmissionDenied:
    """Why a connection is denied: an HTTP status, a code for the metrics, a sentence, and the seconds until a retry."""

    status: HTTPStatus
    code: str
    sentence: str
    retry: int | None = None


class Admission:
    """Counts connections and the actions of addresses, and denies those that the settings do not allow."""

    def __init__(
        self, settings: Settings, clock: Clock, banned: Callable[[str], str | None] = lambda _: None
    ) -> None:
        """`banned` returns why an address is banned, in a sentence; None if it is not."""
        self._banned = banned
        self._origins = settings.allowed_origins
        self._proxies = settings.trust_proxy
        self._most = settings.max_connections
        self._warned = False
        self._refused: set[str] = set()  # origins that a warning has named
        self._readers = networks(settings.metrics)
        self._knocking: Counter[str] = Counter()
        self._inside: Counter[str] = Counter()
        self._rate = settings.max_rate
        self._shares: dict[str, AddressBudget] = {}  # roughly in the order of their last use
        self._openings = SlidingWindow(settings.max_rooms, MINUTE, clock) if settings.max_rooms else None
        self._written = Budget(WRITTEN, DAY, clock)
        self._written_by_guests = Budget(WRITTEN_BY_GUEST, DAY, clock)
        self._windows = {quota: SlidingWindow(quota.most, MINUTE, clock) for quota in QUOTAS}

    def address(self, host: str, forwarded: Sequence[str]) -> str:
        """The client's address: `host` is the connection's other end, `forwarded` are its X-Forwarded-For headers."""
        if forwarded and not self._proxies and not self._warned:
            self._warned = True
            _log.warning(
                "X-Forwarded-For, but TRUST_PROXY is 0. If your own proxy stands before this server, all its clients "
                "count as one address, or as none. Set TRUST_PROXY to the number of proxies"
            )
        origin, told = self._origin(host, forwarded)
        address = _network(origin)
        return f"told {address}" if told and _is_own(address) else address

    def reads_metrics(self, host: str, forwarded: Sequence[str]) -> bool:
        """Whether a client may read the metrics; the arguments are as in `address`.

        A request from this machine with X-Forwarded-For comes through a proxy that `trust_proxy` does not count, and
        may not.
        """
        address = _parse(self._origin(host, forwarded)[0])
        if address is None or (forwarded and address.is_loopback):
            return False
        return any(address in network for network in self._readers)

    def _origin(self, host: str, forwarded: Sequence[str]) -> tuple[str, bool]:
        """The client's address, and whether a proxy has reported it. If there are fewer reports than proxies, the first
        report counts."""
        chain = [entry.strip() for line in forwarded for entry in line.split(",")]
        if self._proxies and chain:
            return chain[max(len(chain) - self._proxies, 0)], True
        return host, False

    def refusal(self, address: str, origin: str | None) -> AdmissionDenied | None:
        """Why a connection from an address, opened by a page of an origin, is denied; None if it is accepted.

        Programs send no origin, and need none.
        """
        foreign = None if origin is None else self.foreign(origin)
        if foreign is not None:
            return AdmissionDenied(HTTPStatus.FORBIDDEN, "origin", foreign)
        if self._limits(address) and self._inside[address] >= self._most:
            return AdmissionDenied(
                HTTPStatus.TOO_MANY_REQUESTS,
                "too_many_connections",
                f"Your address already has {self._most} connections. Close one first.",
                retry=10,
            )
        return None

    def foreign(self, origin: str) -> str | None:
        """Why pages of an origin may not connect, with a hint for the operator; None if they may. The log names the
        first such origins."""
        if self._origins is None or origin.lower() in self._origins:
            return None
        shown = origin[:ORIGIN] or "an unknown origin"
        if shown not in self._refused and len(self._refused) < WARNED:
            self._refused.add(shown)
            _log.warning(
                "origin refused: its pages can't connect; add it to ALLOWED_ORIGINS if it is yours",
                origin=shown,
                allowed=self._origins,
            )
        return f"Pages of {shown} can't connect: the server's ALLOWED_ORIGINS does not name it."

    def ban(self, address: str) -> AdmissionDenied | None:
        """The denial for a banned address; None if it is not banned."""
        sentence = self._banned(address)
        return None if sentence is None else AdmissionDenied(HTTPStatus.FORBIDDEN, "banned", sentence)

    def enter(self, address: str) -> None:
        """Count an accepted connection."""
        self._inside[address] += 1

    def leave(self, address: str) -> None:
        """Uncount a connection."""
        _less(self._inside, address)

    def flow(self, address: str) -> Flow:
        """The limits of a new connection: a budget of its own, and a share in its address's."""
        if not self._rate:
            return Flow(None, None)
        rate = self._rate * LEAST
        own = TokenBucket(rate, BURST * rate)
        share = self._share(address)
        return Flow(own, None) if share is None else share.connect(own)

    async def http_turn(self, price: float, address: str) -> AdmissionDenied | None:
        """Wait until an address may send an HTTP request, and charge it; or return why it is denied."""
        share = self._share(address)
        if share is None or await share.http_turn(price):
            return None
        return AdmissionDenied(
            HTTPStatus.TOO_MANY_REQUESTS, "too_fast", "Too many requests from your address. Try again.", retry=2
        )

    def _share(self, address: str) -> AddressBudget | None:
        """The budget of an address; None if it has no limits."""
        if not self._rate or _is_own(address):
            return None
        share = self._shares.pop(address, None)
        if share is None:
            rate = SHARE * self._rate * LEAST
            share = AddressBudget(rate, BURST * rate)
        self._shares[address] = share
        for _ in range(2):  # each addition checks two old entries, so that unused ones go without a search
            oldest = next(iter(self._shares))
            other = self._shares.pop(oldest)
            if not other.idle() or other is share:
                self._shares[oldest] = other
        return share

    def knock(self, host: str) -> bool:
        """Count a connection without a request; False if there are too many from its address.

        As many may wait as may be accepted. Connections of proxies have no limits.
        """
        address = _network(host)
        if not self._proxies and self._limits(address) and self._knocking[address] >= self._most:
            return False
        self._knocking[address] += 1
        return True

    def knocked(self, host: str) -> None:
        """Uncount a connection from `knock`: it has sent its request, or has ended."""
        _less(self._knocking, _network(host))

    def open_room(self, address: str) -> int:
        """Count a room opened from an address, and return 0; or return the milliseconds until it may open one."""
        return 0 if self._openings is None else _done(self._openings, address)

    def do(self, quota: Quota, address: str) -> None:
        """Count an action of an address. Raises `RequestRefused` over the quota."""
        wait = _done(self._windows[quota], address)
        if wait:
            raise too_fast(f"Too many {quota.what} from your address", wait)

    def write(self, size: int, address: str, guest: str | None) -> None:
        """Count bytes that an address, and a guest if it is one, writes into studies. Raises `RequestRefused` over the
        daily limit."""
        if _is_own(address):
            return
        budgets = [(self._written, address, "from your address")]
        if guest is not None:
            budgets.append((self._written_by_guests, guest, "as a guest"))
        for budget, key, who in budgets:
            wait = budget.wait(key, size)
            if wait:
                raise RequestRefused("too_fast", _too_much(budget.most, who, wait), wait)
        for budget, key, _ in budgets:
            budget.spend(key, size)

    def counts(self, address: str) -> bool:
        """Whether an address has limits: the server's own machine has none."""
        return not _is_own(address)

    def _limits(self, address: str) -> bool:
        return bool(self._most) and not _is_own(address)


_HERE = "127.0.0.1"


def _is_own(address: str) -> bool:
    """Whether an address is this machine's own, or unknown because its connection ended early."""
    return not address or address == _HERE


def _done(window: SlidingWindow, address: str) -> int:
    """Count an action of an address, and return 0; or return the milliseconds until it may."""
    if _is_own(address):
        return 0
    wait = window.wait(address)
    if not wait:
        window.count(address)
    return wait


def _too_much(most: int, who: str, wait: int) -> str:
    minutes = -(-wait // MINUTE)
    later = f"{minutes} min" if minutes < 120 else f"{-(-minutes // 60)} h"
    return f"You can write {most // 1_000_000} MB into studies a day {who}. Try again in {later}."


def _less(counts: Counter[str], address: str) -> None:
    counts[address] -= 1
    if not counts[address]:
        del counts[address]


def _network(text: str) -> str:
    """The unit of counting: an IPv4 address, an IPv6 /64, or one unit for this machine."""
    address = _parse(text)
    if address is None:
        return text[:64]
    if address.is_loopback:
        return _HERE
    if isinstance(address, IPv6Address):
        return str(IPv6Network((int(address) >> 64 << 64, 64)))
    return str(address)


def _parse(text: str) -> IPv4Address | IPv6Address | None:
    """Parse an address in the forms that proxies write: plain, with a port, or in brackets."""
    host = text[1:].partition("]")[0] if text.startswith("[") else text
    try:
        address = ip_address(host.partition(":")[0] if host.count(":") == 1 else host)
    except ValueError:
        return None
    return (isinstance(address, IPv6Address) and address.ipv4_mapped) or address
