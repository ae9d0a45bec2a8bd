"""Answers about games that were played."""

from fourfold.clients.games.review import Review
from fourfold.clients.terminal.text import answers
from fourfold.engine.notation.game import Game as Record
from fourfold.engine.variants import opening
from fourfold.protocol.from_server import (
    Explored,
    Game,
    Leader,
    Leaderboard,
    Lines,
    PlayedMove,
    PlayedSeat,
    Rating,
    RatingChange,
    Ratings,
    Reviewed,
    SeatResults,
)
from fourfold.protocol.lines import Departed, JudgedPly, Line, Opening, Summary, Threat


def test_what_was_played_from_a_position() -> None:
    two = [SeatResults("white", 5, 1.25), SeatResults("black", 3, 1.4)]
    four = [SeatResults(seat, won, 2.5, points) for seat, won, points in (("red", 1, 40.4), ("blue", 0, 9.6))]
    moves = [PlayedMove("g1f3", "Nf3", 12, 4, two), PlayedMove("h2h3", "h2-h3", 1, 0, four)]
    assert answers.explored(Explored(variant="standard", position="", games=13, moves=moves)) == [
        "13 games reached this position. Next moves:",
        "Nf3      12 games: white won 5, black won 3, drawn 4",
        "h2-h3    1 game: red won 1, blue won 0, drawn 0; points on average: 40, 10",
    ]
    (nothing,) = answers.explored(Explored(variant="standard", position="", games=0, moves=[]))
    assert nothing.startswith("No public archived game")


def test_an_imported_game_says_so() -> None:
    seats = [PlayedSeat("white", "imported:Ann", "Ann", result="won"), PlayedSeat("black", "imported:Bo", "Bo")]
    game = Game("abc", 1, "standard", None, "finished", seats, "", 3, 0, 0, imported=True)
    line = answers.games([game])[0]
    assert "imported" in line and "1970" not in line


def test_a_rated_game_says_what_it_did() -> None:
    seats = [PlayedSeat("white", "1", "Ann", result="won", change=RatingChange(1500, 1512, 60, 0.43, 1.0))]
    game = Game("abc", 1, "standard", None, "finished", seats, "", 3, 0, 0, unrated="")
    assert "white: Ann won (1500 → 1512)" in answers.games([game])[0]


def test_ratings_of_a_player_and_who_stands_highest() -> None:
    blitz = Rating("standard", "blitz", 1512, 61, 40, 0, certain=True, points=[])
    four = Rating("ffa", None, 1498, 200, 1, 0, certain=False, points=[])
    assert answers.ratings(Ratings("1", "Ann", [blitz, four])) == [
        "Ann:",
        "standard, blitz           1512 ± 61   40 games",
        "ffa                       1498 ± 200  1 game",
    ]
    assert answers.ratings(Ratings("1", "Ann", [])) == ["Ann has no rated game yet."]
    assert "Guests have no ratings" in answers.ratings(Ratings("1", None, []))[0]
    leaders = [
        Leader("1", "Ann", 1912, 61, 40),
        Leader("level5", "Level 5", 1840, 60, 9, bot=True),
        Leader("2", "Bo", 1300, 50, 9),
        Leader("level4", "Level 4", 1150, 1, 0, bot=True, fixed=True),
    ]
    assert answers.leaderboard(Leaderboard("standard", "blitz", leaders)) == [
        "The highest ratings, standard, blitz:",
        "   1  Ann                       1912 ± 61",
        "   -  Level 5                   1840 ± 60",
        "   2  Bo                        1300 ± 50",
        "   -  Level 4                   1150 fixed",
    ]
    bots = [Leader("bot:1", "Annbot", 1912, 61, 40, bot=True), *leaders[1::2]]
    assert answers.leaderboard(Leaderboard("ffa", None, bots), bots=True) == [
        "The highest ratings of bots, ffa:",
        "   1  Annbot                    1912 ± 61",
        "   -  Level 5                   1840 ± 60",
        "   -  Level 4                   1150 fixed",
    ]


