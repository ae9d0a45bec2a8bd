"""Pauses, time that players give, and time that they give up."""

from collections.abc import Callable

import pytest

from fourfold.engine.match import Status
from fourfold.engine.match.clock import Control, Tick
from fourfold.engine.match.commands import Berserk, Credit, Give, Move, Propose, Sit, Stand
from fourfold.engine.match.events import (
    Berserked,
    Closed,
    Closure,
    Flagged,
    Gave,
    Paused,
    ProposalKind,
    Resumed,
    Undone,
    Voted,
)
from fourfold.engine.match.terms import Terms
from fourfold.engine.match.time_rules import GIFT_MS, GIFTS, PAUSE_MS

Make = Callable[..., "Table"]  # type: ignore[name-defined]  # noqa: F821

FIVE = Control(300_000, increment=2_000)
MINUTE = Control(60_000)


def left(t: object) -> tuple[int, ...]:
    return t.state.clocks.left  # type: ignore[attr-defined, no-any-return]


def paused(table: Make, **options: object) -> "Table":  # type: ignore[name-defined]  # noqa: F821
    """A game for two that is paused ten seconds into the first turn."""
    t = table(control=FIVE, **options)
    t.now += 4_000
    t.propose("black", "pause")
    t.now += 6_000
    t.vote("white", True)
    return t


class TestPause:
    def test_all_agree_and_the_clocks_stand(self, table: Make) -> None:
        t = table(control=FIVE)
        t.now += 4_000
        t.propose("black", "pause")
        t.now += 6_000
        events = t.vote("white", True)
        assert events == (Voted(1, 0, True), Closed(1, Closure.CARRIED), Paused(t.now + PAUSE_MS, (290_000, 300_000)))
        assert (left(t), t.state.clocks.since, t.state.flag()) == ((290_000, 300_000), None, None)
        rejection = t.rejection("white", Move("e2e4", t.state.seq))
        assert (rejection.code, rejection.retry) == ("paused", PAUSE_MS)
        assert t.says("", Credit(t.now - 5_000, t.now)) == (), "an outage costs nobody anything"

    def test_it_ends_when_all_agree(self, table: Make) -> None:
        t = paused(table)
        seen = t.state.seq
        t.now += 60_000
        t.propose("white", "resume")
        events = t.vote("black", True)
        assert events[-1] == Resumed()
        assert t.state.position_seq == t.state.seq, "the player to move looks again"
        t.now += 1_000
        assert t.refused("white", Move("e2e4", seen)) == "stale"
        (moved,) = t.play("e2e4")
        assert moved.tick == Tick(1_000, 0, 2_000, 291_000)

    def test_it_ends_by_itself_with_a_vote_on_its_end(self, table: Make) -> None:
        t = paused(table)
        assert t.state.deadline() == t.now + PAUSE_MS
        assert t.wait(PAUSE_MS - 10_000) == ()
        t.propose("white", "resume")
        assert t.wait(9_999) == ()
        assert t.wait(1) == (Closed(2, Closure.SUPERSEDED), Resumed())
        assert t.state.paused is None and t.state.clocks.since == t.now

    def test_a_no_lets_the_game_go_on(self, table: Make) -> None:
        t = table(control=FIVE)
        t.propose("white", "pause")
        t.vote("black", False)
        assert t.state.paused is None
        t.play("e2e4")

    def test_a_move_leaves_the_vote_open(self, table: Make) -> None:
        t = table(control=FIVE)
        t.propose("black", "pause")
        t.play("e2e4")
        t.vote("white", True)
        assert t.state.paused is not None

    def test_what_does_not_fit_is_refused(self, table: Make) -> None:
        assert table().propose_refused("white", "pause") == "no_clock"
        t = paused(table)
        assert t.propose_refused("white", "pause") == "paused"
        absent = Propose(ProposalKind.REMOVE, t.state.seq, seat="black", absent={1: 0}, absence=1)
        assert t.refused("white", absent) == "paused"
        t.propose("white", "resume")
        t.vote("black", True)
        assert t.propose_refused("white", "resume") == "not_paused"

    def test_an_undo_in_a_pause_does_not_start_a_clock(self, table: Make) -> None:
        t = table(control=FIVE)
        t.play("e2e4", "e7e5")
        t.propose("white", "pause")
        t.vote("black", True)
        t.propose("white", "undo", 1)
        assert isinstance(t.vote("black", True)[-1], Undone)
        assert t.state.clocks.since is None and t.state.paused is not None

    def test_a_resignation_in_a_pause_does_not_start_a_clock(self, table: Make) -> None:
        t = table("survivor", control=FIVE)
        t.propose("red", "pause")
        for seat in ("blue", "yellow", "green"):
            t.vote(seat, True)
        t.resign("red")
        assert (t.turn, t.state.clocks.since) == ("blue", None)
        assert t.state.paused is not None

    def test_the_end_of_the_game_ends_it(self, table: Make) -> None:
        t = paused(table)
        t.resign("white")
        assert t.state.status is Status.FINISHED and t.state.paused is None
        t.propose("black", "rematch")
        t.vote("white", True)
        t.says("black", Move("e2e4", t.state.seq))

    def test_a_turn_whose_time_is_over_keeps_a_moment(self, table: Make) -> None:
        t = table(control=Control(1_000))
        t.propose("black", "pause")
        t.now += 1_050  # the flag falls a little later, for moves on their way
        t.vote("white", True)
        assert left(t) == (1, 1_000)


