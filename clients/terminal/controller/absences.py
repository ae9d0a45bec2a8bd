"""Tells when an absent player's time is over, so that the others may vote on the seat."""

import asyncio
from collections.abc import Callable

from fourfold.clients.games.game import Game
from fourfold.clients.terminal.text import answers


class Absences:
    """Says a sentence about each player who becomes absent."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._timers: list[asyncio.TimerHandle] = []

    def watch(self, game: Game | None) -> None:
        """Wait for the players who are away from this game now, and no others; None: for nobody."""
        for timer in self._timers:
            timer.cancel()
        self._timers = []
        if game is not None:
            loop = asyncio.get_running_loop()
            for seat, since in game.away.items():
                wait = max(0, since + game.absence - game.now()) / 1000
                self._timers.append(loop.call_later(wait, self._tell, game, seat))

    def _tell(self, game: Game, seat: str) -> None:
        table = game.table
        inside = any(mine not in table.out for mine in game.seats)
        if table.status == "playing" and inside and seat in game.away and seat not in table.out:
            self._say(answers.absent(game, seat))
