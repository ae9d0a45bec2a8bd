"""Level 5: a search. Alpha-beta deepened step by step, with quiet positions at its leaves.

Every position belongs to one of two sides: the searcher's team, or the others, who among four are taken to play
together against it (the paranoid assumption; max^n, where each side looks after itself, cannot cut, sees half as far in
the same time, and lost 24 of 24 games of survivor and 4 of 5 of ffa in `tests.bench.among_four`). Worth is counted
from the side to move; where one side moves twice running, the window is simply passed on.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import islice
from time import monotonic
from typing import Final, TypeAlias

from fourfold.clients.bots.lookahead import Lookahead
from fourfold.clients.bots.mailbox import board_of
from fourfold.clients.bots.mates import MOST, forced
from fourfold.clients.bots.openings import book
from fourfold.clients.bots.search_board import GOES_ON
from fourfold.engine.moves import Move
from fourfold.engine.pieces import PieceKind
from fourfold.engine.position import Position

MATE: Final = 1_000_000
"""The worth of a won game, less one for each ply on the way there."""

FORCED: Final = MATE - 1000
"""A worth beyond this is that of a forced win."""

DEEPEST: Final = 40
_FULL: Final = 300_000
"""So many positions the table of a search remembers."""

_LATER: Final = [
    [round(0.4 + math.log(depth) * math.log(number) / 2.2) if depth and number else 0 for number in range(64)]
    for depth in range(32)
]
"""By how many plies less a quiet move is searched, by depth and by its number among the moves: the more moves
have been tried before it, the less is to be hoped of it."""

_LEARNED: Final = 16_000
"""The most that a quiet move is held to be worth for having cut before; what is older counts less and less."""

_HOPELESS: Final = 4
"""So many plies before the end quiet moves may be left out: the later ones, and all where much is missing."""

_SETBACK: Final = 40
"""If the worth falls by so much from one depth to the next, there is something to think about."""

_EXACT: Final = 0
_AT_LEAST: Final = 1
_AT_MOST: Final = 2
_TAKES: Final = 1 << 19
_KILLS: Final = 1 << 18
_POOR: Final = -(1 << 18)
"""In what order moves are tried: by these and what is added to them, with `_LEARNED` far below. Together with a number
below 512 they are short enough for Python to sort them fast."""

_USUAL: Final = 4
"""Book moves that fewer lines have are not followed."""


_KEPT: Final = 0.8
"""Which part of the time is kept for the search while mates are looked for."""


Known: TypeAlias = dict[int, tuple[int, int, int, Move | None]]
"""By positions: how deep each was searched, its worth (a won game's less one for each ply from there), whether that is
exact, and the best move."""


class TimeIsUp(Exception):
    """The search is to end with what it has."""


class Level5:
    """Searches as deep as the budget allows. Only which of several book moves it plays is chance.

    Between two, it keeps what it has found for its next moves, in whatever games of a variant it plays.
    """

    def __init__(
        self, seed: int | str | None = None, clock: Callable[[], float] = monotonic, deepest: int = DEEPEST
    ) -> None:
        self._generator = random.Random(seed)
        self._clock = clock
        self._deepest = deepest
        self._variant = ""
        self._known: Known = {}
        self.search: Search | None = None
        """The latest search; None where the book knew the latest move."""

    def choose(self, position: Position, budget: float) -> str:
        """As a `Choose` of `levels`."""
        known = [move.text for move in book.reactive(position)]
        usual = [text for text in known if known.count(text) >= _USUAL]
        if usual:
            self.search = None
            return self._generator.choice(usual)
        if position.variant != self._variant:
            self._variant, self._known = position.variant, {}
        memory = self._known if len(position.seats) == 2 else None
        self.search = Search(position, self._clock() + budget, self._clock, known=memory)
        best = self._mate(self.search, position) or self.search.best(self._deepest)
        return (last_mate(position, position.legal_moves, self.search.score) or best).text

    def _mate(self, search: Search, position: Position) -> Move | None:
        """The first move of a mate in up to three, which `search` then has found; None if between two there is none,
        or no time to see it."""
        end = search.deadline - _KEPT * (search.deadline - self._clock())

        def look() -> None:
            if self._clock() >= end:
                raise TimeIsUp

        line: list[Move] = []
        if len(position.seats) == 2:
            with suppress(TimeIsUp):
                line = forced(position, min(MOST, (self._deepest + 1) // 2), look)
        if not line:
            return None
        search.depth, search.score = len(line), MATE - len(line)
        return line[0]


class Search:
    """One search from a root until a deadline (of `clock`, in seconds)."""

    def __init__(
        self,
        root: Position,
        deadline: float,
        clock: Callable[[], float] = monotonic,
        memory: int = _FULL,
        known: Known | None = None,
    ) -> None:
        """`memory` is how many positions are remembered at most; `known`, what searches of the same variant
        between two have found already, and take what this one finds."""
        self._root = root
        self._memory = memory
        self.deadline = deadline
        self._clock = clock
        rules = root.rules
        self._board = board_of(root)
        self._own = root.turn
        self._ours = [team == rules.teams[root.turn] for team in rules.teams]
        """By seats: whether it is of the searcher's team."""
        self._seats = len(rules.seats)
        self._two = self._seats == 2
        self._joint = self._seats > 2 and not rules.in_teams
        self._value = [max(1, value) for value in rules.values]
        self._known: Known = {} if known is None else known
        self._killers: list[Move | None] = [None for _ in range(2 * (2 * DEEPEST + 64))]
        """By ply: two quiet moves that have cut there, the latest first."""
        self._worths = [0] * (2 * DEEPEST + 64)
        """By ply: what the position there is worth at a glance to the side to move; very little where it is in check."""
        self._size = root.geometry.size
        self._history = [[0] * self._size**2 for _ in rules.seats]
        """By seats, and by a move's source and target as one number: what it is held to be worth."""
        self._height = 0
        """How many moves have been made on the board since the root."""
        self._aim = 0
        """How deep the present iteration is to go, in plies."""
        self.nodes = 0
        self.depth = 0
        """How deep the last complete iteration went, in plies."""
        self.score = 0
        """What the root is worth to its mover."""

    def moves(self) -> list[Move]:
        """The moves at the root, the most promising first."""
        return self._ordered(self._root.legal_moves, 0)

    def best(self, deepest: int = DEEPEST) -> Move:
        """The best move found in time."""
        moves = self.moves()
        best = moves[0]
        if len(moves) == 1:
            return best
        started = self._clock()
        try:
            for depth in range(1, deepest + 1):
                expected, score = best, self.score
                best, self.score = self._expecting(moves, depth, score) if depth > 3 else self.iterate(moves, depth)
                self.depth = depth
                moves.remove(best)
                moves.insert(0, best)
                settled = best is expected and self.score > score - _SETBACK
                spent = (self._clock() - started) / max(self.deadline - started, 1e-9)
                if abs(self.score) > MATE - 100 or spent > (0.75 if settled else 0.9):
                    break
        except TimeIsUp:
            best = self._interrupted or best
        return best

    def _expecting(self, moves: Sequence[Move], depth: int, score: int) -> tuple[Move, int]:
        """`iterate`, first only to see whether the worth is still about this; most often it is, and that is less
        work."""
        found = self.iterate(moves, depth, score - _SETBACK, score + _SETBACK)
        if abs(found[1] - score) < _SETBACK:
            return found
        moves = [found[0], *(move for move in moves if move is not found[0])]
        if found[1] > score:
            return self.iterate(moves, depth, score - _SETBACK)
        found = self.iterate(moves, depth, score - 5 * _SETBACK, score + _SETBACK)
        return found if abs(found[1] - score + 2 * _SETBACK) < 3 * _SETBACK else self.iterate(moves, depth)

    def iterate(
        self, moves: Sequence[Move], depth: int, alpha: int = -2 * MATE, beta: int = 2 * MATE
    ) -> tuple[Move, int]:
        """The best of some moves at the root, searched so many plies deep, and its worth, if that is between alpha and
        beta; else the one that it passes. Raises `TimeIsUp`."""
        self._interrupted: Move | None = None
        self._aim = depth
        board, best = self._board, moves[0]
        ours, checked = self._own, board.checked()
        try:
            for number, move in enumerate(moves):
                quiet = move.promotion is None and board.gain(move) == 0
                board.make(move)
                self._height += 1
                narrow = number > 0 and alpha > -MATE
                late = number >= 4 and depth >= 5 and narrow and not checked and quiet and not board.checked()
                score = self._after(ours, depth - 1 - late, alpha, alpha + 1 if narrow else beta, 1)
                if narrow and score > alpha:
                    score = self._after(ours, depth - 1, alpha, beta, 1)
                self._undo()
                if score > alpha:
                    alpha, best = score, move
                    self._interrupted = best  # the best of the iteration before comes first, so this is no worse
                    if score >= beta:
                        break
        finally:
            while self._height:
                self._undo()
        return best, alpha

    def line(self, move: Move, most: int) -> list[Move]:
        """A move at the root and what the search holds best after it, at most so many moves."""
        board, position = self._board, self._root
        found: list[Move] = []
        following: Move | None = move
        while following is not None and len(found) < most and self._make(following):
            position = position.play(following)
            found.append(following)
            entry = None if position.outcome is not None else self._known.get(board.identity())
            following = None if entry is None else entry[3]
            if following not in position.legal_moves:  # two positions have the same key
                following = None
        while self._height:
            self._undo()
        return found

    def _make(self, move: Move) -> bool:
        if not self._board.make(move):
            return False
        self._height += 1
        return True

    def _undo(self) -> None:
        self._height -= 1
        self._board.undo()

    def _seen(self) -> int:
        """The worth of the board to the side to move, without a look ahead."""
        return self._board.worth() if self._ours[self._board.turn] else -self._board.worth()

    def _after(self, mover: int, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The worth of what follows a move that a seat has made, to that seat."""
        if self._ours[mover] is self._ours[self._board.turn]:
            return self._alpha_beta(depth, alpha, beta, ply)
        return -self._alpha_beta(depth, -beta, -alpha, ply)

    def _over(self, ply: int) -> int | None:
        """The worth of a game that is over, to the side to move; None while it goes on."""
        ended = self._board.ended()
        if ended == GOES_ON:
            return None
        return (MATE - ply) * (ended if self._ours[self._board.turn] else -ended)

    def _alpha_beta(self, depth: int, alpha: int, beta: int, ply: int) -> int:
        self._count()
        board, two = self._board, self._two
        ended = self._over(ply)
        if ended is not None:
            return ended
        if self._joint and not self._ours[board.turn]:
            return self._answer(depth, alpha, beta, ply)
        checked = board.checked()
        if checked and ply < 2 * self._aim:
            depth += 1
        if depth <= 0:
            return self._quiesce(alpha, beta, ply)
        key = board.identity()
        entry = self._known.get(key)
        hint = None
        if entry is not None:
            known, score, bound, hint = entry
            if abs(score) > FORCED:
                score += -ply if score > 0 else ply
            if known >= depth and (
                bound == _EXACT or (bound == _AT_LEAST and score >= beta) or (bound == _AT_MOST and score <= alpha)
            ):
                return score
        narrow = beta - alpha == 1
        open_ended = not checked and abs(alpha) < MATE - 100
        bold = open_ended and narrow and two
        shallow = depth <= _HOPELESS if bold else open_ended and depth == 1
        worth = self._seen() if (two and not checked) or shallow else 0
        self._worths[ply] = -MATE if checked else worth
        rising = two and not checked and ply > 1 and worth > self._worths[ply - 2]
        seat = board.turn
        if bold:
            if depth <= 7 and worth - 80 * depth + 60 * rising >= beta:
                return worth
            if depth >= 3 and worth >= beta and board.has_pieces():
                board.pass_to(1 - seat)
                self._height += 1
                score = -self._alpha_beta(depth - 3 - depth // 4, -beta, -beta + 1, ply + 1)
                self._undo()
                if score >= beta:
                    return beta
        if two and hint is None and depth >= 4:
            depth -= 1  # first find out what to try first
        futile = shallow and worth + 70 + 110 * depth <= alpha
        # The known best move is tried before the others are looked for: most often it makes that needless.
        moves = self._ordered(board.moves(), ply) if hint is None else [hint]
        enough = 4 + 3 * depth * depth if bold and shallow else MATE
        best, best_move, first = -2 * MATE, None, alpha
        skipped = False
        past = self._history[seat]
        number, at = 0, -1
        while True:
            at += 1
            if at == len(moves):
                if at > 1 or hint is None:
                    break
                moves += [move for move in self._ordered(board.moves(), ply) if move is not hint]
                if at == len(moves):
                    break
            move = moves[at]
            gain = board.gain(move)
            quiet = move.promotion is None and gain == 0
            checks = two and number > 0 and board.gives_check(move)
            poor = two and number > 0 and 0 < gain < board.risk(move) and board.guarded(move)
            if number and not checks and ((quiet and (futile or number >= enough)) or (poor and bold and shallow)):
                skipped = True
                continue
            if not self._make(move):
                continue
            if number == 0:
                score = self._after(seat, depth - 1, alpha, beta, ply + 1)
            else:
                late = 0
                if (quiet or poor) and not checked and not checks and depth >= 2 and number >= (3 if two else 4):
                    most = 2 if two else 1
                    trust = 0 if poor else past[move.source * self._size + move.target] // 4000
                    late = _LATER[min(depth, 31)][min(number, 63)] - max(-most, min(most, trust))
                    late = max(0, min(late, depth - 1) - (two and not narrow))
                score = self._after(seat, depth - 1 - late, alpha, alpha + 1, ply + 1)
                if score > alpha and (late or score < beta):
                    score = self._after(seat, depth - 1, alpha, beta, ply + 1)
            self._undo()
            number += 1
            if score > best:
                best, best_move = score, move
                if score > alpha:
                    alpha = score
                    if score >= beta:
                        if quiet:
                            self._note(moves[: at + 1], depth, ply)
                        break
        if not number:
            return self._stuck(checked, depth, alpha, beta, ply)
        if skipped:
            best = max(best, alpha)
        if len(self._known) >= self._memory:
            for old in list(islice(self._known, self._memory // 2)):
                del self._known[old]
        bound = _AT_LEAST if best >= beta else _AT_MOST if best <= first else _EXACT
        kept = best if abs(best) <= FORCED else best + ply if best > 0 else best - ply
        self._known[key] = depth, kept, bound, best_move
        return best

    def _answer(self, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The worth to the opponents among four, of whom one answers, whoever can do best, while the others pass."""
        board = self._board
        if not board.in_game(self._own):
            return self._seen()
        if depth <= 0:
            return self._quiet_answer(alpha, beta, ply)
        key = board.identity()
        entry = self._known.get(key)
        hint = None
        if entry is not None:
            known, score, bound, hint = entry
            if abs(score) > FORCED:
                score += -ply if score > 0 else ply
            if known >= depth and (
                bound == _EXACT or (bound == _AT_LEAST and score >= beta) or (bound == _AT_MOST and score <= alpha)
            ):
                return score
        worth = self._seen()
        futile = depth == 1 and abs(alpha) < MATE - 100 and worth + 180 <= alpha
        best, best_move, first, number, skipped = -2 * MATE, None, alpha, 0, False
        moves = [hint] if hint is not None else self._answers(ply)
        at = -1
        while True:
            at += 1
            if at == len(moves):
                if at > 1 or hint is None:
                    break
                moves += [move for move in self._answers(ply) if move is not hint]
                if at == len(moves):
                    break
            move = moves[at]
            quiet = move.promotion is None and board.gain(move) == 0
            if quiet and number and futile:
                skipped = True
                continue
            height = self._height
            if not self._make_answer(move):
                continue
            if number == 0:
                score = self._answered(depth - 1, alpha, beta, ply + 1)
            else:
                late = 0
                if quiet and depth >= 2 and number >= 4:
                    late = min(_LATER[min(depth, 31)][min(number, 63)], depth - 1)
                score = self._answered(depth - 1 - late, alpha, alpha + 1, ply + 1)
                if score > alpha and (late or score < beta):
                    score = self._answered(depth - 1, alpha, beta, ply + 1)
            while self._height > height:
                self._undo()
            number += 1
            if score > best:
                best, best_move = score, move
                if score > alpha:
                    alpha = score
                    if score >= beta:
                        if quiet:
                            seat = board.owner(move)
                            past = self._history[seat]
                            it = move.source * self._size + move.target
                            gain = min(16 * depth * depth, _LEARNED // 10)
                            past[it] += gain - past[it] * gain // _LEARNED
                            if self._killers[2 * ply] is not move:
                                self._killers[2 * ply + 1] = self._killers[2 * ply]
                                self._killers[2 * ply] = move
                        break
        if not number:
            return worth
        if skipped:
            best = max(best, alpha)
        if len(self._known) >= self._memory:
            for old in list(islice(self._known, self._memory // 2)):
                del self._known[old]
        bound = _AT_LEAST if best >= beta else _AT_MOST if best <= first else _EXACT
        kept = best if abs(best) <= FORCED else best + ply if best > 0 else best - ply
        self._known[key] = depth, kept, bound, best_move
        return best

    def _answers(self, ply: int) -> list[Move]:
        keys: list[int] = []
        moves: list[Move] = []
        board = self._board
        for seat in range(self._seats):
            if self._ours[seat] or not board.in_game(seat):
                continue
            board.pass_to(seat)
            some = board.moves()
            keys += self._keys(some, ply, len(moves))
            moves += some
            board.undo()
        keys.sort(reverse=True)
        return [moves[-key & 1023] for key in keys]

    def _make_answer(self, move: Move) -> bool:
        board = self._board
        seat = board.owner(move)
        height = self._height
        if board.turn != seat:
            board.pass_to(seat)
            self._height += 1
        if not self._make(move):
            while self._height > height:
                self._undo()
            return False
        if board.turn != self._own and board.in_game(self._own):
            board.pass_to(self._own)
            self._height += 1
        return True

    def _answered(self, depth: int, alpha: int, beta: int, ply: int) -> int:
        if not self._board.in_game(self._own):
            ended = self._board.ended()
            return -self._board.worth() if ended == GOES_ON else -ended * (MATE - ply)
        return -self._alpha_beta(depth, -beta, -alpha, ply)

    def _quiet_answer(self, alpha: int, beta: int, ply: int) -> int:
        board = self._board
        if not board.in_game(self._own):
            return self._seen()
        worth = self._seen()
        if worth >= beta or ply > self._aim + 6:
            return worth
        best = worth
        alpha = max(alpha, worth)
        found = []
        least = (alpha - worth - 200) // 100 + 1
        for seat in range(self._seats):
            if not self._ours[seat] and board.in_game(seat):
                board.pass_to(seat)
                found += self._captures(least)
                board.undo()
        found.sort(key=lambda one: -one[1])
        for move, gain in found:
            if worth + 100 * gain + 200 <= alpha:
                continue
            height = self._height
            if not self._make_answer(move):
                continue
            self._count()
            if not board.in_game(self._own) or board.ended() != GOES_ON:
                ended = board.ended()
                score = -board.worth() if ended == GOES_ON else -ended * (MATE - ply - 1)
            else:
                score = -self._quiesce(-beta, -alpha, ply + 1)
            while self._height > height:
                self._undo()
            if score > best:
                best = score
                if score > alpha:
                    alpha = score
                    if score >= beta:
                        return best
        return best

    def _stuck(self, checked: bool, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The worth to a side that has no move."""
        if checked:
            return ply - MATE
        seat = self._board.turn
        if not self._board.stalemate():
            return 0
        self._height += 1
        score = self._after(seat, depth - 1, alpha, beta, ply + 1)
        self._undo()
        return score

    def _quiesce(self, alpha: int, beta: int, ply: int, passed: bool = False) -> int:
        """The worth when only what takes or promotes is still played. An opponent may as well pass, and leave that to
        one who moves before the searcher does."""
        board = self._board
        if self._joint and not self._ours[board.turn]:
            return self._quiet_answer(alpha, beta, ply)
        worth = self._seen()
        if worth >= beta:
            return worth
        best = worth
        alpha = max(alpha, worth)
        seat = board.turn
        for move, gain in self._captures((alpha - worth - 200) // 100 + 1):
            if worth + 100 * gain + 200 <= alpha:
                continue
            if not self._make(move):
                continue
            self._count()
            ended = self._over(ply + 1)
            same = self._ours[seat] is self._ours[board.turn]
            if ended is not None:
                score = ended if same else -ended
            elif same:
                score = self._quiesce(alpha, beta, ply + 1)
            else:
                score = -self._quiesce(-beta, -alpha, ply + 1)
            self._undo()
            if score > best:
                best = score
                if score > alpha:
                    alpha = score
                    if score >= beta:
                        return best
        if self._seats > 2 and not passed:
            for other in self._next_opponents():
                board.pass_to(other)
                self._height += 1
                best = max(best, self._quiesce(max(alpha, best), beta, ply + 1, passed=True))
                self._undo()
                if best >= beta:
                    break
        return best

    def _next_opponents(self) -> list[int]:
        """Where it is an opponent's turn, the other opponents who move before the searcher does."""
        turn = self._board.turn
        if self._ours[turn] or not self._board.in_game(self._own):
            return []
        later = range(turn + 1, self._own if self._own > turn else self._own + self._seats)
        return [seat for other in later if self._board.in_game(seat := other % self._seats) and not self._ours[seat]]

    def _captures(self, least: int = 0) -> list[tuple[Move, int]]:
        """What takes or promotes, gains so much at the least, and does not plainly lose, with its gain; the most
        promising first."""
        board = self._board
        moves = board.captures()
        gains, keys = [], []
        for number, move in enumerate(moves):
            gain = board.gain(move)
            if gain > 0:
                if gain >= least:
                    risk = board.risk(move)
                    if gain >= risk or not board.guarded(move):
                        keys.append((64 * gain - risk << 10) - number)
            elif move.promotion is not None and move.promotion in (PieceKind.QUEEN, PieceKind.PROMOTED_QUEEN):
                gain = 8
                keys.append((512 << 10) - number)
            gains.append(gain)
        keys.sort(reverse=True)
        return [(moves[-key & 1023], gains[-key & 1023]) for key in keys]

    def _ordered(self, moves: Sequence[Move], ply: int) -> list[Move]:
        """The moves, the most promising first: captures, killers, then what has cut before."""
        keys = self._keys(moves, ply, 0)
        keys.sort(reverse=True)
        return [moves[-key & 1023] for key in keys]

    def _keys(self, moves: Sequence[Move], ply: int, first: int) -> list[int]:
        """Numbers to sort moves by; the number of each is in the last ten bits of its own, negative."""
        board = self._board
        past, size = self._history[board.turn], self._size
        killer, other = self._killers[2 * ply], self._killers[2 * ply + 1]
        keys = []
        for number, move in enumerate(moves):
            gain = board.gain(move)
            if gain > 0:
                risk = board.risk(move)
                merit = 64 * gain - risk + (_POOR if self._two and gain < risk and board.guarded(move) else _TAKES)
            elif move.promotion is not None:
                merit = _TAKES + 64 * self._value[move.promotion] - 64
            elif move is killer or move is other:
                merit = _KILLS
            else:
                merit = past[move.source * size + move.target]
            keys.append((merit << 10) - number - first)
        return keys

    def _note(self, tried: list[Move], depth: int, ply: int) -> None:
        """Remember a quiet move that was too good for the other side to allow, the last of those that were tried, and
        that the quiet ones before it were not."""
        move, board = tried[-1], self._board
        if self._killers[2 * ply] is not move:
            self._killers[2 * ply + 1] = self._killers[2 * ply]
            self._killers[2 * ply] = move
        past = self._history[board.turn]
        gain = min(16 * depth * depth, _LEARNED // 10)
        for other in tried:
            if other is move or (other.promotion is None and board.gain(other) == 0):
                at = other.source * self._size + other.target
                known = past[at]
                past[at] = known - known * gain // _LEARNED + (gain if other is move else -gain)

    def _count(self) -> None:
        self.nodes += 1
        if not self.nodes & 127 and self._clock() >= self.deadline:
            raise TimeIsUp


def last_mate(position: Position, moves: Sequence[Move], worth: int) -> Move | None:
    """A move that mates another, where among four all moves are worth a lost game: whoever is lost can still do that
    first. None if there is no such move, or the game is not lost."""
    if worth >= -FORCED or len(position.seats) == 2:
        return None
    return next(filter(Lookahead(position).mates, moves), None)

