"""Setups: the content of a FEN or FEN4, possible or not. A `Position`, in contrast, can be played.

`faults` lists every reason why a setup cannot be played. To build one piece by piece, use `editor`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType

from fourfold.engine.board import Board
from fourfold.engine.errors import Fault
from fourfold.engine.movegen import in_check
from fourfold.engine.pieces import LEAPS, Piece, PieceKind
from fourfold.engine.rules import Rules
from fourfold.engine.tables import Castle, DoubleStep, Man, Tables


@dataclass(frozen=True, slots=True)
class Setup:
    """The content of a FEN or FEN4. Squares and seats are numbers, as in `Geometry` and `Rules`.

    A setup never changes. It copies the mappings that you give it, and shows them as read-only views.
    """

    pieces: Mapping[int, Piece]
    """The pieces by square."""
    turn: int = 0
    """The seat to move."""
    castling: frozenset[tuple[int, bool]] = frozenset()
    """The castling rights: pairs of a seat and True for the short side, False for the long one."""
    castling_rooks: Mapping[tuple[int, bool], int] = field(default_factory=dict)
    """The square of each right's rook, if the text names it."""
    en_passant: Mapping[int, int] = field(default_factory=dict)
    """For each seat whose last move was a double step, the square that its pawn skipped."""
    halfmove: int = 0
    """Plies since the last capture or pawn move."""
    ply: int = 0
    """Plies played since the start of the game."""
    dead: frozenset[int] = frozenset()
    """The eliminated seats."""
    points: tuple[int, ...] | None = None
    """Each seat's points; None if the text has none."""
    fallen: tuple[int, ...] = ()
    """The eliminated seats in the order of their eliminations, as far as known."""
    over: bool = False
    """Whether a king's capture has ended the game. One king may then be missing."""
    checks: tuple[int, ...] | None = None
    """How many checks each seat has given; None unless the variant counts them."""
    hands: tuple[tuple[int, ...], ...] = ()
    """The pieces in each seat's hand, as counts by kind; empty if all hands are."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "pieces", MappingProxyType(dict(self.pieces)))
        object.__setattr__(self, "castling_rooks", MappingProxyType(dict(self.castling_rooks)))
        object.__setattr__(self, "en_passant", MappingProxyType(dict(self.en_passant)))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle plain dicts, because views cannot be pickled."""
        said = (getattr(self, one.name) for one in fields(self))
        return Setup, tuple([dict(value) if isinstance(value, MappingProxyType) else value for value in said])

    def alive(self, rules: Rules) -> tuple[int, ...]:
        """The seats still in the game, in the order of turns."""
        return tuple(seat for seat in range(len(rules.seats)) if seat not in self.dead)

    def walking(self, rules: Rules) -> tuple[int, ...]:
        """The eliminated seats whose king still walks."""
        if not rules.dead_kings_walk:
            return ()
        return tuple(seat for seat in sorted(self.dead) if Piece(seat, PieceKind.KING) in self.pieces.values())

    def standing(self, rules: Rules) -> dict[int, Piece]:
        """The pieces with those of eliminated seats turned grey, except walking kings."""
        walking = {Piece(seat, PieceKind.KING) for seat in self.walking(rules)}
        return {
            square: replace(piece, grey=piece.grey or (piece.seat in self.dead and piece not in walking))
            for square, piece in self.pieces.items()
        }


def castle_of(setup: Setup, tables: Tables, seat: int, short: bool) -> Castle | None:
    """The castling of a right: the first in the rules that fits. None if king and rook are not on their squares."""
    named = setup.castling_rooks.get((seat, short))
    for castle in tables.castles_of[seat]:
        if castle.short == short and (named is None or named == castle.rook.source):
            king = setup.pieces.get(castle.move.source)
            rook = setup.pieces.get(castle.rook.source)
            if _is(king, seat, PieceKind.KING) and _is(rook, seat, PieceKind.ROOK):
                return castle
    return None


def _is(piece: Piece | None, seat: int, kind: PieceKind) -> bool:
    """Whether this is a live piece of a seat and kind. Comparing with a new `Piece` takes several times as long."""
    return piece is not None and piece.kind is kind and piece.seat == seat and not piece.grey


