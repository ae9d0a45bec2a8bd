"""An alpha-beta search with iterative deepening and a quiescence search.

Every position belongs to one of two sides: the searcher's team, or the others. Scores are for the side to move. If one
side moves twice in a row, the window stays the same.

In games for three or four without teams, the other players answer together: the one who can do most against the
searcher moves, and the others pass (best-reply search: Schadd and Winands, 2011). So the search sees twice as many of
its own moves as if all players moved, but misses combinations of two opponents in one round. `tests.bench.among_four`
compares it with the paranoid search, in which all players always move.

Best-reply search alone would postpone every capture. Since only one opponent moves, an attacked piece could be captured
in the next round as well, after another threat. In reality, its owner moves too. So captures of the searcher in later
rounds count less.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Final

from fourfold.clients.bots.search.board import GOES_ON
from fourfold.clients.bots.search.known import AT_LEAST, AT_MOST, EXACT, Known, bound_of, depth_of, score_of
from fourfold.clients.bots.search.mailbox import board_of
from fourfold.clients.bots.search.ordering import Ordering
from fourfold.engine.moves import Move
from fourfold.engine.position import Position

MATE: Final = 1_000_000
"""The score of a won game, minus one for each ply to the win."""

FORCED: Final = MATE - 1000
"""Scores beyond this are forced wins."""

DEEPEST: Final = 40
_PLIES: Final = 2 * DEEPEST + 64
"""The longest line of a search, in plies."""

FULL: Final = 300_000
"""The default number of positions in the transposition table."""

_LATER: Final = [
    [round(0.4 + math.log(depth) * math.log(number) / 2.2) if depth and number else 0 for number in range(64)]
    for depth in range(32)
]
"""Late move reductions: the plies by which a quiet move is searched less, by depth and by its number among the moves.
The later the move, the greater the reduction."""

_HOPELESS: Final = 3
"""The remaining plies at which quiet moves may be skipped: late ones, and all if the score is far too low."""

_SETBACK: Final = 40
"""The fall of the score from one depth to the next at which the search takes more time."""

_LATE: Final = 25
"""How much less the searcher's captures in later rounds count, for each pawn of their value, if the others answer
together."""

_CAPTURES: Final = 6
"""The longest quiescence search among four, in plies: with four players, there is always one more capture."""


class TimeIsUp(Exception):
    """Stops the search with its present result."""


class Search:
    """One search from a root until a deadline of `clock`, in seconds."""

    def __init__(
        self,
        root: Position,
        deadline: float,
        clock: Callable[[], float] = monotonic,
        memory: int = FULL,
        known: Known | None = None,
        together: bool = True,
        among: Sequence[Move] | None = None,
    ) -> None:
        """`memory` is the most positions to remember. `known` has earlier searches' results in the same variant for two
        players, and takes this one's. `together` tells whether the others answer together, in games for three or four
        without teams. `among` has the root moves to choose from; the default is all."""
        self._root = root
        self._among = among
        self._memory = memory
        self.deadline = deadline
        self._clock = clock
        teams = root.rules.teams
        self._own = root.turn
        self._ours = [team == teams[root.turn] for team in teams]
        """By seat: whether it belongs to the searcher's team."""
        self._two = len(root.alive) == 2
        self._alone = not self._two and not root.rules.in_teams
        """Whether three or four players play without teams."""
        self._joint = together and self._alone
        """Whether the others answer together."""
        self._late = _LATE if self._joint else 0
        self._board = board_of(root)
        self._height = 0
        """The number of moves and passes on the board since the root."""
        self._ordering = Ordering(root, self._board, _PLIES)
        self._known = Known() if known is None else known
        self._aim = 0
        """The depth of the present iteration, in plies."""
        self.report: Callable[[Move], None] | None = None
        """Called after each iteration of `best`, with the best move."""
        self.most = math.inf
        """The number of nodes at which the search stops."""
        self.noise: dict[Move, int] = {}
        """What counts in addition to the scores of root moves, in hundredths of a pawn. Forced wins and losses keep
        their scores."""
        self.nodes = 0
        self.depth = 0
        """The depth of the last complete iteration, in plies."""
        self.score = 0
        """The score of the root for its mover."""

    def moves(self) -> list[Move]:
        """The root moves, the most promising first."""
        return self._ordering.ordered(self._root.legal_moves if self._among is None else self._among, 0)

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
                if self.report is not None:
                    self.report(best)
                settled = best is expected and self.score > score - _SETBACK
                spent = (self._clock() - started) / max(self.deadline - started, 1e-9)
                if abs(self.score) > MATE - 100 or spent > (0.75 if settled else 0.9):
                    break
        except TimeIsUp:
            best = self._interrupted or best
        return best

    def _expecting(self, moves: Sequence[Move], depth: int, score: int) -> tuple[Move, int]:
        """Run `iterate`, first with a window around the last score. Usually the score stays in it, and this takes less
        time."""
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
        """The best of some root moves at `depth` plies, with its score if it lies between alpha and beta, otherwise
        with the bound that it passes. Raises `TimeIsUp`."""
        self._interrupted: Move | None = None
        self._aim = depth
        board, best = self._board, moves[0]
        checked = board.checked()
        try:
            for number, move in enumerate(moves):
                quiet = move.promotion is None and board.gain(move) == 0
                self._make(move)
                narrow = number > 0 and alpha > -MATE
                late = number >= 4 and depth >= 5 and narrow and not checked and quiet and not board.checked()
                noise = self.noise.get(move, 0)
                low, high = alpha - noise, beta - noise
                score = self._after(self._own, depth - 1 - late, low, low + 1 if narrow else high, 1)
                if narrow and score > low:
                    score = self._after(self._own, depth - 1, low, high, 1)
                if abs(score) <= FORCED:
                    score += noise
                self._undo(0)
                if score > alpha:
                    alpha, best = score, move
                    self._interrupted = best  # the previous best comes first, so this is no worse
                    if score >= beta:
                        break
        finally:
            self._undo(0)
        return best, alpha

    def line(self, move: Move, most: int) -> tuple[list[Move], Position]:
        """A root move and the best moves after it in the search, at most `most` moves, with the position at the end. If
        the others answer together, all but one of them pass in the search. In the line, they make the best move by
        static evaluation."""
        found = [move]
        self._make(move)
        position = seen = self._root.play(move)
        while len(found) < most and position.outcome is None and seen.outcome is None:
            entry = self._known.entry(self._board.identity())
            following = None if entry < 0 else self._known.move(entry)
            if following is None:
                break
            seat = self._board.owner(following)
            while self._joint and position.turn not in (seat, self._own) and position.legal_moves:
                passing = Search(position, math.inf).best(1)
                found.append(passing)
                position = position.play(passing)
            if seen.turn != seat:
                seen = seen.replace(turn=seat, steps=(), halfmove=0, history=b"")
            # Two positions may have the same key, or another position may have replaced this one.
            if following not in position.legal_moves or following not in seen.legal_moves:
                break
            found.append(following)
            position = position.play(following)
            seen = seen.play(following) if self._joint else position
            answers = self._joint and not self._ours[seat]
            if not (self._answer(following) if answers else self._make(following)):
                break
            while answers and position.turn != self._own and position.legal_moves:
                passing = Search(position, math.inf).best(1)
                found.append(passing)
                position = position.play(passing)
        self._undo(0)
        return found[:most], seen

    # ---- On the board -----------------------------------------------------------------------------

    def _make(self, move: Move) -> bool:
        if not self._board.make(move):
            return False
        self._height += 1
        return True

    def _pass_to(self, seat: int) -> None:
        if self._board.turn != seat:
            self._board.pass_to(seat)
            self._height += 1

    def _answer(self, move: Move) -> bool:
        """Make a move of an opponent, after which it is the searcher's turn again."""
        height = self._height
        self._pass_to(self._board.owner(move))
        if not self._make(move):
            self._undo(height)
            return False
        if self._board.in_game(self._own):
            self._pass_to(self._own)
        return True

    def _undo(self, height: int) -> None:
        """Take back all moves since the board had the given height."""
        while self._height > height:
            self._height -= 1
            self._board.undo()

    def _answering(self) -> list[int]:
        """The opponents that move before the searcher does, including the side to move."""
        turn, own, seats = self._board.turn, self._own, len(self._ours)
        later = [seat % seats for seat in range(turn, own if own > turn else own + seats)]
        return [seat for seat in later if not self._ours[seat] and self._board.in_game(seat)]

    def _seen(self) -> int:
        """The static evaluation for the side to move."""
        return self._board.worth() if self._ours[self._board.turn] else -self._board.worth()

    def _over(self, ply: int) -> int | None:
        """The score of a finished game for the side to move; None while it goes on. Among four, the game is over for a
        searcher who is out."""
        ended = self._board.ended()
        if ended == GOES_ON:
            return None if self._two or self._board.in_game(self._own) else self._seen()
        return (MATE - ply) * (ended if self._ours[self._board.turn] else -ended)

    # ---- Alpha-beta -------------------------------------------------------------------------------

    def _after(self, mover: int, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The score after a move, for the seat that made it."""
        if self._ours[mover] is self._ours[self._board.turn]:
            return self._alpha_beta(depth, alpha, beta, ply)
        return -self._alpha_beta(depth, -beta, -alpha, ply)

    def _alpha_beta(self, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The score for the side to move: exact between alpha and beta, and beyond them only a bound."""
        self._count()
        ended = self._over(ply)
        if ended is not None:
            return ended
        board = self._board
        answers = self._joint and not self._ours[board.turn]
        checked = not answers and board.checked()
        if checked and ply < 2 * DEEPEST:
            depth += 1
        if depth <= 0:
            return self._quiesce(alpha, beta, ply)
        key = board.identity()
        entry = self._known.entry(key)
        hint = None
        if entry >= 0:
            hint = self._known.move(entry)
            score = _usable(entry, depth, alpha, beta, ply)
            if score is not None:
                return score
        narrow = beta - alpha == 1
        open_ended = not checked and abs(alpha) < MATE - 100
        bold = open_ended and narrow
        shallow = open_ended and depth <= (_HOPELESS if narrow else 1)
        worth = self._seen() if bold or shallow else 0
        if bold:
            cut = self._cut(worth, depth, beta, ply, answers)
            if cut is not None:
                return cut
        if self._two and hint is None and depth >= 4:
            depth -= 1  # without a known best move, find one by a shallower search
        enough = 4 + 3 * depth * depth if bold and shallow else MATE
        if shallow and worth + 60 + 120 * depth <= alpha:
            enough = 1
        return self._search_moves(key, depth, alpha, beta, ply, hint, enough, checked, answers)

    def _cut(self, worth: int, depth: int, beta: int, ply: int, answers: bool) -> int | None:
        """A score from beta up for a position that is so good that its moves need no search: by its static evaluation,
        or because even a pass is good enough. Otherwise None."""
        if depth <= 5 and worth - 90 * depth >= beta:
            return worth
        if depth >= 3 and worth >= beta and not answers and self._board.has_pieces():
            seat = self._board.turn
            self._pass_to(self._board.next_seat())
            score = self._after(seat, depth - 3 - depth // 4, beta - 1, beta, ply + 1)
            self._undo(self._height - 1)
            if score >= beta:
                return beta
        return None

    def _search_moves(
        self,
        key: int,
        depth: int,
        alpha: int,
        beta: int,
        ply: int,
        hint: Move | None,
        enough: int,
        checked: bool,
        answers: bool,
    ) -> int:
        """The score of the best move, which is remembered by the position's `key`. After `enough` moves, quiet ones are
        skipped. `hint` is the known best move, and `answers` tells whether any opponent may move."""
        board, two, seat, first, height = self._board, self._two, self._board.turn, alpha, self._height
        best, best_move, number, skipped, wide = -2 * MATE, None, 0, False, beta - alpha > 1
        # Try the known best move before generating the others: it usually makes them unnecessary. Among four,
        # so do captures, usually.
        seats = self._answering() if answers else [seat]
        moves, ahead, at = ([] if hint is None else [hint]), 1 if two else 2, 0
        while True:
            if at == len(moves):
                if ahead == 0:
                    break
                ahead -= 1
                if ahead == 0 and answers and number >= enough:
                    skipped = True
                    break
                some = self._ordering.taking(seats) if ahead else self._ordering.others(seats, ply, two)
                moves += [move for move in some if move is not hint]
                continue
            move = moves[at]
            at += 1
            gain = board.gain(move)
            quiet = move.promotion is None and gain == 0
            checks = quiet and number > 0 and not answers and board.gives_check(move)
            if quiet and number >= enough and not checks:
                skipped = True
                continue
            late = 0
            if number >= (3 if two else 4) and quiet and not checked and not checks and depth >= 2:
                late = self._later(move, depth, number, wide)
            if not (self._answer(move) if answers else self._make(move)):
                continue
            less = self._less(seat, gain)
            score = self._made(seat, depth - 1, late, alpha + less, beta + less, ply + 1, number == 0)
            if abs(score) <= FORCED:
                score -= less
            self._undo(height)
            number += 1
            if score > best:
                best, best_move = score, move
                if score > alpha:
                    alpha = score
                    if score >= beta:
                        if quiet:
                            self._ordering.note(moves[:at], depth, ply)
                        break
        if not number:
            return self._seen() if answers else self._stuck(checked, depth, alpha, beta, ply)
        if skipped:
            best = max(best, alpha)
        bound = AT_LEAST if best >= beta else AT_MOST if best <= first else EXACT
        self._remember(key, depth, best, bound, best_move, ply)
        return best

    def _made(self, mover: int, depth: int, late: int, alpha: int, beta: int, ply: int, first: bool) -> int:
        """The score of the move that `mover` has just made. All moves but the first are expected to be worse: they are
        searched with the narrowest window and `late` plies less, and again if they are better."""
        if first:
            return self._after(mover, depth, alpha, beta, ply)
        score = self._after(mover, depth - late, alpha, alpha + 1, ply)
        if score > alpha and (late or score < beta):
            score = self._after(mover, depth, alpha, beta, ply)
        return score

    def _later(self, move: Move, depth: int, number: int, wide: bool) -> int:
        """The reduction of a quiet move, in plies. With two players it is less in a `wide` window."""
        most, trust = 2 if self._two else 1, self._ordering.trust(move)
        late = _LATER[min(depth, 31)][min(number, 63)] - max(-most, min(most, trust)) - (self._two and wide)
        return max(0, min(late, depth - 1))

    def _less(self, seat: int, gain: int) -> int:
        """The discount of a seat's captures below the root."""
        return self._late * gain if gain > 0 and self._ours[seat] else 0

    def _remember(self, key: int, depth: int, score: int, bound: int, best: Move | None, ply: int) -> None:
        if abs(score) > FORCED:
            score += ply if score > 0 else -ply
        self._known.remember(key, depth, score, bound, best, self._memory)

    def _stuck(self, checked: bool, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The score for a side without legal moves."""
        if checked:
            return ply - MATE
        seat, height = self._board.turn, self._height
        if not self._board.stalemate():
            return 0
        self._height += 1
        score = self._after(seat, depth - 1, alpha, beta, ply + 1)
        self._undo(height)
        return score

    def _quiesce(self, alpha: int, beta: int, ply: int) -> int:
        """The score with only captures and promotions. Among four without teams, any opponent may make one, and then
        it is the searcher's turn. In teams a partner moves between them, who can save what is attacked."""
        board, seat, height = self._board, self._board.turn, self._height
        worth = self._seen()
        if worth >= beta or (not self._two and ply > self._aim + _CAPTURES):
            return worth
        best = worth
        alpha = max(alpha, worth)
        answers = self._alone and not self._ours[seat] and board.in_game(self._own)
        least = (alpha - worth - 200) // 100 + 1
        for move, gain in self._ordering.captures(self._answering() if answers else [seat], least):
            if worth + 100 * gain + 200 <= alpha or (gain < board.risk(move) and board.guarded(move)):
                continue
            if not (self._answer(move) if answers else self._make(move)):
                continue
            self._count()
            ended = self._over(ply + 1)
            same = self._ours[seat] is self._ours[board.turn]
            less = self._less(seat, gain)
            if ended is not None:
                score = ended if same else -ended
            elif same:
                score = self._quiesce(alpha + less, beta + less, ply + 1)
            else:
                score = -self._quiesce(-beta - less, -alpha - less, ply + 1)
            if abs(score) <= FORCED:
                score -= less
            self._undo(height)
            if score > best:
                best = score
                if score > alpha:
                    alpha = score
                    if score >= beta:
                        return best
        return best

    def _count(self) -> None:
        self.nodes += 1
        if self.nodes >= self.most or (not self.nodes & 127 and self._clock() >= self.deadline):
            raise TimeIsUp


def _usable(entry: int, depth: int, alpha: int, beta: int, ply: int) -> int | None:
    """The remembered score of a position, if it answers a search of this depth and window; otherwise None."""
    if depth_of(entry) < depth:
        return None
    score, bound = score_of(entry), bound_of(entry)
    if abs(score) > FORCED:
        score += -ply if score > 0 else ply
    if bound == EXACT or (bound == AT_LEAST and score >= beta) or (bound == AT_MOST and score <= alpha):
        return score
    return None
