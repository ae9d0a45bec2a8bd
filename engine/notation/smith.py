"""Smith notation (Warren D. Smith): each move has its two squares and everything needed to undo it.

After the squares come the letter of a captured piece (``pnbrqk``, ``d`` for a promoted queen), ``c`` or ``C`` for
castling on the short or long side, ``E`` for a capture en passant, and the letter of a promotion (``NBRQ``, ``D``).
A drop is ``N@f3``. Examples: ``e2e4``, ``d4c5p``, ``e8g8c``, ``e5d6E``, ``b7a8rQ``. A line has the moves of one round,
two or four.

A plain file starts with the moves, of standard chess from the usual start. We can add tags before them:
``[Variant "ffa"]``, ``[RuleVariants "EnPassant"]`` for options that differ from the variant's own, ``[Seed "7"]`` for
walking kings, and ``[FEN "…"]``. With four players the moves also include departures.

The parser accepts moves without the letters after the squares, but rejects wrong letters. One exception: in a file, a
quiet move may have the letter of a captured piece, because some programs write it one move too late.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from fourfold.engine.errors import IllegalMove, InvalidNotation
from fourfold.engine.moves import Move
from fourfold.engine.notation import departure, movetext, options
from fourfold.engine.notation.game import Game, Step
from fourfold.engine.position import Position
from fourfold.engine.questions import taken, taken_in_passing
from fourfold.engine.variants import begins_as_usual, opening, opening_of, rules_of

_MOVE = re.compile(r"([A-Za-z]\d{1,2})?([A-Za-z]\d{1,2})?(.*)", re.DOTALL)
_PROMOTIONS, _PIECES, _MARKS = "NBRQD", "pnbrqkd", "pnbrqkdcCE"
_EN_PASSANT, _SHORT, _LONG = "E", "c", "C"


class _Smith:
    """The dialect of Smith notation: its tags and symbols."""

    def __init__(self, variant: str) -> None:
        self._variant = variant

    def begin(self, tags: Mapping[str, str]) -> Position:
        rules = rules_of(tags.get("Variant", self._variant).lower())
        if options.TAG in tags:
            rules = options.read(tags[options.TAG], rules)
        return opening_of(rules, position=tags.get("FEN"), seed=options.read_seed(tags))

    def steps(self, position: Position, symbol: str) -> list[Step]:
        leaving = departure.read(position, symbol)
        return [leaving or Step.of_move(position, read_move(position, symbol, lenient=True))]


def read(text: str, variant: str = "standard") -> Game:
    """The game of a text, up to its first bad move, which its `failure` describes. `variant` applies if the text names
    none. Raises `InvalidNotation` (`unknown_variant`) if `variant` does not exist."""
    return next(movetext.read(text, _Smith(variant)), Game(opening(variant)))


def write(game: Game) -> str:
    """A game in Smith notation, without comments and variations."""
    tags = {}
    if game.start.variant != "standard":
        tags["Variant"] = game.start.variant
    named = options.write(game.start.rules)
    if named != options.write(rules_of(game.start.variant)):
        tags[options.TAG] = named
    tags |= options.write_seed(game.start)
    if not begins_as_usual(game.start):
        tags["FEN"] = game.start.fen()
    return movetext.tag_pairs(tags) + "".join(f"{' '.join(words)}\n" for words in movetext.rounds(_words(game)))


def read_move(position: Position, text: str, *, lenient: bool = False) -> Move:
    """The legal move that a text names. With `lenient`, the letter of a captured piece may follow a quiet move.

    Raises `InvalidNotation` (`bad_source`, `bad_destination`,
    `unknown_promotion`) and `IllegalMove` as `Position.find` does, or with `wrong_mark` for letters that contradict
    the move.
    """
    match = _MOVE.fullmatch(text)
    assert match is not None  # it matches anything
    source, target, letters = match.groups()
    if source is None or target is None:
        return position.find(text)
    move = position.tables.moves.by_text.get(text)
    if move is not None and move in position.legal_moves and letters != marks(position, move):
        # Coordinate notation: e7e8q promotes, where Smith's q would take a queen.
        return move
    for letter in letters:
        if letter not in _PROMOTIONS + _MARKS:
            raise InvalidNotation(
                "unknown_promotion",
                f"'{letter}' is not a promotion (N, B, R, Q), capture (p, n, b, r, q, k), castling (c, C) or "
                "capture en passant (E).",
            )
    promotion = "".join(letter for letter in letters if letter in _PROMOTIONS)
    claims = Counter(letter for letter in letters if letter in _MARKS)
    move = position.find(source + target + promotion)
    done = marks(position, move)
    ignored = lenient and not done and all(letter in _PIECES for letter in claims)
    if not ignored and claims - Counter(done):
        raise IllegalMove("wrong_mark", f"The move from {source} to {target} is written {write_move(position, move)}.")
    return move


def write_move(position: Position, move: Move) -> str:
    """The text of a legal move in Smith notation."""
    if move.drop is not None:
        return move.text
    names = position.geometry.names
    promotion = "" if move.promotion is None else move.promotion.letter.upper()
    return names[move.source] + names[move.target] + marks(position, move) + promotion


def marks(position: Position, move: Move) -> str:
    """The letters for a legal move's captures or castling."""
    castle = position.castle_of(move)
    if castle is not None:
        return _SHORT if castle.short else _LONG
    passed = taken_in_passing(position, move)
    pieces = taken(position, move)
    letters = "".join(piece.kind.letter for piece in pieces[: len(pieces) - (passed is not None)])
    return letters + (_EN_PASSANT if passed else "")


def _words(game: Game) -> Iterator[tuple[int, str]]:
    """The words of each turn, with the seat to move."""
    for step in game.line.steps:
        turn = step.before.turn
        if step.move is not None:
            yield turn, write_move(step.before, step.move)
        elif step.reason in departure.LETTERS and game.start.rules.records_departures:
            yield turn, departure.write(step)
