"""Matches that start with moves already played, such as games from files."""

from collections.abc import Callable

import pytest

from fourfold.engine.match import Rejection, Status, decide
from fourfold.engine.match.clock import Control
from fourfold.engine.match.commands import Create
from fourfold.engine.match.events import Created, Eliminated, Moved
from fourfold.engine.match.state import start_position
from fourfold.engine.outcome import Termination

Make = Callable[..., "Table"]  # type: ignore[name-defined]  # noqa: F821

MATE_IN_ONE = (
    "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-x,x,x,4,yK,3,x,x,x/x,x,x,8,x,x,x/x,x,x,8,x,x,x/14/6,rR,7/1,rR,12/"
    "14/bK,12,gK/14/14/14/x,x,x,8,x,x,x/x,x,x,8,x,x,x/x,x,x,rK,7,x,x,x"
)
MATE = ("f2f3", "e7e5", "g2g4", "d8h4")


def test_the_moves_are_as_if_played(table: Make) -> None:
    t = table(moves=("e2e4", "e7e5", "g1f3"), control=Control(60_000))
    other = table(control=Control(60_000))
    other.play("e2e4", "e7e5", "g1f3")
    assert t.state.position == other.state.position
    assert [step.move for step in t.state.line] == [step.move for step in other.state.line]
    assert t.state.ply == 3
    assert t.state.clocks.left == (60_000, 60_000), "time runs from the start"
    assert t.turn == "black"


def test_they_can_be_undone_and_redone(table: Make) -> None:
    t = table(moves=("e2e4", "e7e5"))
    t.propose("white", "undo", 2)
    t.vote("black", True)
    assert t.state.ply == 0
    assert t.state.position == t.state.start
    t.propose("white", "redo", 2)
    t.vote("black", True)
    assert t.state.ply == 2


def test_they_are_open_to_players_and_not_begun(table: Make) -> None:
    t = table(moves=("e2e4",), seated=False)
    assert t.state.status is Status.OPEN
    created, moved = t.log[0].events
    assert isinstance(created, Created) and isinstance(moved, Moved)
    assert moved.sight is not None and moved.sight.text == "e4"


def test_who_went_out_on_the_way_is_out(table: Make) -> None:
    t = table("survivor", MATE_IN_ONE, moves=("g10a10", "h14h13"))
    out = t.log[0].events[2]
    assert out == Eliminated(1, Termination.CHECKMATE, 0)
    assert [gone.seat for gone in t.state.out] == [1]
    assert t.turn == "green"


@pytest.mark.parametrize(
    ("moves", "kind", "code", "where"),
    [
        (("e2e4", "e2e4"), "illegal", "no_piece", "Move 2, e2e4: "),
        (("e9e4",), "unreadable", "bad_source", "Move 1, e9e4: "),
        (MATE, "refused", "invalid_setup", "checkmate"),
        ((*MATE, "a2a3"), "refused", "invalid_setup", "before move 5, a2a3"),
    ],
)
def test_the_first_bad_move_is_named(moves: tuple[str, ...], kind: str, code: str, where: str) -> None:
    verdict = decide(None, Create("standard", moves=moves), "host", 0)
    assert isinstance(verdict, Rejection)
    assert (verdict.kind, verdict.code) == (kind, code)
    assert where in verdict.message


def test_a_match_begins_with_a_player_to_move(table: Make) -> None:
    """The match does not start with a walking king, which moves first."""
    t = table("ffa")
    t.play("h2h3", "b7c7", "h13h12", "m8l8")
    red_out = t.state.position.eliminate(0, Termination.RESIGNATION)
    assert red_out.walk is not None
    start = start_position("ffa", red_out.fen(), seed=1)
    assert start.walk is None
    assert start.seats[start.turn] == "blue"
    assert table("ffa", red_out.fen(), seed=1).turn == "blue"
