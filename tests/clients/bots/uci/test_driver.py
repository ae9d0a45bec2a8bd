"""UCI engines as players: short programs that behave like real engines, our own, and Stockfish if it is installed."""

import asyncio
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fourfold.clients.__main__ import main
from fourfold.clients.bots.profile import BadProfile, Profile, profile, profiles
from fourfold.clients.bots.uci import driver
from fourfold.clients.bots.uci.driver import Engine, EngineFault
from fourfold.engine.position import Position
from fourfold.engine.variants import VARIANTS, opening
from tests.clients.bots.uci import conversation
from tests.conftest import HANG

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

ALMOST_PROMOTED = (
    "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-3,8,3/3,yK,7,3/3,8,3/14/14/14/14/6,rP,7/10,gK,3/bK,13/14/3,8,3/3,8,3/3,7,rK,3"
)
"""Red's pawn stands on g7, with green, blue and yellow kings far away."""


@pytest.fixture
def parrot(tmp_path: Path) -> Callable[..., Profile]:
    """Makes an engine that answers each `go` by a statement."""

    def make(answer: str, **known: Any) -> Profile:
        path = tmp_path / "parrot"
        path.write_text(ENGINE.format(python=sys.executable, log=str(tmp_path / "heard"), answer=answer))
        path.chmod(0o755)
        return Profile((str(path),), **known)

    return make


async def test_it_is_told_the_position_and_its_options(parrot: Callable[..., Profile], tmp_path: Path) -> None:
    start = opening("standard")
    answer = 'print("info depth 1 pv e2e4"); print("bestmove e2e4 ponder e7e5")'
    async with Engine(parrot(answer, options={"Depth of Talk": "3"})) as engine:
        assert engine.name == "Parrot 1"
        assert await engine.think(start, 0.01) == "e2e4"
    heard = (tmp_path / "heard").read_text().splitlines()
    assert heard == ["setoption name Depth of Talk value 3", f"position fen {start.fen()}"]


async def test_it_is_told_the_moves_while_the_game_goes_on(parrot: Callable[..., Profile], tmp_path: Path) -> None:
    start = opening("standard")

    def after(*moves: str) -> Position:
        position = start
        for move in moves:
            position = position.play(position.find(move))
        return position

    answers = ["g1f3", "b1c3", "b1c3", "a2a3", "e2e4"]
    asked = (
        start,
        after("g1f3", "g8f6"),
        after("g1f3", "g8f6"),  # the same position again, as after a vote
        after("g1f3", "g8f6", "b1c3", "f6g8"),
        after("g1f3", "d7d5"),  # as after an undo
    )
    async with Engine(parrot(f'print("bestmove", globals().setdefault("answers", {answers}).pop(0))')) as engine:
        assert [await engine.think(position, 0.01) for position in asked] == answers
    fen = f"position fen {start.fen()}"
    assert (tmp_path / "heard").read_text().splitlines() == [
        fen,
        f"{fen} moves g1f3 g8f6",
        f"{fen} moves g1f3 g8f6",
        f"{fen} moves g1f3 g8f6 b1c3 f6g8",
        f"position fen {asked[-1].fen()}",
    ]


async def test_the_dialect_of_four(parrot: Callable[..., Profile], tmp_path: Path) -> None:
    async with Engine(parrot('print("bestmove h2-h4")')) as engine:
        assert await engine.think(opening("teams"), 0.01) == "h2h4"
    assert (tmp_path / "heard").read_text().startswith("position fen R-0,0,0,0-")


async def test_a_thought_that_is_given_up_does_not_answer_the_next(parrot: Callable[..., Profile]) -> None:
    async with Engine(parrot('print("bestmove e2e4") if words[2] == "1" else None')) as engine:
        thought = asyncio.create_task(engine.think(opening("standard"), 5))
        await asyncio.sleep(0)
        async with asyncio.timeout(240):
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
async def test_bad_answers_are_named(parrot: Callable[..., Profile], answer: str, message: str) -> None:
    async with Engine(parrot(answer)) as engine:
        with pytest.raises(EngineFault) as fault:
            await engine.think(opening("standard"), 0.01)
    assert message in str(fault.value)


