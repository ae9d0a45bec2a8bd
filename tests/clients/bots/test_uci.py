"""UCI engines as players. The engines here are programs of a few lines that speak as real ones do, and Stockfish
where it is installed."""

import asyncio
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from clients.bots.uci import Engine, EngineFault
from engine.variants import opening

ENGINE = """#!{python}
import sys
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["uci"]:
        print("id name Parrot 1\\noption name Depth of Talk type spin default 1 min 1 max 9\\nuciok")
    elif words[:1] == ["isready"]:
        print("readyok")
    elif words[:1] in (["position"], ["setoption"]):
        heard = line.strip()
        with open({log!r}, "a") as log:
            log.write(heard + "\\n")
    elif words[:1] == ["go"]:
        {answer}
    elif words[:1] == ["stop"]:
        print("bestmove a2a3")
    sys.stdout.flush()
"""


@pytest.fixture
def parrot(tmp_path: Path) -> Callable[[str], str]:
    """Makes an engine that answers each `go` by a statement."""

    def make(answer: str) -> str:
        path = tmp_path / "parrot"
        path.write_text(ENGINE.format(python=sys.executable, log=str(tmp_path / "heard"), answer=answer))
        path.chmod(0o755)
        return str(path)

    return make


async def test_it_is_told_the_position_and_its_options(parrot: Callable[[str], str], tmp_path: Path) -> None:
    start = opening("standard")
    path = parrot('print("info depth 1 pv e2e4"); print("bestmove e2e4 ponder e7e5")')
    async with Engine(path, {"Depth of Talk": "3"}) as engine:
        assert engine.name == "Parrot 1"
        assert await engine.think(start, 0.01) == "e2e4"
    heard = (tmp_path / "heard").read_text().splitlines()
    assert heard == ["setoption name Depth of Talk value 3", f"position fen {start.fen()}"]


async def test_the_dialect_of_four(parrot: Callable[[str], str], tmp_path: Path) -> None:
    async with Engine(parrot('print("bestmove h2-h4")')) as engine:
        assert await engine.think(opening("teams"), 0.01) == "h2h4"
    assert (tmp_path / "heard").read_text().startswith("position fen R-0,0,0,0-")


async def test_a_thought_that_is_given_up_does_not_answer_the_next(parrot: Callable[[str], str]) -> None:
    async with Engine(parrot('print("bestmove e2e4") if words[2] == "1" else None')) as engine:
        thought = asyncio.create_task(engine.think(opening("standard"), 5))
        await asyncio.sleep(0)
        async with asyncio.timeout(10):
            while not thought.done():
                thought.cancel()
                await asyncio.wait([thought], timeout=0.5)
        assert thought.cancelled()
        assert await engine.think(opening("standard"), 0.001) == "e2e4"


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ('print("bestmove e2e5")', "Parrot 1 answered 'bestmove e2e5'"),
        ('print("bestmove (none)")', "no legal move"),
        ("sys.exit()", "has ended without saying 'bestmove'"),
    ],
)
async def test_bad_answers_are_named(parrot: Callable[[str], str], answer: str, message: str) -> None:
    async with Engine(parrot(answer)) as engine:
        with pytest.raises(EngineFault) as fault:
            await engine.think(opening("standard"), 0.01)
    assert message in str(fault.value)


async def test_what_is_no_engine(parrot: Callable[[str], str]) -> None:
    with pytest.raises(EngineFault, match="cannot be run"):
        await Engine("/nonexistent/engine").__aenter__()
    with pytest.raises(EngineFault, match="has no option 'Wit'"):
        await Engine(parrot("pass"), {"Wit": "1"}).__aenter__()


async def test_stockfish() -> None:
    path = shutil.which("stockfish", path=os.environ.get("PATH", "") + ":/usr/games")
    if path is None:
        pytest.skip("stockfish is not installed (Debian: apt install stockfish)")
    async with Engine(path, {"Threads": "1"}) as engine:
        assert engine.name.startswith("Stockfish")
        mate = opening("standard", position="6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
        assert await engine.think(mate, 0.1) == "a1a8"
