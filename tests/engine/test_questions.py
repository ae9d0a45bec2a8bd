"""Questions of clients: a piece's moves, attackers, captures, and the errors of a tried move."""

import random

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.engine.editor import BoardEditor
from fourfold.engine.errors import IllegalMove, InvalidNotation
from fourfold.engine.outcome import Termination
from fourfold.engine.pieces import Piece, PieceKind
from fourfold.engine.position import Position
from fourfold.engine.questions import (
    attacked,
    attacks,
    attempt,
    captured,
    checkers,
    checks,
    choices,
    gives_check,
    is_capture,
    is_castling,
    is_en_passant,
    occupied,
    pins,
    taken,
    taken_in_passing,
)
from fourfold.engine.variants import VARIANTS, opening, rules_of
from tests.conftest import some

PASSING = "4k3/8/8/2ppP3/8/7n/6P1/4K2R w K d6 0 1"


def squares(pieces: dict[str, Piece]) -> list[str]:
    return list(pieces)


def texts(position: Position, square: str) -> tuple[list[str], list[str]]:
    quiet, captures = choices(position, square)
    return [move.text for move in quiet], [move.text for move in captures]


@pytest.mark.parametrize(
    ("fen", "square", "quiet", "captures"),
    [
        (None, "g1", ["g1f3", "g1h3"], []),
        (None, "e4", [], []),
        (None, "e7", ["e7e5", "e7e6"], []),
        ("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1", "e4", ["e4e3"], ["e4d3"]),
        ("4k3/8/4r3/8/8/8/4Q3/4K3 w - - 0 1", "e6", ["e6e3", "e6e4", "e6e5", "e6e7"], ["e6e2"]),  # pinned
        ("7k/5Q2/8/8/8/8/8/K7 b - - 0 1", "f7", [], []),  # the game is over
        (PASSING, "g2", ["g2g3", "g2g4"], ["g2h3"]),
        (PASSING, "e1", ["e1d1", "e1d2", "e1e2", "e1f1"], []),
        ("4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1", "e5", ["e5e6"], ["e5d6"]),
        ("4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1", "e1", ["e1d1", "e1d2", "e1e2", "e1f1", "e1f2", "e1g1"], []),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7", [f"a7a8{kind}" for kind in "bnqr"], [f"a7b8{k}" for k in "bnqr"]),
    ],
)
def test_where_a_piece_can_go(fen: str | None, square: str, quiet: list[str], captures: list[str]) -> None:
    position = opening("standard", position=fen)
    assert texts(position, square) == (quiet, captures)


def test_a_question_about_no_square_is_refused() -> None:
    for question in (choices, Position.attackers):
        with pytest.raises(InvalidNotation) as caught:
            question(opening("standard"), "j1")
        assert caught.value.code == "bad_source"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("z9e4", "bad_source"),
        ("e3e4", "no_piece"),
        ("e2e9", "bad_destination"),
        ("e1d1", "own_piece"),
        ("a7a8x", "unknown_promotion"),
        ("e1e4", "cannot_move_there"),
    ],
)
def test_the_six_errors_of_a_tried_move(text: str, code: str) -> None:
    position = opening("standard", position="7k/P7/8/8/8/8/8/3QK3 w - - 0 1")
    with pytest.raises((InvalidNotation, IllegalMove)) as caught:
        attempt(position, text)
    assert caught.value.code == code
    if code == "cannot_move_there":
        assert caught.value.message == "The king on e1 cannot go to e4."


def test_a_tried_move_gives_the_next_position() -> None:
    position = opening("standard")
    assert attempt(position, "e2e4") == position.play(position.find("e2e4"))


