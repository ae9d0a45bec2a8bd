"""Self-partner: two players with two armies each, from the first seat to the rematch."""

from collections.abc import Callable

import pytest

from fourfold.engine.match import Status
from fourfold.engine.match.clock import Control
from fourfold.engine.match.commands import (
    Berserk,
    Create,
    Give,
    Invite,
    Kick,
    Move,
    Propose,
    Resign,
    Return,
    Sit,
    Stand,
    Vote,
    Withdraw,
)
from fourfold.engine.match.decide import decide
from fourfold.engine.match.events import (
    Berserked,
    Closed,
    Closure,
    Created,
    Finished,
    Gave,
    Invited,
    Moved,
    ProposalKind,
    Proposed,
    Rematched,
    Removed,
    Renamed,
    Resigned,
    Returned,
    Seated,
    Started,
    StoodIn,
    Unseated,
    Voted,
)
from fourfold.engine.match.terms import Terms
from fourfold.engine.outcome import Outcome, Termination
from fourfold.engine.variants import player_seats, rules_of

Make = Callable[..., "Table"]  # type: ignore[name-defined]  # noqa: F821

BASE = 300_000
TURNS = ("h2h4", "b7d7", "g13g11", "m8k8")
ANN_WINS = Outcome(Termination.RESIGNATION, (0, 2), (1, 2, 1, 2))


@pytest.fixture
def pair(table: Make) -> Make:
    """Makes a table at which Ann has red and yellow, and Bob blue and green."""

    def make(**options: object) -> object:
        t = table("selfpartner", seated=False, **options)
        t.says("ann", Sit("Ann"))
        t.says("bob", Sit("Bob"))
        return t

    return make


def play(t: object, *moves: str) -> None:
    """Moves, each by the player to move."""
    for move in moves:
        t.says(("ann", "bob")[t.state.position.turn % 2], Move(move, t.state.seq))  # type: ignore[attr-defined]


def test_the_seats_of_players() -> None:
    rules = rules_of("selfpartner")
    assert [rules.together(seat) for seat in range(4)] == [(0, 2), (1, 3), (0, 2), (1, 3)]
    assert player_seats("selfpartner") == ("red", "blue")
    assert rules_of("teams").together(2) == (2,) and rules_of("teams").players == (0, 1, 2, 3)


class TestSeats:
    def test_a_player_takes_both_seats_of_a_team_and_two_begin(self, table: Make) -> None:
        t = table("selfpartner", seated=False)
        assert t.says("ann", Sit("Ann", mark="m")) == (Seated(0, "ann", "Ann", "m"), Seated(2, "ann", "Ann", "m"))
        assert t.state.status is Status.OPEN
        assert t.refused("bob", Sit("Bob", "yellow")) == "seat_taken"
        both = Seated(1, "bob", "Bob"), Seated(3, "bob", "Bob")
        assert t.says("bob", Sit("Bob", "green")) == (*both, Started())
        assert t.state.status is Status.PLAYING
        assert (t.state.seat_of("ann"), t.state.seat_of("bob")) == (0, 1)
        assert t.refused("eve", Sit("Eve")) == "already_started"

    def test_either_seat_is_the_players_own(self, table: Make) -> None:
        t = table("selfpartner", seated=False)
        t.says("ann", Sit("Ann", "yellow"))
        for seat in (None, "red", "yellow"):
            assert t.says("ann", Sit("Ann", seat)) == ()
        assert t.refused("ann", Sit("Ann", "green")) == "already_seated"
        assert t.says("ann", Sit("Annie", "yellow")) == (Renamed(0, "ann", "Annie"), Renamed(2, "ann", "Annie"))

    def test_leaving_frees_both(self, table: Make) -> None:
        t = table("selfpartner", seated=False)
        t.says("ann", Sit("Ann", "yellow"))
        assert t.says("ann", Stand()) == (Unseated(0), Unseated(2))
        t.says("eve", Sit("Eve", "blue", mark="m"))
        assert t.says("host", Kick("green")) == (Unseated(1, kicked=True), Unseated(3, kicked=True))
        assert t.refused("eve", Sit("Eve")) == "kicked"

    def test_a_computer_is_invited_to_both(self, table: Make) -> None:
        t = table("selfpartner", seated=False)
        assert t.says("host", Invite(3, "green")) == (Invited(1, 3), Invited(3, 3))
        assert t.says("host", Kick("blue")) == (Unseated(1), Unseated(3))
        t.says("ann", Sit("Ann"))
        assert t.refused("host", Invite(3, "yellow")) == "seat_taken"
        assert t.says("host", Invite(2)) == (Invited(1, 2), Invited(3, 2))
        assert t.refused("eve", Sit("Eve")) == "seats_reserved"
        t.says("bot:level2:x", Sit("Level 2", "blue", bot=True, level=2))
        assert t.state.status is Status.PLAYING

    def test_a_person_takes_over_both_seats_of_a_computer(self, table: Make) -> None:
        t = table("selfpartner", seated=False, terms=Terms(fill=3))
        t.says("ann", Sit("Ann"))
        t.says("host", Invite(3))
        t.says("bot:b", Sit("Level 3", bot=True, level=3))
        both = Seated(1, "bob", "Bob"), Seated(3, "bob", "Bob")
        assert t.says("bob", Sit("Bob", "green", computers=frozenset({"bot:b"}))) == both
        assert t.refused("bot:b", Move("b7c7", t.state.seq)) == "not_seated"


