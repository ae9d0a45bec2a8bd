"""Creating, sitting down, standing up, starting."""

from collections.abc import Callable

import pytest

from fourfold.engine.match import Status, decide
from fourfold.engine.match.commands import Close, Create, Invite, Kick, Move, Propose, Resign, Sit, Stand
from fourfold.engine.match.events import Finished, ProposalKind, Rejection, Seated, Started, Unseated
from fourfold.engine.outcome import Outcome, Termination

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


def test_no_two_of_one_mark_sit_at_a_table(table: Make) -> None:
    t = table("survivor", seated=False)
    t.says("bot:a", Sit("A", mark="m"))
    assert t.refused("bot:b", Sit("B", mark="m")) == "same_address"
    assert t.says("bot:a", Sit("A", mark="m")) == ()
    t.says("bot:c", Sit("C", mark="n"))
    t.says("ann", Sit("Ann"))
    t.says("bot:a", Stand())
    assert t.says("bot:b", Sit("B", "red", mark="m"))[-1] == Seated(0, "bot:b", "B", "m")


def test_standing_up_frees_the_seat_before_the_start_only(table: Make) -> None:
    t = table("survivor", seated=False)
    t.says("ann", Sit("Ann", "blue"))
    assert t.refused("bob", Stand()) == "not_seated"
    assert t.says("ann", Stand()) == (Unseated(1),)
    for name in ("a", "b", "c", "d"):
        t.says(name, Sit(name))
    assert t.refused("a", Stand()) == "already_started"


def test_the_host_sends_a_player_away_for_good(table: Make) -> None:
    t = table("survivor", seated=False)
    t.says("eve", Sit("Eve", "blue"))
    assert t.refused("eve", Kick("blue")) == "not_host"
    assert t.says("host", Kick("blue")) == (Unseated(1, kicked=True),)
    assert t.state.seats[1].player is None
    assert t.refused("eve", Sit("Eve")) == "kicked"
    assert t.refused("host", Kick("blue")) == "seat_free"
    assert t.refused("host", Kick("white")) == "no_such_seat"
    for name in ("a", "b", "c", "d"):
        t.says(name, Sit(name))
    assert t.refused("host", Kick("blue")) == "already_started"


def test_a_host_who_gives_up_a_seat_of_their_own_may_have_it_again(table: Make) -> None:
    t = table(seated=False)
    t.says("host", Sit("Host", "white"))
    assert t.says("host", Kick("white")) == (Unseated(0),)
    t.says("host", Sit("Host", "black"))


def test_an_invitation_is_taken_back(table: Make) -> None:
    t = table(seated=False)
    t.says("host", Invite(3, "black"))
    assert t.says("host", Kick("black")) == (Unseated(1),)
    assert t.state.seats[1].invited is None


@pytest.mark.parametrize("by", ["host", ""])
def test_a_room_that_has_not_begun_is_closed_by_its_host_or_the_server(table: Make, by: str) -> None:
    t = table(seated=False)
    t.says("ann", Sit("Ann"))
    assert t.refused("ann", Close()) == "not_host"
    (finished,) = t.says(by, Close())
    assert finished == Finished(Outcome(Termination.ABORTED, (), (1, 1)), (0, 0))
    assert t.state.status is Status.FINISHED
    assert t.refused("host", Close()) == "game_over"
    assert t.refused("bob", Sit("Bob")) == "game_over"
    assert t.refused("ann", Propose(ProposalKind.REMATCH, t.state.seq)) == "not_started"


@pytest.mark.parametrize("by", ["host", ""])
def test_a_game_that_has_begun_is_not_closed(table: Make, by: str) -> None:
    t = table()
    assert t.refused(by, Close()) == "already_started"


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
