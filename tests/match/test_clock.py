"""Clocks: the cost of moves, flags, and a complete account of every millisecond."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourfold.engine.match import Decision, Rejection, Status, decide, evolve
from fourfold.engine.match.clock import LAG_QUOTA, Control, Tick
from fourfold.engine.match.commands import Abort, Create, Credit, Expire, Move, Propose, Resign, Sit, Vote
from fourfold.engine.match.events import Closed, Closure, Credited, Finished, Flagged, Moved, ProposalKind
from fourfold.engine.match.votes import VOTE_MS
from fourfold.engine.outcome import Termination

Make = Callable[..., "Table"]  # type: ignore[name-defined]  # noqa: F821

FIVE_AND_TWO = Control(300_000, increment=2_000)
DELAYED = Control(60_000, delay=15_000)


def left(t: object) -> tuple[int, ...]:
    return t.state.clocks.left  # type: ignore[attr-defined, no-any-return]


class TestPress:
    def test_an_increment_is_gained_after_what_was_spent(self, table: Make) -> None:
        t = table(control=FIVE_AND_TWO)
        t.now += 7_000
        (moved,) = t.play("e2e4")
        assert moved.tick == Tick(7_000, 0, 2_000, 295_000)
        assert left(t) == (295_000, 300_000)

    def test_the_delay_is_free(self, table: Make) -> None:
        t = table("survivor", control=DELAYED)
        t.now += 14_999
        t.play("h2h4")
        t.now += 15_001
        t.play("b7c7")
        assert left(t) == (60_000, 59_999, 60_000, 60_000)

    def test_lag_is_given_back_up_to_the_quota(self, table: Make) -> None:
        t = table(control=FIVE_AND_TWO)
        t.now += 1_000
        (moved,) = t.says("white", Move("e2e4", t.state.seq, lag=40))
        assert moved.tick == Tick(960, 40, 2_000, 301_040)
        t.now += 1_000
        (moved,) = t.says("black", Move("e7e5", t.state.seq, lag=5_000))
        assert moved.tick == Tick(1_000 - LAG_QUOTA, LAG_QUOTA, 2_000, 302_000 - 1_000 + LAG_QUOTA)

    def test_a_move_faster_than_its_lag_costs_nothing_and_earns_nothing(self, table: Make) -> None:
        t = table(control=FIVE_AND_TWO)
        t.now += 10
        (moved,) = t.says("white", Move("e2e4", t.state.seq, lag=80))
        assert moved.tick == Tick(0, 10, 2_000, 302_000)

    def test_a_delay_alone_is_a_limit_for_each_move(self, table: Make) -> None:
        t = table(control=Control(0, delay=30_000))
        t.now += 29_999
        (moved,) = t.play("e2e4")
        assert moved.tick == Tick(0, 0, 0, 0)
        t.now += 30_000
        t.play("e7e5")
        assert left(t) == (0, 0)
        assert t.state.deadline() == t.now + 30_000 + LAG_QUOTA
        t.now += 30_001
        assert t.state.clocks.press(0, t.now, 0) is None

    def test_an_untimed_game_has_no_clocks(self, table: Make) -> None:
        t = table()
        (moved,) = t.play("e2e4")
        assert moved.tick is None
        assert t.state.deadline() is None


class TestFlag:
    def test_it_falls_when_the_time_and_the_quota_are_over(self, table: Make) -> None:
        t = table(control=Control(1_000))
        assert t.state.deadline() == t.now + 1_000 + LAG_QUOTA
        assert t.wait(1_000 + LAG_QUOTA - 1) == ()
        events = t.wait(1)
        assert events[0] == Flagged(0)
        assert isinstance(events[1], Finished)
        assert events[1].outcome.termination is Termination.TIME
        assert left(t) == (0, 1_000)
        assert t.state.deadline() is None

    def test_a_move_after_the_time_is_refused_though_the_alarm_has_not_rung(self, table: Make) -> None:
        t = table(control=Control(1_000))
        t.now += 1_000
        assert t.refused("white", Move("e2e4", t.state.seq)) == "flag_fallen"
        t.says("white", Move("e2e4", t.state.seq, lag=50))  # it was on its way in time

    def test_two_players_draw_if_the_other_cannot_mate(self, table: Make) -> None:
        t = table(position="8/8/8/4k3/8/8/8/K6R w - - 0 1", control=Control(1_000))
        events = t.wait(2_000)
        assert events[-1].outcome.winners == ()

    def test_among_four_the_flagged_is_out_and_the_next_clock_runs(self, table: Make) -> None:
        t = table("survivor", control=Control(1_000))
        t.play("h2h4")
        events = t.wait(1_100)
        assert events[0] == Flagged(1)
        assert t.turn == "yellow"
        assert left(t) == (1_000, 0, 1_000, 1_000)
        assert t.state.deadline() == t.now + 1_000 + LAG_QUOTA

    def test_a_vote_and_a_flag_may_end_together(self, table: Make) -> None:
        t = table("survivor", control=Control(VOTE_MS - LAG_QUOTA))
        t.propose("green", "draw")
        events = t.wait(VOTE_MS)
        assert events[:2] == (Closed(1, Closure.EXPIRED), Flagged(0))

    def test_resigning_out_of_turn_leaves_the_running_clock_alone(self, table: Make) -> None:
        t = table("survivor", control=DELAYED)
        since = t.state.clocks.since
        t.now += 5_000
        t.resign("green")
        assert t.state.clocks.since == since
        t.resign("red")
        assert t.state.clocks.since == t.now


class TestRestoring:
    def test_an_undo_brings_every_clock_back_to_that_ply(self, table: Make) -> None:
        t = table(control=FIVE_AND_TWO)
        seen = [left(t)]
        for move in ("e2e4", "e7e5", "g1f3", "b8c6"):
            t.now += 9_000
            t.play(move)
            seen.append(left(t))
        t.now += 4_000
        t.propose("white", "undo", 3)
        *_, undone = t.vote("black", True)
        assert left(t) == seen[1] == undone.left
        assert t.state.clocks.since == t.now
        t.propose("white", "redo", 2)
        *_, redone = t.vote("black", True)
        assert left(t) == seen[3] == redone.left
        t.propose("white", "undo", 3)
        t.vote("black", True)
        assert left(t) == seen[0]

    def test_a_flag_can_be_undone(self, table: Make) -> None:
        t = table("survivor", control=Control(1_000))
        t.now += 300
        t.play("h2h4")
        before = left(t)
        t.wait(1_100)
        t.play("h13h12")
        t.propose("red", "undo", 2)
        for name in ("blue", "yellow", "green"):
            t.vote(name, True)
        assert left(t) == (1_000, 1_000, 1_000, 1_000) != before
        assert t.state.position.alive == (0, 1, 2, 3)


class TestCredit:
    def test_an_outage_is_given_back_to_whose_clock_ran(self, table: Make) -> None:
        t = table(control=FIVE_AND_TWO)
        t.play("e2e4")
        start = t.now
        t.now += 60_000
        assert t.says("", Credit(start - 5_000, start + 20_000)) == (Credited(1, 20_000, start + 20_000),)
        assert left(t)[1] == 320_000
        t.play("e7e5")
        assert left(t)[1] == 320_000 - 60_000 + 2_000

    def test_once_only(self, table: Make) -> None:
        t = table(control=FIVE_AND_TWO)
        start = t.now
        t.now += 60_000
        t.says("", Credit(start, start + 20_000))
        assert t.says("", Credit(start, start + 20_000)) == ()
        assert t.says("", Credit(start, start + 25_000)) == (Credited(0, 5_000, start + 25_000),)

    @pytest.mark.parametrize("control", [None, FIVE_AND_TWO])
    def test_nothing_where_no_clock_ran(self, table: Make, control: Control | None) -> None:
        t = table(control=control)
        t.resign("white")
        assert t.says("", Credit(0, t.now)) == ()


# -- every millisecond accounted for ----------------------------------------------------------


@settings(max_examples=75)
@given(
    seed=st.integers(0, 2**32),
    variant=st.sampled_from(["standard", "survivor"]),
    control=st.sampled_from([Control(20_000), Control(8_000, 1_500), Control(6_000, 0, 2_000)]),
)
def test_time_is_conserved_over_any_interleaving(seed: int, variant: str, control: Control) -> None:
    """The sums of the events match the clocks, and never exceed the elapsed time."""
    random = Random(seed)
    now = 1_000_000
    state = None
    log: list[Decision] = []

    def ask(command: object, by: str) -> tuple[object, ...]:
        nonlocal state
        verdict = decide(state, command, by, now)  # type: ignore[arg-type]
        if isinstance(verdict, Rejection) or not verdict:
            return ()
        log.append(Decision(len(log) + 1, now, by, str(len(log)), verdict))
        state = evolve(state, log[-1])
        return verdict

    ask(Create(variant, control=control), "host")
    assert state is not None
    names = state.position.seats
    for name in names:
        ask(Sit(name, name), name)
    ledger = [control.base] * len(names)
    spent_and_lag = 0
    started = now
    shown = {0: tuple(ledger)}
    for _ in range(80):
        if state.status is Status.FINISHED:
            break
        now += random.choice([0, 1, 50, 700, 3_000])
        due = state.deadline()
        if due is not None and due <= now:
            events = ask(Expire(), "")
            assert events, "what is due happens"
        else:
            who = random.choice(names)
            kind = random.choice(list(ProposalKind)[:3])
            proposal = state.proposals
            command, by = random.choices(
                [
                    (Move(random.choice(state.position.legal_texts()), state.seq, random.choice([0, 30, 500])), None),
                    (Propose(kind, state.seq, None if kind is ProposalKind.DRAW else random.randint(1, 4)), who),
                    (Vote(max(1, proposal), random.random() < 0.9), who),
                    (Resign(), who),
                    (Abort(), who),
                ],
                [70, 15, 60, 1, 0.2],
            )[0]
            events = ask(command, by or names[state.position.turn])
        for event in events:
            if isinstance(event, Moved):
                assert event.tick is not None
                ledger[event.seat] += event.tick.gained - event.tick.spent
                spent_and_lag += event.tick.spent
                assert ledger[event.seat] == event.tick.left > 0
            elif isinstance(event, Flagged):
                ledger[event.seat] = 0
            elif type(event).__name__ in ("Undone", "Redone"):
                ledger = list(event.left)  # type: ignore[attr-defined]
                assert tuple(ledger) == shown[event.ply]  # type: ignore[attr-defined]
        if any(isinstance(event, Moved) for event in events):
            shown = {ply: clocks for ply, clocks in shown.items() if ply < state.ply} | {state.ply: tuple(ledger)}
        elif events and type(events[0]).__name__ in ("Resigned", "Flagged"):
            shown[state.ply] = tuple(ledger)
        assert state.clocks is not None
        assert state.clocks.left == tuple(ledger)
        assert min(state.clocks.left) >= 0
        assert spent_and_lag <= now - started
