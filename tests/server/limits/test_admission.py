"""Which clients count as one address, and how many may connect."""

from typing import Any

import pytest
from structlog.testing import capture_logs

from fourfold.server.limits.admission import WARNED, WRITTEN, WRITTEN_BY_GUEST, Admission
from fourfold.server.limits.refused import RequestRefused
from fourfold.server.settings import Settings


class Clock:
    """Set by hand."""

    def __init__(self) -> None:
        self.now = 1_000_000

    def __call__(self) -> int:
        return self.now


def admission(**settings: Any) -> Admission:
    return Admission(Settings(**settings), Clock())


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, [], "192.0.2.9"),
        (0, ["198.51.100.1"], "192.0.2.9"),  # any client can write this header
        (1, ["198.51.100.1"], "198.51.100.1"),
        (1, ["10.0.0.1, 198.51.100.1"], "198.51.100.1"),  # the first is the client's own claim
        (1, ["10.0.0.1", "198.51.100.1"], "198.51.100.1"),
        (2, ["10.0.0.1, 198.51.100.1, 203.0.113.5"], "198.51.100.1"),
        (2, ["198.51.100.1"], "198.51.100.1"),  # came through the inner proxy alone, which has seen the client
        (2, [], "192.0.2.9"),
        (1, ["198.51.100.1:4711"], "198.51.100.1"),
        (1, ["[2001:db8:1:2:3:4:5:6]:4711"], "2001:db8:1:2::/64"),
        (1, ["2001:db8:1:2::77"], "2001:db8:1:2::/64"),
        (1, ["::ffff:198.51.100.1"], "198.51.100.1"),
        (1, ["::1"], "told 127.0.0.1"),  # only this machine counts as this machine
        (1, ["127.8.8.8"], "told 127.0.0.1"),
        (1, [""], "told "),
        (1, ["unknown"], "unknown"),
        (1, ["x" * 9999], "x" * 64),
    ],
)
def test_where_a_connection_comes_from(proxies: int, forwarded: list[str], address: str) -> None:
    assert admission(trust_proxy=proxies).address("192.0.2.9", forwarded) == address


def test_so_many_from_one_address() -> None:
    door = admission(max_connections=2)
    for _ in range(2):
        assert door.refusal("192.0.2.9", None) is None
        door.enter("192.0.2.9")
    refusal = door.refusal("192.0.2.9", None)
    assert refusal is not None
    assert (refusal.status, refusal.code) == (429, "too_many_connections")
    assert door.refusal("192.0.2.10", None) is None
    door.leave("192.0.2.9")
    assert door.refusal("192.0.2.9", None) is None


def test_so_many_that_have_said_nothing_yet() -> None:
    door = admission(max_connections=2)
    assert [door.knock("2001:db8::1"), door.knock("2001:db8::2"), door.knock("2001:db8::3")] == [True, True, False]
    door.knocked("2001:db8::1")
    assert door.knock("2001:db8::3")
    proxied = admission(max_connections=2, trust_proxy=1)
    assert all(proxied.knock("192.0.2.9") for _ in range(10))


@pytest.mark.parametrize("told", ["127.0.0.1", "::1", "::ffff:127.0.0.1", ""])
async def test_nobody_is_this_machine_by_saying_so(told: str) -> None:
    door = admission(max_connections=1, max_rooms=1, trust_proxy=1)
    address = door.address("127.0.0.1", [told])
    door.enter(address)
    assert door.refusal(address, None) is not None
    assert door.open_room(address) == 0
    assert door.open_room(address) > 0
    assert door.flow(address).shared
    assert not door.flow("127.0.0.1").shared
    assert not door.reads_metrics("127.0.0.1", [told])


def test_a_proxy_that_nobody_spoke_of_is_warned_of_once() -> None:
    with capture_logs() as logs:
        door = admission()
        door.address("127.0.0.1", [])
        for _ in range(3):
            door.address("127.0.0.1", ["198.51.100.1"])
        admission(trust_proxy=1).address("127.0.0.1", ["198.51.100.1"])
    assert [(entry["log_level"], "TRUST_PROXY" in entry["event"]) for entry in logs] == [("warning", True)]


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1", ""])
def test_this_machine_is_not_counted(host: str) -> None:
    door = admission(max_connections=1, max_rooms=1)
    address = door.address(host, [])
    for _ in range(3):
        assert door.knock(host)
        assert door.refusal(address, None) is None
        door.enter(address)
        assert door.open_room(address) == 0


def test_so_many_bytes_of_studies_a_day() -> None:
    clock = Clock()
    door = Admission(Settings(), clock)
    door.write(WRITTEN_BY_GUEST, "192.0.2.9", "ann")
    clock.now += 60_000
    with pytest.raises(RequestRefused, match=r"2 MB into studies a day as a guest. Try again in 24 h\.") as refusal:
        door.write(1, "192.0.2.10", "ann")
    assert refusal.value.rejection.retry == 24 * 3_600_000 - 60_000
    door.write(WRITTEN - WRITTEN_BY_GUEST, "192.0.2.9", None)
    with pytest.raises(RequestRefused, match="10 MB into studies a day from your address"):
        door.write(1, "192.0.2.9", "bob")
    door.write(1, "192.0.2.10", "bob")
    door.write(WRITTEN + 1, "127.0.0.1", "ann")
    clock.now += 24 * 3_600_000
    door.write(1, "192.0.2.9", "ann")


def test_zero_is_any_number() -> None:
    door = admission(max_connections=0, max_rooms=0)
    for _ in range(1000):
        assert door.knock("192.0.2.9")
        assert door.refusal("192.0.2.9", None) is None
        door.enter("192.0.2.9")
        assert door.open_room("192.0.2.9") == 0


def test_so_many_rooms_a_minute() -> None:
    clock = Clock()
    door = Admission(Settings(max_rooms=2), clock)
    assert door.open_room("192.0.2.9") == 0
    clock.now += 10_000
    assert door.open_room("192.0.2.9") == 0
    assert door.open_room("192.0.2.9") == 50_000
    assert door.open_room("192.0.2.10") == 0
    clock.now += 50_000
    assert door.open_room("192.0.2.9") == 0
    assert door.open_room("192.0.2.9") == 10_000


@pytest.mark.parametrize(
    ("origin", "comes_in"),
    [
        (None, True),
        ("https://chess.example.org", True),
        ("HTTPS://chess.example.org", True),
        ("http://chess.example.org", False),
        ("https://chess.example.org.evil.example", False),
        ("https://chess.example.org:8443", False),
        ("null", False),
        ("", False),
    ],
)
def test_pages_of_other_origins_do_not_come_in(origin: str | None, comes_in: bool) -> None:
    door = admission(allowed_origins=("https://chess.example.org",))
    refusal = door.refusal("192.0.2.9", origin)
    assert (refusal is None) is comes_in
    if refusal is not None:
        assert (refusal.status, refusal.code) == (403, "origin")
        assert "ALLOWED_ORIGINS" in refusal.sentence
    assert admission().refusal("192.0.2.9", origin) is None


def test_the_log_names_refused_origins_once_each_and_not_without_end() -> None:
    door = admission(allowed_origins=("https://chess.example.org",))
    with capture_logs() as logs:
        for number in (0, 0, *range(2 * WARNED)):
            door.refusal("192.0.2.9", f"https://{number}.example")
        door.refusal("192.0.2.9", "https://chess.example.org")
    assert [entry["origin"] for entry in logs] == [f"https://{number}.example" for number in range(WARNED)]
    assert "ALLOWED_ORIGINS" in logs[0]["event"]
    assert logs[0]["allowed"] == ("https://chess.example.org",)
