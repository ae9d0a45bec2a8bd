"""The checker's rules of moves and clocks, for the events of a log.

The engine decides whether a move is legal; for two players python-chess does so as well. The clock rules are
implemented a second time here: a move costs the elapsed time, less the network's part and the free delay. Only these
also change a clock: an outage that the store knows of, a pause, a gift, and a half that its player gives up.
"""

from typing import Any

import chess

from fourfold.engine.outcome import Termination
from fourfold.engine.position import Position
from tests.faults.game import Broken, Game, Place, Step, law, moves_in
from tests.faults.history import Frame

LAG = 100
"""The most milliseconds that a move gets back for the network."""

CHECKED_BY_OTHERS = "standard"
"""The variant that python-chess also knows."""

_DEPARTURES = {
    "resigned": Termination.RESIGNATION,
    "flagged": Termination.TIME,
    "removed": Termination.ABANDONMENT,
}


def moved(game: Game, event: Frame) -> None:
    position, seat = game.place.position, event["seat"]
    game.playing()
    game.adjourned = None
    law(game.paused is None or game.steps, "a move in a pause")
    if game.names[position.turn] != seat:
        raise Broken("illegal", f"it is the turn of {game.names[position.turn]}, not of {seat}")
    walk = position.walk
    if walk is not None:
        law(game.steps, "a dead king walks as soon as it is freed, not later")
        law((event["move"], event["tick"]) == (walk.text, None), f"the dead king walks {walk.text}")
    else:
        law(game.index == 0, "only one move per decision")
        game.by(seat)
        if event["move"] not in position.legal_texts():
            raise Broken("illegal", f"{event['move']} is not legal in {position.fen()}")
        game.mover = seat
        law((event["tick"] is None) == (game.clock is None), "a timed move has a tick")
    after = position.play(position.find(event["move"]))
    if game.variant == CHECKED_BY_OTHERS:
        _compare(position, event["move"], after)
    law(event["ply"] == moves_in(game.line) + 1, f"ply {event['ply']} after {moves_in(game.line)}")
    left = dict(game.place.left)
    if event["tick"] is not None:
        left[seat] = _press(game, seat, event["tick"])
        game.since = game.at
    game.moved.add(seat)
    game.step(seat, event["move"], after, left)


def _press(game: Game, seat: str, tick: Frame) -> int:
    """The rest after a move: time is conserved, and the spent time is the elapsed time."""
    assert game.clock is not None and game.since is not None
    had, spent, lag = game.place.left[seat], tick["spent"], tick["lag"]
    gained = 0 if seat in game.berserk else game.clock["increment"]
    law(tick["gained"] == gained, f"gained {tick['gained']} instead of {gained}")
    law(tick["left"] == had - spent + tick["gained"], f"{had} - {spent} + {tick['gained']} is not {tick['left']}")
    law(spent == 0 or 0 < spent < had, f"spent {spent} of {had}")
    law(0 <= lag <= LAG, f"{lag} ms of lag")
    free = game.clock["delay"]
    most = max(0, game.at - game.since - lag - free) + game.slack
    law(spent <= most, f"spent {spent} ms while {most:.0f} went by")
    asked = game.sent(game.entry.by, game.entry.key)
    if asked is not None:
        least = asked - game.since - lag - free - game.slack
        law(spent >= least, f"spent {spent} ms, but {least:.0f} had gone by when it was sent")
    left: int = tick["left"]
    return left


def credited(game: Game, event: Frame) -> None:
    game.playing()
    seat = event["seat"]
    law(game.clock is not None and game.since is not None, "no clock runs")
    assert game.since is not None
    law(game.names[game.place.position.turn] == seat, "only the seat whose clock runs gets time back")
    begun = [start for start, end in (*game.outages, *game.remembered) if end == event["until"]]
    law(begun, f"no outage ended at {event['until']}")
    owed = event["until"] - max(begun[0], game.since, game.credited)
    law(event["milliseconds"] == owed > 0, f"got back {event['milliseconds']} instead of {owed}")
    left = game.place.left[seat] + event["milliseconds"]
    game.place = Place(game.place.position, game.place.out, {**game.place.left, seat: left})
    game.credited = event["until"]


GIFT = 15_000
"""Milliseconds that a player gives at once."""

GIFTS = 20
"""How often a player can give time in a game."""


