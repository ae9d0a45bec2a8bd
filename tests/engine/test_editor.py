"""Setup mode: a board built piece by piece, and every reason why no game can begin from it."""

import copy
import pickle

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fourfold.engine.editor import BoardEditor
from fourfold.engine.errors import IllegalMove, InvalidNotation, InvalidSetup
from fourfold.engine.pieces import Piece, PieceKind
from fourfold.engine.setup import Setup
from fourfold.engine.variants import VARIANTS, opening, rules_of

EMPTY = BoardEditor.empty(rules_of("standard"))
KINGS = EMPTY.put("e1", "white", "king").put("e8", "black", "king")


def codes(board: BoardEditor) -> list[str]:
    return [fault.code for fault in board.faults()]


def test_a_game_is_played_from_a_board_set_up_by_hand() -> None:
    board = KINGS.put("A7", "W", "Pawn").put("h8", "b", "r").put("h1", "w", "R").turn("black")
    assert board.pieces() == {
        "e1": Piece(0, PieceKind.KING),
        "h1": Piece(0, PieceKind.ROOK),
        "a7": Piece(0, PieceKind.PAWN),
        "e8": Piece(1, PieceKind.KING),
        "h8": Piece(1, PieceKind.ROOK),
    }
    assert board.possible_castling() == [("white", True), ("black", True)]
    board = board.castling(board.possible_castling())
    assert board.faults() == ()
    position = board.position()
    assert position.fen() == "4k2r/P7/8/8/8/8/8/4K2R b Kk - 0 1"
    assert position.play(position.find("e8g8")).fen() == "5rk1/P7/8/8/8/8/8/4K2R w K - 1 2"


def test_a_board_that_is_set_up_is_a_value() -> None:
    """Its source may change afterwards, and its views are read-only."""
    pieces = dict(KINGS.setup.pieces)
    setup = Setup(pieces, castling_rooks={(0, True): 7}, en_passant={1: 20})
    known = repr(setup)
    pieces.clear()
    for mapping in (setup.pieces, setup.castling_rooks, setup.en_passant, KINGS.turn("black").setup.pieces):
        with pytest.raises(TypeError):
            mapping[0] = Piece(0, PieceKind.QUEEN)  # type: ignore[index]
    with pytest.raises(AttributeError):
        setup.turn = 1  # type: ignore[misc]
    assert repr(setup) == known and KINGS.setup.pieces == {4: Piece(0, PieceKind.KING), 60: Piece(1, PieceKind.KING)}


@pytest.mark.interpreted  # a compiled `Piece` cannot be restored from a pickle
def test_a_board_that_is_set_up_survives_a_pickle() -> None:
    board = KINGS.castling([]).turn("black")
    assert pickle.loads(pickle.dumps(board)) == board == copy.deepcopy(board)


def test_a_piece_can_be_replaced_and_removed() -> None:
    board = KINGS.put("d4", "white", "queen").put("d4", "black", "knight")
    assert board.pieces()["d4"] == Piece(1, PieceKind.KNIGHT)
    assert board.remove("d4") == KINGS
    with pytest.raises(IllegalMove) as caught:
        KINGS.remove("d4")
    assert (caught.value.code, caught.value.message) == ("no_piece", "There is no piece on d4.")


def test_every_change_leaves_the_board_before_it_as_it_was() -> None:
    assert EMPTY.pieces() == {}
    assert EMPTY.setup == Setup({})
    assert len(KINGS.pieces()) == 2


