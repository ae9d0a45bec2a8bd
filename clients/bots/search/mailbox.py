"""A faster board for searches: an array of squares, on which moves are made and taken back.

A `Position` never changes, and each move creates a new one. A search visits hundreds of thousands of positions briefly,
so it changes one board and restores it. The board follows the rules of the engine for standard chess and for four
players (tests play the same games on both), with one exception: kings of players who left do not walk.

Moves come from the engine's tables. The generator yields pseudo-legal moves; `make` detects moves that leave the own
king attacked.
"""

from __future__ import annotations

from typing import Final

from fourfold.clients.bots.search.board import DRAWN, GOES_ON, LOST, WON, PositionBoard, SearchBoard
from fourfold.clients.bots.search.evaluation import NOBODY, POINT, Evaluation, even, joined
from fourfold.clients.bots.search.plan import GONE, LINE, SHORT
from fourfold.clients.bots.search.pseudo_legal import PseudoLegal
from fourfold.engine.fourplayer.hill import FourHillReferee
from fourfold.engine.fourplayer.referee import FourPlayerReferee, TeamReferee
from fourfold.engine.fourplayer.scoring import BONUS, DRAW, KING
from fourfold.engine.geometry import SQUARE_8
from fourfold.engine.moves import Move
from fourfold.engine.pieces import PieceKind
from fourfold.engine.position import Position
from fourfold.engine.tables import Castle
from fourfold.engine.twoplayer.draws import TwoPlayerReferee
from fourfold.engine.twoplayer.king_of_the_hill import HillReferee
from fourfold.engine.twoplayer.three_check import CHECKS, ThreeCheckReferee
from fourfold.engine.zobrist import key

_REFEREES: Final = (TwoPlayerReferee, HillReferee, ThreeCheckReferee, FourPlayerReferee, TeamReferee, FourHillReferee)
"""The variants whose rules a `Mailbox` follows completely."""

_NOTHING: Final[list[int]] = []

_SEATS: Final = [seats.bit_count() for seats in range(16)]
"""The number of seats in a set of seats as bits."""


def board_of(root: Position) -> SearchBoard:
    """The fastest board for a search from a position."""
    known = type(root.rules.referee) in _REFEREES and (len(root.seats) > 2 or root.geometry is SQUARE_8)
    return Mailbox(root) if known else PositionBoard(root)


def worth(position: Position, seat: int | None = None) -> int:
    """The static evaluation of a position for a seat's team, or for that of the side to move."""
    found = board_of(position).worth()
    teams = position.rules.teams
    if seat is None or teams[seat] == teams[position.turn]:
        return found
    return -found if len(teams) == 2 else Evaluation(position, seat).of(position)


class _Made:
    """The changes of a move, to take it back."""

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
        """The codes and squares of the captured pieces, alternating."""
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
        """The square of the mover's king before the move."""
        self.gone = _NOTHING
        """Eliminated seats and the squares of their kings, alternating."""


