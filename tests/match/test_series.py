"""Around the game: invited bots and stand-ins, absent players, aborts, rematches and scores."""

from collections.abc import Callable
from typing import Any

import pytest

from fourfold.engine.match import Rejection, Status, decide
from fourfold.engine.match.clock import Control
from fourfold.engine.match.commands import Abort, Credit, Invite, Move, Propose, Return, Sit, Vote
from fourfold.engine.match.events import (
    Closed,
    Closure,
    Eliminated,
    Invited,
    ProposalKind,
    Proposed,
    Removed,
    Returned,
    Seated,
    Started,
    StoodIn,
)
from fourfold.engine.match.terms import Terms
from fourfold.engine.match.votes import VOTE_MS
from fourfold.engine.outcome import Outcome, Termination

Make = Callable[..., "Table"]  # type: ignore[name-defined]  # noqa: F821


def about(t: Any, kind: str, seat: str, *, absent: tuple[int, ...] = (), level: int | None = None) -> Propose:
    return Propose(ProposalKind(kind), t.state.seq, seat=seat, level=level, absent=dict.fromkeys(absent, t.now))


def test_an_undo_makes_the_game_casual_and_not_its_rematch(table: Make) -> None:
    t = table()
    t.play("e2e4", "e7e5")
    assert t.state.casual == ""
    t.propose("white", "undo", 1)
    t.vote("black", True)
    assert t.state.casual == "undone"
    t.resign("white")
    assert t.state.casual == "undone"
    t.propose("white", "rematch")
    t.vote("black", True)
    assert (t.state.game, t.state.casual) == (2, "")


@pytest.mark.parametrize(
    ("position", "moves", "first", "second"),
    [
        ("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", (), "position", "position"),
        ("", ("e2e4", "e7e5"), "moves", ""),
        ("", (), "", ""),
    ],
)
def test_a_game_from_elsewhere_is_casual_from_the_start(
    table: Make, position: str, moves: tuple[str, ...], first: str, second: str
) -> None:
    t = table("standard", position, moves=moves)
    assert t.state.casual == first
    t.resign("white")
    t.propose("white", "rematch")
    t.vote("black", True)
    assert (t.state.game, t.state.casual) == (2, second)


def test_what_the_host_settled_outlasts_moves_departures_undo_and_rematch(table: Make) -> None:
    terms = Terms(chat=False, lock="lock", seek=True, delay=7_000)
    t = table(visibility="private", terms=terms, control=Control(60_000))
    created = t.state.created

    def settled() -> None:
        state = t.state
        assert (state.variant, state.visibility, state.host, state.terms) == ("standard", "private", "host", terms)
        assert state.created == created > 0

    settled()
    t.now += 5
    t.play("e2e4", "e7e5")
    settled()
    t.propose("white", "undo", 1)
    t.vote("black", True)
    settled()
    t.says("host", Credit(t.now, t.now + 50))
    t.resign("white")
    settled()
    score = [seat.score for seat in t.state.seats]
    t.propose("white", "rematch")
    t.vote("black", True)
    settled()
    assert t.state.game == 2 and t.state.credited == t.now + 50 and t.state.position == t.state.start
    assert [seat.score for seat in t.state.seats] == score[::-1] == [2, 0]


class TestBotsSitDown:
    def test_the_host_invites_and_the_bot_takes_the_seat(self, table: Make) -> None:
        t = table(seated=False)
        t.says("ann", Sit("Ann"))
        assert t.says("host", Invite(3)) == (Invited(1, 3),)
        assert t.says("bot:x", Sit("Level 3", bot=True)) == (Seated(1, "bot:x", "Level 3"), Started())
        assert t.state.seats[1].invited is None

    def test_only_the_host_and_only_to_free_seats(self, table: Make) -> None:
        t = table(seated=False)
        t.says("ann", Sit("Ann", "white"))
        assert t.refused("ann", Invite(3)) == "not_host"
        assert t.refused("host", Invite(3, "white")) == "seat_taken"
        assert t.refused("host", Invite(3, "red")) == "no_such_seat"
        t.says("bob", Sit("Bob"))
        assert t.refused("host", Invite(3)) == "already_started"

    def test_people_get_kept_seats_only_by_name(self, table: Make) -> None:
        t = table("survivor", seated=False)
        t.says("host", Invite(1, "red"))
        assert t.says("ann", Sit("Ann"))[0] == Seated(1, "ann", "Ann")
        t.says("host", Invite(1))
        t.says("host", Invite(2))
        assert [seat.invited for seat in t.state.seats] == [1, None, 1, 2]
        assert t.refused("bob", Sit("Bob")) == "seats_reserved"
        assert t.says("bob", Sit("Bob", "red"))[0] == Seated(0, "bob", "Bob")

    def test_a_bot_prefers_the_seat_it_was_asked_to(self, table: Make) -> None:
        t = table("survivor", seated=False)
        t.says("host", Invite(1, "yellow"))
        assert t.says("bot:x", Sit("Level 1", bot=True))[0] == Seated(2, "bot:x", "Level 1")


