"""A setup is what somebody may write down or put on a board; a position is what can be played.

`faults` names what keeps a setup from being a position, everything at once. A board that is set up piece by
piece is the business of `editor`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.errors import Fault
from engine.pieces import Kind, Piece
from engine.rules import Rules
from engine.tables import Castle, DoubleStep, Tables


@dataclass(frozen=True, slots=True)
class Setup:
    """Anything that a FEN or FEN4 can say. Squares and seats are numbers, as in `Geometry` and `Rules`.

    `castling` are the rights as (seat, short side?) pairs; `en_passant` has, for each seat whose last move
    was a double step, the square that its pawn skipped; `halfmove` counts the plies since the last capture
    or pawn move, `ply` those of the whole game; `dead` are the seats that are out.
    """

    pieces: Mapping[int, Piece]
    turn: int = 0
    castling: frozenset[tuple[int, bool]] = frozenset()
    en_passant: Mapping[int, int] = field(default_factory=dict)
    halfmove: int = 0
    ply: int = 0
    dead: frozenset[int] = frozenset()
    points: tuple[int, ...] | None = None

    def alive(self, rules: Rules) -> tuple[int, ...]:
        """The seats still in the game, in the order of turns."""
        return tuple(seat for seat in range(len(rules.seats)) if seat not in self.dead)

    def walking(self, rules: Rules) -> tuple[int, ...]:
        """The seats that are out but whose king still walks."""
        if not rules.dead_kings_walk:
            return ()
        return tuple(seat for seat in sorted(self.dead) if Piece(seat, Kind.KING) in self.pieces.values())

    def standing(self, rules: Rules) -> dict[int, Piece]:
        """The pieces as they will stand: those of dead seats grey, apart from a king that walks."""
        walking = {Piece(seat, Kind.KING) for seat in self.walking(rules)}
        return {
            square: Piece(piece.seat, piece.kind, piece.grey or (piece.seat in self.dead and piece not in walking))
            for square, piece in self.pieces.items()
        }


def castle_of(setup: Setup, tables: Tables, seat: int, short: bool) -> Castle | None:
    """The castling that a right stands for, if king and rook are at home."""
    for castle in tables.castles_of[seat]:
        king = setup.pieces.get(castle.move.source)
        rook = setup.pieces.get(castle.rook.source)
        if castle.short == short and king == Piece(seat, Kind.KING) and rook == Piece(seat, Kind.ROOK):
            return castle
    return None


def double_step_of(setup: Setup, tables: Tables, seat: int, skipped: int) -> DoubleStep | None:
    """The double step that skipped a square, if its pawn stands where it must and, where nobody has moved
    since, the squares behind it are empty."""
    for move, step in tables.double_steps.items():
        if step.seat == seat and step.skipped == skipped:
            pawn = setup.pieces.get(step.landed)
            fresh = seat == (setup.turn - 1) % len(tables.rules.seats)
            blocked = fresh and not setup.pieces.keys().isdisjoint((move.source, skipped))
            if pawn is not None and (pawn.seat, pawn.kind) == (seat, Kind.PAWN) and not blocked:
                return step
    return None


def faults(setup: Setup, tables: Tables) -> list[Fault]:
    """What is wrong with a setup: with kings, pawns and rights, and with a side in check that has just moved."""
    return [
        *_king_faults(setup, tables.rules),
        *_pawn_faults(setup, tables),
        *_right_faults(setup, tables),
        *_check_faults(setup, tables),
    ]


def attacked_kings(setup: Setup, tables: Tables) -> set[int]:
    """The seats of which a king is attacked by a live rival."""
    men = [tables.men_of(piece)[square] for square, piece in setup.standing(tables.rules).items()]
    forces = [0] * (max(tables.teams) + 2)
    total = 0
    for man in men:
        total ^= man.mark
        forces[man.team] ^= man.mark
    return {
        man.seat
        for man in men
        if man.king
        and man.seat in setup.alive(tables.rules)
        and tables.threats[man.square].reached(total ^ forces[man.team], total)
    }


def _king_faults(setup: Setup, rules: Rules) -> list[Fault]:
    found = []
    alive = setup.alive(rules)
    for seat in alive:
        name = rules.seats[seat].name.capitalize()
        kings = list(setup.pieces.values()).count(Piece(seat, Kind.KING))
        if kings == 0:
            found.append(Fault("missing_king", f"{name} has no king: put exactly one on the board."))
        elif kings > 1:
            found.append(Fault("extra_king", f"{name} has {kings} kings: there must be exactly one."))
    if setup.dead and rules.in_teams:
        found.append(Fault("dead_seat_in_teams", "In a game in teams nobody can be out while it goes on."))
    if setup.turn not in alive + setup.walking(rules):
        name = rules.seats[setup.turn].name.capitalize()
        found.append(Fault("turn_of_dead_seat", f"{name} is out of the game and cannot be to move."))
    return found


def _pawn_faults(setup: Setup, tables: Tables) -> list[Fault]:
    found = []
    rules = tables.rules
    for square, piece in sorted(setup.pieces.items()):
        if piece.kind is Kind.PAWN and not piece.grey and piece.seat not in setup.dead:
            where = f"{rules.seats[piece.seat].name.capitalize()}'s pawn on {rules.geometry.names[square]}"
            if rules.geometry.depth(square, rules.seats[piece.seat].forward) == 1:
                found.append(Fault("pawn_on_first_rank", f"{where} stands behind where pawns begin."))
            elif tables.promotes(piece.seat, square):
                found.append(Fault("pawn_on_last_rank", f"{where} should have promoted."))
    return found


def _right_faults(setup: Setup, tables: Tables) -> list[Fault]:
    found = []
    rules = tables.rules
    for seat, short in sorted(setup.castling):
        if seat not in setup.dead and castle_of(setup, tables, seat, short) is None:
            side = "short" if short else "long"
            found.append(
                Fault(
                    "impossible_castling_right",
                    f"{rules.seats[seat].name.capitalize()} cannot have the right to castle {side}: "
                    "king or rook is not at home.",
                )
            )
    for seat, skipped in sorted(setup.en_passant.items()):
        if double_step_of(setup, tables, seat, skipped) is None:
            found.append(
                Fault(
                    "impossible_en_passant",
                    f"{rules.seats[seat].name.capitalize()} cannot have skipped "
                    f"{rules.geometry.names[skipped]} with a pawn's double step.",
                )
            )
    return found


def _check_faults(setup: Setup, tables: Tables) -> list[Fault]:
    last = (setup.turn - 1) % len(tables.rules.seats)
    if last not in attacked_kings(setup, tables):
        return []
    name = tables.rules.seats[last].name.capitalize()
    return [Fault("opponent_in_check", f"{name} stands in check, but has just moved: it cannot be so left.")]