class TestGive:
    def test_an_opponent_gets_fifteen_seconds(self, table: Make) -> None:
        t = table(control=MINUTE, terms=Terms(rated=True))
        t.now += 1_000
        assert t.says("black", Give("white")) == (Gave(1, 0, GIFT_MS),)
        assert left(t) == (75_000, 60_000)
        assert t.wait(74_000) == (), "also to one whose clock runs"
        assert t.wait(200)[0] == Flagged(0)

    def test_it_is_limited_and_only_for_opponents_still_in_the_game(self, table: Make) -> None:
        t = table("survivor", control=MINUTE, terms=Terms(rated=False))
        for _ in range(GIFTS):
            t.says("red", Give("blue"))
        assert t.refused("red", Give("blue")) == "too_many_gifts"
        assert t.refused("blue", Give("violet")) == "no_such_seat"
        assert t.refused("blue", Give("blue")) == "not_opponent"
        t.resign("red")
        assert t.refused("blue", Give("red")) == "out_of_game"
        assert t.refused("red", Give("blue")) == "out_of_game"
        assert t.refused("eve", Give("blue")) == "not_seated"

    def test_not_to_partners_not_among_four_who_play_for_ratings_not_without_clocks(self, table: Make) -> None:
        assert table("teams", control=MINUTE, terms=Terms(rated=False)).refused("red", Give("yellow")) == "not_opponent"
        assert table("ffa", control=MINUTE, terms=Terms(rated=True)).refused("red", Give("blue")) == "rated_game"
        assert table().refused("white", Give("black")) == "no_clock"
        assert table(control=Control(0, delay=9_000)).refused("white", Give("black")) == "no_clock"

    def test_an_undo_takes_back_what_was_given_since(self, table: Make) -> None:
        t = table(control=MINUTE)
        t.play("e2e4")
        t.says("white", Give("black"))
        t.play("e7e5")
        assert left(t) == (60_000, 75_000)
        t.propose("black", "undo", 1)
        t.vote("white", True)
        assert left(t) == (60_000, 60_000)


class TestBerserk:
    def test_half_of_the_time_and_the_increments_go(self, table: Make) -> None:
        t = table(control=FIVE)
        t.now += 20_000
        assert t.says("white", Berserk()) == (Berserked(0, 160_000),)  # 140 s are left now
        assert t.says("black", Berserk()) == (Berserked(1, 150_000),)
        (moved,) = t.play("e2e4")
        assert moved.tick == Tick(20_000, 0, 0, 140_000)
        assert t.refused("white", Berserk()) == "already_berserk"

    @pytest.mark.parametrize("control", [None, Control(0, delay=5_000)])
    def test_there_must_be_time_to_give_up(self, table: Make, control: Control | None) -> None:
        assert table(control=control).refused("white", Berserk()) == "no_clock"

    def test_only_before_the_first_move_even_if_it_was_taken_back(self, table: Make) -> None:
        t = table(control=FIVE)
        t.play("e2e4")
        assert t.refused("white", Berserk()) == "too_late"
        t.propose("white", "undo", 1)
        t.vote("black", True)
        assert t.refused("white", Berserk()) == "too_late"

    def test_not_before_the_start_and_not_by_those_who_are_out(self, table: Make) -> None:
        t = table(seated=False, control=FIVE)
        t.says("white", Sit("W", "white"))
        assert t.refused("white", Berserk()) == "not_started"
        t.says("white", Stand())
        t = table("survivor", control=FIVE)
        t.resign("green")
        assert t.refused("green", Berserk()) == "out_of_game"

    def test_an_undo_does_not_give_it_back(self, table: Make) -> None:
        t = table(control=FIVE)
        t.play("e2e4")
        t.says("black", Berserk())
        t.play("e7e5")
        t.propose("white", "undo", 2)
        t.vote("black", True)
        assert left(t) == (300_000, 150_000)
        t.propose("white", "redo", 2)
        t.vote("black", True)
        assert left(t) == (302_000, 150_000)
        assert t.state.clocks.is_berserk(1) and not t.state.clocks.is_berserk(0)

    def test_a_rematch_begins_with_whole_clocks(self, table: Make) -> None:
        t = table(control=FIVE)
        t.says("white", Berserk())
        t.resign("white")
        t.propose("white", "rematch")
        t.vote("black", True)
        assert left(t) == (300_000, 300_000) and not t.state.clocks.is_berserk(0)
