"""The rules of `ffa`: points, walking kings, and decisions by points."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from fourfold.engine.fourplayer.rules import FFA
from fourfold.engine.outcome import Elimination, Outcome, Termination
from fourfold.engine.pieces import PieceKind
from fourfold.engine.position import Position
from fourfold.engine.variants import opening, opening_of
from tests.engine.places import men, place, play, setup_of

RED, BLUE, YELLOW, GREEN = range(4)
KINGS = "rKh1 bKa7 yKg14 gKn8"


def resign(position: Position, seat: int) -> Position:
    return position.eliminate(seat, Termination.RESIGNATION)


# ---- Points -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prey", "points"),
    [("bPd5", 1), ("bNd5", 3), ("bBd5", 5), ("bRd5", 5), ("bQd5", 9), ("bDd5", 1), ("dbQd5", 0)],
)
def test_a_capture_is_worth_the_piece(prey: str, points: int) -> None:
    after = play(place("ffa", f"{KINGS} rRd3 {prey}"), "d3d5")
    assert after.points == (points, 0, 0, 0)


def test_both_pieces_taken_in_passing_count() -> None:
    position = place("ffa", KINGS + " rPd4 bPd5 yNc5", en_passant={BLUE: "c5"})
    assert play(position, "d4c5").points == (4, 0, 0, 0)


def test_a_mate_is_worth_twenty() -> None:
    after = play(place("ffa", "rKh1 bKa7 yKg14 gKn11 gPi9 rRm4 rRk5"), "k5n5")
    assert after.points == (20, 0, 0, 0)
    assert after.eliminated == (Elimination(GREEN, Termination.CHECKMATE, RED),)


def test_a_king_taken_is_worth_twenty() -> None:
    position = place("ffa", "rKh1 rNg8 bKa4 bRa8 yKg14 gKn8 gPm4", points=(1, 2, 3, 4))
    after = play(position, "g8e7 a8n8")
    assert after.points == (1, 22, 3, 4)
    assert after.eliminated == (Elimination(GREEN, Termination.KING_CAPTURED, BLUE),)


@pytest.mark.parametrize(
    ("piece", "bonus"), [("rQ", 1), ("rD", 1), ("rR", 5)]
)  # fmt: skip
def test_a_check_to_two_kings_at_once(piece: str, bonus: int) -> None:
    # Blue's king on the rank, yellow's on the file of g7.
    position = place("ffa", f"rKh1 {piece}g4 bKa7 bPb4 yKg14 yPh13 gKn10 gPm4")
    after = play(position, "g4g7")
    assert after.points == (bonus, 0, 0, 0)
    assert after.checked() == (BLUE, YELLOW)


@pytest.mark.parametrize(("piece", "bonus"), [("rQ", 5), ("rR", 20)])
def test_a_check_to_three_kings_at_once(piece: str, bonus: int) -> None:
    position = place("ffa", f"rKh1 {piece}g4 bKa7 bPb4 yKg14 yPh13 gKn7 gPm4")
    assert play(position, "g4g7").points == (bonus, 0, 0, 0)


def test_only_the_piece_that_moved_counts_for_the_bonus() -> None:
    # The knight checks yellow, and uncovers the rook's check to blue.
    after = play(place("ffa", "rKh1 rRh7 rNf7 bKa7 yKd11 gKn10"), "f7e9")
    assert after.checked() == (BLUE, YELLOW) and after.points == (0, 0, 0, 0)


def test_a_walking_king_does_not_count_for_the_bonus() -> None:
    position = resign(place("ffa", "rKh1 rRg4 bKa7 bPb4 yKg14 yPh13 gKn10 gPm4"), YELLOW)
    after = play(position, "g4g7")
    assert after.checked() == (BLUE,) and after.points == (0, 0, 0, 0)


# ---- Promotion ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("man", "turn", "move"),
    [("rPd7", "r", "d7d8"), ("bPg5", "b", "g5h5"), ("yPe8", "y", "e8e7"), ("gPh9", "g", "h9g9"), ("rPb7", "r", "b7b8")],
)
def test_a_pawn_becomes_a_queen_of_one_point_in_the_middle(man: str, turn: str, move: str) -> None:
    position = place("ffa", f"rKh1 bKa4 yKg14 gKn11 {man}", turn)
    assert move + "q" in position.legal_texts()
    assert position.find(move) is position.find(move + "q") is position.find(move[:2] + "-" + move[2:] + "=D")
    after = play(position, move)
    assert f"{man[0]}D{move[2:]}" in men(after)
    seat = "rbyg".index(turn)
    assert after.material()[seat] == 1


# ---- Stalemate ----------------------------------------------------------------------------------------


def test_who_is_stalemated_gets_twenty_and_is_out() -> None:
    position = place("ffa", "rKh1 rRb5 rRf10 bKa11 yKg14 gKn8 gPm4")
    after = play(position, "f10e10")
    assert after.points == (0, 20, 0, 0)
    assert after.eliminated == (Elimination(BLUE, Termination.STALEMATE),)
    assert after.turn == YELLOW and "dbKa11" in men(after)


def test_a_stalemated_walking_king_is_worth_ten_to_each_active_player() -> None:
    position = resign(place("ffa", "rKh1 rRb5 rRf10 bKa11 yKg14 gKn8 gPm4"), BLUE)
    after = play(position, "f10e10")
    assert after.points == (10, 0, 10, 10)
    assert after.walking == () and after.turn == YELLOW
    assert after.eliminated == (Elimination(BLUE, Termination.STALEMATE),)
    assert "dbKa11" in men(after)


# ---- Dead kings ---------------------------------------------------------------------------------------


def test_a_resigned_king_walks_at_once_through_its_grey_army() -> None:
    position = resign(opening("ffa", seed=3), RED)
    assert position.turn == RED and position.alive == (BLUE, YELLOW, GREEN) and position.walking == (RED,)
    assert position.outcome is None
    assert "rKh1" in men(position) and "drQg1" in men(position)
    # It may take its own grey pieces, and does not castle.
    assert sorted(position.legal_texts()) == ["h1g1", "h1g2", "h1h2", "h1i1", "h1i2"]
    assert position.walk is not None
    after = position.play(position.walk)
    assert after.turn == BLUE and after.walk is None
    assert after.points == (0, 0, 0, 0)


def test_the_walk_depends_on_seed_and_ply_alone() -> None:
    def walks(seed: int) -> list[str]:
        position = resign(opening("ffa", seed=seed), RED)
        found = []
        for _ in range(4):
            assert position.walk is not None
            found.append(position.walk.text)
            position = position.play(position.walk)
            for _ in position.alive:
                position = play(position, min(position.legal_texts()))
        return found

    assert walks(1) == walks(1)
    assert len({tuple(walks(seed)) for seed in range(12)}) > 6


def test_a_walking_king_takes_no_live_piece() -> None:
    position = resign(place("ffa", "rKh1 bKa7 yKg14 gKn8 bNi2 dbPg2"), RED)
    assert "h1i2" not in position.legal_texts() and "h1g2" in position.legal_texts()
    rules = replace(FFA, walking_kings_take=True)
    position = Position.from_setup(rules, setup_of("ffa", "rKh1 bKa7 yKg14 gKn8 bNi2"))
    assert "h1i2" in resign(position, RED).legal_texts()


def test_a_walking_king_that_could_only_take_is_mated() -> None:
    # The queen next to the king is unguarded: a live king would capture it.
    position = place("ffa", "rKd1 bKa7 bQe6 yKg14 gKn8", "b")
    assert play(position, "e6e2").eliminated == ()
    after = play(resign(position, RED), "e6e2 g14h14 n8n7")
    assert after.walking == () and after.points == (0, 20, 0, 0)


def test_mating_and_taking_a_walking_king_is_worth_twenty() -> None:
    resigned = Elimination(GREEN, Termination.RESIGNATION)
    position = resign(place("ffa", "rKh1 bKa7 yKg14 gKn11 rRm4 rRk5"), GREEN)
    mated = play(position, "k5n5")
    assert mated.points == (0, 0, 0, 0) and mated.walking == (GREEN,) and mated.eliminated == ()
    after = play(mated, "a7a8 g14h14")
    assert after.points == (20, 0, 0, 0) and after.walking == () and after.turn == RED
    assert after.eliminated == (Elimination(GREEN, Termination.CHECKMATE, RED),)
    assert after.out == (resigned, *after.eliminated) and "dgKn11" in men(after)
    position = resign(place("ffa", "rKh1 rNg8 bKa4 bRa8 yKg14 gKn8 gPm4"), GREEN)
    after = play(position, "g8e7 a8n8")
    assert after.points == (0, 20, 0, 0) and after.walking == ()
    assert after.eliminated == (Elimination(GREEN, Termination.KING_CAPTURED, BLUE),)


# Green's king is mated without its army; with it, the rook could block.
CORNERED = "rKh1 rRm4 rRk5 bKa7 bNd9 yKg14 gKn11 gRi8"
ROUND = ("k5n5", "a7a6", "g14h14")


@pytest.mark.parametrize("seen", range(4))
@pytest.mark.parametrize("reason", [Termination.RESIGNATION, Termination.TIME, Termination.ABANDONMENT])
def test_a_king_that_is_left_mated_is_paid_to_its_mater_at_its_own_turn(seen: int, reason: Termination) -> None:
    """Green leaves at the turn of each seat: before red's mate, after it, and at its own turn."""
    position = place("ffa", CORNERED)
    for ply, move in enumerate(ROUND):
        if ply == seen:
            position = position.eliminate(GREEN, reason)
            assert position.points == (0, 0, 0, 0)
            assert position.eliminated == (Elimination(GREEN, reason),) and position.walking == (GREEN,)
        assert position.points == (0, 0, 0, 0) and position.turn == ply
        position = play(position, move)
    if seen == 3:
        assert position.turn == GREEN and position.alive == (RED, BLUE, YELLOW, GREEN)
        position = position.eliminate(GREEN, reason)
    mate = Elimination(GREEN, Termination.CHECKMATE, RED)
    assert position.eliminated == (mate,) if seen < 3 else position.eliminated == (Elimination(GREEN, reason), mate)
    assert position.points == (20, 0, 0, 0)
    assert position.turn == RED and position.walking == () and position.outcome is None
    assert play(position, "h1h2").points == (20, 0, 0, 0)


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("later", range(4))
def test_a_king_that_is_left_mated_pays_alike_in_every_seat(seat: int, later: int) -> None:
    """The same position, rotated: the mated king is each seat's, and leaves at each turn."""
    board = opening("ffa").geometry

    def turned(square: str) -> str:
        file, rank = board.file(board.index[square]), board.rank(board.index[square])
        for _ in range((seat - GREEN) % 4):
            file, rank = rank, 13 - file
        return board.names[board.at(file, rank)]

    colours = [(number + seat - GREEN) % 4 for number in range(4)]
    pieces = " ".join(
        "rbyg"[colours["rbyg".index(man[0])]] + man[1] + turned(man[2:]) for man in CORNERED.split()
    )
    position = place("ffa", pieces, "rbyg"[colours[RED]])
    for ply in range(4):
        if ply == later:
            position = resign(position, seat)
        if ply < 3:
            position = play(position, "".join(map(turned, re.findall(r"[a-n]\d+", ROUND[ply]))))
    expected = [0] * 4
    expected[colours[RED]] = 20
    assert position.points == tuple(expected) and position.turn == colours[RED] and position.walking == ()