def test_a_player_moves_the_army_whose_turn_it_is(pair: Make) -> None:
    t = pair()
    assert isinstance(t.says("ann", Move("h2h4", t.state.seq))[0], Moved)
    assert t.rejection("ann", Move("g13g11", t.state.seq)).code == "not_your_turn"
    play(t, *TURNS[1:])
    assert [step.seat for step in t.state.line] == [0, 1, 2, 3]
    assert t.state.moved == {0, 1, 2, 3}


def test_clocks_run_by_army(pair: Make) -> None:
    t = pair(control=Control(BASE))
    for seconds, move in enumerate(TURNS, start=1):
        t.now += 1000 * seconds
        play(t, move)
    assert t.state.clocks.left == (BASE - 1000, BASE - 2000, BASE - 3000, BASE - 4000)
    play(t, "e2e4", "b4d4")
    assert t.turn == "yellow"
    t.wait(BASE)
    assert t.state.outcome == Outcome(Termination.TIME, (1, 3), (2, 1, 2, 1))


class TestVotes:
    """Players vote, not seats."""

    def test_two_agree_on_an_undo(self, pair: Make) -> None:
        t = pair()
        play(t, *TURNS)
        (proposed,) = t.propose("bob", "undo", 3)
        assert isinstance(proposed, Proposed) and (proposed.seat, proposed.electorate) == (1, (0, 1))
        assert t.refused("bob", Vote(1, True)) == "already_voted"
        assert Closed(1, Closure.CARRIED) in t.vote("ann", True)
        assert (t.state.ply, t.turn) == (1, "blue")

    def test_a_proposal_is_the_players_whichever_army_is_to_move(self, pair: Make) -> None:
        t = pair()
        play(t, *TURNS[:2])
        assert t.turn == "yellow"
        (proposed,) = t.propose("ann", "draw")
        assert proposed.seat == 0
        assert t.says("ann", Withdraw(1)) == (Closed(1, Closure.WITHDRAWN),)
        t.propose("ann", "draw")
        t.vote("bob", False)
        assert t.state.seats[0].refusals == 1
        assert t.propose_refused("ann", "undo") == "too_soon"

    def test_a_move_of_either_army_answers_a_draw(self, pair: Make) -> None:
        t = pair()
        play(t, *TURNS[:2])
        t.propose("bob", "draw")
        assert t.says("ann", Move("g13g11", t.state.seq))[1:] == (Voted(1, 0, False), Closed(1, Closure.REFUSED))
        t.propose("ann", "draw")
        play(t, "m8k8")
        assert t.state.proposal is None, "Bob's second army has answered"

    def test_a_draw(self, pair: Make) -> None:
        t = pair()
        t.propose("ann", "draw")
        finished = t.vote("bob", True)[-1]
        assert isinstance(finished, Finished) and finished.outcome.winners == () and finished.scores == (1, 1, 1, 1)

    def test_a_pause(self, pair: Make) -> None:
        t = pair(control=Control(BASE))
        t.propose("ann", "pause")
        assert t.vote("bob", True) and t.state.paused is not None


