"""Equivalent boards, and boards a few moves apart.

Modern four-player chess looks the same from every seat: a quarter turn of board and seats changes nothing.
"""

from __future__ import annotations

import random

import pytest

from fourfold.engine.outcome import Termination
from fourfold.engine.perft import perft
from fourfold.engine.pieces import Piece
from fourfold.engine.position import Position
from fourfold.engine.setup import Setup
from fourfold.engine.symmetry import images, key, may_follow, mirrored, placed, rotated, swapped
from fourfold.engine.variants import VARIANTS, opening
from tests.conftest import some


def turned(text: str) -> str:
    """A move's text after the board has turned clockwise by a quarter, as red's side becomes blue's."""
    square = ""
    squares = []
    for letter in text + " ":
        if square and not letter.isdigit() and square[-1].isdigit():
            file, rank = "abcdefghijklmn".index(square[0]), int(square[1:]) - 1
            squares.append("abcdefghijklmn"[rank] + str(13 - file + 1))
            square = ""
        square += letter
    return "".join(squares) + square.strip()


def turned_setup(position: Position) -> Setup:
    """The position with every army moved to the next seat, without rights."""
    index = position.geometry.index
    pieces = {
        index[turned(square)]: Piece((piece.seat + 1) % 4, piece.kind, piece.grey)
        for square, piece in position.pieces().items()
    }
    return Setup(pieces, (position.turn + 1) % 4)


@pytest.mark.parametrize("variant", ["survivor", "ffa"])
@pytest.mark.parametrize("seed", some(1, *range(4)))
def test_a_game_turned_is_the_same_game(variant: str, seed: int) -> None:
    chance = random.Random(seed)
    position = opening(variant)
    rights = position.rules.notation.read(position.fen(), position.rules).castling
    setup = turned_setup(position)
    other = Position.from_setup(position.rules, Setup(setup.pieces, setup.turn, rights))
    assert turned("h1k14") == "a7n4"
    for _ in range(160):
        assert sorted(map(turned, position.legal_texts())) == sorted(other.legal_texts())
        assert other.alive == tuple(sorted((seat + 1) % 4 for seat in position.alive))
        if position.points is not None and other.points is not None:
            assert other.points == position.points[3:] + position.points[:3]
        if position.outcome is not None:
            assert other.outcome is not None and other.outcome.termination is position.outcome.termination
            break
        text = chance.choice(sorted(position.legal_texts()))
        position, other = position.play(position.find(text)), other.play(other.find(turned(text)))


@pytest.mark.parametrize("variant", [name for name, rules in VARIANTS.items() if len(rules.seats) == 4])
def test_perft_is_the_same_whoever_begins(variant: str) -> None:
    position = opening(variant)
    rules = position.rules
    rights = rules.notation.read(position.fen(), rules).castling
    counts = set()
    for turn in range(4):
        setup = Setup(rules.notation.read(position.fen(), rules).pieces, turn, rights)
        counts.add(perft(Position.from_setup(rules, setup), 3))
    assert counts == {7960 if rules.kingless else 7800}  # without kings, no check forbids a move


def played(variant: str, seed: int, plies: int) -> list[Position]:
    """The positions of a random game, with occasional resignations among four."""
    chance = random.Random(seed)
    positions = [opening(variant, seed=seed)]
    while len(positions) <= plies and positions[-1].outcome is None:
        position = positions[-1]
        if len(position.alive) > 2 and chance.random() < 0.03:
            position = position.eliminate(chance.choice(position.alive), Termination.RESIGNATION)
            if position.outcome is not None:
                break
        castling = [move for move in position.legal_moves if position.castle_of(move)]
        positions.append(
            position.play(chance.choice(castling or sorted(position.legal_moves, key=lambda one: one.text)))
        )
    return positions


def reflected(position: Position, *, files: bool, colours: bool) -> Position:
    """The position for two, mirrored and with swapped colours; with its rights where possible."""
    ranks, turn, rights = position.fen().split()[:3]
    rows = ranks.split("/")
    if files:
        rows, rights = [row[::-1] for row in rows], "-"  # a king on d1 can't castle
    if colours:
        rows, turn = [row.swapcase() for row in reversed(rows)], "wb"[turn == "w"]
        rights = "".join(sorted(rights.swapcase()))
    return Position.from_fen(f"{'/'.join(rows)} {turn} {rights} - 0 1")


@pytest.mark.parametrize("seed", range(3))
def test_mirrored_boards_and_swapped_colours_share_a_key(seed: int) -> None:
    keys: dict[bytes, set[frozenset[object]]] = {}
    for position in played("standard", seed, 60):
        for files, colours in ((True, False), (False, True), (True, True)):
            assert key(reflected(position, files=files, colours=colours)) == key(position), position.fen()
        keys.setdefault(key(position), set()).add(frozenset(images(position)))
    assert all(len(different) == 1 for different in keys.values()), "no others share it"
    assert len(keys) > 40


