"""The menu of `fourfold` alone: the commands for typed lines."""

from collections.abc import Iterator

import pytest

from fourfold.clients import __main__ as program
from fourfold.clients.errors import Unreachable
from fourfold.clients.first_steps import STEPS, FirstSteps
from fourfold.clients.terminal.text.ink import Ink
from fourfold.protocol.from_server import ListedSeat, Listing

SEATS = [ListedSeat("white", "Ann"), ListedSeat("black", None)]
GAMES = [Listing(room, "standard", None, "playing", SEATS, 7, 0, 0) for room in ("abc", "def")]


class Menu:
    """A menu with typed lines: `said` is its output, `words` the command."""

    def __init__(self, *typed: str, games: list[Listing] | None = None) -> None:
        self.said: list[str] = []
        self._typed: Iterator[str] = iter(typed)
        self._games = games
        self.words = FirstSteps(self._ask, self.said.append, Ink(), self._played).choose()

    def _ask(self, question: str) -> str:
        self.said.append(question)
        line = next(self._typed, None)
        if line is None:
            raise EOFError
        return line

    def _played(self) -> list[Listing]:
        if self._games is None:
            raise Unreachable("No Fourfold server answers.")
        return self._games


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        (["1", ""], "play --local --players 2 --bots 3"),
        (["1", "9", "5"], "play --local --players 2 --bots 5"),
        (["2", "1"], "play --local --players 4 --bots 1"),
        (["3", ""], "invite --players 2"),
        (["3", "4"], "invite --players 4"),
        (["4", " http://192.168.1.20:8080/r/abc "], "play http://192.168.1.20:8080/r/abc"),
        (["", "nonsense", "0", "6", "4", "abc"], "play abc"),
        (["4", "", "4", "--help", "1", ""], "play --local --players 2 --bots 3"),
        (["5", "3", "2"], "watch def"),
        (["5", ""], "watch abc"),
        (["q"], ""),
        ([], ""),
        (["1"], ""),
    ],
)
def test_a_choice_is_a_command_that_is_understood(typed: list[str], command: str) -> None:
    menu = Menu(*typed, games=GAMES)
    assert " ".join(menu.words) == command
    if command:
        assert menu.said[-1] == f"\n$ fourfold {command}"
        program.parser({}).parse_args(menu.words)


def test_every_step_is_shown_and_explained() -> None:
    text = "\n".join(Menu().said)
    for number, (title, meaning) in enumerate(STEPS, 1):
        assert f"{number}  {title}" in text
        assert meaning in text
    assert all(len(line) <= 80 for line in text.splitlines())


def test_games_are_listed_with_their_players() -> None:
    assert "  1  standard: Ann, ? (7 moves)" in Menu("5", "1", games=GAMES).said


def test_where_nobody_plays_computers_do() -> None:
    assert Menu("5", "", games=[]).words == ["demo", "--players", "4", "--delay", "600"]
    assert Menu("5", "n", "q", games=[]).words == []


def test_without_a_server_the_menu_says_so_and_asks_again() -> None:
    menu = Menu("5", "3", "")
    assert "No Fourfold server answers." in menu.said
    assert menu.words == ["invite", "--players", "2"]


def test_without_a_terminal_there_is_no_menu(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        program.main([])
    assert ended.value.code == 2
    assert "usage: fourfold" in capsys.readouterr().err