def test_the_last_move_that_completes_the_mate_of_a_king_left_alone_is_paid() -> None:
    position = play(place("ffa", CORNERED + " bBj4 yQj12"), "k5n5")
    assert position.cornered == ((GREEN, RED),)
    # Blue's bishop blocks: the king survives, and walks on.
    saved = play(resign(position, GREEN), "j4n8")
    assert saved.cornered == ()
    walks = play(saved, "g14h14")
    assert walks.turn == GREEN and walks.walk is not None and walks.points == (0, 0, 0, 0)
    # Yellow captures the bishop, and the king has no step again.
    again = play(saved, "j12n8")
    assert again.points == (0, 0, 25, 0) and again.eliminated == (Elimination(GREEN, Termination.CHECKMATE, YELLOW),)


def test_who_mated_and_left_earns_nothing_by_it() -> None:
    position = resign(play(place("ffa", CORNERED), "k5n5"), GREEN)
    # Red is out, and so are the pieces that held the king: it walks.
    position = play(resign(position, RED), "a7a6 g14h14")
    assert position.turn == GREEN and position.points == (0, 0, 0, 0) and position.walk is not None


def test_a_king_that_is_left_without_a_move_pays_ten_to_each_at_its_own_turn() -> None:
    start = place("ffa", "rKh1 rRb5 rRf10 bKa11 bPd4 yKg14 gKn8 gPm4")
    for later in range(2):
        position = resign(start, BLUE) if later == 0 else start
        position = play(position, "f10e10")
        if later == 1:
            assert position.points == (0, 0, 0, 0) and position.turn == BLUE
            position = resign(position, BLUE)
        assert position.points == (10, 0, 10, 10) and position.turn == YELLOW and position.walking == ()
        assert position.eliminated[-1] == Elimination(BLUE, Termination.STALEMATE)


