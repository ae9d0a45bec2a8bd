"""Which moves are legal: all that the pieces can do, less what leaves their own king attacked.

What the pieces can do is read off the board square by square. (Tables that remember the moves for what stands
around a piece are no faster: new games keep bringing what they have not seen.) Nothing is tried and taken
back: the lines along which rivals look at the king say which pieces are pinned
and where a check can be met; only en passant, which empties two squares of a line at once, and the capture
of a king, whose army then attacks no more, are judged on the board as it would be afterwards.
"""

from __future__ import annotations

from fourfold.engine.board import Board
from fourfold.engine.moves import Move
from fourfold.engine.tables import DoubleStep, Man


def in_check(board: Board, seat: int) -> bool:
    """Whether a live rival attacks the seat's king."""
    tables = board.tables
    hostile = board.total ^ board.forces[tables.teams[seat]]
    return tables.threats[board.kings[seat]].reached(hostile, board.total)


def legal_moves(board: Board, seat: int, taking: bool = False) -> list[Move]:
    """The seat's legal moves, were it to move now; or only those that take or promote."""
    tables = board.tables
    army = board._armies[seat]
    total = board.total
    # The team's own force; all others', of which the grey pieces attack nothing.
    friends = board.forces[tables.teams[seat]]
    hostile = total ^ friends
    occupied = total & tables.full
    king = army[board.kings[seat]]
    threats = tables.threats[king.square]
    found = hostile & threats.mask

    # A line to the king with nothing between gives check; with one piece of ours between, it pins it.
    checks: list[int] = []
    pins: dict[int, int] = {}
    if found > tables.far:
        checks = threats.near(found)
        found &= tables.far
    if found:
        for between, line in threats[found]:
            barrier = between & occupied
            if not barrier:
                checks.append(line)
            elif barrier & barrier - 1 == 0 and barrier & friends:
                pins[barrier.bit_length() - 1] = line

    moves = king_steps(board, king, hostile, taking)
    if len(checks) < 2:
        side = king.side
        others = _piece_captures(army, board.sides, side) if taking else _piece_moves(army, board.sides, side)
        if checks:
            remedy = checks[0]
            others = [move for move in others if move.bit & remedy and move.source not in pins]
        elif pins:
            others = [move for move in others if move.source not in pins or move.bit & pins[move.source]]
        moves += others

    for step in board.steps:
        if step.takers[seat]:
            _take_in_passing(board, seat, step, moves)

    rights = board.rights
    if rights and not checks and not taking:
        for castle in tables.castles_of[seat]:
            if (
                rights & castle.bit
                and not occupied & castle.empty
                # An attack along the row may reach past where the rook stood.
                and not any(
                    tables.threats[square].reached(hostile, occupied & ~(1 << castle.rook.source))
                    for square in castle.path
                )
            ):
                moves.append(castle.move)

    if board.exposed and (checks or pins):
        _take_kings(board, seat, moves)
    if seat in board.walking and not tables.rules.walking_kings_take:
        moves = [move for move in moves if not move.bit & (hostile ^ board.forces[-1])]
    return moves


def _piece_moves(army: dict[int, Man], sides: bytes, side: int) -> list[Move]:
    """What the men of an army, apart from the king, can do on a board on which these are their friends."""
    moves: list[Move] = []
    for man in army.values():
        if man.pawn:
            for group in man.advances:
                if sides[group[0].target]:
                    break
                moves += group
            for move in man.captures:
                there = sides[move.target]
                if there and there != side:
                    moves.append(move)
        else:
            for move in man.leaps:
                if sides[move.target] != side:
                    moves.append(move)
            for ray in man.rays:
                for move in ray:
                    there = sides[move.target]
                    if there:
                        if there != side:
                            moves.append(move)
                        break
                    moves.append(move)
    return moves