def test_rights_counters_and_the_turn_do_not_count() -> None:
    same = ["KQkq - 0 1", "Kq - 4 9", "- - 0 1"]
    boards = [f"r3k2r/pppq1ppp/2n5/4p3/4P3/2N5/PPPQ1PPP/R3K2R {turn} {rest}" for rest in same for turn in "wb"]
    assert len({key(Position.from_fen(board)) for board in boards}) == 1
    other = "r3k2r/pppq1ppp/2n5/4p3/4P3/2N4P/PPPQ1PP1/R3K2R w KQkq - 0 1"
    assert key(Position.from_fen(other)) != key(Position.from_fen(boards[0]))
    chess960 = Position.start("chess960", fen=boards[0])
    assert key(chess960) == key(Position.from_fen(boards[0])), "in any variant"


@pytest.mark.parametrize("variant", ["survivor", "ffa", "teams"])
def test_turned_boards_share_a_key(variant: str) -> None:
    position = played(variant, 3, 40)[20]
    position = Position.from_setup(position.rules, Setup(placed_pieces(position), position.turn))
    turns, seats = position, []
    for _ in range(4):
        turns = Position.from_setup(turns.rules, turned_setup(turns))
        seats.append(turns.turn)
        assert key(turns) == key(position)
    assert sorted(seats) == [0, 1, 2, 3], "the colours go round with the board"
    pieces = {square: Piece((piece.seat + 1) % 4, piece.kind) for square, piece in placed_pieces(position).items()}
    with_other_colours = frozenset((square, piece.seat, piece.kind) for square, piece in pieces.items())
    assert with_other_colours not in images(position), "a board whose colours stay behind is another one"


def placed_pieces(position: Position) -> dict[int, Piece]:
    """The placement, with nobody out."""
    index = position.geometry.index
    return {index[square]: Piece(piece.seat, piece.kind) for square, piece in position.pieces().items()}


@pytest.mark.parametrize("variant", some(4, *VARIANTS))
def test_what_is_played_in_eight_plies_may_follow(variant: str) -> None:
    positions = played(variant, 7, 90)
    for number, later in enumerate(positions):
        moves = -(-8 // max(len(later.alive), 1))
        for earlier in positions[max(number - 8, 0) : number + 1]:
            assert may_follow(later, placed(earlier), placed(later), moves), (earlier.fen(), later.fen())


@pytest.mark.parametrize(
    ("earlier", "later", "why"),
    [
        ("e2e4 e7e5 g1f3", "e2e4 e7e5 d2d4", "the knight may go back, so this may follow"),
        ("e2e4", "d2d4", "a pawn does not go back"),
        ("e2e4 d7d5 e4d5", "e2e4 d7d5", "pieces do not come back"),
        ("e2e4", "e2e4 a7a6 g1f3 b7b6 f1c4 c7c6 b1c3 d7d6 d2d3 h7h6 h2h3 g7g6", "more than four moves of a side"),
    ],
)
def test_what_may_not_follow(earlier: str, later: str, why: str) -> None:
    before, after = Position.start(), Position.start()
    for text in earlier.split():
        before = before.play(before.find(text))
    for text in later.split():
        after = after.play(after.find(text))
    assert may_follow(after, placed(before), placed(after), 4) == why.endswith("so this may follow"), why


SIDES_DIFFER = {"horde", "racingkings"}
"""Variants in which the two sides have different armies, or run the same way."""


@pytest.mark.parametrize(
    "variant",
    some(2, *(name for name, rules in VARIANTS.items() if len(rules.seats) == 2 and name not in SIDES_DIFFER)),
)
def test_swapped_colours_and_mirrors_are_equivalent_positions(variant: str) -> None:
    for position in played(variant, 6, 80):
        other, reflection = swapped(position), mirrored(position)
        assert swapped(other) == position and key(other) == key(reflection) == key(position)
        assert images(other)[0] in images(position) and images(reflection)[0] == images(position)[1]
        assert other.turn == 1 - position.turn and reflection.turn == position.turn
        if position.outcome is None:
            assert perft(other, 2) == perft(position, 2)
            free = position.replace(rights=0)
            assert perft(mirrored(free), 1) == perft(free, 1)
    with pytest.raises(ValueError, match="Only boards for four"):
        rotated(opening(variant))


@pytest.mark.parametrize("variant", some(2, *(name for name, rules in VARIANTS.items() if len(rules.seats) == 4)))
def test_rotated_positions_are_equivalent(variant: str) -> None:
    for position in played(variant, 6, 120)[::4]:
        other, again = rotated(position), Position.start(variant, fen=position.fen(), seed=position.seed)
        assert key(other) == key(position) and rotated(other, 3) == again
        assert sorted(map(turned, position.legal_texts())) == sorted(other.legal_texts())
        assert other.alive == tuple(sorted((seat + 1) % 4 for seat in position.alive))
        assert other.points is None or other.points == position.points[3:] + position.points[:3]
    for change in (mirrored, swapped):
        with pytest.raises(ValueError, match=r"two players|two colours"):
            change(opening(variant))


def test_a_swap_keeps_rights_and_counters() -> None:
    position = Position.from_fen("r3k2r/8/8/3pP3/8/8/8/R3K3 w Qk d6 0 9")
    assert swapped(position).fen() == "r3k3/8/8/8/3Pp3/8/8/R3K2R b Kq d3 0 9"
    assert mirrored(position).fen() == "r2k3r/8/8/3Pp3/8/8/8/3K3R w - e6 0 9"
    checks = Position.start("threecheck", fen="4k3/8/8/8/8/8/4P3/4K3 w - - 1+3 0 1")
    assert swapped(checks).checks == (0, 2)
