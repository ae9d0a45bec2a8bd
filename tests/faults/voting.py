"""The checker's rules of votes, undo and redo, for the events of a log."""

from tests.faults import playing
from tests.faults.game import Broken, Game, Place, Step, Vote, law, moves_in
from tests.faults.history import Frame

VOTE = 30_000
"""Milliseconds for which a vote is open."""

PAUSE = 600_000
"""Milliseconds for which a game is paused at most."""

COOLDOWN = 10_000
"""After the n-th refusal, n² times this many milliseconds pass before the next proposal of that seat."""


def proposed(game: Game, event: Frame) -> None:
    kind, by, position = event["kind"], event["seat"], game.place.position
    law(game.vote is None, f"vote {event['proposal']} is opened while another is open")
    law(event["proposal"] == game.votes + 1, f"vote {event['proposal']} follows vote {game.votes}")
    game.by(by)
    if kind != "undo":
        game.player_only(f"propose a {kind}")
    alive = [game.names[index] for index in position.alive]
    law(game.status == ("finished" if kind == "rematch" else "playing"), f"{kind} while {game.status}")
    law(kind == "rematch" or by in alive, f"{by} is eliminated")
    electorate, absentee = event["electorate"], event["absentee"]
    asked = {*(game.names if kind == "rematch" else alive)}
    if kind in ("stand_in", "remove"):
        law(absentee in alive and absentee != by, f"about {absentee}")
        law(absentee not in electorate, "not the player of the vote")
        law(kind == "remove" or len(game.names) > 2 or not game.rated, "a rated game for two has no stand-in")
        law(game.absence is not None, "nobody counts as absent in so slow a game")
        law(game.may_be_deserted(absentee), f"{absentee} has not been away for long")
        law(game.paused is None, "nobody counts as absent during a pause")
    else:
        law(absentee is None, "this kind of vote is about no player")
    if kind in ("pause", "resume"):
        law(game.clock is not None, "only games with clocks are paused")
        law((game.paused is None) == (kind == "pause"), f"{kind} of a game that is paused until {game.paused}")
    if kind in ("undo", "redo"):
        line, _ = reached(game, kind, event["plies"])
        there = line[-1].after if line else game.start
        target = (moves_in(line), there.position.fen())
        law((event["ply"], event["position"]) == target, f"the target is {target}")
        asked |= {game.names[index] for index in there.position.alive}
    else:
        law((event["plies"], event["ply"], event["position"]) == (None, None, None), f"a {kind} has no target")
    law(by in electorate and asked.issuperset(electorate), f"the electorate {electorate} is not among {asked}")
    law(electorate == [one for one in game.names if one in electorate], "the electorate is in seat order")
    for one in asked.difference(electorate):
        law(kind in ("stand_in", "remove"), f"{one} is not asked, but a {kind} asks absent players too")
        law(game.may_be_absent(one), f"{one} is not asked, but has not been away for long")
    law(event["deadline"] <= game.at + VOTE + game.slack, "the deadline is too far")
    sent = game.sent(game.entry.by, game.entry.key)
    law(sent is None or event["deadline"] >= sent + VOTE - game.slack, "the deadline is too near")
    seat = game.seats[by]
    wait = seat.refused_at + COOLDOWN * seat.refusals**2 - game.at
    law(not seat.refusals or wait <= game.slack, f"{by} was refused, and must wait for {wait} ms")
    game.votes += 1
    game.vote = Vote({name: value for name, value in event.items() if name != "type"}, {by: True})
    law(len(electorate) > 1 or game.next_is("closed"), "no other player can be asked")


def voted(game: Game, event: Frame) -> None:
    vote, seat = _open(game, event), event["seat"]
    law(seat in vote.frame["electorate"], f"{seat} has no vote")
    law(seat not in vote.votes, f"{seat} has already answered")
    if event["accept"] and vote.frame["kind"] != "undo":
        game.player_only(f"agree to a {vote.frame['kind']}")
    if game.mover is not None:
        law(seat == game.mover and vote.frame["kind"] == "draw" and not event["accept"], "a move answers no such vote")
    else:
        game.by(seat)
        law(game.index == 0, "only one answer per decision")
        asked = game.sent(game.entry.by, game.entry.key)
        law(asked is None or asked <= vote.frame["deadline"] + game.slack, "answered after the deadline")
    vote.votes = {**vote.votes, seat: event["accept"]}
    law(event["accept"] or game.next_is("closed"), "a no ends the vote")


