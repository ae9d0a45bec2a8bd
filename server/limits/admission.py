"""Who may come in: from which address, by which page, how many at once; and what an address may do, how often.
Knows no sockets.

An address is that of a connection's other end; behind proxies of the operator's own, the one that the
outermost of these saw and told in X-Forwarded-For. What comes from the machine itself is not counted:
it is the operator's own, or comes by a proxy of which `trust_proxy` does not know. An address that was
told never is the machine itself, whatever it says.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final, NamedTuple

import structlog

from fourfold.server.clock import Clock
from fourfold.server.limits.rate import SlidingWindow, TokenBucket
from fourfold.server.limits.refused import too_fast
from fourfold.server.settings import Settings, networks

_log = structlog.get_logger(__name__)

MINUTE: Final = 60_000
"""In milliseconds: what deeds are counted over."""

SHARE: Final = 2
"""How many times as fast as one connection all those of an address together may ask."""


class Quota(NamedTuple):
    """What is counted for each address: how it is called where somebody does it too often, and how often in a minute
    it may be done."""

    what: str
    most: int


SEAT: Final = Quota("seats taken", 120)
BOT: Final = Quota("bots invited", 60)
SPEECH: Final = Quota("things said", 120)
EXPORT: Final = Quota("exports", 120)
READ: Final = Quota("games read", 30)
KEY: Final = Quota("keys tried", 10)
QUOTAS: Final = (SEAT, BOT, SPEECH, EXPORT, READ, KEY)
"""All but the opening of rooms, which the settings bound. A group behind one address needs less."""


@dataclass(frozen=True, slots=True)
class AdmissionDenied:
    """Why a connection may not come in: an HTTP status, a word for the metrics, a sentence, when to try again (s)."""

    status: HTTPStatus
    code: str
    sentence: str
    retry: int | None = None


class Admission:
    """Counts who is in, and refuses whom the settings do not allow."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._origins = settings.allowed_origins
        self._proxies = settings.trust_proxy
        self._most = settings.max_connections
        self._warned = False
        self._readers = networks(settings.metrics)
        self._knocking: Counter[str] = Counter()
        self._inside: Counter[str] = Counter()
        self._rate = settings.max_rate
        self._flows: dict[str, TokenBucket] = {}
        self._openings = SlidingWindow(settings.max_rooms, MINUTE, clock) if settings.max_rooms else None
        self._paces = {deed: SlidingWindow(deed.most, MINUTE, clock) for deed in QUOTAS}

    def address(self, host: str, forwarded: Sequence[str]) -> str:
        """Where a connection comes from: `host` is its other end, `forwarded` are its X-Forwarded-For lines."""
        if forwarded and not self._proxies and not self._warned:
            self._warned = True
            _log.warning(
                "X-Forwarded-For, but TRUST_PROXY is 0: if a proxy of yours stands before this server, all who come by "
                "it count as one address, or as none; say how many proxies there are"
            )
        origin, told = self._origin(host, forwarded)
        address = _network(origin)
        return f"told {address}" if told and _is_own(address) else address

    def reads_metrics(self, host: str, forwarded: Sequence[str]) -> bool:
        """Whether who asks for the metrics may have them; `host` and `forwarded` as above.

        From this machine comes also what a proxy passes on of which `trust_proxy` does not know: it names others.
        """
        address = _parse(self._origin(host, forwarded)[0])
        if address is None or (forwarded and address.is_loopback):
            return False
        return any(address in network for network in self._readers)

    def _origin(self, host: str, forwarded: Sequence[str]) -> tuple[str, bool]:
        """Where a connection comes from, and whether a proxy has told it. Who has come by fewer proxies than there are
        is known to the first that they met."""
        chain = [entry.strip() for line in forwarded for entry in line.split(",")]
        if self._proxies and chain:
            return chain[max(len(chain) - self._proxies, 0)], True
        return host, False

    def refusal(self, address: str, origin: str | None) -> AdmissionDenied | None:
        """Why a connection from this address, opened by a page of this origin, may not come in; None if it may.

        Without an origin it was not opened by a page: any program may.
        """
        if origin is not None and self._origins is not None and origin.lower() not in self._origins:
            return AdmissionDenied(
                HTTPStatus.FORBIDDEN,
                "origin",
                "Pages of this origin may not open a socket here: ALLOWED_ORIGINS of the server does not name it.",
            )
        if self._limits(address) and self._inside[address] >= self._most:
            return AdmissionDenied(
                HTTPStatus.TOO_MANY_REQUESTS,
                "too_many_connections",
                f"There are {self._most} connections from your address already; close one first.",
                retry=10,
            )
        return None

    def enter(self, address: str) -> None:
        """One more is in."""
        self._inside[address] += 1

    def leave(self, address: str) -> None:
        """One less."""
        _less(self._inside, address)
        if address not in self._inside:
            self._flows.pop(address, None)

    def flows(self, address: str) -> Sequence[TokenBucket]:
        """What bounds how fast requests are read of a new connection from an address: its own, and that of all."""
        if not self._rate:
            return ()
        own = TokenBucket(self._rate, 2 * self._rate)
        if _is_own(address):
            return (own,)
        share = SHARE * self._rate
        return own, self._flows.setdefault(address, TokenBucket(share, share))

    def knock(self, host: str) -> bool:
        """Whether one more connection may wait there without having said what it wants; if so, it is counted.

        As many may as may be in. Proxies are not counted: how long a client takes is theirs to bound.
        """
        address = _network(host)
        if not self._proxies and self._limits(address) and self._knocking[address] >= self._most:
            return False
        self._knocking[address] += 1
        return True

    def knocked(self, host: str) -> None:
        """A connection that was counted by `knock` has said what it wants, or is gone."""
        _less(self._knocking, _network(host))

    def open_room(self, address: str) -> int:
        """Count a room opened from an address, and return 0; or return in how many milliseconds it may be."""
        return 0 if self._openings is None else _done(self._openings, address)

    def do(self, deed: Quota, address: str) -> None:
        """Count a deed. Raises `RequestRefused` if there were too many."""
        wait = _done(self._paces[deed], address)
        if wait:
            raise too_fast(f"Too many {deed.what} from your address", wait)

    def counts(self, address: str) -> bool:
        """Whether what is done from an address is counted."""
        return not _is_own(address)

    def _limits(self, address: str) -> bool:
        return bool(self._most) and not _is_own(address)


