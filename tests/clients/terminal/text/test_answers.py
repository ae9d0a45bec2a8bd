"""Answers about games that were played."""

from fourfold.clients.terminal.text import answers
from fourfold.protocol.from_server import Explored, Game, PlayedMove, PlayedSeat, SeatResults


def test_what_was_played_from_a_position() -> None:
    two = [SeatResults("white", 5, 1.25), SeatResults("black", 3, 1.4)]
    four = [SeatResults(seat, won, 2.5, points) for seat, won, points in (("red", 1, 40.4), ("blue", 0, 9.6))]
    moves = [PlayedMove("g1f3", "Nf3", 12, 4, two), PlayedMove("h2h3", "h2-h3", 1, 0, four)]
    assert answers.explored(Explored(variant="standard", position="", games=13, moves=moves)) == [
        "13 games came here; then was played:",
        "Nf3      12 games: white won 5, black won 3, drawn 4",
        "h2-h3    1 game: red won 1, blue won 0, drawn 0; points on average: 40, 10",
    ]
    (nothing,) = answers.explored(Explored(variant="standard", position="", games=0, moves=[]))
    assert nothing.startswith("No public game")


def test_an_imported_game_says_so() -> None:
    seats = [PlayedSeat("white", "imported:Ann", "Ann", result="won"), PlayedSeat("black", "imported:Bo", "Bo")]
    game = Game("abc", 1, "standard", None, "finished", seats, "", 3, 0, 0, imported=True)
    line = answers.games([game])[0]
    assert "imported" in line and "1970" not in line
