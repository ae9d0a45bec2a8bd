"""Long algebraic notation of four-player games. Whole games are in `notation/test_pgn4.py`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.engine.editor import BoardEditor
from fourfold.engine.errors import IllegalMove, InvalidNotation
from fourfold.engine.fourplayer import lan
from fourfold.engine.position import Position
from fourfold.engine.variants import VARIANTS, opening, rules_of


def four(*men: str, turn: str = "red", variant: str = "survivor") -> Position:
    """A position with every king on its starting square, and these pieces (``green rook h3``)."""
    board = BoardEditor.empty(rules_of(variant)).turn(turn)
    for man in ("red king h1", "blue king a7", "yellow king g14", "green king n8", *men):
        seat, kind, square = man.split()
        board = board.put(square, seat, kind)
    return Position.from_setup(board.rules, board.castling(board.possible_castling()).setup)


@pytest.mark.parametrize(
    ("men", "move", "text"),
    [
        ("red pawn h2", "h2h4", "h2-h4"),
        ("red knight j1", "j1i3", "Nj1-i3"),
        ("red knight j1,green bishop i3", "j1i3", "Nj1xBi3"),
        ("red pawn k9,blue pawn l10", "k9l10", "k9xl10"),
        ("red rook k1", "h1j1", "O-O"),
        ("red rook d1,red pawn g2", "h1f1", "O-O-O"),
        ("red rook k1", "h1i1", "Kh1-i1"),
        ("red pawn e13", "e13e14q", "e13-e14=Q+"),
        ("red pawn e13,yellow rook f14", "e13f14n", "e13xRf14=N"),
        ("red rook d4", "d4a4", "Rd4-a4+"),
        ("red knight d9", "d9b8", "Nd9-b8"),
        ("red queen m6", "m6m7", "Qm6-m7++"),
    ],
)
def test_a_move_is_written_and_read(men: str, move: str, text: str) -> None:
    position = four(*men.split(","))
    found = position.find(move)
    assert position.san(found) == text
    assert lan.read(position, text) is found


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("h2h3", "h2h3"),
        ("h2-h3+", "h2h3"),
        ("Ph2-h3", "h2h3"),
        ("Nj1i3", "j1i3"),
        ("Nj1xRi3+#", "j1i3"),
        ("j1-i3", "j1i3"),
        ("Kg1", "h1g1"),
        ("Kxg1", "h1g1"),
        ("0-0-0", "h1f1"),
        ("Dd5-d6", "d5d6"),
        ("Qd5-d6", "d5d6"),
        ("e13-e14=q", "e13e14q"),
        ("e13e14R", "e13e14r"),
    ],
)
def test_less_exact_writing_is_read(text: str, move: str) -> None:
    position = four("red pawn h2", "red knight j1", "red rook d1", "red queen d5", "red pawn e13")
    assert lan.read(position, text).text == move


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Bj1-i3", "wrong_piece"),
        ("Pj1-i3", "wrong_piece"),
        ("Dj1-i3", "wrong_piece"),
        ("a1-a4", "bad_source"),
        ("h2-o9", "bad_destination"),
        ("Kz9", "bad_destination"),
        ("Ni3", "bad_source"),
        ("nonsense", "bad_source"),
        ("", "bad_source"),
        ("h3-h4", "no_piece"),
        ("a7-a8", "not_your_piece"),
        ("h1-h2", "own_piece"),
        ("h2-h5", "cannot_move_there"),
        ("e13-e14", "promotion_missing"),
        ("e13-e14=D", "unknown_promotion"),
        ("O-O", "own_piece"),
        ("O-O-O", "cannot_move_there"),
    ],
)
def test_what_is_wrong_is_told_apart(text: str, code: str) -> None:
    position = four("red pawn h2", "red knight j1", "red pawn e13")
    with pytest.raises((InvalidNotation, IllegalMove)) as caught:
        lan.read(position, text)
    assert caught.value.code == code
    assert caught.value.message.endswith(".")


def test_a_king_that_has_left_home_cannot_castle() -> None:
    position = four("red rook k1")
    position = position.play(position.find("h1h2"))
    for text in ("a7b7", "g14f14", "n8m8"):
        position = position.play(position.find(text))
    with pytest.raises(IllegalMove, match="king is not on its starting square"):
        lan.read(position, "O-O")


def test_a_check_that_others_give_since_the_move_is_marked() -> None:
    # Green's rook attacks blue's king once red's knight has moved away.
    position = four("green rook k7", "red knight d7")
    assert position.san(position.find("d7e9")) == "Nd7-e9+"
    # A king in check gets another mark only if another piece joins the attack.
    position = four("green rook k7", "red rook d4")
    assert position.san(position.find("d4e4")) == "Rd4-e4"
    assert position.san(position.find("d4a4")) == "Rd4-a4+"


def test_a_mate_and_a_captured_king_are_marked() -> None:
    position = four("red rook b4", "red rook c9", "blue bishop b9")
    assert position.san(position.find("c9c7")) == "Rc9-c7+"
    position = four("red rook b4", "red queen d9")
    assert position.san(position.find("d9a9")) == "Qd9-a9+#"


@given(st.sampled_from([name for name, rules in VARIANTS.items() if len(rules.seats) == 4]), st.data())
def test_every_legal_move_is_read_as_it_was_written(variant: str, data: st.DataObject) -> None:
    position = opening(variant)
    for _ in range(16):
        moves = sorted(position.legal_moves, key=lambda move: move.text)
        if not moves:
            break
        for move in moves:
            assert lan.read(position, position.san(move)) is move
        position = position.play(data.draw(st.sampled_from(moves)))
