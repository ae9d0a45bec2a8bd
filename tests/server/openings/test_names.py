"""Opening names: well-known ones, in any move order; the file matches the list."""

import asyncio

import pytest

from fourfold.engine.match.commands import Create
from fourfold.engine.variants import opening
from fourfold.server.openings.names import PLIES, named, names, openings
from fourfold.server.yielding_lock import YieldingLock
from tests.server.archive.played import Game

KNOWN = {
    "e2e4 c7c5": "Sicilian Defense",
    "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6": "Sicilian Defense: Najdorf Variation",
    "e2e4 e7e5 g1f3 b8c6 f1b5": "Ruy Lopez",
    "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6": "Ruy Lopez: Berlin Defense",
    "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5": "Italian Game: Giuoco Piano",
    "d2d4 d7d5 c2c4": "Queen's Gambit",
    "d2d4 d7d5 c2c4 e7e6": "Queen's Gambit Declined",
    "d2d4 g8f6 c2c4 e7e6 b1c3 f8b4": "Nimzo-Indian Defense",
    "d2d4 g8f6 c2c4 g7g6 b1c3 d7d5": "Grünfeld Defense",
    "e2e4 e7e6 d2d4 d7d5": "French Defense",
    "e2e4 c7c6": "Caro-Kann Defense",
    "d2d4 f7f5": "Dutch Defense",
    "c2c4": "English Opening",
}


@pytest.mark.parametrize("moves", KNOWN)
def test_well_known_openings(moves: str) -> None:
    position = opening("standard")
    for move in moves.split():
        position = position.play(position.find(move))
    found = named(position)
    assert found is not None and found[1] == KNOWN[moves]
    assert found[0][0] in "ABCDE" and found[0][1:].isdecimal()


def test_there_are_thousands() -> None:
    assert len(names()) > 3700
    assert all(code and name and not name.endswith(":") for code, name in names().values())


def played(moves: str, variant: str = "standard") -> Game:
    game = Game(Create(variant), ["ann", "bob", "cat", "dan"][: len(opening(variant).seats)])
    for move in moves.split():
        game.move(move)
    return game


def of(game: Game) -> list[tuple[int, str]]:
    assert game.state is not None
    return [(one.ply, one.name) for one in asyncio.run(openings(game.state, YieldingLock()))]


def test_whatever_the_order_of_the_moves() -> None:
    by_the_book = of(played("d2d4 g8f6 c2c4 e7e6 b1c3 f8b4"))
    assert by_the_book[-1] == (6, "Nimzo-Indian Defense")
    assert of(played("c2c4 e7e6 b1c3 g8f6 d2d4 f8b4"))[-1] == (6, "Nimzo-Indian Defense")


def test_a_game_goes_from_name_to_name() -> None:
    found = of(played("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 h7h5 a4b3 h5h4"))
    assert [name for _, name in found][-1].startswith("Ruy Lopez")
    assert [ply for ply, _ in found] == sorted({ply for ply, _ in found})
    assert found[-1][0] < 10


def test_other_variants_have_none() -> None:
    assert of(played("h2h3", variant="ffa")) == []
    assert named(opening("ffa")) is None and named(opening("standard")) is None


def test_no_position_with_a_name_is_further_on() -> None:
    assert PLIES % 5 == 0 and PLIES >= 36
