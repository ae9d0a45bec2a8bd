"""A finished game, position by position: what each was worth to each seat, which moves changed most, and what was
missed, in words.

What a position is worth comes from a short search of level 5. A seat's loss by a move is what its share was before,
less what it is after.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from time import monotonic
from typing import Final

from fourfold.clients.bots.analysis import analyse, standing
from fourfold.clients.bots.lookahead import Lookahead
from fourfold.engine.match.history import PlayedStep
from fourfold.engine.moves import Move
from fourfold.engine.position import Position
from fourfold.engine.tables import Man
from fourfold.protocol.lines import JudgedPly, Line, Summary

DUBIOUS, MISTAKE, BLUNDER = 0.1, 0.2, 0.3
"""How much of the whole a move of two players loses at least to be marked so; among four, half as much."""

LOST: Final = 0.4
"""A player whose share stays below so much of the even one has lost the game there."""

_MARKS: Final = ((BLUNDER, "??"), (MISTAKE, "?"), (DUBIOUS, "?!"))


@dataclass(frozen=True, slots=True)
class _Look:
    """A position as it was seen: the shares of the seats, and the best line (None: the game is over)."""

    position: Position
    shares: dict[str, float]
    best: Line | None


def examine(
    start: Position, steps: Sequence[PlayedStep], each: float, clock: Callable[[], float] = monotonic
) -> Iterator[JudgedPly]:
    """What each position of a game was worth, from the start on, looked at for so many seconds; with each, what is to
    be said of the move that led to it. `steps` are its moves and departures."""
    before = _look(start, each, clock)
    yield JudgedPly(before.shares, _first(before), None, None, None)
    position, move, mover, gone = start, None, start.turn, False
    for number, step in enumerate(steps):
        if step.move is not None:
            position = position.past_draw()
            mover, move, gone = position.turn, position.find(step.move), False
        gone = gone or (step.move is None and step.seat == mover)
        position = step.play(position)
        coming = steps[number + 1].move if number + 1 < len(steps) else ""
        if move is None or coming is None:  # departures count with the move before them
            continue
        after = _look(position, each, clock)
        loss = _loss(before, after, mover)
        mark = None if gone else _mark(loss, move, before)
        remark = None if mark is None else _remark(before, after, move, mover)
        yield JudgedPly(after.shares, _first(after), start.seats[mover], mark, remark)
        before, move = after, None


def summary(start: Position, plies: Sequence[JudgedPly]) -> Summary:
    """How exactly each seat has played, from 0 to 100, and after which move it had lost (None: it had not)."""
    names = start.seats
    accuracy: dict[str, float | None] = {}
    lost: dict[str, int | None] = {}
    for name in names:
        losses = [
            max(0.0, before.shares[name] - after.shares[name])
            for before, after in pairwise(plies)
            if after.seat == name
        ]
        even = 1 / len(names)
        exact = [100 * math.exp(-2.5 * loss / even / 2) for loss in losses]
        accuracy[name] = round(sum(exact) / len(exact), 1) if exact else None
        lost[name] = None
        for ply in range(len(plies) - 1, -1, -1):
            if plies[ply].shares[name] >= LOST * even:
                break
            lost[name] = ply
    return Summary(accuracy, lost)


def _look(position: Position, each: float, clock: Callable[[], float]) -> _Look:
    if position.outcome is not None:
        return _Look(position, standing(position), None)
    line = None
    for found in analyse(position, 1, clock() + each, clock):
        line = found.lines[0]
    return _Look(position, standing(position) if line is None else line.shares, line)


def _first(look: _Look) -> str | None:
    return None if look.best is None else look.best.texts[0]


def _loss(before: _Look, after: _Look, mover: int) -> float:
    """What a move has cost its mover, as it would count among two."""
    name = before.position.seats[mover]
    return (before.shares[name] - after.shares[name]) * len(before.position.seats) / 2


def _mark(loss: float, move: Move, before: _Look) -> str | None:
    if before.best is not None and before.best.moves[0] == move.text:
        return None
    return next((mark for least, mark in _MARKS if loss >= least), None)


def _remark(before: _Look, after: _Look, move: Move, mover: int) -> str | None:
    """What is to be said of a bad move: a win that it missed, a man that could be taken, or one that it loses."""
    name = before.position.seats[mover].capitalize()
    best = before.best
    if best is not None and best.mate is not None and best.mate > 0:
        return f"{name} could win by force: {best.texts[0]}."
    if best is not None:
        prey = _free(before.position, best.moves[0])
        if prey is not None:
            return f"{name} could take the {_name(before.position, prey)} for nothing."
    reply = after.best
    if reply is None:
        return None
    taker = reply.seats[0].capitalize()
    if reply.mate is not None and reply.mate > 0 and after.position.turn != mover:
        return f"{taker} can win by force now: {reply.texts[0]}."
    prey = _free(after.position, reply.moves[0])
    if prey is not None and prey.seat == mover:
        return f"{taker} can take {name}'s {_name(after.position, prey)} for nothing."
    if best is not None:
        return f"{best.texts[0]} was better."
    return None


def _free(position: Position, text: str) -> Man | None:
    """The man that a move takes for nothing: a piece that is no pawn and no king, where nobody takes back."""
    move = position.find(text)
    ahead = Lookahead(position)
    man = position.man_at(move.target)
    if man is None or man.piece.grey or man.pawn or man.king or move.target in ahead.capturable(move):
        return None
    return man


def _name(position: Position, man: Man) -> str:
    return f"{man.kind.name.lower().replace('_', ' ')} on {position.rules.geometry.names[man.square]}"
