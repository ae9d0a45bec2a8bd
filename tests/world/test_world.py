"""Some seeds, played by default; that a seed is one world; and that nothing in it is real but the code."""

import asyncio
import os
import random
import socket
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from fourfold.server.clock import monotonic
from tests.faults.plants import PLANTS, TRIES, Plant
from tests.faults.test_plants import SOME
from tests.world.blows import CLOCK
from tests.world.loop import BEGINNING, Deadlock, WorldLoop
from tests.world.machine import NotInTheWorld, replaced
from tests.world.mutants import FOLDERS, drawn, mutants, mutated, try_out
from tests.world.network import Network
from tests.world.plans import brief, schedule
from tests.world.plants import MUTANTS, look
from tests.world.seed import run

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.interpreted  # what a world lacks is refused to modules by their frames

SEEDS = range(1, 5)
"""Those that are played by default."""

BRIEF = range(1, 197)
"""Those whose brief worlds are played by default."""

MORE = range(1110, 1250)
"""Those that the campaign plays. `.ci/run` plays the 110 before."""

FOUND: tuple[int, ...] = (
    88, 153, 366, 1025, 1031, 1060, 1078, 300023, 301033, 301683, 301733,
    307274, 308479, 309237, 310306, 313510, 313800, 314287, 315199,
    320094, 320426, 321269, 322211,
)  # fmt: skip
"""Seeds that found a fault of the server, now mended. They meet other worlds since the simulation has changed: each
fault has a test of its own as well."""

SEARCHED = 400
"""Seeds that are searched for a mutant."""

BY_HAND = [pytest.param(seed, marks=[pytest.mark.slow, pytest.mark.campaign]) for seed in MORE]


@pytest.mark.parametrize("seed", [*SEEDS, *(pytest.param(seed, marks=pytest.mark.slow) for seed in FOUND), *BY_HAND])
def test_nothing_is_wrong_with(seed: int) -> None:
    outcome = run(seed)
    assert outcome.faults == []
    assert outcome.played is not None and outcome.played.report.acknowledged


@pytest.mark.parametrize("part", range(8))
def test_nothing_is_wrong_with_brief_worlds(part: int) -> None:
    seeds = BRIEF[part::8]
    outcomes = [run(seed, brief(seed), beside=False, clean=seed == seeds[-1]) for seed in seeds]
    assert {outcome.seed: outcome.faults for outcome in outcomes if outcome.faults} == {}
    assert all(outcome.played is not None and outcome.played.report.acknowledged for outcome in outcomes)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [14, *(pytest.param(seed, marks=pytest.mark.campaign) for seed in range(15, 26))])
def test_a_schedule_has_the_verdict_that_it_has_with_real_processes(seed: int) -> None:
    """Those of `tests.faults.test_schedules`."""
    assert run(seed, schedule(seed), beside=False).faults == []


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("plant", [plant for plant in PLANTS if plant.name in SOME], ids=lambda plant: plant.name)
def test_schedules_that_find_a_planted_fault_with_real_processes_find_it_here(plant: Plant) -> None:
    found = look(plant, TRIES, "schedules")
    assert found.seed is not None
    assert any(one.startswith(f"{plant.kind}: ") and plant.says in one for one in found.told), found


def test_every_planted_fault_has_its_place_in_the_server() -> None:
    places = {plant.name: (ROOT / plant.file).read_text().count(plant.text) for plant in (*PLANTS, *MUTANTS)}
    assert {name: count for name, count in places.items() if count != 1} == {}


def test_settings_of_the_stores_clock_add_up() -> None:
    """A node may not ask for the store's time in between (seed 304822)."""
    planned = brief(1)
    set_forward = replace(planned.blows[0], what=CLOCK, seconds=1.0)
    assert replace(planned, blows=[set_forward]).slack == 100 + 500
    assert replace(planned, blows=[set_forward, set_forward]).slack == 100 + 1_000


@pytest.mark.slow
def test_two_think_for_minutes_while_a_node_dies() -> None:
    outcome = run(9, pause=1_800)
    assert outcome.faults == []
    assert outcome.seconds > 1_800


@pytest.mark.slow
@pytest.mark.campaign
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("mutant", MUTANTS, ids=[mutant.name for mutant in MUTANTS])
def test_a_mutant_is_found(mutant: Plant) -> None:
    found = look(mutant, SEARCHED)
    assert found.seed is not None, found