def test_a_mated_walking_king_that_is_set_up_pays_nobody() -> None:
    position = place("ffa", "rKh1 rRm4 rRn5 bKa7 yKg14 gKn11", "g", dead="g")
    assert position.points == (0, 0, 0, 0) and position.turn == RED and position.walking == ()


def test_a_walking_king_earns_nothing() -> None:
    rules = replace(FFA, walking_kings_take=True)
    position = Position.from_setup(rules, setup_of("ffa", "rKh1 bKa7 bQi2 yKg14 gKn8"))
    assert play(resign(position, RED), "h1i2").points == (0, 0, 0, 0)


def test_dead_kings_stand_still_where_the_rules_say_so() -> None:
    position = opening_of(replace(FFA, dead_kings_walk=False), setup="classic")
    after = resign(position, RED)
    assert after.walking == () and after.turn == BLUE and "drKh1" in men(after)


def test_a_walking_king_is_written_and_read() -> None:
    position = resign(opening("ffa"), BLUE)
    text = position.fen()
    assert text.startswith("R-0,1,0,0-1,0,1,1-1,0,1,1-0,0,0,0-0-") and "bK,dbP" in text
    again = opening("ffa", position=text)
    assert again.walking == (BLUE,) and again.fen() == text and again.alive == position.alive
    assert opening("survivor", position=text).walking == ()
    on_the_move = resign(opening("ffa"), RED).fen()
    assert opening("ffa", position=on_the_move).walk is not None


