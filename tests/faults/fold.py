"""Replays a game from its log a second time, by separate rules, and checks every step.

It takes entries in the names of the wire protocol and does not use `fourfold.engine.match`. Undo, voting rights and
clocks are implemented a second time, in `playing`, `voting` and `seating`, so that a mistake there is not repeated
here.
"""

from collections.abc import Callable

from tests.faults import playing, seating, voting
from tests.faults.game import Game, Vote, law
from tests.faults.history import Entry, Frame

_EVENTS: dict[str, Callable[[Game, Frame], None]] = {
    "created": seating.created,
    "seated": seating.seated,
    "renamed": seating.renamed,
    "unseated": seating.unseated,
    "invited": seating.invited,
    "stood_in": seating.stood_in,
    "returned": seating.returned,
    "started": seating.started,
    "finished": seating.finished,
    "rematched": seating.rematched,
    "archived": seating.archived,
    "adjourned": seating.adjourned,
    "moved": playing.moved,
    "resigned": playing.resigned,
    "flagged": playing.flagged,
    "removed": playing.removed,
    "credited": playing.credited,
    "eliminated": playing.eliminated,
    "paused": voting.paused,
    "resumed": voting.resumed,
    "gave": playing.gave,
    "berserked": playing.berserked,
    "proposed": voting.proposed,
    "voted": voting.voted,
    "closed": voting.closed,
    "undone": voting.undone,
    "redone": voting.redone,
}

_NEW_POSITION = {"started", "moved", "resigned", "flagged", "removed", "undone", "redone", "resumed", "finished"}
"""Events after which a player must look at the board again."""


def apply(game: Game, entry: Entry) -> None:
    """Take the next entry. Raises `Broken` if it breaks a rule."""
    law(entry.seq == game.seq + 1, f"entry {entry.seq} follows entry {game.seq}")
    law(entry.at >= game.at, "the log's time goes backwards")
    law(not game.archived, "the log goes on after the game was archived")
    before = game.vote
    asked = {} if before is None else before.votes
    events = game.begin(entry)
    law(events, "a decision without events")
    law((events[0]["type"] == "created") == (game.seq == 1), "a log begins with its creation, and has only one")
    for game.index, event in enumerate(events):
        law(event["type"] in _EVENTS, f"there is no event {event['type']}")
        _EVENTS[event["type"]](game, event)
        if event["type"] in _NEW_POSITION:
            game.position_seq = entry.seq
    game.seen[entry.by] = entry.at
    law(game.carried is None, "a passed vote was not carried out")
    law(game.told == game.due, f"eliminated are {game.due}, reported were {game.told}")
    _check_rest(game)
    if before is not None and game.vote is before:
        _check_open_vote(game, before, asked)


def _check_rest(game: Game) -> None:
    """Raise `Broken` if an entry lacks something that the rules require of it."""
    position = game.place.position
    if game.status == "playing":
        law(position.outcome is None, f"the game is over: {position.outcome}")
        law(position.walk is None, "a dead king should have walked")
    law(game.status != "open" or any(s.player is None for s in game.seats.values()), "all sit, but no game begins")


def _check_open_vote(game: Game, vote: Vote, asked: dict[str, bool]) -> None:
    """A vote that was open before, among the `asked` players, and still is."""
    frame = vote.frame
    if frame["kind"] in ("undo", "redo"):
        law(not game.steps, f"a step leaves vote {frame['proposal']} on an {frame['kind']} open")
    party = {*frame["electorate"], frame["absentee"]}
    law(not game.gone & party, "an elector or the player of the vote has gone, but the vote stays open")
    law(game.status == "playing" or frame["kind"] == "rematch", "the game is over, but its vote stays open")
    if frame["kind"] == "draw" and game.mover in frame["electorate"]:
        law(game.mover in asked, "a player who moves instead of answering a draw has said no, but the vote stays open")
    law(set(vote.votes) != set(frame["electorate"]), "all have answered, but the vote stays open")
    law(all(vote.votes.values()), "one has said no, but the vote stays open")
