"""PGN4: real games replay to their last move, are written back unchanged, and end with their final points."""

import re
from pathlib import Path

import pytest

from fourfold.engine.editor import BoardEditor
from fourfold.engine.notation import pgn4
from fourfold.engine.notation.game import Game, Line, Step
from fourfold.engine.outcome import Termination
from fourfold.engine.pieces import PieceKind
from fourfold.engine.position import Position
from fourfold.engine.variants import opening, rules_of
from tests.conftest import some
from tests.engine.places import place

DATA = Path(__file__).parent / "data"
FILES = ["ffa.pgn4", "teams.pgn4", "solo-classic-2018.pgn4"]


def only(text: str) -> Game:
    (game,) = pgn4.read(text)
    return game


def movetext(text: str) -> list[str]:
    return re.sub(r'\[\w+ "[^"]*"\]', "", text).split()


@pytest.mark.parametrize("name", some(1, *FILES))
def test_real_games_replay_and_are_written_back_word_for_word(name: str) -> None:
    """Every check, mate, resignation and flag of the file appears in its place, and there are no others."""
    texts = re.split(r"\n(?=\[GameNr)", (DATA / name).read_text())
    games = [only(text) for text in texts]
    for text, game in zip(texts, games, strict=True):
        assert game.failure is None
        written = pgn4.write(game)
        assert movetext(written) == movetext(text)
        tags = dict(re.findall(r'\[(\w+) "([^"]*)"\]', written))
        assert tags | dict(re.findall(r'\[(\w+) "([^"]*)"\]', text)) == tags
        again = only(written)
        assert again.position == game.position
        assert pgn4.write(again) == written


def test_a_file_is_read_game_by_game() -> None:
    games = list(pgn4.read((DATA / "solo-classic-2018.pgn4").read_text()))
    assert len(games) == 60
    assert all(game.position.outcome is not None for game in games)


def test_the_tags_choose_the_rules() -> None:
    plain = only('[Variant "FFA"]\n[RuleVariants "PromoteTo=D"]\n[StartFen4 "4PCo"]\n\n1. h2-h3 *').start
    assert not plain.rules.en_passant and not plain.rules.dead_kings_walk
    assert plain.rules.promotions == (PieceKind.PROMOTED_QUEEN,)
    assert plain.fen() == opening("ffa", setup="classic").fen()
    modern = only("1. h2-h3 *").start
    assert modern == opening("ffa")
    solo = only('[Variant "Solo"]\n[RuleVariants "EnPassant DeadKingWalking Anonymous PromoteTo=Q,N"]\n\n*').start.rules
    assert solo.en_passant and solo.dead_kings_walk
    assert solo.promotions == (PieceKind.QUEEN, PieceKind.KNIGHT)
    assert only('[Variant "Teams"]\n\n*').start.rules == rules_of("teams")
    assert only('[Date "2019-01-01"]\n\n*').start.fen() == opening("ffa", setup="4PCo").fen()
    assert only('[Date "Fri Apr 28 2023"]\n\n*').start.fen() == opening("ffa", setup="4PC").fen()


@pytest.mark.parametrize(
    ("tag", "code"),
    [
        ('[Variant "Bughouse"]', "unknown_variant"),
        ('[StartFen4 "4PCx"]', "unknown_setup"),
        ('[StartFen4 "R-0,0,0,0-nonsense"]', "invalid_fen"),
        ('[RuleVariants "PromoteTo="]', "unknown_promotion"),
        ('[RuleVariants "PromoteTo=K"]', "unknown_promotion"),
    ],
)
def test_a_game_whose_beginning_is_at_fault_has_no_moves(tag: str, code: str) -> None:
    failure = only(f"{tag}\n\n1. h2-h3").failure
    assert failure is not None and (failure.ply, failure.code) == (0, code)


