"""A setup is what somebody may write down or put on a board; a position is what can be played.

`faults` names what keeps a setup from being a position, everything at once. A board that is set up piece by
piece is the business of `editor`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType

from fourfold.engine.errors import Fault
from fourfold.engine.pieces import LEAPS, Piece, PieceKind
from fourfold.engine.rules import Rules
from fourfold.engine.tables import Castle, DoubleStep, Man, Tables


@dataclass(frozen=True, slots=True)
class Setup:
    """Anything that a FEN or FEN4 can say. Squares and seats are numbers, as in `Geometry` and `Rules`.

    `castling` are the rights as (seat, short side?) pairs, and `castling_rooks` the squares of their rooks, where the
    text says them; `en_passant` has, for each seat whose last move
    was a double step, the square that its pawn skipped; `halfmove` counts the plies since the last capture
    or pawn move, `ply` those of the whole game; `dead` are the seats that are out, `fallen` those of them of whom
    it is known in which order they went, the first first. `over` says that the game has ended by a king's capture,
    so that one may be missing. `checks` are how many checks each seat has given, where that counts.

    A setup never changes: it keeps copies of the mappings that it is made of, and shows them as views.
    """

    pieces: Mapping[int, Piece]
    turn: int = 0
    castling: frozenset[tuple[int, bool]] = frozenset()
    castling_rooks: Mapping[tuple[int, bool], int] = field(default_factory=dict)
    en_passant: Mapping[int, int] = field(default_factory=dict)
    halfmove: int = 0
    ply: int = 0
    dead: frozenset[int] = frozenset()
    points: tuple[int, ...] | None = None
    fallen: tuple[int, ...] = ()
    over: bool = False
    checks: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "pieces", MappingProxyType(dict(self.pieces)))
        object.__setattr__(self, "castling_rooks", MappingProxyType(dict(self.castling_rooks)))
        object.__setattr__(self, "en_passant", MappingProxyType(dict(self.en_passant)))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled with plain mappings, since views cannot be."""
        said = (getattr(self, one.name) for one in fields(self))
        return Setup, tuple([dict(value) if isinstance(value, MappingProxyType) else value for value in said])

    def alive(self, rules: Rules) -> tuple[int, ...]:
        """The seats still in the game, in the order of turns."""
        return tuple(seat for seat in range(len(rules.seats)) if seat not in self.dead)

    def walking(self, rules: Rules) -> tuple[int, ...]:
        """The seats that are out but whose king still walks."""
        if not rules.dead_kings_walk:
            return ()
        return tuple(seat for seat in sorted(self.dead) if Piece(seat, PieceKind.KING) in self.pieces.values())

    def standing(self, rules: Rules) -> dict[int, Piece]:
        """The pieces as they will stand: those of dead seats grey, apart from a king that walks."""
        walking = {Piece(seat, PieceKind.KING) for seat in self.walking(rules)}
        return {
            square: Piece(piece.seat, piece.kind, piece.grey or (piece.seat in self.dead and piece not in walking))
            for square, piece in self.pieces.items()
        }


def castle_of(setup: Setup, tables: Tables, seat: int, short: bool) -> Castle | None:
    """The castling that a right stands for, if king and rook are at home: the first of the rules' that it can be."""
    named = setup.castling_rooks.get((seat, short))
    for castle in tables.castles_of[seat]:
        meant = castle.short == short and named in (None, castle.rook.source)
        king = setup.pieces.get(castle.move.source)
        rook = setup.pieces.get(castle.rook.source)
        if meant and king == Piece(seat, PieceKind.KING) and rook == Piece(seat, PieceKind.ROOK):
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
            if pawn is not None and (pawn.seat, pawn.kind) == (seat, PieceKind.PAWN) and not blocked:
                return step
    return None


def faults(setup: Setup, tables: Tables) -> list[Fault]:
    """What is wrong with a setup: with kings, pawns and rights, and with checks that no move can have given."""
    return [
        *_king_faults(setup, tables.rules),
        *_neighbour_faults(setup, tables.rules),
        *_pawn_faults(setup, tables),
        *_right_faults(setup, tables),
        *_check_faults(setup, tables),
    ]


def attacked_kings(setup: Setup, tables: Tables) -> set[int]:
    """The seats of which a king is attacked by a live rival."""
    return {man.seat for man in _checkers(setup, tables) if man.seat not in setup.dead}


def _checkers(setup: Setup, tables: Tables) -> dict[Man, list[Man]]:
    """The kings that live rivals attack, those that walk among them, each with the men that do."""
    men = [tables.men_of(piece)[square] for square, piece in setup.standing(tables.rules).items()]
    forces = [0] * (max(tables.teams) + 2)
    total = 0
    for man in men:
        total ^= man.mark
        forces[man.team] ^= man.mark
    return {
        king: [man for man in men if man.team != king.team and tables.threats[king.square].reached(man.mark, total)]
        for king in men
        if king.king and king.team >= 0 and tables.threats[king.square].reached(total ^ forces[king.team], total)
    }


