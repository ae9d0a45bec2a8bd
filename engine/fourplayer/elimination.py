"""Eliminations in games for four players: who is out, what happens to the army, and who moves next.

A player whose king is captured or mated is out at once, even if others would move first (if the rules judge mate at
once). The pieces turn grey and stay: they block and can be captured, but attack nothing. If the rules have walking
kings, the king of a player who resigned or ran out of time makes a random move at each of its turns. A walking king is
judged only at its turn: without a legal move it is stalemated or mated. The seat whose move caused the mate gets the
credit, even if it made that move before the player left.

These functions complete drafts of positions.
"""

from __future__ import annotations

from fourfold.engine.fourplayer import scoring
from fourfold.engine.movegen import can_move, in_check, legal_moves
from fourfold.engine.outcome import Elimination, Termination
from fourfold.engine.pieces import Piece
from fourfold.engine.position import Position
from fourfold.engine.tables import Man


def expose(position: Position, mover: int) -> None:
    """Record the seats whose live king is attacked, clockwise after the mover. The mover comes last."""
    tables = position.tables
    threats = tables.threats
    teams = tables.teams
    kings = position.kings
    forces = position.forces
    total = position.total
    exposed: tuple[int, ...] = ()
    for seat in (*tables.clockwise[mover], mover):
        king = kings[seat]
        if king >= 0 and threats[king].reached(total ^ forces[teams[seat]], total):
            exposed += (seat,)
    position.exposed = exposed


def judge_mates(position: Position, mover: int, credited: int | None) -> None:
    """Eliminate all mated players, clockwise from the mover. Each army turns grey before the next king is judged, and
    that can save the next king."""
    before = position.out
    for seat in position.exposed:
        if seat in position.walking:
            continue  # judged at its own turn
        saved = seat == mover or (position.out is not before and not in_check(position, seat))
        if not saved and not can_move(position, seat):
            _lose_king(position, seat, Termination.CHECKMATE, credited)
    if position.out is not before:
        expose(position, mover)


def corner(position: Position, mover: int | None) -> None:
    """Record the attacked kings that could not step out of check without their army, as a walking king must. Each
    entry has the seat that caused it: the mover, unless it was so before."""
    rules = position.tables.rules
    if rules.dead_kings_walk:
        known = dict(position.cornered)
        by = mover if mover in position.alive else None
        position.cornered = tuple((seat, known.get(seat, by)) for seat in position.exposed if _cornered(position, seat))


def _cornered(position: Position, seat: int) -> bool:
    """Whether a seat's king would have no safe step if its army were grey."""
    tables = position.tables
    hostile = position.total ^ position.forces[tables.teams[seat]]
    barred = 0 if tables.rules.walking_kings_take else hostile ^ position.forces[-1]
    king = position._armies[seat][position.kings[seat]]
    vacated = position.total & tables.full ^ king.bit
    return all(
        barred & move.bit or tables.threats[move.target].reached(hostile, vacated) for move in king.steps
    )


def take_kings(position: Position, taken: tuple[Man, ...], mover: int) -> None:
    """Eliminate all players whose live king was captured."""
    for man in taken:
        if man.king and man.team >= 0:
            _lose_king(position, man.seat, Termination.KING_CAPTURED, mover)


def leave(position: Position, seat: int, reason: Termination) -> None:
    """Eliminate a player who resigned, ran out of time or left."""
    walks = position.rules.dead_kings_walk
    _note(position, Elimination(seat, reason))
    turn_grey(position, seat, sparing_king=walks)
    if walks:
        position.walking = (*position.walking, seat)


def pass_turn(position: Position, mover: int) -> None:
    """Pass the turn to the next seat that is still in, or whose king walks. The double steps of skipped seats can no
    longer be captured en passant. A stalemate that eliminates its player is judged now, and so is a walking king."""
    clockwise = position.tables.clockwise
    judged = position.tables.rules.stalemate_eliminates
    walking = position.walking
    seat = clockwise[mover][0]
    # In variants without kings, a seat without one can be still in.
    while (position.kings[seat] < 0 and seat not in position.alive) or (
        (judged or seat in walking) and _stuck(position, seat)
    ):
        position.steps = tuple(step for step in position.steps if step.seat != seat)
        seat = clockwise[seat][0]
    position.turn = seat


def _stuck(position: Position, seat: int) -> bool:
    """Eliminate the seat if it has no legal move at its turn, by stalemate, or by mate of its walking king. Return
    whether it had none."""
    if len(position.alive) == 1:
        return False
    position._memo.legal = tuple(legal_moves(position, seat))
    if position._memo.legal:
        return False
    if in_check(position, seat):
        _lose_king(position, seat, Termination.CHECKMATE, dict(position.cornered).get(seat))
    else:
        scoring.stalemated(position, seat)
        _lose_king(position, seat, Termination.STALEMATE, None)
    expose(position, seat)
    corner(position, None)
    return True


def _lose_king(position: Position, seat: int, reason: Termination, mover: int | None) -> None:
    """Remove a king from play and turn its army grey. Eliminate its player, unless that player left before."""
    by = mover if mover in position.alive else None
    if by is not None:
        scoring.king_won(position, by)
    position.walking = tuple(other for other in position.walking if other != seat)
    _note(position, Elimination(seat, reason, by))
    turn_grey(position, seat)


def _note(position: Position, elimination: Elimination) -> None:
    position.alive = tuple(seat for seat in position.alive if seat != elimination.seat)
    position.out = (*position.out, elimination)
    position.eliminated = (*position.eliminated, elimination)


def turn_grey(position: Position, seat: int, sparing_king: bool = False) -> None:
    """Turn a seat's pieces grey, and remove its castling and en passant rights."""
    tables = position.tables
    armies, forces = position._armies, list(position.forces)
    grey = armies[-1] = armies[-1].copy()
    spared = {}
    sides = bytearray(position.sides)
    for man in armies[seat].values():
        if man.king and sparing_king:
            spared[man.square] = man
            continue
        shadow = tables.men_of(Piece(seat, man.kind, grey=True))[man.square]
        grey[man.square] = shadow
        sides[man.square] = shadow.side
        forces[man.team] ^= man.mark
        forces[-1] ^= shadow.mark
        position.total ^= man.mark ^ shadow.mark
    armies[seat] = spared
    position.forces = tuple(forces)
    position.sides = bytes(sides)
    if not spared:
        position.kings = (*position.kings[:seat], -1, *position.kings[seat + 1 :])
    for castle in position.castles(seat):
        position.rights ^= castle.bit
    # No earlier position can recur.
    position.history = b""
