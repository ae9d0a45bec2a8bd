"""Summaries of the games in a file: plies, result, points, eliminations, and the first error."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from fourfold.engine.errors import InvalidNotation
from fourfold.engine.notation.formats import READERS
from fourfold.engine.notation.game import Game


def replay(text: str, format: str) -> Iterator[dict[str, Any]]:
    """The summaries of all games in a text, ready for JSON. `format` is a file extension such as ``.pgn4``. Raises
    `InvalidNotation` (`unknown_format`) for any other."""
    reader = READERS.get(format.removeprefix(".")) if format.startswith(".") else None
    if reader is None:
        names = ", ".join(f".{name}" for name in READERS)
        raise InvalidNotation("unknown_format", f"Unknown game format '{format}'. Formats: {names}.")
    return (summary(game, number) for number, game in enumerate(reader(text), start=1))


def summary(game: Game, number: int) -> dict[str, Any]:
    """The summary of one game, ready for JSON.

    `game` is its tag `GameNr`, or else its `number` in the file. `result` comes from the board, or from the file if the
    board leaves it open. `points` are by colour, or None. The `ply` of an elimination counts the moves before it; that
    of an `error` is the move that could not be played. `remarks` appear only if there are any.
    """
    told = {
        "game": game.tags.get("GameNr", str(number)),
        "variant": game.start.variant,
        "plies": game.plies,
        "result": game.result(),
        "points": _points(game),
        "eliminated": list(_eliminated(game)),
        "error": game.failure and asdict(game.failure),
    }
    return told | ({"remarks": [asdict(remark) for remark in game.remarks]} if game.remarks else {})


def _points(game: Game) -> dict[str, int] | None:
    outcome = game.position.outcome
    points = game.position.points if outcome is None else outcome.points
    return None if points is None else dict(zip(game.start.seats, points, strict=True))


def _eliminated(game: Game) -> Iterator[dict[str, Any]]:
    ply = 0
    for step in game.line.steps:
        ply += step.move is not None
        for elimination in step.after.eliminated:
            yield {"seat": game.start.seats[elimination.seat], "ply": ply, "why": elimination.reason.value}
