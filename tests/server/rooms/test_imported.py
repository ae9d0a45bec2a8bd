"""Records as logs: the replayed game is the recorded one, and impossible records are refused with a reason."""

from collections import Counter

import pytest

from fourfold.engine.match import replay
from fourfold.engine.notation import pgn, pgn4
from fourfold.engine.notation.formats import READERS
from fourfold.engine.notation.game import Game
from fourfold.server.archive.facts import GameFacts, fold
from fourfold.server.rooms.imported import NoGame, log, room_of, texts
from fourfold.server.storage.records import read
from tests.server.maintenance.conftest import DATA

TWO = """[White "Ann"]\n[Black "Bob"]\n[Result "{result}"]\n{tags}\n1. e4 e5 2. Nf3 Nc6 {result}\n"""


def one(text: str, format: str = "pgn") -> Game:
    (game,) = READERS[format](text)
    return game


async def facts(game: Game) -> GameFacts:
    _, (found,) = await fold("abc", log(game)[1])
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sample.pgn", "ffa.pgn4", "teams.pgn4", "solo-classic-2018.pgn4"])
async def test_games_that_people_played(name: str) -> None:
    """Each reaches the position of its record, by the moves of the record, and ends as it says."""
    for game in READERS[name.partition(".")[2]]((DATA / name).read_text()):
        entries, decisions = log(game)
        assert read(entries) == decisions
        state = replay(read(entries))
        steps = [step for step in game.line.steps if step.move is not None]
        assert [step.move for step in state.line if step.move is not None] == [step.move.text for step in steps]  # type: ignore[union-attr]
        assert state.archived and state.complete and state.terms.imported
        found = await facts(game)
        assert (found.imported, found.public, found.plies) == (True, True, game.plies)
        told = game.tags.get("Result", "*")
        if told in ("1-0", "0-1", "1/2-1/2"):
            teams = game.start.rules.teams
            won = {teams[state.position.seats.index(seat)] for seat in found.winners}
            assert won == {"1-0": {0}, "0-1": {1}, "1/2-1/2": set()}[told]
        elif game.position.outcome is not None:
            assert [seat.points for seat in found.seats] == list(game.position.outcome.points or ())


@pytest.mark.parametrize(
    ("result", "tags", "reason", "winners"),
    [
        ("1-0", "", "resignation", ("white",)),
        ("0-1", '[Termination "Time forfeit"]\n', "time", ("black",)),
        ("0-1", '[Termination "Abandoned"]\n', "abandonment", ("black",)),
        ("1/2-1/2", "", "agreement", ()),
        ("*", "", "aborted", ()),
    ],
)
async def test_the_end_that_the_board_does_not_show(
    result: str, tags: str, reason: str, winners: tuple[str, ...]
) -> None:
    found = await facts(one(TWO.format(result=result, tags=tags)))
    assert (found.reason, found.winners) == (reason, winners)
    assert [(seat.player, seat.name) for seat in found.seats] == [("imported:Ann", "Ann"), ("imported:Bob", "Bob")]
    assert bool(found.path) == (result != "*")  # nobody knows the result of a game without an end


async def test_a_game_that_went_on_past_a_draw_by_our_rules() -> None:
    moves = "1. Kb2 Kb7 2. Ka1 Ka8 3. Kb1 Kb8"
    game = one(f'[FEN "k7/8/8/8/8/8/8/K7 w - - 0 1"]\n[SetUp "1"]\n[Result "0-1"]\n\n{moves} 0-1\n')
    assert [remark.code for remark in game.remarks] == ["past_draw"]
    found = await facts(game)
    assert (found.plies, found.winners) == (6, ("black",))


async def test_times_and_clocks() -> None:
    tags = '[UTCDate "2025.05.01"]\n[UTCTime "00:00:07"]\n[TimeControl "180+2"]\n'
    moves = "1. e4 { [%clk 0:03:00] } 1... g6 { [%clk 0:02:50] } 2. Nf3 { [%clk 0:03:01] } 1-0"
    game = one(f'{tags}[Result "1-0"]\n\n{moves}\n')
    found = await facts(game)
    assert found.started == 1_746_057_607_000
    assert found.ended == found.started + 2_000 + 12_000 + 1_000
    assert found.control is not None and (found.control.base, found.control.increment) == (180_000, 2_000)
    assert (await facts(one('[Date "2023.??.??"]\n\n1. e4 1-0\n'))).started == 1_672_531_200_000
    assert (await facts(one('[Date "????.??.??"]\n\n1. e4 1-0\n'))).started == 0
    assert (await facts(one('[Date "1886.01.11"]\n\n1. e4 1-0\n'))).started == 0


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1. e4 e5 2. Ke3 1-0", "move 3, Ke3: "),
        ('[Variant "Bughouse"]\n\n1. e4 1-0', "Bughouse"),
        ('[White "Ann"]\n\n1-0', "no moves"),
        ("1. e4 -- 2. d4 1-0", "passes the turn"),
    ],
)
def test_what_is_no_game(text: str, why: str) -> None:
    with pytest.raises(NoGame, match=why):
        log(one(text))


def test_a_file_is_parted_where_its_games_are() -> None:
    games = [
        '[White "Ann {"]\n\n1. e4 {a comment\n[%clk 0:01:00] that\n\n[goes on]} e5 ; and {another\n1-0\n',
        '[White "B"]\n[Black "C"]\n\n1. d4 *\n',
    ]
    lines = ("\n\n" + "\n\n".join(games)).encode().splitlines(keepends=True)
    found = list(texts(iter(lines)))
    assert [text.strip("\n") + "\n" for _, text in found] == games
    assert [line for line, _ in found] == [3, 12]
    assert list(texts(iter([b"\n", b"  \n"]))) == []


def test_old_files_are_latin_1() -> None:
    ((_, text),) = texts(iter([b'\xef\xbb\xbf[White "M\xc3\xbcller"]\r\n', b'[Black "M\xfcller"]\r\n', b"1. e4 *\r\n"]))
    assert text == '[White "Müller"]\n[Black "Müller"]\n1. e4 *\n'


def test_a_text_has_one_room() -> None:
    assert room_of("1. e4 *\n") == "8vax2vqpzwmvq877"
    rooms = Counter(room_of(f"1. e4 {number} *\n") for number in range(100))
    assert len(rooms) == 100 and all(len(room) == 16 for room in rooms)


def test_pgn4_and_pgn_are_told_apart() -> None:
    assert next(pgn4.read("1. h2-h3 .. b7-c7\n")).start.variant == "ffa"
    assert next(pgn.read("1. e4 *\n")).start.variant == "standard"