class TestAbsence:
    def test_a_bot_stands_in_until_the_player_returns(self, table: Make) -> None:
        t = table("survivor")
        t.says("blue", about(t, "stand_in", "red", absent=(0,), level=4))
        assert t.state.proposal.electorate == (1, 2, 3)
        t.vote("yellow", True)
        assert t.vote("green", True)[-2:] == (Closed(1, Closure.CARRIED), Invited(0, 4))
        assert t.refused("eve", Sit("Eve")) == "already_started"
        assert t.says("bot:x", Sit("Level 4", "red", bot=True, level=4)) == (StoodIn(0, "bot:x", "Level 4"),)
        assert t.refused("bot:y", Sit("Level 4", bot=True, level=4)) == "not_invited"
        t.says("bot:x", Move("h2h4", t.state.seq))
        assert t.says("red", Return()) == (Returned(0),)
        assert t.refused("bot:x", Move("h4h5", t.state.seq)) == "not_seated"
        assert t.state.seats[0].player == "red"
        assert t.says("red", Return()) == ()

    def test_who_comes_back_before_the_bot_sends_it_away(self, table: Make) -> None:
        t = table(terms=Terms(rated=False))
        t.says("white", about(t, "stand_in", "black", absent=(1,), level=1))
        assert t.state.status is Status.PLAYING
        # One elector, who has voted: no other answers are needed.
        assert t.state.seats[1].invited == 1
        assert t.says("black", Return()) == (Returned(1),)
        assert t.refused("bot:x", Sit("Level 1", bot=True, level=1)) == "not_invited"

    def test_an_absent_player_is_removed(self, table: Make) -> None:
        t = table("survivor")
        t.says("red", about(t, "remove", "blue", absent=(1,)))
        t.vote("yellow", True)
        events = t.vote("green", True)
        assert events[1:] == (
            Closed(1, Closure.CARRIED),
            Removed(1),
            Eliminated(1, Termination.ABANDONMENT, None),
        )
        assert t.state.position.alive == (0, 2, 3)

    def test_others_who_are_away_are_not_asked(self, table: Make) -> None:
        t = table("survivor")
        t.says("red", about(t, "stand_in", "blue", absent=(1, 3), level=1))
        assert t.state.proposal.electorate == (0, 2)
        assert t.vote("yellow", True)[-1] == Invited(1, 1)

    def test_his_return_ends_the_vote(self, table: Make) -> None:
        t = table("survivor")
        t.says("red", about(t, "remove", "blue", absent=(1,)))
        assert t.says("blue", Return()) == (Closed(1, Closure.SUPERSEDED),)
        assert t.state.seats[0].refusals == 0

    def test_play_goes_on_meanwhile(self, table: Make) -> None:
        t = table("survivor")
        t.says("yellow", about(t, "remove", "blue", absent=(1,)))
        t.play("h2h4")
        assert t.state.proposal is not None
        assert t.wait(VOTE_MS) == (Closed(1, Closure.EXPIRED),)

    def test_what_cannot_be_proposed(self, table: Make) -> None:
        t = table("survivor", control=Control(60_000))
        assert t.refused("red", about(t, "stand_in", "blue", level=1)) == "not_absent"
        assert t.refused("red", about(t, "stand_in", "blue", absent=(1,))) == "bad_level"
        assert t.refused("red", about(t, "stand_in", "pink", absent=(1,), level=1)) == "no_such_seat"
        assert t.refused("red", about(t, "draw", "blue")) == "bad_seat"
        assert t.refused("red", Propose(ProposalKind.DRAW, t.state.seq, level=2)) == "bad_level"
        assert t.refused("red", about(t, "remove", "red", absent=(0,))) == "not_absent"
        t.resign("blue")
        assert t.refused("red", about(t, "stand_in", "blue", absent=(1,), level=1)) == "out_of_game"

    @pytest.mark.parametrize("kind", ["remove", "stand_in"])
    def test_only_about_who_has_been_away_for_long_enough(self, table: Make, kind: str) -> None:
        t = table("survivor")
        level = 1 if kind == "stand_in" else None
        early = Propose(ProposalKind(kind), t.state.seq, seat="blue", level=level, absent={1: t.now + 1})
        rejection = decide(t.state, early, "red", t.now)
        assert isinstance(rejection, Rejection)
        assert (rejection.code, rejection.retry) == ("not_absent", 1)
        t.now += 1
        assert isinstance(t.says("red", early)[0], Proposed)

    def test_who_is_away_for_less_has_a_vote_and_says_no_by_silence(self, table: Make) -> None:
        t = table("survivor")
        absent = {1: t.now, 2: t.now + 1, 3: t.now}
        t.says("red", Propose(ProposalKind.REMOVE, t.state.seq, seat="blue", absent=absent))
        assert t.state.proposal.electorate == (0, 2)
        assert t.wait(VOTE_MS) == (Closed(1, Closure.EXPIRED),)

    def test_also_where_time_counts(self, table: Make) -> None:
        t = table("standard", control=Control(60_000))
        t.says("white", about(t, "remove", "black", absent=(1,)))
        assert t.state.outcome == Outcome(Termination.ABANDONMENT, (0,), (1, 2))

    def test_but_nobody_is_put_into_a_new_game_unasked(self, table: Make) -> None:
        t = table("survivor")
        for name in ("red", "blue", "yellow"):
            t.resign(name)
        (proposed,) = t.says("red", Propose(ProposalKind.REMATCH, t.state.seq, absent=dict.fromkeys(range(4), 0)))
        assert proposed.electorate == (0, 1, 2, 3)

    def test_whoever_proposes_from_elsewhere_is_there(self, table: Make) -> None:
        t = table("survivor")
        (proposed,) = t.says("red", about(t, "remove", "blue", absent=(0, 1)))
        assert proposed.electorate == (0, 2, 3)

    def test_the_name_of_the_stand_in_is_known(self, table: Make) -> None:
        t = table(terms=Terms(rated=False))
        t.says("white", about(t, "stand_in", "black", absent=(1,), level=1))
        t.says("bot:x", Sit("Level 1", bot=True, level=1))
        assert (t.state.seats[1].stand_in, t.state.seats[1].stand_in_name) == ("bot:x", "Level 1")
        t.says("black", Return())
        assert t.state.seats[1].stand_in_name is None


