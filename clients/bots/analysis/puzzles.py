"""Puzzles from a reviewed game: positions in which a player missed a mate or a gain, each with a single solution."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Final, TypeAlias

from fourfold.clients.bots.analysis.best_lines import Look, analyse
from fourfold.clients.bots.levels.lookahead import Lookahead
from fourfold.clients.bots.search.alpha_beta import FORCED
from fourfold.engine.match.history import PlayedStep
from fourfold.engine.position import Position
from fourfold.protocol.lines import JudgedPly, Line, Puzzle

LONGEST: Final = 5
"""The longest solution, in moves, with replies."""

CLEAR: Final = 150
"""How much better the best move of a puzzle must be than the second, in hundredths of a pawn."""

LEAST: Final = 0.02
"""The least loss of a move, as a share of the whole, before which puzzles are searched."""

MOST: Final = 12
"""The most positions of a game to search, those with the greatest losses."""

_Lines: TypeAlias = Callable[[Position], list[Line]]
"""A function that gives the two best lines of a position."""


def puzzles(
    start: Position,
    steps: Sequence[PlayedStep],
    plies: Sequence[JudgedPly],
    each: float,
    clock: Callable[[], float] = monotonic,
    look: Look = analyse,
) -> list[Puzzle]:
    """The puzzles of a game from its reviewed `plies`, in order. Each position gets `each` seconds."""

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
    """The puzzle of a forced mate, if each of its moves except the last has no alternative."""
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