@given(st.data())
def test_attackers_are_those_that_python_chess_finds(data: st.DataObject) -> None:
    board = chess.Board()
    for _ in range(data.draw(st.integers(0, 40))):
        moves = sorted(board.legal_moves, key=str)
        if not moves:
            break
        board.push(data.draw(st.sampled_from(moves)))
    position = opening("standard", position=board.fen())
    for square in chess.SQUARES:
        name = chess.square_name(square)
        for seat, colour in enumerate((chess.WHITE, chess.BLACK)):
            theirs = {chess.square_name(source) for source in board.attackers(colour, square)}
            assert set(position.attackers(name, seat)) == theirs
            assert (name in attacked(position)[seat]) is bool(theirs)
    theirs = {chess.square_name(square) for square in board.checkers()}
    assert checks(position) == ({board.turn ^ 1: position_of(position, theirs)} if theirs else {})


@given(st.data())
def test_pins_attacks_and_kinds_of_moves_are_those_of_python_chess(data: st.DataObject) -> None:
    starts = (chess.STARTING_FEN, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", PASSING)
    board = chess.Board(data.draw(st.sampled_from(starts)))
    for _ in range(data.draw(st.integers(0, 40))):
        moves = sorted(board.legal_moves, key=str)
        if not moves:
            break
        board.push(data.draw(st.sampled_from(moves)))
    position = opening("standard", position=board.fen())
    for move in board.legal_moves if position.outcome is None else ():  # with a bishop each, it is drawn: see draws.py
        ours = position.find(move.uci())
        for spelling in (ours, move.uci()):
            assert gives_check(position, spelling) == board.gives_check(move)
            assert is_capture(position, spelling) == board.is_capture(move)
            assert is_castling(position, spelling) == board.is_castling(move)
            assert is_en_passant(position, spelling) == board.is_en_passant(move)
    for seat, colour in enumerate((chess.WHITE, chess.BLACK)):
        assert occupied(position, seat).mask == board.occupied_co[colour]
        pinned = {square for square in chess.SQUARES if board.is_pinned(colour, square)} & {
            *chess.scan_forward(board.occupied_co[colour])
        }
        found = pins(position, seat)
        assert set(found) == {chess.square_name(square) for square in pinned}
        for name, line in found.items():
            # python-chess has the whole line through the king; ours has the part on which the piece shields it.
            assert line.mask & ~int(board.pin(colour, chess.parse_square(name))) == 0 and name in line
    assert pins(position) == pins(position, position.turn) and occupied(position).mask == board.occupied
    for square in chess.SQUARES:
        assert attacks(position, chess.square_name(square)).mask == int(board.attacks(square))


@pytest.mark.parametrize(
    "variant", some(2, *(name for name, rules in VARIANTS.items() if len(rules.seats) == 4 and not rules.kingless))
)
def test_among_four_a_check_has_a_plus_or_a_mate_sign(variant: str) -> None:
    chance, position, seen = random.Random(8), opening(variant), set()
    for _ in range(400):
        if position.outcome is not None:
            position = opening(variant)
        for move in position.legal_moves:
            text = position.san(move)
            seen.add(text[-1] in "+#")
            assert gives_check(position, move) == ("+" in text), (position.fen(), text)
        position = position.play(position.walk or chance.choice(sorted(position.legal_texts())))
    assert seen == {True, False}


def test_pins_among_four() -> None:
    position = four("red rook h3", "yellow rook h6", "red pawn g2", "green bishop e4", "blue pawn i2")
    lines = {square: list(line) for square, line in pins(position, 0).items()}
    assert lines == {"h3": ["h2", "h3", "h4", "h5", "h6"], "g2": ["g2", "f3", "e4"]}
    gone = position.eliminate(2, Termination.RESIGNATION)
    assert list(pins(gone, 0)) == ["g2"] and pins(gone, 2) == {}
    assert not attacks(gone, "h6") and sorted(attacks(gone, "i2")) == ["j1", "j3"] and not attacks(gone, "k8")
    assert "h6" in occupied(gone) and "h6" not in occupied(gone, 2)


def position_of(position: Position, names: set[str]) -> dict[str, Piece]:
    return {name: piece for name, piece in position.pieces().items() if name in names}


def four(*men: str, turn: str = "red") -> Position:
    """A four-player position with every king on its starting square, and these pieces (``green rook h3``)."""
    board = BoardEditor.empty(rules_of("survivor")).turn(turn)
    for man in ("red king h1", "blue king a7", "yellow king g14", "green king n8", *men):
        seat, kind, square = man.split()
        board = board.put(square, seat, kind)
    return Position.from_setup(board.rules, board.setup)


def test_attackers_among_four() -> None:
    position = four(
        "green rook h3", "blue pawn d4", "yellow pawn e5", "red knight i6", "red pawn d3", "yellow queen f3"
    )
    assert position.attackers("e4") == {"d3": Piece(0, PieceKind.PAWN), "f3": Piece(2, PieceKind.QUEEN)}
    # Blue's pawns go to the right and take on that side, yellow's go down.
    assert squares(position.attackers("e5")) == ["d4"]
    assert squares(position.attackers("d4")) == ["e5"]
    assert squares(position.attackers("h4")) == ["h3", "i6"]
    assert squares(position.attackers("h4", 3)) == ["h3"]
    assert position.attackers("a4") == {}


def test_grey_pieces_attack_nothing_but_stand_in_the_way() -> None:
    position = four("green rook h3", "yellow rook h5", "blue bishop k6")
    assert squares(position.attackers("h4")) == ["h3", "h5"]
    position = position.eliminate(3, Termination.RESIGNATION)
    assert squares(position.attackers("h4")) == ["h5"]
    assert squares(position.attackers("h2")) == ["h1"]


def test_who_is_out_attacks_nothing() -> None:
    found = attacked(opening("survivor").eliminate(1, Termination.RESIGNATION))
    assert found[1] == [] and all(found[seat] for seat in (0, 2, 3))


def test_checks_name_the_seat_and_the_pieces() -> None:
    position = four("green rook h3", "blue knight g3", "yellow knight f2", "yellow rook a9", "red rook a4")
    assert {seat: squares(pieces) for seat, pieces in checks(position).items()} == {
        0: ["f2", "g3", "h3"],
        1: ["a4", "a9"],
    }
    assert squares(checkers(position, "g1", 0)) == []
    assert squares(checkers(position, "h2", 0)) == ["h3"]


def test_what_a_move_takes() -> None:
    position = opening("standard", position=PASSING)
    assert taken(position, position.find("g2h3")) == (Piece(1, PieceKind.KNIGHT),)
    assert taken(position, position.find("e1d1")) == ()
    assert taken(position, position.find("e5d6")) == (Piece(1, PieceKind.PAWN),)
    assert taken_in_passing(position, position.find("g2h3")) is None


def test_a_pawn_taken_in_passing_goes_with_what_stands_on_the_skipped_square() -> None:
    line = []
    position = four("blue pawn b5", "red pawn d4", "green knight e6", turn="blue")
    for text in ("b5d5", "g14f14", "e6c5", "d4c5"):
        move = position.find(text)
        line.append((position, move))
        position = position.play(move)
    knight, pawn = Piece(3, PieceKind.KNIGHT), Piece(1, PieceKind.PAWN)
    assert taken(*line[-1]) == (knight, pawn)
    assert captured(line) == {0: [knight, pawn]}


def test_a_pawn_taken_in_passing_may_be_grey() -> None:
    position = four("blue pawn b5", "red pawn d4", turn="blue")
    position = position.play(position.find("b5d5")).eliminate(1, Termination.TIME)
    position = attempt(attempt(position, "g14f14"), "n8n9")
    assert taken(position, position.find("d4c5")) == (Piece(1, PieceKind.PAWN, grey=True),)


def test_what_was_captured_in_a_game_for_two() -> None:
    position, line = opening("standard"), []
    for text in ("e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5g2", "f1g2"):
        move = position.find(text)
        line.append((position, move))
        position = position.play(move)
    kinds = {seat: [piece.kind.letter for piece in pieces] for seat, pieces in captured(line).items()}
    assert kinds == {0: ["p", "q"], 1: ["p", "p"]}
    assert captured([]) == {}
