"""A table on the client is the same, however the client received the log.

The logs come from the real judge (`fourfold.engine.match`), the frames from the server's own translation.
"""

from dataclasses import dataclass, field, replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourfold.clients.table import Gap, Table
from fourfold.engine.match import Decision, Rejection, State, Status, decide, evolve
from fourfold.engine.match.clock import Control
from fourfold.engine.match.commands import (
    Abort,
    Command,
    Create,
    Credit,
    Expire,
    Invite,
    Move,
    Propose,
    Resign,
    Return,
    Sit,
    Stand,
    Vote,
)
from fourfold.engine.match.events import ProposalKind
from fourfold.engine.match.history import moves_in
from fourfold.protocol import projection
from fourfold.protocol.codec import JSON, MSGPACK
from fourfold.protocol.from_server import Clocks, Room, Update

EVERYBODY = projection.Attendance()

# With few pieces, random play reaches ends, eliminations, undone eliminations and draws.
STARTS = [
    ("standard", None),
    ("standard", "k7/8/1K6/8/8/8/8/1Q6 w - - 0 1"),
    ("survivor", None),
    ("ffa", None),
    ("teams", None),
    (
        "survivor",
        "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-x,x,x,8,x,x,x/x,x,x,3,yK,3,yR,x,x,x/x,x,x,8,x,x,x/14/bK,6,yQ,6/14/"
        "7,bQ,6/4,gR,9/14/6,rQ,5,gQ,gK/2,bR,11/x,x,x,8,x,x,x/x,x,x,rR,7,x,x,x/x,x,x,4,rK,3,x,x,x",
    ),
]


@dataclass
class Log:
    """A match with all frames that its followers received."""

    states: list[State] = field(default_factory=list)
    updates: list[Update] = field(default_factory=list)
    received: list[Update] = field(default_factory=list)
    """The updates after the codec."""
    now: int = 0

    def ask(self, command: Command, by: str) -> bool:
        """Send a command; return False if it was refused."""
        state = self.states[-1] if self.states else None
        self.now += 1000
        events = decide(state, command, by, self.now)
        if isinstance(events, Rejection) or not events:
            return False
        decision = Decision(len(self.states) + 1, self.now, by, "", events)
        after = evolve(state, decision)
        self.states.append(after)
        self.updates.append(projection.update("room", after.position.seats, decision))
        frame = MSGPACK.read_frame(MSGPACK.encode(self.updates[-1]))
        assert isinstance(frame, Update)
        self.received.append(frame)
        return True

    def snapshot(self, seq: int) -> Table:
        """The frames for a client that comes at version `seq`, through the codec."""
        frame = JSON.read_frame(JSON.encode(projection.snapshot("room", self.states[seq - 1], EVERYBODY, 0)))
        assert isinstance(frame, Room)
        return Table.of(frame)

    def after(self, table: Table) -> Table:
        """The final table of a client that had this table, after all later (and some earlier) updates."""
        for frame in self.received:
            table = table.after(frame)
        return table