# ---- The end ------------------------------------------------------------------------------------------


def test_the_game_ends_when_three_are_out_and_the_points_decide() -> None:
    position = place("ffa", "rKh1 rRm4 rRk5 gKn11 dbRa4 dyKg14", dead="by", points=(10, 50, 30, 3))
    after = play(position, "k5n5")
    assert after.outcome == Outcome(Termination.POINTS, (BLUE,), (2, 1, 2, 4), (30, 50, 30, 3))
    assert after.points == (30, 50, 30, 3)
    assert after.legal_moves == ()


def test_the_last_active_player_gets_twenty_for_each_walking_king() -> None:
    position = resign(place("ffa", KINGS + " rRd5 bRb4", points=(9, 8, 7, 6)), YELLOW)
    position = resign(position, GREEN)
    assert position.outcome is None and position.walking == (YELLOW, GREEN)
    position = resign(position, RED)
    assert position.outcome == Outcome(Termination.POINTS, (BLUE,), (2, 1, 3, 4), (9, 68, 7, 6))
    assert position.walk is None


@pytest.mark.parametrize(("points", "claimable"), [((30, 9, 99, 0), True), ((29, 9, 99, 0), False)])
def test_the_leader_of_the_last_two_may_claim_the_game(points: tuple[int, ...], claimable: bool) -> None:
    position = place("ffa", "rKh1 rRd5 bKa7 bRb4 dyKg14 dgKn8", dead="yg", points=points)
    assert (position.may_claim(position.turn) is Termination.POINTS) == claimable
    if claimable:
        claimed = position.claim(RED)
        assert claimed.outcome == Outcome(Termination.POINTS, (YELLOW,), (2, 3, 1, 4), (30, 29, 99, 0))
        assert men(claimed) == men(position) and claimed.eliminated == () and claimed.legal_moves == ()
        assert claimed.may_claim(RED) is None
    else:
        with pytest.raises(ValueError, match="nothing to claim"):
            position.claim(RED)


def test_the_leader_may_claim_whoever_is_to_move() -> None:
    points = (84, 44, 0, 0)
    for turn in "rb":
        position = place("ffa", "rKh1 rRd5 bKa7 bRb4 dyKg14 dgKn8", turn, dead="yg", points=points)
        assert position.may_claim(RED) is Termination.POINTS
        assert position.may_claim(BLUE) is None and position.may_claim(YELLOW) is None
        for after in (position.claim(RED), resign(position, RED)):
            assert after.outcome is not None and after.outcome.points == (84, 64, 0, 0)


def test_a_claim_against_a_bare_king_is_paid_as_insufficient_material() -> None:
    for turn in "rb":
        position = place("ffa", "rKh1 rRd5 bKa7 dbRb4 dyKg14 dgKn8", turn, dead="yg", points=(84, 44, 0, 0))
        # Recorded games write the claim as a resignation.
        for after in (position.claim(RED), resign(position, RED)):
            assert after.outcome == Outcome(Termination.POINTS, (RED,), (1, 2, 3, 3), (94, 54, 0, 0))
        flagged = position.eliminate(RED, Termination.TIME).outcome
        assert flagged is not None and flagged.points == (84, 64, 0, 0)
        # A player with a bare king, or too small a lead, resigns without a claim.
        given_up = resign(position, BLUE).outcome
        assert given_up is not None and given_up.points == (104, 44, 0, 0)
    close = place("ffa", "rKh1 rRd5 bKa7 dyKg14 dgKn8", dead="yg", points=(60, 44, 0, 0))
    lost = resign(close, RED).outcome
    assert lost is not None and lost.points == (60, 64, 0, 0)


