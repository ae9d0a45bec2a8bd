"""Moves, resignations, eliminations, and the ends of games."""

from collections.abc import Callable

import pytest

from fourfold.engine.decisions import Rejection
from fourfold.engine.match import Status, decide
from fourfold.engine.match.commands import Command, Move, Propose, Resign
from fourfold.engine.match.events import Eliminated, Finished, Moved, ProposalKind, Resigned
from fourfold.engine.outcome import Outcome, Termination

Make = Callable[..., "Table"]  # type: ignore[name-defined]  # noqa: F821


def test_fools_mate(table: Make) -> None:
    t = table()
    events = t.play("f2f3", "e7e5", "g2g4", "d8h4")
    assert events == (Moved(1, "d8h4", 4), Finished(Outcome(Termination.CHECKMATE, (1,), (2, 1), None), (0, 2)))
    assert t.state.status is Status.FINISHED
    assert t.refused("white", Move("e2e4", t.state.seq)) == "game_over"
    assert t.refused("white", Resign()) == "game_over"


@pytest.mark.parametrize("command", [lambda seq: Move("e2e4", seq), lambda seq: Propose(ProposalKind.DRAW, seq)])
def test_nobody_has_seen_a_version_that_is_yet_to_come(table: Make, command: Callable[[int], Command]) -> None:
    t = table()
    assert t.refused("white", command(t.state.seq + 1)) == "ahead"
    t.says("white", command(t.state.seq))


@pytest.mark.parametrize(
    ("by", "move", "kind", "code"),
    [
        ("black", "e7e5", "illegal", "not_your_turn"),
        ("white", "e9e4", "unreadable", "bad_source"),
        ("white", "e2e9", "unreadable", "bad_destination"),
        ("white", "e4e5", "illegal", "no_piece"),
        ("white", "e7e5", "illegal", "not_your_piece"),
        ("white", "a1a2", "illegal", "own_piece"),
        ("white", "e2e5", "illegal", "cannot_move_there"),
        ("white", "e2e4x", "unreadable", "unknown_promotion"),
    ],
)
def test_wrong_moves_are_told_apart(table: Make, by: str, move: str, kind: str, code: str) -> None:
    t = table()
    verdict = decide(t.state, Move(move, t.state.seq), by, t.now)
    assert isinstance(verdict, Rejection)
    assert (verdict.kind, verdict.code) == (kind, code)


def test_a_move_seen_from_an_older_position_is_stale(table: Make) -> None:
    t = table()
    seen = t.state.seq
    t.play("e2e4")
    assert t.refused("black", Move("e7e5", seen)) == "stale"
    assert t.refused("black", Propose(ProposalKind.UNDO, seen, 1)) == "stale"


def test_a_vote_cast_meanwhile_does_not_spoil_a_move(table: Make) -> None:
    t = table()
    t.play("e2e4")
    seen = t.state.seq
    t.propose("white", "draw")
    assert t.says("black", Move("e7e5", seen))[0] == Moved(1, "e7e5", 2)


def test_resigning_for_two(table: Make) -> None:
    t = table()
    assert t.resign("white") == (
        Resigned(0),
        Finished(Outcome(Termination.RESIGNATION, (1,), (2, 1), None), (0, 2), "too_short"),
    )


def test_resigning_for_four_greys_the_army_and_play_goes_on(table: Make) -> None:
    t = table("survivor")
    assert t.resign("blue") == (Resigned(1), Eliminated(1, Termination.RESIGNATION, None))
    assert t.state.position.alive == (0, 2, 3)
    assert t.refused("blue", Resign()) == "out_of_game"
    assert t.refused("blue", Move("b7c7", t.state.seq)) == "out_of_game"
    assert t.propose_refused("blue", "draw") == "out_of_game"
    t.play("h2h4")
    assert t.turn == "yellow"
    t.resign("yellow")
    assert t.turn == "green"
    events = t.resign("green")
    ended = Outcome(Termination.LAST_STANDING, (0,), (1, 4, 3, 2), None)
    assert events[-1] == Finished(ended, (2, 0, 0, 0), "too_short")
    assert [out.seat for out in t.state.out] == [1, 2, 3]
