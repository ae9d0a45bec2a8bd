"""Smith notation: moves by their squares and by what it takes to put them back (Warren D. Smith).

A move is its two squares and then what it did: the letter of the piece it took (``pnbrqk``, ``d`` for a
promoted queen), ``c`` or ``C`` for castling on the short or the long side, ``E`` for a capture en passant,
and the letter of a promotion (``NBRQ``, ``D``): ``e2e4``, ``d4c5p``, ``e8g8c``, ``e5d6E``, ``b7a8rQ``. The
moves of one round share a line, two of them or four.

A file begins at once with the moves of standard chess from its usual start. Ours may say something else
first, by the tags ``[Variant "ffa"]``, ``[RuleVariants "EnPassant"]`` (the options of the rules, where they are not
the variant's usual ones), ``[Seed "7"]`` (how dead kings walk) and ``[FEN "…"]``; with four players it also says who
left.
The letters after the squares may be missing when read, but must not say what the move does not do. A file may have the
letter of a piece at a move that takes nothing: programs write it a move too late.
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
    """Smith notation's tags and symbols."""

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
    """The game of a file, up to its first bad move, which its `failure` names. The variant is that of a file
    which does not tell its own; raises `InvalidNotation` (`unknown_variant`) if there is no such."""
    return next(movetext.read(text, _Smith(variant)), Game(opening(variant)))


def write(game: Game) -> str:
    """A game as Smith notation. Comments and variations are left out."""
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
    """The legal move that a text means; a `lenient` reader ignores the letters of pieces at a move that takes nothing.

    Raises `InvalidNotation` (`bad_source`, `bad_destination`,
    `unknown_promotion`) and `IllegalMove` as `Position.find`, or with `wrong_mark` for letters that say what the move
    does not do.
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
                f"'{letter}' is no promotion (N, B, R, Q), capture (p, n, b, r, q, k), castling (c, C) or "
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
    """A legal move in Smith notation."""
    names = position.geometry.names
    promotion = "" if move.promotion is None else move.promotion.letter.upper()
    return names[move.source] + names[move.target] + marks(position, move) + promotion


def marks(position: Position, move: Move) -> str:
    """What a legal move does to others: captures and castling, by their letters."""
    castle = position.castle_of(move)
    if castle is not None:
        return _SHORT if castle.short else _LONG
    passed = taken_in_passing(position, move)
    pieces = taken(position, move)
    letters = "".join(piece.kind.letter for piece in pieces[: len(pieces) - (passed is not None)])
    return letters + (_EN_PASSANT if passed else "")


def _words(game: Game) -> Iterator[tuple[int, str]]:
    """What is written in each turn, and whose turn it is."""
    for step in game.line.steps:
        turn = step.before.turn
        if step.move is not None:
            yield turn, write_move(step.before, step.move)
        elif step.reason in departure.LETTERS and game.start.rules.records_departures:
            yield turn, departure.write(step)
