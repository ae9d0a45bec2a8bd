"""Which moves are legal: all that the pieces can do, less what leaves their own king attacked.

Nothing is tried and taken back. The lines along which rivals look at the king say which pieces are pinned
and where a check can be met; only en passant, which empties two squares of a line at once, and the capture
of a king, which silences an army, are weighed on the board as it would be afterwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.moves import Move
from engine.tables import DoubleStep, Man

if TYPE_CHECKING:
    from engine.position import Position


def hostile_force(position: Position, seat: int) -> int:
    """The force of all the seat's live rivals (with the bare bits of pieces that attack nothing)."""
    hostile = position.total ^ position.forces[seat]
    for partner in position.tables.partners[seat]:
        hostile ^= position.forces[partner]
    return hostile


def contents(position: Position, seat: int) -> int:
    """The contents of the board as the seat sees it; `moves` says what that is."""
    occupied = position.tables.planes.occupied
    friends = position.forces[seat]
    for partner in position.tables.partners[seat]:
        friends |= position.forces[partner]
    return position.total & occupied | (friends & occupied) << position.tables.size


def in_check(position: Position, seat: int) -> bool:
    """Whether a live rival attacks the seat's king."""
    tables = position.tables
    return tables.threats[position.kings[seat]].reached(
        hostile_force(position, seat), position.total & tables.planes.occupied
    )


def legal_moves(position: Position, seat: int) -> list[Move]:
    """The seat's legal moves, were it to move now."""
    tables = position.tables
    army = position.armies[seat]
    total, force = position.total, position.forces[seat]
    full = tables.planes.occupied
    occupied = total & full
    hostile, friends = total ^ force, force
    for partner in tables.partners[seat]:
        hostile ^= position.forces[partner]
        friends |= position.forces[partner]
    around = occupied | (friends & full) << tables.size
    king = army[position.kings[seat]]
    threats = tables.threats[king.square]
    found = hostile & threats.mask
    moves: list[Move] = []

    # A line to the king with nothing between gives check; with one piece of ours between, it pins it.
    checks: list[int] = []
    pins: dict[int, int] = {}
    if found:
        for between, line in threats[found]:
            barrier = between & occupied
            if not barrier:
                checks.append(line)
            elif barrier & barrier - 1 == 0 and barrier & force:
                pins[barrier] = line

    if not checks:
        if not pins:
            for man in army.values():
                for mask, reach in man.reach:
                    moves += reach[around & mask]
        else:
            for man in army.values():
                line = pins.get(man.bit, -1)
                for mask, reach in man.reach:
                    if line == -1:
                        moves += reach[around & mask]
                    else:
                        moves += [move for move in reach[around & mask] if move.bit & line]
    elif len(checks) == 1:
        remedy = checks[0]
        for man in army.values():
            line = pins.get(man.bit, -1) & remedy
            for mask, reach in man.reach:
                moves += [move for move in reach[around & mask] if move.bit & line]

    if position.steps:
        for step in position.steps:
            takers = step.takers[seat]
            if takers:
                _take_in_passing(position, seat, step, moves)

    # The king does not shield a square from an attacker behind itself.
    vacated = occupied ^ king.bit
    for mask, reach in king.steps:
        for move in reach[around & mask]:
            threats = tables.threats[move.target]
            found = hostile & threats.mask
            if found:
                for between, _ in threats[found]:
                    if not between & vacated:
                        break
                else:
                    moves.append(move)
            else:
                moves.append(move)

    rights = position.rights
    if rights and not checks:
        for castle in tables.castles_of[seat]:
            if (
                rights & castle.bit
                and not occupied & castle.empty
                and not any(tables.threats[square].reached(hostile, occupied) for square in castle.path)
            ):
                moves.append(castle.move)

    if position.exposed:
        _take_kings(position, seat, moves)
    return moves


def possible_moves(position: Position, seat: int) -> list[Move]:
    """The moves that the seat's pieces can make, whether or not they leave its king attacked; castling
    apart."""
    around = contents(position, seat)
    moves: list[Move] = []
    for man in position.armies[seat].values():
        for mask, reach in man.reach + man.steps:
            moves += reach[around & mask]
    for step in position.steps:
        for _, options in _takers(position, seat, step):
            moves += [move for move in options if move not in moves]
    return moves


def _takers(position: Position, seat: int, step: DoubleStep) -> list[tuple[Man, tuple[Move, ...]]]:
    """The seat's pawns that can take a double-stepped pawn now, with their moves."""
    friends = contents(position, seat) >> position.tables.size
    if friends >> step.skipped & 1:
        return []
    army = position.armies[seat]
    return [(man, moves) for man, moves in step.takers[seat] if army.get(man.square) is man]


def _take_in_passing(position: Position, seat: int, step: DoubleStep, moves: list[Move]) -> None:
    """Add the captures en passant, or drop them: where a piece stands on the skipped square they are
    among the ordinary captures already, but the pushed pawn goes as well, and that decides."""
    for _, options in _takers(position, seat, step):
        legal = _safe_after(position, seat, options[0], step)
        for move in options:
            if legal and move not in moves:
                moves.append(move)
            elif not legal and move in moves:
                moves.remove(move)


def _take_kings(position: Position, seat: int, moves: list[Move]) -> None:
    """Add the captures of a live king that a check by its own army would otherwise forbid."""
    targets = {position.kings[other]: other for other in position.exposed if other != seat}
    for move in possible_moves(position, seat):
        victim = targets.get(move.target)
        if (
            victim in position.tables.rivals[seat]
            and move not in moves
            and _safe_after(position, seat, move, None, victim)
        ):
            moves.append(move)


def _safe_after(
    position: Position, seat: int, move: Move, step: DoubleStep | None = None, victim: int | None = None
) -> bool:
    """Whether the seat's king would stand safe after a move: with the pawn of a double step taken too, or
    with the army of a victim silenced by the capture of its king."""
    hostile = hostile_force(position, seat)
    occupied = position.total & position.tables.planes.occupied & ~(1 << move.source)
    if victim is not None:
        hostile ^= position.forces[victim]
    else:
        for square in {move.target} if step is None else {move.target, step.landed}:
            taken = position.man_at(square)
            if taken is not None:
                hostile ^= taken.mark
                occupied &= ~taken.bit
    occupied |= move.bit
    king = position.kings[seat]
    square = move.target if king == move.source else king
    return not position.tables.threats[square].reached(hostile, occupied)