@pytest.mark.slow
def test_a_mutant_made_by_machine_is_planted_and_found() -> None:
    """In a process of its own: the functions of this one are unchanged."""
    mutant = next(
        one for one in mutants("server/replication/feed.py") if one.change == "follower.send(frame) -> None"
        and one.function == "Feed.send_to_players"
    )  # fmt: skip
    assert try_out(mutant, 5).outcome == "found"
    assert run(1).faults == []


def test_machine_made_mutants_can_be_planted() -> None:
    sample = drawn([*FOLDERS], 25, random.Random(1))
    assert len({mutant.file.rpartition("/")[0] for mutant in sample}) == len(FOLDERS)
    for mutant in sample:
        live, code = mutated(mutant)
        assert code != live.__code__, mutant


def test_a_seed_is_one_world() -> None:
    """The same trace, byte for byte, in another process with other hashes."""
    here = run(2, traced=True).trace
    command = [sys.executable, "-m", "tests.world", "--seed", "2", "--trace"]
    environment = os.environ | {"PYTHONHASHSEED": "7" if os.environ.get("PYTHONHASHSEED") != "7" else "8"}
    there = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout
    assert len(here) > 1_000
    assert there.splitlines()[: len(here)] == "\n".join(here).splitlines()


@pytest.fixture
def loop() -> WorldLoop:
    loop = WorldLoop(1)
    Network(loop)
    return loop


def test_time_is_that_of_the_world(loop: WorldLoop) -> None:
    async def sleep() -> tuple[float, float]:
        began, date = monotonic(), time.time()
        await asyncio.sleep(3600)
        return monotonic() - began, time.time() - date

    with replaced(loop, 1):
        slept, passed = loop.run(sleep())
    assert slept == pytest.approx(3600, abs=0.01) and passed == pytest.approx(3600, abs=0.01)
    assert loop.date() > BEGINNING
    loop.end()


@pytest.mark.parametrize(
    ("ask", "what"),
    [
        (lambda: threading.Thread(target=print).start(), "a thread"),
        (lambda: socket.socket(), "a socket"),
        (lambda: subprocess.Popen(["true"]), "a process"),
        (lambda: time.sleep(1), "a pause"),
    ],
)
def test_what_a_world_does_not_have_is_refused_by_name(loop: WorldLoop, ask: object, what: str) -> None:
    async def go() -> None:
        ask()  # type: ignore[operator]

    with replaced(loop, 1), pytest.raises(NotInTheWorld, match=f"test_world:[0-9]+ asks for {what}"):
        loop.run(go())
    loop.end()


def test_a_frozen_machine_waits_and_a_dead_one_does_nothing(loop: WorldLoop) -> None:
    done: list[str] = []
    machines = [loop.machine(name) for name in ("well", "frozen", "dead")]

    async def work(name: str) -> None:
        await asyncio.sleep(1)
        done.append(name)

    async def go() -> None:
        for machine in machines:
            loop.on(machine, lambda machine=machine: loop.create_task(work(machine.name)))
        await asyncio.sleep(0.5)
        machines[1].frozen = True
        machines[2].die()
        await asyncio.sleep(10)
        assert done == ["well"]
        machines[1].frozen = False
        await asyncio.sleep(1)
        assert done == ["well", "frozen"]

    loop.run(go())
    loop.end()


@pytest.mark.parametrize("relays", [False, True])
def test_data_arrive_in_order_and_at_a_link_at_once(loop: WorldLoop, relays: bool) -> None:
    got: list[bytes] = []

    class Reader(asyncio.Protocol):
        def data_received(self, data: bytes) -> None:
            got.append(data)

    Reader.relays = relays  # type: ignore[attr-defined]

    async def go() -> None:
        await loop.create_server(Reader, "127.0.0.1", 1)
        writer, _ = await loop.create_connection(asyncio.Protocol, "127.0.0.1", 1)
        writer.write(b"before it is accepted, ")
        await asyncio.sleep(1)
        for piece in (b"then ", b"one ", b"after ", b"the ", b"other"):
            writer.write(piece)
            assert got[-1:] == [piece] or not relays
        await asyncio.sleep(1)
        assert b"".join(got) == b"before it is accepted, then one after the other"

    loop.run(go())
    loop.end()


def test_what_nobody_will_ever_do_is_no_hang(loop: WorldLoop) -> None:
    async def go() -> None:
        await asyncio.Event().wait()

    with pytest.raises(Deadlock):
        loop.run(go())
    loop.end()