async def test_an_engine_may_name_another_piece_than_a_pawn_becomes(parrot: Callable[..., Profile]) -> None:
    """Hornet promotes to rooks as well, but in `ffa` a pawn becomes a queen."""
    position = Position.from_fen(ALMOST_PROMOTED, "ffa")
    answer = 'print("bestmove g7-g8=R")'
    async with Engine(parrot(answer, underpromotes=True)) as engine:
        assert await engine.think(position, 0.01) == "g7g8q"
    async with Engine(parrot(answer)) as engine:
        with pytest.raises(EngineFault, match="no legal move"):
            await engine.think(position, 0.01)


async def test_a_line_that_an_engine_refuses_is_named(parrot: Callable[..., Profile]) -> None:
    """After such a line, 4pchess continues from another position and with other options."""
    answer = 'print("info string Invalid FEN: x"); print("bestmove e2e4")'
    async with Engine(parrot(answer, refusals=("Invalid FEN",))) as engine:
        with pytest.raises(EngineFault, match="Parrot 1 answered 'info string Invalid FEN: x'"):
            await engine.think(opening("standard"), 0.01)


async def test_the_driver_waits_as_long_as_it_is_told(parrot: Callable[..., Profile]) -> None:
    with pytest.raises(EngineFault, match=r"has not said '\w+' in 0\.2\d? s"):
        async with Engine(parrot("pass"), patience=0.2) as engine:
            await engine.think(opening("standard"), 0.01)


async def test_what_is_no_engine(parrot: Callable[..., Profile]) -> None:
    with pytest.raises(EngineFault, match="cannot be run"):
        await Engine(Profile(("/nonexistent/engine",))).__aenter__()
    with pytest.raises(EngineFault, match="has no option 'Wit'"):
        await Engine(parrot("pass", options={"Wit": "1"})).__aenter__()


async def test_its_profile_is_followed(parrot: Callable[..., Profile], tmp_path: Path) -> None:
    answer = """print(f"bestmove {'h2h4' if words[2] == '950' else 'never'}")"""
    wish = parrot(
        answer, name="Polly", overhead=0.05, unlisted=True, options={"Wit": "1"}, variants={"ffa": "4pc-ffa"}
    )
    async with Engine(wish) as engine:
        assert engine.name == "Polly"
        assert await engine.think(opening("ffa"), 1) == "h2h4"
        assert await engine.think(opening("ffa"), 1) == "h2h4"
        with pytest.raises(EngineFault, match="Polly plays ffa, not teams"):
            await engine.think(opening("teams"), 1)
    heard = [line.partition(" fen ")[0] for line in (tmp_path / "heard").read_text().splitlines()]
    assert heard == [
        "setoption name Wit value 1", "setoption name UCI_Variant value 4pc-ffa", "position", "position",
    ]  # fmt: skip