def played(variant: str, position: str | None, seed: int, length: int) -> Log:
    """A match of random commands: mostly moves, some votes and undos, few resignations."""
    random = Random(seed)
    log = Log()
    control = random.choice([None, Control(60_000), Control(20_000, 5_000), Control(20_000, 0, 3_000)])
    assert log.ask(Create(variant, position, control=control, seed=seed), "host")
    names = log.states[-1].position.seats
    if random.random() < 0.3:
        log.ask(Sit("A guest"), "guest")
        log.ask(Stand(), "guest")
    if random.random() < 0.3:
        assert log.ask(Invite(3), "host")
    for seat in names:
        assert log.ask(Sit(f"Player of {seat}", seat), seat)
    for _ in range(length):
        state = log.states[-1]
        if state.status is Status.FINISHED:
            if random.random() < 0.5:
                break
            assert log.ask(Propose(ProposalKind.REMATCH, state.seq), str(state.seats[0].player))
            for seat in state.seats[1:]:
                assert log.ask(Vote(log.states[-1].proposals, True), str(seat.player))
            continue
        proposal = state.proposal
        waiting = [] if proposal is None else [seat for seat in proposal.electorate if proposal.vote_of(seat) is None]
        weights = (
            {"move": 8, "vote": 100, "expire": 1}
            if waiting
            else {
                "move": 80,
                "propose": 60 if state.undone else 20,
                "resign": 1,
                "abort": 0.3,
                "absence": 6,
                "credit": 4,
            }
        )
        by = str(state.seats[random.choice(waiting or state.position.alive)].player)
        match random.choices(list(weights), list(weights.values()))[0]:
            case "move":
                mover = str(state.seats[state.position.turn].player)
                log.ask(Move(random.choice(sorted(state.position.legal_texts())), state.seq), mover)
            case "propose":
                what = random.choices(
                    [ProposalKind.UNDO, ProposalKind.REDO, ProposalKind.DRAW], [6, 30 if state.undone else 0, 1]
                )[0]
                most = moves_in(state.undone) if what is ProposalKind.REDO else 6
                plies = None if what is ProposalKind.DRAW else random.randint(1, most)
                log.ask(Propose(what, state.seq, plies), by)
            case "vote":
                assert proposal is not None
                log.ask(
                    Vote(proposal.number, random.random() < (0.6 if proposal.kind is ProposalKind.DRAW else 0.97)), by
                )
            case "expire":
                log.now += 60_000
                log.ask(Expire(), "")
            case "resign":
                log.ask(Resign(), by)
            case "abort":
                log.ask(Abort(), by)
            case "credit":
                log.ask(Credit(log.now - 3000, log.now - 1000), "")
            case "absence":
                absent(log, random, by)
    return log


def absent(log: Log, random: Random, by: str) -> None:
    """A player is away. The others vote for a stand-in or a removal, and the player may come back at any point."""
    state = log.states[-1]
    seat = random.choice(state.position.alive)
    player, name = str(state.seats[seat].player), state.position.seats[seat]
    kind, level = random.choice([(ProposalKind.STAND_IN, 2), (ProposalKind.STAND_IN, 4), (ProposalKind.REMOVE, None)])
    others = [str(state.seats[other].player) for other in state.position.alive if other != seat]
    if log.ask(Propose(kind, state.seq, seat=name, level=level, absent={seat: 0}), others[0]):
        for other in others[1:]:
            log.ask(Vote(log.states[-1].proposals, True), other)
        if random.random() < 0.5:
            log.ask(Sit("Level", bot=True, level=level), f"bot:{name}")
        if random.random() < 0.7:
            log.ask(Return(), player)


matches = st.tuples(st.sampled_from(STARTS), st.integers(0, 2**32), st.integers(0, 60))


@settings(max_examples=30)
@given(matches)
def test_a_snapshot_at_any_version_and_the_rest_equal_the_whole(match: tuple) -> None:
    """At every third version, which one begins with differs between matches."""
    (variant, position), seed, length = match
    log = played(variant, position, seed, length)
    last = len(log.states)
    whole = log.after(log.snapshot(1))
    assert whole.seq == last
    for seq in range(1 + seed % 3, last + 1, 3):
        assert log.after(log.snapshot(seq)) == whole


@settings(max_examples=30)
@given(matches)
def test_every_step_holds_what_a_snapshot_then_says(match: tuple) -> None:
    (variant, position), seed, length = match
    log = played(variant, position, seed, length)
    table = log.snapshot(1)
    for update in log.updates[1:]:
        table = table.after(update)
        there = log.snapshot(table.seq)
        assert table == there
        assert table.turn == there.turn
        if table.status == "playing":
            assert sorted(table.position.legal_texts()) == sorted(log.states[table.seq - 1].position.legal_texts())