def test_the_lead_must_outweigh_the_walking_kings() -> None:
    position = resign(place("ffa", KINGS + " rRd5 bRb4", dead="", points=(40, 0, 0, 0)), GREEN)
    assert position.may_claim(position.turn) is None
    position = resign(position, YELLOW)
    assert position.may_claim(position.turn) is None
    position = resign(place("ffa", KINGS + " rRd5 bRb4", points=(61, 0, 0, 0)), GREEN)
    assert resign(position, YELLOW).may_claim(RED) is Termination.POINTS


@pytest.mark.parametrize(
    ("position", "termination"),
    [
        (place("ffa", "rKh1 bKa7 yKg14 dgKn8", dead="g", points=(1, 2, 3, 4)), Termination.INSUFFICIENT_MATERIAL),
        (place("ffa", KINGS + " rRd5", halfmove=200, points=(1, 2, 3, 4)), Termination.FIFTY_MOVES),
    ],
)
def test_a_draw_is_worth_ten_to_each_active_player(position: Position, termination: Termination) -> None:
    outcome = position.outcome
    assert outcome is not None and outcome.termination is termination
    expected = tuple(had + 10 * (seat in position.alive) for seat, had in enumerate((1, 2, 3, 4)))
    assert outcome.points == expected
    assert outcome.winners == (expected.index(max(expected)),)


def test_a_walking_king_adds_ten_to_a_draw() -> None:
    position = resign(place("ffa", KINGS + " rRd5"), GREEN)
    outcome = position.end_in_draw(Termination.AGREEMENT).outcome
    assert outcome is not None
    assert outcome.points == (20, 20, 20, 0)
    assert outcome.standings == (1, 1, 1, 4) and outcome.winners == (RED, BLUE, YELLOW)


def test_a_bishop_is_not_as_little_as_nothing() -> None:
    assert place("ffa", "rKh1 rBd5 bKa7 dyKg14 dgKn8", dead="yg").outcome is None
    assert place("ffa", "rKh1 bKa7 dyKg14 dgKn8", dead="yg").outcome is not None


# ---- Options of taking in passing ---------------------------------------------------------------------


def test_no_taking_in_passing_where_the_rules_do_not_have_it() -> None:
    position = opening_of(replace(FFA, en_passant=False))
    assert play(position, "h2h4 b7d7 g13g11 m8k8").steps == ()


def test_no_taking_in_passing_from_the_flank_if_the_rules_say_so() -> None:
    rules = replace(FFA, en_passant_by_flank=False)
    setup = setup_of("ffa", KINGS + " rPb4 rPd4 bPd5", en_passant={BLUE: "c5"})
    assert {"b4c5", "d4c5"} & set(Position.from_setup(rules, setup).legal_texts()) == {"d4c5"}


def test_a_piece_on_the_skipped_square_may_protect_the_pawn() -> None:
    rules = replace(FFA, en_passant_onto_piece=False)
    setup = setup_of("ffa", KINGS + " rPd4 bPd5 yNc5", en_passant={BLUE: "c5"})
    after = play(Position.from_setup(rules, setup), "d4c5")
    assert {"rPc5", "bPd5"} <= men(after) and after.points == (3, 0, 0, 0)


def test_the_one_point_queen_moves_as_a_queen() -> None:
    queen = place("ffa", KINGS + " rQd5").legal_texts()
    assert sorted(place("ffa", KINGS + " rDd5").legal_texts()) == sorted(queen)
    assert PieceKind.PROMOTED_QUEEN.noun == "queen"


def test_a_player_has_gone_out_once_though_the_king_is_lost_later() -> None:
    rules = replace(FFA, scored=False)
    setup = setup_of("ffa", "rKh1 rRm4 rRk5 bKa7 bPd4 yKg14 gKn11")
    position = resign(Position.from_setup(rules, setup), GREEN)
    position = resign(play(position, "k5n5"), YELLOW)
    position = play(resign(position, BLUE), "")
    assert position.outcome is not None and position.outcome.standings == (1, 2, 3, 4)
    later = play(resign(Position.from_setup(rules, setup), GREEN), "k5n5 a7a6 g14h14")
    assert [gone.seat for gone in later.out] == [GREEN, GREEN]
    later = resign(resign(later, YELLOW), BLUE)
    assert later.outcome is not None and later.outcome.standings == (1, 2, 3, 4)
