"""Positions that bot hosts analyse: which hosts get them, who gets the results, and how jobs end."""

import asyncio
from typing import Any, cast

import pytest
from structlog.testing import capture_logs

from fourfold.protocol.from_client import Examined, Found
from fourfold.protocol.from_server import Consult, Examine
from fourfold.server.bots import analysts
from fourfold.server.bots.analysts import PATIENCE, Analysts, Answer
from fourfold.server.replication.fanout import Follower
from tests.conftest import some
from tests.server.bots.test_dispatch import host_of, key
from tests.server.memory_log import MemoryLog
from tests.virtual_time import in_virtual_time

__all__ = ["key"]

Dial = Any  # see conftest
Wire = Any

LINE = {
    "moves": ["e2e4"], "texts": ["e4"], "seats": ["white"], "score": 30, "mate": None,
    "shares": {"white": 0.55, "black": 0.45},
}  # fmt: skip
THREAT = {"seat": "black", "move": "d8h4", "text": "Qh4#", "gain": 0, "mate": True}


async def given(host: Wire, after: int = 0) -> dict[str, Any]:
    """The host's next `consult` after its first `after` ones."""

    def those() -> list[dict[str, Any]]:
        return [frame for frame in host.frames if frame["type"] == "consult"]

    await host.seen(lambda _: len(those()) > after)
    return those()[after]


async def found(host: Wire, job: str, depth: int = 1, *, done: bool = False) -> dict[str, Any]:
    """The server's answer to a host's result."""
    lines = [] if done else [LINE]
    reply: dict[str, Any] = await host.asks(
        "found", job=job, depth=depth, nodes=40 * depth, lines=lines, threats=[THREAT], done=done
    )
    return reply


async def lines(asker: Wire, key: str, depth: int) -> dict[str, Any]:
    frame: dict[str, Any] = await asker.seen(
        lambda frame: frame["type"] == "lines" and frame["key"] == key and frame["depth"] == depth
    )
    return frame


@pytest.mark.parametrize("far", [False, True])
async def test_a_host_answers_as_it_finds_more(dial: Dial, key: str, elsewhere: str, *, far: bool) -> None:
    """On the same server, or on another one that shares the store."""
    host, ann = await host_of(dial, key), await dial(**({"at": elsewhere} if far else {}))
    asked = await ann.asks("analyse", moves=["f2f3", "e7e5"], key="a", lines=2, ms=5000)
    assert asked["type"] == "ok"
    job = await given(host)
    assert (job["variant"], job["lines"], job["ms"]) == ("standard", 2, 5000)
    assert job["position"].startswith("rnbqkbnr/pppp1ppp/8/4p3/8/5P2/")
    for depth in (1, 2):
        assert (await found(host, job["job"], depth))["type"] == "ok"
        told = await lines(ann, "a", depth)
        assert (told["lines"], told["threats"], told["nodes"], told["done"]) == ([LINE], [THREAT], 40 * depth, False)
    await found(host, job["job"], 0, done=True)
    assert (await lines(ann, "a", 0))["done"]
    assert (await found(host, job["job"]))["code"] == "no_such_job"


@pytest.mark.parametrize("far", [False, True])
@pytest.mark.parametrize("how", some(1, "unanalyse", "another", "leaving"))
async def test_what_nobody_waits_for_ends(dial: Dial, key: str, elsewhere: str, how: str, *, far: bool) -> None:
    host, ann = await host_of(dial, key), await dial(**({"at": elsewhere} if far else {}))
    await ann.asks("analyse", key="a")
    job = (await given(host))["job"]
    if how == "unanalyse":
        assert (await ann.asks("unanalyse"))["type"] == "ok"
    elif how == "another":
        await ann.asks("analyse", moves=["e2e4"], key="b")
        assert (await given(host, 1))["job"] != job
    else:
        await ann.end()
    await host.seen(lambda frame: frame["type"] == "dismiss" and frame["job"] == job)
    assert (await found(host, job))["code"] == "no_such_job"


async def test_of_two_servers_hosts_the_first_to_answer_goes_on(
    dial: Dial, key: str, elsewhere: str, third: str
) -> None:
    one, other = await host_of(dial, key), await host_of(dial, key, at=elsewhere)
    ann = await dial(at=third)
    await ann.asks("analyse", key="a")
    job = (await given(one))["job"]
    assert (await given(other))["job"] == job
    await found(one, job)
    await lines(ann, "a", 1)
    await found(other, job, 7)
    await other.seen(lambda frame: frame["type"] == "dismiss" and frame["job"] == job)
    await found(one, job, 2)
    await lines(ann, "a", 2)
    assert not [frame for frame in ann.frames if frame["type"] == "lines" and frame["depth"] == 7]


