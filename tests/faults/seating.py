"""The checker's rules of seats, and of how games begin and end, for the events of a log."""

import chess

from fourfold.engine.outcome import Outcome, Termination
from fourfold.engine.variants import opening
from tests.faults.game import Broken, Game, Place, Seat, law, moves_in
from tests.faults.history import Frame
from tests.faults.playing import CHECKED_BY_OTHERS

YOUNG = 5
"""Rounds in which players can change their names, and people take seats over from the computers that fill a table."""


def created(game: Game, event: Frame) -> None:
    game.variant, game.host, game.clock = event["variant"], event["host"], event["clock"]
    game.rated = event.get("rated", True)
    game.delay = event.get("delay", 0)
    game.fill = event.get("fill", 0)
    law(game.entry.by == game.host, "the creator is the host")
    text = event["position"]
    where = {"setup": text} if text is not None and "/" not in text else {"position": text}
    position = opening(game.variant, **where, seed=event["seed"])
    game.names = position.seats
    game.seats = {name: Seat() for name in game.names}
    game.set_up = {name: "set_up" for index, name in enumerate(game.names) if index not in position.alive}
    left = {} if game.clock is None else dict.fromkeys(game.names, game.clock["base"])
    game.start = game.place = Place(position, {}, left)


def renamed(game: Game, event: Frame) -> None:
    seat = game.seats[event["seat"]]
    law(game.entry.by == seat.player, "players name themselves")
    law(seat.name != event["name"], "this is no other name")
    law(game.status != "finished", "the game is over")
    law(moves_in(game.line) < YOUNG * len(game.names), "the game is no longer young")
    seat.name = event["name"]


def gives_way(game: Game, name: str) -> bool:
    """Whether a seat is that of a computer that fills the table until people come."""
    fills = game.fill > 0 and (game.seats[name].player or "").startswith("bot:level")
    young = game.status == "playing" and game.game == 1 and moves_in(game.line) < YOUNG * len(game.names)
    return fills and young and game.names.index(name) in game.place.position.alive


def seated(game: Game, event: Frame) -> None:
    name, player = event["seat"], event["player"]
    free = game.status == "open" and game.seats[name].player is None
    law(free or (gives_way(game, name) and not player.startswith("bot:")), f"{name} is not free")
    law(game.entry.by == player, "players seat themselves")
    law(game.seat_of(player) is None, f"{player} has a seat")
    law(player not in game.kicked, f"the host has removed {player}")
    game.seats[name] = Seat(player, event["name"])


def unseated(game: Game, event: Frame) -> None:
    seat, by, kicked = game.seats[event["seat"]], game.entry.by, event.get("kicked", False)
    law(game.status == "open", "seats are given up only before the start")
    law(seat.player == by or (by == game.host and game.is_held(seat)), "players give up their own seats")
    law(kicked == (seat.player not in (None, by)), "only those whom the host removes are kept out")
    if kicked and seat.player is not None:
        game.kicked.add(seat.player)
    game.seats[event["seat"]] = Seat()


def invited(game: Game, event: Frame) -> None:
    seat = game.seats[event["seat"]]
    if game.status == "open":
        law(game.entry.by == game.host and seat.player is None, "the host invites to free seats")
    else:
        vote = game.take("stand_in")
        law((vote["absentee"], vote["level"]) == (event["seat"], event["level"]), "not the player of the vote")
    seat.invited, seat.stand_in, seat.stand_in_name = event["level"], None, None


def stood_in(game: Game, event: Frame) -> None:
    seat = game.seats[event["seat"]]
    law(game.status == "playing" and seat.invited is not None and seat.stand_in is None, "no bot was invited")
    law(game.entry.by == event["player"] and game.seat_of(event["player"]) is None, "stand-ins seat themselves")
    law(event["player"].startswith(f"bot:level{seat.invited}:"), f"{event['player']} was not called by the server")
    seat.stand_in, seat.stand_in_name = event["player"], event["name"]


def returned(game: Game, event: Frame) -> None:
    seat = game.seats[event["seat"]]
    law(seat.player == game.entry.by, "players return by themselves")
    law(seat.invited is not None or seat.stand_in is not None or game.adjourned is not None, "no player was missing")
    game.adjourned = None
    seat.invited = seat.stand_in = seat.stand_in_name = None


def started(game: Game, event: Frame) -> None:
    law(game.status == "open" and all(s.player for s in game.seats.values()), "seats are free")
    game.status = "playing"
    if game.clock is not None:
        game.since = game.at


