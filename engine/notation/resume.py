"""A record as a game that goes on: where a match of ours can begin, and the moves that lead from there to its end.

A match begins with everybody in it who still plays, and nobody else, and is played by our rules of its variant. So it
begins after the last departure, and stops where our rules do not allow what the record has.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from fourfold.engine.errors import IllegalMove, InvalidNotation
from fourfold.engine.notation.formats import READERS
from fourfold.engine.notation.game import Game, Remark, Step
from fourfold.engine.position import Position
from fourfold.engine.variants import begins_as_usual, opening

FORMATS = (*READERS, "fen")
"""What `read` reads."""

_FEN4 = re.compile(r"\s*[RBYG]-")
_FEN = re.compile(r"\s*[1-8PNBRQKpnbrqk]+(?:/[1-8PNBRQKpnbrqk]+){7}\s")
_FOUR = re.compile(r"\s\.\.\s|^\[(?:StartFen4|RuleVariants)\s", re.MULTILINE)
_FOUR_NAMED = re.compile(r'^\[Variant\s+"(?:FFA|Solo|Survivor|Teams)"', re.MULTILINE | re.IGNORECASE)
_NUMBERED = re.compile(r"(?:^|\s)1\.", re.MULTILINE)
_EVENT = re.compile(r"^\[Event\s", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Resumed:
    """What to begin a match with: `position` is a FEN or FEN4, None for the usual start of the `variant`, and `moves`
    have been played from there.

    `skipped` counts the moves before `position`, after which somebody left the game (None: nobody did); `last` is a
    move behind `moves` that ends it, `ending` the step without a move that did; `failure` says where the text could
    not be followed, `remarks` what its reader read on past.
    """

    variant: str
    position: str | None
    moves: tuple[str, ...] = ()
    skipped: int | None = None
    last: str | None = None
    ending: Step | None = None
    failure: Remark | None = None
    remarks: tuple[Remark, ...] = ()


def format_of(text: str) -> str:
    """The likeliest of `FORMATS`, by what the text looks like."""
    if _FEN4.match(text) or _FEN.match(text):
        return "fen"
    numbered = _NUMBERED.search(text)
    if _FOUR.search(text) or (numbered and _FOUR_NAMED.search(text)):
        return "pgn4"
    return "pgn" if numbered or _EVENT.search(text) else "smith"


def read(text: str, format: str | None = None) -> Resumed:
    """The first game of a text, or its position. Raises `InvalidNotation` or `InvalidSetup` if nothing begins there."""
    format = format or format_of(text)
    if format == "fen":
        line = text.strip().partition("\n")[0].strip()
        variant = "survivor" if _FEN4.match(line) else "standard"
        return Resumed(variant, opening(variant, position=line).fen())
    game = next(READERS[format](text), None)
    if game is None or (game.failure is None and not game.line.steps and not game.tags):
        raise InvalidNotation("no_game", "There is no game in this text.")
    if game.failure is not None and (game.failure.ply == 0 or (not game.tags and game.failure.ply == 1)):
        raise InvalidNotation(game.failure.code, f"Line {game.failure.line}: {game.failure.reason}")
    return resumed(game)


def resumed(game: Game) -> Resumed:
    """A record as a game that goes on. Raises `InvalidNotation` or `InvalidSetup` if our rules begin no game there."""
    steps = game.line.steps
    ending = None
    for number, step in enumerate(steps):
        if step.move is None and step.after.outcome is not None:
            ending, steps = step, steps[:number]
            break
    cut = max((number for number, step in enumerate(steps, start=1) if step.move is None), default=0)
    start = steps[cut - 1].after if cut else game.start
    while start.walk is not None and cut < len(steps):
        start, cut = steps[cut].after, cut + 1
    skipped = sum(step.move is not None for step in steps[:cut]) if cut else None
    position = opening(start.variant, position=start.fen())
    moves, last, failure = _played(position, steps[cut:], skipped or 0)
    fen = None if begins_as_usual(start) else start.fen()
    return Resumed(start.variant, fen, moves, skipped, last, ending, failure or game.failure, tuple(game.remarks))


def _played(position: Position, steps: list[Step], skipped: int) -> tuple[tuple[str, ...], str | None, Remark | None]:
    """The moves that our rules allow, the one that would end the game, and where they do not allow one."""
    moves: list[str] = []
    for step in steps:
        assert step.move is not None  # departures are behind us
        text = step.move.text
        try:
            position = position.play(position.find(text))
        except (InvalidNotation, IllegalMove) as error:
            return tuple(moves), None, Remark(0, skipped + len(moves) + 1, text, error.code, error.message)
        if position.outcome is not None:
            return tuple(moves), text, None
        moves.append(text)
    return tuple(moves), None, None
