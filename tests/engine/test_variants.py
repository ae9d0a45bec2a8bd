"""The variants by name, and their starts."""

from __future__ import annotations

import pytest

from fourfold.engine.errors import InvalidNotation
from fourfold.engine.geometry import SQUARE_8
from fourfold.engine.rules import two_step_castlings
from fourfold.engine.variants import VARIANTS, opening, seats
from tests.engine.places import men, play

KINGS = {
    "modern": "rKh1 bKa7 yKg14 gKn8",
    "classic": "rKh1 bKa8 yKg14 gKn7",
    "4PC": "rKh1 bKa7 yKg14 gKn8",
    "4PCo": "rKh1 bKa8 yKg14 gKn7",
    "4PCb": "rKh1 bKa7 yKh14 gKn7",
    "4PCn": "rKh1 bKa7 yKh14 gKn8",
    "4PCrg": "rKg1 bKa8 yKg14 gKn8",
}


def test_the_seats_in_turn() -> None:
    assert seats("standard") == ("white", "black")
    for variant in ("survivor", "ffa", "teams"):
        assert seats(variant) == opening(variant).seats == ("red", "blue", "yellow", "green")


@pytest.mark.parametrize(("setup", "kings"), KINGS.items())
def test_the_starting_arrays(setup: str, kings: str) -> None:
    for variant in ("survivor", "ffa", "teams"):
        position = opening(variant, setup=setup)
        assert {man for man in men(position) if man[1] == "K"} == set(kings.split())
        assert len(men(position)) == 64 and len(position.legal_moves) == 20
    assert opening("ffa", setup=setup.upper()).fen() == opening("ffa", setup=setup).fen()


def test_values_of_the_pieces() -> None:
    assert opening("standard").material() == (39, 39)
    assert opening("survivor").material() == (39,) * 4
    assert opening("ffa").material() == (43,) * 4


def test_homes_from_which_no_king_castles_by_two_squares() -> None:
    seats = VARIANTS["standard"].seats
    for home, message in {
        "b1": "A king on b1 cannot castle by two squares: it is next to the rook on a1",
        "g8": "A king on g8 cannot castle by two squares: it is next to the rook on h8",
        "a1": "A king on a1 cannot castle by two squares: it is next to the edge of the board",
        "e4": "A king castles on its own back row, but e4 is on nobody's back row",
        "z9": "There is no square 'z9' on the 8x8 board",
    }.items():
        with pytest.raises(ValueError, match=message):
            two_step_castlings(SQUARE_8, seats, ("e1", home))


def test_names_that_are_not_known() -> None:
    for ask in (lambda: opening("bughouse"), lambda: seats("bughouse")):
        with pytest.raises(InvalidNotation) as raised:
            ask()
        assert raised.value.code == "unknown_variant"
        assert str(raised.value) == f"There is no variant 'bughouse'. Variants: {', '.join(VARIANTS)}."
    with pytest.raises(InvalidNotation) as raised:
        opening("survivor", setup="new")
    assert raised.value.code == "unknown_setup" and "modern, classic, 4PC" in str(raised.value)


def test_a_start_is_kept_and_differs_by_its_seed_alone() -> None:
    assert opening("ffa") is opening("ffa", setup="modern") is opening("ffa", position=opening("ffa").fen())
    assert opening("ffa") is not opening("survivor")
    seeded = opening("ffa", seed=7)
    assert seeded.seed == 7 and opening("ffa").seed == 0
    assert seeded.fen() == opening("ffa").fen() and seeded != opening("ffa")
    # Continuing from a position does not change another game's.
    before = opening("standard").fen()
    play(opening("standard"), "e2e4 e7e5")
    assert opening("standard").fen() == before and opening("standard").ply == 0
