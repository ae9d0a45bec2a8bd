"""Three players: the army that is missing, compared with the reference."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from fourfold.engine.errors import InvalidNotation
from fourfold.engine.match.commands import Resign
from fourfold.engine.match.export import export, formats
from fourfold.engine.notation import pgn4, smith
from fourfold.engine.notation.game import Game, Step
from fourfold.engine.outcome import Termination
from fourfold.engine.perft import perft
from fourfold.engine.variants import opening
from tests.conftest import some
from tests.engine.test_reference import play_out
from tests.match.conftest import Table, table  # noqa: F401 (a fixture)


def test_the_start() -> None:
    position = opening("threeplayers")
    assert position.seats == ("red", "blue", "yellow") and len(position.pieces()) == 48
    assert position.fen().startswith("R-0,0,0,1-1,1,1,0-1,1,1,0-0,0,0,0-0-x,x,x,yR,")
    assert "/bK,bP,12/" in position.fen()
    assert opening("threeplayers", position=position.fen()).fen() == position.fen()
    # Until green would be to move, as with four.
    assert [perft(position, depth) for depth in (1, 2, 3)] == [20, 395, 7800]


@pytest.mark.parametrize("seed", some(1, *range(4)))
def test_a_game_as_the_reference_plays_it(seed: int) -> None:
    play_out(opening("threeplayers"), seed, 150)


@pytest.mark.parametrize("seed", range(3))
def test_records(seed: int) -> None:
    chance = random.Random(seed)
    start = opening("threeplayers", setup="classic")
    position, steps = start, []
    while position.outcome is None and len(steps) < 200:
        if len(steps) == 100:
            steps.append(Step.of_departure(position, position.turn, Termination.RESIGNATION))
        else:
            steps.append(Step.of_move(position, position.find(chance.choice(sorted(position.legal_texts())))))
        position = steps[-1].after
        assert opening("threeplayers", position=position.fen()).fen() == position.fen()
    game = Game(start)
    game.line.steps = steps
    read = next(pgn4.read(pgn4.write(game)))
    assert read.failure is None and read.position == position and read.start.variant == "threeplayers"
    assert smith.read(smith.write(game)).position == position


def test_a_match(table: Callable[..., Table]) -> None:  # noqa: F811
    one = table("threeplayers")
    one.play("h2h4", "b7d7", "g13g11", "d2d3")
    assert one.turn == "blue" and "'enPassant':('','c7:d7','g12:g11','')" in one.fen
    one.says("blue", Resign())
    assert one.turn == "yellow" and one.fen.startswith("Y-0,1,0,1-")
    assert formats(one.state) == ("pgn4", "smith", "fen")
    assert "1. h2-h4 .. b7-d7 .. g13-g11\n2. d2-d3 .. R\n" in export("here", one.log, one.state, "pgn4")
    one.says("red", Resign())
    assert one.state.outcome is not None and one.state.outcome.winners == (2,)


@pytest.mark.parametrize("change", [("R-", "G-"), ("yR,yN", "gR,yN"), ("-0-x", "-0-{'out':('g')}-x")])
def test_green_has_no_seat(change: tuple[str, str]) -> None:
    with pytest.raises(InvalidNotation, match="no seat of this variant has the colour g"):
        opening("threeplayers", position=opening("threeplayers").fen().replace(*change, 1))
