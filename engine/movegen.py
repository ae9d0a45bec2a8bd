"""The legal moves: everything that the pieces can do, except moves that leave their own king attacked.

The generator reads the moves of the pieces off the board, square by square. (Caching moves by the neighbourhood of a
piece is no faster: new games keep producing new neighbourhoods.) It does not make and unmake moves. The lines from
enemy sliders to the king show the pinned pieces and the squares that answer a check. Two cases are judged on the board
after the move: en passant, which can empty two squares of a line at once, and the capture of a king, whose army then
stops attacking.
"""

from __future__ import annotations

from fourfold.engine.board import Board
from fourfold.engine.moves import Move
from fourfold.engine.tables import DoubleStep, Man


def in_check(board: Board, seat: int) -> bool:
    """Whether a live rival attacks the seat's king. False without a king."""
    tables, king = board.tables, board.kings[seat]
    hostile = board.total ^ board.forces[tables.teams[seat]]
    return king >= 0 and tables.threats[king].reached(hostile, board.total)


def legal_moves(board: Board, seat: int, taking: bool = False) -> list[Move]:
    """The seat's legal moves, as if it were its turn. With `taking`, only captures and promotions."""
    home = board.kings[seat]
    if home < 0:
        return _kingless_moves(board, seat, taking)
    tables = board.tables
    army = board._armies[seat]
    total = board.total
    # The team's own force, and everybody else's. Grey pieces attack nothing.
    friends = board.forces[tables.teams[seat]]
    hostile = total ^ friends
    occupied = total & tables.full
    king = army[home]
    threats = tables.threats[home]
    found = hostile & threats.mask

    # An open line to the king is a check. With one piece of ours on it, that piece is pinned.
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
                # Once the rook has left, an attack along the row may pass its square.
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


def is_legal(board: Board, move: Move) -> bool:
    """Whether a move of the side to move is legal, found without the list of all moves in most cases."""
    tables, seat = board.tables, board.turn
    man = board._armies[seat].get(move.source)
    if man is None:
        return False
    target, sides, side = move.target, board.sides, man.side
    if board.exposed or board.walking or (man.king and move in tables.castle_of_move):
        return move in legal_moves(board, seat)
    if man.pawn:
        for step in board.steps:
            if step.skipped == target:
                return move in legal_moves(board, seat)
    if sides[target] == side or not _reaches(man, move, sides):
        return False
    total = board.total
    hostile = total ^ board.forces[tables.teams[seat]]
    if man.king:
        return not tables.threats[target].reached(hostile, total & ~man.bit)
    home = board.kings[seat]
    threats = tables.threats[home]
    found = hostile & threats.mask
    if not found or home < 0:
        return True
    # All attackers of the king must be blocked or captured. A piece that leaves a line does not block it any more.
    occupied = (total & tables.full & ~man.bit) | move.bit
    for source, between in threats.sources(found):  # noqa: SIM110 (all() takes three times as long)
        if not between & occupied and source != target:
            return False
    return True


def _reaches(man: Man, move: Move, sides: bytes) -> bool:
    """Whether a piece can make a move, by its way of moving and the pieces in between. Its target has no friend."""
    if man.pawn:
        if move in man.captures:
            return sides[move.target] != 0
        for group in man.advances:
            if sides[group[0].target]:
                return False
            if move in group:
                return True
        return False
    if man.rays:
        for ray in man.rays:
            if move in ray:
                for passed in ray:
                    if passed is move:
                        return True
                    if sides[passed.target]:
                        return False
        return False
    return move in man.leaps or move in man.steps


def pins(board: Board, seat: int) -> dict[int, int]:
    """The seat's pinned pieces by square. Each comes with a mask of the squares on which it still shields its king: the
    line to the pinning piece, and that piece's own square."""
    tables = board.tables
    king = board.kings[seat]
    if king < 0:
        return {}
    threats = tables.threats[king]
    friends, occupied = board.forces[tables.teams[seat]], board.total & tables.full
    found: dict[int, int] = {}
    for between, line in threats[(board.total ^ friends) & threats.mask & tables.far]:
        barrier = between & occupied
        if barrier and barrier & barrier - 1 == 0 and barrier.bit_length() - 1 in board._armies[seat]:
            found[barrier.bit_length() - 1] = line
    return found


