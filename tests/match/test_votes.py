"""The rules of votes, in the order of fourfold.engine.match.votes."""

from collections.abc import Callable

import pytest

from fourfold.engine.match import Decision, Rejection, Status, decide, evolve
from fourfold.engine.match.commands import Claim, Move, Propose, Vote, Withdraw
from fourfold.engine.match.events import (
    Closed,
    Closure,
    Eliminated,
    Finished,
    Moved,
    ProposalKind,
    Proposed,
    Redone,
    Undone,
    Voted,
)
from fourfold.engine.match.history import BLOCK
from fourfold.engine.match.votes import VOTE_MS
from fourfold.engine.outcome import Outcome, Termination

Make = Callable[..., "Table"]  # type: ignore[name-defined]  # noqa: F821

CARRIED, REFUSED, EXPIRED, SUPERSEDED = Closure.CARRIED, Closure.REFUSED, Closure.EXPIRED, Closure.SUPERSEDED
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


class TestOneProposal:
    """Rule 1: one numbered open proposal, with a fixed electorate and the proposer's yes."""

    def test_it_is_open_with_the_proposers_yes(self, table: Make) -> None:
        t = table()
        t.play("e2e4", "e7e5")
        fen = t.fen
        t.play("g1f3")
        assert t.propose("white", "undo") == (
            Proposed(1, ProposalKind.UNDO, 0, 1, 2, fen, (0, 1), t.now + VOTE_MS),
        )
        proposal = t.state.proposal
        assert proposal.votes == ((0, True),)
        assert (proposal.seq, proposal.ply, proposal.target) == (t.state.seq, 3, 2)

    def test_a_second_is_refused_while_it_is(self, table: Make) -> None:
        t = table()
        t.play("e2e4")
        t.propose("white", "draw")
        assert t.propose_refused("black", "undo") == "proposal_open"
        assert t.propose_refused("white", "draw") == "proposal_open"

    def test_the_electorate_are_those_still_in(self, table: Make) -> None:
        t = table("survivor")
        t.resign("yellow")
        t.play("h2h4")
        (proposed,) = t.propose("red", "undo")
        assert proposed.electorate == (0, 1, 3)
        assert t.refused("yellow", Vote(1, True)) == "no_vote"
        assert t.refused("stranger", Vote(1, True)) == "not_seated"

    def test_numbers_go_up_and_old_ones_are_closed(self, table: Make) -> None:
        t = table()
        t.play("e2e4")
        t.propose("white", "draw")
        t.vote("black", False)
        t.propose("black", "draw")
        assert t.state.proposal.number == 2
        assert t.refused("white", Vote(1, True)) == "no_such_proposal"


class TestUnanimity:
    """Rule 2: unanimity carries it, one no ends it, and silence counts as no at the deadline."""

    def test_all_must_agree(self, table: Make) -> None:
        t = table("survivor")
        start = t.fen
        t.play("h2h4")
        t.propose("red", "undo", 1)
        assert t.vote("blue", True) == (Voted(1, 1, True),)
        assert t.vote("green", True) == (Voted(1, 3, True),)
        assert t.vote("yellow", True) == (Voted(1, 2, True), Closed(1, CARRIED), Undone(1, 0, start))
        assert t.fen == start

    def test_one_no_ends_it(self, table: Make) -> None:
        t = table("survivor")
        t.play("h2h4")
        t.propose("red", "undo", 1)
        t.vote("blue", True)
        assert t.vote("green", False) == (Voted(1, 3, False), Closed(1, REFUSED))
        assert t.refused("yellow", Vote(1, True)) == "no_such_proposal"

    def test_nobody_votes_twice(self, table: Make) -> None:
        t = table("survivor")
        t.propose("red", "draw")
        assert t.refused("red", Vote(1, True)) == "already_voted"
        t.vote("blue", True)
        assert t.refused("blue", Vote(1, False)) == "already_voted"

    def test_silence_is_a_no(self, table: Make) -> None:
        t = table()
        t.propose("white", "draw")
        assert t.wait(VOTE_MS - 1) == ()
        assert t.wait(1) == (Closed(1, EXPIRED),)
        assert t.state.status is Status.PLAYING

    def test_a_yes_after_the_deadline_comes_too_late(self, table: Make) -> None:
        t = table()
        t.propose("white", "draw")
        t.now += VOTE_MS
        assert t.refused("black", Vote(1, True)) == "too_late"


