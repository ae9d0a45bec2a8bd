"""Boards as text: stored drawings, and parsing of any drawn board.

A file in `drawings/` has the position, the move to mark, the ink and, after an empty line, the drawing, with escape
characters as `␛`.
"""

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.color import ColorSystem

from fourfold.clients.terminal.text import drawing
from fourfold.clients.terminal.text.ink import Ink
from fourfold.clients.terminal.text.orientation import Orientation
from fourfold.clients.terminal.text.view import View, squares_of
from fourfold.engine.outcome import Termination
from fourfold.engine.position import Position
from fourfold.engine.variants import opening

DRAWINGS = sorted(Path(__file__).parent.glob("drawings/*.txt"))

INKS = {
    "letters": Ink(None, unicode=False),
    "unicode": Ink(),
    "256 colours": Ink(ColorSystem.EIGHT_BIT),
    "true colours": Ink(ColorSystem.TRUECOLOR),
}


def draw(head: str) -> str:
    """The drawing for the head of a file."""
    wish = dict(line.split(": ", 1) for line in head.splitlines())
    position = opening(wish["variant"], position=wish.get("position"))
    view = View.of(
        position,
        Orientation.of(position, wish.get("bottom")),
        last=wish.get("last"),
        brackets=wish.get("brackets") == "yes",
    )
    lines = drawing.board(view.asking(position, wish.get("asked")), INKS[wish["ink"]])
    return "".join(f"{line}\n" for line in lines).replace("\x1b", "␛")


@pytest.mark.parametrize("path", DRAWINGS, ids=[path.stem for path in DRAWINGS])
def test_drawings(path: Path) -> None:
    head, drawn = path.read_text(encoding="utf-8").split("\n\n")
    assert draw(head) == drawn


def played(variant: str, seed: int, plies: int) -> Position:
    chooser = random.Random(seed)
    position = opening(variant)
    for _ in range(plies):
        if position.outcome is not None:
            break
        if len(position.alive) > 2 and chooser.random() < 0.02:
            position = position.eliminate(chooser.choice(position.alive), Termination.RESIGNATION)
        position = position.play(position.find(chooser.choice(sorted(position.legal_texts()))))
    return position


positions = st.builds(played, st.sampled_from(["standard", "survivor"]), st.integers(0, 2**32), st.integers(0, 200))


@settings(max_examples=40)
@given(positions)
def test_a_drawing_can_be_read_back(position: Position) -> None:
    """From letters alone: every piece on its square, its owner, and grey pieces; nothing else."""
    four = len(position.seats) > 2
    cell = 4 if four else 3
    *ranks, files = drawing.board(View.of(position), INKS["letters"])
    found = {}
    for line in ranks:
        for file in range(position.geometry.files):
            text = line[3 + cell * file : 3 + cell * (file + 1)].strip()
            if text not in ("", "."):
                name = files[3 + cell * file : 3 + cell * (file + 1)].strip() + line[:2].strip()
                found[name] = text
    expected = {}
    for name, piece in position.pieces().items():
        letter, colour = piece.kind.letter, position.seats[piece.seat][0]
        if four:
            expected[name] = (colour if piece.grey else colour.upper()) + letter
        else:
            expected[name] = letter.upper() if colour == "w" else letter
    assert found == expected


@settings(max_examples=40)
@given(positions, st.sampled_from(sorted(INKS)), st.booleans())
def test_every_drawing_is_in_shape(position: Position, ink: str, brackets: bool) -> None:
    view = View.of(position, last="d4d5", brackets=brackets)
    lines = drawing.board(view, INKS[ink])
    visible = [re.sub("\x1b\\[[0-9;]*m|\ufe0e", "", line) for line in lines]
    assert len(lines) == position.geometry.ranks + 1
    assert all(len(line) <= drawing.width(view) for line in visible)
    assert drawing.width(view) <= 62
    if INKS[ink].coloured:
        assert all("\x1b[0m" in line for line in lines)
    else:
        assert all("\x1b" not in line for line in lines)
    if ink == "letters":
        assert all(line.isascii() for line in lines)
    if brackets:
        text = "".join(visible)
        movable = {squares_of(move)[0] for move in position.legal_texts()}
        own = sum(piece.seat == position.turn and not piece.grey for piece in position.pieces().values())
        assert text.count("[") == text.count("]") == len(movable)
        assert text.count("(") == text.count(")") == own - len(movable)


@pytest.mark.parametrize("variant", ["standard", "survivor"])
def test_a_narrow_board_fits_and_has_every_piece(variant: str) -> None:
    position = opening(variant)
    view = View.of(position, brackets=True)
    movable = {squares_of(move)[0] for move in position.legal_texts()}
    for columns, signs in ((62, "[]()"), (46, ">"), (40, "")) if variant == "survivor" else ((26, ">"), (20, ">")):
        *ranks, files = drawing.board(view, INKS["letters"], columns)
        assert all(len(line) <= columns for line in (*ranks, files))
        assert {sign for line in ranks for sign in line if sign in "[]()>"} == set(signs)
        assert sum(line.count(">") for line in ranks) == (len(movable) if signs == ">" else 0)
        letters = "".join(line[2:] for line in ranks)
        named = "kqrbnp" if variant == "survivor" else "kqrbnpKQRBNP"
        assert sum(map(letters.count, named)) == len(position.pieces())


@pytest.mark.parametrize("ink", ["unicode", "256 colours", "true colours"])
def test_colour_is_never_all_that_tells_the_two_sides_apart(ink: str) -> None:
    *ranks, _ = (re.sub("\x1b\\[[0-9;]*m", "", line) for line in drawing.board(View.of(opening("standard")), INKS[ink]))
    assert not set(ranks[0][3:]) & set(ranks[7][3:]) - {" "}
    assert not set(ranks[1][3:]) & set(ranks[6][3:]) - {" "}


def test_squares_of_moves() -> None:
    assert squares_of("e2e4") == ("e2", "e4")
    assert squares_of("d10d11q") == ("d10", "d11")
    assert squares_of("a14b2") == ("a14", "b2")