def closed(game: Game, event: Frame) -> None:
    vote, how = _open(game, event), event["outcome"]
    frame, votes = vote.frame, vote.votes
    if how == "carried":
        law(votes == dict.fromkeys(frame["electorate"], True), f"passed by {votes} of {frame['electorate']}")
        game.carried = frame
    elif how == "refused":
        law(False in votes.values(), "nobody has said no")
    elif how == "expired":
        law(game.at >= frame["deadline"] - game.slack, "the deadline is still to come")
    elif how == "withdrawn":
        game.by(frame["seat"])
        law(game.index == 0, "a withdrawal is the only event of its decision")
    else:
        law(how == "superseded", f"{how} is not a way to end a vote")
        on_the_line = frame["kind"] in ("undo", "redo") and game.steps
        over = game.place.position.outcome is not None or game.coming("finished")
        back = frame["absentee"] is not None and game.seats[frame["absentee"]].player == game.entry.by
        party = {*frame["electorate"], frame["absentee"]}
        resumed = frame["kind"] == "resume" and game.coming("resumed")
        law(on_the_line or over or back or resumed or game.gone & party, "superseded by no event")
    seat = game.seats[frame["seat"]]
    if how in ("refused", "expired") or (how == "withdrawn" and seat.withdrew):
        seat.refusals += 1
        seat.refused_at = game.at
    seat.withdrew |= how == "withdrawn"
    game.vote = None


def undone(game: Game, event: Frame) -> None:
    _restored(game, event, game.take("undo"))


def redone(game: Game, event: Frame) -> None:
    vote = game.take("redo")
    line, _ = reached(game, "redo", vote["plies"])
    moves = [step.move for step in line[len(game.line) :] if step.move is not None]
    law(event["moves"] == moves, f"the moves to redo are {moves}")
    _restored(game, event, vote)


def paused(game: Game, event: Frame) -> None:
    game.take("pause")
    game.playing()
    law(game.since is not None and game.paused is None, "the game is paused already")
    decided, sent = event["until"] - PAUSE, game.sent(game.entry.by, game.entry.key)
    earliest = (game.at if sent is None else sent) - game.slack
    law(earliest <= decided <= game.at + game.slack, f"paused until {event['until']}")
    playing.stop(game, event["left"], decided)
    game.since, game.paused = None, event["until"]


def resumed(game: Game, _event: Frame) -> None:
    game.playing()
    law(game.paused is not None, "the game was not paused")
    if game.carried is not None:
        game.take("resume")
    else:
        law(game.paused is not None and game.at >= game.paused - game.slack, f"the pause lasts until {game.paused}")
    game.since, game.paused = game.at, None


def _restored(game: Game, event: Frame, vote: Frame) -> None:
    game.playing()
    line, undone = reached(game, vote["kind"], vote["plies"])
    there = line[-1].after if line else game.start
    left = None if game.clock is None else playing.with_halves(game, line, there.left)
    target = {
        "plies": vote["plies"], "ply": vote["ply"], "position": there.position.fen(), "out": there.out, "left": left
    }  # fmt: skip
    wrong = {name: event[name] for name in target if event[name] != target[name]}
    law(not wrong, f"restored {wrong} instead of {target}")
    game.line, game.undone = line, undone
    game.place = there if left is None else Place(there.position, there.out, left)
    if game.clock is not None and game.paused is None:
        game.since = game.at


def reached(game: Game, kind: str, plies: int) -> tuple[list[Step], list[Step]]:
    """The line and the redoable moves, `plies` moves back or forth. Departures, which are no moves, stay where they
    were: before the first move that comes or goes."""
    line, undone = list(game.line), list(game.undone)
    law(plies > 0, f"{plies} plies")
    if kind == "undo":
        law(plies <= moves_in(line), f"there are no {plies} moves")
        while plies:
            undone.insert(0, line.pop())
            plies -= undone[0].move is not None
    else:
        law(plies <= moves_in(undone), f"there are no {plies} moves")
        while undone and (plies or undone[0].move is None):
            line.append(undone.pop(0))
            plies -= line[-1].move is not None
    return line, undone


def _open(game: Game, event: Frame) -> Vote:
    if game.vote is None or game.vote.frame["proposal"] != event["proposal"]:
        raise Broken("unlawful", f"vote {event['proposal']} is not open")
    return game.vote
