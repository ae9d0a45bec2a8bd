"""A log without a player is the same game of somebody else."""

import pytest

from fourfold.engine.match import replay
from fourfold.engine.match.commands import Create, Propose, Vote
from fourfold.engine.match.events import ProposalKind
from fourfold.server.maintenance.anonymity import NAME, new_id, without
from fourfold.server.storage.records import read
from tests.server.archive.played import Game, mate, of_four


@pytest.mark.parametrize("game", [mate(1), of_four(2)], ids=["two", "four"])
def test_all_but_the_player_stays(game: Game) -> None:
    other = new_id()
    entries = without(game.entries, "bob", other)
    assert not [entry for entry in entries if b"bob" in entry.packed.lower()]
    state, before = replay(read(entries)), replay(game.decisions)
    assert (state.position, state.outcome, state.ply, state.at) == (
        before.position, before.outcome, before.ply, before.at,
    )  # fmt: skip
    names = {seat.player: seat.name for seat in state.seats}
    assert names.pop(other) == NAME
    assert names == {seat.player: seat.name for seat in before.seats if seat.player != "bob"}


def test_the_log_does_not_know_where_the_player_came_from() -> None:
    game = Game(Create("standard"), ["ann", "bob"], marks=("digest", "other"))
    seats = replay(read(without(game.entries, "ann", new_id()))).seats
    assert [seat.mark for seat in seats] == ["", "other"]


def test_what_does_not_name_the_player_is_left_as_it_was() -> None:
    game = mate(3)
    assert without(game.entries, "nobody", new_id()) == game.entries


def test_the_host_and_the_players_of_a_rematch_too() -> None:
    game = Game(Create("standard", seed=9), ["ann", "bob"])
    for text in ("f2f3", "e7e5", "g2g4", "d8h4"):
        game.move(text)
    assert game.state is not None
    game.do(Propose(ProposalKind.REMATCH, game.state.seq), "ann")
    game.do(_yes(game), "bob")
    assert game.state.game == 2
    state = replay(read(without(game.entries, "ann", "former:x")))
    assert state.host == "former:x" and {seat.player for seat in state.seats} == {"former:x", "bob"}
    assert {seat.name for seat in state.seats} == {NAME, "Bob"}


def test_a_log_of_an_older_server_has_no_seals_afterwards_either() -> None:
    game = Game(Create("standard", seed=4), ["ann", "bob"], sealed=False)
    entries = without(game.entries, "ann", new_id())
    assert all(entry.sealed is None for entry in entries)
    assert replay(read(entries)).seats[0].name == NAME


def _yes(game: Game) -> Vote:
    assert game.state is not None and game.state.proposal is not None
    return Vote(game.state.proposal.number, accept=True)