def test_a_position_may_be_written_over_many_lines() -> None:
    fen = opening("teams", setup="4PCn").fen().replace("R-0", "Y-0", 1)
    game = only('[Variant "Teams"]\n[StartFen4 "' + fen.replace("/", "/\n") + '"]\n\n1. .. .. g13-g12 .. m8-l8\n')
    assert game.failure is None
    assert game.start.fen() == fen
    written = pgn4.write(game)
    assert f'[StartFen4 "{fen}"]' in written
    assert written.endswith("\n\n1. g13-g12 .. m8-l8\n")


OPENING = '[Variant "{}"]\n[RuleVariants "{}"]\n[StartFen4 "4PC"]\n[Result "{}"]\n\n'


def test_a_resigned_king_walks_in_the_turn_in_which_it_is_given_up() -> None:
    text = (
        OPENING.format("FFA", "DeadKingWalking EnPassant PromoteTo=D", "*")
        + "1. h2-h3 .. b4-c4 .. h13-h12 .. m4-l4\n2. Kh1-h2R .. b9-c9\n"
    )
    game = only(text)
    assert game.failure is None
    assert [(out.seat, out.reason) for out in game.position.out] == [(0, Termination.RESIGNATION)]
    assert game.position.walking == (0,)
    assert pgn4.write(game) == text
    # The newer way to write it.
    apart = only(text.replace("Kh1-h2R", "R Kh2"))
    assert apart.failure is None
    assert pgn4.write(apart) == text
    # A comment separates the two.
    commented = text.replace("Kh1-h2R", "R {why?} .. Kh1-h2")
    assert pgn4.write(only(commented)) == commented
    failure = only(text.replace("Kh1-h2R", "Kh1-h4R")).failure
    assert failure is not None and (failure.ply, failure.move) == (5, "Kh1-h4R")


def test_a_claim_is_written_as_a_resignation() -> None:
    start = opening("ffa")
    line = Line()
    for seat, reason in ((1, Termination.TIME), (2, Termination.ABANDONMENT), (0, Termination.POINTS)):
        line.steps.append(Step.of_departure(line.steps[-1].after if line.steps else start, seat, reason))
    text = pgn4.write(Game(start, line=line))
    assert text.endswith("1. Tb .. Ay .. R\n")
    assert only(text).position.outcome == line.steps[-1].after.outcome


@pytest.mark.parametrize(("rook", "points"), [("bRb4", (84, 64, 0, 0)), ("dbRb4", (94, 54, 0, 0))])
@pytest.mark.parametrize(("turn", "word"), [("r", "R"), ("b", "Rr")])
def test_a_claimed_game_is_read_with_what_was_paid(
    rook: str, points: tuple[int, ...], turn: str, word: str
) -> None:
    start = place("ffa", f"rKh1 rRd5 bKa7 {rook} dyKg14 dgKn8", turn, dead="yg", points=(84, 44, 0, 0))
    text = pgn4.write(Game(start, line=Line([Step.of_claim(start, 0)])))
    assert text.endswith(f"1. {word}\n")
    outcome = only(text).position.outcome
    assert outcome is not None and outcome.points == points
    assert pgn4.write(only(text)) == text


def test_somebody_may_leave_while_another_is_to_move() -> None:
    text = OPENING.format("Survivor", "EnPassant", "Red: 1 - Blue: 0 - Yellow: 0 - Green: 0")
    text += "1. h2-h3 .. Rg b8-c8 .. A\n2. Tb\n"
    game = only(text)
    assert game.failure is None
    assert [out.seat for out in game.position.out] == [3, 2, 1]
    assert pgn4.write(game) == text


def four(variant: str, *men: str) -> Position:
    """A position with every king on its starting square, red to move, and these pieces (``green rook h3``)."""
    board = BoardEditor.empty(rules_of(variant))
    for man in ("red king h1", "blue king a7", "yellow king g14", "green king n8", *men):
        seat, kind, square = man.split()
        board = board.put(square, seat, kind)
    return board.position()


CAGE = ("red rook d6", "red rook d8", "red knight e8", "red rook c10", "yellow pawn k13")