class TestAbsence:
    ABSENT = dict.fromkeys((1, 3), 0)

    def test_a_computer_plays_both_armies_until_the_player_is_back(self, pair: Make) -> None:
        t = pair()
        play(t, "h2h4")
        about = Propose(ProposalKind.STAND_IN, t.state.seq, seat="green", level=3, absent=self.ABSENT)
        assert t.says("ann", about)[-2:] == (Invited(1, 3), Invited(3, 3))
        bot = Sit("Level 3", "blue", bot=True, level=3)
        assert t.says("bot:b", bot) == (StoodIn(1, "bot:b", "Level 3"), StoodIn(3, "bot:b", "Level 3"))
        t.says("bot:b", Move("b7d7", t.state.seq))
        play(t, "g13g11")
        t.says("bot:b", Move("m8k8", t.state.seq))
        assert t.refused("bot:b", Resign()) == "only_stands_in"
        assert t.says("bob", Return()) == (Returned(1), Returned(3))
        assert t.refused("bot:b", Move("b4d4", t.state.seq)) == "not_seated"

    def test_a_player_who_is_away_is_removed_and_loses(self, pair: Make) -> None:
        t = pair()
        assert t.refused("ann", Propose(ProposalKind.REMOVE, t.state.seq, seat="yellow", absent={})) == "not_absent"
        removed = t.says("ann", Propose(ProposalKind.REMOVE, t.state.seq, seat="green", absent=self.ABSENT))
        assert [type(event) for event in removed] == [Proposed, Closed, Removed, Finished]
        assert t.state.outcome.winners == (0, 2)


def test_resigning_ends_the_game_and_a_rematch_swaps_the_armies(pair: Make) -> None:
    t = pair()
    play(t, *TURNS)
    resigned, finished = t.says("bob", Resign())
    assert isinstance(resigned, Resigned) and resigned.seat == 1
    assert finished == Finished(ANN_WINS, (2, 0, 2, 0))
    t.propose("ann", "rematch")
    assert isinstance(t.vote("bob", True)[2], Rematched)
    assert [seat.player for seat in t.state.seats] == ["bob", "ann", "bob", "ann"]
    assert [seat.score for seat in t.state.seats] == [0, 2, 0, 2]
    t.says("bob", Move("h2h4", t.state.seq))
    t.says("ann", Move("b7d7", t.state.seq))


def test_time_is_given_up_for_both_armies_and_given_to_opponents_alone(pair: Make) -> None:
    t = pair(control=Control(BASE, 1000))
    t.now += 10_000
    play(t, "h2h4")
    assert t.refused("ann", Berserk()) == "too_late"
    t.now += 20_000
    half = BASE - (BASE - 20_000) // 2
    assert t.says("bob", Berserk()) == (Berserked(1, half), Berserked(3, BASE // 2))
    assert t.refused("bob", Berserk()) == "already_berserk"
    assert t.refused("ann", Give("yellow")) == "not_opponent"
    assert isinstance(t.says("ann", Give("green"))[0], Gave)


def test_no_game_is_rated() -> None:
    for terms in (Terms(), Terms(rated=False)):
        (created,) = decide(None, Create("selfpartner", terms=terms), "ann", 0)  # type: ignore[misc]
        assert isinstance(created, Created) and not created.terms.rated
    (created,) = decide(None, Create("teams"), "ann", 0)  # type: ignore[misc]
    assert isinstance(created, Created) and created.terms.rated
