"""PGN: real games survive reading and writing, python-chess agrees, and bad files are read up to their error."""

import gc
import io
from pathlib import Path

import chess
import chess.pgn
import pytest

from fourfold.engine.errors import IllegalMove
from fourfold.engine.notation import pgn
from fourfold.engine.notation.game import Game, Line, Step
from fourfold.engine.outcome import Termination
from fourfold.engine.variants import opening

SAMPLE = (Path(__file__).parent / "data" / "sample.pgn").read_text()


def only(text: str) -> Game:
    (game,) = pgn.read(text)
    return game


def moves(line: Line) -> str:
    return " ".join(step.move.text for step in line.steps if step.move is not None)


@pytest.fixture(scope="module")
def games() -> list[Game]:
    return list(pgn.read(SAMPLE))


def test_real_games_are_read_to_their_last_move(games: list[Game]) -> None:
    assert len(games) == 120
    assert [game.failure for game in games] == [None] * 120


def test_python_chess_reads_the_same_from_the_file_and_from_what_we_write(games: list[Game]) -> None:
    with io.StringIO(SAMPLE) as file:
        for game in games:
            text = pgn.write(game)
            theirs, ours = chess.pgn.read_game(file), chess.pgn.read_game(io.StringIO(text))
            assert theirs is not None and ours is not None and not ours.errors
            assert [move.uci() for move in theirs.mainline_moves()] == moves(game.line).split()
            assert game.position.fen() == theirs.end().board().fen(en_passant="legal")
            for their, our, step in zip(theirs.mainline(), ours.mainline(), game.line.steps, strict=True):
                assert their.move == our.move
                assert their.clock() == our.clock()
                assert step.clock == (None if their.clock() is None else round(1000 * their.clock()))
                assert their.nags == our.nags == set(step.nags)
            assert {**theirs.headers, **ours.headers} == {**ours.headers, **theirs.headers}
            assert max(map(len, text.split("\n\n")[1].splitlines())) < 80


def test_what_is_written_is_read_as_it_was(games: list[Game]) -> None:
    for game in games:
        text = pgn.write(game)
        again = only(text)
        assert moves(again.line) == moves(game.line)
        assert pgn.write(again) == text


ANNOTATED = """
[Event "A \\"quoted\\" \\\\ name"]
[Result "1-0"]

{Before the game.} 1. e4! $10 {[%clk 0:09:59.5] The king's pawn. [%eval 0.3]} (1. d4 {or so} d5 (1... Nf6
{[%clk 1:00:00]} 2. c4) 2. c4) (1. c4) 1... e5 ; to the end of the line
2. Nf3?? 2... Nc6 3. Bb5 1-0
"""


def test_comments_glyphs_clocks_and_variations_are_kept() -> None:
    game = only(ANNOTATED)
    assert game.failure is None
    assert game.tags == {"Event": 'A "quoted" \\ name', "Result": "1-0"}
    assert moves(game.line) == "e2e4 e7e5 g1f3 b8c6 f1b5"
    assert game.line.comment == "Before the game."
    pawn, reply, knight = game.line.steps[:3]
    assert (pawn.nags, pawn.clock, pawn.comment) == ((1, 10), 599_500, "The king's pawn. [%eval 0.3]")
    assert reply.comment == "to the end of the line"
    assert knight.nags == (4,)
    queens, english = pawn.variations
    assert moves(queens) == "d2d4 d7d5 c2c4"
    assert queens.steps[0].comment == "or so"
    (indian,) = queens.steps[1].variations
    assert moves(indian) == "g8f6 c2c4"
    assert indian.steps[0].clock == 3_600_000
    assert moves(english) == "c2c4"
    again = only(pgn.write(game))
    assert again == Game(game.start, pgn._ROSTER | game.tags, game.line)
    # python-chess also finds the same tree in our output.
    theirs = chess.pgn.read_game(io.StringIO(pgn.write(game)))
    assert theirs is not None and not theirs.errors
    assert [node.san() for node in theirs.variations] == ["e4", "d4", "c4"]
    assert [node.san() for node in theirs.variations[1].variations] == ["d5", "Nf6"]


def test_a_game_is_written_in_the_standard_form() -> None:
    game = only("1. e4 (1. d4) e5 2. Nf3 {a comment} Nc6 *")
    assert pgn.write(game) == (
        '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[White "?"]\n[Black "?"]\n[Result "*"]\n'
        '[TimeControl "?"]\n\n1. e4 ( 1. d4 ) 1... e5 2. Nf3 {a comment} 2... Nc6 *\n'
    )