@pytest.mark.parametrize(
    ("variant", "men", "moves", "ended"),
    [
        ("teams", ("red rook b4", "red queen d9"), "1. Qd9-a9+ .. #", Termination.CHECKMATE),
        ("teams", CAGE, "1. Rc10-b10 .. S", Termination.STALEMATE),
        ("survivor", CAGE, "1. Rc10-b10 .. S", Termination.STALEMATE),
        ("ffa", CAGE, "1. Rc10-b10 .. S .. k13-k12", None),
        ("ffa", ("red rook b4", "red queen d9"), "1. Qd9-a9+# .. Kg14-h14", None),
        ("survivor", ("red rook b4", "red queen d9"), "1. Qd9-a9+# .. Kg14-h14", None),
    ],
)
def test_a_player_who_cannot_move_is_told_in_his_turn(
    variant: str, men: tuple[str, ...], moves: str, ended: Termination | None
) -> None:
    start = four(variant, *men)
    text = pgn4.write(Game(start)) + moves + "\n"
    game = only(text)
    assert game.failure is None
    outcome = game.position.outcome
    assert (None if outcome is None else outcome.termination) is ended
    assert pgn4.write(game).endswith(f"\n\n{moves}\n")
    if moves.endswith(("S", "#")):
        # It is optional, and must not come too early.
        silent = only(text.replace(" .. S", "").replace(" .. #", ""))
        assert silent.position == game.position
        early = only(text.replace("1. ", "1. S .. ").replace("1. S .. Q", "1. # .. Q")).failure
        assert early is not None and early.ply == 1 and early.code in ("no_stalemate", "no_checkmate")


@pytest.mark.parametrize(
    ("told", "termination"),
    [
        ("Draw by 3-fold repetition.", Termination.THREEFOLD),
        ("50-move rule", Termination.FIFTY_MOVES),
        ("Insufficient material (Blue +10, Red +10)", Termination.INSUFFICIENT_MATERIAL),
        ("Game drawn", Termination.AGREEMENT),
    ],
)
def test_a_draw_that_only_the_tags_tell_counts(told: str, termination: Termination) -> None:
    game = only(f'[Variant "FFA"]\n[Termination "{told}"]\n\n1. h2-h3 .. T\n')
    outcome = game.position.outcome
    assert outcome is not None and outcome.termination is termination and outcome.winners == (0, 2, 3)
    written = pgn4.write(game)
    assert f'[Termination "{told}"]' in written
    assert written.endswith("1. h2-h3 .. T\n")
    del game.tags["Termination"]
    assert only(pgn4.write(game)).position == game.position


def test_comments_and_variations_are_kept() -> None:
    text = (
        OPENING.format("Teams", "EnPassant", "*") + "{Before.}\n"
        "1. h2-h3 $1 {[%clk 0:01:00] so} ( g2-g3 .. b8-c8 {or so} ( b4-c4 .. d13-d12 ) .. d13-d12 ) .. b9-c9\n"
    )
    game = only(text)
    assert game.failure is None
    assert pgn4.write(game) == text


def test_a_game_stops_at_its_first_bad_move() -> None:
    game = only("1. h2-h3 .. b8-c8 .. h13-h12 .. m8-l8\n2. Nj1-i3 .. b8-c8 .. R\n")
    assert game.failure is not None
    assert (game.failure.line, game.failure.ply, game.failure.move) == (2, 6, "b8-c8")
    assert (game.failure.code, game.failure.reason) == ("no_piece", "There is no piece on b8.")
    assert game.plies == 5


def test_a_walking_king_without_a_move_is_gone() -> None:
    start = four("ffa", *CAGE[:-1], "yellow pawn k13")
    step = Step.of_departure(start, 1, Termination.TIME)
    line = Line([step, Step.of_move(step.after, step.after.find("c10b10"))])
    text = pgn4.write(Game(start, line=line))
    assert text.endswith("\n\n1. Tb Rc10-b10\n")
    assert only(text + " .. S .. k13-k12").failure is None
    assert line.steps[-1].after.walking == ()


