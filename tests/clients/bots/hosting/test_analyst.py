"""The analysis process: several jobs at once, early answers, and cancelled jobs."""

import asyncio

import pytest

from fourfold.clients.bots.hosting import analyst as analyst_module
from fourfold.clients.bots.hosting.analyst import AT_ONCE, GAMES_AT_ONCE, Analyst, Answer
from fourfold.engine.variants import opening
from fourfold.protocol.from_client import Examined, Found
from fourfold.protocol.from_server import Consult, Examine

START = opening("standard").fen()


@pytest.fixture(autouse=True)
def _of_the_usual_priority(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside busy processes one of a low priority takes minutes."""
    monkeypatch.setattr(analyst_module, "NICE", 0)


def consult(job: str, ms: int = 100) -> Consult:
    return Consult(job, "standard", START, 2, ms)


async def test_everybody_is_answered() -> None:
    """With more jobs than run at once, the others have their turn later."""
    jobs = [f"job {number}" for number in range(AT_ONCE + 3)]
    heard: dict[str, list[Found]] = {job: [] for job in jobs}
    ended = {job: asyncio.Event() for job in jobs}

    def hear(found: Found) -> None:
        heard[found.job].append(found)
        if found.done:
            ended[found.job].set()

    with Analyst() as analyst:
        for job in jobs:
            analyst.begin(consult(job), hear)
        async with asyncio.timeout(240):
            for event in ended.values():
                await event.wait()
    for found in heard.values():
        *looks, last = found
        assert last.done and not last.lines
        assert looks and all(len(look.lines) == 2 for look in looks)
        assert [look.depth for look in looks] == sorted({look.depth for look in looks})


@pytest.mark.slow
async def test_one_that_is_wanted_no_more_makes_room() -> None:
    heard: asyncio.Queue[Found] = asyncio.Queue()
    with Analyst() as analyst:
        for number in range(AT_ONCE):
            analyst.begin(consult(f"endless {number}", 3_600_000), lambda _: None)
        analyst.begin(consult("mine", 100), heard.put_nowait)
        for number in range(AT_ONCE):
            analyst.end(f"endless {number}")
        async with asyncio.timeout(240):
            assert (await heard.get()).job == "mine"


async def test_a_review_that_waits_for_its_turn_is_told_of_at_once() -> None:
    """Otherwise the server would give up the job: a position may take minutes, and a game longer."""
    heard: asyncio.Queue[Answer] = asyncio.Queue()
    with Analyst() as analyst:
        for number in range(GAMES_AT_ONCE + 1):
            analyst.begin(Examine(f"{number}", "standard", START, ["e2e4"], 600_000), heard.put_nowait)
        async with asyncio.timeout(240):
            answers = [await heard.get() for _ in range(GAMES_AT_ONCE + 1)]
    assert sorted(answer.job for answer in answers) == [f"{number}" for number in range(GAMES_AT_ONCE + 1)]
    assert not any(answer.done for answer in answers)


@pytest.mark.slow
async def test_an_idle_review_stands_still_while_others_are_in_progress() -> None:
    heard: asyncio.Queue[Answer] = asyncio.Queue()
    endless: asyncio.Queue[Answer] = asyncio.Queue()
    with Analyst() as analyst:
        async with asyncio.timeout(240):
            analyst.begin(consult("endless", 3_600_000), endless.put_nowait)
            await endless.get()  # it is in progress
            analyst.begin(Examine("idle", "standard", START, ["e2e4"], 50, idle=True), heard.put_nowait)
            answers = [await heard.get()]
            analyst.begin(Examine("wanted", "standard", START, ["e2e4"], 50), heard.put_nowait)
            while not answers[-1].done:
                answers.append(await heard.get())
            assert answers[-1].job == "wanted"
            assert [one for one in answers if one.job == "idle"] == [Examined(job="idle")]
            analyst.end("endless")
            while not answers[-1].done or answers[-1].job != "idle":
                answers.append(await heard.get())
    last = answers[-1]
    assert isinstance(last, Examined) and last.summary is not None


async def test_a_process_that_dies_ends_its_analyses() -> None:
    heard: asyncio.Queue[Found] = asyncio.Queue()
    with Analyst() as analyst:
        analyst.begin(consult("first", 3_600_000), heard.put_nowait)
        async with asyncio.timeout(240):
            await heard.get()
            process = analyst.process
            assert process is not None
            process.kill()
            while not (await heard.get()).done:
                pass
            analyst.begin(consult("second", 100), heard.put_nowait)
            assert (await heard.get()).job == "second"