def _king_faults(setup: Setup, rules: Rules) -> Iterator[Fault]:
    alive = setup.alive(rules)
    for seat in alive:
        name = rules.seats[seat].called
        kings = list(setup.pieces.values()).count(Piece(seat, PieceKind.KING))
        if kings == 0 and not setup.over:
            yield Fault("missing_king", f"{name} has no king: put exactly one on the board.")
        elif kings > 1:
            yield Fault("extra_king", f"{name} has {kings} kings: there must be exactly one.")
    if setup.over and sum(piece.kind is PieceKind.KING for piece in setup.pieces.values()) < len(alive) - 1:
        yield Fault("missing_king", "One king can have been taken, not several.")
    for seat in setup.walking(rules):
        kings = list(setup.pieces.values()).count(Piece(seat, PieceKind.KING))
        if kings > 1:
            name = rules.seats[seat].called
            yield Fault("extra_walking_king", f"{name} is out, and {kings} kings walk: there can be only one.")
    if setup.dead and rules.in_teams:
        yield Fault("dead_seat_in_teams", "In a game in teams nobody can be out while it goes on.")
    if setup.turn not in alive + setup.walking(rules):
        name = rules.seats[setup.turn].called
        yield Fault("turn_of_dead_seat", f"{name} is out of the game and cannot be to move.")


def _pawn_faults(setup: Setup, tables: Tables) -> Iterator[Fault]:
    rules = tables.rules
    for square, piece in sorted(setup.pieces.items()):
        if piece.kind is PieceKind.PAWN and not piece.grey and piece.seat not in setup.dead:
            where = f"{rules.seats[piece.seat].called}'s pawn on {rules.geometry.names[square]}"
            if rules.geometry.depth(square, rules.seats[piece.seat].forward) == 1:
                yield Fault("pawn_on_first_rank", f"{where} stands behind where pawns begin.")
            elif tables.promotes(piece.seat, square):
                yield Fault("pawn_on_last_rank", f"{where} should have promoted.")


def _right_faults(setup: Setup, tables: Tables) -> Iterator[Fault]:
    rules = tables.rules
    for seat, short in sorted(setup.castling):
        if seat not in setup.dead and castle_of(setup, tables, seat, short) is None:
            right = f"the right to castle {'short' if short else 'long'}"
            why = f"{rules.seats[seat].called} cannot have {right}: king or rook is not at home."
            yield Fault("impossible_castling_right", why)
    for seat, skipped in sorted(setup.en_passant.items()):
        if double_step_of(setup, tables, seat, skipped) is None:
            where = f"{rules.geometry.names[skipped]} with a pawn's double step"
            yield Fault("impossible_en_passant", f"{rules.seats[seat].called} cannot have skipped {where}.")


def _neighbour_faults(setup: Setup, rules: Rules) -> Iterator[Fault]:
    """Kings of enemies side by side, of which neither can have stepped there."""
    board = rules.geometry
    kings = sorted(
        (square, piece.seat)
        for square, piece in setup.standing(rules).items()
        if piece.kind is PieceKind.KING and not piece.grey
    )
    for one, seat in kings:
        near = {board.step(one, step) for step in LEAPS[PieceKind.KING]}
        for other, rival in kings:
            if other > one and other in near and rules.teams[seat] != rules.teams[rival]:
                whose = f"{rules.seats[seat].name}'s and {rules.seats[rival].name}'s"
                where = f"{board.names[one]} and {board.names[other]}"
                both = f"The kings on {where}, {whose}, stand side by side: neither may step there."
                yield Fault("adjacent_kings", both)


def _check_faults(setup: Setup, tables: Tables) -> Iterator[Fault]:
    if setup.over:
        return  # the king's capture ended the game, whatever became of the other kings
    rules = tables.rules
    last = (setup.turn - 1) % len(rules.seats)
    for king, checkers in _checkers(setup, tables).items():
        name = rules.seats[king.seat].called
        if king.seat == last and last not in setup.dead:
            left = f"{name} stands in check, but has just moved: it cannot be so left."
            yield Fault("opponent_in_check", left)
        elif not _can_be_given(setup, tables, king, checkers):
            squares = " and ".join(sorted(rules.geometry.names[man.square] for man in checkers))
            given = f"{name} is in check from {squares} at once: no moves can have given that."
            yield Fault("impossible_check", given)


def _can_be_given(setup: Setup, tables: Tables, king: Man, checkers: list[Man]) -> bool:
    """Whether moves can have attacked a king by so many men at once.

    Its player has left it safe, so that all the checks came with one move each of those who have moved since: those
    whose turns lie between the king's and the one that is next, dead or not, as they may have gone out afterwards.
    A move gives at most two checks, one by the man that moved and one along the line that it left. (Two lines are
    left by a capture in passing, but together with a check by the man itself only where it promotes.) A knight or a
    pawn gives check by no move but its own. Only three checks and more are judged: published positions have two that
    no move can have given either.
    """
    rules = tables.rules
    seats = len(rules.seats)
    since = (setup.turn - king.seat) % seats or seats
    movers = [(king.seat + number) % seats for number in range(1, since)]
    if len(checkers) < 3:
        return True
    near = [man.seat for man in checkers if man.kind in (PieceKind.PAWN, PieceKind.KNIGHT, PieceKind.KING)]
    if len(set(near)) < len(near) or not set(near) <= set(movers):
        return False
    skipped = {step.skipped for step in tables.double_steps.values()}
    promoted = {man.seat for man in checkers if man.square in skipped and tables.promotes(man.seat, man.square)}
    return len(checkers) <= 2 * len(movers) + len(promoted.intersection(movers))