def gave(game: Game, event: Frame) -> None:
    game.playing()
    seat, to, position = event["seat"], event["to"], game.place.position
    game.by(seat)
    game.player_only("give time")
    law(game.clock is not None and game.clock["base"] > 0, "there is no time to add to")
    law({game.names.index(seat), game.names.index(to)} <= set(position.alive), "a player out of the game")
    teams = position.rules.teams
    law(teams[game.names.index(seat)] != teams[game.names.index(to)], "time for a partner")
    law(not game.rated or len(game.names) == 2, "time in a rated game for more than two")
    law(event["milliseconds"] == GIFT, f"a gift of {event['milliseconds']} ms")
    game.seats[seat].gifts += 1
    law(game.seats[seat].gifts <= GIFTS, "too many gifts")
    _set(game, {to: game.place.left[to] + GIFT})


def berserked(game: Game, event: Frame) -> None:
    game.playing()
    seat, left = event["seat"], event["left"]
    game.by(seat)
    game.player_only("give up time")
    law(game.clock is not None and game.clock["base"] > 0, "there is no time to halve")
    law(seat not in game.moved and seat not in game.berserk, "too late")
    had = game.place.left[seat]
    runs = game.since is not None and game.names[game.place.position.turn] == seat
    most = _spent(game, game.at) + game.slack if runs else 0
    law(had // 2 - 1 <= left <= (had + most) // 2 + 1, f"{left} is not half of {had}")
    game.berserk[seat] = left
    _set(game, {seat: left})


def stop(game: Game, left: dict[str, int], now: int) -> None:
    """The clocks stop, at `left`. The turn has cost its time until `now`: a busy node writes its decision later."""
    turn, had = game.names[game.place.position.turn], game.place.left
    law({**left, turn: 0} == {**had, turn: 0}, "a pause takes time only from the seat to move")
    spent = _spent(game, now)
    law(max(1, had[turn]) >= left[turn] >= max(1, had[turn] - spent - game.slack), f"{left[turn]} is too little")
    law(left[turn] <= max(1, had[turn] - spent + game.slack), f"{left[turn]} is too much")
    _set(game, left)


def with_halves(game: Game, line: list[Step], left: dict[str, int]) -> dict[str, int]:
    """The clocks of an earlier ply, without the time that seats have given up since."""
    moved = {step.seat for step in line if step.move is not None}
    halves = {seat: half for seat, half in game.berserk.items() if seat not in moved}
    return {seat: min(time, halves.get(seat, time)) for seat, time in left.items()}


def _spent(game: Game, now: int) -> int:
    assert game.clock is not None and game.since is not None
    return max(0, now - game.since - int(game.clock["delay"]))


def _set(game: Game, left: dict[str, int]) -> None:
    game.place = Place(game.place.position, game.place.out, {**game.place.left, **left})


def resigned(game: Game, event: Frame) -> None:
    game.by(event["seat"])
    game.player_only("resign")
    _depart(game, event)


def flagged(game: Game, event: Frame) -> None:
    seat = event["seat"]
    law(game.clock is not None and game.since is not None, "no clock runs")
    assert game.clock is not None and game.since is not None
    law(game.names[game.place.position.turn] == seat, "only the running clock's flag falls")
    falls = game.since + game.place.left[seat] + game.clock["delay"] + LAG
    law(game.at >= falls - game.slack, f"the flag falls at {falls}, not at {game.at}")
    for start, end in game.outages:
        owed = min(end, game.at) - max(start, game.since, game.credited)
        due = owed > 0 and start < falls  # otherwise it had fallen before
        text = f"the outage from {start} to {end} was not given back first"
        law(not due or game.at >= falls + owed - game.slack, text)
    game.place = Place(game.place.position, game.place.out, {**game.place.left, seat: 0})
    _depart(game, event)


def removed(game: Game, event: Frame) -> None:
    vote = game.take("remove")
    law(vote["absentee"] == event["seat"], "not the player who was voted out")
    _depart(game, event)


def _depart(game: Game, event: Frame) -> None:
    game.playing()
    position, index = game.place.position, game.names.index(event["seat"])
    law(index in position.alive, f"{event['seat']} is already eliminated")
    if index == position.turn and game.clock is not None and game.paused is None:
        game.since = game.at
    game.step(event["seat"], None, position.eliminate(index, _DEPARTURES[event["type"]]), game.place.left)


def eliminated(game: Game, event: Frame) -> None:
    game.told.append({name: event[name] for name in ("seat", "reason", "by")})


def _compare(position: Position, move: str, after: Position) -> None:
    """A two-player move in python-chess: legal there, too, and with the same board after it."""
    board = chess.Board(position.fen())
    other: Any = chess.Move.from_uci(move)
    if other not in board.legal_moves:
        raise Broken("illegal", f"python-chess refuses {move} in {board.fen()}")
    board.push(other)
    if board.board_fen() != after.fen().split()[0]:
        raise Broken("illegal", f"after {move}, python-chess has {board.board_fen()}, and not {after.fen()}")