CORNERED = "rKh1 rRm4 rRk5 bKa7 yKg14 gKn11 gRi8"


@pytest.mark.parametrize(
    ("leaves", "text"),
    [
        (0, "1. Rg Rk5-n5+# .. Ka7-a6 .. Kg14-h14 .. Kh1-h2"),
        (1, "1. Rk5-n5+ .. Rg# Ka7-a6 .. Kg14-h14"),
        (2, "1. Rk5-n5+ .. Ka7-a6 .. Rg# Kg14-h14"),
        (3, "1. Rk5-n5+ .. Ka7-a6 .. Kg14-h14 .. R#"),
    ],
)
def test_the_mate_of_a_walking_king_has_its_sign(leaves: int, text: str) -> None:
    position = place("ffa", CORNERED)
    line = Line()
    for ply, move in enumerate(("k5n5", "a7a6", "g14h14", "")):
        if ply == leaves:
            line.steps.append(Step.of_departure(position, 3, Termination.RESIGNATION))
            position = line.steps[-1].after
        if move:
            line.steps.append(Step.of_move(position, position.find(move)))
            position = line.steps[-1].after
    written = pgn4.write(Game(place("ffa", CORNERED), line=line))
    assert written.endswith(text.removesuffix(" .. Kh1-h2") + "\n")
    game = only(written)
    assert game.failure is None and game.position == position
    assert position.points == (20, 0, 0, 0) and pgn4.write(game) == written
    # A departure may lack a sign.
    assert only(written.replace("R#", "R").replace("Rg#", "Rg")).position == position


def test_a_walking_king_that_is_mated_just_before_its_turn_or_taken_has_the_sign_of_any_other() -> None:
    start = place("ffa", "rKh1 rPd4 bKa7 bRm4 bRk5 yKg14 gKn11", "b", dead="g")
    text = pgn4.write(Game(start)) + "1. Rk5-n5+# .. Kg14-h14\n2. Kh1-h2\n"
    game = only(text)
    assert game.failure is None and pgn4.write(game) == text
    assert game.line.steps[0].after.points == (0, 0, 0, 0) and game.position.points == (0, 20, 0, 0)
    start = place("ffa", "rKh1 rPd4 bKa7 yKg14 yRm4 yRk5 gKn11", "y", dead="g")
    text = pgn4.write(Game(start)) + "1. Rk5-n5+#\n2. Kh1-h2 .. Ka7-a6\n"
    game = only(text)
    assert game.failure is None and pgn4.write(game) == text
    assert game.line.steps[0].after.points == (0, 0, 20, 0)
    start = place("ffa", "rKh1 rNg8 bKa4 bRa8 yKg14 gKn8 gPm4", dead="g")
    text = pgn4.write(Game(start)) + "1. Ng8-e7+ .. Ra8xKn8# .. Kg14-h14\n"
    game = only(text)
    assert game.failure is None and pgn4.write(game) == text


def test_a_game_for_four_is_read_on_past_a_draw_by_our_rules() -> None:
    start = place("survivor", "rKh1 rNd5 bKa7 bPd7 dyKg14 dgKn8", dead="yg")
    text = pgn4.write(Game(start)) + "1. Nd5-b6 .. d7-e7\n2. Nb6-a4 .. e7-f7\n"
    assert only(text).failure is None and only(text).remarks == []
    start = place("survivor", "rKh1 rNd4 bKa7 dyKg14 dgKn8", dead="yg")
    text = pgn4.write(Game(start)).replace("1/2", "Red") + "1. Nd4-f5 .. Ka7-a8\n2. Kh1-h2 .. T\n"
    game = only(text)
    assert game.failure is None and [remark.code for remark in game.remarks] == ["past_draw"]
    outcome = game.position.outcome
    assert outcome is not None and outcome.termination is Termination.LAST_STANDING
    assert only(pgn4.write(game)).position == game.position
