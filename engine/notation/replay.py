"""What the games of a file come to, each played from its start: its plies, result, points and eliminations, and
where it could not be played on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from fourfold.engine.errors import InvalidNotation
from fourfold.engine.notation.formats import READERS
from fourfold.engine.notation.game import Game


def replay(text: str, format: str) -> Iterator[dict[str, Any]]:
    """The summaries of a file's games, as values for JSON. The format is a file name's ending, such as
    ``.pgn4``; raises `InvalidNotation` (`unknown_format`) for another."""
    reader = READERS.get(format.removeprefix(".")) if format.startswith(".") else None
    if reader is None:
        names = ", ".join(f".{name}" for name in READERS)
        raise InvalidNotation("unknown_format", f"'{format}' is no format of games; there are {names}.")
    return (summary(game, number) for number, game in enumerate(reader(text), start=1))


def summary(game: Game, number: int) -> dict[str, Any]:
    """One game: called by its `GameNr` or else its number in the file. The result is what the board shows,
    or what the file says of a game that the board leaves open. Points, if they count, are by colour; `ply`
    counts moves, those of an elimination's the moves up to it, an error's the one that could not be made. What
    was read on past is told in `remarks`, if anything was."""
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
