"""Coordinate notation of moves: ``e2e4``, ``e7e8q``.

The parser also accepts ``e2-e4``, ``E2E4``, ``e2;e4`` and ``e7e8=Q``. It accepts castling as the king's two-step move
or as king takes rook, and drops as ``N@f3``, or ``@e4`` for a pawn. A promotion may omit its letter if the rules leave
no choice. Errors say exactly why a move is impossible.
"""

from __future__ import annotations

import re

from fourfold.engine.board import Board
from fourfold.engine.errors import IllegalMove, InvalidNotation
from fourfold.engine.geometry import Geometry
from fourfold.engine.movegen import in_check, possible_moves
from fourfold.engine.moves import Move
from fourfold.engine.pieces import KIND_OF_LETTER, PieceKind
from fourfold.engine.rules import Rules
from fourfold.engine.tables import Tables

_MOVE = re.compile(r"([a-z]\d+)\s*[-x:;,]?\s*([a-z]\d+)\s*(?:=?\s*([a-z]))?")
_FIRST = re.compile(r"\D*\d*")
_BETWEEN = " -x:;,"


def read(board: Board, text: str, legal: tuple[Move, ...], over: bool) -> Move:
    """The move of `legal` that a text names. `over` tells whether the game is over. Raises as `Position.find`."""
    rules = board.tables.rules
    if rules.drops and "@" in text:
        return _read_drop(board, text, legal, over)
    source, target, letter = _parts(rules.geometry, text)
    if over:
        raise IllegalMove("game_over", "The game is over: no more moves can be made.")
    promotions = rules.promotions
    promotion = None if letter is None else _promotion(rules, letter)
    for castle in board.castles(board.turn):
        if (castle.move.source, castle.rook.source) == (source, target) and castle.move in legal:
            target = castle.move.target
    choices = [move for move in legal if (move.source, move.target) == (source, target)]
    for move in choices:
        if move.promotion is promotion or (letter is None and len(promotions) == 1):
            return move
    if choices and promotion is None:
        names = rules.geometry.names
        letters = ", ".join(kind.promotion_letter for kind in promotions)
        raise IllegalMove(
            "promotion_missing", f"The pawn on {names[source]} promotes on {names[target]}: add one of {letters}."
        )
    raise _refusal(board, source, target, promotion)


def _read_drop(board: Board, text: str, legal: tuple[Move, ...], over: bool) -> Move:
    """The legal drop that a text names. Raises as `Position.find`."""
    rules = board.tables.rules
    letter, _, name = text.strip().partition("@")
    target = square(rules.geometry, name.strip().lower(), "bad_destination")
    kind = KIND_OF_LETTER.get(letter.strip().lower() or "p")
    if kind not in rules.drops:
        letters = ", ".join(kind.letter.upper() for kind in rules.drops)
        raise InvalidNotation("bad_source", f"A drop begins with a piece's letter ({letters}), not '{letter[:12]}'.")
    if over:
        raise IllegalMove("game_over", "The game is over: no more moves can be made.")
    for move in legal:
        if move.drop is kind and move.target == target:
            return move
    turn, where = board.turn, rules.geometry.names[target]
    if not board.hands[turn][kind]:
        raise IllegalMove("no_piece", f"{rules.seats[turn].called} has no {kind.noun} in hand.")
    if in_check(board, turn) and not board.total >> target & 1:
        raise IllegalMove("king_in_check", f"A {kind.noun} on {where} does not help: your king stays in check.")
    raise IllegalMove("cannot_move_there", f"A {kind.noun} cannot be dropped on {where}.")


def move(tables: Tables, text: str) -> Move:
    """The move that a text names without a position. Raises as `Variant.move`."""
    rules, moves = tables.rules, tables.moves.by_text
    known = moves.get(text)
    if known is not None:
        return known
    source, target, letter = _parts(rules.geometry, text)
    names = rules.geometry.names
    named = "" if letter is None else _promotion(rules, letter).promotion_letter
    found = moves.get(names[source] + names[target] + named)
    if found is None:
        how = f" and becomes {named}" if named else ""
        raise IllegalMove("cannot_move_there", f"No piece moves from {names[source]} to {names[target]}{how}.")
    return found