def test_what_is_known_is_ignored_and_a_gap_is_an_error() -> None:
    log = played("standard", None, 9, 30)
    table = log.snapshot(10)
    assert table.after(log.updates[9]) is table
    assert table.after(log.updates[4]) is table
    with pytest.raises(Gap, match=r"^After version 10 came 12\.$"):
        table.after(log.updates[11])


def test_what_a_clock_shows() -> None:
    """The delay of a move does not show, unless there is no other time."""
    shown = []
    for base in (60_000, 0):
        clocks = Clocks(base, 0, 15_000, {"white": base, "black": base}, since=1000)
        table = replace(played("standard", None, 0, 0).snapshot(3), clocks=clocks)
        assert table.turn == "white"
        shown.append([table.left("white", 11_000), table.left("white", 21_000), table.left("black", 21_000)])
    assert shown == [[60_000, 55_000, 60_000], [5_000, 0, 15_000]]


def test_tables_of_different_games_differ() -> None:
    one, other = (played("standard", None, seed, 30) for seed in (7, 8))
    assert one.after(one.snapshot(1)) != other.after(other.snapshot(1))


def paused_without_blue() -> Log:
    """Blue, to move, resigns in a pause. Its king walks at once, and no clock runs."""
    games = (played("ffa", None, seed, 0) for seed in range(9))
    log = next(log for log in games if log.states[-1].clocks is not None)
    assert log.ask(Move("h2h3", len(log.states)), "red")
    for vote, voter in enumerate(("red", "blue", "yellow", "green")):
        asked = Vote(1, True) if vote else Propose(ProposalKind.PAUSE, len(log.states))
        assert log.ask(asked, voter)
    assert log.states[-1].paused and log.ask(Resign(), "blue")
    return log


def test_no_clock_runs_when_a_dead_king_walks_in_a_pause() -> None:
    log = paused_without_blue()
    table = log.after(log.snapshot(1))
    assert table.turn == "yellow" and table.clocks is not None and table.clocks.since is None
    assert table == log.snapshot(len(log.states))


def test_an_undone_checkmate_puts_the_player_back_in() -> None:
    """The property tests also reach this case; here it is certain."""
    log = played("survivor", None, 1, 0)
    for move in ["h2h3", "b5d5", "h13h11", "m6k6", "h3h4", "b9c9", "i14c8", "n7i2"]:
        assert log.ask(Move(move, len(log.states)), log.states[-1].seat_name(log.states[-1].position.turn))
    mated = log.after(log.snapshot(1))
    assert mated.out == {"red": "checkmate"}
    assert log.ask(Propose(ProposalKind.UNDO, len(log.states), 1), "blue")
    for voter in ("red", "yellow", "green"):
        assert log.ask(Vote(1, True), voter)
    undone = log.after(mated)
    assert undone == log.snapshot(len(log.states))
    assert (undone.out, undone.redo, undone.turn) == ({}, 1, "green")
    assert log.ask(Propose(ProposalKind.REDO, len(log.states), 1), "red")
    for voter in ("blue", "yellow", "green"):
        assert log.ask(Vote(2, True), voter)
    redone = log.after(undone)
    assert redone == log.snapshot(len(log.states))
    assert (redone.out, redone.redo, redone.turn) == ({"red": "checkmate"}, 0, "blue")


def test_points_for_a_king_that_was_cornered_before_the_snapshot() -> None:
    """Red mates green's king, which green leaves alone only later. No position says who had cornered it."""
    log = played("ffa", "classic", 1, 0)
    for move in ["h2h3", "b7c7", "d13d12", "m7k7", "g1m7", "b9c9", "i13i12"]:
        assert log.ask(Move(move, len(log.states)), log.states[-1].seat_name(log.states[-1].position.turn))
    came = len(log.states)
    assert log.ask(Resign(), "green")
    assert log.states[-1].position.points == (20, 0, 0, 0)
    assert log.after(log.snapshot(came)) == log.after(log.snapshot(1)) == log.snapshot(len(log.states))
