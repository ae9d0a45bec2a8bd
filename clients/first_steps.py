"""`fourfold` alone on a terminal: asks what you want to do, and makes the command for it."""

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from fourfold.clients.bots.levels import LEVELS
from fourfold.clients.errors import ConnectionFault
from fourfold.clients.terminal.text.ink import Ink
from fourfold.protocol.from_server import Listing

Ask: TypeAlias = Callable[[str], str]
"""Shows a question, and gives the line that is typed. Raises `EOFError` at the end of the input."""

Games: TypeAlias = Callable[[], list[Listing]]
"""Gives the games that are played at the server. Raises `ConnectionFault`."""

SHOWN: Final = 9
"""The most games that are offered to watch."""

USUAL: Final = 3
"""The level of a computer player, unless you choose another."""


class Step(NamedTuple):
    """An entry of the menu."""

    title: str
    meaning: str


STEPS: Final = (
    Step("Play the computer", "on this machine; no server needed"),
    Step("A game for four", "against three computer players"),
    Step("Invite a friend", "a table for you, and a link for your friend"),
    Step("Join by code", "the link or the code of a friend's table"),
    Step("Watch", "a game that is being played"),
)


class FirstSteps:
    """The menu, on a terminal. `say` prints a line."""

    def __init__(self, ask: Ask, say: Callable[[str], None], ink: Ink, games: Games) -> None:
        self._ask = ask
        self._say = say
        self._ink = ink
        self._games = games

    def choose(self) -> list[str]:
        """The words of the command that you choose, without `fourfold`; none if you quit."""
        self._show()
        while True:
            try:
                typed = self._ask(f"Choose 1 to {len(STEPS)}, or q to quit: ").strip().lower()
                if typed in ("q", "quit", "exit"):
                    return []
                if typed in map(str, range(1, len(STEPS) + 1)):
                    words = self._CHOICES[int(typed) - 1](self)
                    if words:
                        self._say(self._ink.paint(f"\n$ fourfold {' '.join(words)}", dim=True))
                        return words
                elif typed:
                    self._say(f"Type a number from 1 to {len(STEPS)}, or q.")
            except EOFError:
                self._say("")
                return []

    def _show(self) -> None:
        mark = "♞ " if self._ink.unicode else ""
        self._say("")
        self._say(f"  {self._ink.paint(f'{mark}Fourfold', bold=True)}  chess for two and for four")
        self._say("")
        for number, (title, meaning) in enumerate(STEPS, 1):
            self._say(f"  {self._ink.paint(str(number), bold=True)}  {title:<20}{self._ink.paint(meaning, dim=True)}")
        self._say("")
        self._say(self._ink.paint("  All commands: fourfold --help", dim=True))
        self._say("")

    def _computer(self) -> list[str]:
        return ["play", "--local", "--players", "2", "--bots", self._level()]

    def _four(self) -> list[str]:
        return ["play", "--local", "--players", "4", "--bots", self._level()]

    def _level(self) -> str:
        levels = f"{LEVELS[0]} (easy) to {LEVELS[-1]} (strong)"
        return self._one_of(list(map(str, LEVELS)), f"Level of the computer, {levels} [{USUAL}]: ", str(USUAL))

    def _invite(self) -> list[str]:
        players = self._one_of(["2", "4"], "A table for 2 or for 4 [2]: ", "2")
        return ["invite", "--players", players]

    def _join(self) -> list[str]:
        code = self._ask("Link or code of the table: ").strip()
        return ["play", code] if code and not code.startswith("-") else []

    def _watch(self) -> list[str]:
        try:
            games = self._games()[:SHOWN]
        except ConnectionFault as fault:
            self._say(str(fault))
            return []
        if not games:
            answer = self._ask("No game is being played. Let four computer players play one? [Y/n] ").strip().lower()
            return [] if answer.startswith("n") else ["demo", "--players", "4", "--delay", "600"]
        for number, game in enumerate(games, 1):
            players = ", ".join(seat.name or "?" for seat in game.seats)
            self._say(f"  {self._ink.paint(str(number), bold=True)}  {game.variant}: {players} ({game.ply} moves)")
        numbers = [str(number) for number in range(1, len(games) + 1)]
        chosen = self._one_of(numbers, "Which one [1]: ", "1")
        return ["watch", games[int(chosen) - 1].room]

    def _one_of(self, answers: list[str], question: str, usual: str) -> str:
        """One of the answers: the usual one for an empty line."""
        while (typed := self._ask(question).strip() or usual) not in answers:
            self._say(f"Type one of {', '.join(answers)}.")
        return typed

    _CHOICES: Final = (_computer, _four, _invite, _join, _watch)
