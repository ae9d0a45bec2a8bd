"""The review of a finished game: each position's value for each seat, the worst moves, and missed chances, in words.

The values come from short searches by level 5, or by another analyser. A move's loss is the mover's share before it
minus the share after it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from time import monotonic
from typing import Final

from fourfold.clients.bots.analysis.best_lines import Look, remembering, standing
from fourfold.clients.bots.levels.lookahead import Lookahead
from fourfold.engine.match.history import PlayedStep
from fourfold.engine.moves import Move
from fourfold.engine.position import Position
from fourfold.engine.tables import Man
from fourfold.protocol.lines import Departed, JudgedPly, Line, Summary

BLUNDER: Final = "??"

_MARKS: Final = {
    2: ((0.14, BLUNDER), (0.05, "?"), (0.03, "?!")),
    4: ((0.15, BLUNDER), (0.1, "?"), (0.06, "?!")),
}
"""The least loss of a move for each mark, as a share of the whole, by the number of players, with level 5 as the
analyser. Each loss may be wrong, but on average they match those of a longer search. Half of the moves with mistakes at
the threshold cost less than 0.1."""

_BY_ENGINE: Final = ((0.15, BLUNDER), (0.1, "?"), (0.05, "?!"))
"""The same with an engine as the analyser of a game for two: Lichess's thresholds."""

LOST: Final = 0.4
"""A player has lost the game once the share stays below this part of an even share."""

SLIGHT: Final = 0.025
"""The least loss from which the review names a piece that a move gives away, although the move has no mark."""

DEAR: Final = 150
"""The same for two players, in hundredths of a pawn: in decided games, shares hardly change."""

_FIRST, _AGAIN = 0.5, 2.0
"""The part of the time for the first look at each position, and how many times as long the second looks take."""

_DOUBTED, _MOST_DOUBTED, _SURE_OF = 0.03, 0.1, 0.4
"""The range of losses for which the mark of a move is in doubt, and the loss with the greatest doubt. Half and twice
that loss have half the doubt."""

_DECIDED, _GLANCE = 0.9, 0.2
"""The share from which a game for two counts as decided, and the part of the time that is enough to see it."""


@dataclass(frozen=True, slots=True)
class _Ply:
    """A position, the move that led to it (None: the start), its seat, and whether that seat has left since."""

    position: Position
    move: Move | None
    mover: int
    gone: bool


@dataclass(frozen=True, slots=True)
class _Look:
    """An analysed position: the shares of the seats, the best line (None: the game is over), and whether an engine
    found it."""

    position: Position
    shares: dict[str, float]
    best: Line | None
    by_engine: bool = False


def examine(
    start: Position,
    steps: Sequence[PlayedStep],
    each: float,
    clock: Callable[[], float] = monotonic,
    look: Look | None = None,
    told: Callable[[int], None] = lambda looked: None,
    theory: int = 0,
) -> list[JudgedPly]:
    """Review a game, given as its `steps`: moves and departures. Each position gets `each` seconds on average.

    The result has the value of each position from the start on, with remarks on the move that led to it. `told` is
    called with the number of analysed positions. Of the first `theory` moves, which belong to a named opening, only
    blunders are marked.

    The last position comes first, so that the consequence of a move is known when the position before it is analysed.
    Half of the time is for second looks at the doubtful moves.
    """
    look = remembering() if look is None else look
    plies = _plies(start, steps)
    looks: list[_Look] = []
    for ply in reversed(plies):
        looks.append(_look(ply.position, _FIRST * each, clock, look))
        told(round(_FIRST * len(looks)))
    looks.reverse()
    again = sorted(_doubted(looks, plies), reverse=True)
    for number, at in enumerate(again, start=1):
        looks[at] = _look(plies[at].position, _AGAIN * each, clock, look)
        told(round(len(plies) * (_FIRST + (1 - _FIRST) * number / len(again))))
    told(len(plies))
    shares = looks[0].shares
    judged = [JudgedPly(shares, _first(looks[0]), None, None, None, points=_points(start))]
    for number, ((before, after), ply) in enumerate(zip(pairwise(looks), plies[1:], strict=True), start=1):
        assert ply.move is not None
        mark, remark = (None, None) if ply.gone else _judgement(before, after, ply.move, ply.mover)
        if number <= theory and mark != BLUNDER:
            mark = remark = None
        seat, out = start.seats[ply.mover], _departed(before.position, after.position)
        judged.append(JudgedPly(after.shares, _first(after), seat, mark, remark, out, _points(after.position)))
    return judged