def _piece_captures(army: dict[int, Man], sides: bytes, side: int) -> list[Move]:
    """Those of the same moves that take or promote. The loops are written twice: to ask in them costs every move."""
    moves: list[Move] = []
    for man in army.values():
        if man.pawn:
            for move in man.captures:
                there = sides[move.target]
                if there and there != side:
                    moves.append(move)
            if man.advances and man.advances[0][0].promotion is not None and not sides[man.advances[0][0].target]:
                moves += man.advances[0]
        else:
            for move in man.leaps:
                there = sides[move.target]
                if there and there != side:
                    moves.append(move)
            for ray in man.rays:
                for move in ray:
                    there = sides[move.target]
                    if there:
                        if there != side:
                            moves.append(move)
                        break
    return moves


def king_steps(board: Board, king: Man, hostile: int, taking: bool = False) -> list[Move]:
    """The king's steps to squares that a hostile force does not attack; or only those that take."""
    moves = []
    sides, side = board.sides, king.side
    threats_of, far = board.tables.threats, board.tables.far
    # The king does not shield a square from an attacker behind itself.
    vacated = board.total & board.tables.full ^ king.bit
    for move in king.steps:
        there = sides[move.target]
        if there == side or (taking and not there):
            continue
        threats = threats_of[move.target]
        found = hostile & threats.mask
        if not found:
            moves.append(move)
        elif found <= far:
            for between, _ in threats[found]:
                if not between & vacated:
                    break
            else:
                moves.append(move)
    return moves


def can_move(board: Board, seat: int) -> bool:
    """Whether the seat has any legal move, were it to move now."""
    tables = board.tables
    friends = board.forces[tables.teams[seat]]
    king = board._armies[seat][board.kings[seat]]
    # Nearly every check can be met by a step of the king, which is soon found.
    steps = king_steps(board, king, board.total ^ friends)
    return bool(steps and seat not in board.walking) or bool(legal_moves(board, seat))


def possible_moves(board: Board, seat: int) -> list[Move]:
    """The moves that the seat's pieces can make, whether or not they leave its king attacked; castling
    apart."""
    army, sides = board._armies[seat], board.sides
    king = army[board.kings[seat]]
    moves = _piece_moves(army, sides, king.side)
    moves += [move for move in king.steps if sides[move.target] != king.side]
    for step in board.steps:
        for _, options in board.takers(seat, step):
            moves += [move for move in options if move not in moves]
    return moves


def _take_in_passing(board: Board, seat: int, step: DoubleStep, moves: list[Move]) -> None:
    """Add the captures en passant, or drop them: where a piece stands on the skipped square they are
    among the ordinary captures already, but the pushed pawn goes as well, and that decides."""
    for _, options in board.takers(seat, step):
        legal = _safe_after(board, seat, options[0], step)
        for move in options:
            if legal and move not in moves:
                moves.append(move)
            elif not legal and move in moves:
                moves.remove(move)


def _take_kings(board: Board, seat: int, moves: list[Move]) -> None:
    """Add the captures of a live king that a check by its own army would otherwise forbid."""
    targets = {board.kings[other]: other for other in board.exposed if other != seat}
    if not targets:
        return
    for move in possible_moves(board, seat):
        victim = targets.get(move.target)
        # A team has won with the king, whatever becomes of the mover's own.
        if (
            victim is not None
            and move not in moves
            and (board.tables.rules.in_teams or _safe_after(board, seat, move, None, victim))
        ):
            moves.append(move)


def _safe_after(board: Board, seat: int, move: Move, step: DoubleStep | None = None, victim: int | None = None) -> bool:
    """Whether the seat's king would stand safe after a move: with the pawn of a double step taken too, or
    without the attacks of a victim's army, if its king is captured."""
    tables = board.tables
    hostile = board.total ^ board.forces[tables.teams[seat]]
    occupied = board.total & tables.full & ~(1 << move.source)
    if victim is not None:
        hostile ^= board.forces[tables.teams[victim]]
    else:
        for square in {move.target} if step is None else {move.target, step.landed}:
            taken = board.man_at(square)
            if taken is not None:
                hostile ^= taken.mark
                occupied &= ~taken.bit
    occupied |= move.bit
    king = board.kings[seat]
    square = move.target if king == move.source else king
    return not tables.threats[square].reached(hostile, occupied)
