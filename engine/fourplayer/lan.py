"""Long algebraic notation, PGN4's notation of moves for four players: ``h2-h3``, ``Nj1-i3``, ``Bn6xBg13``,
``k11xl10``, ``h7-h8=D``, ``O-O``.

A capture names the captured piece unless it is a pawn. A promoted queen moves as ``Q``. After the move comes a ``+``
for each king that it checks, and ``#`` for a mate or a king's capture. The parser ignores these signs, and accepts a
missing letter, hyphen or ``x``. The letter of another piece is an error.
"""

from __future__ import annotations

import re

from fourfold.engine import castling
from fourfold.engine.errors import IllegalMove
from fourfold.engine.moves import Move
from fourfold.engine.outcome import Termination
from fourfold.engine.pieces import KIND_OF_LETTER, PieceKind
from fourfold.engine.position import Position
from fourfold.engine.questions import newly_checked

_LAN = re.compile(
    r"(?P<piece>[KQRBNPD])?(?P<source>[a-z]\d{1,2})?[-x:]?(?:[KQRBNPD])?(?P<target>[a-z]\d{1,2})"
    r"(?:=?\(?(?P<promotion>[A-Za-z])\)?)?"
)
_MARKS = "+#!?"


def read(position: Position, text: str) -> Move:
    """The legal move that a text names. A king's move needs no source square. Raises `InvalidNotation` and
    `IllegalMove` as `Position.find` does, and `IllegalMove` (`wrong_piece`) for the letter of another piece."""
    plain = text.strip().rstrip(_MARKS)
    castle = castling.read(position, plain)
    if castle is not None:
        return castle
    match = _LAN.fullmatch(plain)
    if match is None or (match["source"] is None and (match["piece"] != "K" or position.kings[position.turn] < 0)):
        return position.find(plain)
    piece, source, target, promotion = match.group("piece", "source", "target", "promotion")
    names = position.geometry.names
    move = position.find((source or names[position.kings[position.turn]]) + target + (promotion or ""))
    kind = position._armies[position.turn][move.source].kind
    named = kind if piece is None else KIND_OF_LETTER[piece.lower()]
    if _letter(named) != _letter(kind):
        raise IllegalMove("wrong_piece", f"The piece on {names[move.source]} is a {kind.noun}, not a {named.noun}.")
    return move


def write(position: Position, move: Move, after: Position) -> str:
    """The text of a legal move. `after` is the position after it."""
    return (castling.write(position, move) or _unmarked(position, move)) + _marks(position, move, after)


def _letter(kind: PieceKind) -> str:
    return {PieceKind.PAWN: "", PieceKind.PROMOTED_QUEEN: "Q"}.get(kind, kind.letter.upper())


def _unmarked(position: Position, move: Move) -> str:
    names = position.rules.geometry.names
    man = position._armies[position.turn][move.source]
    taken = position.taken(man, move)
    sign = f"x{_letter(taken[0].kind)}" if taken else "-"
    promotion = "" if move.promotion is None else f"={move.promotion.letter.upper()}"
    return _letter(man.kind) + names[move.source] + sign + names[move.target] + promotion


def _marks(position: Position, move: Move, after: Position) -> str:
    """The signs after a move: a ``+`` for each king with a new attacker, mated kings included, then ``#`` for a mate or
    a captured king. The mate of a walking king counts now, although it is judged at that king's turn."""
    if not after.checked() and len(after.alive) == len(after.kings):
        return ""  # the usual case
    known = _lost(position)
    mated = not _lost(after) <= known or any(
        gone.reason is Termination.KING_CAPTURED or (gone.reason is Termination.CHECKMATE and gone.seat not in known)
        for gone in after.eliminated
    )
    return "+" * len(newly_checked(position, move, after)) + "#" * mated


def _lost(position: Position) -> set[int]:
    """The seats whose walking king will be mated at its turn, unless the board changes before."""
    return {seat for seat, _ in position.cornered if seat in position.walking}