class TestProgress:
    """Rule 3: a proposal never blocks play; the effects of play on it."""

    def test_a_move_supersedes_an_undo(self, table: Make) -> None:
        t = table()
        t.play("e2e4")
        t.propose("white", "undo")
        assert t.play("e7e5") == (Moved(1, "e7e5", 2), Closed(1, SUPERSEDED))

    def test_a_resignation_supersedes_an_undo(self, table: Make) -> None:
        t = table("survivor")
        t.play("h2h4")
        t.propose("red", "undo")
        events = t.resign("green")
        assert events[1:] == (Eliminated(3, Termination.RESIGNATION, None), Closed(1, SUPERSEDED))

    def test_a_draw_stays_open_across_moves_of_those_who_have_voted(self, table: Make) -> None:
        t = table("survivor")
        t.propose("red", "draw")
        t.play("h2h4")
        assert t.state.proposal is not None

    def test_who_moves_without_having_voted_has_voted_no(self, table: Make) -> None:
        t = table("survivor")
        t.propose("red", "draw")
        t.play("h2h4")
        assert t.play("b7c7") == (Moved(1, "b7c7", 2), Voted(1, 1, False), Closed(1, REFUSED))
        assert t.state.seats[0].refusals == 1

    def test_an_elector_who_leaves_closes_a_draw(self, table: Make) -> None:
        t = table("survivor")
        t.propose("red", "draw")
        assert t.resign("green")[-1] == Closed(1, SUPERSEDED)
        assert t.state.seats[0].refusals == 0

    def test_the_end_of_the_game_closes_everything(self, table: Make) -> None:
        t = table()
        t.play("f2f3", "e7e5", "g2g4")
        t.propose("black", "draw")
        events = t.play("d8h4")
        assert isinstance(events[-1], Finished)
        assert Closed(1, SUPERSEDED) in events
        assert t.state.proposal is None


