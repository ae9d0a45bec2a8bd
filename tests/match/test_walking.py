"""Walking kings: in free-for-all, the king of a player who resigned or ran out of time moves at random and at once."""

from collections.abc import Callable

from fourfold.engine.match import Status
from fourfold.engine.match.clock import Control
from fourfold.engine.match.events import Eliminated, Finished, Moved, Resigned
from fourfold.engine.match.export import export
from fourfold.engine.outcome import Termination
from tests.engine.places import place

Make = Callable[..., "Table"]  # type: ignore[name-defined]  # noqa: F821


def test_it_walks_in_the_same_decision_as_the_move_before_it(table: Make) -> None:
    t = table("ffa")
    t.play("h2h3", "b7c7", "h13h12", "m8l8")
    assert t.resign("yellow") == (Resigned(2), Eliminated(2, Termination.RESIGNATION, None))
    t.play("i1h2")
    events = t.play("a7b7")
    assert [(event.seat, event.ply) for event in events] == [(1, 6), (2, 7)]
    assert events[1].move.startswith("g14")
    assert t.turn == "green"


def test_who_resigns_in_his_turn_walks_at_once(table: Make) -> None:
    t = table("ffa", control=Control(60_000))
    t.play("h2h3", "b7c7", "h13h12", "m8l8")
    t.now += 7_000
    events = t.resign("red")
    assert [type(event) for event in events] == [Resigned, Eliminated, Moved]
    assert t.turn == "blue"
    assert t.state.clocks.since == t.now


def test_a_replay_walks_alike_and_another_seed_otherwise(table: Make) -> None:
    walks = set()
    for seed in range(8):
        t = table("ffa", seed=seed)
        t.play("h2h3", "b7c7", "h13h12", "m8l8")
        t.resign("red")
        for _ in range(6):
            t.play(sorted(t.state.position.legal_texts())[0])
        walks.add(tuple(step.move for step in t.state.line if step.seat == 0))
    assert len(walks) > 1  # the fixture replays each log


def test_nobody_can_take_back_what_chance_began_with(table: Make) -> None:
    t = table("ffa")
    t.resign("red")
    assert (t.state.ply, t.turn) == (1, "blue")
    assert t.propose_refused("blue", "undo", 1) == "bad_plies"
    t.play("b7c7")
    assert t.propose_refused("blue", "undo", 2) == "bad_plies"
    (proposed,) = t.propose("blue", "undo", 1)
    assert (proposed.plies, proposed.ply) == (1, 1)


def test_an_undo_does_not_stop_where_chance_is_to_move(table: Make) -> None:
    t = table("ffa")
    t.play("h2h3", "b7c7", "h13h12", "m8l8")
    t.resign("yellow")
    t.play("i1h2")
    before, ply = t.state.position, t.state.ply
    t.play("a7b7")
    (proposed,) = t.propose("green", "undo", 1)
    assert (proposed.plies, proposed.ply) == (2, ply)
    t.vote("red", True)
    t.vote("blue", True)
    assert t.state.position == before
    (proposed,) = t.propose("green", "redo", 1)
    assert proposed.plies == 2


def test_walking_kings_have_no_say(table: Make) -> None:
    t = table("ffa")
    t.play("h2h3", "b7c7", "h13h12", "m8l8")
    t.resign("yellow")
    assert t.propose_refused("yellow", "draw") == "out_of_game"
    (proposed,) = t.propose("red", "draw")
    assert proposed.electorate == (0, 1, 3)


def test_the_last_one_has_won_by_points(table: Make) -> None:
    t = table("ffa")
    t.play("h2h3", "b7c7", "h13h12", "m8l8")
    for name in ("red", "blue"):
        t.resign(name)
    events = t.resign("green")
    assert isinstance(events[-1], Finished)
    assert events[-1].outcome.points is not None
    assert t.state.status is Status.FINISHED


def test_an_export_does_not_tell_how_dead_kings_will_walk(table: Make) -> None:
    t = table("ffa", seed=77)
    t.resign("red")
    for format in ("pgn4", "smith"):
        assert "Seed" not in export("here", t.log, t.state, format)
    assert t.state.position.seed == 77


def test_a_lead_by_points_is_not_given_away_by_offering_a_draw(table: Make) -> None:
    board = (
        "R-0,1,0,1-0,0,0,0-0,0,0,0-61,3,20,30-0-x,x,x,8,x,x,x/x,x,x,8,x,x,x/x,x,x,1,yK,6,x,x,x/14/14/14/14/14/14/14/14/"
        "x,x,x,rP,7,x,x,x/x,x,x,8,x,x,x/x,x,x,4,rK,3,x,x,x"
    )
    t = table("ffa", board)
    assert t.state.position.may_claim(t.state.position.turn) is Termination.POINTS
    (proposed,) = t.propose("red", "draw")
    assert proposed.number == 1


CORNERED = place("ffa", "rKh1 rRm4 rRk5 bKa7 bPd4 yKg14 gKn11 gRi8").fen()
"""With k5n5 red would mate green's king, if it had no rook."""


def test_a_king_that_was_left_mated_is_lost_at_its_own_turn(table: Make) -> None:
    t = table("ffa", CORNERED)
    t.play("k5n5")
    assert t.resign("green") == (Resigned(3), Eliminated(3, Termination.RESIGNATION, None))
    t.play("a7a6")
    moved, lost = t.play("g14h14")
    assert isinstance(moved, Moved) and lost == Eliminated(3, Termination.CHECKMATE, 0)
    assert t.state.position.points == (20, 0, 0, 0) and t.turn == "red"
    assert [(gone.seat, gone.reason) for gone in t.state.out] == [
        (3, Termination.RESIGNATION),
        (3, Termination.CHECKMATE),
    ]


def test_who_resigns_mated_in_their_own_turn_is_lost_at_once(table: Make) -> None:
    t = table("ffa", CORNERED)
    t.play("k5n5", "a7a6", "g14h14")
    assert t.resign("green") == (
        Resigned(3),
        Eliminated(3, Termination.RESIGNATION, None),
        Eliminated(3, Termination.CHECKMATE, 0),
    )
    assert t.state.position.points == (20, 0, 0, 0) and t.turn == "red"
