"""Creating, sitting down, standing up, starting."""

from collections.abc import Callable

import pytest

from engine.match import Status, decide
from engine.match.commands import Create, Move, Resign, Sit, Stand
from engine.match.events import Rejection, Seated, Started, Unseated

Make = Callable[..., "Table"]  # type: ignore[name-defined]  # noqa: F821


def test_the_game_starts_when_the_last_seat_is_taken(table: Make) -> None:
    t = table(seated=False)
    assert t.says("ann", Sit("Ann")) == (Seated(0, "ann", "Ann"),)
    assert t.state.status is Status.OPEN
    assert t.says("bob", Sit("Bob", "black")) == (Seated(1, "bob", "Bob"), Started())
    assert t.state.status is Status.PLAYING
    assert t.state.seat_of("bob") == 1


def test_sitting_again_is_no_news(table: Make) -> None:
    t = table(seated=False)
    t.says("ann", Sit("Ann", "black"))
    assert t.says("ann", Sit("Ann")) == ()
    assert t.says("ann", Sit("Ann", "black")) == ()
    assert t.refused("ann", Sit("Ann", "white")) == "already_seated"


def test_a_seat_is_taken_once(table: Make) -> None:
    t = table(seated=False)
    t.says("ann", Sit("Ann", "white"))
    assert t.refused("bob", Sit("Bob", "white")) == "seat_taken"
    assert t.refused("bob", Sit("Bob", "red")) == "no_such_seat"
    t.says("bob", Sit("Bob"))
    assert t.refused("eve", Sit("Eve")) == "already_started"


def test_standing_up_frees_the_seat_before_the_start_only(table: Make) -> None:
    t = table("survivor", seated=False)
    t.says("ann", Sit("Ann", "blue"))
    assert t.refused("bob", Stand()) == "not_seated"
    assert t.says("ann", Stand()) == (Unseated(1),)
    for name in ("a", "b", "c", "d"):
        t.says(name, Sit(name))
    assert t.refused("a", Stand()) == "already_started"


def test_nothing_is_played_before_the_start(table: Make) -> None:
    t = table(seated=False)
    t.says("ann", Sit("Ann"))
    assert t.refused("ann", Move("e2e4", 9)) == "not_started"
    assert t.refused("ann", Resign()) == "not_started"
    assert t.propose_refused("ann", "draw") == "not_started"
    assert t.refused("eve", Move("e2e4", 9)) == "not_seated"


@pytest.mark.parametrize(
    ("variant", "position", "kind"),
    [
        ("checkers", None, "unreadable"),
        ("standard", "nonsense", "unreadable"),
        ("survivor", "8/8/8/8/8/8/8/8 w - - 0 1", "unreadable"),
        ("standard", "8/8/8/8/8/8/8/K7 w - - 0 1", "refused"),
        ("standard", "7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "refused"),
    ],
)
def test_a_room_needs_a_playable_position(variant: str, position: str | None, kind: str) -> None:
    verdict = decide(None, Create(variant, position), "host", 0)
    assert isinstance(verdict, Rejection)
    assert verdict.kind == kind


def test_a_match_is_created_once_and_first(table: Make) -> None:
    t = table()
    assert t.refused("host", Create("standard")) == "room_exists"
    verdict = decide(None, Sit("Ann"), "ann", 0)
    assert isinstance(verdict, Rejection)
    assert verdict.code == "no_such_room"