@pytest.mark.parametrize(
    ("board", "expected"),
    [
        (EMPTY, ["missing_king", "missing_king"]),
        (KINGS.put("d1", "white", "king"), ["extra_king"]),
        (KINGS.put("a8", "white", "pawn"), ["pawn_on_last_rank"]),
        (KINGS.put("a1", "white", "pawn"), ["pawn_on_first_rank"]),
        (KINGS.put("a1", "black", "pawn"), ["pawn_on_last_rank"]),
        (KINGS.put("a8", "black", "pawn"), ["pawn_on_first_rank"]),
        (KINGS.put("e5", "white", "rook"), ["opponent_in_check"]),
        (KINGS.put("e5", "black", "rook"), ["king_in_check"]),
        (KINGS.put("e5", "black", "rook").turn("black"), ["opponent_in_check"]),
        (KINGS.castling([("black", False)]), ["impossible_castling_right"]),
        (KINGS.put("e5", "black", "rook").remove("e8"), ["missing_king", "king_in_check"]),
        (
            EMPTY.put("a1", "b", "p").put("e1", "w", "k").put("f2", "b", "q").castling([("w", True)]),
            ["missing_king", "pawn_on_last_rank", "impossible_castling_right", "king_in_check"],
        ),
    ],
)  # fmt: skip
def test_all_faults_are_named_at_once(board: BoardEditor, expected: list[str]) -> None:
    assert codes(board) == expected
    with pytest.raises(InvalidSetup) as caught:
        board.position()
    assert caught.value.faults == board.faults()
    assert str(caught.value) == " ".join(fault.message for fault in board.faults())


def test_a_fen_may_have_the_side_to_move_in_check_and_setup_mode_may_not() -> None:
    position = opening("standard", position="4k3/8/8/8/4r3/8/8/4K3 w - - 0 1")
    assert position.checked() == (0,)
    assert codes(BoardEditor.of(position)) == ["king_in_check"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda: EMPTY.put("i9", "white", "king"), "bad_square"),
        (lambda: EMPTY.remove("i9"), "bad_square"),
        (lambda: EMPTY.put("e1", "red", "king"), "unknown_seat"),
        (lambda: EMPTY.turn("red"), "unknown_seat"),
        (lambda: EMPTY.castling([("red", True)]), "unknown_seat"),
        (lambda: EMPTY.put("e1", "white", "archbishop"), "unknown_piece"),
        (lambda: EMPTY.put("e1", "white", "d"), "unknown_piece"),
    ],
)
def test_names_that_are_none_are_refused(change: object, code: str) -> None:
    assert callable(change)
    with pytest.raises(InvalidNotation) as caught:
        change()
    assert caught.value.code == code


def test_a_changed_board_forgets_what_was_played_on_it() -> None:
    position = opening("standard", position="4k3/8/8/3pP3/8/8/8/4K3 w - d6 5 9")
    board = BoardEditor.of(position)
    assert board.setup.en_passant and board.setup.halfmove == 5
    assert board.position() == position
    for changed in (board.put("a2", "white", "pawn"), board.remove("d5"), board.turn("black")):
        assert not changed.setup.en_passant
        assert changed.faults() == ()
    assert board.put("a2", "white", "pawn").position().halfmove == 0


def test_four_players_set_up_a_board_too() -> None:
    board = BoardEditor.empty(rules_of("survivor"))
    assert codes(board) == ["missing_king"] * 4
    for seat, square in (("red", "h1"), ("blue", "a7"), ("yellow", "g14"), ("green", "n8")):
        board = board.put(square, seat, "king")
    assert board.turn("yellow").position().turn == 2
    board = board.put("a4", "b", "rook").put("m4", "g", "pawn").put("n5", "green", "pawn")
    assert board.possible_castling() == [("blue", True)]
    assert codes(board) == ["pawn_on_first_rank"]
    assert codes(board.remove("n5").put("h9", "green", "rook")) == ["king_in_check"]
    assert codes(board.remove("n5").put("h9", "green", "rook").turn("blue")) == ["opponent_in_check"]


@given(st.sampled_from(sorted(VARIANTS)), st.data())
def test_any_quiet_position_can_be_set_up_and_played_on(variant: str, data: st.DataObject) -> None:
    position = opening(variant)
    for _ in range(data.draw(st.integers(0, 20))):
        moves = sorted(position.legal_moves, key=lambda move: move.text)
        if moves:
            position = position.play(data.draw(st.sampled_from(moves)))
    assume(len(position.alive) == len(position.seats))  # setup mode has no eliminated seats
    board = BoardEditor.empty(position.rules)
    for square, piece in position.pieces().items():
        board = board.put(square, position.seats[piece.seat], piece.kind.letter)
    board = board.turn(position.seats[position.turn])
    if position.checked():
        assert board.faults()
    else:
        assert board.position().pieces() == position.pieces()
