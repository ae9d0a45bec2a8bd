"""Lines from UCI engines: our own, Stockfish if it is installed, and short programs that fail."""

import math
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Any, TypeAlias

import pytest

from fourfold.clients.bots.analysis.best_lines import Found
from fourfold.clients.bots.analysis.examination import examine
from fourfold.clients.bots.hosting.analyst import steps_of
from fourfold.clients.bots.profile import Profile, profile
from fourfold.clients.bots.search.alpha_beta import FORCED
from fourfold.clients.bots.uci import engine_lines
from fourfold.clients.bots.uci.engine_lines import EngineLines, plays
from fourfold.engine.position import Position
from fourfold.engine.variants import opening
from tests.conftest import HANG, some

SPEAK = "import asyncio; from fourfold.clients.bots.uci.engine import speak; asyncio.run(speak(5, 'standard'))"
OURS = replace(profile("fourfold"), command=(sys.executable, "-c", SPEAK))
"""Our engine without its command, which loads all clients: `test_engine.py` starts that."""

LONG = 3600.0

Start: TypeAlias = Callable[[Profile], tuple[EngineLines, list[str]]]

PROGRAM = """#!{python}
import sys, os
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["uci"]:
        print("option name MultiPV type spin default 1 min 1 max 5\\nuciok")
    elif words[:1] == ["isready"]:
        print("readyok")
    elif words[:1] == ["position"]:
        open({log!r}, "a").write(line)
    elif words[:1] == ["go"]:
        {answer}
    elif words[:1] == ["stop"]:
        {stop}
    sys.stdout.flush()
"""


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine an engine may be silent for seconds."""
    monkeypatch.setattr(engine_lines, "GRACE", HANG)
    monkeypatch.setattr(engine_lines, "TALKATIVE", HANG)


@pytest.fixture
def engines() -> Iterator[Start]:
    """Starts the engines of a profile, with a list of the reported sentences."""
    started = []

    def start(known: Profile) -> tuple[EngineLines, list[str]]:
        said: list[str] = []
        lines = EngineLines(known, said.append)
        started.append(lines)
        return lines, said

    yield start
    for lines in started:
        lines.close()


@pytest.fixture
def program(tmp_path: Path) -> Callable[..., Profile]:
    """Makes an engine that runs a statement at each `go`, and another at each `stop`."""

    def make(answer: str, stop: str = "print('bestmove 0000')", **known: Any) -> Profile:
        path = tmp_path / "program"
        path.write_text(PROGRAM.format(python=sys.executable, log=str(tmp_path / "asked"), answer=answer, stop=stop))
        path.chmod(0o755)
        return Profile((str(path),), name="Polly", **known)

    return make


@pytest.fixture
def of_stockfish(stockfish: str) -> Profile:
    """Its profile, where there is one to run."""
    return profile("stockfish")


def up_to(depth: int, looks: Iterator[Found]) -> list[Found]:
    """The results of a look up to a depth, after which it is left."""
    found = []
    for one in looks:
        found.append(one)
        if one.depth >= depth:
            break
    return found


def running_out() -> Callable[[], float]:
    """A clock that is past every time after its first reading."""
    readings = iter([0.0])
    return lambda: next(readings, math.inf)


def whole(found: list[Found], position: Position, count: int) -> None:
    """Check the guarantees of every look."""
    assert found and all(len(one.lines) == count for one in found)
    depths = [one.depth for one in found]
    assert depths == sorted(set(depths))
    for line in found[-1].lines:
        after = position
        assert len(line.moves) == len(line.texts) == len(line.seats) > 0
        for text, san, seat in zip(line.moves, line.texts, line.seats, strict=True):
            move = after.find(text)
            assert (after.san(move), position.seats[after.turn]) == (san, seat)
            after = after.play(move)
        assert sum(line.shares.values()) == pytest.approx(1, abs=1e-3)
    assert len({line.moves[0] for line in found[-1].lines}) == count


@pytest.mark.parametrize("variant", some(1, "standard", "chess960", "teams", "ffa"))
def test_lines_of_our_own_engine(engines: Start, variant: str) -> None:
    lines, said = engines(OURS)
    start = opening(variant, seed=3)
    found = up_to(2, lines.look(start, 3, monotonic() + LONG))
    whole(found, start, 3)
    assert said == []


def test_what_stockfish_finds(engines: Start, of_stockfish: Profile) -> None:
    lines, said = engines(of_stockfish)
    start = opening("standard")
    whole(up_to(8, lines.look(start, 3, monotonic() + LONG)), start, 3)
    assert said == []
    castles = opening("standard", position="4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    *_, last = lines.look(castles, 5, monotonic() + 1)
    assert all(castles.find(line.moves[0]) for line in last.lines)


@pytest.mark.slow
@pytest.mark.parametrize("which", ["ours", "stockfish"])
def test_mate_is_told_in_plies(engines: Start, which: str, request: pytest.FixtureRequest) -> None:
    lines, _ = engines(OURS if which == "ours" else request.getfixturevalue("of_stockfish"))
    winning = opening("standard", position="7k/8/5K2/8/8/8/8/1R4R1 w - - 0 1")  # 1. Rb7 and 2. Rb8 mates, or so
    *_, last = lines.look(winning, 1, monotonic() + LONG)  # it ends with the mate
    (line,) = last.lines
    assert line.mate == 3 and line.score > FORCED and len(line.moves) == 3
    assert line.shares == {"white": 1, "black": 0}
    losing = winning.play(winning.find(line.moves[0]))
    *_, last = lines.look(losing, 1, monotonic() + LONG)
    assert last.lines[0].mate == -2 and last.lines[0].shares == {"white": 1, "black": 0}


def test_a_look_that_is_wanted_no_more_ends(engines: Start) -> None:
    lines, said = engines(OURS)
    wanted = threading.Event()

    def clock() -> float:
        return math.inf if wanted.is_set() else monotonic()

    looks = lines.look(opening("standard"), 2, math.inf, clock)
    next(looks)
    wanted.set()
    list(looks)  # the clock ends the look
    assert list(lines.look(opening("standard"), 1, monotonic() + 0.5)) and said == []


@pytest.mark.slow
def test_a_look_that_is_left_keeps_its_engine(engines: Start) -> None:
    """As in a review of a decided game."""
    lines, said = engines(OURS)
    for found in lines.look(opening("standard"), 2, monotonic() + LONG):
        assert found.lines
        break
    (engine,) = lines.running
    whole(up_to(2, lines.look(opening("standard"), 2, monotonic() + LONG)), opening("standard"), 2)
    assert lines.running == [engine] and said == []


def test_an_engine_that_is_killed_leaves_the_rest_to_level_5(
    engines: Start,
) -> None:
    lines, said = engines(OURS)
    start = opening("standard")
    looks = lines.look(start, 3, monotonic() + LONG, lambda: math.inf if said else monotonic())
    first = next(looks)
    (engine,) = lines.running
    os.kill(engine, signal.SIGKILL)
    rest = list(looks)  # until the end of the time, at the next line
    assert said == ["Fourfold level 5 has ended without saying 'bestmove': using level 5 for analyses instead"]
    whole([first, *rest], start, 3)
    whole(list(lines.look(start, 2, LONG, lambda: LONG if lines.running else 0)), start, 2)
    assert len(said) == 1 and lines.running not in ([], [engine])


def test_a_program_that_is_missing(engines: Start) -> None:
    lines, said = engines(Profile(("/nonexistent/engine",)))
    start = opening("standard")
    for _ in range(3):
        whole(list(lines.look(start, 2, LONG, running_out())), start, 2)
    assert said == ["/nonexistent/engine cannot be run: No such file or directory: using level 5 for analyses instead"]


def test_what_it_does_not_play_is_for_level_5(engines: Start, program: Callable[..., Profile], tmp_path: Path) -> None:
    lines, said = engines(program("sys.exit()"))
    four = opening("ffa")
    whole(list(lines.look(four, 2, LONG, running_out())), four, 2)
    assert said == [] and not (tmp_path / "asked").exists()
    assert plays(profile("stockfish"), "standard") and not plays(profile("stockfish"), "chess960")
    assert plays(profile("tetrarch"), "ffa") and not plays(profile("tetrarch"), "standard")


def test_bounds_and_bad_moves_are_passed_over(engines: Start, program: Callable[..., Profile]) -> None:
    told = (
        "info depth 1 seldepth 2 multipv 1 score cp 20 nodes 30 pv e2e4 e7e5 e2e4",
        "info depth 1 multipv 2 score cp 10 nodes 40 pv d2d4",
        "info string depth 9 multipv 1 score cp 900 pv a2a3",
        "info depth 2 multipv 1 score cp 90 upperbound nodes 50 pv a2a3",
        "info depth 2 multipv 1 score cp 80 nodes 50 pv e2e5",
        "info depth 2 multipv 2 score cp 70 nodes 60 pv b2b3",
        "info depth x",
        "info depth 3 currmove e2e4 currmovenumber 1",
        "info depth 3 multipv 1 score mate -2 nodes 70 pv g2g4",
        "bestmove e2e4",
    )
    lines, said = engines(program(f"print({chr(10).join(told)!r})"))
    (found,) = lines.look(opening("standard"), 2, monotonic() + LONG)
    assert (found.depth, found.nodes) == (1, 40)
    assert [(line.score, line.texts) for line in found.lines] == [(20, ["e4", "e5"]), (10, ["d4"])]
    assert said == []


def test_an_engine_for_four_with_a_dialect(engines: Start, program: Callable[..., Profile], tmp_path: Path) -> None:
    answer = "print('info depth 1 score cp -12 nodes 7 pv h2-h4 b7-c7 e2-e2'); print('bestmove h2-h4')"
    lines, said = engines(program(answer, position="fen4", variants={"ffa": "free"}, variant_option="Mode"))
    start = opening("ffa")
    (found,) = lines.look(start, 1, monotonic() + LONG)
    (line,) = found.lines
    assert (line.moves, line.seats, line.score) == (["h2h4", "b7c7"], ["red", "blue"], -12)
    assert (tmp_path / "asked").read_text() == f"position fen4 {start.fen()}\n" and said == []


def test_a_stop_that_came_too_late_does_not_answer_the_next_look(
    engines: Start, program: Callable[..., Profile], tmp_path: Path
) -> None:
    answer = "print('info depth 3 score cp 12 nodes 7 pv e2e4'); print('bestmove e2e4'); print('bestmove e2e4')"
    lines, said = engines(program(answer))
    for _ in range(3):
        (found,) = lines.look(opening("standard"), 1, monotonic() + LONG)
        assert found.nodes == 7
    assert said == []


def test_an_engine_that_does_not_stop_is_ended(
    engines: Start,
    program: Callable[..., Profile],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine_lines, "GRACE", 0.2)
    lines, said = engines(program("pass", stop="pass"))
    start = opening("standard")
    whole(list(lines.look(start, 1, LONG, lambda: LONG if lines.running or said else 0)), start, 1)
    assert said == ["Polly has not stopped in 0.2 s: using level 5 for analyses instead"] and lines.running == []


def test_a_job_that_is_cancelled_while_its_engine_starts_leaves_the_engine(engines: Start) -> None:
    lines, said = engines(OURS)
    list(lines.look(opening("standard"), 1, LONG, running_out()))  # as after a cancellation
    assert said == [] and len(lines.running) == 1


@pytest.mark.slow
def test_a_review_by_an_engine(engines: Start, program: Callable[..., Profile], tmp_path: Path) -> None:
    answer = "print('info depth 4 score cp 30 nodes 9 pv', 'e2e4' if words else 0); print('bestmove e2e4')"
    lines, _ = engines(program(answer))
    start = opening("standard")
    readings = count()
    plies = examine(start, steps_of(["d2d4", "d7d5"], start.seats), 100, lambda: next(readings), lines.look)
    assert len(plies) == 3 and plies[0].best == "e4"
    assert len((tmp_path / "asked").read_text().splitlines()) == 3
