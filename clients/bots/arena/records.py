"""Games of matches as PGN or PGN4, so that they can be replayed."""

from __future__ import annotations

from pathlib import Path

from fourfold.clients.bots.arena.pairing import distributions, titled
from fourfold.clients.bots.arena.results import Result
from fourfold.engine.notation.formats import WRITERS
from fourfold.engine.notation.game import Game, Step
from fourfold.engine.outcome import Termination
from fourfold.engine.variants import opening


def game_of(result: Result) -> Game:
    """A result as a game with tags. `Round` counts openings, and the games of each."""
    terms = result.terms
    start = opening(terms.variant, seed=result.draw)
    whole, part = divmod(result.number, len(distributions(terms.variant, terms.seats)))
    players = [titled(name) for name in terms.players]
    names = {seat.capitalize(): players[side] for seat, side in zip(start.seats, result.sides, strict=True)}
    tags = {
        "Event": f"{players[0]} against {players[1]}",
        "Round": f"{whole + 1}.{part + 1}",
        **names,
        "Termination": result.played.termination.replace("_", " "),
    }
    game = Game(start, tags)
    for move in result.played.moves:
        game.play(move)
    if game.position.outcome is None:
        game.line.steps.append(Step.of_draw(game.position, Termination.AGREEMENT))
    if result.opening:
        game.line.steps[result.opening - 1].comment = "end of the opening"
    return game


def text_of(result: Result) -> str:
    """A result as PGN or PGN4, with an empty line at the end."""
    game = game_of(result)
    return WRITERS[game.start.rules.records](game) + "\n"


def write(results: list[Result], path: Path) -> None:
    """Write all games of results to a file. Raises `OSError`."""
    path.write_text("".join(map(text_of, results)), encoding="utf-8")