class TestAbort:
    def test_while_somebody_has_not_moved(self, table: Make) -> None:
        t = table()
        t.play("e2e4")
        events = t.says("white", Abort())
        assert events[-1].outcome.termination is Termination.ABORTED
        assert events[-1].scores == (0, 0)
        assert t.state.status is Status.FINISHED

    def test_not_once_everybody_has(self, table: Make) -> None:
        t = table()
        t.play("e2e4", "e7e5")
        assert t.refused("black", Abort()) == "too_late"

    def test_those_who_are_out_need_not(self, table: Make) -> None:
        t = table("survivor")
        t.play("h2h4", "b7c7", "h13h12")
        t.resign("green")
        assert t.refused("red", Abort()) == "too_late"


class TestRematch:
    @pytest.mark.parametrize("control", [None, Control(60_000, 1_000)])
    def test_everybody_moves_a_seat_on_and_the_score_goes_along(self, table: Make, control: Control | None) -> None:
        t = table("survivor", control=control)
        start = t.state.position
        t.now += 500
        t.play("h2h4")
        for name in ("red", "yellow", "green"):
            t.resign(name)
        t.propose("green", "rematch")
        for name in ("red", "blue"):
            t.vote(name, True)
        events = t.vote("yellow", True)
        assert events[-1] == Started()
        state = t.state
        assert (state.game, state.status, state.position, len(state.line)) == (2, Status.PLAYING, start, 0)
        assert [seat.player for seat in state.seats] == ["green", "red", "blue", "yellow"]
        assert [seat.score for seat in state.seats] == [0, 0, 2, 0]
        if control is not None:
            assert state.clocks.left == (60_000,) * 4
            assert state.clocks.since == t.now
        t.says("green", Move("h2h4", state.seq))

    def test_draws_count_half(self, table: Make) -> None:
        t = table()
        t.propose("white", "draw")
        t.vote("black", True)
        t.propose("white", "rematch")
        t.vote("black", True)
        t.resign(str(t.state.seats[0].player))
        assert {seat.player: seat.score / 2 for seat in t.state.seats} == {"white": 1.5, "black": 0.5}

    def test_one_no_is_enough_and_the_cooldown_of_the_game_is_over(self, table: Make) -> None:
        t = table()
        t.propose("white", "draw")
        t.vote("black", False)
        t.resign("black")
        t.propose("white", "rematch")
        assert t.vote("black", False)[-1] == Closed(2, Closure.REFUSED)
        assert t.propose_refused("white", "rematch") == "too_soon"

    def test_only_after_the_end(self, table: Make) -> None:
        t = table()
        assert t.propose_refused("white", "rematch") == "not_finished"
        t.resign("white")
        assert t.propose_refused("white", "draw") == "game_over"
        assert t.refused("white", Vote(1, True)) == "no_such_proposal"