async def test_the_hosts_share_the_work(dial: Dial, key: str) -> None:
    hosts = [await host_of(dial, key), await host_of(dial, key)]
    for number in range(4):
        ann = await dial()
        await ann.asks("analyse", key=f"{number}")
    for host in hosts:
        await given(host, 1)
        assert len([frame for frame in host.frames if frame["type"] == "consult"]) == 2


@pytest.mark.parametrize("far", [False, True])
async def test_a_host_that_goes_ends_what_it_was_given(dial: Dial, key: str, elsewhere: str, *, far: bool) -> None:
    host, ann = await host_of(dial, key), await dial(**({"at": elsewhere} if far else {}))
    await ann.asks("analyse", key="a")
    await given(host)
    await host.end()
    assert (await lines(ann, "a", 0))["done"]


@pytest.mark.parametrize("far", [False, True])
async def test_a_host_that_comes_later_is_given_what_waits(dial: Dial, key: str, elsewhere: str, *, far: bool) -> None:
    """On the server that got the request, or on another one."""
    ann = await dial()
    await ann.asks("analyse", key="a")
    host = await host_of(dial, key, **({"at": elsewhere} if far else {}))
    job = (await given(host))["job"]
    await found(host, job)
    await lines(ann, "a", 1)
    later = await host_of(dial, key, **({"at": elsewhere} if far else {}))
    await found(host, job, 2)
    await lines(ann, "a", 2)
    assert not [frame for frame in later.frames if frame["type"] == "consult"]


async def test_where_there_is_no_host_one_is_told_so(dial: Dial, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysts, "PATIENCE", 0.2)
    ann = await dial()
    await ann.asks("analyse", key="a")
    async with asyncio.timeout(240):
        assert await lines(ann, "a", 0) == {
            "type": "lines", "key": "a", "depth": 0, "nodes": 0, "lines": [], "threats": [], "done": True
        }  # fmt: skip


async def test_only_hosts_find_anything(dial: Dial, key: str) -> None:
    host, ann, eve = await host_of(dial, key), await dial(), await dial()
    await ann.asks("analyse", key="a")
    job = (await given(host))["job"]
    assert (await found(eve, job))["code"] == "no_such_job"
    assert (await found(host, job))["type"] == "ok"


class Alone(MemoryLog):
    """The log of the only server: nobody else gets its messages."""

    def tell(self, room: str, message: bytes) -> asyncio.Future[int]:
        told: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        told.set_result(0)
        return told


class Host:
    """A host's connection."""

    def send(self, frame: object) -> None:
        pass


def test_the_log_says_that_a_host_is_too_slow() -> None:
    """Without a host the log gets no line. Otherwise any visitor could fill it with requests for an analysis."""

    async def main() -> None:
        jobs = Analysts(Alone(lambda: 0), "here")
        with capture_logs() as logs:
            jobs.begin(Consult("early", "standard", "", 1, 1000), 1, [].append)
            await asyncio.sleep(PATIENCE + 1)
            assert logs == []
            jobs.register(host := cast(Follower, Host()))
            jobs.begin(Consult("analysis", "standard", "", 1, 1000), 1, [].append)
            jobs.begin(Examine("review", "standard", "", [], 1000), 1, [].append)
            jobs.answered(host, Examined("review", 1))
            await asyncio.sleep(PATIENCE + 2)
        assert [(one["event"], one["kind"], one["begun"]) for one in logs] == [
            ("an analysis was given up", "consult", False), ("an analysis was given up", "examine", True)
        ]  # fmt: skip
        await jobs.close()

    in_virtual_time(main())


def test_an_analysis_ends_in_time_and_a_review_only_if_it_stands_still() -> None:
    async def main() -> None:
        jobs, host = Analysts(Alone(lambda: 0), "here"), cast(Follower, Host())
        jobs.register(host)
        analysis: list[Answer | None] = []
        review: list[Answer | None] = []
        jobs.begin(Consult("analysis", "standard", "", 1, 1000), 1, analysis.append)
        jobs.begin(Examine("review", "standard", "", [], 1000), 1, review.append)
        looked = 5
        for number in range(looked):
            jobs.answered(host, Found("analysis", number, 0, [], [], done=False))
            jobs.answered(host, Examined("review", number))
            await asyncio.sleep(PATIENCE / 2)
        assert analysis[-1] is None
        assert review == [Examined("review", number) for number in range(looked)]
        await asyncio.sleep(PATIENCE)
        assert review[-1] is None
        await jobs.close()

    in_virtual_time(main())