class TestUndo:
    """Rule 4: an undo restores the whole state of its ply; redo is possible until a new move."""

    def test_back_and_forth(self, table: Make) -> None:
        t = table()
        fens = [t.fen]
        for move in ("e2e4", "c7c5", "e4e5", "d7d5", "e5d6", "e7d6"):
            t.play(move)
            fens.append(t.fen)
        t.propose("white", "undo", 5)
        t.vote("black", True)
        assert t.fen == fens[1]
        assert (t.state.ply, len(t.state.undone)) == (1, 5)
        t.propose("black", "redo", 4)
        assert t.vote("white", True)[-1] == Redone(4, 5, ("c7c5", "e4e5", "d7d5", "e5d6"), fens[5])
        assert t.fen == fens[5]
        t.propose("white", "undo", 2)
        t.vote("black", True)
        assert t.fen == fens[3]
        t.propose("white", "redo", 3)
        t.vote("black", True)
        assert t.fen == fens[6]

    def test_the_position_is_the_very_one_with_its_past(self, table: Make) -> None:
        t = table()
        t.play("g1f3", "g8f6", "f3g1", "f6g8")
        before = t.state.position
        t.play("e2e4")
        t.propose("white", "undo")
        t.vote("black", True)
        assert t.state.position == before
        t.play("g1f3", "g8f6", "f3g1", "f6g8")
        assert t.state.position.may_claim(t.state.position.turn) is Termination.THREEFOLD

    def test_without_a_number_it_is_one_move(self, table: Make) -> None:
        t = table()
        t.play("e2e4")
        t.propose("black", "undo")
        t.vote("white", True)
        assert t.fen == START

    @pytest.mark.parametrize(("kind", "plies"), [("undo", 3), ("redo", 1), ("draw", 1)])
    def test_what_is_not_there_cannot_be_undone(self, table: Make, kind: str, plies: int) -> None:
        t = table()
        t.play("e2e4", "e7e5")
        assert t.propose_refused("white", kind, plies) == "bad_plies"

    @pytest.mark.parametrize(
        ("played", "there_are"),
        [((), "there are 0."), (("e2e4",), "there is 1."), (("e2e4", "e7e5"), "there are 2.")],
    )
    def test_a_refusal_says_how_many_moves_there_are(
        self, table: Make, played: tuple[str, ...], there_are: str
    ) -> None:
        t = table()
        t.play(*played)
        rejection = t.rejection("white", Propose(ProposalKind.UNDO, t.state.seq, 3))
        assert rejection.message == f"You asked to undo 3 moves; {there_are}"

    def test_a_new_move_ends_what_could_be_redone(self, table: Make) -> None:
        t = table()
        t.play("e2e4")
        t.propose("white", "undo")
        t.vote("black", True)
        t.play("d2d4")
        assert t.propose_refused("white", "redo", 1) == "bad_plies"

    def test_a_resigned_player_comes_back(self, table: Make) -> None:
        t = table("survivor")
        t.play("h2h4")
        revived = t.state.position
        t.play("b7c7")
        t.resign("green")
        t.play("g13g12")
        t.propose("red", "undo", 2)
        for name in ("blue", "yellow"):
            t.vote(name, True)
        assert t.state.position != revived, "whoever is to come back is asked as well"
        t.vote("green", True)
        assert t.state.position == revived
        assert t.state.out == ()
        t.propose("red", "redo", 1)
        for name in ("blue", "yellow", "green"):
            t.vote(name, True)
        assert [out.seat for out in t.state.out] == [3]

    def test_an_undo_of_one_move_leaves_what_came_before_it(self, table: Make) -> None:
        t = table("survivor")
        t.play("h2h4")
        t.resign("green")
        t.play("b7c7")
        t.propose("red", "undo", 1)
        for name in ("blue", "yellow"):
            t.vote(name, True)
        assert t.state.position.alive == (0, 1, 2)
        assert t.turn == "blue"

    def test_a_checkmate_is_undone_and_the_mated_player_revived(self, table: Make) -> None:
        # Red mates Blue in the corner of the left wing; Yellow and Green play on.
        t = table("survivor", MATE_IN_ONE)
        before = t.state.position
        events = t.play("g10a10")
        assert events[1] == Eliminated(1, Termination.CHECKMATE, 0)
        assert t.state.position.alive == (0, 2, 3)
        t.propose("yellow", "undo", 1)
        assert t.state.proposal.electorate == (0, 1, 2, 3)
        for name in ("red", "green", "blue"):
            t.vote(name, True)
        assert t.state.position == before
        assert t.state.position.alive == (0, 1, 2, 3)
        assert t.state.out == ()


MATE_IN_ONE = (
    "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-x,x,x,4,yK,3,x,x,x/x,x,x,8,x,x,x/x,x,x,8,x,x,x/14/6,rR,7/1,rR,12/"
    "14/bK,12,gK/14/14/14/x,x,x,8,x,x,x/x,x,x,8,x,x,x/x,x,x,rK,7,x,x,x"
)


class TestCooldown:
    """Rule 5: after n refusals the same seat waits 10·n² seconds."""

    @pytest.mark.parametrize("refuse", [lambda t: t.vote("black", False), lambda t: t.wait(VOTE_MS)])
    def test_it_grows_with_every_refusal(self, table: Make, refuse: Callable[..., object]) -> None:
        t = table()
        for n in (1, 2, 3):
            t.propose("white", "draw")
            refuse(t)
            t.now += 10_000 * n * n - 1
            rejection = decide(t.state, Propose(ProposalKind.DRAW, t.state.seq), "white", t.now)
            assert isinstance(rejection, Rejection)
            assert (rejection.code, rejection.retry) == ("too_soon", 1)
            t.now += 1

    def test_it_is_the_seats_own(self, table: Make) -> None:
        t = table()
        t.propose("white", "draw")
        t.vote("black", False)
        t.propose("black", "draw")
        assert t.state.proposal.seat == 1

    def test_a_superseded_proposal_costs_nothing(self, table: Make) -> None:
        t = table()
        t.play("e2e4")
        t.propose("white", "undo")
        t.play("e7e5")
        t.propose("white", "undo")
        assert t.state.proposal.number == 2


