"""Our levels as a UCI engine, driven by python-chess, and line by line."""

import asyncio
import logging
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import product
from math import inf
from pathlib import Path

import chess
import chess.engine
import chess.variant
import pytest

from fourfold.clients.bots.levels import LEVELS
from fourfold.clients.bots.levels.strength import STRONGEST, WEAKEST, strength
from fourfold.clients.bots.thinking import allowance
from fourfold.clients.bots.uci.engine import UciEngine
from fourfold.clients.bots.uci.limits import Limits
from fourfold.engine.variants import opening
from tests.conftest import some

ROOT = Path(__file__).parents[4]
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


@pytest.mark.slow
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


@pytest.mark.slow
async def test_python_chess_sets_every_option(caplog: pytest.LogCaptureFixture) -> None:
    """The options that python-chess manages itself, for boards and analyses."""
    middle = "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7"
    few = chess.engine.Limit(nodes=300)
    async with python_chess() as engine:
        given = {"Level": 5, "Hash": 16, "Clear Hash": None, "Threads": 1, "Move Overhead": 0, "UCI_AnalyseMode": False}
        given |= {"UCI_LimitStrength": False, "UCI_Elo": STRONGEST}
        managed = {"UCI_Variant", "UCI_Chess960", "MultiPV", "Ponder"}
        assert engine.options.keys() == given.keys() | managed
        await engine.configure(given)
        played = await engine.play(chess.Board(middle), few, info=chess.engine.INFO_ALL)
        assert 0 < played.info["nodes"] <= 301 and played.info["depth"] > 0 and played.info["pv"][0] == played.move
        assert {"nps", "hashfull", "time", "score"} <= played.info.keys()

        castling = chess.Board("4k3/8/8/8/8/8/8/RK5R w HA - 0 1", chess960=True)
        only = [chess.Move.from_uci("b1h1")]
        assert (await engine.play(castling, few, root_moves=only)).move == only[0]
        assert (await engine.play(chess.Board.from_chess960_pos(0), few)).move
        hill = chess.variant.KingOfTheHillBoard("7k/8/8/8/8/4K3/8/8 w - - 0 1")
        assert (await engine.play(hill, few)).move in map(chess.Move.from_uci, ("e3d4", "e3e4"))
        third = chess.variant.ThreeCheckBoard("7k/6pp/8/8/8/8/8/R3K3 w Q - 1+3 0 1")
        found = await engine.analyse(third, few)
        assert found["pv"][0] == chess.Move.from_uci("a1a8") and found["score"].relative == chess.engine.Mate(1)

        asked = [chess.Move.from_uci(text) for text in ("a2a3", "h2h3")]
        lines = await engine.analyse(chess.Board(middle), few, multipv=5, root_moves=asked)
        assert {line["pv"][0] for line in lines} == set(asked)
        found = await engine.analyse(chess.Board("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"), chess.engine.Limit(mate=2))
        assert found["score"].relative == chess.engine.Mate(2)
        assert (await engine.play(chess.Board(middle), few, root_moves=[])).move is None
        over = chess.Board("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3")
        assert (await engine.analyse(over, few))["score"].relative == chess.engine.Mate(0)

        for level in (1, 2, 3, 4):
            played = await engine.play(
                chess.Board(), few, options={"Level": level}, info=chess.engine.INFO_ALL, root_moves=asked
            )
            assert played.move in asked and played.info["pv"] == [played.move]
    assert not [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


@pytest.mark.slow
async def test_python_chess_lets_it_ponder(caplog: pytest.LogCaptureFixture) -> None:
    """Half of the guesses are right: the next moves come by `ponderhit`, or by `stop` and `go`."""
    caplog.set_level(logging.DEBUG, "chess.engine")
    # time enough to find an answer to each move, which is pondered on, on a busy machine too
    board, limit = chess.Board(), chess.engine.Limit(white_clock=20, black_clock=20)
    async with python_chess() as engine:
        for number in range(6):
            played = await engine.play(board, limit, ponder=True, game="one")
            assert played.move is not None
            board.push(played.move)
            guess = played.ponder if number % 2 else None
            board.push(guess or next(move for move in board.legal_moves if move != played.ponder))
    said = [record.getMessage() for record in caplog.records]
    assert any("<< ponderhit" in line for line in said) and any("<< stop" in line for line in said)
    assert not [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


BOARDS: dict[str, Callable[[int], chess.Board]] = {
    "standard": lambda _: chess.Board(),
    "chess960": lambda number: chess.Board.from_chess960_pos(47 * number),
    "king of the hill": lambda _: chess.variant.KingOfTheHillBoard(),
    "three-check": lambda _: chess.variant.ThreeCheckBoard(),
}


@pytest.mark.slow
@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
async def test_a_tournament(board: Callable[[int], chess.Board], caplog: pytest.LogCaptureFixture) -> None:
    """Five games of each variant, 20 in all, directed by python-chess: level 5 against the lower levels and itself.
    Each game ends, without a warning of python-chess or output on standard error."""
    async with python_chess() as one, python_chess() as other:
        for number in range(5):
            game, players = board(number), (one, other) if number % 2 else (other, one)
            await other.configure({"Level": 1 + number})
            while not game.is_game_over(claim_draw=True):
                player = players[game.turn]
                limit = chess.engine.Limit(nodes=40) if player is other else chess.engine.Limit(time=0.01, nodes=200)
                played = await player.play(game, limit, game=number, ponder=player is one)
                assert played.move in game.legal_moves
                game.push(played.move)
            assert game.outcome(claim_draw=True) is not None
    assert not [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


class Heard(list[str]):
    """The lines of an engine."""

    def __init__(self) -> None:
        super().__init__()
        self._more = asyncio.Event()

    def append(self, line: str) -> None:
        super().append(line)
        self._more.set()

    async def until(self, word: str) -> None:
        """Wait until the last line starts with a word."""
        async with asyncio.timeout(240):
            while not self or not self[-1].startswith(word):
                self._more.clear()
                await self._more.wait()


@pytest.fixture
async def said() -> AsyncIterator[tuple[UciEngine, Heard]]:
    """An engine of level 2, with its output."""
    lines = Heard()
    async with asyncio.TaskGroup() as tasks:
        with UciEngine(tasks, lines.append, 2, "standard") as engine:
            yield engine, lines


async def last(engine: UciEngine, lines: list[str], *commands: str) -> str:
    """The answer to the last of several commands."""
    for command in commands:
        assert await engine.hear(command)
    await engine.hear("stop")
    return lines[-1]


QUIET = "position fen 4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1"


@pytest.mark.slow
async def test_while_it_ponders_it_says_no_move(said: tuple[UciEngine, Heard]) -> None:
    engine, lines = said
    too_early = []
    for level, limits in product((2, 5), ("depth 1", "movetime 1", "wtime 1 btime 1", "")):
        lines.clear()
        for command in (f"setoption name Level value {level}", QUIET, f"go ponder {limits}"):
            await engine.hear(command)
        await lines.until("info")
        await engine.hear("isready")
        if any(line.startswith("bestmove") for line in lines):
            too_early.append((level, limits))
        await engine.hear("ponderhit")
        await lines.until("bestmove")
    assert not too_early


async def test_a_finished_game_is_pondered_about_as_well(said: tuple[UciEngine, Heard]) -> None:
    engine, lines = said
    await engine.hear("position startpos moves f2f3 e7e5 g2g4 d8h4")
    await engine.hear("go ponder")
    await lines.until("info")
    assert lines == ["info depth 0 score mate 0"]
    await engine.hear("ponderhit")
    await lines.until("bestmove (none)")


async def test_a_move_of_the_book_has_its_info(said: tuple[UciEngine, Heard]) -> None:
    engine, lines = said
    move = (await last(engine, lines, "setoption name Level value 5", "position startpos", "go")).split()[1]
    assert lines[0] == f"info string {move} is from the opening book"
    assert lines[1].startswith("info depth 1 score cp ") and lines[1].endswith(f" pv {move}")
    assert len(lines) == 3


async def test_it_plays_with_a_limited_strength(said: tuple[UciEngine, Heard]) -> None:
    """As standard UCI has it: `UCI_LimitStrength` and `UCI_Elo`."""
    engine, lines = said
    await engine.hear("uci")
    assert "option name UCI_LimitStrength type check default false" in lines
    assert any(re.fullmatch(rf"option name UCI_Elo type spin default \d+ min {WEAKEST} max {STRONGEST}", line)
               for line in lines)  # fmt: skip
    limit = ("setoption name UCI_LimitStrength value true", f"setoption name UCI_Elo value {WEAKEST}")
    place = "position fen r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7"
    for command in ("setoption name Level value 5", *limit, place, "go"):
        await engine.hear(command)
    await lines.until("bestmove")
    told = [int(line.split(" nodes ")[1].split()[0]) for line in lines if " nodes " in line]
    assert told and max(told) <= strength(WEAKEST).nodes
    await engine.hear("setoption name UCI_LimitStrength value false")
    lines.clear()
    await engine.hear(f"go nodes {4 * strength(WEAKEST).nodes}")
    await lines.until("bestmove")
    told = [int(line.split(" nodes ")[1].split()[0]) for line in lines if " nodes " in line]
    assert max(told) > strength(WEAKEST).nodes


async def test_it_chooses_among_the_moves_that_it_is_asked_about(said: tuple[UciEngine, Heard]) -> None:
    others = []
    for level, (variant, moves) in product(LEVELS, (("chess", {"a2a3", "h2h3"}), ("ffa", {"d2d3", "k2k3"}))):
        choose = (f"setoption name Level value {level}", f"setoption name UCI_Variant value {variant}")
        ask = ("position startpos", f"go nodes 40 searchmoves {' '.join(moves)} d2d5 nonsense depth 3")
        answer = await last(*said, *choose, *ask)
        if answer.split()[1] not in moves:
            others.append((level, variant, answer))
    assert not others
    assert await last(*said, "go searchmoves 0000") == "bestmove (none)"


async def test_names_of_variants(said: tuple[UciEngine, Heard]) -> None:
    engine, lines = said
    await engine.hear("uci")
    declared = next(line for line in lines if "UCI_Variant" in line)
    names = {"chess", "survivor", "ffa", "teams", "chess960", "kingofthehill", "3check"}
    names |= {"crazyhouse", "atomic", "antichess", "horde", "racingkings", "kingofthehill4", "threecheck4",
              "antichess4", "threeplayers", "selfpartner"}
    assert set(declared.partition(" var ")[2].split(" var ")) == names
    checks = "fen 7k/6pp/8/8/8/8/8/R3K3 w Q - 1+3 0 1"
    for name in ("3check", "threecheck"):
        choose = (f"setoption name UCI_Variant value {name}", f"position {checks}", "go depth 1")
        assert (await last(engine, lines, *choose)).split()[1] in ("a1a8", "e1c1")
    wild = ("setoption name UCI_Variant value chess", "setoption name UCI_Chess960 value true", "position startpos")
    castle = (f"{wild[-1]} moves g1f3 g8f6 g2g3 g7g6 f1g2 f8g7", "go searchmoves e1h1")
    assert (await last(engine, lines, *wild, *castle)).split()[1] == "e1h1"


def test_every_number_that_limits_a_search() -> None:
    position = opening("standard")
    for go, seconds, deepest in (
        ("", 1, 40),
        ("movetime 150", 0.1, 40),
        ("movetime 10", 0, 40),
        ("wtime 60050 winc 0 btime 1", 2, 40),
        ("wtime 10050 movestogo 10", 1, 40),
        ("wtime -5 btime 5", 0, 40),
        ("depth 6", inf, 6),
        ("depth 6 movetime 150", 0.1, 6),
        ("nodes 9", inf, 40),
        ("mate 2", inf, 4),
        ("depth nonsense infinite", inf, 40),
    ):
        limits = Limits.of(go.split())
        assert (round(limits.budget(position, 50), 3), limits.deepest(position)) == (seconds, deepest), go
    assert Limits.of(["nodes", "9"]).nodes == 9 and Limits.of([]).nodes == inf


async def test_games_for_four(said: tuple[UciEngine, Heard]) -> None:
    start = opening("teams")
    for move in ("h2h3", "b7c7"):
        start = start.play(start.find(move))
    choose = ("setoption name UCI_Variant value teams", "position startpos moves h2h3 b7c7", "go btime 100 ytime 9000")
    answer = await last(*said, *choose)
    assert answer.removeprefix("bestmove ") in start.legal_texts()
    assert await last(*said, f"position fen {start.fen()} moves g13g12", "go") != "bestmove (none)"


REFUSED = [
    ("position startpos moves e2e5", "info string standard: The pawn on e2 cannot go to e5."),
    ("position fen nonsense", "info string standard: "),
    ("position garbage", "info string 'garbage' is not a position: use startpos, or fen and a FEN"),
    ("position startpos e2e4", "info string 'startpos e2e4' is not a position"),
    ("position", "info string '' is not a position"),
    ("setoption name Level value 9", "info string Level cannot be '9'"),
    ("setoption name UCI_Variant value bughouse", "info string UCI_Variant cannot be 'bughouse'"),
    ("setoption name UCI_Chess960 value yes", "info string UCI_Chess960 cannot be 'yes'"),
    ("setoption name hash value 0", "info string Hash cannot be '0'"),
    ("setoption name Threads value 2", "info string Threads cannot be '2'"),
    ("setoption name Clear Hash value now", "info string Clear Hash cannot be 'now'"),
    ("setoption name UCI_Elo value 1", f"info string UCI_Elo cannot be '1': it is a number from {WEAKEST} to"),
    ("setoption name UCI_LimitStrength value 1", "info string UCI_LimitStrength cannot be '1'"),
    ("setoption name Contempt value 16", "info string there is no option 'Contempt'"),
]


async def test_what_it_cannot_follow_it_says(said: tuple[UciEngine, Heard]) -> None:
    answers = [(command, await last(*said, command), expected) for command, expected in REFUSED]
    assert not [answer for answer in answers if not answer[1].startswith(answer[2])]


async def test_no_move_where_there_is_no_game(said: tuple[UciEngine, Heard]) -> None:
    assert await last(*said, "position startpos moves f2f3 e7e5 g2g4 d8h4", "go") == "bestmove (none)"
    assert await last(*said, "position startpos moves e2e5", "go") == "bestmove (none)"


async def test_other_words_are_passed_over(said: tuple[UciEngine, Heard]) -> None:
    assert await last(*said, "", "debug on", "ucinewgame", "joho isready") == "readyok"
    assert not await said[0].hear("quit")


async def test_without_end_it_thinks_until_it_is_stopped(said: tuple[UciEngine, Heard]) -> None:
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


@pytest.mark.parametrize("ending", some(1, "quit\n", ""))
def test_it_ends_with_its_input(ending: str) -> None:
    run = subprocess.run(
        [*COMMAND, "--variant", "ffa"], cwd=ROOT, input=f"uci\n{ending}", capture_output=True, text=True,
        timeout=240, check=True,
    )  # fmt: skip
    assert "option name UCI_Variant type combo default ffa" in run.stdout
    assert run.stdout.endswith("uciok\n")
    assert run.stderr == ""


@pytest.mark.slow
def test_no_such_variant() -> None:
    run = subprocess.run(
        [*COMMAND, "--variant", "bughouse"], cwd=ROOT, capture_output=True, text=True, timeout=240, check=False
    )
    assert run.returncode == 2
    assert "There is no variant 'bughouse'" in run.stderr