@pytest.mark.parametrize("name", conversation.QUESTIONS)
async def test_a_recorded_conversation(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each engine for four gets the lines that it understood in the recording, and its answers are parsed."""
    recorded, done = conversation.FOLDER / f"{name}.txt", tmp_path / "done"
    done.touch()
    answer_in, restart = Engine._answer_in, Engine._restart

    async def patient(engine: Engine, budget: float, *asked: str) -> str:
        """On a busy machine the other questions, too, may be answered late."""
        monkeypatch.setattr(driver, "LATE", 0.1 if budget == conversation.TOO_SHORT else HANG)
        return await answer_in(engine, budget, *asked)

    async def once_heard(engine: Engine) -> None:
        """What the program has not read is lost."""
        async with asyncio.timeout(240):
            while not done.read_text().endswith("go movetime 1\n"):  # noqa: ASYNC110 - nothing tells of it
                await asyncio.sleep(0.01)
        await restart(engine)

    monkeypatch.setattr(Engine, "_answer_in", patient)
    monkeypatch.setattr(Engine, "_restart", once_heard)
    again = (sys.executable, str(conversation.STAND_IN), "repeat", str(recorded), str(done))
    lines = recorded.read_text().splitlines()
    answers = await conversation.ask(replace(profile(name), command=again), conversation.QUESTIONS[name])
    assert answers == [line for line in lines if line[:1] in "=!"]
    assert done.read_text().splitlines() == [line[2:] for line in lines if line[:1] == ">"]


async def test_promotions_as_engines_for_four_write_them(parrot: Callable[..., Profile]) -> None:
    fen = "R-0,1,0,1-0,0,0,0-0,0,0,0-0,0,0,0-0-" + "/".join(
        ["x,x,x,3,yK,4,x,x,x", "x,x,x,8,x,x,x", "x,x,x,8,x,x,x", *["14"] * 4, "4,rP,9", *["14"] * 3]
        + ["x,x,x,8,x,x,x"] * 2 + ["x,x,x,3,rK,4,x,x,x"]
    )  # fmt: skip
    for answer in ("e7-e8=D", "e7e8q"):
        async with Engine(parrot(f'print("bestmove {answer}")')) as engine:
            assert await engine.think(opening("ffa", position=fen), 0.01) == "e7e8q"


def test_profiles_that_come_along() -> None:
    assert {"stockfish", "4pchess", "tetrarch", "hornet", "fourfold"} <= profiles().keys()
    assert profile("stockfish").variants == {"standard": ""}
    assert profile("stockfish").options == {"Threads": "1"}
    assert profile("fourfold").variants == {name: "chess" if name == "standard" else name for name in VARIANTS}


def test_a_profile_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "weak.toml"
    path.write_text('command = ["stockfish"]\nname = "Weak"\nbudget = 2\noptions = {UCI_LimitStrength = true}')
    assert profile(str(path)) == Profile(
        ("stockfish",), name="Weak", budget=2, options={"UCI_LimitStrength": "true"}
    )  # fmt: skip


def test_a_profile_like_another(tmp_path: Path) -> None:
    path = tmp_path / "old.toml"
    path.write_text('like = "fourfold"\nname = "old"\ncommand = ["/opt/old/fourfold", "engine"]')
    ours = profile("fourfold")
    assert profile(str(path)) == replace(ours, name="old", command=("/opt/old/fourfold", "engine"))
    path.write_text('like = "stockfish"')
    assert profile(str(path)) == profile("stockfish")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('like = "fuorfold"', "like is one of stockfish, "),
        ("like = [1]", "like is one of stockfish, "),
        ("", "command is a list of texts, the program first"),
        ('command = ["x"]\nbudgt = 1', "unknown key 'budgt'. Keys: command, name"),
        ('command = ["x"]\nbudget = "1"', "budget is a number of seconds, not '1'"),
        ('command = ["x"]\nrefusals = [1]', "refusals is a list of texts"),
        ('command = ["x"]\nfen4 = {gray = false}', "unknown key 'gray' of fen4. Keys: extras, walls"),
        ('command = ["x"]\nfen4 = {grey = 1}', "grey of fen4 is true or false, not 1"),
        ('command = ["x"]\nfen4 = {extras = ["plies"]}', "extras of fen4 is a list of enPassant, out"),
        ("command = x", "cannot be read: "),
    ],
)
def test_bad_profiles_are_named(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(BadProfile) as fault:
        profile(str(path))
    assert message in str(fault.value)


def test_profiles_that_there_are_not() -> None:
    with pytest.raises(BadProfile, match="there is no profile 'stockfsh': use stockfish, "):
        profile("stockfsh")
    with pytest.raises(BadProfile, match="cannot be read"):
        profile("/nonexistent/engine.toml")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name an engine: --profile NAME or --engine PATH"),
        (["--profile", "stockfsh"], "there is no profile 'stockfsh'"),
        (["--engine", "stockfish", "--option", "Threads"], "write an option as NAME=VALUE"),
    ],
)
def test_the_command_says_what_it_needs(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    with pytest.raises(SystemExit) as end:
        main(["uci", "room", *arguments])
    assert end.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.slow
async def test_our_own_levels_by_the_dialect_of_each_game(variant: str) -> None:
    ours = replace(profile("fourfold"), command=(sys.executable, "-m", "fourfold.clients", "engine", "--level", "3"))
    position = opening(variant)
    async with Engine(ours) as engine:
        assert engine.name == "Fourfold level 3"
        for _ in range(12):
            position = position.play(position.find(await engine.think(position, 0.1)))
            if position.outcome is not None:  # they rarely mate within so few moves
                break
        assert position.ply > 2


@pytest.mark.usefixtures("stockfish")
def test_the_page_shows_how_a_program_asks_an_engine() -> None:
    page = Path(__file__).parents[4] / "clients/bots/README.md"
    (script,) = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=240)
    assert re.match(r"Stockfish.* plays [a-h][67][a-h][56]\n", said.stdout) and "info depth 1 " in said.stdout


@pytest.mark.usefixtures("stockfish")
async def test_stockfish() -> None:
    async with Engine(profile("stockfish")) as engine:
        assert engine.name.startswith("Stockfish")
        mate = opening("standard", position="6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
        assert await engine.think(mate, 0.1) == "a1a8"
