"""One game of a match: its points, and the processor time of both sides."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from fourfold.clients.bots.arena.game import EngineTime, play, points_of, shares
from fourfold.clients.bots.arena.pairing import Player, pairings
from fourfold.clients.bots.arena.processor_time import processor_time
from fourfold.clients.bots.profile import profile
from fourfold.engine.outcome import Termination
from fourfold.engine.variants import opening

PLAYERS = (Player(2), Player(1))
LINUX: Final = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells it")


def test_a_game_is_worth_one_point() -> None:
    for variant in ("standard", "survivor", "ffa"):
        assert sum(play(next(pairings(variant, PLAYERS))).shares) == pytest.approx(1)
    drawn = opening("survivor").eliminate(2, Termination.RESIGNATION).end_in_draw(Termination.AGREEMENT)
    assert shares(drawn.outcome, drawn) == pytest.approx((1 / 3, 1 / 3, 0, 1 / 3))
    lost = opening("teams").eliminate(0, Termination.RESIGNATION)
    assert shares(lost.outcome, lost) == (0, 1, 0, 1)


def test_a_side_has_the_points_of_its_seats() -> None:
    assert points_of((0, 1, 0, 1), (1, 0, 1, 0), in_teams=True) == 1
    assert points_of((0.5, 0, 0.5, 0), (0, 1, 0, 1), in_teams=False) == 1
    assert points_of((0.5, 0.5), (1, 0), in_teams=False) == 0.5


def test_a_game_begins_with_its_opening() -> None:
    begun = ("e2e4", "e7e5", "g1f3")
    played = play(next(pairings("standard", PLAYERS, openings=[begun])))
    assert played.moves[:3] == begun
    assert sum(played.chosen) == len(played.moves) - 3


@LINUX
def test_the_processor_time_of_a_process_includes_its_children() -> None:
    burn = "import time\nwhile time.process_time() < 0.3: pass\n"
    code = f"import subprocess, sys\n{burn}subprocess.run([sys.executable, '-c', {burn!r}])\nprint(flush=True)\ninput()"
    program = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with program:
        assert program.stdout is not None and program.stdin is not None
        program.stdout.readline()
        used = processor_time(program.pid)
        assert used is not None and used >= 0.58  # two processes, of a clock with ticks of 10 ms
        program.stdin.close()
    assert processor_time(program.pid) is None


@LINUX
def test_the_processor_time_of_this_process() -> None:
    used = processor_time(os.getpid())
    assert used is not None and used > 0


def test_an_engine_on_a_busy_machine_gets_more_seconds_on_the_clock() -> None:
    time = EngineTime()
    assert time.given(0.5) == 0.5
    time.add(0.5, elapsed=0.5, used=0.25)
    assert time.given(0.5) == pytest.approx(1)
    time.add(0.5, elapsed=1, used=0.5)
    assert time.given(0.5) == pytest.approx(1)
    time.add(0.5, elapsed=0.01, used=0.01)  # from its book
    assert time.given(0.5) == pytest.approx(1)
    time.add(0.5, elapsed=1, used=None)  # unknown
    assert time.given(0.5) == pytest.approx(1)
    time.add(0.5, elapsed=1000, used=0.1)
    assert time.given(0.5) == 4, "at most eight times"


@pytest.mark.slow
@LINUX
def test_the_processor_time_of_an_engine_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    command = json.dumps([sys.executable, "-m", "fourfold.clients", "engine", "--level", "1"])
    path.write_text(f'like = "fourfold"\nname = "ours"\ncommand = {command}')
    ours = Player(engine=profile(str(path)))
    played = play(next(pairings("teams", (ours, Player(1)), budget=0.05)))
    assert all(played.chosen)
    assert all(seconds is not None and seconds > 0 for seconds in played.seconds)
