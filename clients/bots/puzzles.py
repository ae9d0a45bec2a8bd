"""The puzzles in a game that was reviewed: positions in which a player missed a mate or a gain, each with the only line
that is as good."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Final, TypeAlias

from fourfold.clients.bots.analysis import Look, analyse
from fourfold.clients.bots.lookahead import Lookahead
from fourfold.clients.bots.search import FORCED
from fourfold.engine.match.history import PlayedStep
from fourfold.engine.position import Position
from fourfold.protocol.lines import JudgedPly, Line, Puzzle

LONGEST: Final = 5
"""How many moves the line of a puzzle has at most, replies included."""

CLEAR: Final = 150
"""By how many hundredths of a pawn the best move must be better than the second, to be a puzzle."""

LEAST: Final = 0.02
"""How much of the whole a move loses at least for a puzzle to be sought before it."""

MOST: Final = 12
"""How many positions of a game are looked at, those in which most was missed."""

_Lines: TypeAlias = Callable[[Position], list[Line]]
"""The two best lines of a position."""


def puzzles(
    start: Position,
    steps: Sequence[PlayedStep],
    plies: Sequence[JudgedPly],
    each: float,
    clock: Callable[[], float] = monotonic,
    look: Look = analyse,
) -> list[Puzzle]:
    """The puzzles of a game whose `plies` were judged, in their order. Each position is looked at for so many
    seconds."""

    def lines_of(position: Position) -> list[Line]:
        lines: list[Line] = []
        for seen in look(position, 2, clock() + each, clock):
            lines = seen.lines
        return lines

    def missed(ply: int) -> float:
        seat = plies[ply].seat
        return 0 if seat is None else plies[ply - 1].shares[seat] - plies[ply].shares[seat]

    bad = [ply for ply, judged in enumerate(plies) if judged.mark is not None or missed(ply) >= LEAST]
    wanted = set(sorted(bad, key=missed, reverse=True)[:MOST])
    found, position, ply = [], start, 0
    for step in steps:
        if step.move is not None:
            ply += 1
            if ply in wanted:
                puzzle = _puzzle(position.past_draw(), step.move, ply - 1, lines_of)
                found += [] if puzzle is None else [puzzle]
        position = step.play(position)
    return found


def _puzzle(position: Position, made: str, ply: int, lines_of: _Lines) -> Puzzle | None:
    """The puzzle of a position in which a move was made; None if there is none."""
    mates = _mates(position)
    if made in mates or position.outcome is not None:
        return None
    name = position.seats[position.turn]
    if mates:
        return Puzzle(ply, name, "mate", position.fen(), mates[:1], mates)
    lines = lines_of(position)
    if len(lines) < 2 or made == lines[0].moves[0] or lines[0].score - lines[1].score < CLEAR:
        return None
    best = lines[0]
    if best.mate is None or best.mate < 0:
        return Puzzle(ply, name, "gain", position.fen(), best.moves[:1], best.moves[:1])
    if len(position.seats) > 2 or best.mate > LONGEST or lines[1].score > FORCED:
        return None
    return _forced(position, best.moves[: best.mate], ply, lines_of)


def _forced(position: Position, line: Sequence[str], ply: int, lines_of: _Lines) -> Puzzle | None:
    """The puzzle of a forced mate, if each of its moves but the last is the only one."""
    puzzle = Puzzle(ply, position.seats[position.turn], "mate", position.fen(), list(line), [])
    for number, text in enumerate(line):
        if number % 2 == 0 and number == len(line) - 1:
            puzzle.last = _mates(position)
        elif number % 2 == 0 and number > 0:
            found = lines_of(position)
            if len(found) > 1 and found[1].score > FORCED:
                return None
        if position.outcome is not None:
            return None
        position = position.play(position.find(text))
    return puzzle if line[-1] in puzzle.last else None


def _mates(position: Position) -> list[str]:
    """The moves that mate an opponent at once."""
    if position.outcome is not None or not position.legal_moves:
        return []
    ahead = Lookahead(position)
    return [move.text for move in ahead.moves if ahead.mates(move)]
