"""Our levels as a UCI engine, driven by python-chess as any other program would, and line by line."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import chess
import chess.engine
import pytest

from fourfold.clients.bots.thinking import allowance
from fourfold.clients.bots.uci_engine import UciEngine
from fourfold.engine.variants import opening

ROOT = Path(__file__).parents[3]
COMMAND = [sys.executable, "-m", "fourfold.clients", "engine"]


@asynccontextmanager
async def python_chess(*arguments: str) -> AsyncIterator[chess.engine.UciProtocol]:
    transport, engine = await chess.engine.popen_uci([*COMMAND, *arguments], cwd=ROOT)
    try:
        yield engine
        await engine.quit()
    finally:
        transport.close()


@pytest.mark.slow
async def test_a_game_between_levels_directed_by_another_program() -> None:
    board = chess.Board()
    async with python_chess("--level", "4") as strong, python_chess() as weak:
        assert strong.id["name"] == "Fourfold level 4"
        assert strong.options["Level"].max == 5
        await weak.configure({"Level": 1, "Move Overhead": 0})
        while not board.is_game_over():
            player = strong if board.turn == chess.WHITE else weak
            played = await player.play(board, chess.engine.Limit(white_clock=5, black_clock=5, white_inc=0.1))
            assert played.move in board.legal_moves
            board.push(played.move)
    assert board.outcome() is not None


async def test_level_5_tells_what_it_found() -> None:
    mate_in_two = chess.Board("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1")
    async with python_chess() as engine:
        found = await engine.analyse(mate_in_two, chess.engine.Limit(depth=4))
        assert found["pv"][0] == chess.Move.from_uci("a1a6") and len(found["pv"]) == 3
        assert found["score"].white() == chess.engine.Mate(2)
        played = await engine.play(chess.Board("4k3/8/8/3r4/8/2N5/8/4K3 w - - 0 1"), chess.engine.Limit(time=0.05))
        assert played.move == chess.Move.from_uci("c3d5")


async def test_level_5_tells_several_lines_at_each_depth() -> None:
    async with python_chess() as engine:
        depths = []
        with await engine.analysis(chess.Board(), chess.engine.Limit(depth=3), multipv=3) as analysis:
            async for info in analysis:
                if "pv" in info and info["multipv"] == 3:
                    depths.append(info["depth"])
        assert depths == [1, 2, 3]
        lines = analysis.multipv
        assert len({line["pv"][0] for line in lines}) == 3
        assert [line["score"].relative.score() for line in lines] == sorted(
            (line["score"].relative.score() or 0 for line in lines), reverse=True
        )


@pytest.fixture
async def said() -> AsyncIterator[tuple[UciEngine, list[str]]]:
    """An engine of level 2, and what it says."""
    lines: list[str] = []
    async with asyncio.TaskGroup() as tasks:
        with UciEngine(tasks, lines.append, 2, "standard") as engine:
            yield engine, lines


async def last(engine: UciEngine, lines: list[str], *commands: str) -> str:
    """The answer to the last of some commands."""
    for command in commands:
        assert await engine.hear(command)
    await engine.hear("stop")
    return lines[-1]


async def test_games_for_four(said: tuple[UciEngine, list[str]]) -> None:
    start = opening("teams")
    for move in ("h2h3", "b7c7"):
        start = start.play(start.find(move))
    choose = ("setoption name UCI_Variant value teams", "position startpos moves h2h3 b7c7", "go btime 100 ytime 9000")
    answer = await last(*said, *choose)
    assert answer.removeprefix("bestmove ") in start.legal_texts()
    assert await last(*said, f"position fen {start.fen()} moves g13g12", "go") != "bestmove (none)"


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("position startpos moves e2e5", "info string standard: The pawn on e2 cannot go to e5."),
        ("position fen nonsense", "info string standard: "),
        ("position garbage", "info string 'garbage' is no position: say startpos, or fen and a FEN"),
        ("position startpos e2e4", "info string 'startpos e2e4' is no position"),
        ("position", "info string '' is no position"),
        ("setoption name Level value 9", "info string Level cannot be '9'"),
        ("setoption name UCI_Variant value atomic", "info string UCI_Variant cannot be 'atomic'"),
        ("setoption name Hash value 16", "info string there is no option 'Hash'"),
    ],
)
async def test_what_it_cannot_follow_it_says(
    said: tuple[UciEngine, list[str]], command: str, answer: str
) -> None:  # fmt: skip
    assert (await last(*said, command)).startswith(answer)


async def test_no_move_where_there_is_no_game(said: tuple[UciEngine, list[str]]) -> None:
    assert await last(*said, "position startpos moves f2f3 e7e5 g2g4 d8h4", "go") == "bestmove (none)"
    assert await last(*said, "position startpos moves e2e5", "go") == "bestmove (none)"


async def test_other_words_are_passed_over(said: tuple[UciEngine, list[str]]) -> None:
    assert await last(*said, "", "debug on", "ucinewgame", "joho isready") == "readyok"
    assert not await said[0].hear("quit")


async def test_without_end_it_thinks_until_it_is_stopped(said: tuple[UciEngine, list[str]]) -> None:
    engine, lines = said
    await engine.hear("setoption name Level value 5")
    await engine.hear("position fen r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7")
    await engine.hear("go infinite")
    assert await last(engine, lines, "isready") != "readyok"
    assert [line.split()[0] for line in lines] == ["readyok", "info", "bestmove"]


def test_time_lasts() -> None:
    assert allowance(60, 0) == pytest.approx(2)
    assert allowance(60, 1) == pytest.approx(2.8)
    assert allowance(1, 10) == pytest.approx(0.25)
    assert allowance(60, 0, moves=10) == pytest.approx(6)
    assert 0.5 < allowance(1, 0, moves=1) < 1


@pytest.mark.parametrize("ending", ["quit\n", ""])
def test_it_ends_with_its_input(ending: str) -> None:
    run = subprocess.run(
        [*COMMAND, "--variant", "ffa"], cwd=ROOT, input=f"uci\n{ending}", capture_output=True, text=True,
        timeout=60, check=True,
    )  # fmt: skip
    assert "option name UCI_Variant type combo default ffa" in run.stdout
    assert run.stdout.endswith("uciok\n")
    assert run.stderr == ""


def test_no_such_variant() -> None:
    run = subprocess.run(
        [*COMMAND, "--variant", "atomic"], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert run.returncode == 2
    assert "There is no variant 'atomic'" in run.stderr