def test_the_best_lines() -> None:
    shares = {"red": 0.402, "blue": 0.3, "yellow": 0.298, "green": 0.0}
    best = Line(["g1f3", "a6b8"], ["Qg1-f3", "Bb8"], ["red", "blue"], 134, None, shares)
    other = Line(["h1h2"], ["Kh1-h2"], ["red"], -999_996, -4, shares)
    threat = Threat("blue", "a6h13", "Ba6xh13#", 0, mate=True)
    assert answers.analysed(Lines("k", 5, 100, [best, other], [threat], done=False)) == [
        "The best lines, 5 moves ahead:",
        "    +1.3  Qg1-f3 Bb8",
        " loses 4  Kh1-h2",
        "Chances after the first: red 40 %, blue 30 %, yellow 30 %, green 0 %.",
        "Blue threatens Ba6xh13#, which mates.",
    ]
    assert answers.analysed(Lines("k", 0, 0, [], [], done=True)) == ["The computer players are busy. Try again later."]


def test_a_review() -> None:
    even, lost = {"white": 0.52, "black": 0.48}, {"white": 0.31, "black": 0.69}
    plies = [
        JudgedPly(even, "e4", None, None, None),
        JudgedPly(even, "e5", "white", None, None),
        JudgedPly(even, "Qh4#", "black", None, None),
        JudgedPly(lost, "Nf6", "white", "??", "Nf3 was better."),
        JudgedPly(lost, "Nf6", "black", None, "Black could take the bishop on f4 for nothing."),
    ]
    summary = Summary({"white": 93.2, "black": None}, {"white": None, "black": 2})
    game = Review(Record(opening("standard")).play("e4").play("e5").play("Bc4").play("a6"))
    assert answers.reviewed(Reviewed("abc", 1, 4, None, plies, summary), game) == [
        "2. Bc4?? Nf3 was better. White 52 % → 31 %",
        "2... a6 Black could take the bishop on f4 for nothing. Black 69 % → 69 %",
        "white: accuracy 93 %",
        "black: did not move, lost after 1... e5",
    ]
    assert answers.reviewed(Reviewed("abc", 1, 4, None, plies, summary), None)[0].startswith("3. white?? Nf3")
    (line,) = answers.reviewed(Reviewed("abc", 1, 2, 1, [], None), game)
    assert "1 of 3 positions" in line
    openings = [Opening(1, "B00", "King's Pawn Game"), Opening(2, "C20", "King's Pawn Game: Wayward Queen Attack")]
    first, line = answers.reviewed(Reviewed("abc", 1, 2, 1, [], None, openings), game)
    assert first == "C20 King's Pawn Game: Wayward Queen Attack"


def test_a_review_says_what_changed_and_who_went_out() -> None:
    before, after = {"red": 0.5, "blue": 0.5}, {"red": 0.9, "blue": 0.1}
    gone = Departed("green", "checkmate", "red")
    plies = [JudgedPly(before, "h3", None, None, None)]
    plies += [JudgedPly(before, None, seat, None, None) for seat in ("red", "blue", "yellow", "green")]
    plies += [
        JudgedPly(before, None, "red", None, "Red could mate Green: Qg7#.", [gone]),
        JudgedPly(after, "Qg7#", "blue", "??", None),
    ]
    summary = Summary({"red": 93.2, "blue": 12.0}, {"red": None, "blue": 1})
    record = Record(opening("ffa"))
    for move in ("h2-h3", "b7-c7", "g13-g12", "m8-l8", "j2-j3", "b6-c6"):
        record.play(move)
    assert answers.reviewed(Reviewed("abc", 1, 6, None, plies, summary), Review(record))[:3] == [
        "2. red j2-j3 Red could mate Green: Qg7#. Red 50 % → 50 %",
        "2. red j2-j3: green is out: checkmate by red",
        "2. blue b6-c6?? Blue 50 % → 10 %",
    ]
