"""A faster board for a search: an array of squares, on which moves are made and taken back.

A `Position` never changes, and each move makes a new one. A search looks at hundreds of thousands of them for a moment
each, so here one board is changed and changed back. It follows the rules of the engine for standard chess and for four
(tests play the same games on both), but that among four the king of a player who has left stands still.

The moves are those of the engine's tables. They are generated as the pieces move; whether one leaves its own king
attacked, `make` says.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from fourfold.clients.bots.evaluation import PAWN, Evaluation
from fourfold.clients.bots.search_board import DRAWN, GOES_ON, KING_WORTH, LOST, WON, PositionBoard, SearchBoard
from fourfold.clients.bots.structure import blended, pawns_and_kings, worths
from fourfold.engine.fourplayer.referee import FourPlayerReferee, TeamReferee
from fourfold.engine.fourplayer.scoring import BONUS, KING
from fourfold.engine.geometry import OFF
from fourfold.engine.moves import Move
from fourfold.engine.pieces import LEAPS, SLIDES, PieceKind, pawn_captures
from fourfold.engine.position import Position
from fourfold.engine.rules import Rules
from fourfold.engine.tables import Castle, DoubleStep, Man, tables_of
from fourfold.engine.twoplayer.draws import TwoPlayerReferee
from fourfold.engine.twoplayer.king_of_the_hill import HILL, HillReferee
from fourfold.engine.twoplayer.three_check import CHECKS, ThreeCheckReferee
from fourfold.engine.zobrist import key

_STRAIGHT: Final = 1
_DIAGONAL: Final = 2
_LINE: Final = 3
_KNIGHT: Final = 4
_KING: Final = 8
_PAWN: Final = 16
_REACH: Final = {PieceKind.KNIGHT: _KNIGHT, PieceKind.KING: _KING, PieceKind.PAWN: _PAWN}
"""How each kind of piece attacks; those that slide do it by one or both of the first two ways."""

_SHORT: Final = (1 << 62) - 1
"""Keys have so many bits that compiled code holds them in a register."""

_REFEREES: Final = (TwoPlayerReferee, HillReferee, ThreeCheckReferee, FourPlayerReferee, TeamReferee)
"""All of whose rules a `Mailbox` follows."""

_SPREAD: Final = [sum([15 << 4 * file for file in range(8) if files >> file & 1]) for files in range(256)]
"""By files as bits: the same with four bits for each."""

_GONE: Final = 9  # the first number of a Zobrist feature: the engine has none with this
_REMEMBERED: Final = 50_000
"""Of so many structures of pawns and kings the worth is remembered."""


class Plan:
    """What is known about the board of a variant before a search, by codes of pieces and by squares.

    The code of a seat's piece is ``1 + 7 * seat + kind``; the grey pieces that stand there at the root follow as if
    they were another seat's. 0 is an empty square.
    """

    def __init__(self, rules: Rules) -> None:
        board, tables = rules.geometry, tables_of(rules)
        self.size = board.size
        self.seats = seats = len(rules.seats)
        squares = range(board.size)
        owners = [(seat, kind) for seat in range(seats + 1) for kind in PieceKind]
        self.seat_of = [-1, *(seat for seat, _ in owners)]
        self.kind_of = [-1, *(int(kind) for _, kind in owners)]
        self.team_of = [-2, *(rules.teams[seat] if seat < seats else -1 for seat, _ in owners)]
        self.reach = [0, *(_ways(kind) if seat < seats else 0 for seat, kind in owners)]
        worths = [max(1, value) for value in rules.values]
        worths[PieceKind.KING] = KING_WORTH
        self.value_of = [0, *(worths[kind] if seat < seats else -1 for seat, kind in owners)]
        self.points_of = [0, *(rules.values[kind] if seat < seats else 0 for seat, kind in owners)]
        self.men: list[list[Man]] = [[], *(tables.men[seat][kind] for seat in range(seats) for kind in PieceKind)]
        ways = LEAPS[PieceKind.KING]
        rays = [[(_DIAGONAL if way.files and way.ranks else _STRAIGHT, board.ray(square, way)) for way in ways]
                for square in squares]  # fmt: skip
        self.straight = [tuple(ray for way, ray in rays[square] if ray and way == _STRAIGHT) for square in squares]
        self.diagonal = [tuple(ray for way, ray in rays[square] if ray and way == _DIAGONAL) for square in squares]
        self.knights = [_existing(board.step(square, leap) for leap in LEAPS[PieceKind.KNIGHT]) for square in squares]
        captures = [[way.opposite() for way in pawn_captures(side.forward)] for side in rules.seats]
        self.pawns = [[_existing(board.step(square, way) for way in back) for square in squares] for back in captures]
        """By seat and square: where a pawn of the seat stands that attacks it."""
        self.way = [[0] * board.size for _ in squares]
        """Which way leads from one square to another: a line, or a knight's move."""
        self.between: list[dict[int, tuple[int, ...]]] = [{} for _ in squares]
        """By two squares on a line: those between them."""
        for square in squares:
            for way, ray in rays[square]:
                for number, other in enumerate(ray):
                    self.way[square][other] = way
                    self.between[square][other] = ray[:number]
            for other in self.knights[square]:
                self.way[square][other] = _KNIGHT
        shift = tables.planes.key_shift
        self.keys = [0] * board.size
        for men in self.men[1:]:
            self.keys += [man.mark >> shift & _SHORT for man in men]
        self.keys += [key(_GONE, kind, square) & _SHORT for kind in PieceKind for square in squares]
        self.turn_keys = [turn & _SHORT for turn in tables.turn_keys]
        self.gone_keys = [key(_GONE, seat) & _SHORT for seat in range(seats)]
        self.double_steps: list[DoubleStep | None] = [None] * board.size**2
        """By source and target, as one number."""
        for move, step in tables.double_steps.items():
            self.double_steps[move.source * board.size + move.target] = step
        self.empty = {castle: _squares(castle.empty) for castle in tables.castles}
        """What must be empty for a castling."""


