"""Results for tests of lists."""

from fourfold.clients.bots.arena.game import Played
from fourfold.clients.bots.arena.results import Result, Terms

MATED = ("f2f3", "e7e5", "g2g4", "d8h4")


def won(players: tuple[str, str], number: int, *, budget: float = 0.1) -> Result:
    """A game of standard that Black wins: in a pair, each player wins once."""
    terms = Terms("standard", players, 1, budget, "balanced", "0")
    sides = (0, 1) if number % 2 == 0 else (1, 0)
    return Result(terms, number, sides, 2, 0, Played((0, 1), "checkmate", MATED, (1, 1), (0.1, 0.3)))