class Mailbox(PseudoLegal):
    """The board of one search, which starts at a position."""

    def __init__(self, root: Position) -> None:
        super().__init__(root)
        rules = root.rules
        self._alone = not self._two and not rules.in_teams
        self._paired = list(rules.teams) == [0, 1, 0, 1] and len(root.alive) == 4 and root.points is None
        """Whether two teams of two play, and all four are in: they stay in to the end."""
        self._own = root.turn
        self._team = rules.teams[root.turn]
        self._even = even(root, self._team)
        self.halfmove = root.halfmove
        self.checks = -1
        """Whether the side to move is in check; -1 if not known yet."""
        self.exposed = sum(1 << seat for seat in root.exposed)
        self.alive = sum(1 << seat for seat in root.alive)
        self.points = None if root.points is None else list(root.points)
        self.result = GOES_ON
        self._made: list[_Made] = []
        self._past = [int.from_bytes(root.history[at : at + 8]) & SHORT for at in range(0, len(root.history), 8)]
        self._begun = len(self._past)
        self.since = 0
        """The index of the first past position that can recur."""
        self._stuck_after = rules.moves_without_progress
        self._hill = rules.goal
        self.given = root.checks if isinstance(rules.referee, ThreeCheckReferee) else None
        """How many checks each side has given, in variants that count them."""

    def next_seat(self) -> int:
        seats: tuple[int, ...] = self._tables.clockwise[self.turn]
        for seat in seats:
            if self.alive >> seat & 1:
                return seat
        return self.turn

    def checked(self) -> bool:
        if self.checks < 0:
            king = self._kings[self.turn]
            self.checks = 1 if king >= 0 and self.attacked(king, self._teams[self.turn]) else 0
        return self.checks > 0

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
        if steps:  # the en passant right lapses when its player moves again, or when the pawn is captured
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
        elif self._alone:
            self._judge(made, seat, move)
        else:
            self.turn = (seat + 1) % self._seats
        if self._hill and self._kings[seat] in self._hill and made.king != self._kings[seat]:
            self.result = WON if self._teams[seat] == self._team else LOST
        self.key ^= plan.turn_keys[seat] ^ plan.turn_keys[self.turn]
        return True

    def _count_check(self, seat: int) -> None:
        assert self.given is not None
        white, black = self.given
        self.given = (white + 1, black) if seat == 0 else (white, black + 1)
        self.since = len(self._past)
        self.key ^= key(GONE, seat, self.given[seat]) & SHORT
        if self.given[seat] >= CHECKS:
            self.result = WON if self._teams[seat] == self._team else LOST

    def _change(self, made: _Made, seat: int, move: Move) -> bool:
        """Move the pieces. Return whether the mover's king is safe after that."""
        plan, codes = self._plan, self._codes
        source, target = move.source, move.target
        made.source = source
        made.king = king = self._kings[seat]
        doubtful = self.checks != 0 or source == king or (king >= 0 and plan.way[king][source] & LINE > 0)
        if source == king and self.rights:
            castle = self._castle_of(move)
            if castle is not None:
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

    def _castle_of(self, move: Move) -> Castle | None:
        """The castling of a king's move; None if it is an ordinary move."""
        castle = self._tables.castle_of_move.get(move)
        return castle if castle is not None and self.rights & castle.bit else None

    def _take(self, made: _Made, seat: int) -> bool:
        """Score the captures among four, and eliminate the owner of a captured king. Return whether that ended the
        game."""
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
        """Remove a seat's king from play; its pieces stop attacking."""
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
            self.key ^= (keys.rights_key(rights) ^ keys.rights_key(self.rights)) & SHORT
            self.rights = rights

    def _judge(self, made: _Made, seat: int, move: Move) -> None:
        """In games without teams, eliminate mated players, and pass the turn."""
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
                if not made.gone or self.attacked(kings[other], self._teams[other]):  # nothing saved it
                    self._eliminate(made, other, seat)
        self._pass_turn(made, seat)

    def _pass_turn(self, made: _Made, seat: int) -> None:
        self.turn = self.next_seat()
        if made.gone:
            self._conclude()

    def _score_checks(self, seat: int, target: int) -> None:
        """Give the bonus for a check to several kings by the moved piece."""
        kings = 0
        for other in range(self._seats):
            if self.exposed & self.alive & 1 << other and other != seat:
                kings += target >= 0 and self._attacks(seat, self._codes[target], target, self._kings[other])
        if kings in BONUS:
            kind = self._plan.kind_of[self._codes[target]]
            self._score(seat, BONUS[kings][kind not in (PieceKind.QUEEN, PieceKind.PROMOTED_QUEEN)])

    def _conclude(self) -> None:
        """End the game if only one player is left."""
        if self.alive & self.alive - 1:
            return
        if self.points is None:
            self.result = WON if self.alive >> self._own & 1 else LOST
        else:
            self.result = self._by_points(0, KING)

    def _by_points(self, whole: int, king: int) -> int:
        """The winner of a game on points, whose end gives `whole` points to each player still in, and `king` more for
        each walking king."""
        points, walking = list(self.points or _NOTHING), 0
        for seat in range(self._seats):
            walking += self._kings[seat] >= 0 and not self.alive >> seat & 1
        for seat in range(self._seats):
            if self.alive >> seat & 1:
                points[seat] += whole + walking * king
        return WON if points[self._own] == max(points) else LOST

    def _can_move(self, seat: int) -> bool:
        """Whether a seat in check has a legal move."""
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
                identity ^= step.key & SHORT
        return identity

    def in_game(self, seat: int) -> bool:
        return self.alive >> seat & 1 > 0

    def ended(self) -> int:
        if self.result != GOES_ON:
            return self.result
        halfmove = self.halfmove
        if self._two:
            if halfmove >= 4 and (halfmove >= 100 or self._comes_again(1)):
                return DRAWN
            few = len(self._where[0]) <= 2 and len(self._where[1]) <= 2
        else:
            left = _SEATS[self.alive]
            if halfmove >= 4 * left and (halfmove >= self._stuck_after * left or self._comes_again(2)):
                return self._drawn()
            few = self._few(2 * left)
        return self._drawn() if few and not self._hill and self._insufficient() else GOES_ON

    def _few(self, most: int) -> bool:
        """Whether at most so many pieces are on the board, besides those that are grey at the root."""
        for seat in range(self._seats):
            most -= len(self._where[seat])
            if most < 0:
                return False
        return True

    def _drawn(self) -> int:
        """The result of a draw: by points, where they count."""
        return DRAWN if self.points is None else self._by_points(DRAW, DRAW)

    def _comes_again(self, most: int) -> bool:
        """Whether the position counts as a repetition: it occurred since the root, or twice in all before."""
        identity, times = self.identity(), 0
        past = self._past
        for at in range(len(past) - 4, self.since - 1, -2 if self._two else -1):
            if past[at] == identity:
                times += 1
                if times == 2 or (times == most and at >= self._begun):
                    return True
        return False

    def _insufficient(self) -> bool:
        """Whether no player has enough material to mate."""
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
            worth = self._worth_of_two() if self._team == 0 else -self._worth_of_two()
            ends = self._strength <= 4 and not self._hill and self.given is None
            return int(worth / self._levels()) if ends else worth
        if self._paired:
            early = self._early
            lead = early[0] - early[1] + early[2] - early[3]
            return lead if self._team == 0 else -lead
        own, others = 0, NOBODY
        for seat in range(self._seats):
            worth = self._early[seat] if self.alive >> seat & 1 else 0
            if self.points is not None:
                worth += POINT * self.points[seat]
            elif not self.alive >> seat & 1:
                continue
            if self._teams[seat] == self._team:
                own += worth
            elif others == NOBODY or self._alone:
                others = joined(others, worth)
            else:
                others += worth
        return own - others + self._even

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
        found = self.attacked(move.target, self._plan.team_of[code])
        self._codes[move.source] = code
        return found

    def gives_check(self, move: Move) -> bool:
        seat, source = self.turn, move.source
        code, kings = self._codes[source], self._kings
        for other in self._rivals[seat]:
            if kings[other] >= 0 and self._attacks(seat, code, move.target, kings[other], source):
                return True
        return False

    def may_mate(self, move: Move) -> bool:
        """Whether a move might mate or capture a king. False only if it plainly cannot."""
        if self.exposed:
            return True
        way, team, source, target = self._plan.way, self._teams[self.turn], move.source, move.target
        for other, king in enumerate(self._kings):
            hostile = king >= 0 and self._teams[other] != team
            if hostile and (way[king][target] or way[king][source] or target == king):
                return True
        return self.rights > 0 and self._castle_of(move) is not None

    def has_pieces(self) -> bool:
        where = self._where[self.turn]
        return len(where) > 1 + self._count[1 + 7 * self.turn]