_HERE = "127.0.0.1"


def _is_own(address: str) -> bool:
    """Whether it is this machine's own, or was gone before it could be told."""
    return not address or address == _HERE


def _done(pace: SlidingWindow, address: str) -> int:
    """Count what was done from an address, and return 0; or return in how many milliseconds it may be."""
    if _is_own(address):
        return 0
    wait = pace.wait(address)
    if not wait:
        pace.count(address)
    return wait


def _less(counts: Counter[str], address: str) -> None:
    counts[address] -= 1
    if not counts[address]:
        del counts[address]


def _network(text: str) -> str:
    """What counts as one address: of IPv6, the network of 64 bits that one customer gets; of this machine, one."""
    address = _parse(text)
    if address is None:
        return text[:64]
    if address.is_loopback:
        return _HERE
    if isinstance(address, IPv6Address):
        return str(IPv6Network((int(address) >> 64 << 64, 64)))
    return str(address)


def _parse(text: str) -> IPv4Address | IPv6Address | None:
    """An address as proxies write it: bare, with a port, or in brackets."""
    host = text[1:].partition("]")[0] if text.startswith("[") else text
    try:
        address = ip_address(host.partition(":")[0] if host.count(":") == 1 else host)
    except ValueError:
        return None
    return (isinstance(address, IPv6Address) and address.ipv4_mapped) or address