class TestDraw:
    def test_all_agree(self, table: Make) -> None:
        t = table("survivor")
        t.resign("green")
        t.propose("red", "draw")
        t.vote("blue", True)
        events = t.vote("yellow", True)
        assert events[-1] == Finished(Outcome(Termination.AGREEMENT, (), (1, 1, 1, 4), None), (1, 1, 1, 0), "too_short")
        assert t.state.status is Status.FINISHED

    def test_where_points_count_it_is_an_end_on_points(self, table: Make) -> None:
        t = table("ffa", TWO_IN_FFA.format("30,0,10,61"))
        t.propose("red", "draw")
        (_, _, finished) = t.vote("yellow", True)
        assert finished.outcome == Outcome(Termination.AGREEMENT, (3,), (2, 4, 3, 1), (40, 0, 20, 61))

    def test_a_first_place_may_be_shared(self, table: Make) -> None:
        t = table("ffa", TWO_IN_FFA.format("30,0,10,40"))
        t.propose("red", "draw")
        (_, _, finished) = t.vote("yellow", True)
        assert finished.outcome == Outcome(Termination.AGREEMENT, (0, 3), (1, 4, 3, 1), (40, 0, 20, 40))


TWO_IN_FFA = (
    "R-0,1,0,1-0,0,0,0-0,0,0,0-{}-0-x,x,x,8,x,x,x/x,x,x,8,x,x,x/x,x,x,1,yK,yR,5,x,x,x/14/14/14/14/14/14/14/14/"
    "x,x,x,rP,7,x,x,x/x,x,x,8,x,x,x/x,x,x,4,rK,3,x,x,x"
)
"""Red and Yellow are left, with these points."""


class TestClaim:
    """A claim is not a proposal: it needs no votes."""

    REPEATED = ("g1f3", "g8f6", "f3g1", "f6g8") * 2

    def test_it_ends_the_game_at_once(self, table: Make) -> None:
        t = table()
        t.play(*self.REPEATED)
        assert t.says("white", Claim()) == (Finished(Outcome(Termination.THREEFOLD, (), (1, 1), None), (1, 1)),)
        assert t.state.status is Status.FINISHED

    def test_fifty_moves(self, table: Make) -> None:
        t = table("standard", "k7/8/8/8/8/8/8/K6R w - - 99 80")
        assert t.refused("white", Claim()) == "nothing_to_claim"
        t.play("h1g1")
        assert t.refused("white", Claim()) == "nothing_to_claim", "it is black's turn"
        assert t.says("black", Claim())[-1].outcome.termination is Termination.FIFTY_MOVES

    def test_also_after_refusals_and_while_a_vote_is_open(self, table: Make) -> None:
        t = table()
        t.propose("white", "draw")
        t.vote("black", False)
        t.play(*self.REPEATED)
        assert t.propose_refused("white", "draw") == "too_soon"
        t.propose("black", "undo")
        assert t.says("white", Claim()) == (
            Closed(2, Closure.SUPERSEDED),
            Finished(Outcome(Termination.THREEFOLD, (), (1, 1), None), (1, 1)),
        )

    def test_a_draw_that_is_proposed_claims_nothing(self, table: Make) -> None:
        t = table()
        t.play(*self.REPEATED)
        assert isinstance(t.propose("white", "draw")[0], Proposed)

    def test_the_leader_by_points_stops_whoever_is_to_move(self, table: Make) -> None:
        t = table("ffa", TWO_IN_FFA.format("31,0,10,99"))
        assert t.refused("yellow", Claim()) == "nothing_to_claim"
        t.play("h1g1")
        (finished,) = t.says("red", Claim())
        assert finished.outcome == Outcome(Termination.POINTS, (3,), (2, 4, 3, 1), (31, 0, 30, 99))

    def test_against_a_bare_king_both_are_paid(self, table: Make) -> None:
        t = table("ffa", TWO_IN_FFA.format("84,0,44,0").replace("yR", "1"))
        (finished,) = t.says("red", Claim())
        assert finished.outcome.points == (94, 0, 54, 0)

    def test_only_in_a_game_that_is_played(self, table: Make) -> None:
        t = table()
        t.play(*self.REPEATED)
        t.resign("black")
        assert t.refused("white", Claim()) == "game_over"


