"""The file of results, and the games that it becomes."""

from dataclasses import replace
from pathlib import Path

import pytest

from fourfold.clients.bots.arena import records, results
from fourfold.clients.bots.arena.game import play
from fourfold.clients.bots.arena.pairing import Player, pairings
from fourfold.clients.bots.arena.results import BadResults, Result, ResultsFile, Terms
from fourfold.engine.notation.game import READERS
from tests.each import each

PLAYERS = (Player(2), Player(1))


def made(variant: str, count: int, moves: tuple[str, ...] = ()) -> list[Result]:
    terms = Terms(variant, ("2", "1"), 1, 0.1, "", "0")
    openings = [moves] if moves else []
    return [Result.of(terms, one, play(one)) for one in pairings(variant, PLAYERS, count, openings=openings)]


def test_results_are_read_as_they_were_written(tmp_path: Path) -> None:
    played = made("standard", 2)
    path = tmp_path / "results.jsonl"
    assert results.read(path) == []
    for result in played:
        with ResultsFile(path) as file:
            file.add([result])
    assert results.read(path) == played


def test_a_line_that_was_cut_short_is_dropped(tmp_path: Path) -> None:
    first, second = made("standard", 2)
    path = tmp_path / "results.jsonl"
    path.write_text(first.line() + second.line()[:50])
    assert results.read(path) == [first]
    with ResultsFile(path) as file:
        file.add([second])
    assert results.read(path) == [first, second]


def test_a_match_continues_where_it_stopped() -> None:
    played = made("standard", 3)
    terms = played[0].terms
    other = replace(played[2], terms=replace(terms, budget=9))
    assert results.of_match([played[1], other, played[0]], terms) == played[:2]
    assert results.of_match([played[0], played[2]], terms) == played[:1], "the second is missing"
    assert results.of_match(played[1:], terms) == []


def test_the_first_of_two_equal_games_counts(tmp_path: Path) -> None:
    (first,) = made("standard", 1)
    path = tmp_path / "results.jsonl"
    path.write_text(first.line() + replace(first, draw=7).line())
    assert results.read(path) == [first]


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text('{"games": 3}\n')
    with pytest.raises(BadResults, match="line 1, is not a result: KeyError"):
        results.read(path)
    path.write_bytes(b"\xff\n")
    with pytest.raises(BadResults, match="cannot be read"):
        results.read(path)
    with pytest.raises(BadResults, match="cannot be written: Is a directory"), ResultsFile(tmp_path):
        pass


@pytest.mark.slow
@each(("variant", "moves"), [
    ("standard", ("e2e4", "e7e5")), ("teams", ("h2h3",)), ("ffa", ()), ("survivor", ()), ("chess960", ()),
])  # fmt: skip
def test_each_game_can_be_replayed(variant: str, moves: tuple[str, ...]) -> None:
    for result in made(variant, 2, moves):
        text = records.text_of(result)
        (game,) = READERS["pgn" if variant in ("standard", "chess960") else "pgn4"](text)
        assert game.failure is None
        assert tuple(move.text for move in game.moves) == result.played.moves
        assert game.position.fen() == records.game_of(result).position.fen()
        assert game.position.outcome is not None
        seat = game.start.seats[result.sides.index(0)].capitalize()
        assert game.tags[seat] == "Level 2"
    assert game.tags["Round"] == "1.2"