def attacks(board: Board, man: Man) -> int:
    """A mask of the squares that a live piece attacks. Squares of friendly pieces count too."""
    sides = board.sides
    mask = 0
    for move in (*man.captures, *man.leaps, *man.steps):
        mask |= move.bit
    for ray in man.rays:
        for move in ray:
            mask |= move.bit
            if sides[move.target]:
                break
    return mask


def _piece_moves(army: dict[int, Man], sides: bytes, side: int) -> list[Move]:
    """The moves of an army's pieces, without the king's. `side` is the army's own value in `sides`."""
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
    """The captures and promotions of `_piece_moves`. The loops are repeated, because a test inside them would slow
    down every move."""
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
    """The king's steps to squares that the hostile force does not attack. With `taking`, only captures."""
    moves = []
    sides, side = board.sides, king.side
    threats_of, far = board.tables.threats, board.tables.far
    # A king that steps away along a line stays attacked, so its own square counts as empty.
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
    """Whether the seat has a legal move, as if it were its turn."""
    tables, home = board.tables, board.kings[seat]
    if home < 0:
        return bool(legal_moves(board, seat))
    friends = board.forces[tables.teams[seat]]
    king = board._armies[seat][home]
    # The king can step out of nearly every check, and its steps are the fastest to find.
    steps = king_steps(board, king, board.total ^ friends)
    return bool(steps and seat not in board.walking) or bool(legal_moves(board, seat))


def possible_moves(board: Board, seat: int) -> list[Move]:
    """The seat's pseudo-legal moves: they may leave its own king attacked. Castling is left out."""
    army, sides, home = board._armies[seat], board.sides, board.kings[seat]
    side = board.tables.teams[seat] + 1
    moves = _piece_moves(army, sides, side)
    if home >= 0:
        moves += [move for move in army[home].steps if sides[move.target] != side]
    for step in board.steps:
        for _, options in board.takers(seat, step):
            moves += [move for move in options if move not in moves]
    return moves


def compulsory_moves(board: Board, seat: int) -> list[Move]:
    """The captures among a seat's `possible_moves`, or all of them if there is none: for variants in which a player
    must capture."""
    moves = possible_moves(board, seat)
    passing = [move for step in board.steps for _, some in board.takers(seat, step) for move in some]
    return [move for move in moves if board.total & move.bit or move in passing] or moves


def _kingless_moves(board: Board, seat: int, taking: bool) -> list[Move]:
    """The legal moves of a seat without a king, whose moves cannot be illegal by check."""
    if not taking:
        return possible_moves(board, seat)
    moves = _piece_captures(board._armies[seat], board.sides, board.tables.teams[seat] + 1)
    for step in board.steps:
        for _, options in board.takers(seat, step):
            moves += [move for move in options if move not in moves]
    return moves


def _take_in_passing(board: Board, seat: int, step: DoubleStep, moves: list[Move]) -> None:
    """Add the legal captures en passant to `moves`, and drop the illegal ones. If a piece stands on the skipped
    square, `moves` has them already as ordinary captures. They also remove the pushed pawn, and that can make them
    illegal or legal."""
    for _, options in board.takers(seat, step):
        legal = _safe_after(board, seat, options[0], step)
        for move in options:
            if legal and move not in moves:
                moves.append(move)
            elif not legal and move in moves:
                moves.remove(move)


def _take_kings(board: Board, seat: int, moves: list[Move]) -> None:
    """Add captures of a live king that answer a check by the king's own army: the army stops attacking."""
    targets = {board.kings[other]: other for other in board.exposed if other != seat}
    if not targets:
        return
    for move in possible_moves(board, seat):
        victim = targets.get(move.target)
        # In teams the capture wins at once, even if the mover's own king is attacked.
        if (
            victim is not None
            and move not in moves
            and (board.tables.rules.in_teams or _safe_after(board, seat, move, None, victim))
        ):
            moves.append(move)


def safe_in_passing(board: Board, step: DoubleStep, move: Move) -> bool:
    """Whether the king of the side to move is safe after a capture en passant of this double step."""
    return _safe_after(board, board.turn, move, step)


def _safe_after(board: Board, seat: int, move: Move, step: DoubleStep | None = None, victim: int | None = None) -> bool:
    """Whether the seat's king is safe after a move. `step` is a double step whose pawn the move captures too.
    `victim` is the seat whose king it captures; that seat's army then attacks nothing."""
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
    return king < 0 or not tables.threats[square].reached(hostile, occupied)