def double_step_of(setup: Setup, tables: Tables, seat: int, skipped: int) -> DoubleStep | None:
    """The seat's double step over the square `skipped`, or None if the board contradicts it. The pawn must stand on its
    target square. If nobody has moved since, the squares behind it must be empty."""
    found = tables.steps_over.get((seat, skipped))
    if found is None:
        return None
    move, step = found
    pawn = setup.pieces.get(step.landed)
    fresh = seat == (setup.turn - 1) % len(tables.rules.seats)
    blocked = fresh and not setup.pieces.keys().isdisjoint((move.source, skipped))
    if pawn is not None and pawn.seat == seat and pawn.kind is PieceKind.PAWN and not blocked:
        return step
    return None


def sound(setup: Setup, board: Board) -> bool:
    """Whether a setup surely has no `faults`, by quick questions about its board. The rights are not tested.

    False means that `faults` must decide: somebody is out, several kings are attacked, or something is wrong.
    """
    tables, total = board.tables, board.total
    if setup.dead or setup.over or -1 in board.kings:
        return False
    players = len(board.kings)
    if (total & tables.planes.kings).bit_count() != players or total & tables.misplaced_pawns:
        return False
    last = (setup.turn - 1) % players
    for seat in range(players):
        if in_check(board, seat) and (seat == last or players != 2 or len(_attackers(board, seat)) > 2):
            return False
    return True


def _attackers(board: Board, seat: int) -> list[int]:
    """The squares of the pieces that attack the seat's king."""
    threats = board.tables.threats[board.kings[seat]]
    found = (board.total ^ board.forces[board.tables.teams[seat]]) & threats.mask
    return [source for source, between in threats.sources(found) if not between & board.total]


def faults(setup: Setup, tables: Tables) -> list[Fault]:
    """Every fault of a setup: in its kings, pawns and rights, and checks that no move can have given."""
    return [
        *_king_faults(setup, tables.rules),
        *_neighbour_faults(setup, tables.rules),
        *_pawn_faults(setup, tables),
        *_right_faults(setup, tables),
        *_check_faults(setup, tables),
    ]


def attacked_kings(setup: Setup, tables: Tables) -> set[int]:
    """The seats whose king a live enemy piece attacks."""
    return {man.seat for man in _checkers(setup, tables) if man.seat not in setup.dead}


def _checkers(setup: Setup, tables: Tables) -> dict[Man, list[Man]]:
    """The kings in check, walking kings included, each with its checking pieces."""
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


def _over(setup: Setup, rules: Rules) -> bool:
    """Whether the loss of a king has ended the game."""
    kings = {piece.seat for piece in setup.pieces.values() if piece.kind is PieceKind.KING}
    return setup.over or (rules.kings_may_vanish and len(kings) == len(rules.seats) - 1)


def _king_faults(setup: Setup, rules: Rules) -> Iterator[Fault]:
    alive = setup.alive(rules)
    over = _over(setup, rules)
    for seat in alive:
        if seat in rules.kingless:
            continue
        name = rules.seats[seat].called
        kings = list(setup.pieces.values()).count(Piece(seat, PieceKind.KING))
        if kings == 0 and not over:
            yield Fault("missing_king", f"{name} has no king: put exactly one on the board.")
        elif kings > 1:
            yield Fault("extra_king", f"{name} has {kings} kings: there must be exactly one.")
    if over and sum(piece.kind is PieceKind.KING for piece in setup.pieces.values()) < len(alive) - 1:
        yield Fault("missing_king", "Only one king can have been captured.")
    for seat in setup.walking(rules):
        kings = list(setup.pieces.values()).count(Piece(seat, PieceKind.KING))
        if kings > 1:
            name = rules.seats[seat].called
            yield Fault("extra_walking_king", f"{name} is out, and {kings} kings walk: there can be only one.")
    if setup.dead and rules.in_teams:
        yield Fault("dead_seat_in_teams", "In a team game, nobody is out before the game ends.")
    if setup.turn not in alive + setup.walking(rules):
        name = rules.seats[setup.turn].called
        yield Fault("turn_of_dead_seat", f"{name} is out of the game, so it cannot be {name}'s turn.")


