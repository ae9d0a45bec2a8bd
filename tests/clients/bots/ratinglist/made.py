"""Results and a whole list for tests."""

from datetime import UTC, datetime
from pathlib import Path

from fourfold.clients.bots.arena.game import Played
from fourfold.clients.bots.arena.results import Result, Terms
from fourfold.clients.bots.ratinglist.lists import lists
from fourfold.clients.bots.ratinglist.publication import About, write

LONG = "An engine <b>with</b> a long name, version 12.34.56-development"

MATED = ("f2f3", "e7e5", "g2g4", "d8h4")


def won(players: tuple[str, str], number: int, *, budget: float = 0.1) -> Result:
    """A game of standard that Black wins: in a pair, each player wins once."""
    terms = Terms("standard", players, 1, budget, "balanced", "0")
    sides = (0, 1) if number % 2 == 0 else (1, 0)
    return Result(terms, number, sides, 2, 0, Played((0, 1), "checkmate", MATED, (1, 1), (0.1, 0.3)))


def drawn(players: tuple[str, str], number: int) -> Result:
    """A game of teams that is drawn after its opening."""
    terms = Terms("teams", players, 1, 0.1, "balanced", "0")
    sides = (0, 1, 0, 1) if number % 2 == 0 else (1, 0, 1, 0)
    played = Played((0.5,) * 4, "agreement", ("h2h3", "b7c7", "g13g12", "m8l8"), (1, 1), (0.1, None))
    return Result(terms, number, sides, 4, 0, played)


def publish(folder: Path, games: int = 2) -> None:
    """Write a list of three engines. Each pair has `games` games of standard and as many of teams."""
    pairs = (("1", "5"), ("1", LONG), ("5", LONG))
    found = [make(pair, number) for make in (won, drawn) for pair in pairs for number in range(games)]
    about = About("Ours & others", "a machine of the tests", ("1", 1000.0), datetime(2026, 11, 26, tzinfo=UTC))
    write(folder, about, lists(found, about.anchor), found)