def test_a_position_to_begin_from_is_read_and_written() -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 3 40"
    game = only(f'[FEN "{fen}"]\n\n40... Kd7 41. e4 Kd6 *')
    assert moves(game.line) == "e8d7 e2e4 d7d6"
    text = pgn.write(game)
    assert f'[SetUp "1"]\n[FEN "{fen}"]\n\n40... Kd7 41. e4 Kd6 *\n' in text
    assert only(text).position == game.position


def test_the_result_is_what_the_board_shows() -> None:
    game = only('[Result "*"]\n\n1. f3 e5 2. g4 Qh4# 1-0')
    assert '[Result "0-1"]' in pgn.write(game)
    assert pgn.write(game).endswith("2. g4 Qh4# 0-1\n")


def test_a_departure_shows_in_the_result_alone() -> None:
    start = opening("standard")
    move = Step.of_move(start, start.find("e2e4"))
    resignation = Step.of_departure(move.after, 1, Termination.RESIGNATION)
    assert pgn.write(Game(start, line=Line([move, resignation]))).endswith("\n\n1. e4 1-0\n")
    draw = Step.of_draw(move.after, Termination.AGREEMENT)
    assert pgn.write(Game(start, line=Line([move, draw]))).endswith("\n\n1. e4 1/2-1/2\n")


def test_a_game_stops_at_its_first_bad_move_and_the_next_is_read() -> None:
    first, second = pgn.read('[Event "1"]\n\n1. e4 e5\n2. Ke3 {no} Nc6 1-0\n\n[Event "2"]\n\n1. d4 d5 *\n')
    assert first.failure is not None
    assert (first.failure.line, first.failure.ply, first.failure.move) == (4, 3, "Ke3")
    assert first.failure.code == "cannot_move_there"
    assert first.failure.reason == "The king on e1 cannot go to e3."
    assert first.plies == 2
    assert second.failure is None
    assert (second.tags, second.plies) == ({"Event": "2", "Result": "*"}, 2)
    assert second.failure is None


def test_a_bad_move_in_a_variation_ends_that_variation_alone() -> None:
    game = only("1. e4 (1. d4 Ke6 $1 {lost} (1... d5) 2. c4) (1. c4) e5 ( {nothing} ) 1-0")
    assert game.failure is None
    assert moves(game.line) == "e2e4 e7e5"
    assert [moves(line) for line in game.line.steps[0].variations] == ["d2d4", "c2c4"]
    assert game.line.steps[0].variations[0].steps[0].comment == ""
    assert "( 1. d4 ) ( 1. c4 ) 1... e5 1-0" in pgn.write(game)


@pytest.mark.parametrize(
    ("tag", "code"),
    [
        ('[Variant "Bughouse"]', "unknown_variant"),
        ('[FEN "8/8/8 w - - 0 1"]', "invalid_fen"),
        ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]', "missing_king"),
    ],
)
def test_a_game_whose_beginning_is_at_fault_has_no_moves(tag: str, code: str) -> None:
    bad, good = pgn.read(f'\n[Event "?"]\n{tag}\n\n1. e4 e5 *\n\n[Event "?"]\n\n1. e4 *')
    assert bad.failure is not None
    assert (bad.failure.line, bad.failure.ply, bad.failure.code) == (2, 0, code)
    assert bad.plies == 0 and good.plies == 1


@pytest.mark.parametrize(
    ("text", "played"),
    [
        ("", []),
        ("% an escaped line\n", []),
        ("1.e4 e5 2.Nf3", ["e2e4 e7e5 g1f3"]),
        ("1 e4 e5 2 Nf3", ["e2e4 e7e5 g1f3"]),
        ("1. e4 e5 1/2-1/2 {so} 1/2-1/2 1. d4", ["e2e4 e7e5", "d2d4"]),
        ("1. e4 e5 1-0 ; remark\n\n1. d4 0-1", ["e2e4 e7e5", "d2d4"]),
        ("1. e4 d5 2. e5 f5 3. exf6 e.p. gxf6e.p. *", ["e2e4 d7d5 e4e5 f7f5 e5f6 g7f6"]),
        ("1. e4 !!! e5 ? ( 1... c5 *) ) 2. Nf3", ["e2e4 e7e5 g1f3"]),
        ("$1 (1. e4) 1. d4 <reserved> d5", ["d2d4 d7d5"]),
        ("1. e4 {never closed 1... e5", ["e2e4"]),
        ('[Event "unescaped "quotes" in it"]\n[Broken tag]\n\n1. e4 *', ["e2e4"]),
        ('[Event "first"]\n[Event "no moves"]', [""]),
        ('1. e4 e5 [Event "at once"] 1. c4', ["e2e4 e7e5", "c2c4"]),
    ],
)
def test_sloppy_files_are_read_with_patience(text: str, played: list[str]) -> None:
    games = list(pgn.read(text))
    assert [moves(game.line) for game in games] == played
    assert not any(game.failure for game in games)