def spelled(text: str) -> bool:
    """Whether a text has the form of a move, such as ``e2e4``. The squares need not exist on any board."""
    return _MOVE.fullmatch(text.strip().lower()) is not None


def square(geometry: Geometry, name: str, code: str) -> int:
    """The number of the square with this name. Raises `InvalidNotation` with `code` if the board lacks it."""
    found = geometry.index.get(name)
    if found is None:
        shown = name if len(name) <= 20 else name[:20] + "…"
        last = chr(ord("a") + geometry.files - 1)
        cut = "" if geometry.size == geometry.files * geometry.ranks else ", without its corners"
        raise InvalidNotation(
            code,
            f"'{shown}' is not a square of the board, "
            f"which has files a to {last} and ranks 1 to {geometry.ranks}{cut}.",
        )
    return found


def _parts(geometry: Geometry, text: str) -> tuple[int, int, str | None]:
    """Source, target and promotion letter of a move's text."""
    plain = text.strip().lower()
    match = _MOVE.fullmatch(plain)
    if match is not None:
        return square(geometry, match[1], "bad_source"), square(geometry, match[2], "bad_destination"), match[3]
    source = _FIRST.findall(plain)[0]
    target = plain[len(source) :].lstrip(_BETWEEN)
    square(geometry, source := source.rstrip(_BETWEEN), "bad_source")
    if not target:
        raise InvalidNotation("bad_destination", f"'{source}' is one square; a move names two, such as h2h4.")
    square(geometry, target, "bad_destination")
    raise InvalidNotation("bad_destination", f"'{plain[:20]}' is not a move such as e2e4.")


def _promotion(rules: Rules, letter: str) -> PieceKind:
    for kind in rules.promotions:
        if letter in (kind.letter, kind.promotion_letter):
            return kind
    allowed = ", ".join(f"{kind.promotion_letter} ({kind.noun})" for kind in rules.promotions)
    raise InvalidNotation("unknown_promotion", f"A pawn becomes {allowed}, not '{letter}'.")


def _refusal(board: Board, source: int, target: int, promotion: PieceKind | None) -> IllegalMove:
    """The error that says why the move is not legal."""
    rules, turn = board.tables.rules, board.turn
    start, end = rules.geometry.names[source], rules.geometry.names[target]
    man, aim = board.man_at(source), board.man_at(target)
    if man is None:
        return IllegalMove("no_piece", f"There is no piece on {start}.")
    what = f"the {man.kind.noun} on {start}"
    if man.piece.grey or man.seat != turn:
        owner = "is grey: nobody moves it" if man.piece.grey else f"belongs to {rules.seats[man.seat].name}"
        return IllegalMove("not_your_piece", f"It is {rules.seats[turn].name}'s move, but {what} {owner}.")
    if source == target or (aim is not None and not aim.piece.grey and aim.seat == turn):
        return IllegalMove("own_piece", f"Your own piece stands on {end}.")
    for move in possible_moves(board, turn):
        if (move.source, move.target, move.promotion) == (source, target, promotion):
            if rules.giveaway and aim is None and any(board.total & one.bit for one in possible_moves(board, turn)):
                return IllegalMove("cannot_move_there", f"T{what[1:]} cannot go to {end}: you must capture if you can.")
            if rules.own_legality:
                return IllegalMove("cannot_move_there", f"T{what[1:]} cannot go to {end} by this variant's rules.")
            how = "stays" if in_check(board, turn) else "would be"
            return IllegalMove("king_in_check", f"T{what[1:]} cannot go to {end}: your king {how} in check.")
    return IllegalMove("cannot_move_there", f"T{what[1:]} cannot go to {end}.")
