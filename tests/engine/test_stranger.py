"""The library for users of python-chess: the same script gives the same answers."""

from __future__ import annotations

import chess
import chess.pgn
import pytest

from fourfold.engine import VARIANTS, EngineError, Game, Position

MOVES = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Nxe4 d4 b5 Bb3 d5 dxe5 Be6 c3 Bc5 Nbd2 O-O"


def test_the_same_script_on_both() -> None:
    """Play, print, list, ask, undo, export."""
    theirs, ours = chess.Board(), Game(Position.start())
    for text in MOVES.split():
        move = theirs.parse_san(text)
        assert ours.position.san(move.uci()) == theirs.san(move) == text
        theirs.push(move)
        ours.play(text)
        position = ours.position
        assert str(position) == str(theirs)
        assert position.fen() == theirs.fen(en_passant="legal")
        assert sorted(map(str, position.legal_moves)) == sorted(map(str, theirs.legal_moves))
        assert position.is_check() == theirs.is_check()
        assert (position.outcome is None) == (theirs.outcome() is None)
        for square in chess.SQUARES:
            name = chess.square_name(square)
            piece, other = position.piece_at(name), theirs.piece_at(square)
            assert (piece is None) == (other is None)
            if piece is not None and other is not None:
                assert (piece.seat == 0, piece.kind.letter) == (other.color, other.symbol().lower())
            for seat, colour in enumerate((chess.WHITE, chess.BLACK)):
                attackers = {chess.square_name(one) for one in theirs.attackers(colour, square)}
                assert set(position.attackers(name, seat)) == attackers
    assert "<svg" in ours.position.svg() and ours.position._repr_svg_() == ours.position.svg()
    exported = chess.pgn.Game.from_board(theirs)
    assert Game.from_pgn(str(exported)).moves == ours.moves
    theirs.pop(), ours.undo()
    assert ours.position.fen() == theirs.fen(en_passant="legal")


def test_the_script_among_four() -> None:
    position = Position.start("ffa")
    after = position.play("h2h4")
    print(after)
    assert "h2h4" in map(str, position.legal_moves) and after.piece_at("h4") is not None
    assert not after.is_check() and after.attackers("g5") == {"h4": after.piece_at("h4")}
    assert position.san("h2h4") == "h2-h4" and after.outcome is None and "<svg" in after.svg()
    game = Game(position).play("h2h4").play("b7d7")
    assert Game.from_pgn4(str(game)).position.fen() == game.position.fen() != game.undo().position.fen()


START, FOUR = Position.start(), Position.start("ffa")
PROMOTING = Position.from_fen("8/P6k/8/8/8/8/8/K7 w - - 0 1")
MATED = START.play("f3").play("e5").play("g4").play("Qh4")
MISTAKES = [
    (lambda: Position.start("chess"), "There is no variant 'chess'. Variants: standard, survivor, ffa,"),
    (lambda: Position.start("ffa", "modrn"), "ffa has no setup 'modrn'. Setups:"),
    (lambda: START.play("e2e5"), "The pawn on e2 cannot go to e5."),
    (lambda: START.play("e7e5"), "It is white's move, but the pawn on e7 belongs to black."),
    (lambda: START.play("e4e5"), "There is no piece on e4."),
    (lambda: START.play("i2i4"), "'i2' is not a square of the board, which has files a to h and ranks 1 to 8."),
    (lambda: START.play("e6"), "The pawn on e2 cannot go to e6."),
    (lambda: START.play("a1a2"), "Your own piece stands on a2."),
    (lambda: PROMOTING.play("a7a8"), "The pawn on a7 promotes on a8: add one of q, r, b, n."),
    (lambda: PROMOTING.play("a7a8k"), "A pawn becomes q (queen), r (rook), b (bishop), n (knight), not 'k'."),
    (lambda: MATED.play("a3"), "The game is over: no more moves can be made."),
    (lambda: FOUR.play("h4"), "'h4' is one square; a move names two, such as h2h4."),
    (lambda: FOUR.play("a1b1"), "'a1' is not a square of the board, which has files a to n and ranks 1 to 14, without"),
    (lambda: Position.from_fen("8/8/8/8/8/8/8/8 w - - 0 1"), "White has no king: put exactly one on the board."),
    (lambda: Position.from_fen("start"), "a FEN has six fields, not 1"),
    (lambda: Position.from_fen("k7/8/8/8/8/8/8/K8 w - - 0 1"), "rank 1 has 9 squares instead of 8."),
    (lambda: Position.from_fen(START.fen(), "ffa"), "it is a FEN, for two players; name its variant"),
    (lambda: Game.from_pgn4("1. e4 e5"), "e4"),
    (lambda: Game.from_pgn(""), "There is no game in this text. A PGN has tags and moves."),
    (lambda: Game(START).undo(), "The line has 0 steps to take back, not 1."),
    (lambda: START.piece_at("j9"), "'j9' is not a square of the board, which has files a to h and ranks 1 to 8."),
]


@pytest.mark.parametrize(("mistake", "told"), MISTAKES, ids=range(len(MISTAKES)))
def test_a_mistake_is_answered_by_what_would_be_right(mistake: object, told: str) -> None:
    with pytest.raises(ValueError) as raised:  # noqa: PT011 (the text is looked at)
        mistake()  # type: ignore[operator]
    assert told in str(raised.value)
    assert isinstance(raised.value, EngineError) or "take back" in told


def test_all_variants_are_told() -> None:
    with pytest.raises(EngineError, match=", ".join(VARIANTS)):
        Position.start("fischerandom")