def _ways(kind: PieceKind) -> int:
    if kind in _REACH:
        return _REACH[kind]
    return sum({_STRAIGHT if axis < 2 else _DIAGONAL for axis in SLIDES[kind]})


def _existing(squares: Iterable[int]) -> tuple[int, ...]:
    return tuple([square for square in squares if square != OFF])


def _squares(bits: int) -> tuple[int, ...]:
    return tuple([square for square in range(bits.bit_length()) if bits >> square & 1])


@lru_cache(maxsize=32)
def plan_of(rules: Rules) -> Plan:
    """The plan of these rules, made on first use."""
    return Plan(rules)


def board_of(root: Position) -> SearchBoard:
    """The fastest board for a search that begins at a position."""
    return Mailbox(root) if type(root.rules.referee) in _REFEREES else PositionBoard(root)


def worth(position: Position, seat: int | None = None) -> int:
    """What a position is worth at a glance to a seat's team, or to that of who is to move."""
    found = board_of(position).worth()
    teams = position.rules.teams
    if seat is None or teams[seat] == teams[position.turn]:
        return found
    return -found if len(teams) == 2 else Evaluation(position, seat).of(position)


class _Made:
    """What a move has changed, to take it back."""

    __slots__ = (
        "alive", "castle", "checks", "exposed", "given", "gone", "halfmove", "key", "king", "pawn_key", "points",
        "promoted", "result", "rights", "since", "source", "steps", "target", "turn", "victims",
    )  # fmt: skip

    def __init__(self, board: Mailbox) -> None:
        self.source = -1
        """-1 for a pass."""
        self.target = -1
        self.promoted = False
        self.victims = _NOTHING
        """Codes and squares in turn of what was taken."""
        self.castle: Castle | None = None
        self.turn = board.turn
        self.key = board.key
        self.pawn_key = board.pawn_key
        self.rights = board.rights
        self.steps = board.steps
        self.halfmove = board.halfmove
        self.since = board.since
        self.checks = board.checks
        self.exposed = board.exposed
        self.alive = board.alive
        self.points = board.points
        self.result = board.result
        self.given = board.given
        self.king = -1
        """Where the mover's king stood."""
        self.gone = _NOTHING
        """Seats and squares of their kings in turn of who went out."""


_NOTHING: Final[list[int]] = []


