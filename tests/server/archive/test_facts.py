"""The searchable facts match the games."""

import pytest

from fourfold.engine.decisions import Decision
from fourfold.engine.match.commands import Abort, Propose, Resign, Vote
from fourfold.engine.match.events import Moved, ProposalKind
from fourfold.engine.match.terms import Terms
from fourfold.server.archive.facts import SeatFacts, fold
from fourfold.server.storage.event_log import DamagedEntry
from tests.server.archive.played import START, mate, of_four


async def test_a_game_of_two() -> None:
    game = mate()
    state, (facts,) = await fold("abc", game.decisions)
    assert state == game.state
    assert (facts.room, facts.number, facts.variant, facts.public, facts.control) == ("abc", 1, "standard", True, None)
    assert (facts.reason, facts.winners, facts.plies) == ("checkmate", ("black",), 4)
    assert (facts.started, facts.ended) == (START + 2000, START + 6000)
    assert facts.position == state.position.fen()
    assert facts.seats == (
        SeatFacts("white", "ann", "Ann", "lost", 2, None),
        SeatFacts("black", "bob", "Bob", "won", 1, None),
    )


async def test_a_game_of_four() -> None:
    _, (facts,) = await fold("abc", of_four().decisions)
    assert [seat.seat for seat in facts.seats] == ["red", "blue", "yellow", "green"]
    assert [seat.result for seat in facts.seats] == ["won" if seat.place == 1 else "lost" for seat in facts.seats]
    assert facts.winners == tuple(seat.seat for seat in facts.seats if seat.place == 1) != ()
    assert all(seat.points is not None for seat in facts.seats)
    assert facts.control is not None and facts.control.base == 60_000


async def test_each_game_of_a_series_is_one() -> None:
    game = mate(archived=False)
    assert game.state is not None
    game.do(Propose(ProposalKind.REMATCH, game.state.seq), "ann")
    game.do(Vote(game.state.proposal.number, True), "bob")  # type: ignore[union-attr]
    game.move("e2e4")
    game.do(Resign(), "ann")
    _, (first, second) = await fold("abc", game.decisions)
    assert (first.number, second.number) == (1, 2)
    assert [seat.player for seat in second.seats] == ["bob", "ann"]  # they changed seats
    assert (second.plies, second.reason, second.winners) == (1, "resignation", ("white",))
    assert second.started > first.ended


async def test_a_draw_and_an_aborted_game() -> None:
    game = mate(archived=False)
    assert game.state is not None
    game.do(Propose(ProposalKind.REMATCH, game.state.seq), "ann")
    game.do(Vote(game.state.proposal.number, True), "bob")  # type: ignore[union-attr]
    game.do(Propose(ProposalKind.DRAW, game.state.seq), "ann")
    game.do(Vote(game.state.proposal.number, True), "bob")  # type: ignore[union-attr]
    game.do(Propose(ProposalKind.REMATCH, game.state.seq), "ann")
    game.do(Vote(game.state.proposal.number, True), "bob")  # type: ignore[union-attr]
    game.do(Abort(), "bob")
    _, games = await fold("abc", game.decisions)
    assert [[seat.result for seat in facts.seats] for facts in games[1:]] == [["drawn"] * 2, ["aborted"] * 2]


@pytest.mark.parametrize("terms", [{"visibility": "private"}, {"terms": Terms(lock="secret")}])
async def test_a_private_game_is_not_public(terms: dict[str, object]) -> None:
    _, (facts,) = await fold("abc", mate(**terms).decisions)
    assert not facts.public


async def test_what_cannot_have_happened_is_damage() -> None:
    decisions = mate().decisions
    decisions[5] = Decision(6, decisions[5].at, "ann", "key", (Moved(0, "e5e5", 3),))
    with pytest.raises(DamagedEntry):
        await fold("abc", decisions)
