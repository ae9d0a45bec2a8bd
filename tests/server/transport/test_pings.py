"""Liveness of a client: concurrent callers share one ping, and only the answer to the last one counts."""

import asyncio

import pytest

from fourfold.server.transport.pings import Pings


class Line:
    """A connection's pings, and the sent ones."""

    def __init__(self) -> None:
        self.pings = Pings()
        self.sent: list[bytes] = []

    def ping(self) -> None:
        self.sent.append(self.pings.ping())

    def ask(self, seconds: float = 60) -> "asyncio.Task[bool]":
        return asyncio.create_task(self.pings.answered(seconds, self.ping))


async def test_all_who_ask_meanwhile_share_one_ping() -> None:
    line = Line()
    asking = [line.ask(), line.ask()]
    await asyncio.sleep(0)
    assert len(line.sent) == 1
    line.pings.pong(line.sent[0])
    assert await asyncio.gather(*asking) == [True, True]
    later = line.ask()
    await asyncio.sleep(0)
    assert len(line.sent) == 2
    line.pings.end()
    assert await later is False


async def test_only_the_answer_to_the_last_ping_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now)
    pings = Pings()
    first = pings.ping()
    now = 101.0
    second = pings.ping()
    now = 101.25
    pings.pong(first)
    assert pings.trip == 0
    pings.pong(second)
    assert pings.trip == 250
    now = 105.0
    pings.pong(second)
    assert pings.trip == 250, "it came before"


async def test_one_who_does_not_answer_in_time_is_asked_again_the_next_time() -> None:
    line = Line()
    assert await line.ask(0) is False
    later = line.ask()
    await asyncio.sleep(0)
    assert len(line.sent) == 2
    line.pings.pong(line.sent[1])
    assert await later is True