@pytest.mark.parametrize("null", ["--", "Z0", "@@@@"])
def test_a_null_move_passes_the_turn_and_is_told(null: str) -> None:
    game = only(f"1. e4 {null} 2. d4 (2. Nf3 {null} 3. g3) d5 {null}")
    assert game.failure is None and game.plies == 3
    (remark,) = game.remarks
    assert (remark.line, remark.ply, remark.move, remark.code) == (1, 2, null, "null_move")
    board = chess.Board()
    for move in ("e2e4", "0000", "d2d4", "d7d5", "0000"):
        board.push_uci(move)
    assert game.position.fen() == board.fen()
    assert pgn.write(game).endswith("\n1. e4 -- 2. d4 ( 2. Nf3 -- 3. g3 ) 2... d5 3. -- *\n")
    assert only(pgn.write(game)).position == game.position


@pytest.mark.parametrize("moves", ["1. e4 e5 2. Qh5 Nc6 3. Qxf7+ --", "1. f3 e5 2. g4 Qh4# --"])
def test_nobody_passes_in_check(moves: str) -> None:
    failure = only(moves).failure
    assert failure is not None and failure.move == "--" and failure.code in ("king_in_check", "game_over")


DRAWN = '[SetUp "1"]\n[FEN "8/8/2k5/8/8/3N4/2K2q2/8 w - - 0 1"]\n[Result "{}"]\n\n'


@pytest.mark.parametrize("told", ["0-1", "1-0", "1/2-1/2", "*"])
def test_a_game_is_read_on_past_a_draw_by_our_rules(told: str) -> None:
    game = only(DRAWN.format(told) + f"1. Nxf2 Kd5 ( 1... Kb5 2. Ne4 Ka4 ) 2. Ne4 Kxe4 {told}")
    assert game.failure is None and game.plies == 4
    (remark,) = game.remarks
    assert (remark.line, remark.ply, remark.move, remark.code) == (5, 2, "Kd5", "past_draw")
    assert remark.reason.endswith("drawn here (insufficient material), but it went on.")
    (variation,) = game.line.steps[1].variations
    assert len(variation.steps) == 3
    assert game.position.outcome is not None
    # Elsewhere the game may have ended differently, for example by the clock.
    result = "1/2-1/2" if told == "*" else told
    assert f'[Result "{result}"]' in pgn.write(game)
    assert only(pgn.write(game)).position == game.position


def test_seventyfive_moves_and_five_positions_do_not_stop_a_reader() -> None:
    shuffle = " ".join(["Nf3 Nf6 Ng1 Ng8"] * 45)
    game = only(f"{shuffle} e4 e5 *")
    assert game.failure is None and game.plies == 182 and [remark.ply for remark in game.remarks] == [17]
    assert game.position.outcome is None


def test_a_comment_cannot_end_early() -> None:
    start = opening("standard")
    step = Step.of_move(start, start.find("e2e4"))
    step.comment = "a } brace"
    step.clock = 3_599_960
    text = pgn.write(Game(start, line=Line([step])))
    assert "1. e4 {[%clk 0:59:59.96] a ) brace} *" in text
    assert only(text).line.steps[0].clock == 3_599_960


@pytest.mark.parametrize(
    ("named", "variant"),
    [("fischerandom", "chess960"), ("Fischerandom", "chess960"), ("3check", "threecheck"), ("Chess", "standard")],
)
def test_variants_by_the_names_that_others_give_them(named: str, variant: str) -> None:
    (game,) = pgn.read(f'[Variant "{named}"]\n\n1. d4 *\n')
    assert game.start.rules.name == variant


def test_moves_that_cannot_be_read_leave_nothing_for_the_search_for_cycles() -> None:
    shuffled = "1. e4 e5 " + " ".join(f"{n}. Ke2 Ke7 {n + 1}. Ke1 Ke8" for n in range(2, 40, 2))
    gc.collect()
    gc.disable()
    try:
        only(f"{shuffled} *")  # with moves past a draw
        only("1. e4 e5 2. Nb5 *")
        assert not [thing for thing in gc.get_objects() if isinstance(thing, IllegalMove)]
    finally:
        gc.enable()
