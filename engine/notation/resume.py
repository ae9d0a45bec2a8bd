"""Continuing a recorded game: the position from which a match can start, and the moves to its end.

A match starts with exactly the players who are still in, and follows our rules of its variant. So it starts after the
last departure, and stops at the first move that our rules do not allow.
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
"""The formats that `read` accepts."""

_FEN4 = re.compile(r"\s*[RBYG]-")
_FEN = re.compile(r"\s*[1-8PNBRQKpnbrqk]+(?:/[1-8PNBRQKpnbrqk]+){7}\s")
_FOUR = re.compile(r"\s\.\.\s|^\[(?:StartFen4|RuleVariants)\s", re.MULTILINE)
_FOUR_NAMED = re.compile(r'^\[Variant\s+"(?:FFA|Solo|Survivor|Teams)"', re.MULTILINE | re.IGNORECASE)
_NUMBERED = re.compile(r"(?:^|\s)1\.", re.MULTILINE)
_EVENT = re.compile(r"^\[Event\s", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Resumed:
    """The start of a match that continues a recorded game."""

    variant: str
    """The name of the variant."""
    position: str | None
    """The FEN or FEN4 to start from; None for the variant's default start."""
    moves: tuple[str, ...] = ()
    """The moves played from `position`, in coordinate notation."""
    skipped: int | None = None
    """The number of moves before `position`, up to the last departure; None if nobody left."""
    last: str | None = None
    """The move after `moves` that ends the game, or None."""
    ending: Step | None = None
    """The step without a move that ended the game, or None."""
    failure: Remark | None = None
    """The first place of the text that could not be followed, or None."""
    remarks: tuple[Remark, ...] = ()
    """Unusual places that the parser accepted; see `Game.remarks`."""


def format_of(text: str) -> str:
    """Guess the format of a text: one of `FORMATS`."""
    if _FEN4.match(text) or _FEN.match(text):
        return "fen"
    numbered = _NUMBERED.search(text)
    if _FOUR.search(text) or (numbered and _FOUR_NAMED.search(text)):
        return "pgn4"
    return "pgn" if numbered or _EVENT.search(text) else "smith"


def read(text: str, format: str | None = None) -> Resumed:
    """The first game of a text, or the position of a FEN. `format` is one of `FORMATS`; the default is a guess. Raises
    `InvalidNotation` or `InvalidSetup` if no match can start there."""
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
    """The start of a match that continues `game`. Raises `InvalidNotation` or `InvalidSetup` if no match can start
    there."""
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
    """The moves that our rules allow; then the move that ends the game, or the first illegal one, if any."""
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
