"""SAN, the notation of moves for people (Standard Algebraic Notation, PGN standard section 8.2.3).

The writer gives the shortest unambiguous form, with ``+`` or ``#``. The parser also accepts unnecessary source squares
(``Ngf3``, ``Ng1f3``, ``Ng1-f3``), zeros for castling, drops without their ``P`` (``@e4``), promotions without ``=``
(``e8Q``), coordinate notation in all its spellings, and ``!`` and ``?`` after the move. It ignores extra and missing
``x``, ``+`` and ``#``.
"""

from __future__ import annotations

import re
from functools import lru_cache

from fourfold.engine import castling, coordinates
from fourfold.engine.errors import IllegalMove, InvalidNotation
from fourfold.engine.moves import Move
from fourfold.engine.pieces import KIND_OF_LETTER, PieceKind
from fourfold.engine.position import Position

_SAN = re.compile(
    r"(?P<piece>[KQRBNP])?(?P<file>[a-z])??(?P<rank>\d)??[-x:]?(?P<target>[a-z]\d+)(?:\s*e\.?p\.?)?"
    r"(?:[=/]?\(?(?P<promotion>[A-Za-z])\)?)?"
)
_MARKS = "+#!?"


def read(position: Position, text: str) -> Move:
    """The legal move that a text names.

    Raises `InvalidNotation` with code `invalid_san`, `bad_destination` or `unknown_promotion`, and
    `IllegalMove` with `ambiguous_move` if several moves fit, or with one of the codes of
    `Position.find`.
    """
    tables = position.tables
    known = tables.moves.by_text.get(text)
    if known is not None and position.is_legal(known):
        return known
    named = _named(text)
    if named is not None:
        kind, file, rank, rest = named
        names, moves = tables.names, tables.moves.by_text
        found = None
        for square, man in position._armies[position.turn].items():
            if man.kind is kind:
                name = names[square]
                if (file is None or name[0] == file) and (rank is None or name[1] == rank):
                    move = moves.get(name + rest)
                    if move is not None and position.is_legal(move):
                        if found is not None:
                            return _read(position, text)  # an error: two pieces fit
                        found = move
        if found is not None:
            return found
    return _read(position, text)


@lru_cache(maxsize=4096)
def _named(text: str) -> tuple[PieceKind, str | None, str | None, str] | None:
    """What a text of the usual form says: the piece's kind, its file and rank if given, and the target with the letter
    of a promotion, as in coordinate notation. None for other forms."""
    match = _SAN.fullmatch(text.strip().rstrip(_MARKS))
    if match is None:
        return None
    piece, file, rank, target, promotion = match.groups()
    kind = KIND_OF_LETTER[(piece or "P").lower()]
    if piece is None and file and rank:
        return None
    if kind is PieceKind.PAWN and file is None:
        file = target[0]
    return kind, file, rank, target + (promotion or "").lower()


def _read(position: Position, text: str) -> Move:
    """The legal move that a text names, for all forms, or the reason why there is none."""
    plain = text.strip().rstrip(_MARKS)
    castle = castling.read(position, plain)
    if castle is not None:
        return castle
    match = _SAN.fullmatch(plain)
    if match is None and (coordinates.spelled(plain) or ("@" in plain and position.rules.drops)):
        return position.find(plain)
    if match is None:
        raise InvalidNotation("invalid_san", f"'{text[:20]}' is not a move such as e4, Nf3, exd5, e8=Q or O-O.")
    piece, file, rank, target, promotion = match.group("piece", "file", "rank", "target", "promotion")
    if piece is None and file and rank:
        return position.find(file + rank + target + (promotion or ""))
    kind = KIND_OF_LETTER[(piece or "P").lower()]
    if kind is PieceKind.PAWN and file is None:
        file = target[0]
    names = position.geometry.names
    sources = {
        square
        for square, man in position._armies[position.turn].items()
        if man.kind is kind and file in (None, names[square][0]) and rank in (None, names[square][1])
    }
    choices = [move for move in position.legal_moves if move.source in sources and names[move.target] == target]
    if len({move.source for move in choices}) > 1:
        options = " and ".join(sorted(names[move.source] for move in choices))
        raise IllegalMove("ambiguous_move", f"Which {kind.noun} goes to {target}: that on {options}?")
    if choices:
        return position.find(names[choices[0].source] + target + (promotion or ""))
    raise _refusal(position, kind, [names[square] for square in sorted(sources)], target + (promotion or ""))


def write(position: Position, move: Move, after: Position) -> str:
    """The SAN of a legal move. `after` is the position after it."""
    return _unmarked(position, move) + _mark(after)


def _refusal(position: Position, kind: PieceKind, sources: list[str], rest: str) -> IllegalMove:
    """The error that says why none of the pieces can make the move."""
    refusals = []
    for source in sources:
        try:
            position.find(source + rest)
        except IllegalMove as refusal:
            refusals.append(refusal.with_traceback(None))  # its frames lead back to this list
    if not refusals:
        seat = position.rules.seats[position.turn].called
        return IllegalMove("no_piece", f"{seat} has no {kind.noun} there that could go to {rest[:2]}.")
    # The specific reason of one piece says more than "cannot go there" of the others.
    return min(refusals, key=lambda refusal: refusal.code == "cannot_move_there")


def _unmarked(position: Position, move: Move) -> str:
    if move.drop is not None:
        return move.text
    names = position.rules.geometry.names
    source, target = names[move.source], names[move.target]
    man = position._armies[position.turn][move.source]
    if man.king and (castle := castling.write(position, move)):
        return castle
    if man.pawn:
        capture = f"{source[0]}x" if source[0] != target[0] else ""
        return capture + target + (f"={move.promotion.letter.upper()}" if move.promotion is not None else "")
    capture = "x" if position.total & move.bit else ""
    return man.kind.letter.upper() + _distinction(position, move) + capture + target


def _distinction(position: Position, move: Move) -> str:
    """The part of the source square that SAN needs: nothing, its file, its rank, or both."""
    army, target, tables = position._armies[position.turn], move.target, position.tables
    man = army[move.source]
    if not (position.forces[man.team] ^ man.mark) & tables.threats[target].mask & tables.planes.alike[man.kind]:
        return ""  # the usual case
    names = position.rules.geometry.names
    source = names[move.source]
    rivals = [
        names[other.source]
        for other in position.movable()
        if other.target == target and other is not move and other.drop is None and army[other.source].kind is man.kind
    ]
    if not rivals:
        return ""
    if all(rival[0] != source[0] for rival in rivals):
        return source[0]
    if all(rival[1:] != source[1:] for rival in rivals):
        return source[1:]
    return source


def _mark(after: Position) -> str:
    ended = after.outcome if after.rules.giveaway else after.ended
    if ended is not None and ended.winners:
        return "#"
    if not after.checked():
        return ""
    return "+" if after.movable() else "#"
