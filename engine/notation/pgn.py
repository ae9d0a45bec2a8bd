"""PGN, the format of games for two players (Portable Game Notation, 1994; moves in SAN).

The parser reads tags, ``SetUp`` and ``FEN``, comments, glyphs, variations, clocks (``[%clk 0:03:00]``) and null moves.
Null moves (``--`` or ``Z0``) pass the turn in other programs' analyses. The writer writes all of these, in lines
shorter than 80 characters, after the standard's seven tags and ``TimeControl``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from fourfold.engine.errors import InvalidNotation
from fourfold.engine.notation import comments, movetext
from fourfold.engine.notation.game import NULL_MOVES, Game, Line, Step, result
from fourfold.engine.position import Position
from fourfold.engine.variants import VARIANTS, begins_as_usual, opening_of

_ROSTER = {
    "Event": "?",
    "Site": "?",
    "Date": "????.??.??",
    "Round": "?",
    "White": "?",
    "Black": "?",
    "Result": "*",
    "TimeControl": "?",
}
_RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
_OTHER_NAMES = {
    "standard": ("", "chess", "from position"),
    "chess960": ("fischerandom", "fischerrandom", "chess 960"),
    "threecheck": ("3check",),
    "antichess": ("anti", "anti chess"),
    "racingkings": ("racing", "race"),
    "crazyhouse": ("zh", "house", "crazy house"),
}
"""Names of variants in the tag `Variant` of other programs, such as Cute Chess and XBoard."""


class _Pgn:
    """The dialect of PGN: its tags and symbols."""

    def begin(self, tags: Mapping[str, str]) -> Position:
        named = tags.get("Variant", "")
        for rules in VARIANTS.values():
            names = (rules.name, rules.record_name.lower(), *_OTHER_NAMES.get(rules.name, ()))
            if rules.records == "pgn" and named.lower() in names:
                return opening_of(rules, position=tags.get("FEN"))
        known = ", ".join(rules.record_name for rules in VARIANTS.values() if rules.records == "pgn")
        raise InvalidNotation("unknown_variant", f"PGN is read for {known}, not for '{named[:32]}'.")

    def steps(self, position: Position, symbol: str) -> list[Step]:
        if symbol in NULL_MOVES:
            return [Step.of_null_move(position)]
        return [Step.of_move(position, position.read_move(symbol))]


def read(text: str | Iterable[str]) -> Iterator[Game]:
    """Yield the games of a PGN text. Each stops at its first bad move, which its `failure` describes. For a large file,
    give the open file instead of its text: it is then read game by game.

    >>> from fourfold.engine.notation import pgn
    >>> [(game.plies, game.failure and game.failure.move) for game in pgn.read("1. e4 e5 1-0 1. d4 d9 *")]
    [(2, None), (1, 'd9')]
    """
    return movetext.read(text, _Pgn())


def write(game: Game) -> str:
    """A game as PGN text, with a line feed at the end. The tags for the start follow the game's actual start. The tag
    for the result follows the board, if the board shows a result. Departures appear only in the result."""
    tags = _ROSTER | game.tags
    shown = game.result()
    if shown not in _RESULTS:
        shown = result(game.position)
    if shown != "*" or tags["Result"] not in _RESULTS:
        tags["Result"] = shown  # it also ends the moves, where any other word would read as a move
    for name in ("SetUp", "FEN"):
        tags.pop(name, None)
    if game.start.variant != "standard":
        tags["Variant"] = game.start.rules.record_name
    if not begins_as_usual(game.start):
        tags |= {"SetUp": "1", "FEN": game.start.fen()}
    words = [*comments.braced(game.line.comment), *_words(game.line), tags["Result"]]
    return f"{movetext.tag_pairs(tags)}\n{movetext.wrapped(words)}"


def _words(line: Line) -> Iterator[str]:
    """A line's moves with numbers and annotations. A Black move has a number unless it directly follows White's."""
    interrupted = True
    for step in line.steps:
        if step.reason is not None:
            continue
        if step.seat == 0 or interrupted:
            yield f"{step.before.ply // 2 + 1}." + ".." * step.seat
        yield NULL_MOVES[0] if step.move is None else step.before.san(step.move, step.after)
        extras = movetext.notes(step)
        for variation in step.variations:
            if variation.steps:
                extras += ["(", *comments.braced(variation.comment), *_words(variation), ")"]
        yield from extras
        interrupted = bool(extras)