def _pawn_faults(setup: Setup, tables: Tables) -> Iterator[Fault]:
    rules = tables.rules
    for square, piece in sorted(setup.pieces.items()):
        if piece.kind is PieceKind.PAWN and not piece.grey and piece.seat not in setup.dead:
            where = f"{rules.seats[piece.seat].called}'s pawn on {rules.geometry.names[square]}"
            back_row = rules.geometry.depth(square, rules.seats[piece.seat].forward) == 1
            if back_row and piece.seat not in rules.back_row_pawns:
                yield Fault("pawn_on_first_rank", f"{where} stands on its own back rank.")
            elif tables.promotes(piece.seat, square):
                yield Fault("pawn_on_last_rank", f"{where} should have promoted.")


def _right_faults(setup: Setup, tables: Tables) -> Iterator[Fault]:
    rules = tables.rules
    for seat, short in sorted(setup.castling):
        if seat not in setup.dead and castle_of(setup, tables, seat, short) is None:
            right = f"the right to castle {'short' if short else 'long'}"
            why = f"{rules.seats[seat].called} cannot have {right}: the king or rook is not on its starting square."
            yield Fault("impossible_castling_right", why)
    for seat, skipped in sorted(setup.en_passant.items()):
        if double_step_of(setup, tables, seat, skipped) is None:
            where = f"over {rules.geometry.names[skipped]}"
            yield Fault("impossible_en_passant", f"{rules.seats[seat].called} cannot have made a double step {where}.")


def _neighbour_faults(setup: Setup, rules: Rules) -> Iterator[Fault]:
    """Enemy kings on neighbouring squares."""
    board = rules.geometry
    for one, seat, other, rival in () if rules.kings_may_touch else _touching(setup, rules):
        whose = f"{rules.seats[seat].name}'s and {rules.seats[rival].name}'s"
        where = f"{board.names[one]} and {board.names[other]}"
        both = f"The kings on {where}, {whose}, are next to each other: neither king can have moved there."
        yield Fault("adjacent_kings", both)


def _touching(setup: Setup, rules: Rules) -> Iterator[tuple[int, int, int, int]]:
    """The pairs of enemy kings on neighbouring squares: square and seat of the one, square and seat of the other."""
    board = rules.geometry
    kings = sorted(
        (square, piece.seat)
        for square, piece in setup.standing(rules).items()
        if piece.kind is PieceKind.KING and not piece.grey and piece.seat not in rules.kingless
    )
    for one, seat in kings:
        near = {board.step(one, step) for step in LEAPS[PieceKind.KING]}
        for other, rival in kings:
            if other > one and other in near and rules.teams[seat] != rules.teams[rival]:
                yield one, seat, other, rival


def _check_faults(setup: Setup, tables: Tables) -> Iterator[Fault]:
    rules = tables.rules
    if _over(setup, rules):
        return  # the king's capture ended the game, so other kings may be in check
    if rules.kings_may_touch and any(_touching(setup, rules)):
        return  # kings that touch are not in check
    last = (setup.turn - 1) % len(rules.seats)
    for king, checkers in _checkers(setup, tables).items():
        name = rules.seats[king.seat].called
        if king.seat == last and last not in setup.dead:
            left = f"{name} is in check after moving. Then it must be {name}'s turn."
            yield Fault("opponent_in_check", left)
        elif not rules.kings_may_vanish and not _can_be_given(setup, tables, king, checkers):  # explosions open lines
            squares = " and ".join(sorted(rules.geometry.names[man.square] for man in checkers))
            given = f"{name} is in check from {squares} at once. No moves can lead to that."
            yield Fault("impossible_check", given)


def _can_be_given(setup: Setup, tables: Tables, king: Man, checkers: list[Man]) -> bool:
    """Whether moves can have led to all these checks at once.

    The king was safe after its player's last move. So the checks come from one move of each seat between that player
    and the next to move. Eliminated seats count, because they may have gone out later. A move gives at most two
    checks: one by the moved piece, and one along the line that it opened. (A capture en passant opens two lines, but
    adds a check by the pawn itself only if it promotes.) A knight or a pawn gives check only by its own move. The
    function judges three checks or more, because some published positions have two impossible ones.
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
