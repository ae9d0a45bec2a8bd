"""Typed moves: every notation, and a distinct message for every kind of error."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourfold.clients.terminal.parser import typed
from fourfold.clients.terminal.parser.typed import BadMove
from fourfold.engine.notation import smith
from fourfold.engine.position import Position
from fourfold.engine.variants import opening
from fourfold.protocol.errors import ERRORS

FOUR = "R-0,0,0,0-1,1,1,1-1,1,1,1-0,0,0,0-0-"
ROOM = "r3k2r/1P6/8/8/8/5q2/6P1/R3K2R w KQkq - 0 1"
CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


@pytest.mark.parametrize(
    ("fen", "text", "move"),
    [
        *((None, text, "e2e4") for text in ("e2e4", "e2;e4", "e2 e4", "E2-E4", "e2:e4", "e2,e4", "e2 to e4", "e4")),
        (None, "B2b4", "b2b4"),
        *((None, text, "g1f3") for text in ("Nf3", "nf3", "g1f3", "Ngf3", "Ng1-f3", "Nf3!")),
        *((ROOM, text, "b7b8q") for text in ("b7b8q", "b7b8=Q", "b7b8Q", "b8=Q", "b8Q")),
        *((ROOM, text, "b7a8n") for text in ("b7a8n", "b7a8rN", "b7xa8=N", "bxa8=N")),
        *((ROOM, text, "g2f3") for text in ("g2f3", "g2f3q", "gxf3")),
        *((CASTLING, text, "e1g1") for text in ("e1g1", "e1g1c", "O-O", "0-0", "o-o", "e1h1")),
        *((CASTLING, text, "e1c1") for text in ("e1c1", "e1c1C", "O-O-O", "e1a1")),
    ],
)
def test_a_move_for_two(fen: str | None, text: str, move: str) -> None:
    assert typed.read(opening("standard", position=fen), text).text == move


@pytest.mark.parametrize("text", ["j1i3", "Nj1-i3", "nj1-i3", "j1;i3", "j1 i3"])
def test_a_move_for_four(text: str) -> None:
    assert typed.read(opening("survivor"), text).text == "j1i3"


@pytest.mark.parametrize(
    ("fen", "text", "code", "sentence"),
    [
        (None, "z9e4", "bad_source", "Wrong start square: 'z9' is not a square of the board, which has"),
        (None, "44e4", "bad_source", "Wrong start square: '44'"),
        (None, "e2i4", "bad_destination", "Wrong target square: 'i4' is not a square"),
        (None, "e2", "bad_destination", "A move has two squares, such as e2e4. 'e2?' shows moves from there."),
        (None, "e4e5", "no_piece", "Nothing to move: There is no piece on e4."),
        (None, "e1e2", "own_piece", "You cannot move onto your own piece: Your own piece stands on e2."),
        (None, "e2e4x", "unknown_promotion", "Unknown promotion: 'x' is not a promotion (N, B, R, Q), capture"),
        (ROOM, "b7b8k", "unknown_promotion", None),
        (None, "e2e5", "cannot_move_there", "Illegal move: The pawn on e2 cannot go to e5. 'e2?' shows its"),
        (None, "a1a5", "cannot_move_there", "Illegal move: The rook on a1 cannot go to a5."),
        (None, "Bc4", "cannot_move_there", "Illegal move: The bishop on c1 cannot go to c4. 'c1?' shows its"),
        (None, "e7e5", "not_your_piece", "That is not your piece: It is white's move, but the pawn on e7 belongs to"),
        (ROOM, "b7b8", "promotion_missing", "Promote to what? The pawn on b7 promotes on b8: add one of q, r, b, n."),
        ("k3r3/8/8/8/8/8/4B3/4K3 w - - 0 1", "e2d3", "king_in_check", "your king would be in check"),
        ("k7/8/8/8/3R4/8/8/K2R4 w - - 0 1", "Rd2", "ambiguous_move", "More than one piece can go there: Which rook"),
        ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "h8h7", "game_over", "The game is over"),
        (None, "e2e4p", "wrong_mark", "Wrong letters after the squares: The move from e2 to e4 is written"),
        (None, "what?", "bad_source", None),
    ],
)
def test_what_is_wrong_with_a_move(fen: str | None, text: str, code: str | None, sentence: str | None) -> None:
    position = opening("standard", position=fen)
    if code is None:
        assert typed.read(position, text)
        return
    with pytest.raises(BadMove) as caught:
        typed.read(position, text)
    if sentence is not None:
        assert sentence in str(caught.value)
        assert caught.value.code == code


def test_a_corner_is_no_square() -> None:
    with pytest.raises(BadMove, match="without its corners") as caught:
        typed.read(opening("survivor"), "a1a2")
    assert caught.value.code == "bad_source"


def test_every_move_error_of_a_server_has_its_words() -> None:
    codes = {code for code, fault in ERRORS.items() if fault.kind == "illegal"} | {
        "bad_source", "bad_destination", "unknown_promotion", "game_over", "not_started",
    }  # fmt: skip
    assert codes <= set(typed.FAULTS)


def walked(variant: str, choices: list[int]) -> Position:
    position = opening(variant)
    for choice in choices:
        moves = sorted(position.legal_texts())
        if not moves:
            break
        position = position.play(position.find(moves[choice % len(moves)]))
    return position


positions = st.builds(walked, st.sampled_from(["standard", "survivor"]), st.lists(st.integers(0, 500), max_size=40))


@settings(max_examples=30)
@given(positions, st.integers(0, 500))
def test_every_legal_move_is_understood_in_every_notation(position: Position, choice: int) -> None:
    moves = sorted(position.legal_moves, key=lambda move: move.text)
    if not moves:
        return
    move = moves[choice % len(moves)]
    for text in (move.text, position.san(move), smith.write_move(position, move), move.text.upper()):
        assert typed.read(position, text) is move, text


@given(positions, st.text(max_size=12) | st.from_regex(r"[A-Za-z]\d{1,2}[-;x ]?[A-Za-z]\d{1,2}\w?", fullmatch=True))
def test_any_text_is_a_legal_move_or_a_bad_one(position: Position, text: str) -> None:
    try:
        move = typed.read(position, text)
    except BadMove as bad:
        assert bad.message and bad.code
    else:
        assert move in position.legal_moves
