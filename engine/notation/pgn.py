"""PGN, the format of games for two (Portable Game Notation, 1994; moves in SAN).

Read: tags, ``SetUp`` and ``FEN``, comments, glyphs, variations, the clock (``[%clk 0:03:00]``), and null moves
(``--`` or ``Z0``), with which other programs pass the turn in an analysis. Written: the same, in lines shorter
than 80 characters, under the seven tags of the standard's roster and ``TimeControl``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fourfold.engine.errors import IllegalMove, InvalidNotation
from fourfold.engine.notation import comments, movetext
from fourfold.engine.notation.game import Game, Line, Step, result
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
}
"""How others, such as Cute Chess and XBoard, name variants in the tag `Variant`."""

NULL_MOVES = ("--", "Z0", "0000", "@@@@")
"""How programs write a null move; the first is ours."""


class _Pgn:
    """PGN's tags and symbols."""

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
            return [null_move(position)]
        return [Step.of_move(position, position.read_move(symbol))]


def null_move(position: Position) -> Step:
    """The turn goes to the other side. Raises `IllegalMove` (`game_over`, `king_in_check`)."""
    if position.outcome is not None:
        raise IllegalMove("game_over", "The game is over: no more moves can be made.")
    if position.checked():
        raise IllegalMove("king_in_check", "A null move cannot be made in check.")
    after = position.replace(
        turn=1 - position.turn,
        ply=position.ply + 1,
        halfmove=position.halfmove + 1,
        steps=(),
        history=b"",  # what was repeated by passing is not repeated by play
    )
    return Step(position, after, position.turn)


def read(text: str) -> Iterator[Game]:
    """The games of a file, each up to its first bad move, which its `failure` names."""
    return movetext.read(text, _Pgn())


def write(game: Game) -> str:
    """A game as PGN, ending in a line feed. What the tags of the game say of result and start is replaced
    by how it did begin and, if the board shows it, end; a departure shows in the result only."""
    tags = _ROSTER | game.tags
    shown = game.result()
    if shown not in _RESULTS:
        shown = result(game.position)
    if shown != "*" or tags["Result"] not in _RESULTS:
        tags["Result"] = shown  # it ends the moves as well, where anything else would be one
    for name in ("SetUp", "FEN"):
        tags.pop(name, None)
    if game.start.variant != "standard":
        tags["Variant"] = game.start.rules.record_name
    if not begins_as_usual(game.start):
        tags |= {"SetUp": "1", "FEN": game.start.fen()}
    words = [*comments.braced(game.line.comment), *_words(game.line), tags["Result"]]
    return f"{movetext.tag_pairs(tags)}\n{movetext.wrapped(words)}"


def _words(line: Line) -> Iterator[str]:
    """A line's moves, numbered and annotated. Black's are numbered where they don't follow White's."""
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