def _doubted(looks: Sequence[_Look], plies: Sequence[_Ply]) -> set[int]:
    """The positions before and after the most doubtful moves, as many as there is time for."""
    doubts = []
    for number, (before, after) in enumerate(pairwise(looks), start=1):
        loss = _loss(before, after, plies[number].mover)
        if _DOUBTED <= loss <= _SURE_OF and not plies[number].gone:
            doubts.append((abs(math.log(loss / _MOST_DOUBTED)), number))
    found: set[int] = set()
    for _, number in sorted(doubts):
        if len(found) + 2 > len(plies) * (1 - _FIRST) / _AGAIN:
            break
        found |= {number - 1, number}
    return found


def _plies(start: Position, steps: Sequence[PlayedStep]) -> list[_Ply]:
    """The positions of a game. Among four, departures belong to the move before them. Between two, a departure ends the
    game and does not change the position."""
    if len(start.seats) == 2:
        steps = [step for step in steps if step.move is not None]
    found = [_Ply(start, None, start.turn, False)]
    position, move, mover, gone = start, None, start.turn, False
    for number, step in enumerate(steps):
        if step.move is not None:
            position = position.past_draw()
            mover, move, gone = position.turn, position.find(step.move), False
        gone = gone or (step.move is None and step.seat == mover)
        position = step.play(position)
        coming = steps[number + 1].move if number + 1 < len(steps) else ""
        if move is not None and coming is not None:
            found.append(_Ply(position, move, mover, gone))
            move = None
    return found


