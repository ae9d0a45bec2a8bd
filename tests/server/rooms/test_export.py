"""Games as text: all moves are there, and undone moves are variations."""

import json
import random
from collections.abc import Callable

import pytest

from fourfold.engine.match import Decision, Rejection, State, Status, decide, evolve
from fourfold.engine.match.clock import Control
from fourfold.engine.match.commands import Command, Create, Move, Propose, Resign, Sit, Vote
from fourfold.engine.match.events import ProposalKind
from fourfold.engine.match.export import NoSuchFormat
from fourfold.engine.notation import pgn, pgn4, smith
from fourfold.protocol.projection import Attendance
from fourfold.server.rooms.export import export


class Played:
    """A match and its log."""

    def __init__(self, variant: str, control: Control | None = None, position: str | None = None) -> None:
        self.now = 1_700_000_000_000
        self.log: list[Decision] = []
        self.state: State | None = None
        self.ask(Create(variant, position, control=control), "host")
        assert self.state is not None
        for name in self.state.position.seats:
            self.ask(Sit(name.title(), name), name)

    def ask(self, command: Command, by: str) -> None:
        self.now += 1_500
        events = decide(self.state, command, by, self.now)
        assert not isinstance(events, Rejection), events
        self.log.append(Decision(len(self.log) + 1, self.now, by, "", events))
        self.state = evolve(self.state, self.log[-1])

    def play(self, *moves: str) -> None:
        for move in moves:
            assert self.state is not None
            self.ask(Move(move, self.state.seq), self.state.seat_name(self.state.position.turn))

    def carry(self, kind: ProposalKind, plies: int | None = None) -> None:
        assert self.state is not None
        electors = [self.state.seat_name(seat) for seat in self.state.position.alive]
        self.ask(Propose(kind, self.state.seq, plies), electors[0])
        for elector in electors[1:]:
            self.ask(Vote(self.state.proposals, True), elector)

    def text(self, format: str) -> str:
        assert self.state is not None
        return export("abc", self.log, self.state, Attendance({1: 7}, 3, 60_000), format)


def test_pgn_with_clocks_and_what_was_undone() -> None:
    game = Played("standard", Control(300_000, 2_000))
    game.play("e2e4", "e7e5", "g1f3")
    game.carry(ProposalKind.UNDO, 2)
    game.play("c7c5", "g1f3")
    game.ask(Resign(), "black")
    text = game.text("pgn")
    assert "1. e4 {[%clk 0:05:00.5]} 1... c5 {[%clk 0:05:00.5]} ( 1... e5" in text
    assert '[White "White"]' in text
    assert '[TimeControl "300+2"]' in text
    assert '[Result "1-0"]' in text
    assert '[Termination "resignation"]' in text
    assert '[Date "2023.11.14"]' in text
    (read,) = pgn.read(text)
    assert read.failure is None
    assert [step.move.text for step in read.line.steps if step.move] == ["e2e4", "c7c5", "g1f3"]
    assert [step.move.text for step in read.line.steps[1].variations[0].steps if step.move] == ["e7e5", "g1f3"]


def test_what_was_undone_last_is_said_though_nothing_replaces_it() -> None:
    game = Played("standard")
    game.play("e2e4", "e7e5", "g1f3", "b8c6")
    game.carry(ProposalKind.UNDO, 3)
    assert "Undone: e7e5 g1f3 b8c6}" in game.text("pgn")
    game.carry(ProposalKind.REDO, 1)
    text = game.text("pgn")
    assert "Undone: g1f3 b8c6}" in text
    assert '[Result "*"]' in text


def test_what_was_undone_before_a_rematch_is_not_said_of_the_new_game() -> None:
    game = Played("standard")
    game.play("e2e4", "e7e5")
    game.carry(ProposalKind.UNDO, 1)
    game.ask(Resign(), "black")
    game.carry(ProposalKind.REMATCH)
    assert "Undone" not in game.text("pgn")


def test_undoing_twice_nests() -> None:
    game = Played("standard")
    game.play("e2e4", "e7e5", "g1f3")
    game.carry(ProposalKind.UNDO, 1)
    game.play("f2f4")
    game.carry(ProposalKind.UNDO, 2)
    game.play("c7c5")
    (read,) = pgn.read(game.text("pgn"))
    (first,) = read.line.steps[1].variations
    assert [step.move.text for step in first.steps if step.move] == ["e7e5", "f2f4"]
    assert [step.move.text for step in first.steps[1].variations[0].steps if step.move] == ["g1f3"]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    ("variant", "format", "reader"), [("standard", "pgn", pgn.read), ("survivor", "pgn4", pgn4.read)]
)
def test_random_games_come_back(variant: str, format: str, reader: Callable[..., object], seed: int) -> None:
    chance = random.Random(seed)
    game = Played(variant)
    for _ in range(120):
        assert game.state is not None
        if game.state.status is Status.FINISHED:
            break
        if chance.random() < 0.05 and game.state.ply:
            game.carry(ProposalKind.UNDO, chance.randint(1, min(4, game.state.ply)))
        elif chance.random() < 0.01 and len(game.state.position.alive) > 2:
            game.ask(Resign(), game.state.seat_name(chance.choice(game.state.position.alive)))
        else:
            game.play(chance.choice(game.state.position.legal_texts()))
    (read,) = reader(game.text(format))  # type: ignore[misc]
    assert read.failure is None
    assert read.position.fen() == game.state.position.fen()
    moves = [step.move for step in game.state.line if step.move is not None]
    assert [step.move.text for step in read.line.steps if step.move] == moves


def test_smith_fen_and_json() -> None:
    game = Played("standard")
    game.play("e2e4", "d7d5", "e4d5")
    assert game.text("fen") == game.state.position.fen()  # type: ignore[union-attr]
    assert "e2e4 d7d5\ne4d5p\n" in game.text("smith")
    assert smith.read(game.text("smith")).failure is None
    told = json.loads(game.text("json"))
    assert told["room"]["moves"] == ["e2e4", "d7d5", "e4d5"]
    here = [(seat["online"], seat["since"]) for seat in told["room"]["seats"]]
    assert (here, told["room"]["watchers"]) == ([(True, None), (False, 7)], 3)
    assert [update["seq"] for update in told["updates"]] == list(range(1, len(game.log) + 1))


def test_a_format_of_the_other_game_is_refused_with_those_there_are() -> None:
    with pytest.raises(NoSuchFormat, match="pgn, smith, fen, json"):
        Played("standard").text("pgn4")
    with pytest.raises(NoSuchFormat, match="pgn4, smith, fen, json"):
        Played("survivor").text("pgn")


def test_of_a_series_the_latest_game() -> None:
    game = Played("standard")
    game.play("e2e4")
    game.ask(Resign(), "white")
    state = game.state
    assert state is not None
    game.ask(Propose(ProposalKind.REMATCH, state.seq), "white")
    game.ask(Vote(1, True), "black")
    game.ask(Move("d2d4", game.state.seq), "black")  # type: ignore[union-attr]
    text = game.text("pgn")
    assert "1. d4" in text
    assert '[Event "Fourfold series, game 2"]' in text
    assert '[White "Black"]' in text