def finished(game: Game, event: Frame) -> None:
    if game.status == "open":
        law(game.entry.by in (game.host, ""), "only the host closes a room")
        law(event["result"]["reason"] == "aborted", "no game is over before it begins")
    else:
        game.playing()
    law(game.vote is None, "the game ends with a vote open")
    position, result = game.place.position, event["result"]
    outcome = position.outcome
    if outcome is not None:
        law(game.steps, "the end comes together with a step")
        _compare_end(game, result["reason"])
    elif game.carried is not None:
        game.take("draw")
        outcome = position.end_in_draw(Termination.AGREEMENT).outcome
    elif game.status == "open":
        outcome = Outcome(Termination.ABORTED, (), (1,) * len(game.names))
    elif result["reason"] == "aborted" and game.entry.by == "":
        due = game.adjourned
        law(due is not None and game.at >= due - game.slack, "the server closes only adjourned games, and in time")
        outcome = Outcome(Termination.ABORTED, (), (1,) * len(game.names))
    elif result["reason"] == "aborted":
        game.by(game.seat_of(game.entry.by) or "")
        game.player_only("abort")
        law(not game.moved.issuperset(game.names[index] for index in position.alive), "everybody has moved")
        outcome = Outcome(Termination.ABORTED, (), (1,) * len(game.names))
    else:
        claimant = game.seat_of(game.entry.by) or ""
        game.by(claimant)
        game.player_only("claim")
        seat = game.names.index(claimant)
        law(position.may_claim(seat) is not None, "there is nothing to claim")
        outcome = position.claim(seat).outcome
    assert outcome is not None
    standings = dict(zip(game.names, outcome.standings, strict=True))
    winners = [game.names[index] for index in outcome.winners]
    points = None if outcome.points is None else dict(zip(game.names, outcome.points, strict=True))
    right: Frame = {"reason": outcome.termination.value, "winners": winners, "standings": standings, "points": points}
    if "unrated" in result:  # not in histories of older servers
        right["unrated"] = unrated = result["unrated"]
        short = right["reason"] != "aborted" and not game.moved.issuperset(game.names)
        may_be = ("too_short",) if short else (None, "too_short")
        law(unrated in (may_be if game.rated else (None,)), f"{unrated!r} is the wrong reason")
    law(result == right, f"ended as {result} instead of {right}")
    for name, seat in game.seats.items():
        if right["reason"] != "aborted":
            seat.score += 1 if name in winners else 0.5 if not winners and standings[name] == 1 else 0
        seat.refusals, seat.withdrew, seat.gifts = 0, False, 0
    scores = {name: seat.score for name, seat in game.seats.items()}
    law(event["scores"] == scores, f"the scores are {scores}, not {event['scores']}")
    game.status, game.result, game.since, game.paused = "finished", right, None, None


def _compare_end(game: Game, reason: str) -> None:
    """Whether python-chess also calls it the end."""
    if game.variant == CHECKED_BY_OTHERS and reason in ("checkmate", "stalemate"):
        board = chess.Board(game.place.position.fen())
        ended = board.is_checkmate() if reason == "checkmate" else board.is_stalemate()
        if not ended:
            raise Broken("illegal", f"no {reason} in {board.fen()}")


def archived(game: Game, event: Frame) -> None:
    law(game.entry.by == "", "only the server archives")
    law(game.status == "finished" and game.vote is None, "only finished games without an open vote are archived")
    shown = game.before + game.delay - game.slack
    law(game.at >= shown, f"it is archived {shown - game.at:.0f} ms before watchers may have seen its end")
    game.archived = True


def adjourned(game: Game, event: Frame) -> None:
    law(game.entry.by == "", "only the server adjourns")
    law(game.status == "playing" and game.clock is None, "only untimed games are adjourned")
    law(game.adjourned is None, "it is adjourned already")
    law(event["deadline"] > game.at, "it would be closed at once")
    game.adjourned = event["deadline"]


def rematched(game: Game, event: Frame) -> None:
    game.take("rematch")
    law(event["game"] == game.game + 1, f"game {event['game']} follows game {game.game}")
    people = [(seat.player, seat.name, seat.score) for seat in game.seats.values()]
    people = [people[-1], *people[:-1]]
    right = [
        {"seat": seat, "player": player, "name": name, "score": score}
        for seat, (player, name, score) in zip(game.names, people, strict=True)
    ]
    law(event["seats"] == right, "everybody moves one seat on")
    game.seats = {
        seat: Seat(player, name, score=score)
        for seat, (player, name, score) in zip(game.names, people, strict=True)
    }
    game.game, game.status, game.result = event["game"], "open", None
    game.line, game.undone, game.place, game.since = [], [], game.start, None
    game.moved, game.berserk = set(), {}