def summary(start: Position, plies: Sequence[JudgedPly], theory: int = 0) -> Summary:
    """Each seat's accuracy, from 0 to 100, and the number of moves after which it had lost (None: it had not). `theory`
    is as in `examine`: unmarked opening moves count as exact. A player who left the game after a move lost nothing by
    that move."""
    names = start.seats
    accuracy: dict[str, float | None] = {}
    lost: dict[str, int | None] = {}
    for name in names:
        losses = [
            0.0 if number <= theory and after.mark is None else max(0.0, before.shares[name] - after.shares[name])
            for number, (before, after) in enumerate(pairwise(plies), start=1)
            if after.seat == name and name not in {gone.seat for gone in after.out}
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


def _look(position: Position, each: float, clock: Callable[[], float], look: Look) -> _Look:
    if position.outcome is not None:
        return _Look(position, standing(position), None)
    best, begun = None, clock()
    for best in look(position, 1, begun + each, clock):
        share = max(best.lines[0].shares.values())
        if clock() - begun > each * _GLANCE and len(position.seats) == 2 and share > _DECIDED:
            break
    if best is None:
        return _Look(position, standing(position), None)
    return _Look(position, best.lines[0].shares, best.lines[0], best.by_engine)


def _first(look: _Look) -> str | None:
    return None if look.best is None else look.best.texts[0]


def _loss(before: _Look, after: _Look, mover: int) -> float:
    """A move's loss for its mover, as a share of the whole."""
    name = before.position.seats[mover]
    return before.shares[name] - after.shares[name]


def _judgement(before: _Look, after: _Look, move: Move, mover: int) -> tuple[str | None, str | None]:
    """The mark of a bad move, with a remark: a missed mate, a missed capture, or a lost piece. The remark names missed
    mates and captures even if they cost little."""
    if before.best is None or before.best.moves[0] == move.text:
        return None, None
    loss = _loss(before, after, mover)
    players = len(before.position.seats)
    marks = _BY_ENGINE if before.by_engine and players == 2 else _MARKS[2 if players == 2 else 4]
    mark = next((mark for least, mark in marks if loss >= least), None)
    missed = _missed_win(before, after, mover) or _missed_mate(before.position, move)
    if missed is not None:
        return mark or "?!", missed
    dear = mark is not None or loss >= SLIGHT or _price(before, after) >= DEAR
    remark = (_missed_man(before, move) or _lost_man(before, after, mover)) if dear else None
    if remark is None and mark is not None:
        remark = f"{before.best.texts[0]} was better."
    return mark, remark


def _price(before: _Look, after: _Look) -> int:
    """A move's loss for its mover between two players, in hundredths of a pawn."""
    if len(before.position.seats) > 2 or before.best is None or after.best is None:
        return 0
    return before.best.score + after.best.score


def _missed_win(before: _Look, after: _Look, mover: int) -> str | None:
    """A remark if the move gave up a forced win."""
    best = before.best
    if best is None or best.mate is None or best.mate <= 0 or after.shares[before.position.seats[mover]] == 1:
        return None
    return f"{_seat(before.position, mover)} could win by force: {best.texts[0]}."


def _missed_mate(position: Position, move: Move) -> str | None:
    """A remark if the mover missed a mate of an opponent in one move, among four."""
    if len(position.seats) == 2 or not position.legal_moves:
        return None
    ahead = Lookahead(position)
    mates = [one for one in ahead.moves if ahead.mates(one)]
    if not mates or move in mates:
        return None
    after = ahead.after(mates[0])
    victims = [seat for seat in ahead.opponents(position) if seat not in after.alive or seat in after.checked()]
    victim = f" {_seat(position, victims[0])}" if victims else ""
    return f"{_seat(position, position.turn)} could mate{victim}: {position.san(mates[0])}."


def _missed_man(before: _Look, move: Move) -> str | None:
    """A remark if the mover missed a free capture, and took nothing of the same value."""
    if before.best is None:
        return None
    position = before.position
    prey = _free(position, before.best.moves[0])
    ahead = Lookahead(position)
    if prey is None or ahead.taken(move) >= ahead.worth(prey):
        return None
    return f"{_seat(position, position.turn)} could take the {_name(position, prey)} for nothing."


def _lost_man(before: _Look, after: _Look, mover: int) -> str | None:
    """A remark on the next player's answer to a bad move: a win, or a free capture."""
    reply = after.best
    if reply is None:
        return None
    name, taker = _seat(before.position, mover), reply.seats[0].capitalize()
    if reply.mate is not None and reply.mate > 0 and after.position.turn != mover:
        return f"{taker} can win by force now: {reply.texts[0]}."
    prey = _free(after.position, reply.moves[0])
    if prey is not None and prey.seat == mover:
        return f"{taker} can take {name}'s {_name(after.position, prey)} for nothing."
    return None


def _departed(before: Position, after: Position) -> list[Departed]:
    """The seats that went out between two positions of a game for four."""
    seats = after.seats
    return [
        Departed(seats[one.seat], one.reason.value, None if one.by is None else seats[one.by])
        for one in (after.out[len(before.out) :] if len(seats) > 2 else ())
    ]


def _points(position: Position) -> dict[str, int] | None:
    """The points of each seat, where they count."""
    points = position.points
    if points is None:
        return None
    if position.outcome is not None and position.outcome.points is not None:
        points = position.outcome.points
    return dict(zip(position.seats, points, strict=True))


def _seat(position: Position, seat: int) -> str:
    return position.seats[seat].capitalize()


def _free(position: Position, text: str) -> Man | None:
    """The piece that a move captures for free: not a pawn or king, and nobody can recapture."""
    move = position.find(text)
    ahead = Lookahead(position)
    man = position.man_at(move.target)
    if man is None or man.piece.grey or man.pawn or man.king or move.target in ahead.capturable(move):
        return None
    return man


def _name(position: Position, man: Man) -> str:
    return f"{man.kind.name.lower().replace('_', ' ')} on {position.rules.geometry.names[man.square]}"