class Mailbox(SearchBoard):
    """The board of one search, which begins at a position."""

    def __init__(self, root: Position) -> None:
        rules = root.rules
        plan = self._plan = plan_of(rules)
        tables = self._tables = tables_of(rules)
        self._rules = rules
        self._size = plan.size
        self._seats = plan.seats
        self._two = plan.seats == 2
        self._alone = not self._two and not rules.in_teams
        self._teams = list(rules.teams)
        self._own = root.turn
        self._team = rules.teams[root.turn]
        self._codes = [0] * plan.size
        self._where: list[list[int]] = [[] for _ in range(plan.seats + 1)]
        """The squares of each seat's pieces; those that are grey at the root come last."""
        self._place = [0] * plan.size
        """Where in that list a square is."""
        self._count = [0] * len(plan.seat_of)
        self._rooks = [0] * (plan.seats + 1)
        """By seat: how many rooks stand on each file, in four bits each; kept between two."""
        self._strength = 0
        """How many pieces there are, a queen counted twice."""
        self._reach = [
            [0 if owner == team else way for way, owner in zip(plan.reach, plan.team_of, strict=True)]
            for team in range(max(rules.teams) + 1)
        ]
        """By team and code: how a hostile piece attacks; 0 for a friend, and for one whose player is out."""
        self._kings = list(root.kings)
        self.turn = root.turn
        self.key = plan.turn_keys[root.turn] ^ tables.rights_key(root.rights) & _SHORT
        self.pawn_key = 0
        """The same for the pawns and kings alone."""
        self.rights = root.rights
        self.steps = root.steps
        self.halfmove = root.halfmove
        self.checks = -1
        """Whether the side to move is in check; -1 where nobody has looked."""
        self.exposed = sum(1 << seat for seat in root.exposed)
        self.alive = sum(1 << seat for seat in root.alive)
        self.points = None if root.points is None else list(root.points)
        self.result = GOES_ON
        self._made: list[_Made] = []
        self._past = [int.from_bytes(root.history[at : at + 8]) & _SHORT for at in range(0, len(root.history), 8)]
        self.since = 0
        """From which of the past positions on one can come again."""
        self._hill = HILL if isinstance(rules.referee, HillReferee) else frozenset()
        self.given = root.checks if isinstance(rules.referee, ThreeCheckReferee) else None
        """How many checks each side has given, where that counts."""
        self._early = [0] * (plan.seats + 1)
        self._late = [0] * (plan.seats + 1)
        self._early_of = [0] * (len(plan.seat_of) * plan.size)
        self._late_of = [0] * (len(plan.seat_of) * plan.size)
        self._share = len(set(rules.teams)) - 1
        self._pawns: dict[int, tuple[int, int, int, int, int]] = {}
        of_man = Evaluation(root).worth
        for code, men in enumerate(plan.men):
            for man in men:
                at = code * plan.size + man.square
                if self._two:
                    self._early_of[at], self._late_of[at] = worths(tables)[man]
                else:
                    self._early_of[at] = of_man(man)
        for army in root.armies:
            for square, man in army.items():
                self._put(1 + 7 * (plan.seats if man.piece.grey else man.seat) + man.kind, square)

    # ---- What stands where ------------------------------------------------------------------------

    def _put(self, code: int, square: int) -> None:
        seat = self._plan.seat_of[code]
        self._codes[square] = code
        where = self._where[seat]
        self._place[square] = len(where)
        where.append(square)
        self._count[code] += 1
        self._weigh(code, seat, code * self._size + square, 1)

    def _lift(self, square: int) -> None:
        code = self._codes[square]
        seat = self._plan.seat_of[code]
        self._codes[square] = 0
        where = self._where[seat]
        last = where.pop()
        if last != square:
            place = self._place[square]
            where[place] = last
            self._place[last] = place
        self._count[code] -= 1
        self._weigh(code, seat, code * self._size + square, -1)

    def _weigh(self, code: int, seat: int, at: int, sign: int) -> None:
        """Note that a piece has come (1) or gone (-1)."""
        change = self._plan.keys[at]
        self.key ^= change
        self._early[seat] += sign * self._early_of[at]
        self._late[seat] += sign * self._late_of[at]
        kind = self._plan.kind_of[code]
        if kind == 0 or kind == 5:
            self.pawn_key ^= change
        else:
            self._strength += sign * (2 if kind == 4 else 1)
            if kind == 3 and self._two:
                self._rooks[seat] += sign << 4 * (at & 7)

    def _shift(self, source: int, target: int) -> None:
        """Move what stands on a square to an empty one."""
        code = self._codes[source]
        seat = self._plan.seat_of[code]
        self._codes[source] = 0
        self._codes[target] = code
        place = self._place[source]
        self._where[seat][place] = target
        self._place[target] = place
        keys = self._plan.keys
        source += code * self._size
        target += code * self._size
        change = keys[source] ^ keys[target]
        self.key ^= change
        self._early[seat] += self._early_of[target] - self._early_of[source]
        self._late[seat] += self._late_of[target] - self._late_of[source]
        kind = self._plan.kind_of[code]
        if kind == 0 or kind == 5:
            self.pawn_key ^= change
        elif kind == 3 and self._two:
            self._rooks[seat] += (1 << 4 * (target & 7)) - (1 << 4 * (source & 7))

    def attacked(self, square: int, team: int) -> bool:
        """Whether a rival of a team attacks a square."""
        plan, codes, reach = self._plan, self._codes, self._reach[team]
        for ray in plan.straight[square]:
            ways = 9  # from the nearest square a king too
            for target in ray:
                code = codes[target]
                if code:
                    if reach[code] & ways:
                        return True
                    break
                ways = 1
        for ray in plan.diagonal[square]:
            ways = 10
            for target in ray:
                code = codes[target]
                if code:
                    if reach[code] & ways:
                        return True
                    break
                ways = 2
        for target in plan.knights[square]:
            if reach[codes[target]] == 4:
                return True
        for seat in range(plan.seats):
            pawn = 1 + 7 * seat
            if reach[pawn]:
                for source in plan.pawns[seat][square]:
                    if codes[source] == pawn:
                        return True
        return False

    def checked(self) -> bool:
        if self.checks < 0:
            king = self._kings[self.turn]
            self.checks = 1 if king >= 0 and self.attacked(king, self._teams[self.turn]) else 0
        return self.checks > 0

    # ---- Which moves there are --------------------------------------------------------------------

    def moves(self) -> list[Move]:
        return self._moves_of(self.turn)

    def _moves_of(self, seat: int) -> list[Move]:
        codes, men, team_of, team = self._codes, self._plan.men, self._plan.team_of, self._teams[seat]
        found: list[Move] = []
        for source in self._where[seat]:
            man = men[codes[source]][source]
            if man.pawn:
                for group in man.advances:
                    if codes[group[0].target]:
                        break
                    found += group
                for move in man.captures:
                    there = codes[move.target]
                    if there and team_of[there] != team:
                        found.append(move)
                continue
            for move in man.leaps:
                if team_of[codes[move.target]] != team:
                    found.append(move)
            for move in man.steps:
                if team_of[codes[move.target]] != team:
                    found.append(move)
            for ray in man.rays:
                for move in ray:
                    there = codes[move.target]
                    if there:
                        if team_of[there] != team:
                            found.append(move)
                        break
                    found.append(move)
        for step in self.steps:
            for moves in self._takers(seat, step):
                found += [move for move in moves if move not in found]
        if self.rights:
            for castle in self._tables.castles_of[seat]:
                if self.rights & castle.bit and self._may_castle(seat, castle):
                    found.append(castle.move)
        return found

    def captures(self) -> list[Move]:
        seat = self.turn
        codes, men, team_of, team = self._codes, self._plan.men, self._plan.team_of, self._teams[seat]
        found: list[Move] = []
        for source in self._where[seat]:
            man = men[codes[source]][source]
            if man.pawn:
                for move in man.captures:
                    there = codes[move.target]
                    if there and team_of[there] != team:
                        found.append(move)
                if man.advances and man.advances[0][0].promotion is not None and not codes[man.advances[0][0].target]:
                    found += man.advances[0]
                continue
            for move in man.leaps:
                there = codes[move.target]
                if there and team_of[there] != team:
                    found.append(move)
            for move in man.steps:
                there = codes[move.target]
                if there and team_of[there] != team:
                    found.append(move)
            for ray in man.rays:
                for move in ray:
                    there = codes[move.target]
                    if there:
                        if team_of[there] != team:
                            found.append(move)
                        break
        return found

    def _takers(self, seat: int, step: DoubleStep) -> list[tuple[Move, ...]]:
        """The moves of the pawns of a seat that can take a double-stepped pawn in passing."""
        if not step.takers[seat]:
            return []
        codes, pawn = self._codes, 1 + 7 * seat
        there = codes[step.skipped]
        if there and (self._plan.team_of[there] == self._teams[seat] or not self._rules.en_passant_onto_piece):
            return []
        return [moves for man, moves in step.takers[seat] if codes[man.square] == pawn]

    def _may_castle(self, seat: int, castle: Castle) -> bool:
        codes, team = self._codes, self._teams[seat]
        for square in self._plan.empty[castle]:
            if codes[square] and square != castle.move.source and square != castle.rook.source:
                return False
        king, rook = castle.move.source, castle.rook.source
        if self.attacked(king, team):
            return False
        codes[rook] = 0  # an attack along the row may reach past where the rook stood
        safe = True
        for square in castle.path:
            if self.attacked(square, team):
                safe = False
        codes[rook] = 1 + 7 * seat + 3
        return safe and codes[king] == 1 + 7 * seat + 5

    # ---- To move, and to take it back -------------------------------------------------------------

    def make(self, move: Move) -> bool:
        plan, seat, steps = self._plan, self.turn, self.steps
        made = _Made(self)
        pawn = self._codes[move.source] == 1 + 7 * seat
        identity = self.identity()
        if not self._change(made, seat, move):
            self._restore(made)
            return False
        self._made.append(made)
        self._past.append(identity)
        self.checks = -1
        self.halfmove += 1
        if pawn or made.victims:
            self.halfmove = 0
            self.since = len(self._past)
        if self.rights:
            kept = self._tables.kept_rights
            self._set_rights(self.rights & kept[move.source] & kept[move.target])
        if steps:  # a right to take in passing lapses when its pusher moves again, and with the pawn itself
            codes = self._codes
            self.steps = tuple([old for old in steps if old.seat != seat and codes[old.landed] == 1 + 7 * old.seat])
        if pawn:
            step = plan.double_steps[move.source * self._size + move.target]
            if step is not None:
                self.steps = (*self.steps, step)
        if self._two:
            self.turn = 1 - seat
            if self.given is not None and self.checked():
                self._count_check(seat)
            if self._kings[seat] in self._hill and made.king != self._kings[seat]:
                self.result = WON if self._teams[seat] == self._team else LOST
        elif self._alone:
            self._judge(made, seat, move)
        else:
            self.turn = (seat + 1) % self._seats
        self.key ^= plan.turn_keys[seat] ^ plan.turn_keys[self.turn]
        return True

    def _count_check(self, seat: int) -> None:
        assert self.given is not None
        white, black = self.given
        self.given = (white + 1, black) if seat == 0 else (white, black + 1)
        self.since = len(self._past)
        self.key ^= key(_GONE, seat, self.given[seat]) & _SHORT
        if self.given[seat] >= CHECKS:
            self.result = WON if self._teams[seat] == self._team else LOST

    def _change(self, made: _Made, seat: int, move: Move) -> bool:
        """Move the pieces; whether that leaves the mover's king safe."""
        plan, codes = self._plan, self._codes
        source, target = move.source, move.target
        made.source = source
        made.king = king = self._kings[seat]
        doubtful = self.checks != 0 or source == king or (king >= 0 and plan.way[king][source] & _LINE > 0)
        if source == king and self.rights:
            castle = self._tables.castle_of_move.get(move)
            if castle is not None and self.rights & castle.bit:
                made.castle = castle
                self._lift(source)
                self._lift(castle.rook.source)
                self._put(1 + 7 * seat + 5, castle.target)
                self._put(1 + 7 * seat + 3, castle.rook.target)
                self._kings[seat] = castle.target
                return True
        made.target = target
        there = codes[target]
        if there:
            made.victims = [there, target]
            self._lift(target)
        if self.steps and codes[source] == 1 + 7 * seat:
            for step in self.steps:
                if step.skipped == target and codes[step.landed] == 1 + 7 * step.seat:
                    for man, _ in step.takers[seat]:
                        if man.square == source:
                            made.victims = [*made.victims, codes[step.landed], step.landed]
                            self._lift(step.landed)
                            doubtful = True
                            break
        self._shift(source, target)
        if source == king:
            self._kings[seat] = target
        elif move.promotion is not None:
            made.promoted = True
            self._lift(target)
            self._put(1 + 7 * seat + move.promotion, target)
        if made.victims and not self._two and self._take(made, seat):
            return True
        return not doubtful or self._kings[seat] < 0 or not self.attacked(self._kings[seat], self._teams[seat])

    def _take(self, made: _Made, seat: int) -> bool:
        """Score what has been taken among four, and eliminate whose king it was; whether that has ended the game."""
        plan = self._plan
        for at in range(0, len(made.victims), 2):
            code = made.victims[at]
            owner = plan.seat_of[code]
            lives = owner < plan.seats and self._reach[self._teams[seat]][code] > 0
            if lives and self.points is not None:
                self._score(seat, plan.points_of[code])
            if lives and plan.kind_of[code] == 5:
                if not self._alone:
                    self.result = LOST if self._teams[owner] == self._team else WON
                    return True
                self._eliminate(made, owner, seat)
        return False

    def _score(self, seat: int, points: int) -> None:
        if self.points is not None and self.alive >> seat & 1:
            self.points = [had + points if other == seat else had for other, had in enumerate(self.points)]

    def _eliminate(self, made: _Made, seat: int, by: int) -> None:
        """A seat loses its king, and its pieces attack no more."""
        if by >= 0:
            self._score(by, KING)
        made.gone = [*made.gone, seat, self._kings[seat]]
        self._kings[seat] = -1
        for reach in self._reach:
            for code in range(1 + 7 * seat, 8 + 7 * seat):
                reach[code] = 0
        self.alive &= ~(1 << seat)
        self.exposed &= ~(1 << seat)
        self.key ^= self._plan.gone_keys[seat]
        self.since = len(self._past)
        rights = self.rights
        for castle in self._tables.castles_of[seat]:
            rights &= ~castle.bit
        self._set_rights(rights)

    def _set_rights(self, rights: int) -> None:
        if rights != self.rights:
            keys = self._tables
            self.key ^= (keys.rights_key(rights) ^ keys.rights_key(self.rights)) & _SHORT
            self.rights = rights

    def _judge(self, made: _Made, seat: int, move: Move) -> None:
        """Eliminate who is mated where everybody plays alone, and pass the turn."""
        plan, kings = self._plan, self._kings
        before = self.exposed
        for other in self._tables.clockwise[seat]:
            king = kings[other]
            if king < 0:
                continue
            way = plan.way[king]
            if before >> other & 1 or way[move.target] or way[move.source] or made.victims or made.castle is not None:
                if self.attacked(king, self._teams[other]):
                    self.exposed |= 1 << other
                else:
                    self.exposed &= ~(1 << other)
        if self.exposed:
            if self.points is not None and self.exposed & self.exposed - 1:
                self._score_checks(seat, made.target)
            for other in self._tables.clockwise[seat]:
                if not self.exposed & self.alive & 1 << other or self._can_move(other):
                    continue
                if not made.gone or self.attacked(kings[other], self._teams[other]):  # who went out may have saved it
                    self._eliminate(made, other, seat)
        self._pass_turn(made, seat)

    def _pass_turn(self, made: _Made, seat: int) -> None:
        for other in self._tables.clockwise[seat]:
            if self.alive >> other & 1:
                self.turn = other
                break
        if made.gone:
            self._conclude()

    def _score_checks(self, seat: int, target: int) -> None:
        """Give the bonus for a check to several kings at once by the piece that has moved."""
        kings = 0
        for other in range(self._seats):
            if self.exposed & self.alive & 1 << other and other != seat:
                kings += target >= 0 and self._attacks(seat, self._codes[target], target, self._kings[other])
        if kings in BONUS:
            kind = self._plan.kind_of[self._codes[target]]
            self._score(seat, BONUS[kings][kind not in (PieceKind.QUEEN, PieceKind.PROMOTED_QUEEN)])

    def _attacks(self, seat: int, code: int, square: int, king: int, leaving: int = -1) -> bool:
        """Whether a seat's piece on a square attacks a king, if it has left another square."""
        plan = self._plan
        if code == 1 + 7 * seat:
            return square in plan.pawns[seat][king]
        way = plan.way[king][square] & plan.reach[code]
        if way & _LINE:
            for between in plan.between[king][square]:
                if self._codes[between] and between != leaving:
                    return False
        return way > 0

    def _conclude(self) -> None:
        """End a game in which only one is left."""
        if self.alive & self.alive - 1:
            return
        if self.points is None:
            self.result = WON if self.alive >> self._own & 1 else LOST
        else:
            points = list(self.points)
            for seat in range(self._seats):
                if self.alive >> seat & 1:
                    points[seat] += KING * sum(king >= 0 for other, king in enumerate(self._kings) if other != seat)
            self.result = WON if points[self._own] == max(points) else LOST

    def _can_move(self, seat: int) -> bool:
        """Whether a seat that is in check has a move."""
        turn, checks = self.turn, self.checks
        self.turn, self.checks = seat, 1
        found = False
        for move in self._moves_of(seat):
            made = _Made(self)
            found = self._change(made, seat, move)
            self._restore(made)
            if found:
                break
        self.turn, self.checks = turn, checks
        return found

    def undo(self) -> None:
        self._past.pop()
        self._restore(self._made.pop())

    def _restore(self, made: _Made) -> None:
        seat = made.turn
        for at in range(0, len(made.gone), 2):
            gone = made.gone[at]
            self._kings[gone] = made.gone[at + 1]
            for team, reach in enumerate(self._reach):
                if team != self._teams[gone]:
                    for code in range(1 + 7 * gone, 8 + 7 * gone):
                        reach[code] = self._plan.reach[code]
        castle = made.castle
        if castle is not None:
            self._lift(castle.target)
            self._lift(castle.rook.target)
            self._put(1 + 7 * seat + 5, castle.move.source)
            self._put(1 + 7 * seat + 3, castle.rook.source)
        elif made.target >= 0:
            if made.promoted:
                self._lift(made.target)
                self._put(1 + 7 * seat, made.source)
            else:
                self._shift(made.target, made.source)
            for at in range(0, len(made.victims), 2):
                self._put(made.victims[at], made.victims[at + 1])
        if made.source >= 0:
            self._kings[seat] = made.king
        self.turn = seat
        self.key = made.key
        self.pawn_key = made.pawn_key
        self.rights = made.rights
        self.steps = made.steps
        self.halfmove = made.halfmove
        self.since = made.since
        self.checks = made.checks
        self.exposed = made.exposed
        self.alive = made.alive
        self.points = made.points
        self.result = made.result
        self.given = made.given

    def stalemate(self) -> bool:
        if not (self._alone and self._rules.stalemate_eliminates):
            return False
        seat, made = self.turn, _Made(self)
        self._made.append(made)
        self._past.append(0)
        self._score(seat, KING)
        self._eliminate(made, seat, -1)
        self.checks = -1
        self._pass_turn(made, seat)
        self.key ^= self._plan.turn_keys[seat] ^ self._plan.turn_keys[self.turn]
        return True

    def pass_to(self, seat: int) -> None:
        self._made.append(_Made(self))
        self._past.append(0)
        self.since = len(self._past)
        self.halfmove = 0
        self.steps = ()
        self.checks = -1
        self.key ^= self._plan.turn_keys[self.turn] ^ self._plan.turn_keys[seat]
        self.turn = seat

    # ---- What a search asks -----------------------------------------------------------------------

    def identity(self) -> int:
        identity = self.key
        for step in self.steps:
            if self._rules.idle_steps_differ or self._takers(self.turn, step):
                identity ^= step.key & _SHORT
        return identity

    def in_game(self, seat: int) -> bool:
        return self.alive >> seat & 1 > 0

    def ended(self) -> int:
        if self.result != GOES_ON:
            return self.result
        halfmove = self.halfmove
        if self._two:
            if halfmove >= 4 and (halfmove >= 100 or self._times() > 0):
                return DRAWN
            few = len(self._where[0]) <= 2 and len(self._where[1]) <= 2 and not self._hill
        else:
            left = self.alive.bit_count()
            if halfmove >= 4 * left and (
                halfmove >= self._rules.moves_without_progress * left or self._times() > 1
            ):
                return DRAWN
            few = sum(map(len, self._where[: self._seats])) <= 2 * left
        return DRAWN if few and self._insufficient() else GOES_ON

    def _times(self) -> int:
        """How often this position has stood on the board before."""
        identity, times = self.identity(), 0
        past = self._past
        for at in range(len(past) - 4, self.since - 1, -2 if self._two else -1):
            if past[at] == identity:
                times += 1
        return times

    def _insufficient(self) -> bool:
        """Whether nobody has pieces enough to mate."""
        if self.given is not None:
            return len(self._where[0]) == len(self._where[1]) == 1
        most = 2 if self._rules.minor_pieces_draw and self.alive.bit_count() == 2 else 1
        for seat in range(self._seats):
            if self.alive >> seat & 1:
                if len(self._where[seat]) > most:
                    return False
                for square in self._where[seat]:
                    if self._plan.kind_of[self._codes[square]] not in (1, 2, 5):
                        return False
        return True

    def worth(self) -> int:
        if self._two:
            return self._worth_of_two() if self._team == 0 else -self._worth_of_two()
        own = others = 0
        for seat in range(self._seats):
            if self.alive >> seat & 1:
                if self._teams[seat] == self._team:
                    own += self._early[seat]
                else:
                    others += self._early[seat]
        if self.points is None:
            return own - others // self._share
        won = 0
        for seat in range(self._seats):
            won += self.points[seat] * self._share if self._teams[seat] == self._team else -self.points[seat]
        return own // 2 - others // (2 * self._share) + PAWN * won // self._share

    def _worth_of_two(self) -> int:
        """How much better the first side stands."""
        found = self._pawns.get(self.pawn_key)
        if found is None:
            if len(self._pawns) >= _REMEMBERED:
                self._pawns.clear()
            pawns = [sum([1 << square for square in where if self._codes[square] == 1 + 7 * seat])
                     for seat, where in enumerate(self._where[:2])]  # fmt: skip
            early, late, free, whites, blacks = pawns_and_kings(pawns[0], pawns[1], self._kings[0], self._kings[1])
            found = self._pawns[self.pawn_key] = early, late, _SPREAD[free], _SPREAD[whites], _SPREAD[blacks]
        count = self._count
        own, other = self._rooks[0], self._rooks[1]
        on_free = on_half = 0
        if own or other:
            on_free = _sum(own & found[2]) - _sum(other & found[2])
            on_half = _sum(own & found[4]) - _sum(other & found[3])
        return blended(
            self._early[0] - self._early[1] + found[0], self._late[0] - self._late[1] + found[1],
            (count[3] > 1) - (count[10] > 1), on_free, on_half, 1 if self.turn == 0 else -1,
            self._strength,
        )  # fmt: skip

    def gain(self, move: Move) -> int:
        code = self._codes[move.target]
        if code == 0:
            return 0
        if not self._two and not self.alive >> self._plan.seat_of[code] & 1:
            return -1
        return self._plan.value_of[code]

    def risk(self, move: Move) -> int:
        return self._plan.value_of[self._codes[move.source]]

    def owner(self, move: Move) -> int:
        return self._plan.seat_of[self._codes[move.source]]

    def guarded(self, move: Move) -> bool:
        code = self._codes[move.source]
        self._codes[move.source] = 0
        found = self.attacked(move.target, self._teams[self.turn])
        self._codes[move.source] = code
        return found

    def gives_check(self, move: Move) -> bool:
        source = move.source
        return self._attacks(self.turn, self._codes[source], move.target, self._kings[1 - self.turn], source)

    def has_pieces(self) -> bool:
        where = self._where[self.turn]
        return len(where) > 1 + self._count[1 + 7 * self.turn]


def _sum(files: int) -> int:
    """The sum of eight numbers of four bits each."""
    return files * 0x11111111 >> 28 & 15