def test_logs_in_which_an_undo_asked_nobody_that_it_brought_back_and_a_draw_was_claimed_fold_as_before(
    table: Make,
) -> None:
    t = table("survivor", MATE_IN_ONE)
    before = t.state.position
    t.play("g10a10")
    undone = Undone(1, 0, before.fen(), (), None)
    old = (
        (Proposed(1, ProposalKind.UNDO, 2, 1, 0, before.fen(), (0, 2, 3), t.now + VOTE_MS),),
        (Voted(1, 0, True),),
        (Voted(1, 3, True), Closed(1, CARRIED), undone),
        (Finished(Outcome(Termination.THREEFOLD, (), (1, 1, 1, 1), None), (1, 1, 1, 1)),),
    )
    state = t.state
    for seq, events in enumerate(old, start=t.state.seq + 1):
        state = evolve(state, Decision(seq, t.now, "", f"k{seq}", events))
    assert state.position == before
    assert (state.out, state.status, state.outcome.termination) == ((), Status.FINISHED, Termination.THREEFOLD)
    assert [seat.score for seat in state.seats] == [1, 1, 1, 1]


class TestWithdraw:
    def test_the_proposer_takes_it_back(self, table: Make) -> None:
        t = table()
        t.propose("white", "draw")
        assert t.refused("black", Withdraw(1)) == "not_yours"
        assert t.refused("white", Withdraw(2)) == "no_such_proposal"
        assert t.says("white", Withdraw(1)) == (Closed(1, Closure.WITHDRAWN),)
        assert t.state.proposal is None
        assert t.refused("white", Withdraw(1)) == "no_such_proposal"

    def test_once_in_a_game_it_costs_nothing_then_as_much_as_a_refusal(self, table: Make) -> None:
        t = table()
        for number, wait in ((1, 0), (2, 10_000), (3, 40_000)):
            t.propose("white", "draw")
            t.says("white", Withdraw(number))
            if wait:
                t.now += wait - 1
                assert t.propose_refused("white", "draw") == "too_soon"
                t.now += 1

    def test_a_rematch_can_be_withdrawn(self, table: Make) -> None:
        t = table()
        t.resign("white")
        t.propose("white", "rematch")
        assert t.says("white", Withdraw(1)) == (Closed(1, Closure.WITHDRAWN),)


def test_proposing_does_not_freeze_play(table: Make) -> None:
    t = table()
    t.play("e2e4")
    seen = t.state.seq
    t.propose("white", "undo")
    assert t.says("black", Move("e7e5", seen))[0] == Moved(1, "e7e5", 2)


def test_going_back_in_a_long_game_plays_little_of_it_again(table: Make) -> None:
    t = table("standard")
    states = [t.state]
    for ply in range(150):
        moves = sorted(t.state.position.legal_texts())
        t.play(moves[ply * 7 % len(moves)])
        states.append(t.state)
    walk = (("undo", 1, 149), ("undo", 80, 69), ("redo", 60, 129), ("undo", 129, 0), ("redo", 150, 150))
    for kind, plies, ply in walk:
        t.propose("white", kind, plies)
        t.vote("black", True)
        assert t.state.position == states[ply].position
        assert t.state.line == states[ply].line
        assert (t.state.ply, t.state.out) == (ply, states[ply].out)
        unmarked = "".join("." if step.after is None else "|" for step in t.state.line).split("|")
        assert max(map(len, unmarked)) < BLOCK
